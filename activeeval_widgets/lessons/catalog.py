"""The list of lessons, from the metadata and headings of the notebooks in this folder."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
LEARN = "What you learn"


@dataclass(frozen=True)
class Lesson:
    """A notebook of the package.

    Attributes
    ----------
    path : Path
        The notebook's file.
    title : str
        Its first heading, as Markdown.
    learn : tuple of str
        The items below the heading "What you learn", as Markdown.
    minutes : int
        The reading time.
    needs : str, optional
        What a lesson needs that a browser's Python does not have.
    """

    path: Path
    title: str
    learn: tuple[str, ...]
    minutes: int
    needs: str | None = None

    @property
    def name(self) -> str:
        """The file's name without its suffix, such as ``"05_peeking"``."""
        return self.path.stem


def read_lesson(path: Path) -> Lesson:
    """Read a notebook's title, learning goals and duration."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    text = "\n".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown")
    title = re.search(r"^# (.+)$", text, re.MULTILINE)
    about = _metadata(notebook)
    minutes = about.get("minutes")
    if title is None or not isinstance(minutes, int):
        raise ValueError(
            f"{path.name} needs a title (a line that begins with '# ') and, in its metadata, its duration: "
            '{"activeeval": {"minutes": 10}}'
        )
    return Lesson(path, title.group(1).strip(), _items_below(LEARN, text), minutes, about.get("needs"))


def _metadata(notebook: dict[str, Any]) -> dict[str, Any]:
    own = notebook["metadata"].get("activeeval", {})
    return own if isinstance(own, dict) else {}


def _items_below(heading: str, text: str) -> tuple[str, ...]:
    found = re.search(rf"^##+ {re.escape(heading)}$(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    items = re.findall(r"^[-*] (.+(?:\n  +\S.*)*)", found.group(1), re.MULTILINE) if found else []
    return tuple(" ".join(item.split()) for item in items)


LESSONS = tuple(read_lesson(path) for path in sorted(FOLDER.glob("[0-9][0-9]_*.ipynb")))
"""The numbered notebooks, in order."""

GALLERIES = tuple(read_lesson(path) for path in sorted(FOLDER.glob("gallery*.ipynb")))
"""Notebooks of figures."""

NOTEBOOKS = (*LESSONS, *GALLERIES)


def copy_notebooks(folder: Path) -> None:
    """Copy the notebooks to a folder; `FileExistsError` if one of them is there."""
    there = [lesson.path.name for lesson in NOTEBOOKS if (folder / lesson.path.name).exists()]
    if there:
        raise FileExistsError(f"{folder} already has {there[0]}: name another folder, or remove it")
    folder.mkdir(parents=True, exist_ok=True)
    for lesson in NOTEBOOKS:
        shutil.copyfile(lesson.path, folder / lesson.path.name)
