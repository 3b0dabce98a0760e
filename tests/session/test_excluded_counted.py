"""Bounds that need nothing of exclusions: each excluded instance counted as the worst and as the best."""

from itertools import product
from math import ceil, floor

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets import Pool, Session
from activeeval_widgets.session.findings.excluded_counted import excluded_text
from activeeval_widgets.session.report.report import report
from activeeval_widgets.stats import (
    Accuracy,
    AdaptiveConfidenceSequence,
    ClassPredictions,
    CostMatrix,
    ErrorRate,
    FMeasure,
    LogLoss,
    MatthewsCorrelation,
    Precision,
    Ratio,
    Recall,
    RootMeanSquaredError,
    Specificity,
    SquaredError,
    ValuePredictions,
    uniform_q,
)
from activeeval_widgets.stats.questions.make import target_of
from activeeval_widgets.widgets.wording.progress import left_out

MODEL = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.25, 0.75], [0.7, 0.3], [0.1, 0.9]], name="a")
OTHER = ClassPredictions([[0.3, 0.7], [0.2, 0.8], [0.6, 0.4], [0.6, 0.4], [0.4, 0.6]], name="b")
VALUES = ValuePredictions([1.0, 2.0, 4.0, 3.0, 0.0], variance=[0.5, 0.1, 2.0, 1.0, 1.0])
UNSURE = ValuePredictions([1.5, 2.5, 2.0, 3.0, 3.5], variance=[1.0] * 5)

CASES = [
    *((measure, [MODEL]) for measure in (ErrorRate(), Accuracy(), LogLoss(), CostMatrix([[0, 1], [5, -1]]))),
    *((measure, [MODEL]) for measure in (FMeasure(), Precision(), Recall(), Specificity(), FMeasure(beta=2))),
    *((measure, [MODEL, OTHER]) for measure in (ErrorRate(), LogLoss())),
    *((measure, [VALUES]) for measure in (SquaredError(), RootMeanSquaredError())),
    (SquaredError(), [VALUES, UNSURE]),
]


@pytest.mark.parametrize("excluded", [(0,), (1, 3), (2, 4)])
@pytest.mark.parametrize(("measure", "models"), CASES, ids=repr)
def test_with_all_answered_they_are_what_the_missing_labels_could_give(measure, models, excluded):
    is_value = isinstance(models[0], ValuePredictions)
    y_range = (0.0, 5.0) if is_value else None
    y_true = np.array([0.5, 2.0, 5.0, 1.0, 0.0]) if is_value else np.array([0, 1, 0, 1, 1])
    predictions = models if len(models) > 1 else models[0]
    session = Session(Pool(["x"] * 5, predictions=predictions), measure, y_range=y_range)
    while (asked := session.next()) is not None:
        y = y_true[asked.index].item()
        session.exclude() if asked.index in excluded else session.label(y)
    found = session.findings.excluded_counted()
    possible = []
    for labels in product(np.linspace(0, 5, 51) if is_value else (0, 1), repeat=len(excluded)):
        completed = y_true.copy()
        completed[list(excluded)] = labels
        possible.append(target_of(measure, models).value_of(np.arange(5), completed))
    assert found.n_excluded == len(excluded)
    assert (found.low, found.high) == pytest.approx((np.nanmin(possible), np.nanmax(possible)), abs=1e-9)


def test_each_end_has_half_of_alpha():
    rng = np.random.default_rng(0)
    model = ClassPredictions(np.tile([0.7, 0.3], (30, 1)))
    session = Session(Pool(["x"] * 30, predictions=model), ErrorRate(), protocol="adaptive")
    for step in range(20):
        session.exclude() if step % 5 == 2 else session.label(int(rng.random() < 0.3))
    draws, y_true, is_excluded = session.draws.watched()
    labels = [None if out else int(y) for y, out in zip(y_true, is_excluded, strict=True)]
    sequences = [
        AdaptiveConfidenceSequence(ErrorRate(), model, confidence_level=0.9, filled=end)
        for end in ("least", "greatest")
    ]
    for sequence in sequences:
        for number, (draw, y) in enumerate(zip(draws, labels, strict=True), start=1):
            sequence.update(draw, session.draws.q_at(number), y)
    found = session.findings.excluded_counted(confidence_level=0.8)
    assert (found.low, found.high) == (sequences[0].low, sequences[1].high)
    assert 0 < found.low < found.high < 1


RULES = {
    "the first two errors": lambda y, before: y == 1 and before.count(None) < 2,
    "errors while there are few labels": lambda y, before: y == 1 and len(before) - before.count(None) < 3,
    "what follows an error": lambda y, before: bool(before) and before[-1] == 1,
}


