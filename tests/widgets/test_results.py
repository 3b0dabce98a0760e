"""The result on the page: the answer, what it cost, the mistakes, and the files to save."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from activeeval_widgets.session import Goal, MemoryStore, Pool, Ranking, Result, Session, WatchedInterval
from activeeval_widgets.session.report.result import result_of
from activeeval_widgets.session.report.summary import session_summary
from activeeval_widgets.stats import (
    ERR,
    ClassPredictions,
    CohenKappa,
    ErrorRate,
    FMeasure,
    MatthewsCorrelation,
    RankingPredictions,
    SquaredError,
    ValuePredictions,
)
from activeeval_widgets.widgets.evaluation.interval_bar import interval_bar

from ..labeling import give_labels

OpenPage = Callable[..., Any]


def texts(n: int = 40, *, models: int = 1, seed: int = 0, wrong: float = 0.2) -> Pool:
    rng = np.random.default_rng(seed)
    found = []
    for name in ("old", "new")[:models]:
        p = rng.uniform(0.55, 1, n)
        code = (rng.random(n) < wrong).astype(int)
        proba = np.where((code == 0)[:, np.newaxis], np.column_stack([p, 1 - p]), np.column_stack([1 - p, p]))
        found.append(ClassPredictions(proba, classes=["ham", "spam"], name=name))
    return Pool([f"Mail {i}" for i in range(n)], predictions=found if models == 2 else found[0])


def labeled(session: Session, n: int, value: Any = "ham") -> Session:
    give_labels(session, lambda i: value(i) if callable(value) else value, n, seconds=6)
    return session


@pytest.mark.parametrize(("models", "is_marked"), [(1, False), (2, True)])
def test_no_difference_is_marked_on_the_scale_and_no_other_zero(
    open_page: OpenPage, models: int, is_marked: bool
) -> None:
    """As in the panel of the estimate; a correlation can be 0, but that is nothing to compare with."""
    measure = MatthewsCorrelation()
    session = labeled(Session(texts(models=models), measure), 30, lambda i: ("ham", "spam")[i % 2])
    bar = open_page(session).ask("result", shows_results=True)["result"]["bar"]
    assert (bar["zero"] is not None) == is_marked


def test_each_end_of_a_difference_has_its_unit(open_page: OpenPage) -> None:
    session = labeled(Session(texts(models=2), ErrorRate()), 30, lambda i: ("ham", "spam")[i % 2])
    bar = open_page(session).ask("result", shows_results=True)["result"]["bar"]
    assert [end.endswith("points") for end in bar["ends"]] == [True, True]


def test_an_estimate_above_its_interval_is_on_the_scale() -> None:
    session = labeled(Session(texts(), ErrorRate()), 30)
    found = replace(session.estimate(), value=0.9)
    bar = interval_bar(session.question.quantity, found, (0.1, 0.2), (0.0, 1.0), None)
    assert 0 < bar["low"] < bar["high"] < bar["value"] < 1


def test_the_result_says_what_was_found(open_page: OpenPage) -> None:
    session = labeled(Session(texts(), ErrorRate(), budget=30, goal=Goal(half_width=0.4)), 30)
    page = open_page(session, title="Mails")
    reply = page.ask("result", shows_results=True)["result"]
    result = result_of(session.findings, WatchedInterval(session.findings))
    assert reply["answer"] == result.answer
    assert reply["confidence"] == result.confidence
    assert reply["badge"] == "Goal reached: ±40 points"
    assert reply["figures"][0] == {"value": "30", "text": "labels, 3 minutes", "title": ""}
    assert reply["can_lift_budget"] is True
    assert reply["plot"]["heading"] == "Error rate after each label"
    assert 0 <= reply["bar"]["low"] <= reply["bar"]["value"] <= reply["bar"]["high"] <= 1
    assert reply["bar"]["zero"] is None
    for part in (result.answer, result.confidence, "30 labels, 3 minutes.", "error rate", "40 texts"):
        assert part in reply["copy"]


def test_the_mistakes_are_reported_surest_first(open_page: OpenPage) -> None:
    session = labeled(Session(texts(), ErrorRate()), 40)
    page = open_page(session)
    reply = page.ask("result", shows_results=True)["result"]["mistakes"]
    model = session.models[0]
    assert isinstance(model, ClassPredictions)
    wrong = np.flatnonzero(model.y_pred == "spam")
    assert wrong.size > 3
    assert reply["heading"] == f"Where the model was wrong: {wrong.size} of 40"
    surest = wrong[np.argsort(-model.confidence[wrong])]
    assert [row["index"] for row in reply["rows"]] == surest.tolist()
    first = reply["rows"][0]
    assert (first["truth"], first["predicted"], first["content"]) == ("ham", "spam", f"Mail {surest[0]}")
    assert first["confidence"] == f"{100 * model.confidence[surest[0]]:.0f}%"
    # The page may ask for what it shows.
    assert page.ask("instances", indices=[int(surest[0])])["instances"][0]["index"] == surest[0]


def test_of_many_mistakes_the_first_are_sent(open_page: OpenPage) -> None:
    session = labeled(Session(texts(wrong=0.9), ErrorRate()), 40)
    reply = open_page(session).ask("result", shows_results=True)["result"]["mistakes"]
    assert len(reply["rows"]) == 24
    assert "the first 24 · surest first" in reply["hint"]


def test_images_are_thumbnails(open_page: OpenPage, make_session: Any) -> None:
    session = make_session(30)
    for i in range(20):
        session.label(i % 3)
    page = open_page(session)
    rows = page.ask("result", shows_results=True)["result"]["mistakes"]["rows"]
    assert rows
    assert [row["thumbnail"] for row in rows] == list(range(len(rows)))
    assert len(page.buffers) == len(rows)
    assert all(bytes(buffer).startswith((b"\x89PNG", b"\xff\xd8")) for buffer in page.buffers)


def test_two_models(open_page: OpenPage) -> None:
    session = labeled(Session(texts(models=2), ErrorRate(), goal=Goal(threshold=0.0)), 40)
    reply = open_page(session).ask("result", shows_results=True)["result"]
    first, second = session.models
    assert isinstance(first, ClassPredictions)
    assert isinstance(second, ClassPredictions)
    only_one = np.flatnonzero(first.y_pred != second.y_pred)
    assert reply["mistakes"]["heading"] == f"Where only one model was right: {only_one.size} of 40"
    assert sorted(row["index"] for row in reply["mistakes"]["rows"]) == only_one.tolist()
    for row in reply["mistakes"]["rows"]:
        wrong = "old" if first.y_pred[row["index"]] == "spam" else "new"
        assert row["predicted"] == f"spam by {wrong}"


def test_numbers_are_reported_furthest_off_first(open_page: OpenPage) -> None:
    predictions = ValuePredictions(np.linspace(-1, 1, 20), np.ones(20))
    pool = Pool(pd.DataFrame({"x": range(20)}), predictions=predictions)
    session = labeled(Session(pool, SquaredError(), y_range=(-4, 4)), 20, 1.0)
    reply = open_page(session, unit="kg").ask("result", shows_results=True)["result"]
    assert reply["mistakes"]["heading"] == "Where the model was furthest off"
    assert [row["index"] for row in reply["mistakes"]["rows"]] == list(range(20))
    first = reply["mistakes"]["rows"][0]
    assert (first["truth"], first["predicted"]) == ("1\N{NO-BREAK SPACE}kg", "−1.00")
    assert "typically off by" in reply["answer"]
    assert "kg" in reply["answer"]


def test_rankings_are_reported_poorest_first(open_page: OpenPage) -> None:
    model = RankingPredictions([["a", "b"]] * 6, [{"a": [0.3, 0.7], "b": [0.6, 0.4]}] * 6, grades=[0, 1])
    pool = Pool([Ranking(f"query {i}", (Result("a"), Result("b"))) for i in range(6)], predictions=model)
    session = labeled(Session(pool, ERR()), 6, lambda i: {"a": int(i % 2), "b": 1})
    reply = open_page(session).ask("result", shows_results=True)["result"]["mistakes"]
    assert reply["heading"] == "The poorest rankings"
    assert [row["index"] % 2 for row in reply["rows"]] == [0, 0, 0, 1, 1, 1]
    assert reply["rows"][0]["predicted"].startswith("ERR 0.")
    assert reply["rows"][0]["truth"] == ""
    assert "query" in reply["rows"][0]["content"]


@pytest.mark.parametrize("measure", [FMeasure(positive="spam"), CohenKappa()])
def test_nothing_is_reported_before_the_first_label(open_page: OpenPage, measure: Any) -> None:
    reply = open_page(Session(texts(), measure)).ask("result", shows_results=True)["result"]
    assert reply["answer"] == "No labels yet."
    assert reply["bar"] is None
    assert reply["mistakes"]["rows"] == []
    assert reply["can_lift_budget"] is False


@pytest.mark.parametrize(("shows_estimate", "shows_results"), [(False, True), (False, False), (True, False)])
def test_the_labelers_view_has_counts_alone(
    open_page: OpenPage, shows_estimate: bool, shows_results: bool
) -> None:
    session = labeled(Session(texts(), ErrorRate(), budget=20, goal=Goal(half_width=0.4)), 20)
    page = open_page(session, shows_estimate=shows_estimate)
    reply = page.ask("result", shows_results=shows_results)["result"]
    assert reply == {
        "badge": "All 20 labels done",
        "answer": "All labels are done. Thank you!",
        "confidence": "",
        "caveats": [],
        "bar": None,
        "figures": [{"value": "20", "text": "labels, 2 minutes", "title": ""}],
        "copy": "",
        "can_lift_budget": True,
        "is_whole": False,
    }
    assert page.buffers == []


def test_files_to_save(open_page: OpenPage) -> None:
    session = labeled(Session(texts(), ErrorRate(), name="Tuesday"), 12)
    session.note("=1+1", instance=session.log.actions[0].instance)
    page = open_page(session, title="Mails", question="Spam or ham?")

    def saved(kind: str) -> dict[str, str]:
        reply: dict[str, str] = page.ask("save", which=kind)["file"]
        return reply

    words = {"title": "Mails", "question": "Spam or ham?"}
    assert saved("html") == {
        "name": "Tuesday.html",
        "type": "text/html",
        "text": session.report("html", **words),
    }
    assert saved("markdown")["text"] == session.report(**words)
    labels = saved("labels")
    assert (labels["name"], labels["type"]) == ("Tuesday-labels.csv", "text/csv")
    columns = "id,content,label,prediction,confidence,draw,q,weight"
    assert labels["text"].splitlines()[0].startswith(columns)
    assert len(labels["text"].splitlines()) == 13
    assert "'=1+1" in labels["text"]
    events = saved("events")
    assert events["text"].splitlines()[0].startswith("seq,time,kind")
    assert "'=1+1" in events["text"]
    assert "kind must be html, markdown, labels or events" in page.ask("save", which="exe")["error"]


def test_going_on_is_remembered(open_page: OpenPage) -> None:
    store = MemoryStore()
    page = open_page(labeled(Session(texts(), ErrorRate(), budget=20, store=store), 20))
    assert page.ask("result", shows_results=True)["result"]["can_lift_budget"] is True
    state = page.exchange({"type": "go_on", "client": "tab-1", "seq": 99})[0]["state"]
    assert (state["is_done"], state["can_lift_budget"]) == (False, False)
    again = open_page(Session(texts(), ErrorRate(), budget=20, store=store)).ask("hello")
    assert again["state"]["is_done"] is False
    assert again["state"]["queue"][0] == state["queue"][0]


def test_at_the_end_of_the_pool_there_is_no_going_on(open_page: OpenPage) -> None:
    session = labeled(Session(texts(), ErrorRate(), budget=40), 40)
    reply = open_page(session).ask("result", shows_results=True)["result"]
    assert reply["can_lift_budget"] is False
    assert reply["confidence"].endswith("so this is exact.")
    assert reply["bar"] is None  # its value is in the answer
    assert session_summary(session.findings, goal=None, is_done=True)["interval_text"] == "exact"


def test_files_are_named_after_the_title_where_nobody_named_the_session(
    open_page: OpenPage,
) -> None:
    page = open_page(Session(texts(), ErrorRate()), title="Spam / ham: <Größe>?")
    assert page.ask("save", which="html")["file"]["name"] == "spam-ham-größe.html"
    assert page.ask("save", which="labels")["file"]["name"] == "spam-ham-größe-labels.csv"
    named = open_page(Session(texts(), ErrorRate(), name="May"), title="Spam / ham")
    assert named.ask("save", which="markdown")["file"]["name"] == "May.md"


def test_the_result_of_several_models_has_their_table(open_page: OpenPage) -> None:
    rng = np.random.default_rng(3)
    models = {
        name: ClassPredictions(rng.dirichlet([1, 1], size=40), classes=["ham", "spam"]) for name in "abc"
    }
    session = Session(Pool([f"Mail {i}" for i in range(40)], predictions=models), ErrorRate())
    page = open_page(labeled(session, 10))
    table = page.ask("result", shows_results=True)["result"]["models"]
    shown = page.ask("plots", shown=["models"])["panels"]["models"]
    assert table["rows"] == shown["rows"]
    assert [row["name"] for row in table["rows"]] == [each.name for each in session.leaderboard().models]
    assert "models" not in page.ask("result", shows_results=False)["result"]
    one = open_page(labeled(Session(texts(), ErrorRate()), 3))
    assert "models" not in one.ask("result", shows_results=True)["result"]
