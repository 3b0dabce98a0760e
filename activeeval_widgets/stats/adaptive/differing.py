"""Where two models can differ: the part of the pool that their difference is drawn and bet on."""

from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, IntArray
from activeeval_widgets.stats.measures.target import Target


class Differing(NamedTuple):
    """The part of a pool where two models can differ in a risk.

    Elsewhere the difference is 0 whatever the label is, so it needs none: those instances count, with a
    difference of 0, until somebody says that they can't be labeled. A draw that falls into the part is one
    from q restricted to it.

    Attributes
    ----------
    members : ndarray of int of shape (n,)
        Its instances (or rows), ascending.
    target : Target
        The difference there.
    share : float
        Its share of the pool, below 1.
    n_elsewhere : int
        How many instances there are elsewhere.
    """

    members: IntArray
    target: Target
    share: float
    n_elsewhere: int

    def position(self, draw: int) -> int | None:
        """Where a draw is among the members; None where the models can't differ."""
        at = int(np.searchsorted(self.members, draw))
        return at if at < self.members.size and self.members[at] == draw else None

    def of_pool(
        self, low: float, high: float, n_labeled: int, n_excluded: int, n_alike_excluded: int
    ) -> tuple[float, float]:
        """The ends for the pool without what is excluded, by those for the part with all that is alike.

        Parameters
        ----------
        low, high : float
            Between them is the sum over the part, divided by the share of the pool that counts, and by
            `share`.
        n_labeled, n_excluded : int
            How many of the part have a label, and how many can't be labeled.
        n_alike_excluded : int
            How many of the others can't be labeled.
        """
        low, high = low * self.share, high * self.share
        if not n_alike_excluded:
            return low, high
        # What counts is not known: neither more nor fewer instances than these, and one at least.
        most = self.n_elsewhere + self.target.size - n_excluded
        fewest = self.n_elsewhere + n_labeled
        factors = [n / (n - n_alike_excluded) for n in np.maximum([most, fewest], n_alike_excluded + 1)]
        return min(low * each for each in factors), max(high * each for each in factors)


def differ_in(target: Target) -> BoolArray | None:
    """Where two models can differ, (n_instances,); None: everywhere, as far as is known."""
    if not (target.is_difference and target.measure.is_risk):
        return None
    found = target.measure.can_differ(*target.models)
    return None if found.all() else found


def differing(target: Target) -> Differing | None:
    """The part where two models can differ; None where that is the whole pool, or can't be told."""
    where = differ_in(target)
    if where is None:
        return None
    members = np.flatnonzero(where)
    parts = [model.of_rows(members) for model in target.models]
    if any(part is None for part in parts):
        return None
    found = Target(target.measure, [part for part in parts if part is not None])
    return Differing(members, found, found.size / target.size, target.size - found.size)
