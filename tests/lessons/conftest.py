"""A lesson, run once for all tests of its file: the lesson's number is in the file's name."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from activeeval_widgets.lessons.catalog import FOLDER

from ..notebook_runner import KernelFork, Ran, run_notebook


def notebook_of(test_file: Path) -> Path:
    """The notebook that a file of tests is about: `test_lesson_05.py` about `05_*.ipynb`, else by name."""
    found = re.fullmatch(r"test_(?:lesson_)?(\w+)", test_file.stem)
    assert found
    [notebook] = [path for path in FOLDER.glob("*.ipynb") if path.stem.split("_")[0] == found[1]]
    return notebook


@pytest.fixture(scope="module")
def lesson(
    request: pytest.FixtureRequest, kernel_fork: KernelFork, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Ran]:
    """The lesson that this file tests, after its last cell: its outputs, and what is in its kernel."""
    with run_notebook(kernel_fork, notebook_of(request.path), tmp_path_factory.mktemp("lesson")) as ran:
        yield ran
