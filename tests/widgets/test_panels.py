from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from activeeval_widgets.session import Pool, Session
from activeeval_widgets.session.findings.excluded_counted import HOLDS_IF
from activeeval_widgets.stats import (
    ERR,
    Accuracy,
    CalibrationError,
    ErrorRate,
    Estimate,
    Measure,
    SquaredError,
    ValuePredictions,
)
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.quantities import Differences, Quantity
from activeeval_widgets.widgets.evaluation.estimate import estimate_content
from activeeval_widgets.widgets.wording.measures import format_width
from activeeval_widgets.widgets.wording.progress import left_out, progress_content, status_text

MakeSession = Callable[..., Session]
NOTE = (
    "Wald interval: valid only for a number of labels fixed in advance. "
    "Stopping when it looks good makes it too optimistic."
)


def an_estimate(value: float, low: float, high: float, **changes: Any) -> Estimate:
    made = Estimate(
        value=value, standard_error=0.1, low=low, high=high, n_draws=1234, n_labels=1000,
        effective_sample_size=1099.6, confidence_level=0.95, estimator="self_normalized", interval="wald",
    )  # fmt: skip
    return replace(made, **changes)


def watched(value: float, low: float, high: float, **changes: Any) -> Estimate:
    return an_estimate(
        value, low, high, **{"interval": "confidence_sequence", "is_asymptotic": False, **changes}
    )


class Regret(ErrorRate):
    name = "regret"
    value_range = (0.0, 2.0)


class Points(Measure):
    """Any other measure: not a share."""

    name = "points"
    value_range = (-1.0, 1.0)
    statistics = g = gradient = introspective_mean = moments = None


# -- the estimate -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0786, "7.9%"),
        (0, "0.0%"),
        (1, "100.0%"),
        (0.0004, "0.0%"),
        (0.5, "50.0%"),
    ],
)
@pytest.mark.parametrize("measure", [ErrorRate(), Accuracy()], ids=repr)
def test_shares_are_in_percent(measure: Measure, value: float, text: str) -> None:
    assert Numbers(Quantity(measure)).value(value) == text


def test_other_measures_have_three_decimals() -> None:
    assert Numbers(Quantity(Points())).value(-0.12345) == "−0.123"


def test_differences_of_shares_are_in_points() -> None:
    assert Numbers(Differences(ErrorRate())).plain(-0.0312, sign=True) == "−3.1"
    assert Numbers(Differences(Points())).plain(0.0312, sign=True) == "+0.031"
    assert format_width(ErrorRate(), 0.025) == "±2.5 points"
    assert format_width(Points(), 0.1) == "±0.1"


def test_not_defined_yet(make_session: MakeSession) -> None:
    content = estimate_content(
        Quantity(ErrorRate()), make_session().estimate(interval="wald"), intro="What this is."
    )
    assert content == {
        "value": None,
        "low": None,
        "high": None,
        "approximate_low": None,
        "approximate_high": None,
        "title": "Error rate",
        "headline": "–",
        "spoken": "",
        "sentence": "No labels yet.",
        "interval": "",
        "approximate": "",
        "note": NOTE,
        "intro": "What this is.",
        "bar": None,
    }


@pytest.mark.parametrize(
    ("measure", "spoken", "interval"),
    [
        (ErrorRate(), "Error rate 7.9%. ", "4.1% to 13.0%"),
        (Accuracy(), "Accuracy 7.9%. ", "4.1% to 13.0%"),
        (Points(), "Points 0.079. ", "0.041 to 0.130"),
    ],
    ids=lambda value: repr(value)[:8],
)
def test_an_estimate_in_words(measure: Measure, spoken: str, interval: str) -> None:
    content = estimate_content(Quantity(measure), watched(0.0786, 0.0412, 0.13), intro="What this is.")
    bar = content.pop("bar")
    assert content == {
        "value": 0.0786,
        "low": 0.0412,
        "high": 0.13,
        "approximate_low": None,
        "approximate_high": None,
        "title": measure.name.capitalize(),
        "headline": Numbers(Quantity(measure)).value(0.0786),
        "spoken": spoken,
        "sentence": f"95% interval: {interval}, valid however often you look.",
        "interval": interval,
        "approximate": "Approximate interval: needs more labels.",
        "note": "",
        "intro": "",
    }
    assert 0 <= bar["low"] < bar["value"] < bar["high"] <= 1
    assert bar["zero"] is None


