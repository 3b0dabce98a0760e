"""One draw."""

from typing import NamedTuple


class Draw(NamedTuple):
    """One draw.

    Attributes
    ----------
    number : int
        The number of the draw, from 1.
    instance : int
        The index of the drawn instance.
    q : float
        The probability with which that instance was drawn.
    """

    number: int
    instance: int
    q: float
