"""A measure over sessions that follow one another: intervals that hold at once, and whether it got worse."""

from dataclasses import replace

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.session import open_store
from activeeval_widgets.session.findings import requirement
from activeeval_widgets.session.findings.course import SHOWN, Course, level_in_course
from activeeval_widgets.session.findings.requirement import require_no_drop
from activeeval_widgets.session.report.summary import session_summary
from activeeval_widgets.stats import (
    Accuracy,
    ErrorRate,
    LabelShare,
    MatthewsCorrelation,
    SquaredError,
    ValuePredictions,
)

M = 80


def label_in(name, n_wrong, n, *, measure="accuracy", **options):
    """Begin a session about texts of its own, of which the first are predicted wrong, and label some."""
    predicted = np.arange(M) % 2
    proba = np.where(predicted == 1, 0.8, 0.2)
    pool = Pool([f"{name} {i}" for i in range(M)], predictions=np.column_stack([1 - proba, proba]))
    session = Session(pool, measure, name=name, **options)
    for _ in range(n):
        index = session.next().index
        session.label(int(predicted[index] ^ (index < n_wrong)))
    return session


def course_of(n_wrong, **options):
    """Return the last of sessions that follow one another; so many instances are predicted wrong in each."""
    session = None
    for number, wrong in enumerate(n_wrong, 1):
        session = label_in(f"week {number}", wrong, 60, after=session, **options)
    return session


def test_levels_leave_what_all_sessions_together_may_miss():
    missing = [1 - level_in_course(0.9, place) for place in range(1, 2001)]
    assert missing[:3] == pytest.approx([0.05, 0.1 / 6, 0.1 / 12])
    assert np.cumsum(missing) == pytest.approx(0.1 * (1 - 1 / np.arange(2, 2002)))
    assert missing == sorted(missing, reverse=True)


def test_each_session_stands_as_when_the_next_one_was_begun():
    first = label_in("May", 8, 40, confidence_level=0.9)
    then = first.estimate(confidence_level=level_in_course(0.9, 1))
    second = label_in("June", 8, 30, confidence_level=0.9, after=first)
    first.label(0)
    june = second.estimate(confidence_level=level_in_course(0.9, 2))
    third = label_in("July", 20, 40, confidence_level=0.9, after=second)
    found = third.findings.course()
    assert found.sessions == ("May", "June", "July")
    own = third.estimate(confidence_level=level_in_course(0.9, 3))
    for told, expected in zip(found.estimates, (then, june, own), strict=True):
        for key in ("value", "low", "high", "n_labels", "confidence_level", "is_asymptotic"):
            assert getattr(told, key) == getattr(expected, key)
    assert found.confidence_level == 0.9
    assert second.findings.course().sessions == ("May", "June")
    assert first.findings.course().sessions == ("May",)
    narrower = third.estimate()
    assert own.low < narrower.low < narrower.high < own.high


def test_it_is_kept_with_the_log_and_begins_empty(tmp_path):
    store = open_store(tmp_path / "s.sqlite")
    first = label_in("May", 8, 0, store=store)
    second = label_in("June", 8, 10, store=store, after=first)
    assert second.log[0].course == [["May", None, 0.0, 1.0, 0]]  # a log has no NaN
    again = label_in("June", 8, 0, store=open_store(tmp_path / "s.sqlite"))
    for session in (second, again):
        may, june = session.findings.course().estimates
        assert (may.n_labels, may.low, may.high) == (0, 0.0, 1.0)
        assert np.isnan(may.value)
        assert june.n_labels == 10
        assert "not known to differ" in session.findings.course().sentence
    [row, _] = SHOWN.rows(again.findings, None)
    assert row == ("May", "not known yet")
    assert SHOWN.content(again.findings, {})["rows"][0]["has_interval"] is False


def follows(session):
    return [each.session for each in session.log.state.course]


def test_another_question_begins_a_course_of_its_own():
    first = label_in("May", 8, 20)
    assert follows(label_in("June", 8, 0, after=first)) == ["May"]
    cases = [
        ({"measure": "error-rate"}, ["June"]),
        ({"confidence_level": 0.9}, ["June"]),
        ({"measure": MatthewsCorrelation()}, []),  # its interval is approximate
    ]
    for options, goes_on in cases:
        other = label_in("June", 8, 20, after=first, **options)
        assert (other.log.state.after, follows(other)) == ("May", [])
        later = label_in("July", 8, 0, after=other, **options)
        assert follows(later) == goes_on
        with pytest.raises(ValueError, match="'June' was begun after 'May', but they can't be compared"):
            require_no_drop(other.findings, "May")
        assert not SHOWN.is_there(other.findings)
        assert (SHOWN.paragraphs(other.findings), SHOWN.rows(other.findings, None)) == ([], [])


