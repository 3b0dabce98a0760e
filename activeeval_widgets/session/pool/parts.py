"""A pool in parts, each of which is worked on by itself: in memory, from a file, or elsewhere."""

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Protocol, TypeVar

import numpy as np

from activeeval_widgets.stats import Predictions
from activeeval_widgets.stats._typing import FloatArray, IntArray

Result = TypeVar("Result")

Work = Callable[[Sequence[Predictions], FloatArray | None], Result]
"""What is done with a part: of the models' predictions for it, and costs. Perhaps on another machine."""

_PART = 1 << 17


class Parts(Protocol):
    """The predictions for a pool, and what labels cost there, in parts that follow each other.

    Attributes
    ----------
    n_instances : int
    is_elsewhere : bool
        Whether they are not in memory, and might change.
    """

    is_elsewhere: ClassVar[bool]

    @property
    def n_instances(self) -> int:
        """The number of instances of all parts."""

    def each(self, work: Work[Result]) -> Iterator[Result]:
        """What a function gives of each part, in their order."""

    def of(self, instances: IntArray) -> tuple[list[Predictions], FloatArray | None]:
        """The models' predictions for some instances, and what their labels cost."""


class PartsInMemory:
    """Parts of predictions that are in memory.

    Parameters
    ----------
    models : sequence of one or two Predictions
    costs : ndarray of shape (n_instances,), or None
    """

    is_elsewhere: ClassVar[bool] = False

    def __init__(self, models: Sequence[Predictions], costs: FloatArray | None) -> None:
        self._models, self._costs = list(models), costs

    @property
    def n_instances(self) -> int:
        """The number of instances."""
        return self._models[0].n_instances

    def each(self, work: Work[Result]) -> Iterator[Result]:
        """What a function gives of each part, in their order."""
        for start in range(0, self.n_instances, _PART):
            rows = slice(start, min(start + _PART, self.n_instances))
            costs = None if self._costs is None else self._costs[rows]
            yield work([model.part(rows) for model in self._models], costs)

    def of(self, instances: IntArray) -> tuple[list[Predictions], FloatArray | None]:
        """The models' predictions for some instances, and what their labels cost."""
        chosen = np.asarray(instances, dtype=np.intp)
        costs = None if self._costs is None else self._costs[chosen]
        return [model.part(chosen) for model in self._models], costs
