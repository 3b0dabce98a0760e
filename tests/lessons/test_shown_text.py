"""What lessons show text, figures and questions with."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from ipywidgets.widgets.widget import _instances

from activeeval_widgets.lessons import answer, follow, number, show_text
from activeeval_widgets.lessons.catalog import read_lesson
from activeeval_widgets.lessons.figures import COLORS, figure, show
from activeeval_widgets.lessons.prose import to_html

STYLES = Path(__file__).parents[2] / "frontend" / "src" / "styles"
DRAWN = {
    "active": "estimate",
    "uniform": "uniform",
    "papers": "goal",
    "truth": "zero",
    "wrong": "wrong",
}


@pytest.fixture
def shown(monkeypatch):
    """What is displayed."""
    found = []

    def hear(bundle, **_):
        found.append(bundle if isinstance(bundle, dict) else {"text/html": bundle.data})

    monkeypatch.setattr("IPython.display.display", hear)
    monkeypatch.setattr("activeeval_widgets.lessons.figures.display", hear)
    return found


@pytest.fixture
def shell():
    """An IPython, without which nothing is captured."""
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()


def test_colors_are_those_of_the_app():
    light = (STYLES / "colors.css").read_text().split("}")[0]
    plots = (STYLES.parent / "from_python" / "plot_colors.css").read_text()
    named = dict(re.findall(r"--aew-([\w-]+): (#\w{6});", light))
    for thing, drawn in DRAWN.items():
        [rule] = re.findall(rf"\.aew-draw-{drawn} {{(.*?)}}", plots)
        [name] = re.findall(r"stroke: var\(--aew-(\w+)", rule)
        assert COLORS[thing] == named[name], thing
    beside = {"text": "fg", "muted": "muted", "line": "line", "ground": "bg"}
    assert {thing: named[name] for thing, name in beside.items()} == {t: COLORS[t] for t in beside}


def test_markdown_with_formulas():
    made = to_html(
        "The *risk* $r_i$ costs `$5`, and\n\n$$q \\propto \\sqrt{r}$$\n\n|a||\n|-|-|\n|1|2|\n\n$5 or $6"
    )
    assert "<em>risk</em>" in made
    assert re.search(r'<math[^>]*display="inline"', made)
    assert re.search(r'<math[^>]*display="block"', made)
    assert "<code>$5</code>" in made
    assert "<th>a</th>\n<td></td>" in made  # nothing heads the second column
    assert "<td>1</td>" in made
    assert "$5 or $6" in made


def test_markup_in_it_is_text(shown):
    show_text("<script>alert(1)</script> [x](javascript:alert(1)) <b>b</b>")
    [bundle] = shown
    assert "<script" not in bundle["text/html"]
    assert "<b>" not in bundle["text/html"]
    assert "href" not in bundle["text/html"]


def test_an_answer_is_hidden_until_it_is_opened(shown):
    answer("Because $q > 0$.", question="Why *not*?")
    [bundle] = shown
    assert bundle["text/html"].startswith("<details")
    assert " open" not in bundle["text/html"]
    assert re.search("<summary><strong>Why <em>not</em>\\?</strong></summary>", bundle["text/html"])
    assert "<math" in bundle["text/html"]


def test_a_figure_has_a_description_and_a_ground(shown):
    drawn, axes = figure(600, 200)
    axes.plot([0, 1], label="a")
    axes.legend()
    show(drawn, 'A "line"')
    [bundle] = shown
    assert 'alt="A &quot;line&quot;"' in bundle["text/html"]
    assert 'width="600" height="200"' in bundle["text/html"]
    assert len(bundle["text/html"]) < 200_000
    assert drawn.get_facecolor() == (1, 1, 1, 1)
    with pytest.raises(ValueError, match="description is empty"):
        show(drawn, " ")


def test_matplotlib_is_imported_by_figures_alone():
    code = (
        "import sys, activeeval_widgets.lessons, activeeval_widgets.lessons.catalog\n"
        "assert not {'matplotlib', 'sklearn', 'latex2mathml'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_lesson_without_a_title_is_one_clear_message(tmp_path):
    path = tmp_path / "01_none.ipynb"
    path.write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    with pytest.raises(ValueError, match=r"01_none\.ipynb needs a title"):
        read_lesson(path)


def widget_of(bundle):
    return _instances[bundle["application/vnd.jupyter.widget-view+json"]["model_id"]]


def test_what_follows_is_shown_anew(shell):
    guess, other = number("A guess", 0.2), number("Another", 3, high=10)
    with capture_output() as captured:
        follow(lambda a, b: (show_text(f"**{a * b:.1f}** <b>"), answer("Yes.", question="So?")), guess, other)
    [output] = captured.outputs
    shown = widget_of(output.data)
    assert output.data["text/html"] == shown.value
    assert "<strong>0.6</strong> &lt;b&gt;" in shown.value
    assert "<details" in shown.value
    assert output.data["text/markdown"].startswith("**0.6**")
    guess.value = 0.5
    assert "<strong>1.5</strong>" in shown.value
    other.value = 99  # no more than there may be
    assert "<strong>5.0</strong>" in shown.value
    assert shown.value.count("<details") == 1


def test_an_input_is_labeled_and_bounded():
    guess = number("A guess", 0.2, low=0.1, high=0.9)
    assert (guess.description, guess.min, guess.max) == ("A guess", 0.1, 0.9)
    guess.value = 0
    assert guess.value == 0.1
