"""The reliability curve: how often the model is right, by its confidence."""

from collections.abc import Mapping
from typing import Any, Self

from activeeval_widgets.session import Session
from activeeval_widgets.session.findings.calibration import has_calibration
from activeeval_widgets.stats import CalibrationCurve
from activeeval_widgets.stats.text import counted, percent
from activeeval_widgets.widgets.evaluation.panel import Panel
from activeeval_widgets.widgets.evaluation.plot_axes import axis, round_ticks
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot

_TITLE = "How often predictions are right, by how sure they are"


class CalibrationPanel(Panel):
    """The reliability curve of one model."""

    name = "calibration"
    title = _TITLE
    is_optional = True

    @classmethod
    def of(cls, session: Session) -> Self | None:
        """See `Panel.of`."""
        return cls() if has_calibration(session.findings) else None

    def content(self, snapshot: Snapshot, options: Mapping[str, bool]) -> dict[str, Any]:  # noqa: ARG002
        """See `Panel.content`."""
        return calibration_content(snapshot.session.calibration(interval="wald"), is_exact=snapshot.is_exact)


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
            *([] if is_exact else [["bar", "95% for all bins together"]]),
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
