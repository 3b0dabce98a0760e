"""The interface of all kinds of predictions, so that callers need not distinguish them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any, ClassVar, NamedTuple, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, BoolArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_order, index_of
from activeeval_widgets.stats.predictions.beliefs import Belief
from activeeval_widgets.stats.predictions.buckets import Alike
from activeeval_widgets.stats.predictions.class_labels import as_labels
from activeeval_widgets.stats.predictions.trial_bets import TrialBets
from activeeval_widgets.stats.text import counted


@dataclass(frozen=True)
class Certainty:
    """The number that says most about a model's certainty on each instance."""

    values: FloatArray
    label: str
    """What the number is, such as "confidence"."""
    is_share: bool
    """Whether it is a probability, to be shown as a percentage."""
    is_prediction: bool = False
    """Whether it is the prediction itself."""
    names: tuple[str, ...] = ()
    """For values that are positions from 0, the name of each."""


class PredictionDescription(NamedTuple):
    """A model's prediction for an instance."""

    text: str
    """Only the prediction: "spam", "1.23"; "" for rankings, which need more than a few words."""
    in_short: str
    """The same with its certainty: "spam (90%)", "1.23 ± 0.4"."""
    predicate: str
    """Such as "says spam (90%)" or "expects grades 1.2, 0.3 from the top"; "" without a model."""
    record: dict[str, Any]
    """Table cells: "prediction", with "confidence" or "standard_deviation" if there is one."""


class Grid(Protocol):
    """The resolution at which rows distinguish instances, decided by a sample of all models' predictions."""

    def alike(self, models: Sequence[Any], positive: Any = None) -> list[Alike]:
        """Return the respects in which instances are alike; `positive` is the class of interest."""

    def as_whole_numbers(self, model: Any) -> IntArray:
        """Return predictions as integers to be summed in any order; (n_instances, n_columns), int64."""

    def from_whole_numbers(self, model: Any, means: FloatArray, ends: IntArray) -> Any:
        """Return a model's predictions from means of such integers, (n_rows, n_columns).

        `ends` holds the smallest and largest integers in the pool, (2, n_columns).
        """


class Members(Protocol):
    """What is known of the instances that share a row, beyond the row itself."""

    def loss_bounds(
        self, measure: Any, y_range: tuple[float, float] | None, positions: tuple[int, ...]
    ) -> tuple[FloatArray, FloatArray]:
        """Return the smallest and largest loss in each row over all labels; see `Measure.loss_bounds`.

        `positions`: of one model, or of two whose losses are subtracted (`Predictions.position`).
        """


