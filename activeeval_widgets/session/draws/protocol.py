"""The interface of draws under both protocols."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

from activeeval_widgets.session.draws.confidence_sequences import DrawnInterval
from activeeval_widgets.session.draws.labeled import Answered, LabeledDraws
from activeeval_widgets.session.draws.part import Part, PartOfRows
from activeeval_widgets.session.draws.rows import DrawnRows, GroupedRows
from activeeval_widgets.session.draws.vote_history import VoteHistory
from activeeval_widgets.session.log.draw import Draw
from activeeval_widgets.stats import (
    ConfusionEstimate,
    ConfusionPair,
    Estimate,
    Measure,
    Predictions,
)
from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.adaptive.draw_rule import DrawRule

Which = tuple[int, ...] | None
"""The positions of some of a session's models; None for all."""

_Entry = TypeVar("_Entry")


def of_models(entries: Sequence[_Entry], which: Which) -> list[_Entry]:
    """Return the entries of some models."""
    return list(entries) if which is None else [entries[position] for position in which]


class Block(NamedTuple):
    """Draws that are made together and stored before the first question about them."""

    first: int
    instances: list[int]
    q: list[float]  # of each draw, given those before it
    least: float  # the smallest positive probability in the distribution
    sheet_cost: float | None = None  # of a label on a sheet, by the seconds so far


class Draws(Protocol):
    """The draws of a session, their distributions, and estimates from their labels.

    There are two kinds: `FixedDraws`, with replacement from one distribution, determined by q and the seed;
    and `AdaptiveDraws`, without replacement, in blocks that are stored as they are made. Code that uses draws
    need not distinguish them.

    Attributes
    ----------
    protocol : {"papers", "adaptive"}
        The name of the protocol.
    is_replaced : bool
        Whether an instance can be drawn again.
    estimators : tuple of str
        The names of the estimators, the default first.
    votes : VoteHistory
        What was predicted at each draw, if that has changed.
    method : tuple of two str
        How instances are drawn and how the estimate is computed, with sources, for a report. Format fields:
        `noun`, the plural of the instances, `name`, that of the measure, and `predictions`.
    """

    protocol: ClassVar[str]
    is_replaced: ClassVar[bool]
    estimators: ClassVar[tuple[str, ...]]
    method: ClassVar[tuple[str, str]]
    votes: VoteHistory

    @property
    def is_grouped(self) -> bool:
        """Whether instances share the rows that are drawn."""

    @property
    def defensive(self) -> float | None:
        """The share of uniform draws; None if it depends on the number of labels, or q was given."""

    @property
    def is_by_disagreement(self) -> bool:
        """Whether a fixed q depends only on where predictions differ, as models have no probabilities."""

    @property
    def rule_of_q(self) -> DrawRule:
        """The rule by which later adaptive draws are forecast."""

    @property
    def identity(self) -> str:
        """The text that represents q in the session's identity."""

    # -- the draws

    def first(self, n_draws: int) -> IntArray:
        """Return the first draws as indices into the pool, shape (n_draws,)."""

    def distinct(self, position: int) -> Draw | None:
        """Return the draw that gives the `position`-th distinct instance, from 0; None if there is none."""

    def distinct_from(self, position: int) -> Iterator[Draw]:
        """Yield `distinct` of this position and the following ones, as long as there are any."""

    def find(self, number: int, n_distinct: int, /) -> Draw | None:
        """Return the draw of a number if it is one of the first `n_distinct` that give a new instance."""

    def n_distinct_before(self, number: int) -> int:
        """Return the number of distinct instances before a draw."""

    # -- their distributions

    @property
    def q(self) -> FloatArray:
        """The distribution of the latest draws, shape (n_instances,)."""

    def q_at(self, number: int) -> FloatArray:
        """Return the distribution of a draw; 0 for instances that can't be drawn again."""

    def expected_q(self) -> FloatArray:
        """Return a forecast of the average distribution of later draws."""

    def rows_of(
        self, instances: Sequence[int] | IntArray, which: Which = None
    ) -> tuple[list[Predictions], IntArray]:
        """Return the predictions for rows (instances, or what they share), and the instances' rows."""

    @property
    def rows(self) -> DrawnRows:
        """The rows that are drawn: single instances, or rows that instances share."""

    def row_q_at(self, number: int) -> FloatArray:
        """Return `q_at` by row, (n_rows,): the probability of one remaining instance of the row."""

    def probabilities(self, instances: Sequence[int]) -> FloatArray:
        """Return the probability with which each instance was drawn."""

    def n_left(self, number: int) -> int:
        """Return how many instances could be drawn at a draw."""

    @property
    def n_drawable(self) -> int:
        """The number of instances that can be drawn."""

    @property
    def drawable(self) -> BoolArray:
        """Whether each instance can be drawn, shape (n_instances,)."""

    def n_mismatched_before(self, number: int) -> int:
        """Return how many stored probabilities up to a draw differ from the recomputed ones."""

    def draws_for(self, n_labels: int) -> int:
        """Return the expected number of draws that give this many labels."""

    # -- the next ones

    @property
    def is_due(self) -> bool:
        """Whether another block has to be drawn and stored."""

    def next_block(self, size: int | None = None) -> Block:
        """Return the next block, of the due size by default, without changing anything."""

    def can_add(self, first: Any, instances: Any, q: Any, least: Any, sheet_cost: Any = None, /) -> bool:
        """Return whether a stored block can follow the draws so far."""

    def add(
        self, instances: Sequence[int], q: Sequence[float], least: float, sheet_cost: float | None = None
    ) -> None:
        """Append a block of draws."""

    # -- estimates from their labels

    @property
    def settles_differences(self) -> bool:
        """Whether a difference is known exactly once all instances that can differ have an answer."""

    def needs_round_robin(self, n_models: int) -> bool:
        """Return whether updating the intervals of all models and pairs at each label is too expensive."""

    def check(self, measure: Measure, which: Which = None) -> None:
        """Reject a measure that these draws can't estimate: it needs labels that are never drawn."""

    def intervals(self, measure: Measure) -> tuple[str, ...]:
        """Return the names of the valid intervals for a measure, the default first."""

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
        """Return estimates after some numbers of answered draws, with fixed-n intervals."""

    def begin_interval(
        self,
        measure: Measure,
        confidence_level: float,
        y_range: tuple[float, float] | None,
        deadlines: tuple[int, ...] | None,
        which: Which = None,
        filled: str | None = None,
    ) -> DrawnInterval:
        """Return a confidence sequence updated by `extend`; excluded instances have the value `filled`."""

    def shared_rows(self, measure: Measure) -> GroupedRows | None:
        """Return the rows that instances share for a measure; None if they share none."""

    def estimate_within(
        self, part: Part | PartOfRows, measure: Measure, answered: Answered, *, confidence_level: float
    ) -> Estimate:
        """Return the estimate for a part of the pool from the draws in it, with Wald's interval."""

    def begin_interval_within(
        self,
        part: Part | PartOfRows,
        measure: Measure,
        confidence_level: float,
        y_range: tuple[float, float] | None,
    ) -> DrawnInterval:
        """Return a confidence sequence for a part, to be updated with the numbers of its draws."""

    def confusion(
        self, measure: Measure, labeled: LabeledDraws, *, is_known: bool, which: Which = None
    ) -> ConfusionEstimate | ConfusionPair:
        """Return the estimated confusion matrix of one or two models."""

    def weights(self, instances: Sequence[int]) -> FloatArray:
        """Return the weight of each labeled draw in inverse-probability-weighted shares of the pool."""
