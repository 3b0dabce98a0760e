"""One draw, as everything that speaks of draws knows it."""

from typing import NamedTuple


class Draw(NamedTuple):
    """One draw.

    Attributes
    ----------
    number : int
        From 1.
    instance : int
        The index of the instance it gave.
    q : float
        The probability with which it gave that instance.
    """

    number: int
    instance: int
    q: float
