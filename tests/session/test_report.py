"""The report: complete, the same for the same log, and no markup from a pool."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import Goal, Pool, Session, WatchedInterval
from activeeval_widgets.session.report.markdown import plain
from activeeval_widgets.stats import ClassPredictions, ErrorRate, Precision, SquaredError, ValuePredictions
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.quantities import Quantity
from activeeval_widgets.stats.text import pvalue_text

from ..labeling import give_labels

MakePool = Callable[..., Pool]


def test_everything_is_reported(make_pool: MakePool) -> None:
    session = Session(make_pool(80), ErrorRate(), seed=5, name="third_try", protocol="papers")
    for i in range(30):
        session.label(i % 3, seconds=3)
    session.exclude(reason="smudged")
    session.defer()
    session.note("look *again*", instance=4)
    session.flag(instance=7)
    session.change(session.log.actions[0].instance, 2)
    session.label(1)
    session.undo()
    text = session.report()
    found, watched = session.estimate(interval="wald"), WatchedInterval(session.findings)
    numbers = Numbers.of(Quantity(ErrorRate()), watched.estimate())
    error = Numbers(Quantity(ErrorRate()), found.standard_error).plain(found.standard_error)

    def ends(interval: Any) -> str:
        return numbers.interval(interval.low, interval.high).replace("\xa0", " ")

    value = numbers.value(found.value).replace("\xa0", " ")
    assert text.startswith("# Error rate: session third\\_try\n")
    for part in (
        f"{datetime.now(UTC):%B}",
        f" about {value} of the images that can be labeled",
        f"Error rate: {value} (standard error {error} points)",
        f"95% interval: {ends(watched)}; guaranteed",
        f"95% interval, Wald: {ends(found)}; ",
        f"Labels: 30 of 80 images for {found.n_draws} draws",
        "1 excluded; 1 put aside; 1 changed; 1 undone",
        "Time: 90 seconds; median 3 seconds a label",
        "protocol papers, seed 5",
        "Share of uniform draws: 0.1",
        ": smudged",
        "- 4: look \\*again\\*",
        "- 7 (flagged)",
        *(digest[:16] for digest in session.pool.fingerprints.values()),
    ):
        assert part in text, part


def test_the_same_log_gives_the_same_report(make_pool: MakePool, shelf: Any) -> None:
    session = Session(make_pool(80), ErrorRate(), store=shelf.open())
    for i in range(20):
        session.label(i % 3)
    assert Session(make_pool(80), ErrorRate(), store=shelf.open()).report() == session.report()


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
def test_an_empty_session_has_a_report(make_pool: MakePool, protocol: str) -> None:
    text = Session(make_pool(20), ErrorRate(), protocol=protocol).report()
    assert f"protocol {protocol}" in text
    assert text.count("No labels yet.") == 1


def test_two_models() -> None:
    rng = np.random.default_rng(0)
    models = [ClassPredictions(rng.dirichlet([1, 1], size=60), name=name) for name in ("old", "new")]
    session = Session(Pool(["text"] * 60, predictions=models), ErrorRate())
    for i in range(25):
        session.label(i % 2)
    text = session.report()
    pvalue = session.estimate().pvalue
    assert pvalue != session.estimate(interval="wald").pvalue
    assert f"p-value for no difference: {pvalue_text(pvalue)};" in text


def test_values_without_variances_promise_nothing() -> None:
    pool = Pool([{"x": i} for i in range(30)], predictions=ValuePredictions(np.arange(30.0)))
    session = Session(pool, SquaredError(), q=np.full(30, 1 / 30))
    session.label(3.5)
    assert "own probabilities" not in session.report()


def test_nothing_from_a_pool_is_markup(make_pool: MakePool) -> None:
    ids = [f"<b>{i}</b> [x](http://x) `#" for i in range(20)]
    session = Session(make_pool(20, ids=ids), ErrorRate(), name="<script>\n# heading")
    session.exclude(reason="| a | b |\n## no heading")
    text = session.report()
    assert "<b>" not in text.replace("\\<b\\>", "")
    assert "\n## no heading" not in text
    assert "\n# heading" not in text


class Page(HTMLParser):
    """What is in a page: its tags with their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.texts.append(" ".join(data.split()))


