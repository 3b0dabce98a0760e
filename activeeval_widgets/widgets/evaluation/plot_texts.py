"""What the plots say, in words and as tables, for those who can't see them."""

from collections.abc import Sequence
from itertools import chain, starmap
from typing import Any

import numpy as np

from activeeval_widgets.session import Session
from activeeval_widgets.session.reading.numbers import Numbers
from activeeval_widgets.session.reading.sentences import capitalized
from activeeval_widgets.stats import Estimate, Measure
from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.widgets.evaluation.pool_axis import PoolAxis
from activeeval_widgets.widgets.wording.text import counted

ROWS = 12
"""So many rows has a plot's table."""


def nouns(session: Session) -> tuple[str, str]:
    """What one instance of the session's pool is called, and several."""
    several = session.pool.noun
    return several.removesuffix("s"), several


def trajectory_text(
    measure: Measure,
    trajectory: Sequence[Estimate],
    band: FloatArray,
    approximate: FloatArray | None = None,
    *,
    is_difference: bool = False,
) -> dict[str, Any]:
    """The estimates after growing numbers of draws, the latest last; arguments are as for the plot."""
    what = f"difference in {measure.name}" if is_difference else measure.name
    last = len(trajectory) - 1
    chosen = np.unique(np.linspace(0, last, ROWS).round().astype(int)) if trajectory else np.empty(0, int)
    ends = band if approximate is None else np.concatenate([band, approximate])
    shown = [(trajectory[i], ends[:, i].tolist()) for i in chosen.tolist() if trajectory[i].n_draws]
    rows = []
    for estimate, both in shown:
        numbers = Numbers.of(measure, estimate, is_difference=is_difference)
        value = numbers.value(estimate.value, sign=is_difference) if estimate.is_defined else "–"
        pairs = zip(both[::2], both[1::2], strict=True)
        rows.append([f"{estimate.n_draws:,}", value, *chain.from_iterable(starmap(numbers.ends, pairs))])
    summary = (
        f"After {counted(trajectory[-1].n_draws, 'draws')} the {what} is estimated as {rows[-1][1]}, "
        f"between {rows[-1][2]} and {rows[-1][3]}."
        if rows
        else "No labels yet."
    )
    columns = ["Draws", "Estimate", "From", "To"]
    if approximate is not None:
        columns += ["Approx. from", "Approx. to"]
    return {"summary": summary, "columns": columns, "rows": rows}


def distribution_text(
    axis: PoolAxis, q: FloatArray, draws: IntArray, counts: IntArray | None = None
) -> dict[str, Any]:
    """How often instances were drawn, by the axis of the plot in five parts.

    Parameters
    ----------
    axis : PoolAxis
        A number for each instance, or for each row that instances share.
    q : ndarray of shape (n_rows,)
        What each instance of a row has.
    draws : ndarray of shape (n_draws,)
        The rows that were drawn.
    counts : ndarray of shape (n_rows,), optional
        How many instances each row stands for; one each unless given.
    """
    of_rows = np.ones(q.size) if counts is None else counts.astype(np.float64)
    edges = np.linspace(axis.low, axis.high, 6)
    part = np.clip(np.searchsorted(edges, axis.values, side="right") - 1, 0, 4)
    pool = np.bincount(part, weights=of_rows, minlength=5) / of_rows.sum()
    expected = np.bincount(part, weights=q * of_rows, minlength=5)
    drawn = np.bincount(part[draws], minlength=5)
    rows = [
        [
            f"{axis.text(low)} to {axis.text(high)}",
            f"{100 * in_pool:.0f}%",
            f"{100 * in_draws:.0f}%",
            f"{n:,}",
        ]
        for low, high, in_pool, in_draws, n in zip(
            edges[:-1], edges[1:], pool, expected, drawn.tolist(), strict=True
        )
    ]  # fmt: skip
    n_draws = counted(draws.size, "draws")
    return {
        "summary": f"Shares of the pool and of the draws, by the {axis.label}; {n_draws} so far.",
        "columns": [capitalized(axis.label), "Of the pool", "Of draws", "Drawn"],
        "rows": rows,
    }
