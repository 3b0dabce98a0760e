"""Every lesson runs clean from top to bottom."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs_clean(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert not cell.get("outputs"), "notebooks are kept without outputs"
    client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()  # raises what a cell raises
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.output_type == "stream" and output.name == "stderr"]


def test_the_first_one_leaves_the_labeling_to_its_reader(tmp_path: Path) -> None:
    notebook = nbformat.read(
        next(path for path in NOTEBOOKS if path.stem == "01_first_session"), as_version=4
    )
    new_cell = nbformat.v4.new_code_cell
    asks = new_cell("assert session is app.session and session.n_labels == 0 and not session.is_done")
    answers = new_cell("for _ in range(30):\n    session.label(y_pool[session.next().index])")
    last = notebook.cells[-1]
    notebook.cells += [asks, answers, new_cell(last.source)]
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    shown = [o for o in outputs if "application/vnd.jupyter.widget-view+json" in o.get("data", {})]
    assert len(shown) == 1
    # What answers in somebody's place says so, in the text before it and in the cell.
    for position, cell in enumerate(notebook.cells[: notebook.cells.index(last)]):
        if cell.cell_type == "code" and ".label(" in cell.source:
            assert cell.source.startswith("# Simulated")
            assert "stand in for a person" in notebook.cells[position - 1].source
    assert "you found: nothing yet" in last.outputs[0].text
    assert "by 30 labels" in notebook.cells[-1].outputs[0].text
    truth = [cell.outputs[0].text.splitlines()[0] for cell in (last, notebook.cells[-1])]
    assert truth[0] == truth[1]
