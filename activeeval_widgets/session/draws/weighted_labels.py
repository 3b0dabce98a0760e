"""The labeled instances in draw order, each with its weight."""

from typing import NamedTuple

import numpy as np

from activeeval_widgets.session.draws.session_draws import SessionDraws


class WeightedLabel(NamedTuple):
    """An instance that has a label; its weight is None while an earlier draw is pending."""

    instance: int
    weight: float | None
    n_draws: int  # 0 if the label doesn't count yet


def weighted_labels(draws: SessionDraws) -> list[WeightedLabel]:
    """Return each labeled instance once, in draw order; those that don't count yet come last."""
    labeled, _ = draws.labeled()
    order, first, inverse = np.unique(labeled, return_index=True, return_inverse=True)
    weights = np.bincount(inverse, weights=draws.weights(), minlength=order.size)
    n_draws = np.bincount(inverse, minlength=order.size)
    counted = [
        WeightedLabel(int(order[at]), float(weights[at]), int(n_draws[at]))
        for at in np.argsort(first).tolist()
    ]
    return [*counted, *(WeightedLabel(instance, None, 0) for instance in draws.not_counted_yet().tolist())]
