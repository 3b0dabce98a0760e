"""What a session's log says of the measure: estimates, intervals, the models' own probabilities on trial."""

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
from activeeval_widgets.stats._validation import check_fraction

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


class Provisional(NamedTuple):
    """A value from all labels, while some do not count yet.

    Attributes
    ----------
    value : float
        It leans toward what is answered fast.
    n_labels : int
        From so many labels.
    n_waiting : int
        So many of them do not count yet.

    See Also
    --------
    Findings.provisional : Gives one.

    Examples
    --------
    >>> Provisional(0.25, 12, 3).n_waiting
    3
    """

    value: float
    n_labels: int
    n_waiting: int


def suiting(findings: "Findings", measure: Measure | str | None, positive: Any = None) -> Measure:
    """The measure that is asked for, if it suits."""
    asked = measure_of(findings, measure, positive)
    if asked is findings.measure:
        return asked
    key = type(asked), repr(asked)
    if key not in findings._suited:
        # Of each two models: with ten of them 45 checks, which pages would make again for each label.
        check_suits(asked, findings.models, findings.labels)
        findings.draws.source.check(asked)
        findings._suited.add(key)
    return asked


def estimate(
    findings: "Findings",
    measure: Measure | str | None = None,
    *,
    positive: Any = None,
    interval: str | None = None,
    confidence_level: float = 0.95,
    estimator: str | None = None,
) -> Estimate:
    """The estimate from all labels so far, with the interval that the page shows.

    Parameters
    ----------
    measure : Measure or str, optional
        Another measure than the session's: one log answers for all. Draws are the best for the
        session's own. Or its name, as on the command line ("f1", "roc-auc") or in scikit-learn's
        `scoring` ("f1_macro"; the sign of ``"neg_mean_squared_error"`` is dropped); see
        `stats.measure_named`.
    positive : class label, optional
        For a measure by its name: the class of interest; that of the session's measure unless given.
    interval : str, optional
        "confidence_sequence", the default, may be watched: it holds at every number of labels at once. It
        is guaranteed where the measure has such an interval, and else the approximate one
        (`is_asymptotic`). "approximate": that one, within the guaranteed one; it holds at every number of
        labels as well, but in the limit of many, and is withheld where it was measured not to hold. Both
        count draws in draw order, so they wait for an instance that was put aside. Others hold for one
        number of labels fixed beforehand: "wald", and by the papers' protocol "t"; for unweighted draws
        that count 0 or 1 "wilson" and "clopper_pearson". See `intervals`.
    confidence_level : float
        Of the interval.
    estimator : str, optional
        How the value is computed: by the papers' protocol "self_normalized", the default, or "difference"
        (see `stats.estimate`); by the adaptive one "adaptive" alone (`stats.estimate_adaptive`). See
        `estimators`.

    Returns
    -------
    Estimate
        For two models, the difference of the first one's measure and the second's; for more, the measure
        of the best so far, with an interval that holds for all models at once. The p-value belongs to
        the interval: it may be watched if that may. `standard_error` is that of the value. Where all that
        can be drawn has an answer the value is known: interval and standard error say so.

    Raises
    ------
    ValueError, TypeError
        If the measure does not suit the predictions, or needs instances that are never drawn; if the
        interval does not hold for these draws: the message names those that do.

    See Also
    --------
    trajectory : The same after fewer labels.
    Findings.intervals, Findings.estimators : The names that hold for these draws.
    watched : The interval that may be watched, kept up to date.

    Examples
    --------
    >>> while session.next() is not None:
    ...     event = session.label(0)
    >>> result = session.estimate()
    >>> round(result.value, 3), result.interval, result.standard_error
    (0.667, 'confidence_sequence', 0.0)
    """
    return findings.trajectory(
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
    confidence_level: float = 0.95,
    estimator: str | None = None,
) -> list[Estimate]:
    """The estimates after the first n labeled draws, for each n of `at`; after all unless given.

    Other parameters are as for `estimate`.

    Parameters
    ----------
    at : array-like of int, optional
        Numbers of labeled draws.
    measure, positive, interval, confidence_level, estimator
        As for `estimate`.

    Returns
    -------
    list of Estimate
        One for each entry of `at`.

    Raises
    ------
    ValueError, TypeError
        As for `estimate`; also if an entry of `at` is no number of labeled draws so far.

    See Also
    --------
    estimate : The latest of them.

    Examples
    --------
    >>> while session.next() is not None:
    ...     event = session.label(0)
    >>> [round(each.value, 3) for each in session.trajectory(at=[3], interval="wald")]
    [0.667]
    """
    level = check_fraction("confidence_level", confidence_level, closed=False)
    asked = suiting(findings, measure, positive)
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
    watched = findings.watched(asked, confidence_level=level)
    given = with_both(watched, found)
    if name == "confidence_sequence":
        return given
    return [around(each, watched.whole, findings.question.quantity) for each in given]


def _limits(findings: "Findings", at: ArrayLike | None, measure: Measure, level: float) -> list[Estimate]:
    """The estimates with the interval that holds in the limit beside their own."""
    return in_order(findings, fixed_n_estimates(findings, at, measure, "wald", level, None), measure, level)


