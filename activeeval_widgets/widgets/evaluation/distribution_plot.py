"""The instrumental distribution: which instances are drawn more often, and which were drawn."""

from collections.abc import Callable, Mapping, Sequence
from math import log
from typing import Any, Self

import numpy as np

from activeeval_widgets.session import Session
from activeeval_widgets.session.reading.sentences import capitalized
from activeeval_widgets.stats._typing import AnyArray, FloatArray
from activeeval_widgets.widgets.evaluation.marks import Mark
from activeeval_widgets.widgets.evaluation.panel import Panel
from activeeval_widgets.widgets.evaluation.plot_axes import (
    MAX_MARKS,
    axis,
    multiple_text,
    multiple_tick,
    multiples_range,
    multiples_ticks,
    round_ticks,
)
from activeeval_widgets.widgets.evaluation.plot_texts import distribution_text, nouns
from activeeval_widgets.widgets.evaluation.pool_axis import PoolAxis, pool_axis
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot
from activeeval_widgets.widgets.wording.models import marked_as

_GRID = (48, 24)
"""Cells across and up, into which the pool is binned."""

_MOST_CELLS = 400


class DistributionPlot:
    """The pool by some number and by how often instances are drawn, drawn ones and the present one marked.

    How often is told in multiples of uniform draws from what can still be drawn, on a logarithmic axis.

    Parameters
    ----------
    axis : PoolAxis
        By what the pool is laid out: the model's confidence, say.
    nouns : tuple of two str
        What one instance is called, and several.
    rows_of : callable
        From instances to rows of `axis`; each has its own unless given.
    """

    def __init__(
        self,
        axis: PoolAxis,
        nouns: tuple[str, str] = ("instance", "instances"),
        rows_of: Callable[[Any], Any] = np.asarray,
    ) -> None:
        self._axis, self._rows_of = axis, rows_of
        self._noun, self._nouns = nouns
        self._smallest = self._largest = 1.0

    def content(
        self,
        q: FloatArray,
        n_left: AnyArray,
        marks: Sequence[Mark],
        present: tuple[int, float] | None,
        *,
        is_replaced: bool = False,
        marked_as: str = "model wrong",
    ) -> dict[str, Any]:
        """The plot as the page draws it.

        Parameters
        ----------
        q : ndarray of shape (n_rows,)
            The instrumental distribution now: what each instance of a row has.
        n_left : ndarray of shape (n_rows,)
            How many of them can still be drawn; all with replacement. Others are shown where they were drawn,
            if they are marked.
        marks : sequence of Mark
            The labeled draws. The latest are shown where there are many.
        present : tuple of int and float, or None
            The index of the one on screen, and how many times as often as by uniform draws it was to come.
        is_replaced : bool
            Whether draws are with replacement.
        marked_as : str
            What marks are of that are wrong.
        """
        values = self._axis.values
        left = np.flatnonzero((n_left > 0) & (q > 0))
        counts = n_left[left].astype(np.float64)
        times = q[left] / (counts @ q[left]) * n_left.sum()
        here = [] if present is None else [present]
        marked = list(marks)[-MAX_MARKS:]
        told = [*(mark.times for mark in marked), *(multiple for _, multiple in here)]
        self._fit(min([*told, float(times.min(initial=1.0))]), max([*told, float(times.max(initial=1.0))]))
        low, high = multiples_range(self._smallest, self._largest)
        cells = _binned(values[left], times, counts, (self._axis.low, self._axis.high), (low, high))
        right, wrong = ([mark for mark in marked if mark.is_wrong is is_wrong] for is_wrong in (False, True))
        in_order = sorted(marked, key=lambda mark: self._value(mark.index))
        n_never = int(n_left[q <= 0].sum())
        kinds = [
            ["pool", f"all {self._nouns}" if is_replaced else "not drawn yet"],
            ["drawn", "labeled"],
            *([["wrong", marked_as]] if wrong else []),
        ]
        return {
            "heading": f"How often each {self._noun} is drawn, compared with uniform",
            "note": f"{n_never:,} more are never drawn: their labels don't count." if n_never else "",
            "x": axis(
                self._axis.low,
                self._axis.high,
                round_ticks(self._axis.low, self._axis.high),
                self._axis.text,
                title=self._axis.label,
            ),
            "y": axis(low, high, multiples_ticks(low, high), multiple_tick, is_log=True),
            "bands": [],
            "curves": [],
            "lines": [{"kind": "uniform", "y": 1.0}],
            "points": [
                {
                    "kind": "pool",
                    "shape": "dot",
                    "x": cells[0].tolist(),
                    "y": cells[1].tolist(),
                    "size": (np.sqrt(cells[2] / max(1.0, float(cells[2].max(initial=1.0))))).tolist(),
                },
                *(
                    {
                        "kind": kind,
                        "shape": shape,
                        "x": [self._value(mark.index) for mark in those],
                        "y": np.clip([mark.times for mark in those], low, high).tolist(),
                    }
                    for kind, shape, those in (("drawn", "dot", right), ("wrong", "cross", wrong))
                    if those
                ),
                *(
                    {
                        "kind": "present",
                        "shape": "diamond",
                        "x": [self._value(index)],
                        "y": [float(np.clip(multiple, low, high))],
                        "label": "this one",
                    }
                    for index, multiple in here
                ),
            ],
            "sides": [],
            "legend": kinds,
            "stops": [
                {
                    "name": "Labeled",
                    "by": "point",
                    "x": [self._value(mark.index) for mark in in_order],
                    "y": np.clip([mark.times for mark in in_order], low, high).tolist(),
                    "text": [f"{_how_often(mark.times)}. {mark.text}" for mark in in_order],
                    "index": [mark.index for mark in in_order],
                },
                *(
                    {
                        "name": "This one",
                        "by": "point",
                        "x": [self._value(index)],
                        "y": [float(np.clip(multiple, low, high))],
                        "text": [f"This one: {_how_often(multiple).lower()}"],
                    }
                    for index, multiple in here
                ),
                self._cell_stops(cells, kinds[0][1]),
            ],
        }

    def _value(self, index: int) -> float:
        """Where an instance is on the axis."""
        return float(self._axis.values[self._rows_of([index])[0]])

    def _cell_stops(self, cells: tuple[FloatArray, FloatArray, FloatArray], name: str) -> dict[str, Any]:
        order = np.lexsort((cells[1], cells[0]))
        x, y, count = (part[order] for part in cells)
        return {
            "name": capitalized(name),
            "by": "point",
            "x": x.tolist(),
            "y": y.tolist(),
            "text": [
                f"{n:,.0f} {self._noun if n == 1 else self._nouns}, {self._axis.label} "
                f"{self._axis.text(value)}: {_how_often(multiple).lower()}"
                for value, multiple, n in zip(x.tolist(), y.tolist(), count.tolist(), strict=True)
            ],
        }

    def _fit(self, smallest: float, largest: float) -> None:
        """Widen the axis, which never shrinks: it would jump."""
        self._smallest, self._largest = min(self._smallest, smallest), max(self._largest, largest)


