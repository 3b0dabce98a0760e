"""The lessons' pages, made without a server."""

from pathlib import Path

import pytest

from activeeval_widgets.app import lesson_pages, server
from activeeval_widgets.app.handlers import PageHandler
from activeeval_widgets.app.hosting import Hosting
from activeeval_widgets.app.listening import open_socket
from activeeval_widgets.lessons.catalog import NOTEBOOKS, Lesson


def test_links_lead_on_within_the_lessons_alone():
    made = lesson_pages.shown_prose(
        "[next](02_what_q_prefers.ipynb#step-1) [more *here*](../../docs/explanations/intervals.md#a) "
        "[paper](https://example.org/x) <img src=x onerror=alert(1)>"
    )
    assert '<a href="02_what_q_prefers.ipynb#step-1">next</a>' in made
    assert 'more <em>here</em> <span class="aew-elsewhere">(docs/explanations/intervals.md)</span>' in made
    assert '<a href="https://example.org/x">paper</a>' in made
    assert "<img" not in made


def test_a_titles_markup_stays_out_of_the_tab():
    lesson = Lesson(Path("01_a.ipynb"), "What *q* <b> prefers & why", ("a",), 5)

    shown = lesson_pages.Shown(lesson, "")
    assert shown.plain_title == "What q <b> prefers & why"
    assert shown.title == "What <em>q</em> &lt;b&gt; prefers &amp; why"


@pytest.mark.parametrize("has_lessons", [False, True])
def test_the_lessons_are_served_by_their_command_alone(tmp_path, has_lessons):
    hosting = Hosting(port=0)
    with open_socket(hosting) as listening:
        built = server.build(listening, tmp_path, hosting, has_lessons=has_lessons)
        built.init_settings()
        handlers = {route[1] for route in built.init_handlers()}
    theirs = {lesson_pages.IndexHandler, lesson_pages.ExplorersHandler, lesson_pages.LessonHandler}
    assert handlers & theirs == (theirs if has_lessons else set())
    assert (PageHandler in handlers) == (not has_lessons)
    copies = {path.name for path in tmp_path.glob("*.ipynb")} - {"app.ipynb"}
    assert copies == ({lesson.path.name for lesson in NOTEBOOKS} if has_lessons else set())
