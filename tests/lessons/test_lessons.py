"""What every lesson has to keep to, as far as that is seen without running it."""

import html
import re
from pathlib import Path

import nbformat
import pytest

from activeeval_widgets.app import TEMPLATES
from activeeval_widgets.lessons.catalog import GALLERIES, LEARN, LESSONS, NOTEBOOKS, Lesson
from activeeval_widgets.lessons.prose import to_html

HERE = Path(__file__).parent
LONGEST_CELL = 15  # lines of code


def cells(lesson: Lesson, kind: str) -> list[str]:
    notebook = nbformat.read(lesson.path, as_version=4)
    return [cell.source for cell in notebook.cells if cell.cell_type == kind]


def typed_numbers(markdown: str) -> list[str]:
    """Decimal numbers and percentages in a text, but those in code, formulas and the targets of links."""
    prose = re.sub(r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$\n]+\$|\]\([^)]*\)", " ", markdown, flags=re.DOTALL)
    # As a book names its parts.
    prose = re.sub(r"\b(?:Corollary|equation|figure|section|table) \d+(?:\.\d+)+", " ", prose)
    return re.findall(r"(?<![\w.])\d*\.\d+(?![\w.])|\d+(?:\.\d+)?\s?(?:%|percent\b)", prose)


def code_lines(source: str) -> list[str]:
    return [line for line in source.splitlines() if line.strip() and not line.strip().startswith("#")]


def test_a_typed_number_would_be_seen() -> None:
    text = "About 12 % of `0.5`, or 0.37, and 20 percent; see [1.5](a-1.5.md), $x = 0.5$, table 5.1."
    assert typed_numbers(text) == ["12 %", "0.37", "20 percent", "1.5"]


lessons = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
notebooks = pytest.mark.parametrize("lesson", NOTEBOOKS, ids=lambda lesson: lesson.name)


@notebooks
def test_is_kept_clean(lesson: Lesson) -> None:
    notebook = nbformat.read(lesson.path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    assert not [each for each in ids if re.fullmatch(r"[0-9a-f]{8}", each)], "ids that a program made up"
    for cell in notebook.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
        if cell.cell_type == "markdown":
            assert "\N{OBJECT REPLACEMENT CHARACTER}" not in to_html(cell.source)  # with all its formulas
    assert 1 <= lesson.minutes <= 60


@notebooks
def test_types_no_number_that_it_has_not_computed(lesson: Lesson) -> None:
    found = {number for text in cells(lesson, "markdown") for number in typed_numbers(text)}
    assert not found, f"computed in the lesson, and shown by show_text, these can't be wrong: {found}"


@lessons
def test_has_what_every_lesson_has(lesson: Lesson) -> None:
    text = "\n".join(cells(lesson, "markdown"))
    assert cells(lesson, "markdown")[0].startswith(f"# {lesson.title}")
    assert 3 <= len(lesson.learn) <= 4
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings[0] == LEARN
    assert headings[-1] == "What to remember"
    code = cells(lesson, "code")
    assert 2 <= sum(source.count("answer(") for source in code) <= 4
    notebook = nbformat.read(lesson.path, as_version=4)
    output = [cell for cell in notebook.cells if re.search(r"^answer\(", cell.source, re.MULTILINE)]
    assert all(cell.metadata["jupyter"]["source_hidden"] for cell in output), "the code tells the answer"
    assert all("hide-input" in cell.metadata["tags"] for cell in output)
    too_long = [source for source in code if len(code_lines(source)) > LONGEST_CELL]
    assert not too_long, "\n\n".join(too_long)


@lessons
def test_leads_on(lesson: Lesson) -> None:
    last = cells(lesson, "markdown")[-1]
    following = [other for other in LESSONS if int(other.name[:2]) == int(lesson.name[:2]) + 1]
    if following:
        assert f"]({following[0].path.name})" in last
    assert re.search(r"\]\(\.\./\.\./docs/[\w/-]+\.md(#[\w-]+)?\)", last), "a page that has more"


@notebooks
def test_what_it_finds_is_tested(lesson: Lesson) -> None:
    number = lesson.name.split("_")[0]
    file = HERE / (f"test_lesson_{number}.py" if lesson in LESSONS else f"test_{number}.py")
    assert re.search(r"^def test_\w+\(.*\blesson\b", file.read_text(), re.MULTILINE)


def test_they_are_numbered_from_one() -> None:
    assert [int(lesson.name[:2]) for lesson in LESSONS] == list(range(1, len(LESSONS) + 1))
    assert len(GALLERIES) <= 1


def test_the_font_of_formulas_has_all_that_they_need() -> None:
    styles = (TEMPLATES / "lessons" / "math.css").read_text(encoding="utf-8")
    ranges = re.findall(r"U\+([0-9A-F]+)-([0-9A-F]+)", styles)
    has = {code for low, high in ranges for code in range(int(low, 16), int(high, 16) + 1)}
    pages = [cell for lesson in NOTEBOOKS for kind in ("markdown", "code") for cell in cells(lesson, kind)]
    pages += [path.read_text(encoding="utf-8") for path in (Path(__file__).parents[2] / "docs").rglob("*.md")]
    formulas = [found for page in pages for found in re.findall(r"<math.*?</math>", to_html(page), re.DOTALL)]
    assert len(formulas) > 300
    shown = {letter for each in formulas for letter in html.unescape(re.sub(r"<[^>]+>", "", each))}
    assert {letter for letter in shown if letter.isprintable() and ord(letter) not in has} == set()
    assert ord("√") in has
