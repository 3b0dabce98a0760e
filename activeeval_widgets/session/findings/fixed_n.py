"""Estimates and intervals for a number of labels fixed beforehand, and exact values."""

from collections.abc import Sequence
from dataclasses import replace
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.session.findings.known_value import known_value as value_of_labeled
from activeeval_widgets.session.findings.settled_difference import (
    SettledDifference,
    settled_difference,
    where_they_differ,
)
from activeeval_widgets.session.findings.watched_interval import pvalue_of_known
from activeeval_widgets.session.log.state import UNANSWERED
from activeeval_widgets.session.pool.asked_items import check_depth
from activeeval_widgets.session.pool.label_kinds import Labels
from activeeval_widgets.stats import ClassPredictions, ConfusionEstimate, Estimate, Measure, Predictions
from activeeval_widgets.stats._typing import AnyArray
from activeeval_widgets.stats._validation import check_count
from activeeval_widgets.stats.measures.chosen_measure import as_measure
from activeeval_widgets.stats.questions.make import question_of, target_of

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


def measure_of(findings: "Findings", measure: Measure | str | None, positive: Any = None) -> Measure:
    """Return the requested measure: the session's, another object, or one by its name."""
    if measure is None:
        if positive is not None:
            raise ValueError(
                f"positive is {positive!r}, which needs a measure given by name: pass one, such as "
                "measure='f1'"
            )
        return findings.measure
    if not isinstance(measure, Measure) or positive is not None:
        models = None if findings.pool.is_open else findings.models
        measure = as_measure(measure, positive, models, default_positive=findings.measure.positive)
    check_depth(findings.pool, measure)
    return measure


def intervals(
    findings: "Findings",
    measure: Measure | str | None = None,
    *,
    positive: Any = None,
) -> tuple[str, ...]:
    """Return the names of the valid intervals for these draws, the default first; see `estimate`.

    Parameters
    ----------
    measure : Measure or str, optional
        Another measure than the session's, or its name; see `estimate`.
    positive : class label, optional
        The class of interest for a measure given by name.

    Returns
    -------
    tuple of str
        Valid values of `interval` in `estimate`.

    See Also
    --------
    estimate : Accepts one of them.
    estimators : The names of the estimators.

    Examples
    --------
    >>> session.findings.intervals()
    ('confidence_sequence', 'approximate', 'wald')
    """
    return findings.draws.source.intervals(measure_of(findings, measure, positive))


def check_interval(
    findings: "Findings",
    interval: str | None,
    measure: Measure,
    estimator: str | None,
) -> str:
    """Return the interval's name after checking that interval and estimator are valid."""
    if estimator is not None and estimator not in findings.estimators:
        does = "have their own: leave it out, or pass" if len(findings.estimators) == 1 else "have"
        raise ValueError(
            f"estimator is {estimator!r}, but draws by the {findings.draws.protocol} protocol {does} "
            f"{', '.join(map(repr, findings.estimators))}"
        )
    if interval is None:
        return "confidence_sequence"
    names = findings.intervals(measure)
    if interval not in names:
        raise ValueError(
            f"interval is {interval!r}, which does not hold for the {measure.name} from draws by the "
            f"protocol {findings.draws.protocol!r}; those that do: {', '.join(map(repr, names))}"
        )
    return interval


def fixed_n_estimates(
    findings: "Findings",
    at: ArrayLike | None,
    measure: Measure,
    interval: str,
    level: float,
    estimator: str | None,
) -> list[Estimate]:
    """Return estimates with fixed-n intervals."""
    answered = findings.draws.answers.answered()
    n_answered = answered.draws.size
    counts = [n_answered] if at is None else _positions(at, answered.is_excluded)
    found = findings.draws.source.estimate(
        measure,
        answered,
        at=counts,
        interval=interval,
        confidence_level=level,
        estimator=estimator,
        y_range=findings.y_range,
    )
    known = known_value(findings, measure) if n_answered in counts else None
    if known is None:
        return found
    pvalue = pvalue_of_known(known, findings.question.quantity)
    exact: dict[str, Any] = {
        "value": known, "standard_error": 0.0, "low": known, "high": known, "pvalue": pvalue,
        "statistic": nan, "is_asymptotic": False, "reason": None,
        "approximate_low": known, "approximate_high": known, "approximate_reason": None,
    }  # fmt: skip
    return [
        replace(each, **exact) if n == n_answered else each for n, each in zip(counts, found, strict=True)
    ]


def in_order(findings: "Findings", found: list[Estimate], measure: Measure, level: float) -> list[Estimate]:
    """Hold the approximate intervals of estimates at the first deferred instance."""
    if not findings.log.state.deferred:
        return found
    n_known = int((~findings.draws.answers.in_order().is_excluded).sum())
    if all(each.n_draws <= n_known for each in found):
        return found
    [last] = fixed_n_estimates(findings, [n_known], measure, "wald", level, None)
    return [
        each
        if each.n_draws <= n_known
        else replace(
            each,
            approximate_low=last.approximate_low,
            approximate_high=last.approximate_high,
            approximate_reason=last.approximate_reason,
            approximate_error=last.approximate_error,
            approximate_skew=last.approximate_skew,
        )
        for each in found
    ]


