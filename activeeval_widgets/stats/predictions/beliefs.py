"""Beliefs about labels: predictive distributions p(y | x), one class for each kind of label."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray

_MIN_PROBABILITY = 1e-6
"""Smaller probabilities are raised to this one before tempering, so that none is 0."""


class Belief(ABC):
    """The believed p(y | x) of every instance, frozen; its class depends on the kind of labels."""

    follows_labels: ClassVar[bool] = False
    """Whether labels also correct a measure's expectation once they have corrected the belief. (For values
    they correct only the variances.)"""
    follows_spread: ClassVar[bool] = False
    """Whether labels correct the spread of the belief, so that expected losses are right up to a factor."""
    n_samples: ClassVar[int] = 1000
    """The number of sampled labels that represent the belief in averages."""

    @property
    def is_known(self) -> bool:
        """Whether there is a distribution; False for values without variances."""
        return True

    def check_known(self) -> None:
        """Refuse values without variances."""
        if not self.is_known:
            raise ValueError("the predictions have no variances, so the distribution of labels is unknown")

    def contrast(self) -> FloatArray:
        """Return what is known without a distribution, (n_instances,): predictions, or their difference."""
        raise TypeError(f"{type(self).__name__} always has a distribution")

    @abstractmethod
    def tempered(self, power: float) -> Self:
        """Return the belief with probabilities to a power, normalized, or variances divided by its square."""

    @abstractmethod
    def sample(
        self, draws: IntArray, rng: np.random.Generator, y_range: tuple[float, float] | None = None
    ) -> Any:
        """Sample one independent label for each draw; values are limited to `y_range`."""


@dataclass(frozen=True, eq=False)
class ClassBelief(Belief):
    """A belief about classes."""

    classes: AnyArray
    y_proba: FloatArray
    rows: Callable[[IntArray], FloatArray] | None = None
    """Computes the probabilities of some instances, so that not all need be kept in memory."""
    kept: dict[Hashable, Any] = field(default_factory=dict, repr=False)
    """A cache of what is computed from the belief."""
    follows_labels: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.y_proba.setflags(write=False)

    @property
    def proba_of(self) -> Callable[[IntArray], FloatArray]:
        """Return a function from indices to class probabilities, (n, n_classes)."""
        return self.rows or (lambda chosen: np.asarray(self.y_proba[chosen]))

    def tempered(self, power: float) -> Self:
        """See `Belief.tempered`."""
        return type(self)(self.classes, _tempered(self.y_proba, power))

    def sample(
        self,
        draws: IntArray,
        rng: np.random.Generator,
        y_range: tuple[float, float] | None = None,  # noqa: ARG002
    ) -> AnyArray:
        """Sample one class for each draw; see `Belief.sample`."""
        labels: AnyArray = self.classes[_choose(self.y_proba[draws], rng)]
        return labels


@dataclass(frozen=True, eq=False)
class GaussianMixture(Belief):
    """A belief about values: an equal mixture of Gaussians for each instance, (n_components, n_instances)."""

    means: FloatArray
    variances: FloatArray | None
    follows_spread: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.means.setflags(write=False)
        if self.variances is not None:
            self.variances.setflags(write=False)

    @property
    def is_known(self) -> bool:
        """Whether variances are known."""
        return self.variances is not None

    def known(self) -> tuple[FloatArray, FloatArray]:
        """Return means and variances, and refuse values without variances."""
        self.check_known()
        assert self.variances is not None  # noqa: S101 - for the type checker
        return self.means, self.variances

    def contrast(self) -> FloatArray:
        """Return the means, or the differences of two models' means."""
        contrast: FloatArray = self.means[0] - self.means[1] if len(self.means) == 2 else self.means[0]
        return contrast

    def tempered(self, power: float) -> Self:
        """See `Belief.tempered`."""
        variances = None if self.variances is None else self.variances / power**2
        return type(self)(self.means, variances)

    def sample(
        self, draws: IntArray, rng: np.random.Generator, y_range: tuple[float, float] | None = None
    ) -> FloatArray:
        """Sample one value for each draw; see `Belief.sample`."""
        means, variances = self.known()
        component = rng.integers(len(means), size=draws.size)
        mean, variance = means[component, draws], variances[component, draws]
        labels: FloatArray = rng.normal(mean, np.sqrt(variance))
        return labels if y_range is None else np.clip(labels, *y_range)


@dataclass(frozen=True, eq=False)
class RelevanceModel(Belief):
    """A belief about grades: p(grade | query, item), grades being independent given the query (T, 6.3)."""

    grades: FloatArray
    proba: FloatArray
    """One row for each item of each query."""
    rows: Sequence[dict[Hashable, int]]
    """For each query, the row of each item."""
    kept: dict[Hashable, Any] = field(default_factory=dict, repr=False)
    """A cache of what is computed from the belief."""
    n_samples: ClassVar[int] = 200

    def __post_init__(self) -> None:
        self.proba.setflags(write=False)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the cache."""
        return {name: value for name, value in self.__dict__.items() if name != "kept"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, kept={})

    def rows_of(self, rankings: Sequence[Sequence[Hashable]], cutoff: int | None) -> IntArray:
        """Return the rows of all ranked items up to the cutoff, query by query."""
        try:
            found = [
                row
                for ranking, known in zip(rankings, self.rows, strict=True)
                for row in map(known.__getitem__, ranking[:cutoff])
            ]
        except KeyError:
            query, item = next(
                (query, item)
                for query, (ranking, known) in enumerate(zip(rankings, self.rows, strict=True))
                for item in ranking[:cutoff]
                if item not in known
            )
            raise ValueError(f"the relevance of item {item!r} of query {query} is not known") from None
        return np.array(found, dtype=np.intp)

    def tempered(self, power: float) -> Self:
        """See `Belief.tempered`."""
        return type(self)(self.grades, _tempered(self.proba, power), self.rows)

    def sample(
        self,
        draws: IntArray,
        rng: np.random.Generator,
        y_range: tuple[float, float] | None = None,  # noqa: ARG002
    ) -> list[dict[Hashable, float]]:
        """Sample a grade for each item of each drawn query; see `Belief.sample`."""
        return [self._sampled(int(query), rng) for query in draws]

    def _sampled(self, query: int, rng: np.random.Generator) -> dict[Hashable, float]:
        known = self.rows[query]
        if not known:
            return {}
        grades = self.grades[_choose(self.proba[list(known.values())], rng)]
        return dict(zip(known, grades.tolist(), strict=True))


def _tempered(proba: FloatArray, power: float) -> FloatArray:
    """Raise distributions (rows) to a power and normalize them; probabilities of 0 are raised first."""
    made: FloatArray = np.maximum(proba, _MIN_PROBABILITY) ** power
    made /= made.sum(axis=1, keepdims=True)
    return made


def _choose(proba: FloatArray, rng: np.random.Generator) -> IntArray:
    """Sample a column of each row by its probabilities."""
    below = proba.cumsum(axis=1) < rng.random((len(proba), 1)) * proba.sum(axis=1, keepdims=True)
    return np.asarray(below.sum(axis=1), dtype=np.intp)