def test_an_approximate_interval_is_reported_as_one() -> None:
    content = estimate_content(Quantity(ErrorRate()), watched(0.1, 0.05, 0.2, is_asymptotic=True))
    assert (content["low"], content["high"]) == (0.05, 0.2)
    assert (content["approximate_low"], content["approximate_high"]) == (0.05, 0.2)
    assert content["sentence"].startswith("Approximate 95% interval: ")
    assert content["note"] == ""
    assert content["bar"]["is_approximate"]


def test_both_intervals_are_distinguished() -> None:
    found = watched(0.1, 0.05, 0.25)
    content = estimate_content(
        Quantity(ErrorRate()), replace(found, approximate_low=0.07, approximate_high=0.2)
    )
    assert (content["low"], content["high"]) == (0.05, 0.25)
    assert (content["approximate_low"], content["approximate_high"]) == (0.07, 0.2)
    assert content["sentence"] == ("95% interval: 5% to 25%, valid however often you look.")
    assert content["approximate"] == "Approximate interval: 7.0% to 20.0%."
    bar = content["bar"]
    assert bar["low"] < bar["within"]["low"] < bar["value"] < bar["within"]["high"] < bar["high"]
    assert not bar["is_approximate"]
    # What is as wide tells nothing more.
    wide = estimate_content(
        Quantity(ErrorRate()), replace(found, approximate_low=0.05, approximate_high=0.25)
    )
    assert (wide["approximate_low"], wide["approximate_high"]) == (None, None)
    assert (wide["approximate"], wide["bar"]["within"]) == ("", None)
    # One model's calibration error has no such interval, and will have none.
    alone = estimate_content(Quantity(CalibrationError()), found)
    assert (alone["approximate"], alone["bar"]["within"]) == ("", None)
    assert estimate_content(Differences(CalibrationError(), ("new", "old")), found)["approximate"]
    difference = replace(found, approximate_low=0.07, approximate_high=0.2)
    content = estimate_content(Differences(ErrorRate(), ("new", "old")), difference, whole=(-1, 1))
    assert content["approximate"] == "Approximate interval: +7.0 to +20.0\u00a0points."


def test_a_withheld_interval_is_not_shown() -> None:
    caution = "The labels have heavy tails; give y_range for an interval."
    content = estimate_content(
        Quantity(ErrorRate()), watched(0.1, 0.05, 0.2, is_asymptotic=True), caution=caution
    )
    assert content["value"] == 0.1
    assert {content[f"{kind}{end}"] for kind in ("", "approximate_") for end in ("low", "high")} == {None}
    assert (content["sentence"], content["interval"], content["approximate"]) == (caution, "", "")
    # The estimate alone stays in its place.
    bar = content["bar"]
    assert bar["low"] == bar["value"] == bar["high"]
    assert (bar["within"], bar["is_approximate"]) == (None, False)


def test_a_difference_in_words() -> None:
    content = estimate_content(
        Differences(ErrorRate(), ("new", "old")),
        watched(-0.05, -0.08, -0.02),
        whole=(-1, 1),
        verdict="New is better by at least 2.0 points.",
    )
    assert content["title"] == "Error rate: new minus old"
    assert content["headline"] == "−5.0\u00a0points"
    assert content["sentence"] == (
        "New is better by at least 2.0 points. 95% interval: −8.0 to −2.0\u00a0points, "
        "valid however often you look."
    )
    content = estimate_content(
        Differences(ErrorRate(), ("new", "old")), watched(0.05, -0.08, 0.2), whole=(-1, 1)
    )
    assert content["sentence"].startswith("95% interval: ")  # the goal's box has the verdict
    assert 0 < content["bar"]["zero"] < content["bar"]["value"] < 1


def test_abbreviations_are_spelled_out() -> None:
    assert (
        estimate_content(Quantity(ERR()), watched(0.1, 0.05, 0.2))["title"]
        == "Expected reciprocal rank (ERR)"
    )
    assert estimate_content(Quantity(ERR(cutoff=5)), watched(0.1, 0.05, 0.2))["spoken"].startswith(
        "Expected reciprocal"
    )


