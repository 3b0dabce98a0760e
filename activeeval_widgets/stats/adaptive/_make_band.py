"""The choice of an interval for adaptive draws."""

from activeeval_widgets.stats.adaptive._approximate import (
    AdaptiveAssumedBand,
    AdaptiveRisingBand,
    AsymptoticBand,
)
from activeeval_widgets.stats.adaptive._bands import AdaptiveBand, BettingBand
from activeeval_widgets.stats.adaptive._composed import ComposedBand
from activeeval_widgets.stats.adaptive._share_band import ShareBand
from activeeval_widgets.stats.adaptive.draw_rule import DrawRule
from activeeval_widgets.stats.anytime.assumed_range import Assumption
from activeeval_widgets.stats.anytime.deadlines import Deadlines
from activeeval_widgets.stats.anytime.estimating_equation import exact_composition, has_equation
from activeeval_widgets.stats.questions.target import Target


def make_band(
    target: Target,
    y_range: tuple[float, float] | None,
    level: float,
    deadlines: Deadlines | None,
    rule: DrawRule,
    side: float | None,
) -> AdaptiveBand:
    """Return the band that suits the target; with a `side`, a betting band for that side only."""
    if target.base is not target:
        base = make_band(target.base, y_range, level, deadlines, rule, side)
        return AdaptiveRisingBand(target.measure, base)
    if side is not None:
        return BettingBand(target, y_range, level, deadlines, (side,))
    if target.measure.is_binary and not target.models[0].is_model:
        return ShareBand(target, level)
    if has_equation(target, y_range):
        return BettingBand(target, y_range, level, deadlines)
    composition = exact_composition(target, y_range)
    if composition is not None:
        return ComposedBand(target, composition, y_range, level, deadlines, rule)
    if target.measure.needs_range and target.measure.is_risk and target.models[0].is_model:
        assumption = Assumption(target.models)
        bounds = assumption.bounds
        band = None if bounds is None else BettingBand(target, bounds, level, deadlines)
        return AdaptiveAssumedBand(target, assumption, band)
    return AsymptoticBand(target, y_range, level, rule)