def _estimate_now(findings: "Findings", measure: Measure, level: float) -> Estimate:
    """The estimate, with the interval that holds in the limit beside its own; computed once."""
    key = type(measure), repr(measure), level
    revision = findings.log.revision
    if key not in findings._latest or findings._latest[key][0] != revision:
        [found] = findings._limits(None, measure, level)
        findings._latest.put(key, (revision, found))
    return findings._latest[key][1]


def provisional(
    findings: "Findings", measure: Measure | str | None = None, *, positive: Any = None
) -> Provisional | None:
    """The value from all labels, where some do not count yet, as somebody still has an earlier draw.

    It has no interval, and leans toward what is answered fast.

    Parameters
    ----------
    measure : Measure or str, optional
        Another measure than the session's, or its name: see `estimate`.
    positive : class label, optional
        For a measure by its name: the class of interest.

    Returns
    -------
    Provisional or None
        None where all labels count, as they always do where one person labels.

    See Also
    --------
    estimate : From the labels that count.

    Examples
    --------
    >>> store, pool = MemoryStore(), Pool(["a"] * 99, predictions=[[0.9, 0.1]] * 99)
    >>> ada, bob = (Session(pool, ErrorRate(), store=store, who=who) for who in ("Ada", "Bob"))
    >>> asked = ada.next()
    >>> labeled = [bob.label(0) for _ in range(3)]
    >>> bob.estimate().n_labels, bob.findings.provisional().n_labels
    (0, 3)
    """
    asked = suiting(findings, measure, positive)
    leader = findings._leader(asked, 0.95)
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
        confidence_level=0.95,
        estimator=None,
        y_range=findings.y_range,
    )
    return Provisional(found.value, found.n_labels, n_waiting)


def watched(
    findings: "Findings",
    measure: Measure | str | None = None,
    *,
    positive: Any = None,
    confidence_level: float = 0.95,
) -> WatchedInterval:
    """The interval that may be watched, up to date; the same object for the same measure and level.

    Parameters
    ----------
    measure : Measure or str, optional
        Another measure than the session's, or its name: see `estimate`.
    positive : class label, optional
        For a measure by its name: the class of interest.
    confidence_level : float
        Its level.

    Returns
    -------
    WatchedInterval
        Its `update` takes in what has happened since.

    See Also
    --------
    estimate : A value with this interval.

    Examples
    --------
    >>> while session.next() is not None:
    ...     event = session.label(0)
    >>> watched = session.watched()
    >>> round(watched.low, 3), round(watched.high, 3)
    (0.667, 0.667)
    """
    asked = measure_of(findings, measure, positive)
    leader = findings._leader(asked, confidence_level)
    if leader is not None:
        return leader[0].watched(asked, confidence_level=leader[1])
    return findings._interval(asked, confidence_level)


def _interval(
    findings: "Findings",
    measure: Measure,
    level: float,
    until: int | None = None,
) -> WatchedInterval:
    """The interval that is kept up to date; only until some number of labels, where one is given."""
    key = type(measure), repr(measure), level

    def begin() -> WatchedInterval:
        begun = findings._begin_interval(level, measure)
        kind = EstimatedInterval if begun.follows_estimate else WatchedInterval
        return kind(findings, measure, confidence_level=level, begun=begun, until=until)

    found = findings._watched.get(key, begin)
    found.update(until)
    return found


def trials(findings: "Findings") -> list[ModelTrial | None]:
    """Of each model, its own probabilities on trial; None for one that does not say how sure it is.

    Like `watched`, they take draws in draw order, up to the first that has no answer.

    Returns
    -------
    list of ModelTrial or None
        One for each model.

    See Also
    --------
    watched : The interval, which takes the same draws.

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
    """The interval that may be watched, before the first draw; `filled`: as of `Draws.begin_interval`."""
    asked = findings.measure if measure is None else measure
    return findings.draws.source.begin_interval(
        asked, confidence_level, findings.y_range, findings._deadlines, filled=filled
    )


def excluded_counted(
    findings: "Findings",
    measure: Measure | str | None = None,
    *,
    positive: Any = None,
    confidence_level: float = 0.95,
) -> ExcludedCounted | None:
    """Bounds of the measure with each excluded instance counted as the worst and as the best.

    The session's interval is of what can be labeled. It holds if what is excluded depends on the instance
    and its label alone, not on what came before. These bounds are of the whole pool, hold whatever is
    excluded and why, and may be watched as well.

    Parameters
    ----------
    measure : Measure or str, optional
        Another measure than the session's, or its name: see `estimate`.
    positive : class label, optional
        For a measure by its name: the class of interest.
    confidence_level : float
        1 − α.

    Returns
    -------
    ExcludedCounted or None
        None where nothing is excluded, and where there are no such bounds: for measures without an exact
        interval of one equation, and for more than two models.

    See Also
    --------
    estimate : The interval of what can be labeled.

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
    level = check_fraction("confidence_level", confidence_level, closed=False)
    asked = suiting(findings, measure, positive)
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