def _how_often(multiple: float) -> str:
    return f"Drawn {multiple_text(multiple)} as often as with uniform sampling"


def _binned(
    x: FloatArray,
    y: FloatArray,
    counts: FloatArray,
    x_range: tuple[float, float],
    y_range: tuple[float, float],
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The means and numbers of the points in each cell of a grid that holds any, fullest cells first.

    The second axis is logarithmic, and what is below its lower end is taken to be there.
    """
    if not x.size:
        return np.empty(0), np.empty(0), np.empty(0)
    height = np.log(np.clip(y, *y_range))
    edges = [np.linspace(*x_range, _GRID[0] + 1), np.linspace(log(y_range[0]), log(y_range[1]), _GRID[1] + 1)]
    count, sum_x, sum_y = (
        np.histogram2d(x, height, bins=edges, weights=weights)[0].ravel()
        for weights in (counts, counts * x, counts * height)
    )
    fullest = np.argsort(-count, kind="stable")[:_MOST_CELLS]
    cells = fullest[count[fullest] > 0]
    return sum_x[cells] / count[cells], np.exp(sum_y[cells] / count[cells]), count[cells]


class DistributionPanel(Panel):
    """How often each instance is drawn, as a plot and as a table."""

    name = "distribution"
    title = "How often each instance is drawn"

    def __init__(
        self, axis: PoolAxis, nouns: tuple[str, str], rows_of: Callable[[Any], Any] = np.asarray
    ) -> None:
        self._axis = axis
        self._plot = DistributionPlot(axis, nouns, rows_of)

    @classmethod
    def of(cls, session: Session) -> Self:
        """See `Panel.of`."""
        return cls(pool_axis(session), nouns(session), session.rows.of)

    def content(self, snapshot: Snapshot, options: Mapping[str, bool]) -> dict[str, Any]:  # noqa: ARG002
        """See `Panel.content`."""
        return {
            **self._plot.content(
                snapshot.q,
                snapshot.left,
                snapshot.marks,
                snapshot.present,
                is_replaced=snapshot.session.is_replaced,
                marked_as=marked_as(snapshot.session),
            ),
            **distribution_text(
                self._axis,
                snapshot.q,
                snapshot.session.rows.of(snapshot.labeled[0]),
                snapshot.session.rows.models[0].counts,
            ),
        }
