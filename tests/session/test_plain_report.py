"""Result, report and page do not contradict themselves, and say only what is there."""

import re
from typing import Any

import numpy as np
import pytest

from activeeval_widgets import Goal, Pool, Session
from activeeval_widgets.session.report.result import result_of
from activeeval_widgets.stats import AbsoluteError, ClassPredictions, ErrorRate, ValuePredictions
from activeeval_widgets.widgets.evaluation.panels import Panels
from activeeval_widgets.widgets.result.content import result_content
from activeeval_widgets.widgets.wording.measures import format_width

from ..labeling import give_labels

Y_TRUE = np.random.default_rng(1).integers(2, size=90)


def session_of(n_models: int = 1, n_labels: int = 40, m: int = 90, **options: Any) -> Session:
    rng = np.random.default_rng(2)
    models = {}
    for name, wrong in zip("ABC", (0.1, 0.3, 0.5), strict=True):
        right = np.where(rng.random(m) < wrong, 1 - Y_TRUE[:m], Y_TRUE[:m])
        models[name] = ClassPredictions(np.column_stack([0.9 - 0.8 * right, 0.1 + 0.8 * right]), name=name)
    predictions = dict(list(models.items())[:n_models]) if n_models > 1 else models["A"]
    session = Session(Pool(["text"] * m, predictions=predictions), ErrorRate(), **options)
    while session.n_labels < n_labels and (asked := session.next()) is not None:
        session.label(int(Y_TRUE[asked.index]), seconds=2.0)
    return session


def text_of(session: Session) -> str:
    return session.report().replace("\\", "")


@pytest.mark.parametrize(("is_below", "word"), [(True, "below"), (False, "above")])
def test_an_end_is_not_written_as_the_goal_that_it_is_short_of(is_below: bool, word: str) -> None:
    session = session_of(n_labels=70)
    watched = session.watched()
    session.goal = Goal(threshold=watched.high + 3e-4 if is_below else watched.low - 3e-4)
    goal = 100 * session.goal.threshold
    texts = [
        result_of(session.findings, watched, goal=session.goal).confidence,
        str(session).split("(")[1],
        Panels(session).one("estimate")["sentence"].removeprefix("95%"),
        Panels(session).one("trajectory")["summary"].split("between")[1],
        re.findall("95% interval: .*", text_of(session))[1].removeprefix("- 95%"),
    ]
    for text in texts:
        low, high = (float(end) for end in re.findall(r"([\d.]+)%", text.removeprefix("95%"))[:2])
        assert high < goal if is_below else low > goal, text
    assert f"(reached: it is {word})" in text_of(session)
    assert badge_of(session).startswith(f"Goal reached: {word} ")


def badge_of(session: Session) -> str:
    snapshot = Panels(session).snapshot()
    content = result_content(session, snapshot.watched, goal=snapshot.goal, progress=snapshot.progress)
    badge: str = content["badge"]
    return badge


def test_a_goal_for_a_difference_is_reached_in_points() -> None:
    session = session_of(2, 90, goal=Goal(threshold=0.6, half_width=0.2))
    badge = badge_of(session).replace("\N{NO-BREAK SPACE}", " ")
    assert badge == "Goal reached: ±20 points, below +60 points"


def test_an_interval_ends_short_of_the_margin_that_two_models_are_said_to_differ_by_less_than() -> None:
    session = session_of(2, n_labels=45)
    watched = session.watched()
    session.revisions.declare_margin(float(max(-watched.low, watched.high) + 3e-4))
    margin = 100 * session.log.margin
    confidence = result_of(session.findings, watched).confidence.replace("\N{MINUS SIGN}", "-")
    low, high = (float(end) for end in re.findall(r"(-?[\d.]+) to ([+-]?[\d.]+)", confidence)[0])
    assert -margin < low < high < margin


def test_a_verdict_has_the_digits_of_its_interval() -> None:
    session = session_of(2, n_labels=75)
    verdict = session.verdict()
    assert verdict.better == "A"
    least = re.findall(r"at least ([\d.]+)", str(verdict))[0]
    assert f"\N{MINUS SIGN}{least}\N{NO-BREAK SPACE}points" in repr(
        result_of(session.findings, session.watched())
    )


@pytest.mark.parametrize(
    ("options", "n_models", "said"),
    [
        ({"goal": Goal(half_width=0.01)}, 1, "an interval of at most ±1 point (not reached)"),
        ({"goal": Goal(half_width=0.45)}, 1, "an interval of at most ±45 points (reached)"),
        ({"goal": Goal(threshold=0.9)}, 1, "above or below 90% (reached: it is below)"),
        (
            {"goal": Goal(threshold=0.1, cost=40)},
            1,
            "above or below 10% (not reached); or 40 labels (reached)",
        ),
        ({"goal": Goal(minutes=1)}, 1, "1 minute (reached)"),
        ({"goal": Goal(threshold=0)}, 2, "to know which model is better (not reached)"),
        (
            {"goal": Goal(threshold=0), "margin": 0.01},
            2,
            "to know which model is better, or that they differ by less than 1 point (not reached)",
        ),
        ({"goal": Goal(threshold=0)}, 3, "to know the best model (not reached)"),
        ({"goal": Goal(threshold=0.9)}, 3, "above or below 90% (reached: it is below)"),
    ],
)
def test_the_report_says_whether_the_goal_is_reached(options: Any, n_models: int, said: str) -> None:
    session = session_of(n_models, 40 if n_models == 1 else 5, **options)
    if n_models == 3 and options["goal"].threshold:
        give_labels(session, Y_TRUE, 60)
    goal = next(line for line in text_of(session).splitlines() if line.startswith("- Goal: "))
    assert goal.endswith(said)


