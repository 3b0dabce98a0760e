"""Two answers in an order that is left to chance: labels are of the systems, not of the sides."""

import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from activeeval_widgets.app.pages.demo import _VIEWS
from activeeval_widgets.demos import DEMOS
from activeeval_widgets.session import Conversation, MemoryStore, Pool, Session
from activeeval_widgets.stats import ClassPredictions, ErrorRate, PassRate, WinRate, side_by_side
from activeeval_widgets.stats.predictions.side_by_side import in_order
from activeeval_widgets.widgets import AnswersView, LabelingApp
from activeeval_widgets.widgets.labels.sides import Sides

from ..labeling import give_labels

OpenPage = Callable[..., Any]

N = 60
PAIRS = [(f"alpha says {i}", f"beta says {i}") for i in range(N)]
CLASSES = ["A", "B", "both bad", "tie"]


def wins(seed: int = 0, store: Any = None, name: str = "wins") -> Session:
    rng = np.random.default_rng(4)
    votes = rng.choice(["A", "B", "tie"], size=(N, 3))
    model = ClassPredictions.from_votes(votes, CLASSES, name="judges")
    return Session(Pool(PAIRS, predictions=model), WinRate(), seed=seed, store=store, name=name)


def first_shown(app: LabelingApp, index: int) -> str:
    """The system whose answer is shown first."""
    shown = app._page.renderer.render(index).content.decode()
    return "A" if shown.index("alpha says") < shown.index("beta says") else "B"


def test_sides_are_by_chance_and_the_same_whenever_the_page_is_loaded() -> None:
    store = MemoryStore()
    app = LabelingApp(wins(store=store))
    first = [first_shown(app, index) for index in range(N)]
    assert 15 <= first.count("A") <= 45
    assert [first_shown(LabelingApp(wins(store=store)), index) for index in range(N)] == first
    other = LabelingApp(wins(1))
    assert [first_shown(other, index) for index in range(N)] != first


def test_the_stored_label_is_of_the_system_whose_answer_was_chosen(open_page: OpenPage) -> None:
    session = wins()
    page = open_page(session)
    choices = page.ask("hello")["config"]["labels"]["choices"]
    assert [each["text"] for each in choices] == [
        "First is better",
        "Second is better",
        "both bad",
        "tie",
    ]
    assert [each["keys"][0] for each in choices] == ["1", "2", "3", "4"]
    sides = set()
    for value in (0, 1) * 8:
        drawn = session.upcoming(1)[0]
        first = first_shown(page.app, drawn.index)
        second = "B" if first == "A" else "A"
        page.ask("label", value=value, draw=drawn.draw, seconds=1.0)
        assert session.log.label_of(drawn.index) == (first, second)[value]
        assert page.app._page.state()["status"].endswith(("First is better", "Second is better")[value])
        sides.add((first, value))
    assert len(sides) == 4
    for value, label in ((2, "both bad"), (3, "tie")):
        drawn = session.upcoming(1)[0]
        page.ask("label", value=value, draw=drawn.draw, seconds=1.0)
        assert session.log.label_of(drawn.index) == label


def test_who_prefers_a_system_gets_the_same_result_wherever_it_stands(open_page: OpenPage) -> None:
    """Turning all sides around, by another rule of chance, changes nothing."""
    found = []
    for is_turned in (False, True):
        session = wins(7)
        page = open_page(session)
        sides = page.app._page.panel._sides
        if is_turned:
            usual = sides.is_swapped
            sides.is_swapped = lambda index, usual=usual: not usual(index)
        while session.n_labels < 30:
            drawn = session.upcoming(1)[0]
            prefers = "A" if drawn.index % 3 else "B"
            value = 0 if first_shown(page.app, drawn.index) == prefers else 1
            page.ask("label", value=value, draw=drawn.draw, seconds=1.0)
        found.append((session.estimate(), [action.instance for action in session.log.actions]))
    assert found[0] == found[1]


