"""The benchmark of other packages without them: sessions run, and each row says what is missing."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
import peer_methods
import peers as benchmark
from settings import load

from .stand_ins import make_stand_ins

ERROR, F1 = "digits error, over-confident", "digits F1 of 3 %, over-confident"


@pytest.fixture(scope="module", autouse=True)
def _data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    make_stand_ins(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ACTIVEEVAL_DATA", str(folder))
        yield


@pytest.fixture
def task():
    return peer_methods.Task(load(F1))


def test_without_the_others_it_runs_its_own_and_says_that_they_are_not_installed(tmp_path, monkeypatch):
    modules = {row.module for row in benchmark.ROWS.values() if row.module is not None}
    assert modules == {"activeeval", "fewhumans", "glide", "oasis", "ppi_py", "truescore"}
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr(benchmark, "AT", (10, 20))
    monkeypatch.setattr(benchmark, "TITLES", {ERROR: "error rate"})
    monkeypatch.setattr(benchmark, "RESULTS", tmp_path)
    monkeypatch.setattr(sys, "argv", ["peers", "--sessions", "2"])
    benchmark.main()
    text = (tmp_path / "peers.md").read_text(encoding="utf-8")
    for row in benchmark.ROWS.values():
        assert (row.module is None) or f"not installed: import of {row.module} halted" in text
    assert "glide-py 0.11.0, not installed" in text
    of_setting = text[text.index("\n## error rate\n") :]
    (own,) = [line for line in of_setting.splitlines() if line.startswith("| this package |")]
    _, *errors, n_labels, widths, coverage = own.strip("| ").split(" | ")
    assert all(float(error.split(" ± ")[0]) > 0 for error in errors)
    assert (len(errors), n_labels) == (2, "20")
    assert all(0 < float(width) < 1 for width in widths.split(" / "))
    assert all(float(share) in (0, 0.5, 1) for share in coverage.split(" / "))
    assert "| this package, interval that may be watched | the same | the same | 20 |" in of_setting


def test_what_fails_in_another_package_is_reported_and_what_fails_here_is_raised(task):
    def failing(task, at, seed):
        raise ValueError("first line\nsecond line")

    assert benchmark.run(benchmark.Row(failing, "glide", "glide-py"), task, 1) == "ValueError: first line"
    with pytest.raises(ValueError, match="first line"):
        benchmark.run(benchmark.Row(failing), task, 1)


@pytest.mark.parametrize("name", [ERROR, F1])
def test_means_of_all_labels_give_the_true_value(name):
    task = peer_methods.Task(load(name))
    found = task.by_means(lambda y, expected: peer_methods.Found(float(y.mean()), y.size))
    assert found.value == pytest.approx(task.truth, abs=1e-12)
    assert next(iter(peer_methods.plain(task, (task.size,), 0))).value == pytest.approx(task.truth, abs=1e-12)


@pytest.mark.parametrize("n_labels", [50, 200])
def test_probabilities_of_inclusion_minimize_the_variance_that_the_model_expects(task, n_labels):
    pi = task.inclusion(n_labels, 0.1)
    assert pi.sum() == pytest.approx(n_labels)
    assert pi.max() <= 1
    u = 0.9 * task.doubt / task.doubt.mean() + 0.1
    free = pi < 1
    # u² / π² is the same for all that are free, and no smaller for those that are certain to be drawn.
    slope = (u / pi)[free]
    assert slope == pytest.approx(np.full(slope.size, slope[0]))
    assert (u[~free] >= slope[0] - 1e-9).all()


def test_errors_have_the_standard_error_of_their_root_mean_square():
    rng = np.random.default_rng(0)
    found = [
        [[peer_methods.Found(value, 10) for value in session] for session in rng.normal(0.5, 0.1, (400, 1))]
        for _ in range(200)
    ]
    cells = [benchmark.Cell.of(each, 0.5) for each in found]
    spread = np.std([cell.rmse[0] for cell in cells], ddof=1)
    assert np.mean([cell.standard_error[0] for cell in cells]) == pytest.approx(spread, rel=0.2)
