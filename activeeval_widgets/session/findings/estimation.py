"""Estimates of the measure and their confidence sequences."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from numpy.typing import ArrayLike

from activeeval_widgets.session.draws.confidence_sequences import DrawnInterval
from activeeval_widgets.session.findings.estimated_interval import EstimatedInterval, around, with_both
from activeeval_widgets.session.findings.excluded_counted import ExcludedBounds, ExcludedCounted
from activeeval_widgets.session.findings.fixed_n import (
    check_interval,
    check_suits,
    fixed_n_estimates,
    in_order,
    measure_of,
)
from activeeval_widgets.session.findings.watched_interval import WatchedInterval
from activeeval_widgets.stats import Estimate, Measure, ModelTrial

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


class Provisional(NamedTuple):
    """The value from all labels, while some don't count yet.

    Attributes
    ----------
    value : float
        The value, which is biased toward instances that are answered fast.
    n_labels : int
        The number of all labels.
    n_waiting : int
        The number of labels that don't count yet.

    See Also
    --------
    Findings.provisional : Returns one.

    Examples
    --------
    >>> Provisional(0.25, 12, 3).n_waiting
    3
    """

    value: float
    n_labels: int
    n_waiting: int


def suitable_measure(findings: "Findings", measure: Measure | str | None, positive: Any = None) -> Measure:
    """Return the requested measure after checking that it suits the predictions."""
    asked = measure_of(findings, measure, positive)
    if asked is findings.measure:
        return asked
    key = type(asked), repr(asked)
    if key not in findings._checked_measures:
        # Cached: ten models need 45 checks, which pages would repeat for each label.
        check_suits(asked, findings.models, findings.labels)
        findings.draws.source.check(asked)
        findings._checked_measures.add(key)
    return asked


def estimate(
    findings: "Findings",
    measure: Measure | str | None = None,
    *,
    positive: Any = None,
    interval: str | None = None,
    confidence_level: float | None = None,
    estimator: str | None = None,
) -> Estimate:
    """Return the estimate from all labels so far, with the interval that the page shows.

    Parameters
    ----------
    measure : Measure or str, optional
        Another measure than the session's; draws are optimal only for the session's own. An object, a name
        of the command line ("f1", "roc-auc"), or a name of scikit-learn's `scoring` ("f1_macro"; the sign
        of ``"neg_mean_squared_error"`` is dropped); see `stats.measure_named`.
    positive : class label, optional
        The class of interest for a measure given by name; by default that of the session's measure.
    interval : str, optional
        The default "confidence_sequence" is anytime-valid: it holds at all numbers of labels simultaneously.
        It is guaranteed if the measure has such an interval, otherwise it is the approximate one
        (`is_asymptotic`). "approximate" is the asymptotic confidence sequence, within the guaranteed one. It
        is withheld under conditions where it was measured to fail. Both use draws in draw order, so they
        wait for deferred instances. The others hold for one number of labels fixed beforehand: "wald", and
        under the papers' protocol "t"; for unweighted draws with losses 0 or 1 "wilson" and
        "clopper_pearson". See `intervals`.
    confidence_level : float, optional
        The level of the interval; by default the session's.
    estimator : str, optional
        How the value is computed: "self_normalized" (the default) or "difference" under the papers'
        protocol (see `stats.estimate`), "adaptive" under the adaptive one (`stats.estimate_adaptive`). See
        `estimators`.

    Returns
    -------
    Estimate
        For two models, the difference between the first one's measure and the second's; for more, the
        measure of the best model so far, with an interval that holds for all models simultaneously. The
        p-value belongs to the interval, and is anytime-valid if that is. `standard_error` is that of the
        value. Once all instances that can be drawn have an answer, the value is known, and interval and
        standard error have no width.

    Raises
    ------
    ValueError, TypeError
        If the measure does not suit the predictions, or needs instances that are never drawn, or if the
        interval is not valid for these draws: the message lists the valid ones.

    See Also
    --------
    trajectory : Estimates after fewer labels.
    Findings.intervals, Findings.estimators : The valid names for these draws.
    watched : The confidence sequence itself.

    Examples
    --------
    >>> while session.next() is not None:
    ...     event = session.label(0)
    >>> result = session.estimate()
    >>> round(result.value, 3), result.interval, result.standard_error
    (0.667, 'confidence_sequence', 0.0)
    """
    return trajectory(
        findings,
        measure=measure,
        positive=positive,
        interval=interval,
        confidence_level=confidence_level,
        estimator=estimator,
    )[0]


def trajectory(
    findings: "Findings",
    at: ArrayLike | None = None,
    measure: Measure | str | None = None,
    *,
    positive: Any = None,
    interval: str | None = None,
    confidence_level: float | None = None,
    estimator: str | None = None,
) -> list[Estimate]:
    """Return estimates after the first n labeled draws, for each n of `at`; by default after all.

    Parameters
    ----------
    at : array-like of int, optional
        The numbers of labeled draws.
    measure, positive, interval, confidence_level, estimator
        As for `estimate`.

    Returns
    -------
    list of Estimate
        One for each entry of `at`.

    Raises
    ------
    ValueError, TypeError
        As for `estimate`; also if an entry of `at` exceeds the number of labeled draws.

    See Also
    --------
    estimate : The estimate from all labels.

    Examples
    --------
    >>> while session.next() is not None:
    ...     event = session.label(0)
    >>> [round(each.value, 3) for each in session.trajectory(at=[3], interval="wald")]
    [0.667]
    """
    level = findings._level(confidence_level)
    asked = suitable_measure(findings, measure, positive)
    leader = findings._leader(asked, level)
    if leader is not None:
        best, own = leader
        found = best.trajectory(at, asked, interval=interval, confidence_level=own, estimator=estimator)
        return [replace(each, confidence_level=level) for each in found]
    name = check_interval(findings, interval, asked, estimator)
    is_watched = name in ("confidence_sequence", "approximate")
    if at is None and name == "confidence_sequence" and estimator is None:
        found = [findings._estimate_now(asked, level)]
    else:
        found = fixed_n_estimates(findings, at, asked, "wald" if is_watched else name, level, estimator)
        found = in_order(findings, found, asked, level)
    if not is_watched:
        return found
    interval_now = findings._interval(asked, level)
    given = with_both(interval_now, found)
    if name == "confidence_sequence":
        return given
    return [around(each, interval_now.whole, findings.question.quantity) for each in given]


def _limits(findings: "Findings", at: ArrayLike | None, measure: Measure, level: float) -> list[Estimate]:
    """Return estimates that also have the asymptotic interval."""
    return in_order(findings, fixed_n_estimates(findings, at, measure, "wald", level, None), measure, level)


def _estimate_now(findings: "Findings", measure: Measure, level: float) -> Estimate:
    """Return the present estimate, which also has the asymptotic interval; cached."""
    key = type(measure), repr(measure), level, findings.log.revision
    return findings._latest.get(key, lambda: findings._limits(None, measure, level)[0])


def provisional(
    findings: "Findings", measure: Measure | str | None = None, *, positive: Any = None
) -> Provisional | None:
    """Return the value from all labels if some don't count yet because an earlier draw is pending.

    It has no interval, and is biased toward instances that are answered fast.

    Parameters
    ----------
    measure : Measure or str, optional
        Another measure than the session's, or its name; see `estimate`.
    positive : class label, optional
        The class of interest for a measure given by name.

    Returns
    -------
    Provisional or None
        None if all labels count, as is always so for a single person.

    See Also
    --------
    estimate : The estimate from the labels that count.

    Examples
    --------
    >>> store, pool = MemoryStore(), Pool(["a"] * 99, predictions=[[0.9, 0.1]] * 99)
    >>> ada, bob = (Session(pool, ErrorRate(), store=store, who=who) for who in ("Ada", "Bob"))
    >>> asked = ada.next()
    >>> labeled = [bob.label(0) for _ in range(3)]
    >>> bob.estimate().n_labels, bob.findings.provisional().n_labels
    (0, 3)
    """
    asked = suitable_measure(findings, measure, positive)
    leader = findings._leader(asked, findings.confidence_level)
    if leader is not None:
        return leader[0].provisional(asked)
    n_waiting = int(findings.draws.not_counted_yet().size)
    if not n_waiting:
        return None
    answered = findings.draws.answers.all_answered()
    [found] = findings.draws.source.estimate(
        asked,
        answered,
        at=[int(answered.draws.size)],
        interval="wald",
        confidence_level=findings.confidence_level,
        estimator=None,
        y_range=findings.y_range,
    )
    return Provisional(found.value, found.n_labels, n_waiting)


def watched(
    findings: "Findings",
    measure: Measure | str | None = None,
    *,
    positive: Any = None,
    confidence_level: float | None = None,
) -> WatchedInterval:
    """Return the up-to-date confidence sequence; the same object for the same measure and level.

    Parameters
    ----------
    measure : Measure or str, optional
        Another measure than the session's, or its name; see `estimate`.
    positive : class label, optional
        The class of interest for a measure given by name.
    confidence_level : float, optional
        The level of the interval; by default the session's.

    Returns
    -------
    WatchedInterval
        Its `update` applies later events.

    See Also
    --------
    estimate : The estimate with this interval.

    Examples
    --------
    >>> while session.next() is not None:
    ...     event = session.label(0)
    >>> watched = session.watched()
    >>> round(watched.low, 3), round(watched.high, 3)
    (0.667, 0.667)
    """
    level = findings._level(confidence_level)
    asked = measure_of(findings, measure, positive)
    leader = findings._leader(asked, level)
    if leader is not None:
        return leader[0].watched(asked, confidence_level=leader[1])
    return findings._interval(asked, level)


def _interval(
    findings: "Findings",
    measure: Measure,
    level: float,
    until: int | None = None,
) -> WatchedInterval:
    """Return the cached interval, updated up to a number of labels if one is given."""
    key = type(measure), repr(measure), level

    def begin() -> WatchedInterval:
        begun = findings._begin_interval(level, measure)
        kind = EstimatedInterval if begun.sequence.follows_estimate else WatchedInterval
        return kind(findings, measure, confidence_level=level, begun=begun, until=until)

    found = findings._watched.get(key, begin)
    found.update(until)
    return found


def trials(findings: "Findings") -> list[ModelTrial | None]:
    """Test each model's probabilities against the labels; None for a model without probabilities.

    Like `watched`, the tests use draws in draw order, up to the first one without an answer.

    Returns
    -------
    list of ModelTrial or None
        One for each model.

    See Also
    --------
    watched : The interval from the same draws.

    Examples
    --------
    >>> while session.next() is not None:
    ...     event = session.label(0)
    >>> [trial] = session.findings.trials()
    >>> trial.n_labels, trial.kind
    (3, 'errors')
    """
    return findings._trials.update()


def _begin_interval(
    findings: "Findings",
    confidence_level: float,
    measure: Measure | None = None,
    *,
    filled: str | None = None,
) -> DrawnInterval:
    """Return the confidence sequence before the first draw; for `filled`, see `Draws.begin_interval`."""
    asked = findings.measure if measure is None else measure
    return findings.draws.source.begin_interval(
        asked, confidence_level, findings.y_range, findings._deadlines, filled=filled
    )


def excluded_counted(
    findings: "Findings",
    measure: Measure | str | None = None,
    *,
    positive: Any = None,
    confidence_level: float | None = None,
) -> ExcludedCounted | None:
    """Bound the measure with each excluded instance counted as the worst and as the best.

    The session's interval is for the instances that can be labeled. It is valid if exclusions depend only
    on the instance and its label, not on earlier events. These bounds are for the whole pool. They are
    valid whatever is excluded and why, and anytime-valid as well.

    Parameters
    ----------
    measure : Measure or str, optional
        Another measure than the session's, or its name; see `estimate`.
    positive : class label, optional
        The class of interest for a measure given by name.
    confidence_level : float, optional
        The level of the bounds; by default the session's.

    Returns
    -------
    ExcludedCounted or None
        None if nothing is excluded, and for measures without a guaranteed interval of one equation or more
        than two models, which have no such bounds.

    See Also
    --------
    estimate : The interval for the instances that can be labeled.

    Examples
    --------
    >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8], [0.3, 0.7]])
    >>> session = Session(Pool(["a", "b", "c", "d"], predictions=model), ErrorRate())
    >>> while (asked := session.next()) is not None:
    ...     event = session.exclude() if asked.index == 0 else session.label(1)
    >>> found = session.findings.excluded_counted()
    >>> round(found.low, 3), round(found.high, 3), session.estimate().high
    (0.0, 0.25, 0.0)
    """
    level = findings._level(confidence_level)
    asked = suitable_measure(findings, measure, positive)
    if not findings.log.n_excluded or findings.question.is_of_leader:
        return None
    key = type(asked), repr(asked), level
    if key not in findings._excluded_bounds:
        try:
            findings._excluded_bounds[key] = ExcludedBounds(findings, asked, level)
        except ValueError:
            findings._excluded_bounds[key] = None
    bounds = findings._excluded_bounds[key]
    if bounds is None:
        return None
    low, high = bounds.update()
    return ExcludedCounted(low, high, findings.log.n_excluded, level)