@pytest.mark.parametrize("rule", RULES)
def test_by_enumeration_they_hold_whatever_exclusions_depend_on(rule):
    """All orders of errors and others, by uniform draws from a pool whose instances are predicted alike."""
    n, alpha = 5, 0.4
    model = ClassPredictions(np.tile([0.7, 0.3], (n, 1)))
    least, greatest = (
        AdaptiveConfidenceSequence(ErrorRate(), model, confidence_level=1 - alpha, filled=end)
        for end in ("least", "greatest")
    )
    q, wrong, n_orders = uniform_q(n), np.zeros((2, n + 1)), np.zeros(n + 1)
    for y_true in product([0, 1], repeat=n):
        truth, before = sum(y_true) / n, []
        least.restart()
        greatest.restart()
        is_low = is_high = False
        for draw, y in enumerate(y_true):
            before.append(None if RULES[rule](y, before) else y)
            is_low |= least.update(draw, q, before[-1])[0] > truth + 1e-9
            is_high |= greatest.update(draw, q, before[-1])[1] < truth - 1e-9
        n_orders[sum(y_true)] += 1
        wrong[:, sum(y_true)] += is_low, is_high
    assert (wrong <= alpha * n_orders).all()


def sessions(n_sessions, protocol):
    """The first six errors are skipped, then nothing is: whether the bounds were ever wrong."""
    for seed in range(n_sessions):
        rng = np.random.default_rng(seed)
        p = rng.beta(2, 5, 100)
        y_true = (rng.random(100) < p).astype(int)
        model = ClassPredictions(np.tile([0.7, 0.3], (100, 1)))
        session = Session(Pool(["x"] * 100, predictions=model), ErrorRate(), seed=seed, protocol=protocol)
        is_wrong = False
        for _ in range(60):
            asked = session.next()
            session.exclude() if y_true[asked.index] and session.log.n_excluded < 6 else session.label(
                int(y_true[asked.index])
            )
            found = session.findings.excluded_counted()
            is_wrong |= found is not None and not found.low <= y_true.mean() <= found.high
        assert found.low < session.estimate().low
        assert found.high - found.low < 0.5
        yield is_wrong


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
def test_they_hold_where_the_first_errors_are_skipped(protocol):
    assert sum(sessions(8, protocol)) <= binom.ppf(0.999, 8, 0.05)


def test_an_answer_that_is_taken_back_changes_them():
    session, fresh = (Session(Pool(["x"] * 5, predictions=MODEL), ErrorRate()) for _ in range(2))
    session.exclude()
    assert session.findings.excluded_counted() is not None
    session.undo()
    assert session.findings.excluded_counted() is None
    for each in (session, fresh):
        each.label(1)
        each.exclude()
    assert session.findings.excluded_counted() == fresh.findings.excluded_counted()


@pytest.mark.parametrize(("n_answers", "is_shown"), [(51, False), (50, False), (49, True), (48, True)])
def test_they_are_shown_where_more_than_two_percent_of_the_answers_are_exclusions(n_answers, is_shown):
    model = ClassPredictions(np.tile([0.7, 0.3], (120, 1)))
    session = Session(Pool(["x"] * 120, predictions=model), ErrorRate())
    for at in range(n_answers):
        session.next()
        session.exclude() if at == 3 else session.label(int(at % 3 == 0))
    assert ("counted as the worst and as the best" in excluded_text(session.findings)) is is_shown


def test_page_and_report_show_them_above_two_percent():
    model = ClassPredictions(np.tile([0.7, 0.3], (120, 1)))
    session = Session(Pool(["x"] * 120, predictions=model), ErrorRate())
    for at in range(51):
        session.next()
        session.exclude() if at == 3 else session.label(int(at % 3 == 0))
    outcome = "1 excluded: the result covers only what can be labeled."
    assert left_out(session) == outcome
    assert outcome in report(session.findings)
    session.next()
    session.exclude()
    found = session.findings.excluded_counted()
    # two digits of half the width, rounded outward
    low, high = floor(100 * found.low), ceil(100 * found.high)
    more = (
        "2 excluded: the result covers only what can be labeled. With each of them counted as the worst "
        f"and as the best: between {low}% and {high}% (95% confidence), "
        "whatever was excluded and why."
    )
    assert left_out(session) == more
    text = report(session.findings)
    assert more in text
    assert "not on what came before" in text


def test_measures_without_an_equation_have_none():
    session = Session(Pool(["x"] * 5, predictions=MODEL), MatthewsCorrelation())
    session.exclude()
    assert session.findings.excluded_counted() is None
    assert session.findings.excluded_counted(ErrorRate()) is not None
    assert left_out(session).endswith("depends only on the instance and its label, not on what came before.")
    with pytest.raises(ValueError, match="has no exact equation"):
        AdaptiveConfidenceSequence(MatthewsCorrelation(), MODEL, filled="least")
    with pytest.raises(ValueError, match="filled"):
        AdaptiveConfidenceSequence(ErrorRate(), MODEL, filled="most")


@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
def test_a_ratio_whose_worst_label_depends_on_its_value_has_none(protocol):
    """At 0 the worst label is the one with no numerator, at 1 the one with the largest denominator."""
    ratio = Ratio.from_tables(
        "own", [[1, 0.2, 0], [0, 1, 0], [0.2, 0, 1]], [[1, 1, 0.5], [0.5, 1, 1], [1, 0.5, 1]]
    )
    p = np.random.default_rng(0).dirichlet([1, 1, 1], 20)
    session = Session(Pool(["x"] * 20, predictions=ClassPredictions(p)), ratio, protocol=protocol)
    session.next()
    session.label(0)
    session.exclude()
    assert session.findings.excluded_counted() is None
    assert left_out(session).endswith("not on what came before.")
    assert "not on what came before" in report(session.findings)