def test_an_interval_that_is_not_guaranteed_is_in_no_course():
    def values(name, **options):
        pool = Pool([f"{name} {i}" for i in range(M)], predictions=ValuePredictions(np.zeros(M), np.ones(M)))
        return Session(pool, SquaredError(), name=name, **options)

    known = values("May", y_range=(-1.0, 1.0))
    assert follows(values("June", y_range=(-1.0, 1.0), after=known)) == ["May"]
    assert follows(values("June", after=known)) == []
    assert follows(values("June", y_range=(-1.0, 1.0), after=values("May"))) == []


def test_two_models_have_no_course():
    proba = np.full((M, 2), 0.5)
    pool = Pool([f"text {i}" for i in range(M)], predictions=[proba, proba])
    two = Session(pool, ErrorRate(), name="two")
    assert follows(Session(pool, ErrorRate(), name="next", after=two)) == []
    single = Session(Pool(list(pool.instances), predictions=proba), ErrorRate(), name="single", after=two)
    assert follows(single) == []
    assert follows(Session(pool, ErrorRate(), name="two again", after=single)) == []
    with pytest.raises(ValueError, match="a course is about one model, got"):
        two.findings.course()


ESTIMATE = replace(label_in("any", 8, 5).estimate(), n_labels=100)


def a_course(measure, *ends):
    """Return a course with given intervals."""
    estimates = tuple(replace(ESTIMATE, value=sum(each) / 2, low=each[0], high=each[1]) for each in ends)
    return Course(measure, tuple(f"week {i}" for i in range(1, len(ends) + 1)), estimates, 0.95)


@pytest.mark.parametrize(
    ("measure", "ends", "drop", "sentence"),
    [
        (Accuracy(), [(0.8, 0.9), (0.6, 0.7456)], (0.0544, 0.3), "lower than in week 1, by at least 5.4 p"),
        (Accuracy(), [(0.6, 0.7), (0.75, 0.9)], (-0.3, -0.05), "higher than in week 1, by at least 5.0 p"),
        (Accuracy(), [(0.6, 0.7), (0.65, 0.9)], (-0.3, 0.05), "is not known to differ from that in any"),
        (ErrorRate(), [(0.1, 0.2), (0.25, 0.3)], (0.05, 0.2), "higher than in week 1, by at least 5.0 p"),
        (ErrorRate(), [(0.1, 0.2), (0, 0.05)], (-0.2, -0.05), "lower than in week 1, by at least 5.0 p"),
        (Accuracy(), [(0.8, 0.9), (0.85, 0.95), (0.7, 0.75)], (0.05, 0.2), "lower than in week 2, by at"),
        (Accuracy(), [(0.8, 0.9), (0.5, 0.6), (0.7, 0.75)], (0.05, 0.2), "lower than in week 1, by at"),
        (Accuracy(), [(0.8, 0.8), (0.8, 0.8)], (0.0, 0.0), "is not known to differ from that in any"),
    ],
)  # fmt: skip
def test_the_change_by_hand(measure, ends, drop, sentence):
    found = a_course(measure, *ends)
    assert found.drop("week 1") == pytest.approx(drop)
    assert sentence in found.sentence.replace("\N{NO-BREAK SPACE}", " ")


def test_a_session_that_it_does_not_follow():
    found = a_course(Accuracy(), (0.1, 0.2), (0.1, 0.2))
    for name in ("week 2", "week 0"):
        with pytest.raises(ValueError, match=f"'week 2' does not follow '{name}': it follows week 1"):
            found.drop(name)
    with pytest.raises(
        ValueError, match="'week 1' does not follow 'May': it was begun after no other session"
    ):
        a_course(Accuracy(), (0.1, 0.2)).drop("May")


def test_a_drop_is_told_everywhere():
    session = course_of([2, 40])
    text = SHOWN.content(session.findings, {})["summary"]
    assert text.startswith("The accuracy is lower than in week 1, by at least ")
    assert text.endswith(
        "95% intervals for all sessions at once, valid however often you look and however many sessions "
        "follow."
    )
    report = session.report()
    assert "## Beside earlier sessions" in report
    assert text.split("by at least")[0] in report
    assert "Earlier sessions are as they stood when the next one was begun." in report
    assert [row[0] for row in SHOWN.rows(session.findings, None)] == ["week 1", "week 2"]
    told = session_summary(session.findings, goal=None, is_done=False)
    assert told["change"] == session.findings.course().change[0] == "lower than in week 1"
    first = course_of([2])
    assert "## Beside earlier sessions" not in first.report()
    assert session_summary(first.findings, goal=None, is_done=False)["change"] == ""


