"""Costs of labels by the number of results or words."""

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from activeeval_widgets.session.pool.kinds.base import InstanceKind
from activeeval_widgets.stats._typing import FloatArray

COSTS_BY = ("results", "length")
"""What costs can be computed from: the results to judge, or the words to read."""

ToJudge = Callable[[int], Collection[str]]
"""Returns the results of a query that have no grade yet."""


def words_to_read(kind: InstanceKind, instances: Any, index: int, to_judge: ToJudge | None) -> int:
    """Return the number of words of an instance; of a query's results, those of results to judge."""
    if to_judge is None:
        return len(kind.words_at(instances, index).split())
    left = to_judge(index)
    shown = kind.fields(instances, index).get("items", ())
    texts = [f"{each['title'] or ''} {each['text'] or ''}" for each in shown if each["item"] in left]
    return sum(len(text.split()) for text in texts)


def check_costs_by(by: str, *, is_graded: bool, is_streamed: bool) -> None:
    """Reject a way of computing costs that does not suit the pool."""
    if by not in COSTS_BY:
        raise ValueError(f"costs is {by!r}, expected a cost for each instance, or 'results' or 'length'")
    if by == "results" and not is_graded:
        raise ValueError(
            "costs by 'results' are for rankings, whose results are graded: leave them out, or pass 'length'"
        )
    if is_streamed:
        raise ValueError(
            f"costs by {by!r} need the instances in memory: pass a cost for each, for example in a column"
        )


def costs_by(
    by: str, kind: InstanceKind, instances: Any, n_instances: int, to_judge: ToJudge | None
) -> FloatArray:
    """Return the costs of the instances' labels; `to_judge` is None where labels are not grades."""
    found = np.ones(n_instances)
    for index in range(n_instances):
        if by == "results" and to_judge is not None:
            cost = len(to_judge(index))
        else:
            cost = words_to_read(kind, instances, index, to_judge)
        found[index] = max(1, cost)
    return found
