"""Versions of the rule that makes q: a session goes on by the one that it was begun with."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.anytime.deadlines import (
    EARLY_ALLOCATION,
    FIRST_ALLOCATION,
    LATER_ALLOCATION,
    Allocation,
)
from activeeval_widgets.stats.drawing.optimal import influences
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief
from activeeval_widgets.stats.predictions.correction_rule import (
    CORRECTION,
    FIRST_CORRECTION,
    CorrectionRule,
)

_LEAST_FREEDOM = 3.0
"""With fewer degrees of freedom Student's t has no variance, or hardly one."""


@dataclass(frozen=True)
class DrawRule:
    """How q follows from the labels so far.

    Attributes
    ----------
    version : str
        Its name in the identity of a session.
    by_second_moment : bool
        Whether instances are drawn by sqrt(E[ψ² | x]) for other measures than ratios, where labels correct
        the predictive distribution; else by the standard deviation of ψ.
    least, least_for_bounded, least_for_unbounded : float
        The share of the uniform distribution never falls below the first; the others are for risks: with a
        bounded loss, or with one of values without a range.
    trust : float
        After this many labels half of the draws are still uniform.
    correction : CorrectionRule
        How labels correct the predictive distribution.
    promise : float
        For how many draws the variance counts that this distribution promises, where it is larger than the
        one seen.
    doubts_few : bool
        Whether a variance that few draws carry is taken to be larger, as Student's is; see `caution`.
    early_doubt : tuple of two floats
        (a, b): in bets, what is expected after n labels counts for (a + n)/(b + n).
    allocation : Allocation
        How the bets' capital is divided.
    alike_share : float or None
        Of two models: the share of draws that are uniform on the whole pool; all others are made where they
        can differ (`Measure.can_differ`). None: draws are as those for one model.
    differing_doubt : tuple of two floats, or None
        In the place of `early_doubt` for the difference of two models.
    leans_on_supposed : bool
        Whether estimates lean on what is only supposed of a model (`Predictions.is_supposed`), too.
    falls_back : bool
        Whether fixed draws for models without probabilities go to where their predictions differ
        (`without_probabilities_q`); else they are uniform.
    settles_differences : bool
        Whether the interval of a difference ends where labels can't change which of two models is better.
    unmet : float
        For ratios, how many times the variance that is expected of seldom drawn instances is in the standard
        error, as long as their labels show less: errors there can hardly have been met.

    See Also
    --------
    adaptive_q : what it is for.

    References
    ----------
    `docs/adaptive-draws.md` says why, with figures.
    """

    version: str
    by_second_moment: bool
    least: float
    least_for_bounded: float
    least_for_unbounded: float
    trust: float
    correction: CorrectionRule
    promise: float
    doubts_few: bool
    early_doubt: tuple[float, float]
    allocation: Allocation
    alike_share: float | None = None
    differing_doubt: tuple[float, float] | None = None
    leans_on_supposed: bool = True
    falls_back: bool = False
    settles_differences: bool = False
    unmet: float = 0.0

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

    def leans_on(self, models: Sequence[Predictions]) -> bool:
        """Whether estimates lean on what these expect of the labels."""
        return all(each.assists and (self.leans_on_supposed or not each.is_supposed) for each in models)

    def for_differences(self) -> "DrawRule":
        """The same, with the bets that differences have."""
        return self if self.differing_doubt is None else replace(self, early_doubt=self.differing_doubt)

    def times_unmet(self, measure: Measure) -> float:
        """`unmet` for measures that are drawn for by the standard deviation; 0 for others.

        By the second moment nothing is drawn so seldom that it would be needed: error rates of honest models
        would be 16 % less sure at 400 labels, macro measures of very rare classes 80 %.
        """
        return self.unmet if measure.is_ratio else 0.0

    def variance(self, seen: float, promised: float, n_draws: int) -> float:
        """What is taken for the variance of an estimate from n draws."""
        if self.promise == inf:
            return max(seen, promised)
        return max(seen, (self.promise * promised + n_draws * seen) / (self.promise + n_draws))

    def caution(self, influences: FloatArray) -> float:
        """By what the variance that is seen is multiplied, for few draws carry it.

        A variance is the sum of squares v; in the mean, squares that are as unequal as these tell it as well
        as d = 2/(Σ v²/(Σ v)² − 1/n) normal ones would (Satterthwaite), and Student's t of d degrees of
        freedom has the variance d/(d − 2).

        Parameters
        ----------
        influences : ndarray of shape (n_draws,)
            How far each draw moves the estimate.

        Returns
        -------
        float
            At least 1, and at most 3: d is 3 where it is less.

        Examples
        --------
        >>> few, many = np.array([3.0, 0.1, -0.1, 0.2]), np.tile([1.0, -1.0], 200)
        >>> [round(SECOND_RULE.caution(few), 2), round(THIRD_RULE.caution(few), 2)]
        [1.0, 3.0]
        >>> round(THIRD_RULE.caution(many), 2)
        1.0
        """
        squares: FloatArray = np.square(influences)
        total = float(squares.sum())
        if not self.doubts_few or not total > 0:
            return 1.0
        unequal = float(squares @ squares) / total**2 - 1 / squares.size
        freedom = max(_LEAST_FREEDOM, 2 / max(unequal, 1e-12))
        return freedom / (freedom - 2)

    def informed(self, measure: Measure, models: Sequence[Predictions], belief: Belief) -> FloatArray:
        """What the rest of q is proportional to at equal costs, (n_instances,), in the measure's unit.

        Parameters
        ----------
        measure : Measure
        models : sequence of one or two Predictions
        belief : Belief
            p(y | x), corrected by labels.
        """
        return influences(measure, models, belief)[not self.goes_by_second_moment(measure, belief)]

    def goes_by_second_moment(self, measure: Measure, belief: Belief) -> bool:
        """Whether instances are drawn by sqrt(E[ψ² | x]); else by the standard deviation of ψ."""
        # What is sure to be positive has an influence on a ratio, and tells nothing. Nor do grades correct
        # what is expected of grades: there, what a control variate can't explain is the better guide.
        is_corrected = belief.follows_labels or belief.follows_spread
        return self.by_second_moment and is_corrected and not measure.is_ratio


