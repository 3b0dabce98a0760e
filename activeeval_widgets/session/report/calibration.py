"""What a report says of calibration."""

from functools import partial

from activeeval_widgets.session.findings.calibration import has_calibration
from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.stats.text import counted, percent

_rate = partial(percent, decimals=1, unknown="unknown")


def calibration_rows(session: Findings) -> list[tuple[str, str]]:
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
                f"{100 * least:.0f} to {percent(most, 0)} sure ({size:,})",
                f"right in {_rate(accuracy)}; {_rate(low)} to {_rate(high)}; {counted(n_labels, 'labels')}",
            )
        )
    rows.append(
        (
            "Calibration error",
            f"{_rate(found.error_corrected)}, corrected for the noise in each bin "
            f"({_rate(found.error)} without); {_rate(found.error_low)} to "
            f"{_rate(found.error_high)}. All intervals hold together with "
            f"{percent(found.confidence_level)}, for a number of labels fixed in advance",
        )
    )
    return rows
