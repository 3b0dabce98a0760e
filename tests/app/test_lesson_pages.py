"""The lessons' pages, made without a server."""

import re
from pathlib import Path, PurePosixPath
from posixpath import normpath

import pytest

from activeeval_widgets.app import documents, lesson_pages, server
from activeeval_widgets.app.handlers import PageHandler
from activeeval_widgets.app.hosting import Hosting
from activeeval_widgets.app.listening import open_socket
from activeeval_widgets.lessons.catalog import NOTEBOOKS, Lesson


def test_links_lead_on_to_what_is_served():
    made = documents.shown_prose(
        "[next](02_what_q_prefers.ipynb#step-1) [more *here*](../../docs/explanations/intervals.md#a) "
        "[tables](../../benchmarks/RESULTS.md#b) [paper](https://example.org/x) <img src=x onerror=alert(1)>"
    )
    assert '<a href="02_what_q_prefers.ipynb#step-1">next</a>' in made
    assert '<a href="docs/explanations/intervals.md#a" target="_blank">more <em>here</em></a>' in made
    assert 'tables <span class="aew-elsewhere">(benchmarks/RESULTS.md)</span>' in made
    assert '<a href="https://example.org/x">paper</a>' in made
    assert "<img" not in made


@pytest.mark.parametrize("name", documents.documents())
def test_links_of_documents_lead_to_documents_and_their_headings(name):
    made = documents.shown_document(name)
    assert "<h1" in made
    for link in re.findall(r'href="([^"]+)"', made):
        path, _, anchor = link.partition("#")
        target = normpath((PurePosixPath(name).parent / path).as_posix()) if path else name
        if "://" not in link and not target.endswith(".ipynb"):
            assert target in documents.documents(), link
            assert not anchor or f' id="{anchor}"' in documents.shown_document(target), link


def test_the_kit_is_among_the_documents_and_its_answers_open():
    assert {documents.PLAN, documents.NOTES, documents.CLASS} <= documents.documents().keys()
    plan = documents.shown_document(documents.PLAN)
    assert re.findall(r"<summary><strong>(\w+)", plan) == ["Solutions", "Answers"]
    assert plan.index("The truth is") > plan.index("Solutions</strong>")
    assert 'href="../../01_guess_then_label.ipynb"' in documents.shown_document(documents.NOTES)


def test_a_titles_markup_stays_out_of_the_tab():
    lesson = Lesson(Path("01_a.ipynb"), "What *q* <b> prefers & why", ("a",), 5)

    shown = lesson_pages.ShownLesson(lesson, "")
    assert shown.plain_title == "What q <b> prefers & why"
    assert shown.title == "What <em>q</em> &lt;b&gt; prefers &amp; why"


@pytest.mark.parametrize("has_lessons", [False, True])
def test_the_lessons_are_served_by_their_command_alone(tmp_path, has_lessons):
    hosting = Hosting(port=0)
    with open_socket(hosting) as listening:
        built = server.build(listening, tmp_path, hosting, has_lessons=has_lessons)
        built.init_settings()
        handlers = {route[1] for route in built.init_handlers()}
    names = ("StaticPageHandler", "LessonHandler")
    theirs = {getattr(lesson_pages, name) for name in names}
    assert handlers & theirs == (theirs if has_lessons else set())
    assert (PageHandler in handlers) == (not has_lessons)
    copies = {path.name for path in tmp_path.glob("*.ipynb")} - {"app.ipynb"}
    assert copies == ({lesson.path.name for lesson in NOTEBOOKS} if has_lessons else set())
