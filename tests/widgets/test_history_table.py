"""The history: what its rows tell, and how they are found."""

import io
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PIL import Image

from activeeval_widgets.session import Pool, Ranking, Result, Session
from activeeval_widgets.stats import ClassPredictions, ErrorRate
from activeeval_widgets.widgets.answers.history import PAGE_ROWS, ReviewedAnswers
from activeeval_widgets.widgets.elements.tree import element, words
from activeeval_widgets.widgets.instances.instance_renderer import InstanceRenderer
from activeeval_widgets.widgets.labels.panel import label_panel

from ..labeling import give_labels

MakeSession = Callable[..., Session]
OpenPage = Callable[..., Any]

TEXTS = [
    "A great phone",
    "Broken after 3 days",
    "Très cher, 13 euros",
    "great, but 13 of 20",
    "<b>fine</b>",
    "x" * 900,
]


def reviewed(session: Session) -> ReviewedAnswers:
    return ReviewedAnswers(session, label_panel(session.labels), InstanceRenderer(session.pool))


@pytest.fixture
def session() -> Session:
    """All texts labeled "good"; the model says so of the even ones."""
    proba = [[0.9, 0.1] if i % 2 == 0 else [0.2, 0.8] for i in range(6)]
    model = ClassPredictions(proba, classes=["good", "bad"])
    ids = ["1", "2", "3", "13", "great", "f"]
    made = Session(Pool(TEXTS, predictions=model, ids=ids), ErrorRate(), protocol="adaptive")
    give_labels(made, "good", 6)
    return made


def found(session: Session, query: str = "", **options: Any) -> set[str]:
    content, _ = reviewed(session).page(query, **options)
    assert content["n_found"] == len(content["rows"])
    return {row["id"] for row in content["rows"]}


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("", {"1", "2", "3", "13", "great", "f"}),
        ("great", {"1", "13", "great"}),  # two by content, one by its id
        ("GREAT phone", {"1"}),
        ("tres CHER", {"3"}),
        ("3", {"2", "3"}),  # whole numbers: not 13; and the id 3
        ("13", {"3", "13"}),
        ("id:13", {"13"}),
        ("id:1", {"1"}),
        ("id:gre", set()),
        ("<b>", {"great"}),
        ("good", {"1", "2", "3", "13", "great", "f"}),  # the answer
        ("nothing of it", set()),
        (".*", set()),
    ],
)
def test_search(session: Session, query: str, ids: set[str]) -> None:
    assert found(session, query) == ids


def test_filters(session: Session) -> None:
    pool_ids = list(session.pool.ids)
    session.flag(2)
    session.note("look again", 3)
    session.change(3, "bad")
    wrong = {pool_ids[i] for i in (1, 5)}
    assert found(session, only=["wrong"], shows_prediction=True) == wrong
    assert found(session, only=["flagged"]) == {"3"}
    assert found(session, only=["noted", "changed"]) == {"13"}
    assert found(session, "look", only=["changed"]) == {"13"}
    assert found(session, only=["flagged", "changed"]) == set()
    assert found(session, answer="bad") == {"13"}
    content, _ = reviewed(session).page()
    assert content["answers"] == [["good", 5], ["bad", 1]]


def test_rows_tell_of_the_model_only_where_they_may(session: Session) -> None:
    result, _ = reviewed(session).page(shows_prediction=True)
    by_id = {row["id"]: row for row in result["rows"]}
    assert (by_id["2"]["prediction"], by_id["2"]["is_wrong"]) == ("bad (80%)", True)
    assert (by_id["1"]["prediction"], by_id["1"]["is_wrong"]) == ("good (90%)", False)
    hidden, _ = reviewed(session).page(only=["wrong"])
    assert hidden["n_found"] == 6  # so that the filter tells nothing, either
    assert not hidden["has_wrong"]
    assert not any({"prediction", "is_wrong"} & row.keys() for row in hidden["rows"])


def test_what_has_no_label_yet_has_no_prediction() -> None:
    model = ClassPredictions(np.full((5, 2), 0.5))
    session = Session(Pool(TEXTS[:5], predictions=model), ErrorRate())
    session.defer()
    session.exclude(reason="broken")
    session.label(1)
    rows = reviewed(session).page(shows_prediction=True)[0]["rows"]
    assert [(row["answer"], "prediction" in row) for row in rows] == [
        ("1", True),
        ("excluded: broken", False),
        ("put aside", False),
    ]


def test_rows_show_the_content(session: Session) -> None:
    content, thumbnails = reviewed(session).page()
    texts = {row["id"]: row["content"] for row in content["rows"]}
    assert texts["great"] == "<b>fine</b>"  # as it is: the page makes text of it
    assert texts["f"] == "x" * 240 + " …"
    assert thumbnails == []


