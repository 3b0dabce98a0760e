"""The sequence of draws that q and a seed determine, made as far as it is needed."""

import numpy as np

from activeeval_widgets.stats import draw
from activeeval_widgets.stats._typing import FloatArray, IntArray

_FIRST_PIECE = 1024

MAX_REPEATS = 1_000_000
"""After so many draws in a row that only repeat, what is left of the pool counts as out of reach."""


class DrawSequence:
    """Draws with replacement from a fixed q; the same q and seed give the same draws.

    Parameters
    ----------
    q : ndarray of shape (n_instances,)
        The instrumental distribution.
    seed : int
        Seeds `numpy.random.PCG64`.
    """

    def __init__(self, q: FloatArray, seed: int) -> None:
        self._q = q
        self._rng = np.random.Generator(np.random.PCG64(seed))
        self._draws: IntArray = np.empty(0, dtype=np.intp)
        self._seen = np.zeros(q.size, dtype=bool)
        self._n_drawable = int(np.count_nonzero(q))
        self._firsts: list[tuple[int, int]] = []

    def first(self, n_draws: int) -> IntArray:
        """The first draws, as indices into the pool, shape (n_draws,)."""
        while self._draws.size < n_draws:
            self._extend()
        return self._draws[:n_draws]

    def distinct(self, position: int) -> tuple[int, int] | None:
        """The draw at which the instance that is new for the `position`-th time (from 0) comes first.

        Returns
        -------
        (int, int) or None
            The number of the draw, from 1, and the instance's index; None where the pool has no more.
        """
        while len(self._firsts) <= position:
            last = self._firsts[-1][0] if self._firsts else 0
            if len(self._firsts) == self._n_drawable or self._draws.size - last > MAX_REPEATS:
                return None
            self._extend()
        return self._firsts[position]

    def _extend(self) -> None:
        """Double the sequence: pieces of any size give the same draws."""
        piece = draw(self._q, max(_FIRST_PIECE, self._draws.size), self._rng)
        instances, positions = np.unique(piece, return_index=True)
        is_new = ~self._seen[instances]
        self._seen[instances] = True
        numbers = np.sort(positions[is_new])
        self._firsts += [(self._draws.size + int(i) + 1, int(piece[i])) for i in numbers]
        self._draws = np.concatenate([self._draws, piece])
