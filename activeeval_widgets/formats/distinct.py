"""Whether millions of strings are all different, without a hash table of them."""

from typing import TYPE_CHECKING

import numpy as np

from activeeval_widgets.formats.stored import pieces_of

if TYPE_CHECKING:
    import pyarrow as pa

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_LONGEST = 256


def are_distinct(column: "pa.ChunkedArray") -> bool:
    """Whether no two strings of a column are the same.

    Parameters
    ----------
    column : pyarrow.ChunkedArray
        Strings, none missing.
    """
    import pyarrow.compute as pc

    hashes = np.empty(len(column), dtype=np.uint64)
    at = 0
    for data, lengths in pieces_of(column):
        if lengths.size and lengths.max() > _LONGEST:
            return bool(pc.count_distinct(column).as_py() == len(column))
        width = 8 * (1 + int(lengths.max(initial=0)) // 8)
        characters = np.zeros((lengths.size, width), dtype=np.uint8)
        characters[np.arange(width) < lengths[:, np.newaxis]] = np.frombuffer(data, dtype=np.uint8)
        mixed = lengths.astype(np.uint64) * _FACTOR
        for number, word in enumerate(characters.view(np.uint64).T):
            further = (mixed ^ word) * _FACTOR
            further ^= further >> _SHIFT
            # A string's hash must not depend on how long others of its piece are.
            mixed = np.where(lengths > 8 * number, further, mixed)
        hashes[at : at + lengths.size] = mixed
        at += lengths.size
    hashes.sort()
    if not (hashes[1:] == hashes[:-1]).any():
        return True
    return bool(pc.count_distinct(column).as_py() == len(column))
