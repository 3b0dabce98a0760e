"""The reliability curve of a model."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from activeeval_widgets.session.findings.fixed_n import is_known
from activeeval_widgets.session.findings.plot_axes import axis, round_ticks
from activeeval_widgets.session.findings.shown import Rows, Shown
from activeeval_widgets.stats import CalibrationCurve, ClassPredictions, calibration_curve
from activeeval_widgets.stats.text import counted, percent

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


def has_calibration(session: "Findings") -> bool:
    """Return whether there is one model with class probabilities, in memory."""
    [first, *others] = session.models
    if session.pool.is_streamed or session.log.state.went_on:
        return False
    return not others and isinstance(first, ClassPredictions) and first.is_model and first.promises


def calibration(
    findings: "Findings",
    *,
    n_bins: int = 10,
    positive: Any = None,
    interval: str | None = None,
    confidence_level: float | None = None,
) -> CalibrationCurve:
    """Estimate the accuracy in bins of the model's confidence, and the calibration error.

    Parameters
    ----------
    n_bins : int
        The number of bins of equal width from 0 to 1; empty ones are left out.
    positive : class label, optional
        The class whose probability is binned; by default the predicted class.
    interval : str, optional
        As for `estimate`. The default "confidence_sequence" is anytime-valid.
    confidence_level : float, optional
        The simultaneous level of all intervals; by default the session's.

    Returns
    -------
    CalibrationCurve

    Raises
    ------
    TypeError
        If the session is not about one model with class probabilities.
    ValueError
        If an argument is invalid.

    See Also
    --------
    estimate : `estimate(CalibrationError())` estimates only the error.

    Examples
    --------
    >>> while session.next() is not None:
    ...     event = session.label(0)
    >>> found = session.calibration(n_bins=4)
    >>> found.confidence, found.accuracy.round(3)
    (array([0.6 , 0.85]), array([0. , 0.5]))
    """
    model = findings.models[0]
    if not has_calibration(findings) or not isinstance(model, ClassPredictions):
        raise TypeError(
            "a calibration curve needs one model's class probabilities in memory, "
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
        confidence_level=findings._level(confidence_level),
    )


# -- how it is shown

_TITLE = "How often predictions are right, by how sure they are"

_rate = partial(percent, decimals=1, unknown="unknown")


def _content(session: "Findings", options: Mapping[str, Any]) -> dict[str, Any]:
    del options
    return calibration_content(session.calibration(interval="wald"), is_exact=is_known(session))


def calibration_content(curve: CalibrationCurve, *, is_exact: bool = False) -> dict[str, Any]:
    """Return the curve as the page draws it."""
    bins = list(
        zip(
            curve.edges.tolist(),
            curve.confidence.tolist(),
            curve.n_instances.tolist(),
            curve.n_labels.tolist(),
            curve.accuracy.tolist(),
            curve.low.tolist(),
            curve.high.tolist(),
            strict=True,
        )
    )
    seen = [each for each in bins if each[3] and each[4] == each[4]]
    x, y = [each[1] for each in seen], [each[4] for each in seen]
    least = float(curve.edges.min())
    texts = [
        f"{percent(sure, 1)} sure, right in {percent(right, 1)} ({percent(low, 1)} to {percent(high, 1)}). "
        f"{size:,} instances, {counted(n, 'labels')}."
        for _, sure, size, n, right, low, high in seen
    ]
    bars = [{"kind": "bar", "x": [sure, sure], "y": [low, high]} for _, sure, _, _, _, low, high in seen]
    note = _note(curve, is_exact=is_exact) if seen else "No labels yet."
    return {
        "heading": _TITLE,
        "note": note,
        "x": axis(least, 1.0, round_ticks(least, 1.0), _tick, title="confidence"),
        "y": axis(0.0, 1.0, round_ticks(0.0, 1.0), _tick),
        "bands": [],
        "curves": [
            {"kind": "ideal", "x": [least, 1.0], "y": [least, 1.0]},
            *([] if is_exact else bars),
            {"kind": "estimate", "x": x, "y": y},
        ],
        "lines": [],
        "points": [{"kind": "drawn", "shape": "dot", "x": x, "y": y}],
        "sides": [],
        "legend": [
            ["estimate", "how often it is right"],
            *([] if is_exact else [["bar", f"{percent(curve.confidence_level)} for all bins together"]]),
            ["ideal", "as often as it says"],
        ],
        "stops": [{"name": "Bins", "by": "x", "x": x, "y": y, "text": texts}],
        "summary": note,
        "columns": ["Confidence", "Instances", "Labels", "Right", "Interval"],
        "rows": [
            [
                f"{100 * low_edge:.0f} to {percent(high_edge, 0)}",
                f"{size:,}",
                f"{n:,}",
                percent(right, 1) if n else "–",
                f"{percent(low, 1)} to {percent(high, 1)}",
            ]
            for (low_edge, high_edge), _, size, n, right, low, high in bins
        ],
    }


def _note(curve: CalibrationCurve, *, is_exact: bool) -> str:
    if is_exact:
        return f"Calibration error {percent(curve.error, 1)}, exact: all that can be labeled has a label."
    if curve.error_corrected != curve.error_corrected:
        return (
            f"Calibration error {percent(curve.error_low, 1)} to {percent(curve.error_high, 1)}: there are "
            "too few labels for an estimate. Intervals are valid for a number of labels fixed in advance."
        )
    return (
        f"Calibration error about {percent(curve.error_corrected, 1)} ({percent(curve.error_low, 1)} to "
        f"{percent(curve.error_high, 1)}). Intervals are valid for a number of labels fixed in advance."
    )


def _tick(value: float) -> str:
    return percent(value, 0)


def calibration_rows(session: "Findings", unit: str | None = None) -> Rows:
    """Return a row for each bin of confidence with its accuracy; none before the first label."""
    del unit
    if not session.n_labels or not has_calibration(session):
        return []
    found = session.calibration(interval="wald")
    rows = []
    for (least, most), size, n_labels, accuracy, low, high in zip(
        found.edges.tolist(),
        found.n_instances.tolist(),
        found.n_labels.tolist(),
        found.accuracy.tolist(),
        found.low.tolist(),
        found.high.tolist(),
        strict=True,
    ):
        rows.append(
            (
                f"{100 * least:.0f} to {percent(most, 0)} sure ({size:,})",
                f"right in {_rate(accuracy)}; {_ends(low, high)}; {counted(n_labels, 'labels')}"
                if n_labels
                else "no labels yet",
            )
        )
    text = f"{_rate(found.error)}, exact"
    if found.error_low < found.error_high:
        text = (
            f"{_rate(found.error_corrected)}, corrected for the noise in each bin "
            f"({_rate(found.error)} without); {_ends(found.error_low, found.error_high)}. All intervals hold "
            f"together with {percent(found.confidence_level)}, for a number of labels fixed in advance"
        )
    return [*rows, ("Calibration error", text)]


def _ends(low: float, high: float) -> str:
    return "exact" if low == high else f"{_rate(low)} to {_rate(high)}"


SHOWN = Shown(
    name="calibration",
    title=_TITLE,
    kind="plot",
    is_there=has_calibration,
    content=_content,
    heading="Calibration",
    rows=calibration_rows,
    is_hidden_at_first=True,
)
