"""Chooses which draws get further opinions and whose label counts, before anybody answers."""

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

_SECOND = 1_000_003
_WHOSE = 1_000_033
"""Random streams of their own, apart from that of the draws."""


@dataclass(frozen=True)
class Opinions:
    """The number of people who are asked about each draw; one more for a random share of them."""

    n_raters: int = 1
    share: float = 0.0
    seed: int = 0

    @property
    def are_asked(self) -> bool:
        """Whether opinions are asked for besides labels."""
        return self.n_raters > 1 or self.share > 0

    @property
    def identity(self) -> str:
        """The text that represents these settings in a session's identity."""
        return f"n_raters={self.n_raters}, second_opinions={self.share!r}"

    def n_asked(self, draw: int) -> int:
        """Return the number of people who are asked about a draw."""
        if self.share <= 0:
            return self.n_raters
        return self.n_raters + (self._random(_SECOND, draw) < self.share)

    def whose(self, draw: int, n_asked: int) -> int:
        """Return whose answer is the label: 0 for the first person who leases the draw, 1 for the second."""
        return min(int(self._random(_WHOSE, draw) * n_asked), n_asked - 1)

    def _random(self, stream: int, draw: int) -> float:
        return chance(self.seed, stream, draw)


@lru_cache(maxsize=100_000)
def chance(seed: int, stream: int, draw: int) -> float:
    """Return a random number from 0 to 1 that seed, stream and draw determine."""
    return float(np.random.Generator(np.random.PCG64([seed, stream, draw])).random())


def opinions_of(given: tuple[int | None, float | None], begun_with: str | None, seed: int) -> Opinions:
    """Return the given settings, by default those of the stored session, else labels without opinions."""
    begun = re.fullmatch(r"n_raters=(\d+), second_opinions=([0-9.e-]+)", begun_with or "")
    n_raters, share = (1, 0.0) if begun is None else (int(begun[1]), float(begun[2]))
    return Opinions(n_raters if given[0] is None else given[0], share if given[1] is None else given[1], seed)