@pytest.mark.parametrize("measure", ["accuracy", "error-rate", LabelShare(1)])
def test_a_requirement_is_met_by_the_bounds_alone(measure):
    for n_wrong in ([2, 2], [2, 40], [40, 2]):
        session = course_of(n_wrong, measure=measure)
        drop = session.findings.course().drop("week 1")
        for margin in (0.01, 0.2, 0.5, 0.9):
            found = require_no_drop(session.findings, "week 1", margin=margin)
            assert found.is_met == (True if drop.high <= margin else False if drop.low > margin else None)
        is_any = require_no_drop(session.findings, "week 1")
        assert is_any.is_met == (True if drop.high <= 0 else False if drop.low > 0 else None)
    estimate = is_any.estimate
    assert (estimate.quantity.sides, estimate.confidence_level) == (("week 2", "week 1"), 0.95)
    sign = 1 if session.measure.greater_is_better else -1
    assert sorted([-sign * estimate.low, -sign * estimate.high]) == pytest.approx([drop.low, drop.high])


def test_it_says_how_many_more_labels_it_takes_unless_the_earlier_interval_is_too_wide():
    session = label_in("week 2", 4, 60, after=label_in("week 1", 4, 70))
    assert require_no_drop(session.findings, "week 1").plans == ()
    [plan] = require_no_drop(session.findings, "week 1", margin=0.05).plans
    assert 0 < plan.n_labels <= M - 60
    begun = label_in("week 2", 4, 0, after=label_in("week 1", 4, 70))
    assert require_no_drop(begun.findings, "week 1", margin=0.99).is_met is None


@pytest.mark.parametrize(
    ("measure", "ends", "is_met", "threshold"),
    [
        (Accuracy(), [(0.6, 0.7), (0.6, 0.79)], None, 0.69),
        (Accuracy(), [(0.6, 0.7), (0.4, 0.6)], None, 0.59),
        (Accuracy(), [(0.6, 0.7), (0.5, 0.8)], None, None),  # the values as estimated differ too little
        (Accuracy(), [(0.6, 0.7), (0.695, 0.8)], True, None),
        (Accuracy(), [(0.6, 0.7), (0.5, 0.58)], False, None),
        (Accuracy(), [(0.8, 0.8), (0.79, 0.79)], True, None),
        (ErrorRate(), [(0.3, 0.4), (0.15, 0.35)], None, 0.31),
        (ErrorRate(), [(0.3, 0.4), (0.4, 0.6)], None, 0.41),
        (ErrorRate(), [(0.3, 0.4), (0.2, 0.5)], None, None),
        (ErrorRate(), [(0.3, 0.4), (0.2, 0.305)], True, None),
    ],
)  # fmt: skip
def test_where_the_answer_about_a_drop_is_found(measure, ends, is_met, threshold, monkeypatch):
    """By hand, of 0.01: the whole interval has to be on one side of the earlier one."""
    session, goals = label_in("week 2", 8, 0, measure=measure), []
    monkeypatch.setattr(session.findings, "course", lambda: a_course(measure, *ends))
    monkeypatch.setattr(requirement, "_planned", lambda found, *given: goals.append(given[-1]) or found)
    found = require_no_drop(session.findings, "week 1", margin=0.01)
    assert found.is_met is is_met
    assert [each.threshold for each in goals] == pytest.approx([] if threshold is None else [threshold])
    assert ("ask with a larger margin" in found.remedy) is (is_met is None and threshold is None)


@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
def test_each_session_draws_anew_though_seed_and_name_are_the_same(protocol):
    """Or errors that were found and repaired are all that is looked at again."""
    sessions = [label_in("week", 8, 0, seed=5, protocol=protocol)]
    for number in (1, 2):
        sessions.append(label_in("week", 8, 0, seed=5, protocol=protocol, after=sessions[-1]))
        assert sessions[-1].log.state.n_before == number
    assert len({tuple(first_draws(each)) for each in sessions}) == 3


def first_draws(session):
    """Return the instances of the first ten draws, without an answer."""
    found = [session.next().index]
    for _ in range(9):
        session.defer()
        found.append(session.next().index)
    return found


@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
def test_sessions_after_the_same_one_draw_differently_and_each_as_it_did(protocol):
    """Each new version may follow the same first one: errors found in another one may be repaired in it."""
    first = label_in("May", 8, 10, protocol=protocol)
    drawn = [
        first_draws(label_in(name, 8, 0, protocol=protocol, after=first)) for name in ("June", "July", "June")
    ]
    assert drawn[0] == drawn[2] != drawn[1]
