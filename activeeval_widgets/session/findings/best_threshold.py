"""The threshold at which the F-measure is best."""

from functools import partial
from typing import TYPE_CHECKING

from activeeval_widgets import stats
from activeeval_widgets.stats import BestF, BestThreshold, ClassPredictions

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


def has_threshold(session: "Findings") -> bool:
    """Return whether the session's measure is optimized over thresholds of one model's scores."""
    return not session.question.pairs and bool(session.measure.candidates(session.models[0]))


def best_threshold(
    findings: "Findings",
    measure: BestF | None = None,
    *,
    interval: str | None = None,
    confidence_level: float | None = None,
) -> BestThreshold:
    """Estimate the F-measure at several thresholds of the score, and the best threshold.

    Parameters
    ----------
    measure : BestF, optional
        The measure, with its beta, class of interest and number of thresholds. By default the session's own
        if it is a `BestF`, else F₁ of the session's class of interest.
    interval : str, optional
        As for `estimate`. The default "confidence_sequence" is anytime-valid and guaranteed.
    confidence_level : float, optional
        The simultaneous level of all intervals, and of `BestThreshold.possible` containing the best
        threshold; by default the session's.

    Returns
    -------
    BestThreshold

    Raises
    ------
    TypeError
        If the session is not about one model with class probabilities.
    ValueError
        If an argument is invalid.

    See Also
    --------
    estimate : `estimate(BestF())` estimates only the best value.

    Examples
    --------
    >>> session = Session(Pool(["a", "b", "c"], predictions=model), BestF())
    >>> for label in (0, 1, 1):
    ...     event = session.label(int(model.y_pred[session.next().index]))
    >>> found = session.best_threshold()
    >>> found.threshold, found.best_low, found.possible
    (0.6, 1.0, array([0.6]))
    """
    [model, *others] = findings.models
    if others or not isinstance(model, ClassPredictions) or findings.pool.is_streamed:
        raise TypeError(
            f"a best threshold needs one model's class probabilities in memory, got {findings.models!r:.200}"
        )
    if measure is None:
        own, positive = findings.measure, findings.measure.positive
        measure = own if isinstance(own, BestF) else BestF(positive=1 if positive is None else positive)
    level = findings._level(confidence_level)
    is_watched = interval in (None, "confidence_sequence")
    ends = None
    if is_watched and isinstance(measure, BestF):
        ends = findings.watched(measure, confidence_level=level).part_ends
    estimate = partial(findings.estimate, interval="wald" if is_watched else interval)
    return stats.best_threshold(measure, model, estimate, confidence_level=level, ends=ends)


def threshold_sentence(session: "Findings") -> str:
    """Return a sentence about the best threshold and the possible ones; "" for other measures."""
    if not has_threshold(session) or not session.n_labels:
        return ""
    candidates = session.measure.candidates(session.models[0])
    ends = session.watched().part_ends
    if len(ends):
        # The other thresholds need no estimate.
        possible = ends[:, 1] >= ends[:, 0].max()
        candidates = [each for each, can_be in zip(candidates, possible, strict=True) if can_be]
    values = [session.estimate(at, interval="wald").value for _, at in candidates]
    defined = [(value, threshold) for value, (threshold, _) in zip(values, candidates, strict=True)]
    _, threshold = max((each for each in defined if each[0] == each[0]), default=(0.0, None))
    if threshold is None:
        return ""
    first, last = candidates[0][0], candidates[-1][0]
    text = f"Best threshold: predict {session.measure.positive} from a probability of {threshold:.4g} on"
    if not len(ends):
        return f"{text}."
    if first == last:
        return f"{text}, guaranteed to be the best of the {len(ends)} tried."
    return (
        f"{text}. The best of the {len(ends)} tried is between {first:.4g} and {last:.4g}, "
        "guaranteed with the same confidence."
    )
