from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from activeeval_widgets.session import Pool, Session
from activeeval_widgets.stats import Accuracy, ErrorRate, Estimate, Measure, SquaredError, ValuePredictions
from activeeval_widgets.widgets.estimate_panel import estimate_content, format_value
from activeeval_widgets.widgets.progress_panel import progress_content, status_text

MakeSession = Callable[..., Session]
NOTE = (
    "95\u00a0% Wald interval: right for a number of labels fixed beforehand. "
    "Stopping when it looks good makes it too optimistic."
)


def an_estimate(value: float, low: float, high: float, **changes: Any) -> Estimate:
    made = Estimate(
        value=value, standard_error=0.1, low=low, high=high, n_draws=1234, n_labels=1000,
        effective_sample_size=1099.6, confidence_level=0.95, estimator="self_normalized", interval="wald",
    )  # fmt: skip
    return replace(made, **changes)


class Regret(ErrorRate):
    name = "regret"
    value_range = (0.0, 2.0)


class Points(Measure):
    """Any other measure: not a share."""

    name = "points"
    value_range = (-1.0, 1.0)
    statistics = g = gradient = introspective_mean = moments = None  # type: ignore[assignment]


# -- the estimate -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0786, "7.9\u00a0%"),
        (0, "0.0\u00a0%"),
        (1, "100.0\u00a0%"),
        (0.0004, "0.0\u00a0%"),
        (0.5, "50.0\u00a0%"),
    ],
)
@pytest.mark.parametrize("measure", [ErrorRate(), Accuracy()], ids=repr)
def test_shares_are_in_percent(measure: Measure, value: float, text: str) -> None:
    assert format_value(measure, value) == text


def test_other_measures_have_three_decimals() -> None:
    assert format_value(Points(), -0.12345) == "−0.123"


def test_not_defined_yet(make_session: MakeSession) -> None:
    assert estimate_content(ErrorRate(), make_session().estimate()) == {
        "value": None,
        "low": None,
        "high": None,
        "title": "Estimated error rate",
        "headline": "–",
        "sentence": "No labels yet",
        "note": NOTE,
    }


@pytest.mark.parametrize(
    ("measure", "sentence"),
    [
        (ErrorRate(), "Error rate 7.9\u00a0%, between 4.1\u00a0% and 13.0\u00a0%"),
        (Accuracy(), "Accuracy 7.9\u00a0%, between 4.1\u00a0% and 13.0\u00a0%"),
        (Points(), "Points 0.079, between 0.041 and 0.130"),
    ],
    ids=lambda value: repr(value)[:8],
)
def test_an_estimate_in_words(measure: Measure, sentence: str) -> None:
    content = estimate_content(measure, an_estimate(0.0786, 0.0412, 0.13))
    assert content == {
        "value": 0.0786,
        "low": 0.0412,
        "high": 0.13,
        "title": f"Estimated {measure.name}",
        "headline": format_value(measure, 0.0786),
        "sentence": sentence,
        "note": NOTE,
    }


def test_too_few_labels() -> None:
    content = estimate_content(ErrorRate(), an_estimate(0.5, 0.0, 1.0))
    assert content["sentence"] == "Error rate 50.0\u00a0%: too few labels to tell"
    assert (content["value"], content["low"], content["high"]) == (0.5, 0.0, 1.0)
    assert content["note"] == NOTE


def test_one_sided_is_not_too_few() -> None:
    sentence = estimate_content(ErrorRate(), an_estimate(0.0, 0.0, 0.7))["sentence"]
    assert sentence == "Error rate 0.0\u00a0%, between 0.0\u00a0% and 70.0\u00a0%"


def test_the_first_label_tells_too_little(make_session: MakeSession) -> None:
    session = make_session(defensive=0.5)
    session.label(0)
    assert estimate_content(session.measure, session.estimate())["sentence"].endswith(
        ": too few labels to tell"
    )


def test_the_note_names_the_level() -> None:
    note = estimate_content(ErrorRate(), an_estimate(0.1, 0.05, 0.2, confidence_level=0.9))["note"]
    assert note.startswith("90\u00a0% Wald interval: ")


# -- progress ---------------------------------------------------------------------------------------------


def test_no_progress_yet(make_session: MakeSession) -> None:
    session = make_session()
    assert progress_content(session, session.estimate()) == {
        "labels": "0", "draws": "0", "effective_sample_size": "–", "seconds": "–", "share": None,
    }  # fmt: skip


def test_progress_of_a_budget(make_session: MakeSession) -> None:
    session = make_session(budget=2000)
    for seconds in (1.0, 2.26, 30.0, None):
        session.label(0, seconds=seconds)
    session.exclude(seconds=500)
    assert progress_content(session, an_estimate(0.1, 0, 0.2)) == {
        "labels": "4 of 2,000",
        "draws": "1,234",
        "effective_sample_size": "1,100",
        "seconds": "2.3",
        "share": 4 / 2000,
    }


def test_progress_at_the_end(make_session: MakeSession) -> None:
    session = make_session(budget=2)
    session.label(0)
    session.label(0)
    assert progress_content(session, session.estimate())["share"] == 1
    assert progress_content(session, session.estimate())["labels"] == "2 of 2"


def test_status(make_session: MakeSession) -> None:
    session = make_session(classes=["cat", "dog", "cow"])
    told = [status_text(session)]
    session.label("dog")
    draws = [session.actions[-1].draw]
    told.append(status_text(session))
    for act in (session.defer, session.exclude):
        draws.append(act().draw)
        told.append(status_text(session))
    session.undo()
    session.undo()
    told.append(status_text(session))
    later = "1 put aside, not in the estimate until answered"
    assert told == [
        "Nothing labeled yet",
        f"Saved: dog (draw {draws[0]})",
        f"Put aside (draw {draws[1]}). {later}",
        f"Excluded (draw {draws[2]}). {later}. 1 excluded: the estimate is for what can be labeled",
        f"Saved: dog (draw {draws[0]})",
    ]


def test_status_tells_the_last_label_in_words() -> None:
    session = Session(
        Pool(["a", "b"], predictions=ValuePredictions([0.0, 1.0], [1.0, 1.0])),
        SquaredError(),
        y_range=(-9, 9),
        protocol="papers",
    )
    session.label(2)
    assert status_text(session, lambda label: f"{label:g} kg") == "Saved: 2 kg (draw 1)"
