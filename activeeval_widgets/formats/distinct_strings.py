"""Check that millions of strings are distinct, without a hash table."""

from hashlib import blake2b

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from activeeval_widgets.formats.contents_on_disk import pieces_of
from activeeval_widgets.stats._typing import AnyArray

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_LONGEST = 256


def are_distinct(column: pa.ChunkedArray) -> bool:
    """Return whether the strings of a column are distinct."""
    hashes = hashes_of(column)
    hashes.sort()
    if not (hashes[1:] == hashes[:-1]).any():
        return True
    return bool(pc.count_distinct(column).as_py() == len(column))


def hashes_of(column: pa.ChunkedArray) -> AnyArray:
    """Return a 64-bit hash of each string."""
    hashes = np.empty(len(column), dtype=np.uint64)
    at = 0
    for data, lengths in pieces_of(column):
        hashes[at : at + lengths.size] = _of_piece(data, lengths)
        at += lengths.size
    return hashes


def _of_piece(data: memoryview, lengths: AnyArray) -> AnyArray:
    is_short = lengths <= _LONGEST
    if not is_short.all():
        ends = np.cumsum(lengths)
        found = np.empty(lengths.size, dtype=np.uint64)
        for each, (start, end) in enumerate(zip((ends - lengths).tolist(), ends.tolist(), strict=True)):
            if is_short[each]:
                found[each] = _of_piece(data[start:end], lengths[each : each + 1])[0]
            else:
                found[each] = int.from_bytes(blake2b(data[start:end], digest_size=8).digest(), "little")
        return found
    width = 8 * (1 + int(lengths.max(initial=0)) // 8)
    characters = np.zeros((lengths.size, width), dtype=np.uint8)
    characters[np.arange(width) < lengths[:, np.newaxis]] = np.frombuffer(data, dtype=np.uint8)
    mixed: AnyArray = lengths.astype(np.uint64) * _FACTOR
    for number, word in enumerate(characters.view(np.uint64).T):
        further = (mixed ^ word) * _FACTOR
        further ^= further >> _SHIFT
        # The hash must not depend on the lengths of the other strings in the piece.
        mixed = np.where(lengths > 8 * number, further, mixed)
    return mixed
