"""A pool in parts that are processed one by one: in memory, from a file, or on other machines."""

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Protocol, TypeVar

import numpy as np

from activeeval_widgets.stats import Predictions
from activeeval_widgets.stats._typing import FloatArray, IntArray

Result = TypeVar("Result")

Work = Callable[[Sequence[Predictions], FloatArray | None], Result]
"""A function of the predictions and costs of a part, possibly called on another machine."""

_PART = 1 << 17


class Parts(Protocol):
    """The predictions and costs of a pool, in consecutive parts."""

    is_streamed: ClassVar[bool]

    @property
    def n_instances(self) -> int:
        """The number of instances."""

    def each(self, work: Work[Result]) -> Iterator[Result]:
        """Apply a function to each part in order."""

    def of(self, instances: IntArray) -> tuple[list[Predictions], FloatArray | None]:
        """Return the predictions for some instances, and the costs of their labels."""


class PartsInMemory:
    """Parts of predictions that are in memory."""

    is_streamed: ClassVar[bool] = False

    def __init__(self, models: Sequence[Predictions], costs: FloatArray | None) -> None:
        self._models, self._costs = list(models), costs

    @property
    def n_instances(self) -> int:
        """The number of instances."""
        return self._models[0].n_instances

    def each(self, work: Work[Result]) -> Iterator[Result]:
        """Apply a function to each part in order."""
        for start in range(0, self.n_instances, _PART):
            rows = slice(start, min(start + _PART, self.n_instances))
            costs = None if self._costs is None else self._costs[rows]
            yield work([model.part(rows) for model in self._models], costs)

    def of(self, instances: IntArray) -> tuple[list[Predictions], FloatArray | None]:
        """Return the predictions for some instances, and the costs of their labels."""
        chosen = np.asarray(instances, dtype=np.intp)
        costs = None if self._costs is None else self._costs[chosen]
        return [model.part(chosen) for model in self._models], costs
