"""Serve the lessons: the index, each lesson with its own kernel, explorers, and documents."""

from __future__ import annotations

import html
import json
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import takewhile
from typing import Any

import tornado.web
from voila.notebook_renderer import NotebookRenderer

from activeeval_widgets.app.documents import (
    CLASS,
    NOTES,
    PLAN,
    documents,
    shown_document,
    shown_prose,
    title_of,
)
from activeeval_widgets.app.gate import set_page_headers
from activeeval_widgets.app.handlers import PageHandler
from activeeval_widgets.lessons.catalog import GALLERIES, LESSONS, NOTEBOOKS, Lesson
from activeeval_widgets.lessons.prose import to_html


def routes(options: dict[str, Any]) -> list[Any]:
    """Return the routes: the index, the explorers, and each notebook under its name."""
    names = "|".join(re.escape(lesson.path.name) for lesson in NOTEBOOKS)

    def without_kernel(
        pattern: str, template: str, content: Callable[..., dict[str, Any]]
    ) -> tuple[str, type, dict[str, Any]]:
        return pattern, StaticPageHandler, {**options, "template": template, "content": content}

    return [
        without_kernel(r"/", "index.html", index_content),
        without_kernel(r"/explorers", "explorers.html", explorers_content),
        (rf"/({names})", LessonHandler, options),
        without_kernel(rf"/({'|'.join(map(re.escape, documents()))})", "document.html", document_content),
    ]


def shown_line(markdown: str) -> str:
    """Return a line of Markdown as HTML."""
    return to_html(markdown, is_inline=True)


@dataclass(frozen=True)
class ShownLesson:
    """A lesson for a page, with the lessons before and after it."""

    lesson: Lesson
    place: str
    previous: Lesson | None = None
    following: Lesson | None = None

    @property
    def title(self) -> str:
        """The title as HTML."""
        return shown_line(self.lesson.title)

    @property
    def plain_title(self) -> str:
        """The title for a browser's tab."""
        return html.unescape(re.sub(r"<[^>]*>", "", self.title))

    @cached_property
    def begins(self) -> list[str]:
        """The cells before the first code, as HTML, shown while the kernel starts."""
        cells = json.loads(self.lesson.path.read_text(encoding="utf-8"))["cells"]
        prose = takewhile(lambda cell: cell["cell_type"] == "markdown", cells)
        return [shown_prose("".join(cell["source"])) for cell in prose]

    @property
    def aims_html(self) -> list[str]:
        """The lesson's aims, as HTML."""
        return [shown_line(item) for item in self.lesson.learn]


@cache
def all_shown() -> dict[str, ShownLesson]:
    """Return all notebooks, by file name."""
    found = {}
    for i, lesson in enumerate(LESSONS):
        place = f"Lesson {i + 1} of {len(LESSONS)} · about {lesson.minutes} minutes"
        before, after = LESSONS[i - 1] if i else None, LESSONS[i + 1] if i + 1 < len(LESSONS) else None
        found[lesson.path.name] = ShownLesson(lesson, place, before, after)
    for lesson in GALLERIES:
        found[lesson.path.name] = ShownLesson(lesson, f"About {lesson.minutes} minutes")
    return found


class LessonHandler(PageHandler):
    """A lesson, run anew for each reader."""

    @tornado.web.authenticated
    async def get(self, name: str | None = None) -> None:
        """Send the lesson, cell by cell as it runs."""
        assert name is not None  # noqa: S101 - the route has a group
        self.notebook_path = name
        self._shown = all_shown()[name]
        if "download" in self.request.query_arguments:
            self._send_notebook()
            return
        await super().get(None)  # type: ignore[misc] # tornado takes its decorator for one of plain functions

    def _send_notebook(self) -> None:
        path = self._shown.lesson.path
        self.set_header("Content-Type", "application/x-ipynb+json")
        self.set_header("Content-Disposition", f'attachment; filename="{path.name}"')
        self.set_header("X-Content-Type-Options", "nosniff")
        self.finish(path.read_bytes())

    def first_part(self, nonce: str) -> str:
        """Return the page up to the first cell."""
        return str(self.get_template("lesson_begins.html").render(nonce=nonce, shown=self._shown))

    async def renderer(self) -> NotebookRenderer:
        """Return Voilà's renderer for the page, whose template differs from an app's."""
        renderer = await super().renderer()
        renderer.exporter.template_file = "lesson.html.j2"
        renderer.exporter.register_filter("prose", shown_prose)
        renderer.exporter.register_filter("prose_line", shown_line)
        renderer.resources["shown"] = self._shown
        return renderer


class StaticPageHandler(PageHandler):
    """A page that needs no kernel: a template with its content."""

    def initialize(self, template: str, content: Callable[..., dict[str, Any]], **options: Any) -> None:
        """Keep the template, and the function that makes what it shows, from the route's groups."""
        super().initialize(**options)
        self._template, self._content = template, content

    @tornado.web.authenticated
    async def get(self, *path: str) -> None:
        """Send the page."""
        nonce = secrets.token_urlsafe(16)
        set_page_headers(self, nonce)
        self.finish(self.get_template(self._template).render(nonce=nonce, **self._content(*path)))


def index_content() -> dict[str, Any]:
    """Return what the page of all lessons shows."""
    shown = all_shown()
    return {
        "lessons": [shown[lesson.path.name] for lesson in LESSONS],
        "galleries": [shown[lesson.path.name] for lesson in GALLERIES],
        "minutes": sum(lesson.minutes for lesson in LESSONS),
        "explorers": _explorers(),
        "for_teachers": {name: title_of(name) for name in (PLAN, NOTES, CLASS)},
    }


def explorers_content() -> dict[str, Any]:
    """Return what the page of all explorers shows, with its script and styles."""
    from activeeval_widgets.widgets.explorers.explorer import STYLES, inline_script

    return {
        "explorers": [each() for each in _explorers()],
        "script": inline_script(),
        "styles": STYLES.read_text(encoding="utf-8"),
    }


def document_content(path: str) -> dict[str, Any]:
    """Return what the page of a text shows."""
    return {"title": title_of(path), "text": shown_document(path), "up": "../" * path.count("/")}


def _explorers() -> Any:
    # Not at the top: the server starts without widgets.
    from activeeval_widgets.widgets.explorers import EXPLORERS

    return EXPLORERS