def test_a_label_comes_back_and_is_changed_by_where_it_was_given(open_page: OpenPage) -> None:
    session = wins()
    page = open_page(session)
    drawn = session.upcoming(1)[0]
    page.ask("label", value=1, draw=drawn.draw, seconds=1.0)
    chosen = session.log.label_of(drawn.index)
    [row] = page.ask("history", offset=0)["history"]["rows"]
    assert (row["answer"], row["value"]) == ("Second is better", 1)
    page.ask("change", index=drawn.index, value=0)
    assert {chosen, session.log.label_of(drawn.index)} == {"A", "B"}
    page.ask("undo")  # of the change
    assert page.ask("undo")["undone"] == {"index": drawn.index, "value": 1}


def test_nothing_shows_whose_an_answer_is_before_its_label(open_page: OpenPage) -> None:
    session = wins()
    page = open_page(session)
    reply = [page.ask("hello")]
    for value in (0, 1, 3):
        drawn = session.upcoming(1)[0]
        reply.append(page.ask("label", value=value, draw=drawn.draw, seconds=1.0))
        reply.append(page.ask("plots"))
    asked = [drawn.index for drawn in session.upcoming(5)]
    reply.append(page.ask("instances", indices=asked))
    shown = b"".join(page.buffers).decode()
    assert "First" in shown
    assert "Second" in shown
    for index in asked:
        label = f'"{session.pool.ids[index]}, labeled'
        assert label not in json.dumps(reply)
    # The verdict of the judges is told only when it is asked for, and here not at all.
    assert "prediction" not in [action["name"] for action in reply[0]["config"]["actions"]]
    assert page.ask("prediction", draw=session.upcoming(1)[0].draw).get("prediction") is None


def test_a_prompt_above_two_answers() -> None:
    records = pd.DataFrame({"prompt": ["?"] * N, "ours": ["alpha says"] * N, "theirs": ["beta says"] * N})
    model = ClassPredictions.from_votes([["A", "B"]] * N, ["A", "tie", "B"])
    session = Session(Pool(records, predictions=model), WinRate())
    app = LabelingApp(session, view=AnswersView("prompt", ["ours", "theirs"]))
    assert {first_shown(app, index) for index in range(N)} == {"A", "B"}
    shown = app._page.renderer.render(0).content.decode()
    assert "ours" not in shown
    assert "theirs" not in shown
    assert "prompt" in shown


def test_only_labels_that_say_which_answer_they_mean_are_turned() -> None:
    assert in_order(["B", "A"]) == ("A", "B")
    assert in_order([2, 1]) == (1, 2)
    assert in_order(["answer_b", "answer_a"]) == ("answer_a", "answer_b")
    assert in_order(["Left", "right"]) == ("Left", "right")
    for unclear in (["gpt-4", "claude"], ["banana", "b"], ["data", "b"], ["new_a", "old_b"]):
        assert in_order(unclear) is None
    named = ClassPredictions.from_votes([["gpt", "claude"]] * N)
    session = Session(Pool(PAIRS, predictions=named), WinRate("gpt"))
    assert Sides.of(session) is None
    assert "First is better" not in json.dumps(LabelingApp(session)._page.panel.config())
    errors = ClassPredictions.from_votes([["A", "B"]] * N)
    assert Sides.of(Session(Pool(PAIRS, predictions=errors), ErrorRate())) is None


@pytest.mark.parametrize("value", [4, -1, True, "A"])
def test_what_is_no_button_is_refused(open_page: OpenPage, value: Any) -> None:
    app = open_page(wins()).app
    with pytest.raises(ValueError, match="value must be a number from 0 to 3"):
        app._page.panel.given(value, 0)


