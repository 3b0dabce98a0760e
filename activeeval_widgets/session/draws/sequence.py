"""The sequence of draws that q and a seed determine, extended on demand."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np

from activeeval_widgets.session.log.draw import Draw
from activeeval_widgets.stats import draw
from activeeval_widgets.stats._typing import FloatArray, IntArray

_FIRST_PIECE = 1024

MAX_REPEATS = 1_000_000
"""After this many successive repeats, the rest of the pool counts as out of reach."""


class DrawSequence:
    """Draws with replacement from a fixed q, determined by q and the seed."""

    def __init__(
        self, q: FloatArray, seed: int, generator: Callable[[int], np.random.Generator] | None = None
    ) -> None:
        self.q, self._seed, self._generator = q, seed, generator
        self._draws: IntArray = np.empty(0, dtype=np.intp)
        self._seen = np.zeros(q.size, dtype=bool)
        self.n_drawable = int(np.count_nonzero(q))
        self._firsts: list[Draw] = []

    @cached_property
    def _rng(self) -> np.random.Generator:
        if self._generator is None:
            return np.random.Generator(np.random.PCG64(self._seed))
        return self._generator(self._seed)

    def first(self, n_draws: int) -> IntArray:
        """Return the first draws as indices into the pool, shape (n_draws,)."""
        while self._draws.size < n_draws:
            self._extend()
        return self._draws[:n_draws]

    def distinct(self, position: int) -> Draw | None:
        """Return the draw that gives the `position`-th distinct instance, from 0; None after the last."""
        while len(self._firsts) <= position:
            last = self._firsts[-1].number if self._firsts else 0
            if len(self._firsts) == self.n_drawable or self._draws.size - last > MAX_REPEATS:
                return None
            self._extend()
        return self._firsts[position]

    def distinct_from(self, position: int) -> Iterator[Draw]:
        """Yield the draws of distinct instances from a position on."""
        while (found := self.distinct(position)) is not None:
            yield found
            position += 1

    def find(self, number: int, n_distinct: int, /) -> Draw | None:
        """Return the draw of a number if it is one of the first `n_distinct` that give a new instance."""
        self.distinct(n_distinct - 1)
        position = self.n_distinct_before(number)
        found = self._firsts[position : min(position + 1, n_distinct)]
        return found[0] if found and found[0].number == number else None

    def n_distinct_before(self, number: int) -> int:
        """Return the number of distinct instances before a draw."""
        return bisect_left(self._firsts, (number,))

    def _extend(self) -> None:
        """Double the sequence; the size of pieces does not affect the draws."""
        piece = draw(self.q, max(_FIRST_PIECE, self._draws.size), self._rng)
        instances, positions = np.unique(piece, return_index=True)
        is_new = ~self._seen[instances]
        self._seen[instances] = True
        numbers = np.sort(positions[is_new])
        firsts = piece[numbers]
        self._firsts += map(
            Draw, (self._draws.size + numbers + 1).tolist(), firsts.tolist(), self.q[firsts].tolist()
        )
        self._draws = np.concatenate([self._draws, piece])
