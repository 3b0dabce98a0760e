"""The lessons' notebooks as they are opened in a browser's Python."""

from __future__ import annotations

import json
import re
from pathlib import Path
from posixpath import normpath
from typing import Any

from activeeval_widgets.lessons.catalog import NOTEBOOKS, Lesson

_LINK = re.compile(r"\[(?P<text>[^\]]+)\]\((?P<path>[^):#]+)(?P<anchor>#[^)]*)?\)")
_FOLDER = "activeeval_widgets/lessons"

_HOW = (
    "*Python runs in your browser. **Run → Run All Cells** starts the lesson; the first time, that takes a "
    "minute. What you change stays in this browser.*"
)
_INSTALL = """import logging

logging.getLogger("matplotlib.font_manager").setLevel("ERROR")  # the first figure takes long
%pip install -q activeeval-widgets"""
_KERNEL = {"display_name": "Python (Pyodide)", "language": "python", "name": "python"}


def runnable() -> tuple[Lesson, ...]:
    """Return the notebooks that run in a browser."""
    return tuple(lesson for lesson in NOTEBOOKS if lesson.needs is None)


def write_notebooks(folder: Path) -> None:
    """Write the notebooks, each with a first cell that installs what it needs."""
    folder.mkdir(parents=True, exist_ok=True)
    for lesson in runnable():
        notebook = json.loads(lesson.path.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            cell["source"] = _LINK.sub(_link, "".join(cell["source"])).splitlines(keepends=True)
        notebook["cells"][1:1] = _first_cells()
        notebook["metadata"]["kernelspec"] = _KERNEL
        (folder / lesson.path.name).write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")


def _first_cells() -> list[dict[str, Any]]:
    return [
        {"cell_type": "markdown", "id": "in-a-browser", "metadata": {}, "source": [_HOW]},
        {
            **{"cell_type": "code", "id": "install", "execution_count": None, "outputs": []},
            **{
                "metadata": {"jupyter": {"source_hidden": True}},
                "source": _INSTALL.splitlines(keepends=True),
            },
        },
    ]


def _link(found: re.Match[str]) -> str:
    """Return a link to another of these notebooks, or else the text and where it is."""
    target = normpath(f"{_FOLDER}/{found['path']}")
    is_here = target.removeprefix(f"{_FOLDER}/") in {lesson.path.name for lesson in runnable()}
    return found[0] if is_here else f"{found['text']} ({target})"
