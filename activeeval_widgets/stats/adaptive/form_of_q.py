"""The form of q for adaptive draws, shared by draws, expectations and plans."""

from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray
from activeeval_widgets.stats.adaptive.draw_rule import DrawRule
from activeeval_widgets.stats.predictions.base import left_sum
from activeeval_widgets.stats.questions.target import Target


class PartOfQ(NamedTuple):
    """A part of q, not normalized, and its sum over what is left."""

    sizes: FloatArray | float
    total: FloatArray | float = 1.0


class Coefficients(NamedTuple):
    """The coefficients of q(x) = scale · informed(x) + floor + there · [the models can differ at x].

    Attributes
    ----------
    scale, floor, there : ndarray, or float
        `there` is 0 if draws are not restricted to where models differ; without costs.
    """

    scale: FloatArray
    floor: FloatArray
    there: FloatArray


def mixed_q(
    share: FloatArray | float, informed: PartOfQ, even: PartOfQ, everywhere: PartOfQ | None, rule: DrawRule
) -> FloatArray:
    """Return q = (1 − ε) informed + ε even; for two models 1 − η of that, and η uniform on the whole pool."""
    q = (1 - share) * informed.sizes / informed.total + share * even.sizes / even.total
    if everywhere is not None:
        assert rule.alike_share is not None  # noqa: S101 - otherwise there is no such part
        q = (1 - rule.alike_share) * q + rule.alike_share * everywhere.sizes / everywhere.total
    return np.asarray(q)


def coefficients(
    share: FloatArray | float,
    total: FloatArray | float,
    n_left: FloatArray | float,
    n_there: FloatArray | float | None,
    rule: DrawRule,
) -> Coefficients:
    """Return the coefficients of `mixed_q` at equal costs; `total`: of the informative part."""
    is_apart = n_there is not None
    there = n_left if n_there is None else n_there
    scale, floor, of_there = (
        mixed_q(
            share,
            PartOfQ(is_informed, total),
            PartOfQ(differs if is_apart else is_there, there),
            PartOfQ(is_there, n_left) if is_apart else None,
            rule,
        )
        for is_informed, is_there, differs in np.eye(3).tolist()
    )
    return Coefficients(scale, floor, of_there)


def apart_in(target: Target, rule: DrawRule) -> BoolArray | None:
    """Return where two models can differ, (n_instances,), if nearly all draws are made there; else None."""
    return None if rule.alike_share is None else target.differs_at()


def settled_q(target: Target, informed: FloatArray, left: FloatArray, rule: DrawRule) -> FloatArray:
    """Return q after many labels, if its informative part stays as it is.

    Parameters
    ----------
    target : Target
        The measure and models to estimate.
    informed : ndarray of shape (n_instances,)
        The informative part of q, for the given costs.
    left : ndarray of shape (n_instances,)
        Number of instances of each row.
    rule : DrawRule
        Constants of the draws.
    """
    differ = apart_in(target, rule)
    even: FloatArray = np.ones(informed.size)
    everywhere = PartOfQ(even, left_sum(even, left))
    if differ is not None:
        even = differ.astype(np.float64)
        informed = informed * even
    evenly, telling = (PartOfQ(part, left_sum(part, left)) for part in (even, informed))
    share = rule.least_share(target.measure)
    if not telling.total > 0:
        telling = evenly
    return mixed_q(share, telling, evenly, None if differ is None else everywhere, rule)