class Predictions(ABC):
    """A model's predictions for every instance of the pool.

    The three kinds are `ClassPredictions`, `ValuePredictions` and `RankingPredictions`. Everything in which
    they differ is a method or an attribute of this class.

    Attributes
    ----------
    kind : {"class", "value", "ranking"}
        The kind of predictions.
    label_kind : {"class", "number", "grades"}
        What the label of an instance is.
    takes_range : bool
        Whether labels are unbounded numbers, so that a range of possible labels helps.
    name : str or None
        The model's name on screen.
    counts : ndarray of int of shape (n_instances,), or None
        The number of instances with similar predictions that each row represents; None means one each. Draws
        are then of rows, and a row can be drawn as often as its count.

    members : Members, or None
        The instances that rows with counts represent.
    position : int
        Which one of the models that `members` know it is.
    index : pandas.Index or None
        The index of the pandas object that they were made of: other objects with another order are refused.

    See Also
    --------
    ClassPredictions, ValuePredictions, RankingPredictions : The kinds.

    Examples
    --------
    >>> [type(each).kind for each in (ClassPredictions([[0.9, 0.1]]), ValuePredictions([1.0]))]
    ['class', 'value']
    """

    kind: ClassVar[str]
    label_kind: ClassVar[str]
    takes_range: ClassVar[bool] = False
    name: str | None
    counts: IntArray | None = None
    members: "Members | None" = None
    position: int = 0
    index: Any = None

    @cached_property
    def _kept(self) -> dict[Hashable, Any]:
        """A cache of what is computed from these predictions only."""
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the cache: a copy, perhaps with other rows, computes its own."""
        return {name: value for name, value in self.__dict__.items() if name != "_kept"}

    def __repr__(self) -> str:
        name = f" of {self.name}" if self.name else ""
        n = self.size
        return f"<{type(self).__name__}{name}: {counted(n, 'instances')}{self._repr_details()}>"

    def _repr_details(self) -> str:
        """Return what follows the number of instances in the repr."""
        return ""

    @property
    @abstractmethod
    def n_instances(self) -> int:
        """The number of instances of the pool, m, or the number of rows if these have counts."""

    @property
    def size(self) -> int:
        """The number of instances of the pool, m, however many share a row."""
        return self.n_instances if self.counts is None else int(self.counts.sum())

    def with_counts(
        self, counts: IntArray | None, members: "Members | None" = None, position: int = 0
    ) -> Self:
        """Return the predictions for a pool whose rows represent these numbers of instances; None for 1."""
        made = copy(self) if counts is None else with_other_rows(self)
        made.counts = None if counts is None else read_only(np.asarray(counts, dtype=np.intp))
        made.members, made.position = members, position
        return made

    def left(self, draws: IntArray) -> AnyArray:
        """Return the number of instances of each row left after these draws, (n_instances,).

        The result is Boolean unless rows have counts; `left_sum` accepts both.
        """
        return left_of(draws, self.n_instances, self.counts)

    def average(self, values: FloatArray) -> Any:
        """Return the mean over the pool of values of the rows, (n_instances, …)."""
        return values.mean(axis=0) if self.counts is None else self.counts @ values / self.size

    def is_comparable_with(self, other: "Predictions") -> bool:
        """Return whether both are predictions of one kind, which can be compared."""
        return type(other) is type(self)

    @abstractmethod
    def mismatch(self, other: Self) -> tuple[str, str] | None:
        """Return how the other model is incomparable, as (this, other); None if it is comparable."""

    @abstractmethod
    def belief(self, others: Sequence[Self]) -> Belief:
        """Return p(y | x) by the equal mixture of this model's predictive distribution and the `others`'."""

    @abstractmethod
    def corrected(
        self,
        others: Sequence[Self],
        draws: IntArray,
        y_true: Any,
        *,
        positive: Any = None,
        with_labels: bool = False,
    ) -> Belief:
        """Return the belief, corrected by the labels `y_true` of the instances `draws`.

        Parameters
        ----------
        positive : class label, optional
            The class of interest, which may be corrected more than others.
        with_labels : bool
            Whether labeled instances get their labels with certainty, if the belief can hold them.
        """

    @abstractmethod
    def check_labels(self, y_true: Any, n_labels: int, expected: str) -> Any:
        """Validate `n_labels` labels and return them in a form that has a length."""

    def check_common_labels(self, labels: Any) -> None:  # noqa: B027 - most labels suit all models
        """Refuse labels that mean different things to several models; here, none do."""

    @abstractmethod
    def extreme_labels(self, y_range: tuple[float, float] | None, others: Sequence[Self] = ()) -> Any:
        """Yield labels of the whole pool that include each instance's extreme ones.

        Every loss or gain of this model, and every difference from one of `others`, takes its smallest and
        its largest value at one of them. Grades of rankings are in this model's own order. `y_range` is the
        smallest and largest label, if `takes_range`.
        """

    @abstractmethod
    def counting_labels(self, instances: IntArray) -> Iterator[Any]:
        """Yield labels of some instances that include one that counts for a measure, if any does."""

    def rules(
        self,
        others: Sequence[Self],  # noqa: ARG002
        positive: Any = None,  # noqa: ARG002
    ) -> list[Callable[[IntArray], Any]]:
        """Return simple rules for labels, each a function from instances to labels; none for values.

        With a class of interest, some contradict the model where it predicts this class, elsewhere, or both.
        """
        return []

    def assumed_range(self, others: Sequence[Self]) -> tuple[float, float] | None:  # noqa: ARG002
        """Return the range of labels that predictions suggest; None if they suggest none."""
        return None

    def distance(self, instance: int, y: Any) -> float:
        """Return the distance of a numeric label from the prediction.

        Raises
        ------
        TypeError
            If labels are not numbers.
        """
        del instance, y
        raise TypeError(f"labels of {self!r} have no distance from the prediction")

    def farthest_label(self, y_range: tuple[float, float]) -> float:
        """Return the largest distance from the prediction of a label in this range.

        Raises
        ------
        TypeError
            If labels are not numbers.
        """
        raise TypeError(f"labels of {self!r} have no distance from the prediction, within {y_range}")

    @abstractmethod
    def trial_bets(self) -> TrialBets:
        """Return the bets with which a `ModelTrial` tests what the model promises.

        Raises
        ------
        ValueError
            If the model promises nothing.
        """

    @property
    @abstractmethod
    def label_values(self) -> AnyArray | None:
        """All possible labels or grades of an item; None for any number."""

    is_model: ClassVar[bool] = True
    """Whether there are predictions; without a model, only the possible labels are known."""

    guides_draws: ClassVar[bool] = True
    """Whether it says, before any label, which instances are more informative."""

    role: str = "model"
    """The generic name of the predictor in sentences; "scorer" for evaluation logs."""

    assists: bool = True
    """Whether estimates use its expectation as a control variate. For shares of votes they do not: judges can
    all be wrong in the same way, however many agree."""

    is_supposed: ClassVar[bool] = False
    """Whether its expectation of labels is only an assumption of ours."""

    @property
    def n_pseudo_labels(self) -> float:
        """A number of labels that is added to the actual one to decide how far draws are guided.

        It is infinite for shares of votes, which are smoothed and never fully certain, so that they can guide
        the first draws as well as later ones. A model can be overconfident, and guides draws more as labels
        confirm it.
        """
        return 0.0 if self.assists else inf

    written_as: ClassVar[str | None] = None
    """The kind that `to_dict` writes, if it is not `kind`."""

    @property
    def promises(self) -> bool:
        """Whether the model gives a distribution of labels given x."""
        return True

    @property
    @abstractmethod
    def certainty(self) -> Certainty | None:
        """How sure the model is of each instance; None if that depends on the measure.

        The probability of the predicted class; the standard deviation of a value, or the value itself without
        one.
        """

    def predicts_positive(self, positive: Any) -> BoolArray | None:  # noqa: ARG002
        """Return where the predicted class is the positive one, (n_instances,); None without classes."""
        return None

    @property
    @abstractmethod
    def arrays(self) -> tuple[AnyArray, ...]:
        """All arrays that define the model, for a digest: equal if the predictions are equal."""

    @property
    def ranked_items(self) -> Iterator[tuple[Sequence[Hashable], Sequence[Hashable]]] | None:
        """For each instance, the items in ranked order, and all items with probabilities in their order.

        None unless the predictions are rankings.
        """
        return None

    def items(self, instance: int) -> tuple[Hashable, ...]:
        """Return an instance's items in ranked order.

        Raises
        ------
        TypeError
            If the predictions are not rankings.
        """
        del instance
        raise TypeError(f"only RankingPredictions have items, not {type(self).__name__}")

    def is_wrong(self, instances: IntArray, y_true: Any) -> BoolArray | None:
        """Return where labels differ from the predictions, (n,); None if these are not right or wrong."""
        del instances, y_true
        return None

    @abstractmethod
    def differs(self, other: Self) -> BoolArray:
        """Return where another model of the same pool predicts something else, (n_instances,).

        That is, another class, number or order of a list; the probabilities do not matter.
        """

    @abstractmethod
    def of_instances(self, instances: IntArray) -> Self:
        """Return the predictions of some instances as a pool of their own."""

    shares_rows: ClassVar[bool] = False
    """Whether instances can share rows, so that `part`, `grid`, `alike` and the integers are available."""

    needs_sample: ClassVar[bool] = False
    """Whether a sample of the pool is needed to decide which instances are alike."""

    def part(self, rows: slice | IntArray) -> Self:
        """Return the predictions of some instances, or of none, unchecked; slices are not copied."""
        raise NotImplementedError

    def elsewhere(self, array: Callable[[str, tuple[int, ...], Any], Any]) -> Self:
        """Return the same model's predictions for a whole pool, in arrays that are created by name.

        Parameters
        ----------
        array : callable
            Called with an attribute's name, the shape of an instance's row, and its type; returns the array
            to use instead.
        """
        raise NotImplementedError

    def grid(self, others: Sequence[Self]) -> Grid:
        """Return the resolution at which a sample of all models' predictions distinguishes instances."""
        raise NotImplementedError

    def as_of_rows(self, own: Self, rows: IntArray, labels: Any) -> Any:  # noqa: ARG002
        """Return labels for the correction of rows, shifted by the rows' minus the instances' predictions.

        Parameters
        ----------
        own : Predictions
            The predictions for the instances, (n,).
        rows : ndarray of shape (n,)
            Their rows.
        labels : array-like of shape (n,)
            Their labels.
        """
        return labels

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the predictions as JSON values, which `from_dict` converts back bit for bit."""

    @classmethod
    @abstractmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Return the predictions that `to_dict` wrote.

        See Also
        --------
        stats.predictions.from_dict.predictions_from_dict : For predictions of any kind.
        """

    @abstractmethod
    def describe(self, instance: int) -> PredictionDescription:
        """Return an instance's prediction in words and as table cells; reads this instance only."""

    def _label_array(self, y_true: ArrayLike, n_labels: int, expected: str) -> AnyArray:
        labels = as_labels(y_true, "y_true")
        if labels.shape != (n_labels,):
            raise ValueError(f"y_true must hold one label for each of {expected}, got shape {labels.shape}")
        return labels


