"""Costs of labels by the number of results or words."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from activeeval_widgets.session.pool.kinds.base import KINDS
from activeeval_widgets.stats._typing import FloatArray

if TYPE_CHECKING:
    from activeeval_widgets.session.pool.pool import Pool


def results_to_judge(pool: "Pool", index: int) -> float:
    """Return how many of a query's results have no grade yet."""
    known = pool.judged.get(index, ())
    return sum(str(item) not in known for item in pool.items(index))


def words_to_read(pool: "Pool", index: int) -> float:
    """Return the number of words to read; for rankings those of results without a grade."""
    kind = KINDS[pool.kind]
    if pool.models[0].label_kind != "grades":
        return len(kind.words_at(pool.instances, index).split())
    known = pool.judged.get(index, ())
    shown = kind.fields(pool.instances, index).get("items", ())
    texts = [f"{each['title'] or ''} {each['text'] or ''}" for each in shown if each["item"] not in known]
    return sum(len(text.split()) for text in texts)


COSTS_BY: dict[str, Callable[["Pool", int], float]] = {
    "results": results_to_judge,
    "length": words_to_read,
}
"""The functions that compute costs, by name."""


def check_costs_by(by: str, pool: "Pool") -> None:
    """Reject a way of computing costs that does not suit the pool."""
    if by not in COSTS_BY:
        raise ValueError(f"costs is {by!r}, expected a cost for each instance, or 'results' or 'length'")
    if by == "results" and pool.models[0].label_kind != "grades":
        raise ValueError(
            "costs by 'results' are for rankings, whose results are graded: leave them out, or pass 'length'"
        )
    if pool.is_streamed:
        raise ValueError(
            f"costs by {by!r} need the instances in memory: pass a cost for each, for example in a column"
        )


def costs_by(by: str, pool: "Pool") -> FloatArray:
    """Return the costs of the instances' labels."""
    of = COSTS_BY[by]
    return np.array([max(1.0, float(of(pool, index))) for index in range(pool.n_instances)])
