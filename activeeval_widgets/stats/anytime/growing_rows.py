"""Append-only rows, shared between copies until they diverge."""

from copy import copy
from typing import Self

import numpy as np

from activeeval_widgets.stats._typing import FloatArray

_FIRST_ROWS = 64


class GrowingRows:
    """A matrix that grows by rows; copying is free, and memory is duplicated only once both copies grow."""

    def __init__(self) -> None:
        self._n = 0
        self.squares = 0.0
        self._buffer: FloatArray = np.empty((0, 0))
        # The number of buffer rows used by any copy: a list, so that copies share it with the buffer.
        self._taken = [0]

    def __len__(self) -> int:
        return self._n

    def copy(self) -> Self:
        """Return a copy with the same rows."""
        return copy(self)

    def append(self, row: FloatArray) -> None:
        """Add a row of shape (n_columns,)."""
        if self._taken[0] != self._n or self._n == len(self._buffer):
            grown = np.empty((max(_FIRST_ROWS, 2 * self._n), row.size))
            grown[: self._n] = self._buffer[: self._n] if self._n else 0
            self._buffer, self._taken = grown, [self._n]
        self._buffer[self._n] = row
        self._n += 1
        self.squares += float(row @ row)
        self._taken[0] = self._n

    @property
    def rows(self) -> FloatArray:
        """All rows, (n_rows, n_columns); read-only."""
        return self._buffer[: self._n]