Model = TypeVar("Model", bound=Predictions)


def with_other_rows(model: Model) -> Model:
    """Return a copy of predictions, for rows that their index does not name."""
    made = copy(model)
    made.index = None
    return made


def left_of(draws: IntArray, n_rows: int, counts: IntArray | None) -> AnyArray:
    """Return the number of instances of each row left after draws, (n_rows,); see `Predictions.left`."""
    if counts is None:
        rest = np.ones(n_rows, dtype=bool)
        rest[draws] = False
        return rest
    return np.asarray(counts - np.bincount(draws, minlength=n_rows), dtype=np.float64)


def left_sum(values: FloatArray, left: AnyArray) -> Any:
    """Return the sum of values, (n_rows, …), over what is left by `Predictions.left`."""
    return values[left].sum(axis=0) if left.dtype == bool else left @ values


def read_only(array: AnyArray) -> Any:
    """Return a copy that neither the caller who gave the array nor a reader can modify.

    An array that is mapped from a file read-only is returned unchanged.
    """
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    if isinstance(owner, np.memmap) and owner.mode == "r":
        return array
    made = np.array(array)
    made.setflags(write=False)
    return made


def n_pseudo_labels(models: Sequence[Predictions]) -> float:
    """Return the smallest head start of several models."""
    return min(model.n_pseudo_labels for model in models)


