"""The pool by two models' predictions: where they differ, how often it is drawn, and which was right."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from activeeval_widgets.session.findings.plot_axes import axis, round_ticks
from activeeval_widgets.session.findings.who_was_right import BOTH, FIRST, NEITHER, SECOND
from activeeval_widgets.stats._typing import BoolArray, FloatArray
from activeeval_widgets.widgets.evaluation.pool_axis import PoolAxis

_GRID = 20
"""The number of cells along each axis into which the pool is binned, so that messages do not grow with it."""

_LEVELS = (0.5, 1.5, 4.0)
"""Boundaries between shades, in multiples of uniform draws."""

_WHO: dict[int, tuple[str, str]] = {
    FIRST: ("first-right", "dot"),
    SECOND: ("second-right", "diamond"),
    BOTH: ("both-right", "square"),
    NEITHER: ("neither-right", "cross"),
}
"""The mark of a label, by which model was right."""


_DIAMOND = 0.55
"""The relative size of diamonds, which makes them no larger than other marks."""


@dataclass(frozen=True)
class Judged:
    """A labeled instance for which two models give different predictions.

    Attributes
    ----------
    index : int
        The instance.
    x, y : float
        Its position on the two axes.
    who : int
        Which model was right: `FIRST`, `SECOND`, `BOTH` or `NEITHER`.
    text : str
        A description in words.
    """

    index: int
    x: float
    y: float
    who: int
    text: str


def differing_plot(
    axes: tuple[PoolAxis, PoolAxis],
    differs: BoolArray,
    times: FloatArray,
    counts: FloatArray,
    judged: Sequence[Judged],
    names: tuple[str, str],
    *,
    nouns: tuple[str, str],
    is_right: bool,
    heading: str,
) -> dict[str, Any]:
    """Return the plot as the page draws it.

    Parameters
    ----------
    axes : tuple of two PoolAxis
        The position of each row of the pool by the first model and by the second.
    differs : ndarray of bool of shape (n_rows,)
        Where the predictions differ.
    times : ndarray of shape (n_rows,)
        How often a row is now drawn, as a multiple of uniform draws over what is left; 0 if nothing is left.
    counts : ndarray of shape (n_rows,)
        The number of instances in each row.
    judged : sequence of Judged
        The labeled instances to mark.
    names : tuple of two str
        The names of the models.
    nouns : tuple of two str
        The noun for one instance and for several.
    is_right : bool
        Whether predictions are right or wrong, rather than better or worse.
    heading : str
        The heading.
    """
    x_axis, y_axis = axes
    points: list[dict[str, Any]] = []
    stops: list[dict[str, Any]] = []
    cells = {
        name: _binned(axes, times, counts, which) for name, which in (("same", ~differs), ("differ", differs))
    }
    most = max((float(found[3].max(initial=0.0)) for found in cells.values()), default=0.0) or 1.0
    verbs = {"same": "predict the same", "differ": "differ"}
    for name, (x, y, mean_times, number) in cells.items():
        shade = np.searchsorted(_LEVELS, mean_times, side="right")
        for level in np.unique(shade).tolist():
            at = shade == level
            points.append(
                {
                    "kind": f"{name}-{level}",
                    "shape": "square" if name == "same" else "dot",
                    "x": _sent(x[at], x_axis),
                    "y": _sent(y[at], y_axis),
                    "size": np.sqrt(number[at] / most).round(3).tolist(),
                }
            )
        order = np.lexsort((y, x))
        stops.append(
            {
                "name": f"Where they {verbs[name]}",
                "by": "point",
                "x": _sent(x[order], x_axis),
                "y": _sent(y[order], y_axis),
                "text": [
                    f"{n:,.0f} {nouns[n != 1]}. {names[0]}: {x_axis.text(a)}, {names[1]}: {y_axis.text(b)}. "
                    f"Asked {_multiple(m)} as often as at random"
                    for a, b, m, n in zip(
                        x[order].tolist(), y[order].tolist(), mean_times[order].tolist(),
                        number[order].tolist(), strict=True,
                    )
                ],
            }
        )  # fmt: skip
    by_who = {who: [each for each in judged if each.who == who] for who in _WHO}
    for who, (kind, shape) in _WHO.items():
        if by_who[who]:
            points.append(
                {
                    "kind": kind,
                    "shape": shape,
                    "x": [each.x for each in by_who[who]],
                    "y": [each.y for each in by_who[who]],
                    **({"size": [_DIAMOND] * len(by_who[who])} if shape == "diamond" else {}),
                }
            )
    in_order = sorted(judged, key=lambda each: (each.x, each.y))
    stops.insert(
        0,
        {
            "name": "Labels where they differ",
            "by": "point",
            "x": [each.x for each in in_order],
            "y": [each.y for each in in_order],
            "text": [each.text for each in in_order],
            "index": [each.index for each in in_order],
        },
    )
    n_differing = float(counts[differs].sum())
    return {
        "heading": heading,
        "x": _axis(x_axis),
        "y": _axis(y_axis),
        "bands": [],
        "curves": _diagonal(axes),
        "lines": [],
        "points": points,
        "sides": [],
        "legend": _legend(by_who, names, is_right=is_right),
        "stops": [each for each in stops if each["x"]],
        "note": f"Larger: more {nouns[1]}. Stronger color: asked more often.",
        "summary": f"{n_differing:,.0f} of {counts.sum():,.0f} {nouns[1]} where the two differ.",
        **_table(axes, differs, counts),
    }


def _sent(values: FloatArray, of: PoolAxis) -> list[float]:
    """Round numbers to the resolution of the plot, which makes messages shorter."""
    decimals = 4 - int(np.floor(np.log10(of.high - of.low)))
    found: list[float] = values.round(decimals).tolist()
    return found


def _axis(of: PoolAxis) -> dict[str, Any]:
    return axis(of.low, of.high, round_ticks(of.low, of.high), of.text, title=of.label)


def _binned(
    axes: tuple[PoolAxis, PoolAxis], times: FloatArray, counts: FloatArray, which: BoolArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return, for each nonempty cell of a grid, the means of both axes and of `times`, and the count."""
    n = counts[which]
    x, y = (each.values[which] for each in axes)
    edges = [np.linspace(each.low, each.high, _GRID + 1) for each in axes]
    number, sum_x, sum_y, sum_times = (
        np.histogram2d(x, y, bins=edges, weights=weights)[0].ravel()
        for weights in (n, n * x, n * y, n * times[which])
    )
    full = np.flatnonzero(number > 0)
    of_full = number[full]
    return sum_x[full] / of_full, sum_y[full] / of_full, sum_times[full] / of_full, of_full