def test_of_a_goal_that_a_verdict_reaches_no_side_is_told() -> None:
    session = session_of(2, n_labels=75, goal=Goal(threshold=0))
    assert session.verdict().is_decided
    assert "- Goal: to know which model is better (reached)\n" in text_of(session)


def test_without_a_goal_none_is_reported() -> None:
    assert "Goal" not in text_of(session_of())
    assert "Goal" not in text_of(session_of(goal=Goal()))


def test_the_caption_explains_what_is_drawn_and_nothing_else() -> None:
    def caption(session: Session) -> str:
        page = session.report("html")
        return re.findall("<figcaption>(.*)</figcaption>", page)[0]

    few = session_of(n_labels=10, goal=Goal(threshold=0.3))
    assert caption(few) == (
        "Line: estimate after each label. Band: its guaranteed interval. Dashed line: the goal, 30%."
    )
    assert caption(session_of(2, 10)) == (
        "Line: estimate after each label. Band: its guaranteed interval. Thin line: no difference."
    )
    board = session_of(3, 10, goal=Goal(threshold=0))
    leader = board.leaderboard().leader.name
    assert caption(board) == f"Line: estimate of {leader} after each label. Band: its guaranteed interval."
    both = session_of(n_labels=85, protocol="adaptive")
    assert ('class="approximate"' in both.report("html")) == ("dark band" in caption(both))


def test_the_levels_of_a_leaderboard_agree() -> None:
    text = text_of(session_of(3))
    assert set(re.findall(r"probability of ([\d.]+)%", text)) == {"95"}
    assert "the true values of all 3 models are inside their intervals" in text
    assert "98.3" not in text


def test_a_leaderboard_names_its_model_and_the_best_one() -> None:
    session = session_of(3, 90)
    text = text_of(session)
    assert "Promised by A: " in text
    assert "; A is " in text
    assert "the best so far" not in str(session)
    assert str(session).startswith("Error rate of A, the best of 3 models: ")
    figures = result_content(session, session.watched())["figures"]
    assert figures[-1]["text"].startswith("promised; A is ")


@pytest.mark.parametrize("n_models", [1, 2, 3])
def test_with_all_labels_no_interval_is_spoken_of(n_models: int) -> None:
    text = text_of(session_of(n_models, 90))
    assert "interval" not in text
    assert "p-value for no difference" not in text
    for low, high in re.findall(r"([\d.]+%) to ([\d.]+%);", text):
        assert low != high
    assert ("right in" not in text) or "%; exact; " in text


def test_one_of_anything_is_in_the_singular() -> None:
    one = session_of(m=1)
    text = text_of(one)
    assert "of A on 1 text?" in text
    assert "The only text has a label, so this is exact." in text
    assert "1 of 1 text\n" in text
    assert not re.search(r"\b1 (texts|labels|points)\b", text)
    badge = result_content(one, one.watched())["badge"]
    assert badge == "After 1 label"
    assert format_width(ErrorRate(), 0.01) == "±1 point"
    records = Pool([{"x": 1}], predictions=ValuePredictions([1.0], [1.0]))
    of_value = give_labels(Session(records, AbsoluteError(), y_range=(0, 9)), [3.0])
    assert "on 1 record?" in text_of(of_value)
    two = text_of(session_of(2, m=1))
    assert "for the only text." in two or "for 1 of 1 text." in two


def test_numbers_are_plain() -> None:
    text = text_of(session_of(3, 60))
    assert not re.search(r"\d\.0 seen", text)
    assert "p = " not in text
    assert "p-value below 0.001" in text
    assert "median 2 seconds a label" in text
    quick = session_of(n_labels=0)
    give_labels(quick, Y_TRUE, 3, seconds=0.098)
    assert "median 0.098 seconds a label" in text_of(quick)
    assert "0.098\N{NO-BREAK SPACE}s each" in Panels(quick).one("progress")["text"]


def test_the_wald_interval_has_the_digits_of_the_guaranteed_one() -> None:
    text = text_of(session_of(n_labels=35))
    [main, *_, wald] = [
        re.findall(r"[\d.]+(?=%)", line)[1:3] for line in re.findall("- 95% interval.*", text)
    ]
    assert {len(end.partition(".")[2]) for end in main} == {len(end.partition(".")[2]) for end in wald}