def known_value(
    findings: "Findings",
    measure: Measure | str | None = None,
    *,
    positive: Any = None,
) -> float | None:
    """Return the exact value once all instances that can be drawn have an answer, else None.

    For two models it is the difference; for more, the value of the best.

    Parameters
    ----------
    measure : Measure or str, optional
        Another measure than the session's, or its name; see `estimate`.
    positive : class label, optional
        The class of interest for a measure given by name.

    Returns
    -------
    float or None
        None also if the measure is not defined.

    See Also
    --------
    estimate : The estimate at any time.

    Examples
    --------
    >>> while session.next() is not None:
    ...     event = session.label(0)
    >>> round(session.known_value(), 3)
    0.667
    >>> event = session.undo()
    >>> session.known_value() is None
    True
    """
    asked = measure_of(findings, measure, positive)
    if not is_known(findings):
        return None
    leader = findings._leader(asked, findings.confidence_level)
    if leader is not None:
        of_leader: float | None = leader[0].known_value(asked)
        return of_leader
    indices = sorted(findings.log.state.labels)
    labels = findings.labels.decode([findings.log.state.labels[index] for index in indices], indices)
    return value_of_labeled(asked, list(findings.models), indices, labels, findings.draws.source.n_drawable)


def _settled_difference(findings: "Findings", measure: Measure) -> SettledDifference | None:
    """Return exact bounds of a difference once all instances on which models can differ have an answer."""
    if (
        not findings.question.draws_apart
        or findings.pool.is_streamed
        or not findings.draws.source.settles_differences
    ):
        return None  # a streamed pool has only the drawn instances at hand
    key = type(measure), repr(measure)
    if key not in findings._can_differ:
        findings._can_differ[key] = where_they_differ(measure, findings.models)
    can_differ = findings._can_differ[key]
    if can_differ is None or can_differ.size > len(findings.log.state.answers):
        return None
    labeled = [index for index in can_differ.tolist() if index in findings.log.state.labels]
    y_true = findings.labels.decode([findings.log.state.labels[index] for index in labeled], labeled)
    target = target_of(measure, list(findings.models))
    return settled_difference(target, can_differ, findings.draws.answers.in_order(), labeled, y_true)


def is_known(findings: "Findings") -> bool:
    """Return whether all instances that can be drawn have an answer."""
    # The cheap check first.
    if len(findings.log.state.answers) < findings.draws.source.n_drawable:
        return False
    return bool((findings.log.state.status[findings.draws.source.drawable] != UNANSWERED).all())


def draws_everywhere(findings: "Findings") -> bool:
    """Return whether every instance can be drawn; a fixed q may be 0 where a label does not count."""
    return findings.draws.source.n_drawable == findings.pool.n_instances


def confusion(findings: "Findings") -> ConfusionEstimate:
    """Estimate the confusion matrix of the pool, with the weights of `estimate`.

    Returns
    -------
    ConfusionEstimate
        Exact, with standard errors of 0, once all instances that can be drawn have an answer.

    Raises
    ------
    TypeError
        If the session is not about one model that predicts classes.
    ValueError
        If a fixed q is 0 on some instances, so that they are never drawn.

    See Also
    --------
    estimate : The measure of this matrix.

    Examples
    --------
    >>> while session.next() is not None:
    ...     event = session.label(0)
    >>> session.confusion().shares.round(3).tolist()
    [[0.333, 0.0], [0.667, 0.0]]
    """
    model = findings.models[0]
    if findings.question.pairs or not isinstance(model, ClassPredictions):
        raise TypeError(
            f"a confusion matrix is for one model's ClassPredictions, got {findings.models!r:.200}"
        )
    found = findings.draws.source.confusion(
        findings.measure, findings.draws.answers, is_known=is_known(findings)
    )
    assert isinstance(found, ConfusionEstimate)  # noqa: S101 - for the type checker
    return found


def check_suits(measure: Measure, models: Sequence[Predictions], labels: Labels) -> None:
    """Reject a measure that does not suit the predictions."""
    none = np.zeros(0, dtype=np.intp)
    for target in question_of(measure, models).targets:
        target.statistics(labels.decode([], []), none)


def _positions(at: ArrayLike, is_excluded: AnyArray) -> list[int]:
    """Return the number of answered draws before the label that follows each number of labeled draws."""
    n_labeled = np.concatenate([[0], np.cumsum(~is_excluded)])
    counts = [check_count("at", n) for n in np.asarray(at).tolist()]
    if counts and max(counts) > n_labeled[-1]:
        raise ValueError(f"at holds {max(counts)}, expected at most the {n_labeled[-1]} labeled draws")
    return [int(n) for n in np.searchsorted(n_labeled, counts, side="right") - 1]
