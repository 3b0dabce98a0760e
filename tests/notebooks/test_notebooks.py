"""Every lesson runs clean from top to bottom."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
FIRST = [path for path in NOTEBOOKS if path.stem == "01_first_session"]

# What the reader of the first one has at its end, and does then.
ASKS = "assert session is app.session and session.n_labels == 0 and not session.is_done"
ANSWERS = "for _ in range(30):\n    session.label(y_pool[session.next().index])"


@dataclass
class Executed:
    """A notebook that was run once, and the first one's last cell as it was run again at the end."""

    cells: list[Any]
    again: Any = None


@pytest.fixture(scope="module")
def executed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Executed:
    notebook = nbformat.read(request.param, as_version=4)
    nbformat.validate(notebook)
    cells = list(notebook.cells)
    for cell in cells:
        assert not cell.get("outputs"), "notebooks are kept without outputs"
    if request.param in FIRST:
        notebook.cells += map(nbformat.v4.new_code_cell, (ASKS, ANSWERS, cells[-1].source))
    folder = tmp_path_factory.mktemp("notebook")
    client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}})
    client.execute()  # raises what a cell raises
    return Executed(cells, notebook.cells[-1])


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS
    assert FIRST


@pytest.mark.parametrize("executed", NOTEBOOKS, indirect=True, ids=lambda path: path.stem)
def test_runs_clean(executed: Executed) -> None:
    outputs = [output for cell in executed.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.output_type == "stream" and output.name == "stderr"]


@pytest.mark.parametrize("executed", FIRST, indirect=True, ids=lambda path: path.stem)
def test_the_first_one_leaves_the_labeling_to_its_reader(executed: Executed) -> None:
    outputs = [output for cell in executed.cells for output in cell.get("outputs", [])]
    shown = [o for o in outputs if "application/vnd.jupyter.widget-view+json" in o.get("data", {})]
    assert len(shown) == 1
    # What answers in somebody's place says so, in the text before it and in the cell.
    last = executed.cells[-1]
    for position, cell in enumerate(executed.cells[:-1]):
        if cell.cell_type == "code" and ".label(" in cell.source:
            assert cell.source.startswith("# Simulated")
            assert "stand in for a person" in executed.cells[position - 1].source
    assert "you found: nothing yet" in last.outputs[0].text
    assert "by 30 labels" in executed.again.outputs[0].text
    truth = [cell.outputs[0].text.splitlines()[0] for cell in (last, executed.again)]
    assert truth[0] == truth[1]