def test_the_demo_of_a_judge_shows_no_verdict_before_the_label(open_page: OpenPage) -> None:
    demo = DEMOS["judge"]()
    session = Session(demo.pool, demo.measure, seed=5)
    page = open_page(session, view=_VIEWS["judge"])
    reply, shown = [page.ask("hello")], b""
    for value in (0, 1, 1, 0):
        asked = [drawn.index for drawn in session.upcoming(8)]
        reply.append(page.ask("instances", indices=asked))
        shown += b"".join(page.buffers)
        reply.append(page.ask("plots", shown=["judge"]))
        content = json.dumps(reply)
        # Of what was labeled the verdict may be told, and of nothing else.
        of_labeled = re.findall(r"([\w-]+), labeled [12]\. GPT-4 says [12] \(", content)
        assert set(of_labeled) <= {action.instance_id for action in session.log.actions}
        assert len(re.findall(r"GPT-4 says [12] \(", content)) == len(of_labeled)
        drawn = session.upcoming(1)[0]
        reply.append(page.ask("label", value=value, draw=drawn.draw, seconds=1.0))
    names = {"GPT-4", "judge", *(name.split()[0] for name in ("ChatGPT", "LLaMA2", "PaLM2"))}
    heads = [part for part in shown.decode().split('"') if part in names]
    assert heads == []
    # Asked for, it is told.
    drawn = session.upcoming(1)[0]
    assert "GPT-4 says" in page.ask("prediction", draw=drawn.draw)["prediction"]["text"]


def test_which_of_two_systems_pass_is_asked_blind_and_compares_them(open_page: OpenPage) -> None:
    rng = np.random.default_rng(5)
    truth = rng.choice(["A", "B", "both", "neither"], N, p=[0.45, 0.05, 0.3, 0.2])
    votes = [[y] if i % 3 else ["neither"] for i, y in enumerate(truth.tolist())]
    session = Session(Pool(PAIRS, predictions=side_by_side(["alpha", "beta"], votes)), PassRate())
    page = open_page(session)
    reply = [page.ask("hello")]
    choices = reply[0]["config"]["labels"]["choices"]
    assert [each["text"] for each in choices] == ["First only", "Second only", "both", "neither"]
    assert reply[0]["config"]["question"] == "Which of the two answers pass?"
    assert {panel["name"] for panel in reply[0]["config"]["panels"]}.isdisjoint(
        {"differing", "matrices", "confusion"}
    )
    assert "prediction" not in [action["name"] for action in reply[0]["config"]["actions"]]
    seen = set()
    while session.n_labels < 30:
        drawn = session.upcoming(1)[0]
        first, y = first_shown(page.app, drawn.index), str(truth[drawn.index])
        value = {"both": 2, "neither": 3}.get(y, 0 if y == first else 1)
        page.ask("label", value=value, draw=drawn.draw, seconds=1.0)
        assert session.log.label_of(drawn.index) == y
        seen.add((first, value))
    assert {(first, value) for first in "AB" for value in (0, 1)} & seen >= {("A", 0), ("B", 1)}
    assert session.verdict().better == "alpha"
    history = page.ask("history", offset=0, shows_prediction=True)["history"]
    assert history["differing"] is None  # who was right would tell whose an answer is
    assert not any("predictions" in row or row.get("prediction") for row in history["rows"])
    report = session.report()
    assert "alpha is better" in report
    give_labels(session, lambda i: str(truth[i]))
    counts = [np.mean(np.isin(truth, [one, "both"])) for one in "AB"]
    assert session.estimate().value == pytest.approx(counts[0] - counts[1])
    assert [session.of(name).estimate().value for name in ("alpha", "beta")] == pytest.approx(counts)


@pytest.mark.parametrize("n_answers", [1, 2])
def test_conversations_side_by_side_are_turned_and_single_ones_are_not(n_answers: int) -> None:
    asked = [{"role": "user", "content": "?"}]
    both = [[*asked, {"role": "assistant", "content": f"{who} says"}] for who in ("alpha", "beta")]
    conversations = [Conversation(*both[:n_answers])] * N
    session = Session(Pool(conversations), WinRate())
    app = LabelingApp(session)
    shown = [app._page.renderer.render(index).content.decode() for index in range(N)]
    texts = [each["text"] for each in app._page.panel.config()["choices"]]
    if n_answers == 1:
        assert texts[0] == "A"
        return
    assert {first_shown(app, index) for index in range(N)} == {"A", "B"}
    assert texts[:2] == ["First is better", "Second is better"]
    assert all("First" in each and "Answer A" not in each for each in shown)
