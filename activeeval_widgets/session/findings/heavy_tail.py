"""Advice for measures that a few large errors dominate."""

import numpy as np

from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.stats import Estimate, WithinTolerance
from activeeval_widgets.stats.text import NO_BREAK

_UNKNOWN_RANGE = (
    "This is approximate: it assumes that labels not seen so far are not much farther from the mean than "
    "those seen. "
)
_GUARANTEED = (
    "Say what the smallest and the largest label can be (y_range, or --y-range), and the interval is "
    "guaranteed."
)

_FEWEST = 50
"""No advice is given with fewer labels."""

_CLIPPED = 0.9
"""The suggested clip is this quantile of the observed errors."""


def better_measures(session: Findings, estimate: Estimate) -> str:
    """Suggest measures that the same labels estimate far better; return "" if not needed.

    This is for means of unbounded losses without an approximate interval: no number of labels rules out a
    rare error that is larger than all observed ones.
    """
    measure, model = session.measure, session.models[0]
    if not model.is_model:
        return _without_range(session, estimate) if measure.needs_range else ""
    is_loose = measure.needs_range and not (estimate.has_approximate and not estimate.is_asymptotic)
    if not is_loose or estimate.n_labels < _FEWEST or estimate.standard_error == 0:
        return ""
    draws, y_true = session.draws.labeled()
    sizes = [model.distance(int(draw), y) for draw, y in zip(draws, y_true, strict=True)]
    near, far = (f"{float(f'{size:.2g}'):g}" for size in np.quantile(sizes, [0.5, _CLIPPED]))
    return (
        "A few large errors can decide this value. The same labels say much more about the share of "
        f"predictions that are off by at most {near}, WithinTolerance({near}), and about errors clipped "
        f"at {far}, ClippedSquaredError({far})."
    )


def _without_range(session: Findings, estimate: Estimate) -> str:
    """Return what the interval of the labels' mean assumes; "" if it is guaranteed."""
    if session.y_range is not None or not estimate.is_defined or not estimate.is_asymptotic:
        return ""
    return _GUARANTEED if estimate.withheld else _UNKNOWN_RANGE + _GUARANTEED


def beyond_clip(session: Findings, estimate: Estimate) -> str:
    """Quantify what a clipped mean of squares leaves out; return "" for other measures and for two models.

    The mean of clipped losses is at most that of the losses. The difference is bounded by the share of errors
    beyond the clip, and by the largest error that `y_range` allows.
    """
    clip = session.measure.clip
    if clip is None or session.question.pairs or not estimate.is_defined:
        return ""
    within = session.estimate(WithinTolerance(clip), confidence_level=estimate.confidence_level)
    most = 1 - within.low
    text = (
        f"Errors beyond {clip:.10g} count as {clip:.10g}, so the mean squared error itself is this or more. "
        f"{100 * (1 - within.value):.1f}{NO_BREAK}% of the errors are beyond it, at most "
        f"{100 * most:.1f}{NO_BREAK}% (guaranteed)"
    )
    if session.y_range is None:
        return f"{text}; without y_range nothing limits how large these are."
    farthest = session.models[0].farthest_label(session.y_range)
    return f"{text}: that adds at most {most * max(farthest**2 - clip**2, 0.0):.4g}."