def test_images_are_small(make_session: MakeSession) -> None:
    rng = np.random.default_rng(0)
    images = rng.integers(0, 256, (3, 300, 200), dtype=np.uint8)
    pool = Pool(images, predictions=ClassPredictions(np.full((3, 2), 0.5)))
    session = Session(pool, ErrorRate())
    give_labels(session, 0, 3)
    content, thumbnails = reviewed(session).page()
    assert [row["thumbnail"] for row in content["rows"]] == [0, 1, 2]
    for row, thumbnail in zip(content["rows"], thumbnails, strict=True):
        assert row["mime"].startswith("image/")
        small = Image.open(io.BytesIO(thumbnail)).convert("L")
        assert 48 <= max(small.size) <= 96
        # It is that instance's.
        whole = Image.fromarray(images[row["index"]]).resize(small.size, Image.Resampling.BOX)
        assert np.abs(np.asarray(small, dtype=int) - np.asarray(whole, dtype=int)).mean() < 12


def test_lists_are_found_by_their_results() -> None:
    ranking = Ranking("shoes", [Result("a", "Red shoe", "for running"), Result("b", "Sandal")])
    pool = Pool([ranking], predictions=ClassPredictions([[0.5, 0.5]]))
    assert InstanceRenderer(pool).words(0) == "shoes: Red shoe: for running Sandal"


def test_a_broken_instance_is_found_by_its_id_alone() -> None:
    model = ClassPredictions(np.full((2, 2), 0.5))
    session = Session(Pool(["", "fine"], predictions=model, ids=["empty", "full"]), ErrorRate())
    session.label(0)
    session.label(0)
    assert found(session, "empty") == {"empty"}
    rows = {row["id"]: row for row in reviewed(session).page()[0]["rows"]}
    assert rows["empty"]["content"] == ""


def test_long_histories_come_in_parts(make_session: MakeSession) -> None:
    session = make_session(300, protocol="papers")
    for i in range(120):
        session.label(i % 3)
    answers = reviewed(session)
    parts = [answers.page(offset=offset)[0] for offset in (0, PAGE_ROWS, 2 * PAGE_ROWS, 3 * PAGE_ROWS)]
    assert [len(part["rows"]) for part in parts] == [50, 50, 20, 0]
    assert {(part["n_found"], part["n_rows"]) for part in parts} == {(120, 120)}
    listed = [row["index"] for part in parts for row in part["rows"]]
    assert listed == [action.instance for action in session.log.actions[::-1]]


def test_words_of_a_tree() -> None:
    tree = element("div", element("h3", "One"), "two ", element("p", "three", element("b", "four")))
    assert words(tree, 100).split() == ["One:", "two", "three", "four"]
    assert len(words(tree, 5)) < 10


# -- what the page asks -----------------------------------------------------------------------------------


def test_the_page_goes_to_an_instance(make_session: MakeSession, open_page: OpenPage) -> None:
    page = open_page(make_session())
    index = page.app.session.upcoming(1)[0].index
    later = page.app.session.upcoming(60)[-1].index
    page.label(2)
    row = page.ask("row", index=index, shows_prediction=True)["row"]
    assert (row["index"], row["value"]) == (index, 2)
    assert "prediction" in row
    assert "prediction" not in page.ask("row", index=index)["row"]
    assert "has no answer yet" in page.ask("row", index=later)["error"]


def test_who_labels_without_the_estimate_sees_nothing_of_the_model(
    make_session: MakeSession, open_page: OpenPage
) -> None:
    page = open_page(make_session(), shows_estimate=False)
    index = page.app.session.upcoming(1)[0].index
    page.label(2)
    reply = page.ask("history", shows_prediction=True, only=["wrong"])["history"]
    assert (reply["n_found"], reply["has_wrong"]) == (1, False)
    for row in (*reply["rows"], page.ask("row", index=index, shows_prediction=True)["row"]):
        assert not {"prediction", "is_wrong"} & row.keys()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"query": 3}, "query must be a string, got 3"),
        ({"answer": 3}, "answer must be a string or None, got 3"),
        ({"only": ["all"]}, r"only must hold some of wrong, flagged, noted, changed, got \['all'\]"),
        ({"offset": -1}, "offset must be a whole number >= 0, got -1"),
    ],
)
def test_questions_that_make_no_sense(
    make_session: MakeSession, open_page: OpenPage, content: Any, message: str
) -> None:
    assert re.search(message, open_page(make_session()).ask("history", **content)["error"])


def test_without_a_model_no_prediction_is_shown(open_page: OpenPage) -> None:
    page = open_page(Session(Pool(TEXTS), "label-share", positive="good"))
    page.app.session.label("good")
    asking = {"query": "", "only": [], "answer": None, "offset": 0, "shows_prediction": True, "asked": 1}
    [row] = page.ask("history", **asking)["history"]["rows"]
    assert row["answer"] == "good"
    assert "prediction" not in row
