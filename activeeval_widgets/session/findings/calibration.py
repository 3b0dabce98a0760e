"""The reliability curve that a session's log gives."""

from functools import partial
from typing import TYPE_CHECKING, Any

from activeeval_widgets.stats import CalibrationCurve, ClassPredictions, calibration_curve

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


def has_calibration(session: "Findings") -> bool:
    """Whether there is one model that says how sure it is of classes, of a pool that is in memory."""
    [first, *others] = session.models
    if session.pool.is_elsewhere:
        return False
    return not others and isinstance(first, ClassPredictions) and first.is_model and first.promises


def calibration(
    findings: "Findings",
    *,
    n_bins: int = 10,
    positive: Any = None,
    interval: str | None = None,
    confidence_level: float = 0.95,
) -> CalibrationCurve:
    """How often the model is right for each bin of its confidence, and its calibration error.

    Parameters
    ----------
    n_bins : int
        How many bins of equal width there are from 0 to 1; those without an instance are left out.
    positive : class label, optional
        A class of interest: the curve is then of its probability. Unless given, it is of the predicted
        class's.
    interval : str, optional
        As for `estimate`: "confidence_sequence", the default, may be watched.
    confidence_level : float
        With it all intervals hold together.

    Returns
    -------
    CalibrationCurve

    Raises
    ------
    TypeError
        If the session is not about one model with class probabilities.
    ValueError
        If an argument is none of those described.

    See Also
    --------
    estimate : `estimate(CalibrationError())` is the error alone.

    Examples
    --------
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
    >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
    >>> while session.next() is not None:
    ...     event = session.label(0)
    >>> found = session.calibration(n_bins=4)
    >>> found.confidence, found.accuracy.round(3)
    (array([0.6 , 0.85]), array([0. , 0.5]))
    """
    model = findings.models[0]
    if not has_calibration(findings) or not isinstance(model, ClassPredictions):
        raise TypeError(
            "a calibration curve is for one model's class probabilities, in memory, "
            f"got {findings.models!r:.200}"
        )
    draws, _, is_excluded = findings.draws.answers.answered()
    return calibration_curve(
        model,
        partial(findings.estimate, interval=interval),
        draws[~is_excluded],
        draws[is_excluded],
        n_bins=n_bins,
        positive=positive,
        confidence_level=confidence_level,
    )
