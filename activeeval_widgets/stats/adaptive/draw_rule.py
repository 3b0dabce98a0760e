"""The constants of adaptive draws and of the estimates from them."""

import json
from dataclasses import asdict, dataclass, replace
from math import isfinite
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.anytime.deadlines import ADAPTIVE_ALLOCATION, Allocation
from activeeval_widgets.stats.drawing.optimal import influences
from activeeval_widgets.stats.drawing.sheets import SheetRule
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.measures.roc_auc import ROCAUC
from activeeval_widgets.stats.predictions.beliefs import Belief
from activeeval_widgets.stats.questions.target import Target


@dataclass(frozen=True)
class DrawRule:
    """The constants by which q, estimates and intervals depend on the labels.

    A session stores them in its identity and keeps them, whatever this version's constants are. Figures in
    `docs/explanations/adaptive-draws.md` give the reasons.
    """

    least: float = 0.1
    """The least share of the uniform distribution, …"""
    least_for_bounded: float = 0.2
    """… for risks with a bounded loss, …"""
    least_for_unbounded: float = 0.3
    """… for risks with a loss of values without a range, …"""
    least_for_roc_auc: float = 0.6
    """… and for one model's `ROCAUC`."""
    evened: float = 0.2
    """For means over classes, the share of draws by predicted classes."""
    evened_for_ratios: tuple[tuple[float, float], tuple[float, float]] = ((100.0, 300.0), (0.5, 0.3))
    """The same for ratios of one model: numbers of labels, and the shares until the first and from the second
    on; it changes linearly between them."""
    trust: float = 2.0
    """Before the first label half of the draws are uniform, after this many labels a third."""
    promise: float = 20.0
    """Number of draws that the variance expected by the recalibrated model counts for, if it is larger than
    the observed one."""
    early_doubt: tuple[float, float] = (2.0, 15.0)
    """(a, b): in the bets, expectations after n labels have the weight (a + n)/(b + n)."""
    differing_doubt: tuple[float, float] = (1.0, 1.0)
    """The same for the difference of two models."""
    alike_share: float | None = 0.1
    """For two models, the share of draws that are uniform on the whole pool; all others are made where the
    models can differ (`Measure.can_differ`). None: as for one model."""
    unmet: float = 3.0
    """For ratios, how many times the expected variance of seldom drawn instances enters the standard error
    while their labels show less, because errors there can hardly have been observed."""
    allocation: Allocation = ADAPTIVE_ALLOCATION
    """How the bets' capital is divided."""
    sheets: SheetRule | None = None
    """What is drawn more often because it can be labeled on sheets, many instances at a time."""

    @property
    def identity(self) -> str:
        """The constants in JSON, as in a session's identity."""
        constants = {**asdict(self), "allocation": self.allocation._asdict()}
        del constants["sheets"]
        return json.dumps(
            constants if self.sheets is None else {**constants, "sheets": self.sheets._asdict()}
        )

    @classmethod
    def from_identity(cls, text: str) -> "DrawRule | None":
        """Return the rule with these constants; None if they are not those of a rule."""
        try:
            found = _as_tuples(json.loads(text))
            sheets = {"sheets": SheetRule(**found["sheets"])} if "sheets" in found else {}
            rule = cls(**{**found, "allocation": Allocation(**found["allocation"]), **sheets})
        except (ValueError, TypeError, KeyError):
            return None
        return rule if rule.identity == text else None

    def at_sheet_cost(self, cost: float | None) -> "DrawRule":
        """Return this rule with another cost of a label on a sheet, unless it is None."""
        if self.sheets is None or cost is None:
            return self
        return replace(self, sheets=self.sheets._replace(cost=cost))

    def with_sheets(self, asks: str) -> "DrawRule":
        """Return this rule for a session with sheets."""
        return replace(self, sheets=SheetRule(asks=asks))

    def least_share(self, measure: Measure, n_models: int = 1) -> float:
        """Return the least value of `share`."""
        if not measure.is_risk:
            is_raised = isinstance(measure, ROCAUC) and n_models == 1
            return self.least_for_roc_auc if is_raised else self.least
        if measure.needs_range:
            return self.least_for_unbounded
        return self.least_for_bounded if isfinite(measure.value_range[1]) else self.least

    def share(self, measure: Measure, n_labels: FloatArray | float, n_models: int = 1) -> FloatArray:
        """Return ε, the share of the uniform distribution in q after n labels; see `defensive_share`."""
        return np.maximum(self.least_share(measure, n_models), self.trust / (2 * self.trust + n_labels))

    def favored_share(self, measure: Measure, n_labels: FloatArray | float) -> FloatArray:
        """Return η, the share of the third part of q after n labels; see `Favored`."""
        numbers = np.asarray(n_labels, dtype=np.float64)
        if measure.is_evened and measure.is_ratio:
            return np.interp(numbers, *self.evened_for_ratios)
        return np.full_like(numbers, self.evened if measure.is_evened else self.alike_share or 0.0)

    def for_differences(self) -> "DrawRule":
        """Return this rule with its constants for the difference of two models."""
        return replace(self, early_doubt=self.differing_doubt)

    def times_unmet(self, measure: Measure) -> float:
        """Return `unmet` for measures whose draws go by the standard deviation; 0 for others.

        With draws by the second moment no instance is so seldom drawn that this would be needed: it would
        widen error rates of well calibrated models by 16 % at 400 labels, macro measures of very rare
        classes by 80 %.
        """
        return self.unmet if measure.is_ratio else 0.0

    def variance(self, seen: float, promised: float, n_draws: int) -> float:
        """Return the variance to use for an estimate from n draws."""
        return max(seen, (self.promise * promised + n_draws * seen) / (self.promise + n_draws))


DRAW_RULE = DrawRule()
"""The constants of new sessions."""


def informed_sizes(target: Target, belief: Belief) -> FloatArray:
    """Return the informative part of q at equal costs, (n_instances,), in the measure's unit."""
    return influences(target, belief)[not goes_by_second_moment(target.measure, belief)]


def goes_by_second_moment(measure: Measure, belief: Belief) -> bool:
    """Return whether draws are by sqrt(E[ψ² | x]); otherwise by the standard deviation of ψ."""
    # A certain positive has an influence on a ratio, but its label is no information. And labels that are
    # grades do not recalibrate expected grades: the standard deviation, unexplained by a control variate,
    # fits.
    return (belief.follows_labels or belief.follows_spread) and not measure.is_ratio


def _as_tuples(value: Any) -> Any:
    """Return JSON with tuples instead of lists."""
    if isinstance(value, list):
        return tuple(map(_as_tuples, value))
    return {key: _as_tuples(each) for key, each in value.items()} if isinstance(value, dict) else value
