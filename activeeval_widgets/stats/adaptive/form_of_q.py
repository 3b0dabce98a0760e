"""The form of q for draws that adapt, once for all: draws, what is expected of them, and plans."""

from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray
from activeeval_widgets.stats.adaptive.draw_rule import DrawRule
from activeeval_widgets.stats.predictions.base import left_sum
from activeeval_widgets.stats.questions.target import Target


class PartOfQ(NamedTuple):
    """What a part of q is proportional to, and its sum over what is left: q's part is their quotient."""

    sizes: FloatArray | float
    total: FloatArray | float = 1.0


class Coefficients(NamedTuple):
    """Of q(x) = scale · told(x) + floor + there · [the models can differ at x].

    Attributes
    ----------
    scale, floor, there : ndarray, or float
        `there` is 0 where draws are not apart; without costs.
    """

    scale: FloatArray
    floor: FloatArray
    there: FloatArray


def mixed_q(
    share: FloatArray | float, told: PartOfQ, even: PartOfQ, everywhere: PartOfQ | None, rule: DrawRule
) -> FloatArray:
    """q = (1 − ε) told + ε even; of two models (1 − η) of that, and η of what is even on the whole pool."""
    q = (1 - share) * told.sizes / told.total + share * even.sizes / even.total
    if everywhere is not None:
        assert rule.alike_share is not None  # noqa: S101 - else nothing is apart
        q = (1 - rule.alike_share) * q + rule.alike_share * everywhere.sizes / everywhere.total
    return np.asarray(q)


def coefficients(
    share: FloatArray | float,
    told: FloatArray | float,
    n_left: FloatArray | float,
    n_there: FloatArray | float | None,
    rule: DrawRule,
) -> Coefficients:
    """The coefficients of `mixed_q` at equal costs, which is linear in what tells and in two indicators."""
    is_apart = n_there is not None
    there = n_left if n_there is None else n_there
    scale, floor, of_there = (
        mixed_q(
            share,
            PartOfQ(tells, told),
            PartOfQ(differs if is_apart else is_there, there),
            PartOfQ(is_there, n_left) if is_apart else None,
            rule,
        )
        for tells, is_there, differs in np.eye(3).tolist()
    )
    return Coefficients(scale, floor, of_there)


def apart_in(target: Target, rule: DrawRule) -> BoolArray | None:
    """Where two models can differ, (n_instances,), if nearly all draws are made there; else None."""
    return None if rule.alike_share is None else target.differs_at()


def settled_q(target: Target, told: FloatArray, left: FloatArray, rule: DrawRule) -> FloatArray:
    """q as it is after many labels, if what tells stays as it is.

    Parameters
    ----------
    target : Target
        What is estimated.
    told : ndarray of shape (n_instances,)
        What tells, at the costs there are.
    left : ndarray of shape (n_instances,)
        How many instances each row stands for.
    rule : DrawRule
        The constants.
    """
    differ = apart_in(target, rule)
    even: FloatArray = np.ones(told.size)
    everywhere = PartOfQ(even, left_sum(even, left))
    if differ is not None:
        even = differ.astype(np.float64)
        told = told * even
    evenly, telling = (PartOfQ(part, left_sum(part, left)) for part in (even, told))
    share = rule.least_share(target.measure)
    if not telling.total > 0:
        telling = evenly
    return mixed_q(share, telling, evenly, None if differ is None else everywhere, rule)