def _diagonal(axes: tuple[PoolAxis, PoolAxis]) -> list[dict[str, Any]]:
    low, high = max(each.low for each in axes), min(each.high for each in axes)
    return [{"kind": "ideal", "x": [low, high], "y": [low, high]}] if low < high else []


def _legend(by_who: dict[int, list[Judged]], names: tuple[str, str], *, is_right: bool) -> list[list[str]]:
    right = "right" if is_right else "better"
    text = {
        FIRST: f"{names[0]} {right}",
        SECOND: f"{names[1]} {right}",
        BOTH: "both right",
        NEITHER: "neither right" if is_right else "as good",
    }
    marks = [[kind, text[who]] for who, (kind, _) in _WHO.items() if by_who[who]]
    return [["same-2", "predict the same"], ["differ-2", "differ"], *marks]


def _multiple(value: float) -> str:
    return f"{value:,.0f}×" if value >= 10 else f"{value:.1f}×"


def _table(axes: tuple[PoolAxis, PoolAxis], differs: BoolArray, counts: FloatArray) -> dict[str, Any]:
    """Return a table of where the models differ, with both axes in thirds."""
    rows = []
    parts = [np.linspace(each.low, each.high, 4) for each in axes]
    where = [
        np.clip(np.searchsorted(part, each.values, side="right") - 1, 0, 2)
        for part, each in zip(parts, axes, strict=True)
    ]
    for i in range(3):
        for j in range(3):
            here = (where[0] == i) & (where[1] == j)
            n = counts[here].sum()
            if n:
                ends = [
                    f"{each.text(part[k])} to {each.text(part[k + 1])}"
                    for each, part, k in zip(axes, parts, (i, j), strict=True)
                ]
                rows.append([*ends, f"{n:,.0f}", f"{counts[here & differs].sum():,.0f}"])
    return {"columns": [*(each.label for each in axes), "Of all", "Differ"], "rows": rows}
