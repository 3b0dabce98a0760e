"""A session as a person would say it."""

import re

import pytest

from activeeval_widgets import Goal, Pool, Session
from activeeval_widgets.stats import ClassPredictions, FMeasure

from ..labeling import give_labels

PROBA = [[0.9, 0.1], [0.3, 0.7]] * 60
SPAM = ClassPredictions(PROBA, classes=["ham", "spam"])


def labeled(n: int, predictions=SPAM, measure="f1", **options) -> Session:
    pool = Pool([f"text {i}" for i in range(120)], predictions=predictions)
    session = Session(pool, measure, positive="spam" if measure == "f1" else None, **options)
    give_labels(session, lambda i: "spam" if i % 2 or i % 10 == 0 else "ham", n)
    return session


def test_what_is_known() -> None:
    session = labeled(40)
    found = session.estimate()
    text = str(session)
    match = re.fullmatch(
        r"F1 of spam: (0\.\d+) \((?:approximately )?(0\.\d+)–([01]\.\d+)\) after 40 labels", text
    )
    assert match, text
    assert float(match[1]) == pytest.approx(found.value, abs=0.006)
    assert float(match[2]) <= found.low
    assert float(match[3]) >= found.high
    assert repr(session) == f"<Session 'default'. {text}>"


def test_a_notebook_shows_it_small_and_escaped() -> None:
    session = labeled(3, measure="error-rate", name="<script>alert(1)</script>")
    html = session._repr_html_()
    assert "&lt;script&gt;" in html
    assert "<script" not in html
    assert "120 texts" in html
    assert len(html) < 1500
    assert not re.search(r"https?:|src=|url\(|#[0-9a-f]{3}|rgb|background|color", html)


def test_pools_goals_and_measures_in_words() -> None:
    assert repr(Pool(["a"], predictions=[[0.9, 0.1]])) == "<Pool of 1 text, predicted by 1 model>"
    assert str(Pool(["a"] * 2000)) == "Pool of 2,000 texts, without predictions"
    models = {"<b>old</b>": [[0.9, 0.1]], "new": [[0.9, 0.1]]}
    pool = Pool(["a"], predictions=models)
    assert str(pool) == "Pool of 1 text, predicted by <b>old</b>, new"
    assert "&lt;b&gt;old" in pool._repr_html_()
    assert str(Goal(half_width=0.02, minutes=30)) == (
        "Enough once the interval is at most the estimate ± 0.02, or 30 minutes are spent"
    )
    assert str(Goal(minutes=1)) == "Enough once 1 minute is spent"
    assert repr(Goal(half_width=0.02)) == "Goal(half_width=0.02)"
    html = FMeasure(positive="<i>spam")._repr_html_()
    assert html.startswith("<div><strong>F1 of &lt;i&gt;spam</strong>. ")
