"""A streamed pool reduced to its shared rows and the drawn instances.

Draws, estimates and intervals need no more, so this is what the file of a session on a streamed data
set contains.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import inf, isfinite
from typing import Any

import numpy as np

from activeeval_widgets.session.pool.fetched_predictions import FetchedParts
from activeeval_widgets.session.pool.parts import Result, Work
from activeeval_widgets.session.pool.shared_rows import SharedRows
from activeeval_widgets.session.pool.stored import Ids
from activeeval_widgets.stats import Measure, Predictions
from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray
from activeeval_widgets.stats.predictions.from_dict import predictions_from_dict


class NotDrawnError(ValueError):
    """An instance that was not drawn needs the data set."""

    def __init__(self) -> None:
        super().__init__(
            "instances that were not drawn are only in the data set: open the session with it "
            "(--from; in Python, read_session_file(…).open(pool=Pool.read(…)))"
        )


def rows_to_dict(rows: SharedRows, drawn: Sequence[int]) -> dict[str, Any]:
    """Convert shared rows and the places of drawn instances to JSON values."""
    return {
        "drawn": list(drawn),
        "rows": rows.of(np.asarray(drawn, dtype=np.intp)).tolist(),
        "places": [rows.place(instance) for instance in drawn],
        "counts": rows.counts.tolist(),
        "costs": None if rows.costs is None else rows.costs.tolist(),
        "models": [model.to_dict() for model in rows.models],
        "bounds": [
            {
                "measure": measure,
                "y_range": None if y_range is None else list(y_range),
                "models": list(positions),
                # An unbounded loss is null.
                "low": [each if isfinite(each) else None for each in low.tolist()],
                "high": [each if isfinite(each) else None for each in high.tolist()],
            }
            for (measure, y_range, positions), (low, high) in rows.known_bounds.items()
        ],
    }


class DrawnRows(SharedRows):
    """Shared rows in which only drawn instances have a known place."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.counts = np.array(record["counts"], dtype=np.intp)
        costs = record["costs"]
        self.costs = None if costs is None else np.array(costs, dtype=np.float64)
        models = [predictions_from_dict(each) for each in record["models"]]
        if any(model.n_instances != self.counts.size for model in models) or self.counts.min(initial=1) < 1:
            raise ValueError("'counts' and 'models' have different rows")
        self.models = [model.with_counts(self.counts, self, at) for at, model in enumerate(models)]
        self._row = dict(zip(record["drawn"], record["rows"], strict=True))
        self._places = dict(zip(record["drawn"], record["places"], strict=True))
        self._at = {(self._row[each], place): each for each, place in self._places.items()}
        self._bounds = {
            (
                each["measure"],
                None if each["y_range"] is None else tuple(each["y_range"]),
                tuple(each["models"]),
            ): (_ends(each["low"], -inf), _ends(each["high"], inf))
            for each in record["bounds"]
        }

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.counts.size)

    def of(self, instances: IntArray) -> IntArray:
        """Return the rows of drawn instances."""
        try:
            return np.array([self._row[each] for each in np.asarray(instances).tolist()], dtype=np.intp)
        except KeyError:
            raise NotDrawnError from None

    def member(self, row: int, place: int) -> int:
        """Return the drawn instance at a place in a row."""
        if (row, place) not in self._at:
            raise NotDrawnError
        return int(self._at[row, place])

    def place(self, instance: int) -> int:
        """Return the place of a drawn instance in its row."""
        if instance not in self._places:
            raise NotDrawnError
        return int(self._places[instance])

    def spread(self, values: FloatArray) -> FloatArray:  # noqa: ARG002
        """Raise an error, as this needs the data set."""
        raise NotDrawnError

    def counts_by(self, codes: AnyArray, n_groups: int) -> IntArray:  # noqa: ARG002
        """Raise an error, as this needs the data set."""
        raise NotDrawnError

    def check(self, instances: IntArray, models: Sequence[Predictions]) -> None:
        """Do nothing, as the record can't change."""

    def loss_bounds(
        self, measure: Measure, y_range: tuple[float, float] | None, positions: tuple[int, ...]
    ) -> tuple[FloatArray, FloatArray]:
        """Return the bounds that the record contains."""
        key = repr(measure), y_range, positions
        if key not in self._bounds:
            raise NotDrawnError
        return self._bounds[key]


class DrawnParts(FetchedParts):
    """The predictions of a streamed pool for the drawn instances."""

    def __init__(
        self,
        n_instances: int,
        record: Mapping[str, Any],
        models: Sequence[Predictions],
        costs: Sequence[float] | None,
        digests: Mapping[str, str],
    ) -> None:
        self._n_instances, self._digests = n_instances, dict(digests)
        self._drawn, self._rows = list(models), DrawnRows(record)
        self._costs = None if costs is None else np.array(costs, dtype=np.float64)
        self._position = {instance: at for at, instance in enumerate(record["drawn"])}
        if int(self._rows.counts.sum()) != n_instances:
            found = f"{int(self._rows.counts.sum()):,} instances"
            raise ValueError(f"'counts' are of {found}, and the pool has {n_instances:,}")
        if len(self._rows.models) != len(models):
            raise ValueError("'models' and 'predictions' are of different models")

    @property
    def digests(self) -> dict[str, str]:
        """The digests of the record."""
        return dict(self._digests)

    @property
    def n_instances(self) -> int:
        """The number of instances."""
        return self._n_instances

    @property
    def known_rows(self) -> SharedRows:
        """The rows of the record."""
        return self._rows

    @cached_property
    def models(self) -> list[Predictions]:
        """The models' predictions."""
        return [self._elsewhere(model, at) for at, model in enumerate(self._drawn)]

    def each(self, work: Work[Result]) -> Iterator[Result]:  # noqa: ARG002
        """Raise an error, as this needs the data set."""
        raise NotDrawnError

    def of(self, instances: IntArray) -> tuple[list[Predictions], FloatArray | None]:
        """Return the predictions for drawn instances, and the costs of their labels."""
        try:
            at = np.array([self._position[each] for each in instances.tolist()], dtype=np.intp)
        except KeyError:
            raise NotDrawnError from None
        return [model.part(at) for model in self._drawn], None if self._costs is None else self._costs[at]

    def costs_of(self, instances: IntArray) -> FloatArray:
        """Return the costs of labels of drawn instances."""
        costs = self.of(instances)[1]
        assert costs is not None  # noqa: S101 - only called for pools with costs
        return costs


class DrawnIds(Ids):
    """The ids of drawn instances; those of others are ""."""

    def __init__(self, n_ids: int, known: Mapping[int, str]) -> None:
        self._n_ids, self._known = n_ids, dict(known)

    def __len__(self) -> int:
        return self._n_ids

    def between(self, start: int, stop: int) -> list[str]:
        """See `Ids.between`."""
        return [self._known.get(index, "") for index in range(start, stop)]


def _ends(values: Sequence[float | None], end: float) -> FloatArray:
    return np.array([end if each is None else each for each in values], dtype=np.float64)
