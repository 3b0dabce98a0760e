"""Every benchmark runs from beginning to end, in its shortest form: with few, short sessions."""

import io
import multiprocessing
import shutil
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from activeeval_widgets.formats.streams import streamed_pool
from activeeval_widgets.session.draws import make_draws

from . import lightgbm_stand_in
from .apart import run_main
from .stand_ins import make_stand_ins

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@dataclass(frozen=True)
class Short:
    """The shortest form of a benchmark.

    Parameters
    ----------
    arguments : str
        Of the command line, each without blanks; "_" stands for one.
    writes : str, optional
        The table that must be there afterwards.
    constants : Mapping, optional
        What is smaller then: by its name in the module, or "MODULE.NAME" in another one.
    """

    arguments: str = ""
    writes: str | None = None
    constants: Mapping[str, Any] = field(default_factory=dict)


SHORT: dict[str, list[Short]] = {
    "approximate": [
        Short(
            "--sessions 1 --settings squared_error,_normal",
            constants={"WATCHED": (50, 60), "SHOWN": (50, 60)},
        )
    ],
    "classroom": [
        Short("--students 2 --labels 2 --seconds 0"),
        Short("--students 1 --labels 2 --browser"),
    ],
    "comparisons": [
        Short("run --setting digits,_demo --sessions 1", constants={"MOST": 20, "WATCHED": 20}),
        Short("report", "comparisons"),
    ],
    "course": [
        Short("--courses 1", "course", {"WEEKS": 2, "N_INSTANCES": 210}),
    ],
    "decision_scores": [Short("--sessions 2 --setting spam,_F₁", "comparisons", {"MOST": 12})],
    "decisions": [Short("--sessions 2 --adaptive-sessions 1", "decisions", {"N_DRAWS": 24})],
    "default_labels": [
        Short("--sessions 1", "default_labels", {"CHOSEN": {"regression": ("Abalone, Gaussian process",)}})
    ],
    "defaults": [Short("--sessions 1 --only digits_error,_calibrated", constants={"AT": (20, 40)})],
    "demo_goals": [Short("--sessions 1 --demos judge", "demo_goals", {"N_REPEATED": 20})],
    "digits": [Short("--replications 2", "digits")],
    "experts": [Short("--store sqlite --experts 2 --labels 6 --kills 1 --instances 200")],
    "fast_and_slow": [Short("--sessions 2", "fast_and_slow", {"WHEN": 10})],
    "faults": [
        Short("--store page --each 1 --kinds lost_acknowledgment")
    ],  # those of stores: tests/session/test_faults.py
    "files": [Short("--rows 500", "files")],
    "hostile": [
        Short("run tied --sessions 1"),
        Short("report", "hostile"),
    ],
    "judges": [Short("--sessions 2", "judges", {"OTHERS": ()})],
    "labelers": [
        Short("--kernels forked preheated --labelers 1 --ready 1 --texts 200 --labels 2"),
    ],
    "large_pools": [
        Short(
            "--rows 3000",
            "large_pools",
            {
                "_IN_MEMORY": (("shared", 1000),),
                "ROWS": (1000, 2000),
                "ON_CLUSTER": (),  # takes longest; tests/formats has it
                "N_LABELS": 5,
                "N_LOOKED_AT": 1000,
                "N_LOOKS": 1,
            },
        )
    ],
    "latency": [Short("--cases ranking --hosts voila --labels 5")],
    "leaderboard": [
        Short("sessions --sessions 1", constants={"MOST": 10}),
        Short("report", "leaderboard"),
        Short("latency --labels 4", "leaderboard_latency", {"N_MODELS": 3, "N_INSTANCES": 500, "FIRST": 2}),
    ],
    "more_measures": [
        Short(
            "--sessions 1 --watched 1",
            "more_measures",
            {
                "MORE": {"ROC AUC": ["ROC AUC: digits, 3 % eights"]},
                "AT": (10, 20, 30, 40),
                "UNIFORM_AT": (10, 20, 30, 40),
            },
        )
    ],
    "peers": [
        Short(
            "--sessions 2",
            "peers",
            {"AT": (10, 20), "TITLES": {"digits error, calibrated": "error rate, calibrated"}},
        )
    ],
    "planning": [
        Short(
            "--sessions 1",
            "planning",
            {
                "NAMES": ("digits error, calibrated",),
                "N_LABELS": 60,
                "MADE_AT": (0, 20),
                "WANTED_AT": (20, 40),
                "DECISIONS": ("digits, demo",),
            },
        )
    ],
    "prefix": [Short("--sessions 2", "prefix", {"WHEN": (20, 40)})],
    "ranking": [Short("--replications 2", "ranking")],
    "rare_classes": [
        Short(
            "--sessions 1",
            "rare_classes",
            {"NAMES": ("digits F1 of 3 %, calibrated",), "N_LABELS": 40, "AT": (20, 40)},
        )
    ],
    "regression": [Short("--replications 2", "regression")],
    "reuters": [Short("--replications 2", "reuters")],
    "sheets": [
        Short(
            "--sessions 1 --processes 1",
            "sheets",
            {
                "COSTS": (5, 15),
                "SETTINGS": ("digits error, over-confident",),
                "TIMED": ("digits error, over-confident",),
                "MOST": 40,
            },
        )
    ],
    "spam": [Short("--replications 2", "spam")],
    "speed": [
        Short(
            writes="speed",
            constants={
                "N_INSTANCES": 1000,
                "N_QUERIES": 30,
                "N_ITEMS": 12,
                "N_KNOWN": 15,
                "N_REPLICATED": 1000,
                "N_REPLICATIONS": 2,
            },
        )
    ],
    "trial": [Short("--sessions 2", "trial", {"N_LABELS": 30})],
    "watched": [
        Short(
            "--sessions 1 --small-sessions 1 --papers-sessions 2",
            "watched",
            {
                "AT": (10, 20, 30, 40),
                "DECLARED": 30,
                "WIDTHS_OF": ("digits error, calibrated",),
                "SMALL_DRAWS": 16,
                "watched_papers.N_DRAWS": 40,
                "watched_papers.SHOWN": (10, 20, 40),
            },
        )
    ],
}
APART = ("experts", "classroom", "faults", "labelers", "latency")
"""Those that fork, which must be first, or open a browser: by a process of their own."""


