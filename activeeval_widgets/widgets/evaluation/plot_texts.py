"""Plots in words and as tables, for people who can't see them."""

from collections.abc import Iterable, Sequence
from itertools import chain, starmap
from typing import Any

import numpy as np

from activeeval_widgets.session import Session
from activeeval_widgets.stats import Estimate
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.quantities import Quantity
from activeeval_widgets.stats.text import counted

ROWS = 12
"""The number of rows of a plot's table."""


def nouns(session: Session) -> tuple[str, str]:
    """Return the nouns for one instance of the session's pool and for several."""
    several = session.pool.noun
    return several.removesuffix("s"), several


def noun_of_draws(session: Session) -> str:
    """Return what a plot counts: labels, where draws are without replacement and each label is a draw."""
    return "draw" if session.draws.is_replaced else "label"


def rows_at(n: int, n_rows: int = ROWS) -> list[int]:
    """Return the positions of at most `n_rows` of n points, evenly spread, with both ends."""
    return np.unique(np.linspace(0, n - 1, n_rows).round().astype(int)).tolist() if n else []


def trajectory_text(
    quantity: Quantity,
    trajectory: Sequence[Estimate],
    band: FloatArray,
    approximate: FloatArray | None = None,
    *,
    unit: str = "draw",
    apart: Iterable[float] = (),
) -> dict[str, Any]:
    """Return the estimates after increasing numbers of draws, the latest last; arguments as for the plot."""
    ends = band if approximate is None else np.concatenate([band, approximate])
    shown = [(trajectory[i], ends[:, i].tolist()) for i in rows_at(len(trajectory)) if trajectory[i].n_draws]
    rows = []
    for estimate, both in shown:
        numbers = Numbers.of(quantity, estimate, apart=apart)
        value = numbers.value(estimate.value) if estimate.is_defined else "–"
        pairs = zip(both[::2], both[1::2], strict=True)
        rows.append([f"{estimate.n_draws:,}", value, *chain.from_iterable(starmap(numbers.ends, pairs))])
    summary = "No labels yet."
    if rows:
        _, value, low, high = rows[-1][:4]
        how = f"is {value}, exact" if low == high else f"is estimated as {value}, between {low} and {high}"
        summary = f"After {counted(trajectory[-1].n_draws, f'{unit}s')} the {quantity.name} {how}."
    columns = [f"{unit.capitalize()}s", "Estimate", "From", "To"]
    if approximate is not None:
        columns += ["Approx. from", "Approx. to"]
    return {"summary": summary, "columns": columns, "rows": rows}
