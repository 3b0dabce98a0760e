"""One draw."""

from typing import NamedTuple


class Draw(NamedTuple):
    """One draw: its number from 1, the instance, and the probability with which it was drawn."""

    number: int
    instance: int
    q: float
