"""The constants of adaptive draws, and of what is estimated from them."""

import json
from dataclasses import asdict, dataclass, replace
from math import isfinite
from typing import Any

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.anytime.deadlines import ADAPTIVE_ALLOCATION, Allocation
from activeeval_widgets.stats.drawing.optimal import influences
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.beliefs import Belief
from activeeval_widgets.stats.questions.target import Target


@dataclass(frozen=True)
class DrawRule:
    """The constants by which q, estimates and intervals follow from the labels.

    A session keeps them in its identity, and goes on with them whatever this version's constants are.

    Attributes
    ----------
    least, least_for_bounded, least_for_unbounded : float
        The share of the uniform distribution never falls below the first; the others are for risks: with a
        bounded loss, or with one of values without a range.
    trust : float
        After this many labels half of the draws are still uniform.
    promise : float
        For how many draws the variance counts that the corrected model expects, where it is larger than the
        one seen.
    early_doubt, differing_doubt : tuple of two floats
        (a, b): in the bets, expectations after n labels count for (a + n)/(b + n). The second is for the
        difference of two models.
    alike_share : float or None
        Of two models: the share of draws that are uniform on the whole pool; all others are made where they
        can differ (`Measure.can_differ`). None: draws are as those for one model.
    unmet : float
        For ratios, how many times the variance that is expected of seldom drawn instances is in the standard
        error, as long as their labels show less: errors there can hardly have been met.
    allocation : Allocation
        How the bets' capital is divided.

    References
    ----------
    `docs/explanations/adaptive-draws.md` says why, with figures.
    """

    least: float = 0.1
    least_for_bounded: float = 0.2
    least_for_unbounded: float = 0.3
    trust: float = 2.0
    promise: float = 20.0
    early_doubt: tuple[float, float] = (2.0, 15.0)
    differing_doubt: tuple[float, float] = (1.0, 1.0)
    alike_share: float | None = 0.1
    unmet: float = 3.0
    allocation: Allocation = ADAPTIVE_ALLOCATION

    @property
    def identity(self) -> str:
        """The constants as a session's identity has them, in JSON."""
        return json.dumps({**asdict(self), "allocation": self.allocation._asdict()})

    @classmethod
    def from_identity(cls, text: str) -> "DrawRule | None":
        """Return the rule with these constants; None where they are not those of such a rule."""
        try:
            found = _as_tuples(json.loads(text))
            rule = cls(**{**found, "allocation": Allocation(**found["allocation"])})
        except (ValueError, TypeError, KeyError):
            return None
        return rule if rule.identity == text else None

    def least_share(self, measure: Measure) -> float:
        """What `share` never falls below."""
        if not measure.is_risk:
            return self.least
        if measure.needs_range:
            return self.least_for_unbounded
        return self.least_for_bounded if isfinite(measure.value_range[1]) else self.least

    def share(self, measure: Measure, n_labels: float) -> float:
        """ε: the share of the uniform distribution in q after n labels; see `defensive_share`."""
        return max(self.least_share(measure), self.trust / (self.trust + n_labels))

    def for_differences(self) -> "DrawRule":
        """Return this rule with the doubt that differences have."""
        return replace(self, early_doubt=self.differing_doubt)

    def times_unmet(self, measure: Measure) -> float:
        """`unmet` for measures that are drawn for by the standard deviation; 0 for others.

        By the second moment nothing is drawn so seldom that it would be needed: error rates of honest models
        would be 16 % less sure at 400 labels, macro measures of very rare classes 80 %.
        """
        return self.unmet if measure.is_ratio else 0.0

    def variance(self, seen: float, promised: float, n_draws: int) -> float:
        """What is taken for the variance of an estimate from n draws."""
        return max(seen, (self.promise * promised + n_draws * seen) / (self.promise + n_draws))


DRAW_RULE = DrawRule()
"""The constants of new sessions."""


def informed_sizes(target: Target, belief: Belief) -> FloatArray:
    """What the rest of q is proportional to at equal costs, (n_instances,), in the measure's unit."""
    return influences(target, belief)[not goes_by_second_moment(target.measure, belief)]


def goes_by_second_moment(measure: Measure, belief: Belief) -> bool:
    """Whether instances are drawn by sqrt(E[ψ² | x]); else by the standard deviation of ψ."""
    # What is sure to be positive has an influence on a ratio, and tells nothing. Nor do grades correct
    # what is expected of grades: there, what a control variate can't explain is the better guide.
    return (belief.follows_labels or belief.follows_spread) and not measure.is_ratio


def _as_tuples(value: Any) -> Any:
    """JSON with tuples in the place of lists."""
    if isinstance(value, list):
        return tuple(map(_as_tuples, value))
    return {key: _as_tuples(each) for key, each in value.items()} if isinstance(value, dict) else value