def test_all_are_here() -> None:
    scripts = {
        path.stem for path in BENCHMARKS.glob("*.py") if "__main__" in path.read_text(encoding="utf-8")
    }
    assert scripts == set(SHORT)


@pytest.fixture(scope="module")
def stand_ins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    make_stand_ins(folder)
    return folder


def here(script: str, *arguments: str) -> list[str]:
    """What `common.apart` gives, in this process: starting others takes longest."""
    printed = io.StringIO()
    with ExitStack() as stack:
        for module, name in ((streamed_pool, "LARGEST_COPIED"), (make_draws, "LARGEST_UNGROUPED")):
            stack.enter_context(mock.patch.object(module, name, getattr(module, name)))  # scripts set them
        stack.enter_context(mock.patch.object(sys, "argv", [script, *arguments]))
        stack.enter_context(redirect_stdout(printed))
        import_module(Path(script).stem).main()
    return printed.getvalue().strip().splitlines()


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # few sessions have no spread, and no errors that a logarithm shows
@pytest.mark.parametrize("name", sorted(set(SHORT) - set(APART)))
def test_runs(name: str, stand_ins: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACTIVEEVAL_DATA", str(stand_ins))
    monkeypatch.setitem(sys.modules, "lightgbm", lightgbm_stand_in)
    results = shutil.copytree(BENCHMARKS / "results", tmp_path / "results")
    module = import_module(name)
    for each in list(sys.modules.values()):
        file = getattr(each, "__file__", None)
        if file is not None and Path(file).parent == BENCHMARKS:
            for constant in ("RESULTS", "KEPT"):
                if hasattr(each, constant):
                    monkeypatch.setattr(each, constant, tmp_path / getattr(each, constant).name)
    for short in SHORT[name]:
        before = None
        if short.writes is not None:
            before = (results / f"{short.writes}.md").read_text(encoding="utf-8")
        for where, value in short.constants.items():
            *other, constant = where.split(".")
            monkeypatch.setattr(import_module(*other) if other else module, constant, value)
        arguments = [each.replace("_", " ") for each in short.arguments.split()]
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        if hasattr(module, "apart"):
            monkeypatch.setattr(module, "apart", here)
        if hasattr(module, "main"):
            module.main()
        else:
            common = import_module("common")
            # Axes take longest: one of them.
            monkeypatch.setattr(common, "plot", lambda all_, path, plot=common.plot: plot(all_[-1:], path))
            common.run(name, module.make_settings)
        if short.writes is not None:
            assert (results / f"{short.writes}.md").read_text(encoding="utf-8") != before


@pytest.fixture(scope="module")
def process() -> Iterator[ProcessPoolExecutor]:
    """One for all of them: what they import takes longest."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.mark.slow
@pytest.mark.parametrize("name", APART)
def test_runs_in_another_process(name: str, process: ProcessPoolExecutor) -> None:
    for short in SHORT[name]:
        assert not process.submit(run_main, name, short.arguments.split()).result(600)
