"""What draws can do, whichever way they are made; and what both ways share."""

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

from activeeval_widgets.session.draws.confidence_sequences import DrawnInterval
from activeeval_widgets.session.draws.labeled import Answered, LabeledDraws
from activeeval_widgets.session.draws.part import Part, PartOfRows
from activeeval_widgets.session.draws.rows import DrawnRows, GroupedRows
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
"""Some of a session's models, by their positions; None: all of them."""

_Entry = TypeVar("_Entry")


def of_models(entries: Sequence[_Entry], which: Which) -> list[_Entry]:
    """Those of some of the models."""
    return list(entries) if which is None else [entries[position] for position in which]


class Block(NamedTuple):
    """Draws that are made together, and stored before the first of them is asked about.

    Attributes
    ----------
    first : int
        The number of the first, from 1.
    instances : list of int
        Indices into the pool, in draw order.
    q : list of float
        The probability of each draw, given those before it.
    least : float
        What no instance that was left had less of.
    """

    first: int
    instances: list[int]
    q: list[float]
    least: float


class Draws(Protocol):
    """The draws of a session: which they are, what each came from, and what their labels say.

    There are two kinds: `FixedDraws`, with replacement from one distribution, which q and the seed determine
    before the first label; and `AdaptiveDraws`, without replacement, in blocks that are stored as they are
    made. Code that uses draws need not know which.

    Attributes
    ----------
    protocol : {"papers", "adaptive"}
        What the session's `protocol` calls it.
    is_replaced : bool
        Whether an instance can be drawn again.
    estimators : tuple of str
        The names of the estimators there are, the default first.
    method : tuple of two str
        How instances are drawn, and how the estimate is computed, with sources, for a report; to be formatted
        with `noun`, the instances in the plural, and `name`, the measure's.
    """

    protocol: ClassVar[str]
    is_replaced: ClassVar[bool]
    estimators: ClassVar[tuple[str, ...]]
    method: ClassVar[tuple[str, str]]

    @property
    def is_grouped(self) -> bool:
        """Whether draws are of rows that instances share."""

    @property
    def defensive(self) -> float | None:
        """The share of uniform draws; None where it follows the number of labels, or q was given."""

    @property
    def goes_by_difference(self) -> bool:
        """Whether a fixed q knows nothing but where predictions differ: models have no probabilities."""

    @property
    def rule_of_q(self) -> DrawRule:
        """What draws to come are forecast by, where q adapts."""

    @property
    def identity(self) -> str:
        """What the draws come from, as part of the session's identity."""

    # -- which they are

    def first(self, n_draws: int) -> IntArray:
        """The first draws, as indices into the pool, shape (n_draws,)."""

    def distinct(self, position: int) -> Draw | None:
        """The draw at which the instance that is new for the `position`-th time (from 0) comes first.

        None where the pool has no more, or it is not drawn yet.
        """

    def find(self, number: int, n_distinct: int, /) -> Draw | None:
        """The draw of a number, if it is one of the first `n_distinct` that give a new instance."""

    def n_distinct_before(self, number: int) -> int:
        """How many instances came first before the draw of a number."""

    # -- what they come from

    @property
    def q(self) -> FloatArray:
        """The distribution that the latest draws came from, shape (n_instances,)."""

    def q_at(self, number: int) -> FloatArray:
        """The distribution that the draw of a number came from; 0 on what can't be drawn any more."""

    def expected_q(self) -> FloatArray:
        """What later draws come from on the whole, as far as that is known beforehand."""

    def rows_of(
        self, instances: Sequence[int] | IntArray, which: Which = None
    ) -> tuple[list[Predictions], IntArray]:
        """What is predicted in the rows that q knows (instances, or what they share), and instances' rows."""

    @property
    def rows(self) -> DrawnRows:
        """What draws are made of: each instance, or rows that instances share."""

    def row_q_at(self, number: int) -> FloatArray:
        """The same as `q_at` for each row, (n_rows,): what one of its instances that were left had."""

    def probabilities(self, instances: Sequence[int]) -> FloatArray:
        """Of each draw of these instances, the probability with which it was drawn."""

    def n_left(self, number: int) -> int:
        """How many instances could be drawn when the draw of a number was made."""

    @property
    def n_drawable(self) -> int:
        """How many instances can be drawn at all."""

    @property
    def drawable(self) -> BoolArray:
        """Which instances can be drawn at all, shape (n_instances,)."""

    def n_differing_before(self, number: int) -> int:
        """Draws up to a number, stored with another probability than is computed from the log."""

    def draws_for(self, n_labels: int) -> int:
        """About how many draws it takes to give so many labels, fewer than there are instances to draw."""

    # -- the next ones

    @property
    def is_due(self) -> bool:
        """Whether a further block has to be drawn, and stored."""

    def next_block(self, size: int | None = None) -> Block:
        """The next draws, of as many as are due unless a `size` is given; nothing is changed."""

    def can_add(self, first: Any, instances: Any, q: Any, least: Any, /) -> bool:
        """Whether a stored block can follow the draws so far."""

    def add(self, instances: Sequence[int], q: Sequence[float], least: float) -> None:
        """Take a block for drawn, now."""

    # -- what their labels say

    @property
    def settles_differences(self) -> bool:
        """Whether a difference is bounded by what is certain once all that can differ has an answer."""

    def takes_turns(self, n_models: int) -> bool:
        """Whether the pool is too large for the intervals of so many models and all pairs at each label."""

    def check(self, measure: Measure, which: Which = None) -> None:
        """Refuse a measure that these draws tell nothing about.

        Raises
        ------
        ValueError
            If it needs labels of instances that are never drawn.
        """

    def intervals(self, measure: Measure) -> tuple[str, ...]:
        """The names of the intervals that hold for a measure, the default first."""

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
        """The estimates after some numbers of answered draws, with an interval for a number fixed beforehand.

        Parameters
        ----------
        measure : Measure
            What is estimated.
        answered : Answered
            The draws that have labels, or can't be labeled.
        at : sequence of int
            After how many of them.
        interval : str
            One of `intervals`, other than the confidence sequence.
        confidence_level : float
            Its level.
        estimator : str or None
            One of `estimators`; None: the first.
        y_range : tuple of two floats, or None
            For values, the smallest and the largest label there can be.
        which : sequence of int, or None
            The models that it is about, by their positions; None: all.
        """

    def begin_interval(
        self,
        measure: Measure,
        confidence_level: float,
        y_range: tuple[float, float] | None,
        deadlines: tuple[int, ...] | None,
        which: Which = None,
        filled: str | None = None,
    ) -> DrawnInterval:
        """A confidence sequence for these draws, before the first: `extend(draws, y_true)` feeds it.

        `filled`: what excluded instances count; see `stats.AdaptiveConfidenceSequence`.
        """

    def shared_rows(self, measure: Measure) -> GroupedRows | None:
        """The rows that instances share for a measure; None where each is told by itself."""

    def estimate_within(
        self, part: Part | PartOfRows, measure: Measure, answered: Answered, *, confidence_level: float
    ) -> Estimate:
        """The estimate for a part of the pool, from the answered draws that fell into it.

        Its interval is Wald's, for one number of draws.

        Raises
        ------
        ValueError
            If it is not known, or impossible, how draws came about within the part.
        """

    def begin_interval_within(
        self,
        part: Part | PartOfRows,
        measure: Measure,
        confidence_level: float,
        y_range: tuple[float, float] | None,
    ) -> DrawnInterval:
        """A confidence sequence for a part of the pool, fed with the numbers of the draws in it."""

    def confusion(
        self, measure: Measure, labeled: LabeledDraws, *, is_known: bool, which: Which = None
    ) -> ConfusionEstimate | ConfusionPair:
        """The confusion matrix of the model, or of both, with the weights of the estimate.

        Parameters
        ----------
        measure : Measure
            Whose weights.
        labeled : LabeledDraws
            These draws with their labels.
        is_known : bool
            Whether all that can be drawn has an answer.
        which : sequence of int, or None
            The model, or the two, by their positions; None: all.
        """

    def weights(self, instances: Sequence[int]) -> FloatArray:
        """The weight of each labeled draw in a share of the pool that is estimated by plain weighting."""