def test_too_few_labels() -> None:
    content = estimate_content(Quantity(ErrorRate()), watched(0.5, 0.0, 1.0))
    assert content["sentence"] == "Too few labels to tell yet."
    assert (content["value"], content["low"], content["high"]) == (0.5, 0.0, 1.0)
    assert content["interval"] == ""


def test_one_sided_is_not_too_few() -> None:
    sentence = estimate_content(Quantity(ErrorRate()), watched(0.0, 0.0, 0.7))["sentence"]
    assert "0% to 70%" in sentence


def test_the_first_label_shows_too_little(make_session: MakeSession) -> None:
    session = make_session(defensive=0.5)
    session.label(0)
    content = estimate_content(Quantity(session.measure), session.estimate(), intro="What this is.")
    assert content["sentence"] == "Too few labels to tell yet."
    assert content["intro"] == ""


def test_the_sentence_names_the_level() -> None:
    sentence = estimate_content(Quantity(ErrorRate()), an_estimate(0.1, 0.05, 0.2, confidence_level=0.9))[
        "sentence"
    ]
    assert sentence.startswith("90% interval: ")


# -- progress ---------------------------------------------------------------------------------------------


def test_no_progress_yet(make_session: MakeSession) -> None:
    session = make_session()
    assert progress_content(session, session.n_draws) == {"text": "0 labels", "share": None}


def test_progress_of_a_budget(make_session: MakeSession) -> None:
    session = make_session(budget=2000)
    for seconds in (1.0, 2.26, 30.0, None):
        session.label(0, seconds=seconds)
    session.exclude(seconds=500)
    assert progress_content(session, 1234) == {
        "text": "4 of 2,000 labels · 1,234 draws · 2.3\u00a0s each",
        "share": 4 / 2000,
    }


def test_progress_at_the_end(make_session: MakeSession) -> None:
    session = make_session(budget=2)
    session.label(0)
    session.label(0)
    assert progress_content(session, session.n_draws) == {"text": "2 of 2 labels", "share": 1}


def test_status(make_session: MakeSession) -> None:
    session = make_session(classes=["cat", "dog", "cow"])
    text = [(status_text(session), left_out(session))]
    for act in (lambda: session.label("dog"), session.defer, session.exclude):
        act()
        text.append((status_text(session), left_out(session)))
    for _ in range(3):
        session.undo()
        text.append((status_text(session), left_out(session)))
    session.label("dog")
    text.append((status_text(session), left_out(session)))
    excluded = f"1 excluded: the result covers only what can be labeled. {HOLDS_IF}"
    aside = "1 put aside: the interval waits."
    assert text == [
        ("", ""),
        ("Saved: dog", ""),
        ("Put aside · so far 1 put aside", aside),
        ("Excluded · so far 1 put aside, 1 excluded", f"{excluded} {aside}"),
        ("Undone: excluded · so far 1 put aside", aside),
        ("Undone: put aside", ""),
        ("Undone: dog", ""),
        ("Saved: dog", ""),
    ]
    [labeled] = session.log.actions
    session.change(labeled.instance, "cow")
    assert status_text(session) == f"Changed {labeled.instance_id}: cow"
    session.undo()
    assert status_text(session) == f"Undone: changed {labeled.instance_id}: cow"


def test_no_log_is_searched_for_somebody_who_has_not_answered(make_session: MakeSession) -> None:
    class Unread(list[Any]):
        def __reversed__(self) -> Any:
            raise AssertionError("every event is looked at, with each answer of the others")

    session = make_session(classes=["cat", "dog", "cow"], who="Ada")
    session.label("dog")
    session.people.who = "Ben"
    state = session.log.state
    state.log = Unread(state.log)
    assert status_text(session) == ""


def test_status_shows_the_last_label_in_words() -> None:
    session = Session(
        Pool(["a", "b"], predictions=ValuePredictions([0.0, 1.0], [1.0, 1.0])),
        SquaredError(),
        y_range=(-9, 9),
        protocol="papers",
    )
    session.label(2)
    assert status_text(session, lambda label, _: f"{label:g} kg") == "Saved: 2 kg"
