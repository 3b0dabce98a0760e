"""The papers' protocol: draws with replacement from one fixed distribution."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from activeeval_widgets.session.draws.confidence_sequences import FixedInterval, PartInterval
from activeeval_widgets.session.draws.labeled import Answered, LabeledDraws
from activeeval_widgets.session.draws.part import Part, PartOfRows
from activeeval_widgets.session.draws.protocol import Block, Which, of_models
from activeeval_widgets.session.draws.rows import OwnRows
from activeeval_widgets.session.draws.sequence import DrawSequence
from activeeval_widgets.session.draws.vote_history import VoteHistory
from activeeval_widgets.session.pool.fingerprints import fingerprint
from activeeval_widgets.stats import (
    ConfidenceSequence,
    ConfusionEstimate,
    ConfusionPair,
    Estimate,
    Measure,
    Predictions,
    estimate_confusion,
    estimate_trajectory,
)
from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule
from activeeval_widgets.stats.fixed_n.confusion_matrix import as_class_models
from activeeval_widgets.stats.questions.support import check_support

_MAX_DRAWS = 10**9
"""The maximum number of draws to plan for."""


class FixedDraws(DrawSequence):
    """Draws with replacement from a fixed q, and their estimates; see `Draws`."""

    protocol: ClassVar[str] = "papers"
    is_replaced: ClassVar[bool] = True
    is_grouped: ClassVar[bool] = False
    estimators: ClassVar[tuple[str, ...]] = ("self_normalized", "difference")
    method: ClassVar[tuple[str, str]] = (
        "{noun} were drawn independently and with replacement, with probabilities that were fixed before "
        "the first label: higher where a label tells more about the {name} by {predictions} "
        "(Sawade et al., Active risk estimation, ICML 2010; Active estimation of F-measures, NIPS 2010; "
        "Active comparison of prediction models, NIPS 2012).",
        "The estimate is the average of the labels' contributions, each weighted by the inverse of its "
        "probability and divided by the sum of the weights.",
    )

    def __init__(
        self,
        models: Sequence[Predictions],
        q: FloatArray,
        seed: int,
        defensive: float | None = None,
        *,
        is_by_disagreement: bool = False,
        generator: Callable[[int], np.random.Generator] | None = None,
    ) -> None:
        super().__init__(q, seed, generator)
        self.defensive, self.is_by_disagreement = defensive, is_by_disagreement
        self._models = list(models)
        self.votes = VoteHistory(models[0])

    @property
    def rule_of_q(self) -> DrawRule:
        """The present rule, as none determines q."""
        return DRAW_RULE

    @property
    def identity(self) -> str:
        """A digest of q."""
        return fingerprint(self.q)

    def q_at(self, number: int) -> FloatArray:  # noqa: ARG002
        """Return q, the distribution of every draw."""
        return self.q

    @property
    def rows(self) -> OwnRows:
        """The instances themselves."""
        return OwnRows(self._models)

    def row_q_at(self, number: int) -> FloatArray:
        """Return q, as each row is an instance."""
        return self.q_at(number)

    def expected_q(self) -> FloatArray:
        """Return q."""
        return self.q

    def rows_of(
        self, instances: Sequence[int] | IntArray, which: Which = None
    ) -> tuple[list[Predictions], IntArray]:
        """Return models and instances, as each instance is a row."""
        return of_models(self._models, which), np.asarray(instances, dtype=np.intp)

    def probabilities(self, instances: Sequence[int]) -> FloatArray:
        """Return the probability of each draw."""
        found: FloatArray = self.q[np.asarray(instances, dtype=np.intp)]
        return found

    def n_left(self, number: int) -> int:  # noqa: ARG002
        """Return the number of all instances."""
        return int(self.q.size)

    @property
    def drawable(self) -> BoolArray:
        """Whether each instance can be drawn, shape (n_instances,)."""
        return self.q > 0

    def n_mismatched_before(self, number: int) -> int:  # noqa: ARG002
        """Return 0, as the draws follow from q and the seed."""
        return 0

    def draws_for(self, n_labels: int) -> int:
        """Return the number of draws that are expected to give this many distinct instances."""
        rates = np.log1p(-np.minimum(self.q, 1 - 1e-12))
        low, high = n_labels, 2 * n_labels
        while -np.expm1(high * rates).sum() < n_labels and high < _MAX_DRAWS:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if -np.expm1(middle * rates).sum() < n_labels else (low, middle)
        return high

    is_due: ClassVar[bool] = False

    def next_block(self, size: int | None = None) -> Block:
        """Raise an error, as these draws are not stored in blocks."""
        raise NotImplementedError("draws from a fixed q are not stored in blocks")

    def can_add(self, *block: Any) -> bool:  # noqa: ARG002
        """Return False, as q and the seed determine all draws."""
        return False

    def add(
        self, instances: Sequence[int], q: Sequence[float], least: float, sheet_cost: float | None = None
    ) -> None:
        """Raise an error, as these draws are not stored in blocks."""
        raise NotImplementedError("draws from a fixed q are not stored in blocks")

    @property
    def settles_differences(self) -> bool:
        """Whether instances on which models can't differ are never drawn."""
        return bool((self.q == 0).any())

    def needs_round_robin(self, n_models: int) -> bool:  # noqa: ARG002
        """See `Draws.needs_round_robin`: with a fixed q, updates are cheap."""
        return False

    def check(self, measure: Measure, which: Which = None) -> None:
        """Reject a measure that needs labels of instances that are never drawn."""
        check_support(measure, of_models(self._models, which), self.q)

    def intervals(self, measure: Measure) -> tuple[str, ...]:
        """Return the names of the valid intervals for a measure, the default first."""
        _, *others = self._models
        is_binary = not others and measure.is_binary
        is_uniform = np.allclose(self.q, 1 / self.q.size, rtol=1e-9, atol=0)
        counted = ("wilson", "clopper_pearson") if is_binary and is_uniform else ()
        return ("confidence_sequence", "approximate", "wald", "t", *counted)

    def estimate(
        self,
        measure: Measure,
        answered: Answered,
        *,
        at: Sequence[int],
        interval: str,
        confidence_level: float,
        estimator: str | None,
        y_range: tuple[float, float] | None,
        which: Which = None,
    ) -> list[Estimate]:
        """See `Draws.estimate`. Uses `stats.estimate_trajectory`."""
        return estimate_trajectory(
            measure,
            of_models(self._models, which),
            self.q,
            answered.draws,
            answered.y_true,
            at=at,
            interval=interval,
            confidence_level=confidence_level,
            estimator=estimator or self.estimators[0],
            y_range=y_range,
        )

    def begin_interval(
        self,
        measure: Measure,
        confidence_level: float,
        y_range: tuple[float, float] | None,
        deadlines: tuple[int, ...] | None,
        which: Which = None,
        filled: str | None = None,
    ) -> FixedInterval:
        """See `Draws.begin_interval`. Uses `stats.ConfidenceSequence`."""
        return FixedInterval(
            ConfidenceSequence(
                measure,
                of_models(self._models, which),
                self.q,
                confidence_level=confidence_level,
                y_range=y_range,
                deadlines=deadlines,
                filled=filled,
            )
        )

    def shared_rows(self, measure: Measure) -> None:
        """Return None, as instances share no rows."""

    def estimate_within(
        self, part: Part | PartOfRows, measure: Measure, answered: Answered, *, confidence_level: float
    ) -> Estimate:
        """See `Draws.estimate_within`."""
        assert isinstance(part, Part)  # noqa: S101 - instances share no rows
        [found] = estimate_trajectory(
            measure,
            part.models,
            self._restricted(part),
            part.positions(answered.draws),
            answered.y_true,
            at=[int(answered.draws.size)],
            interval="wald",
            confidence_level=confidence_level,
            estimator=self.estimators[0],
        )
        return found

    def begin_interval_within(
        self,
        part: Part | PartOfRows,
        measure: Measure,
        confidence_level: float,
        y_range: tuple[float, float] | None,
    ) -> PartInterval:
        """See `Draws.begin_interval_within`."""
        assert isinstance(part, Part)  # noqa: S101 - instances share no rows
        sequence = ConfidenceSequence(
            measure,
            list(part.models),
            self._restricted(part),
            confidence_level=confidence_level,
            y_range=y_range,
        )

        def update(sequence: ConfidenceSequence, number: int, y: Any) -> None:
            sequence.update(int(part.positions(self.first(number)[-1:])[0]), y)

        return PartInterval(sequence, update)

    def _restricted(self, part: Part) -> FloatArray:
        q: FloatArray = self.q[part.members]
        if not q.sum() > 0:
            raise ValueError("q is 0 on a whole group, so no instance of it is ever drawn")
        restricted: FloatArray = q / q.sum()
        return restricted

    def confusion(
        self,
        measure: Measure,  # noqa: ARG002
        labeled: LabeledDraws,
        *,
        is_known: bool,
        which: Which = None,
    ) -> ConfusionEstimate | ConfusionPair:
        """See `Draws.confusion`. Uses `stats.estimate_confusion`."""
        n_never = int(np.count_nonzero(self.q == 0))
        if n_never:
            raise ValueError(
                f"q is 0 on {n_never:,} of {self.q.size:,} instances: they are never drawn, so labels show "
                "no confusion matrix of the pool. Use adaptive draws, or a q that is positive everywhere"
            )
        models = as_class_models(of_models(self._models, which))
        draws, y_true = labeled.labeled()
        if not is_known:
            return estimate_confusion(models, draws, 1 / self.q[draws], y_true)
        once, first = np.unique(draws, return_index=True)
        return estimate_confusion(models, once, np.ones(once.size), y_true[first]).without_errors()

    def weights(self, instances: Sequence[int]) -> FloatArray:
        """Return p/q of each draw."""
        return 1 / self.probabilities(instances) / self.q.size
