"""A part of a pool, such as a group, as a pool of its own."""

from dataclasses import dataclass

import numpy as np

from activeeval_widgets.stats import Predictions
from activeeval_widgets.stats._typing import IntArray


@dataclass(frozen=True, eq=False)
class Part:
    """Some instances of a pool, with the models' predictions for them alone.

    Given that a draw is one of them, it is a draw from q restricted to them: what holds of the pool holds of
    a part, by the draws that fell into it.

    Attributes
    ----------
    members : ndarray of int of shape (n,)
        Their indices into the pool, ascending.
    models : tuple of one or two Predictions
        Of the members, in their order.
    """

    members: IntArray
    models: tuple[Predictions, ...]

    def positions(self, instances: IntArray) -> IntArray:
        """Where instances of the pool are among the members."""
        return np.searchsorted(self.members, instances)
