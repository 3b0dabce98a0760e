"""SHA-256 digests of a pool's content, equal in every process and on every platform."""

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from math import isnan
from numbers import Integral, Real
from pathlib import PurePath
from typing import Any, TypeAlias
from zlib import crc32

import numpy as np
import pandas as pd

from activeeval_widgets.session.pool.stored import Ids
from activeeval_widgets.stats import Predictions
from activeeval_widgets.stats._typing import AnyArray

_CHUNK = 10_000

_Part: TypeAlias = str | bytes | None


def fingerprint(*arrays: AnyArray) -> str:
    """Return a digest of the arrays' types, shapes and contents."""
    digest = sha256()
    for array in arrays:
        digest.update(f"{array.dtype.str}{array.shape}".encode())
        # View as bytes, as arrays of times have no buffer.
        digest.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data if array.size else b"")
    return digest.hexdigest()


def fingerprint_ids(ids: Sequence[str]) -> str:
    """Return `fingerprint` of an array of the ids without creating the whole array."""
    width = max(1, ids.longest() if isinstance(ids, Ids) else max(map(len, ids)))
    digest = sha256()
    digest.update(f"<U{width}{(len(ids),)}".encode())
    for start in range(0, len(ids), _CHUNK):
        end = min(start + _CHUNK, len(ids))
        chunk = (
            ids.array(start, end, width)
            if isinstance(ids, Ids)
            else np.array(ids[start:end], dtype=f"<U{width}")
        )
        digest.update(chunk.data.cast("B"))
    return digest.hexdigest()


def fingerprint_predictions(models: Sequence[Predictions]) -> str:
    """Return a digest of the predictions of all models."""
    return "+".join(_of_model(model) for model in models)


def default_seed(name: str, predictions: str) -> int:
    """Return the seed of a session by its name and the fingerprint of its predictions.

    By one seed for both, a model whose found errors were repaired would be drawn where they were.
    """
    return crc32(f"{name} {predictions}".encode())


def fingerprint_items(items: Iterable[Iterable[Any]]) -> str:
    """Return a digest of the items of each query."""
    return digest_of_parts("items", (as_json(*map(str, listed)) for listed in items))


def _of_model(model: Predictions) -> str:
    ranked = model.ranked_items
    # Where Python runs in a browser, positions have 32 bits.
    arrays = [array.astype(np.int64) if array.dtype == np.intp else array for array in model.arrays]
    if ranked is None:
        return fingerprint(*arrays)
    names = (as_json([*map(str, items)], [*map(str, known)]) for items, known in ranked)
    return f"{digest_of_parts(model.kind, names)}/{fingerprint(*arrays)}"


def media_parts(instance: Any) -> tuple[str, str | bytes]:
    """Return kind and content of a string, a file's bytes or path, or an array."""
    match instance:
        case str():
            return "string", instance
        case bytes():
            return "bytes", instance
        case PurePath():
            return "path", instance.as_posix()
        case np.ndarray():
            return "array", fingerprint(instance)
    raise TypeError(f"a {type(instance).__name__} needs a kind that defines its parts: {instance!r:.80}")


def as_json(*values: Any) -> str:
    """Encode values in one string, injectively."""
    return json.dumps(values, separators=(",", ":"))


def frame_parts(frame: pd.DataFrame) -> Iterable[_Part]:
    """Yield the parts of a table, column by column."""
    for position, name in enumerate(frame.columns):
        yield from ("column", *_cell(name))
        values = frame.iloc[:, position]
        if isinstance(values.dtype, np.dtype) and values.dtype.kind in "biufc":
            yield fingerprint(values.to_numpy())
        else:
            for value in values.array:
                yield from _cell(value)


def _cell(value: Any) -> list[_Part]:
    """Return the parts of a cell; an object whose text would be its address counts by its type."""
    match value:
        case None | str() | bytes():
            return [value]
        case bool() | np.bool_():
            return ["bool", str(bool(value))]
        case Integral():
            return ["number", str(int(value))]
        case _ if value is pd.NA or value is pd.NaT or (isinstance(value, Real) and isnan(value)):
            return [None]  # missing: the type depends on the version of pandas
        case Real():
            return ["number", repr(float(value))]
        case np.ndarray():
            return ["array", fingerprint(value)] if value.dtype.kind != "O" else _cell(value.tolist())
        case list() | tuple():
            return ["list", str(len(value)), *(part for entry in value for part in _cell(entry))]
        case Mapping():
            cells = (part for pair in value.items() for entry in pair for part in _cell(entry))
            return ["mapping", str(len(value)), *cells]
        case set() | frozenset():
            return ["set", *sorted(map(str, value))]
    cls = type(value)
    has_words = any({"__str__", "__repr__"} & vars(base).keys() for base in cls.__mro__[:-1])
    return [cls.__name__, str(value) if has_words else None]


def digest_of_strings(kind: str, strings: Sequence[str]) -> str:
    """Return a digest of strings, computed in large pieces, as pools have millions."""
    digest = sha256()
    digest.update(f"{kind}s {len(strings)}".encode())
    for start in range(0, len(strings), _CHUNK):
        chunk = [string.encode("utf-8", "surrogatepass") for string in strings[start : start + _CHUNK]]
        digest.update(",".join(map(str, map(len, chunk))).encode())
        digest.update(b"".join(chunk))
    return digest.hexdigest()


def digest_of_utf8(kind: str, n_strings: int, pieces: Iterable[tuple[memoryview, AnyArray]]) -> str:
    """Return `digest_of_strings` of strings that are encoded as UTF-8."""
    digest = sha256()
    digest.update(f"{kind}s {n_strings}".encode())
    left_lengths: list[int] = []
    left_bytes = b""
    for data, lengths in pieces:
        # Split at the same positions as `digest_of_strings`.
        left_lengths += lengths.tolist()
        left_bytes = b"".join([left_bytes, data])
        while len(left_lengths) >= _CHUNK:
            size = sum(left_lengths[:_CHUNK])
            digest.update(",".join(map(str, left_lengths[:_CHUNK])).encode())
            digest.update(left_bytes[:size])
            left_lengths, left_bytes = left_lengths[_CHUNK:], left_bytes[size:]
    if left_lengths:
        digest.update(",".join(map(str, left_lengths)).encode())
        digest.update(left_bytes)
    return digest.hexdigest()


def digest_of_parts(kind: str, parts: Iterable[_Part]) -> str:
    """Return a digest of parts of any length."""
    digest = sha256()
    digest.update(kind.encode())
    buffer = bytearray()
    for part in parts:
        if part is None:
            buffer += b"n"
        else:
            data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
            buffer += b"%c%d:" % (b"s" if isinstance(part, str) else b"b", len(data))
            buffer += data
        if len(buffer) > 1 << 20:
            digest.update(buffer)
            buffer.clear()
    digest.update(buffer)
    return digest.hexdigest()
