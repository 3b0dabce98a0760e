"""What a report says of calibration."""

from activeeval_widgets.session.findings.calibration import Calibrated, has_calibration


def calibration_rows(session: Calibrated) -> list[tuple[str, str]]:
    """How often the model is right for each bin of its confidence; nothing before the first label."""
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
                f"{100 * least:.0f} to {100 * most:.0f}% sure ({size:,})",
                f"right in {_percent(accuracy)}; {_percent(low)} to {_percent(high)}; "
                f"{n_labels:,} label{'' if n_labels == 1 else 's'}",
            )
        )
    rows.append(
        (
            "Calibration error",
            f"{_percent(found.error_corrected)}, corrected for the noise in each bin "
            f"({_percent(found.error)} without); {_percent(found.error_low)} to "
            f"{_percent(found.error_high)}. All intervals hold together with "
            f"{100 * found.confidence_level:g}%, for a number of labels fixed in advance",
        )
    )
    return rows


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%" if share == share else "unknown"
