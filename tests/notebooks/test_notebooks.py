"""Every tutorial runs clean from top to bottom."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ..notebook_runner import KernelFork, Ran, run_notebook

FOLDER = Path(__file__).parents[2] / "notebooks"
FIRST = FOLDER / "01_first_session.ipynb"
OTHERS = sorted(set(FOLDER.glob("*.ipynb")) - {FIRST})

WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(scope="module")
def first(kernel_fork: KernelFork, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ran]:
    with run_notebook(kernel_fork, FIRST, tmp_path_factory.mktemp("notebook")) as ran:
        yield ran


def test_there_are_others() -> None:
    assert OTHERS


@pytest.mark.slow
@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.stem)
def test_runs_clean(path: Path, kernel_fork: KernelFork, tmp_path: Path) -> None:
    with run_notebook(kernel_fork, path, tmp_path) as ran:
        assert ran.outputs


@pytest.mark.slow
def test_the_first_one_leaves_the_labeling_to_its_reader(first: Ran) -> None:
    shown = [output for output in first.outputs if WIDGET in output.get("data", {})]
    assert len(shown) == 1
    # What answers in somebody's place says so, in the text before it and in the cell.
    cells = first.notebook.cells
    last = cells[-1]
    for position, cell in enumerate(cells[:-1]):
        if cell.cell_type == "code" and ".label(" in cell.source:
            assert cell.source.startswith("# Simulated")
            assert "stand in for a person" in cells[position - 1].source
    assert "you found: nothing yet" in last.outputs[0].text
    # What its reader has at the end, and does then.
    assert first.value("session is app.session and session.n_labels == 0 and not session.is_done")
    first.run("for _ in range(30):\n    session.label(y_pool[session.next().index])")
    [again] = first.run(last.source)
    assert "by 30 labels" in again.text
    assert last.outputs[0].text.splitlines()[0] == again.text.splitlines()[0]
