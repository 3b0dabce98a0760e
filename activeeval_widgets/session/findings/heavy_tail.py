"""Advice for measures that a few large errors dominate."""

import numpy as np

from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.stats import Estimate, Measure, Predictions, WithinTolerance
from activeeval_widgets.stats.text import NO_BREAK, significant

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

_FAR, _FAR_FOR_LISTS = 20.0, 5.0
"""If one loss can be this many times the expected mean, a guaranteed interval is useless: with n labels it is
about 10/n times as wide as losses can be large. Fewer lists are labeled, as a list takes longer."""


def before_labels(session: Findings) -> str:
    """Suggest another question if the guaranteed interval would be useless, before any label; else ""."""
    measure, model = session.measure, session.models[0]
    robust_alternative = measure.robust_alternative(model) if model.is_model else ""
    if not robust_alternative:
        return ""
    if measure.needs_range and session.y_range is None:
        return (
            "No interval can be guaranteed here, as nothing limits how large an error can be: give y_range, "
            f"the smallest and the largest possible label, or ask {robust_alternative}."
        )
    if session.pool.is_streamed or not model.promises:
        return ""
    greatest, expected = _sizes(measure.base or measure, model, session.y_range)
    if greatest <= (_FAR_FOR_LISTS if measure.predictions_kind == "ranking" else _FAR) * expected:
        return ""
    most, usual = (significant(size, 2) for size in (greatest, expected))
    return (
        f"The guaranteed interval will stay wide, as one label can count for {most}, where {usual} is "
        f"expected: rather ask {robust_alternative}."
    )


def _sizes(measure: Measure, model: Predictions, y_range: tuple[float, float] | None) -> tuple[float, float]:
    """Return the pool's mean of the largest losses, and of those that the model expects."""
    _, greatest = measure.loss_bounds([model], y_range)
    expected = measure.introspective_mean(model, model.belief([]))
    return float(model.average(greatest)), float(expected[0])


def better_measures(session: Findings, estimate: Estimate) -> str:
    """Suggest measures for which a rare large error matters less; return "" if not needed."""
    measure, model = session.measure, session.models[0]
    if not model.is_model:
        return _without_range(session, estimate) if measure.needs_range else ""
    is_loose = measure.needs_range and not (estimate.has_approximate and not estimate.is_asymptotic)
    if not is_loose or estimate.n_labels < _FEWEST or estimate.standard_error == 0:
        return ""
    draws, y_true = session.draws.labeled()
    sizes = [model.distance(int(draw), y) for draw, y in zip(draws, y_true, strict=True)]
    near, far = (float(f"{size:.2g}") for size in np.quantile(sizes, [0.5, _CLIPPED]))
    return (
        "A few large errors can decide this value. The same labels say much more about the share of "
        f"predictions that are off by at most {significant(near)}, WithinTolerance({near:.15g}), and about "
        f"errors clipped at {significant(far)}, ClippedSquaredError({far:.15g})."
    )


def _without_range(session: Findings, estimate: Estimate) -> str:
    """Return what the interval of the labels' mean assumes; "" if it is guaranteed."""
    if session.y_range is not None or not estimate.is_defined or not estimate.is_asymptotic:
        return ""
    return _GUARANTEED if estimate.withheld else _UNKNOWN_RANGE + _GUARANTEED


def beyond_clip(session: Findings, estimate: Estimate) -> str:
    """Bound what a clipped mean of squares leaves out; return "" for other measures and for two models."""
    clip = session.measure.clip
    if clip is None or session.question.pairs or not estimate.is_defined:
        return ""
    within = session.estimate(WithinTolerance(clip), confidence_level=estimate.confidence_level)
    most = 1 - within.low
    text = (
        f"Errors beyond {significant(clip)} count as {significant(clip)}, so the mean squared error itself "
        f"is this or more. {100 * (1 - within.value):.1f}{NO_BREAK}% of the errors are beyond it, at most "
        f"{100 * most:.1f}{NO_BREAK}% (guaranteed)"
    )
    if session.y_range is None:
        return f"{text}; without y_range nothing limits how large these are."
    farthest = session.models[0].farthest_label(session.y_range)
    return f"{text}: that adds at most {significant(most * max(farthest**2 - clip**2, 0.0), 4)}."
