"""The pages beside the lessons: their list, the explorers, and the texts for teachers."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

from activeeval_widgets.app import ICON, TEMPLATES
from activeeval_widgets.app.documents import documents
from activeeval_widgets.app.lesson_pages import document_content, explorers_content, index_content
from activeeval_widgets.app.static_lessons.notebooks import runnable

_LINK = re.compile(r'href="(?P<up>(?:\.\./)*)(?P<path>[^":#]+?\.(?:ipynb|md)|explorers)(?P<anchor>#[^"]*)?"')


def write_pages(folder: Path, lessons: str) -> None:
    """Write the pages; `lessons` is a lesson's address without its file's name, as seen from `folder`."""
    found = [str(TEMPLATES / name) for name in ("lessons", "activeeval")]
    templates = Environment(loader=FileSystemLoader(found), autoescape=True)
    names = {lesson.path.name for lesson in runnable()}

    def link(found: re.Match[str]) -> str:
        up, path, anchor = found["up"], found["path"], found["anchor"] or ""
        if path in names:
            return f'href="{up}{lessons}{path}"'
        if path.endswith(".ipynb"):
            return ""
        return f'href="{up}{path.removesuffix(".md")}.html{anchor}"'

    def write(path: str, template: str, content: dict[str, Any]) -> None:
        page = templates.get_template(template).render(nonce="", is_static=True, **content)
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(_LINK.sub(link, page), encoding="utf-8")

    write("index.html", "index.html", index_content())
    write("explorers.html", "explorers.html", explorers_content())
    for name in documents():
        write(f"{name.removesuffix('.md')}.html", "document.html", document_content(name))
    shutil.copyfile(ICON, folder / "favicon.svg")
