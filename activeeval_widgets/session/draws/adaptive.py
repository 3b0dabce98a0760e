"""The adaptive protocol: draws without replacement from distributions that depend on earlier labels."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from activeeval_widgets.session.draws.blocks import BlockDraws
from activeeval_widgets.session.draws.confidence_sequences import AdaptiveInterval, PartInterval
from activeeval_widgets.session.draws.labeled import Answered, LabeledDraws
from activeeval_widgets.session.draws.part import Part, PartOfRows
from activeeval_widgets.session.draws.protocol import Which, of_models
from activeeval_widgets.session.draws.rows import DrawnRows, GroupedRows, OwnRows, check_in_memory
from activeeval_widgets.session.recent_cache import RecentCache
from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ConfusionEstimate,
    ConfusionPair,
    Estimate,
    Measure,
    Predictions,
    estimate_adaptive,
    estimate_adaptive_confusion,
    optimal_q,
)
from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.adaptive.draw_rule import DrawRule
from activeeval_widgets.stats.adaptive.estimator import AdaptiveEstimator
from activeeval_widgets.stats.adaptive.form_of_q import settled_q
from activeeval_widgets.stats.drawing.groups import serve_groups
from activeeval_widgets.stats.fixed_n.confusion_matrix import as_class_models
from activeeval_widgets.stats.predictions.base import left_sum
from activeeval_widgets.stats.questions.make import question_of, target_of

_ROWS_AT_ONCE = 600_000
"""The maximum total of rows for which each label updates all intervals of a leaderboard: three models on
100,000 instances, or ten on 10,000."""

_MIN_ESTIMATORS, _ESTIMATORS_ROWS = 12, 6_000_000
"""The number of cached estimators, or more up to this total of rows: all pairs of ten models on 100,000
instances."""


class AdaptiveDraws(BlockDraws):
    """Adaptive draws without replacement, and their estimates; see `Draws`."""

    _spread: tuple[FloatArray, FloatArray] | None = None
    protocol: ClassVar[str] = "adaptive"
    is_replaced: ClassVar[bool] = False
    is_by_disagreement: ClassVar[bool] = False
    estimators: ClassVar[tuple[str, ...]] = ("adaptive",)
    method: ClassVar[tuple[str, str]] = (
        "{noun} were drawn without replacement, more often those whose label tells more about the {name}: "
        "by {predictions}, corrected by the labels so far (Sawade et al., Active risk "
        "estimation, ICML 2010; Kossen et al., Active testing, ICML 2021; Zrnic & Candès, Active "
        "statistical inference, ICML 2024). Each draw is weighted by the inverse of its probability, so "
        "that drawing some more often than others does not bias the estimate.",
        "The estimate is what {predictions} imply for all {noun}, corrected by what the weighted labels"
        " show (Cassel, Särndal & Wretman, Biometrika 1976).",
    )

    @property
    def rule_of_q(self) -> DrawRule:
        """The session's rule, with a share for instances where two models agree only if it applies.

        With sheets, it has the cost of a label there in the latest block.
        """
        rule = self.rule.at_sheet_cost(self._sheet_cost)
        if self.defensive is None and question_of(self._measure, self._pool.models).draws_apart:
            return rule
        return replace(rule, alike_share=None)

    @property
    def identity(self) -> str:
        """The settings of q, which otherwise follows from the log."""
        how = f" {self._rows.how}" if self._rows.how else ""
        return f"adaptive{how}, defensive={self.defensive}"

    def q_at(self, number: int) -> FloatArray:
        """Return the distribution of a draw's block; 0 for instances drawn before the block."""
        return self._of_instances(self.block_of(number))

    @property
    def rows(self) -> DrawnRows:
        """The rows that are drawn."""
        return self._rows

    def row_q_at(self, number: int) -> FloatArray:
        """Return `q_at` by row: the probability of one of its instances."""
        return self.distribution(self.block_of(number))

    def expected_q(self) -> FloatArray:
        """Return the optimal distribution according to the models, which later draws approach."""
        rows, n_instances = self._rows, self._pool.n_instances
        try:
            optimal = optimal_q(
                self._measure, rows.models, costs=self._costs(self._sheet_cost), estimator="difference"
            )
            q = settled_q(target_of(self._measure, rows.models), optimal, rows.left(()), self.rule_of_q)
        except ValueError:  # values without variances don't determine an optimal q
            q = np.full(rows.models[0].n_instances, 1 / n_instances)
        q = rows.spread(q)
        return q if self._groups is None else serve_groups(q, self._groups)

    def rows_of(
        self, instances: Sequence[int] | IntArray, which: Which = None
    ) -> tuple[list[Predictions], IntArray]:
        """Return models and rows for the session's measure; see `Draws.rows_of`."""
        rows = self._rows_for(self._measure)
        return of_models(rows.models, which), rows.of(instances)

    def n_left(self, number: int) -> int:
        """Return the number of instances that were not drawn before."""
        return self._pool.n_instances - number + 1

    @property
    def n_drawable(self) -> int:
        """The number of instances that can be drawn: all."""
        return self._pool.n_instances

    @property
    def drawable(self) -> BoolArray:
        """All instances, shape (n_instances,)."""
        return np.ones(self._pool.n_instances, dtype=bool)

    def draws_for(self, n_labels: int) -> int:
        """Return the number of labels, as no instance is drawn twice."""
        return n_labels

    def check(self, measure: Measure, which: Which = None) -> None:  # noqa: ARG002
        """Reject a measure that needs streamed predictions in memory, or those of one time."""
        check_in_memory(self._pool, measure)
        if measure.needs_model:
            self._check_votes(repr(measure))

    def _check_votes(self, asked: str) -> None:
        """Reject what depends on votes if they have changed between draws."""
        if self.votes.replaced:
            raise ValueError(
                f"{asked} depends on the votes, which have changed since the first draw, maybe because of "
                "labels: begin a session without after, with labels for votes as they are"
            )

    def intervals(self, measure: Measure) -> tuple[str, ...]:  # noqa: ARG002
        """Return the names of the valid intervals, the default first; the error is a maximum, with no t."""
        return "confidence_sequence", "approximate", "wald"

    def estimate(
        self,
        measure: Measure,
        answered: Answered,
        *,
        at: Sequence[int],
        interval: str,  # noqa: ARG002
        confidence_level: float,
        estimator: str | None,  # noqa: ARG002
        y_range: tuple[float, float] | None,
        which: Which = None,
    ) -> list[Estimate]:
        """See `Draws.estimate`. Uses `stats.estimate_adaptive`, whose interval is Wald's."""
        self.check(measure)
        drawn = answered.draws.tolist()
        rows = self._rows_for(measure)
        own = rows.own_predictions(answered.draws)
        return self._estimator(measure, rows, y_range, which).estimates(
            rows.of(answered.draws),
            self.probabilities(drawn),
            answered.y_true,
            least_q=self.least_probabilities(drawn),
            own=None if own is None else of_models(own, which),
            at=at,
            confidence_level=confidence_level,
            earlier=self.votes.of_draws(self.numbers_of(answered.draws)),
        )

    @property
    def settles_differences(self) -> bool:
        """See `Draws.settles_differences`: in the end all instances where models can differ are drawn."""
        return True

    def needs_round_robin(self, n_models: int) -> bool:
        """See `Draws.needs_round_robin`."""
        n_intervals = n_models * (n_models + 1) // 2
        return self._rows.models[0].n_instances * n_intervals > _ROWS_AT_ONCE

    def _estimator(
        self, measure: Measure, rows: DrawnRows, y_range: tuple[float, float] | None, which: Which
    ) -> AdaptiveEstimator:
        """Return the estimator of a measure, cached between labels."""
        return self._estimators.get(
            (type(measure), repr(measure), y_range, which),
            lambda: AdaptiveEstimator(
                measure, of_models(rows.models, which), y_range=y_range, rule=self.rule
            ),
        )

    @cached_property
    def _estimators(self) -> RecentCache[tuple[Any, ...], AdaptiveEstimator]:
        return RecentCache(max(_MIN_ESTIMATORS, _ESTIMATORS_ROWS // self._rows.models[0].n_instances))

    def begin_interval(
        self,
        measure: Measure,
        confidence_level: float,
        y_range: tuple[float, float] | None,
        deadlines: tuple[int, ...] | None,
        which: Which = None,
        filled: str | None = None,
    ) -> AdaptiveInterval:
        """See `Draws.begin_interval`. Uses `stats.AdaptiveConfidenceSequence`."""
        self.check(measure)
        rows = self._rows_for(measure)
        models = self.votes.models_at(1) or of_models(rows.models, which)
        return AdaptiveInterval(
            AdaptiveConfidenceSequence(
                measure,
                models,
                confidence_level=confidence_level,
                y_range=y_range,
                deadlines=deadlines,
                filled=filled,
                rule=self.rule,
            ),
            self.distribution_or_bound if rows is self._rows else self._law_of_instances,
            rows,
            which,
            self.votes.at if self.votes.replaced else None,
        )

    def _law_of_instances(self, number: int) -> tuple[FloatArray, float | None]:
        """Return `distribution_or_bound` by instance."""
        q, probability = self.distribution_or_bound(number)
        if self._spread is None or self._spread[0] is not q:
            self._spread = q, self._rows.spread(q)
        return self._spread[1], probability

    def _rows_for(self, measure: Measure) -> DrawnRows:
        """Return the drawn rows, or instances if the measure can't be computed from rows."""
        if not (self.is_grouped and not measure.shares_rows):
            return self._rows
        return OwnRows(self._pool.models, self._pool.costs)

    def shared_rows(self, measure: Measure) -> GroupedRows | None:
        """Return the drawn rows if the measure can be computed from them, else None."""
        rows = self._rows
        return rows if isinstance(rows, GroupedRows) and measure.shares_rows else None

    def estimate_within(
        self, part: Part | PartOfRows, measure: Measure, answered: Answered, *, confidence_level: float
    ) -> Estimate:
        """See `Draws.estimate_within`."""
        q, least = self._restricted(part, answered.draws)
        votes = self.votes.within(part)
        self.check(measure)
        return estimate_adaptive(
            measure,
            votes.as_drawn(part.models),
            part.positions(answered.draws),
            q,
            answered.y_true,
            least_q=least,
            own=part.own_predictions(answered.draws),
            confidence_level=confidence_level,
            rule=self.rule,
            earlier=votes.of_draws(self.numbers_of(answered.draws)),
        )

    def begin_interval_within(
        self,
        part: Part | PartOfRows,
        measure: Measure,
        confidence_level: float,
        y_range: tuple[float, float] | None,
    ) -> PartInterval:
        """See `Draws.begin_interval_within`."""
        self.check(measure)
        kept: dict[int, FloatArray] = {}
        votes = self.votes.within(part)

        def update(sequence: AdaptiveConfidenceSequence, number: int, y: Any) -> None:
            if votes.replaced:
                sequence.revise(votes.at(number))
            block = self._checked_block(number)
            if block not in kept:
                kept.clear()
                kept[block] = (
                    self.row_q_at(number)[part.rows]
                    if isinstance(part, PartOfRows)
                    else self.q_at(number)[part.members]
                )
            drawn = self.first(number)[-1:]
            sequence.update(int(part.positions(drawn)[0]), kept[block], y, own=part.own_predictions(drawn))

        models = votes.models_at(1) or list(part.models)
        sequence = AdaptiveConfidenceSequence(
            measure, models, confidence_level=confidence_level, y_range=y_range, rule=self.rule
        )
        return PartInterval(sequence, update)

    def _restricted(self, part: Part | PartOfRows, instances: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the probability of each draw given that it is in a part, and the minimum at that time."""
        numbers = self.numbers_of(instances)
        q, least = np.empty(numbers.size), np.empty(numbers.size)
        blocks = np.array([self._checked_block(number) for number in numbers.tolist()], dtype=np.intp)
        for block in np.unique(blocks).tolist():
            own = self.block(block)
            own = own[part.has(own)]
            of_own, rest, least_of_rest = (
                self._rows_at_the_end(part, block, own)
                if isinstance(part, PartOfRows)
                else self._members_at_the_end(part, block, own)
            )
            # From the last draw backward: the rest of the part and its smallest probability.
            total = (of_own[::-1].cumsum() + rest)[::-1]
            smallest = np.minimum.accumulate(np.append(least_of_rest, of_own[::-1]))
            which = blocks == block
            at = np.searchsorted(self.numbers_of(own), numbers[which])
            q[which] = (of_own / total)[at]
            least[which] = (smallest[1:][::-1] / total)[at]
        return np.minimum(q, 1.0), np.minimum(least, 1.0)

    def _members_at_the_end(self, part: Part, block: int, own: IntArray) -> tuple[FloatArray, float, float]:
        """Return q of a block's draws in a part, and the sum and minimum of q over the rest of the part."""
        left = self._of_instances(block)[part.members].copy()
        positions = part.positions(own)
        of_own = left[positions]
        left[positions] = 0.0
        return of_own, float(left.sum()), float(left[left > 0].min(initial=np.inf))

    def _rows_at_the_end(
        self, part: PartOfRows, block: int, own: IntArray
    ) -> tuple[FloatArray, float, float]:
        """Return the result of `_members_at_the_end` for a part of rows."""
        before = self._before(block)
        drawn = np.concatenate([before[part.has(before)], own])
        q = self.distribution(block)[part.rows]
        rest = part.models[0].left(part.positions(drawn))
        return q[part.positions(own)], float(left_sum(q, rest)), float(q[rest > 0].min(initial=np.inf))

    def _checked_block(self, number: int) -> int:
        """Return the block of a draw; raise an error if its distribution is unknown."""
        block = self.block_of(number)
        if self.n_mismatched(block):
            raise ValueError(
                "draws were made by another version's rule, so their distribution within a group is unknown"
            )
        return block

    def confusion(
        self,
        measure: Measure,
        labeled: LabeledDraws,
        *,
        is_known: bool,  # noqa: ARG002
        which: Which = None,
    ) -> ConfusionEstimate | ConfusionPair:
        """See `Draws.confusion`. Uses `stats.estimate_adaptive_confusion`."""
        self._check_votes("a confusion matrix")
        answered = labeled.answered()
        return estimate_adaptive_confusion(
            measure,
            as_class_models(of_models(self._rows.models, which)),
            self._rows.of(answered.draws),
            self.probabilities(answered.draws.tolist()),
            answered.y_true,
            rule=self.rule,
        )

    def weights(self, instances: Sequence[int]) -> FloatArray:
        """Return the weight of each draw in the average of (Σ_drawn z + z_t / q_t) / m."""
        weights = 1 / self.probabilities(instances)
        weights += np.arange(weights.size)[::-1]
        found: FloatArray = weights / self._pool.n_instances
        return found