def one_or_all(models: Sequence[Predictions]) -> Predictions | Sequence[Predictions]:
    """Return the only model, or all of several, in the form in which callers pass them."""
    first, *others = models
    return models if others else first


def as_models(predictions: Predictions | Sequence[Predictions]) -> list[Predictions]:
    """Return one or several models as a list, after checking that they are for the same pool and labels."""
    models = [predictions] if isinstance(predictions, Predictions) else list(predictions)
    if not models:
        raise ValueError("predictions must hold at least one model, got an empty list")
    first = models[0]
    named = next((at for at, model in enumerate(models) if index_of(model) is not None), 0)
    for position, model in enumerate(models):
        if not isinstance(model, Predictions):
            raise TypeError(
                "predictions must be ClassPredictions, ValuePredictions or RankingPredictions, or a list of "
                f"one of them, got {model!r}"
            )
        this, other = (
            f"predictions of {each.name!r}" if model.name and first.name else f"predictions[{at}]"
            for at, each in ((position, model), (0, first))
        )
        if not first.is_comparable_with(model):
            raise TypeError(f"{this} is {type(model).__name__}, but {other} is {type(first).__name__}")
        if model.n_instances != first.n_instances:
            raise ValueError(
                f"{this} is for {model.n_instances} instances, but {other} is for {first.n_instances}"
            )
        check_order(this, model, f"predictions[{named}]", models[named])
        mismatch = first.mismatch(model)
        if mismatch is not None:
            ours, theirs = mismatch
            raise ValueError(
                f"{this} has {theirs}, but {other} has {ours}: give all models the same, in the same order"
            )
    return models


def mixture(models: Sequence[Predictions]) -> Belief:
    """Return the equal mixture of the models' predictive distributions (T, eq. 5.11)."""
    return models[0].belief(models[1:])