def test_a_page_says_what_markdown_says(make_pool: MakePool) -> None:
    session = Session(make_pool(80), ErrorRate(), seed=5, goal=Goal(threshold=0.3))
    for i in range(30):
        session.label(i % 3, seconds=3)
    session.note("look", instance=4)
    page = Page(session.report("html", title="Digits & more", question="Which digit?"))
    markdown = session.report(title="Digits & more", question="Which digit?")
    result = [text for text in page.texts if text and "{" not in text]
    plot = page.tags.index("svg"), page.tags.index("table")
    assert plot[0] < plot[1]
    assert {"polyline", "polygon"} <= set(page.tags)
    assert ("class", "goal") in page.attributes
    in_plot = [text for text in result if re.fullmatch(r"[\d,.]+%?", text)]
    assert len(in_plot) >= 6
    for text in (
        set(result)
        - set(in_plot)
        - {
            "labels",
            "Line: estimate after each label. Band: its guaranteed interval. Dashed line: the goal, 30%.",
        }
    ):
        assert re.sub(r"[\\*]", "", text) in re.sub(r"[\\*]", "", markdown), text
    assert markdown.startswith("# Digits & more\n")
    assert "Asked about each: “Which digit?”" in markdown


@pytest.mark.parametrize("n_labels", [0, 1, 12, 20])
def test_a_page_loads_and_runs_nothing(make_pool: MakePool, n_labels: int) -> None:
    ids = [f'<img src=x onerror="alert({i})">' for i in range(20)]
    session = Session(make_pool(20, ids=ids), ErrorRate(), name="<script>alert(1)</script>")
    give_labels(session, 0, n_labels)
    session.note("</table><script>alert(2)</script>", instance=3)
    session.flag(instance=2)
    page = Page(session.report("html", title="</title><b>", question="<iframe>"))
    allowed = {"html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "p", "section", "table"}
    allowed |= {"tr", "th", "td", "ul", "li", "figure", "figcaption"}
    allowed |= {"svg", "line", "text", "polygon", "polyline"}
    assert set(page.tags) <= allowed
    assert not [
        name for name, _ in page.attributes if name in ("src", "href", "style") or name.startswith("on")
    ]
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    assert ("content", policy) in page.attributes
    assert any("<script>alert(2)</script>" in text for text in page.texts)
    assert ("svg" in page.tags) == (n_labels > 0)


def test_there_are_two_formats(make_pool: MakePool) -> None:
    session = Session(make_pool(20), ErrorRate())
    assert session.report() == session.report("markdown")
    with pytest.raises(ValueError, match="format"):
        session.report("pdf")


def test_the_papers_protocol_is_reported_by_its_sources(make_pool: MakePool) -> None:
    adaptive = Session(make_pool(20), ErrorRate()).report()
    papers = Session(make_pool(20), ErrorRate(), protocol="papers").report()
    assert "without replacement" in adaptive
    assert "with replacement" in papers


def test_what_was_drawn_is_not_called_never_drawn(make_pool: MakePool) -> None:
    session = Session(make_pool(80), ErrorRate(), protocol="adaptive")
    assert "Weights" not in session.report()
    for i in range(40):
        session.label(i % 3)
    session.defer()
    text = session.report()
    assert "Never drawn" not in text
    _, q = session.draws.drawn()
    assert q.tolist() == [action.q for action in session.log.actions if action.kind == "label"]
    weights = [1 / ((80 - n) * each) for n, each in enumerate(q)]
    assert f"Weights p/q of the 40 draws answered: {min(weights):.3g} to {max(weights):.3g}" in text


def test_what_is_never_drawn_is_reported(make_pool: MakePool) -> None:
    q = np.full(20, 1 / 16)
    q[:4] = 0
    model = ClassPredictions(np.tile([[0.9, 0.1]], (20, 1)), y_pred=[0] * 4 + [1] * 16)
    session = Session(Pool(["x"] * 20, predictions=model), Precision(), q=q)
    text = session.report()
    assert "Never drawn, as their labels do not count for the measure: 4 instances" in text
    assert "Weights p/q that a draw can have: 0.8\n" in text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("# a # b", "\\# a # b"),
        ("+1 and -1", "\\+1 and -1"),
        ("1. one\n2) two", "1\\. one 2) two"),
        ("&lt; R&D", "\\&lt; R&D"),
        ("[x](y) `z` *a* <b> |c|", "\\[x\\](y) \\`z\\` \\*a\\* \\<b\\> \\|c\\|"),
    ],
)
def test_text_is_no_markdown(text: str, written: str) -> None:
    assert plain(text) == written