FIRST_RULE = DrawRule(
    version="1",
    by_second_moment=False,
    least=0.1,
    least_for_bounded=0.3,
    least_for_unbounded=0.1,
    trust=5.0,
    correction=FIRST_CORRECTION,
    promise=inf,
    doubts_few=False,
    early_doubt=(3.0, 10.0),
    allocation=FIRST_ALLOCATION,
)
"""By the standard deviation, with one calibration factor: sessions begun with it go on with it."""

SECOND_RULE = DrawRule(
    version="2",
    by_second_moment=True,
    least=0.1,
    least_for_bounded=0.1,
    least_for_unbounded=0.3,
    trust=2.0,
    correction=CORRECTION,
    promise=20.0,
    doubts_few=False,
    early_doubt=(3.0, 10.0),
    allocation=FIRST_ALLOCATION,
)
"""By the second moment, with a calibration factor for each predicted class."""

THIRD_RULE = replace(
    SECOND_RULE,
    version="3",
    least_for_bounded=0.2,
    doubts_few=True,
    early_doubt=(2.0, 15.0),
    allocation=LATER_ALLOCATION,
)
"""A larger uniform share for bounded losses, bets that trust early labels less, more cautious errors."""

FOURTH_RULE = replace(
    THIRD_RULE,
    version="4",
    alike_share=0.1,
    differing_doubt=(1.0, 1.0),
)
"""Of two models, nearly all draws are made where they can differ."""

FIFTH_RULE = replace(
    FOURTH_RULE,
    version="5",
    allocation=EARLY_ALLOCATION,
    leans_on_supposed=False,
    falls_back=True,
    settles_differences=True,
    unmet=3.0,
)
"""Draws of the fourth rule. Estimates from predicted classes alone lean on nothing that is only supposed,
differences are bounded by what is certain, and bets begin with deadlines of few labels."""

PRESENT_RULE = FIFTH_RULE
"""What new sessions draw by."""

DRAW_RULES = {rule.version: rule for rule in (FIRST_RULE, SECOND_RULE, THIRD_RULE, FOURTH_RULE, FIFTH_RULE)}
"""All rules by their versions."""
