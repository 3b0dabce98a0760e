"""Conversion of predictions to and from JSON values, without loss."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import AnyArray
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.class_labels import plain_label

_WIDEST = 4_000_000
"""The largest size of a class name in bytes."""


def predictions_from_dict(record: Mapping[str, Any]) -> Predictions:
    """Return the predictions that `Predictions.to_dict` wrote."""
    known = {cls.written_as or cls.kind: cls for cls in _subclasses(Predictions)}  # type: ignore[type-abstract]
    kind = record.get("kind")
    if kind not in known:
        raise ValueError(f"the predictions are of the kind {kind!r}, expected one of {sorted(known)}")
    try:
        return known[kind].from_dict(record)
    except KeyError as error:
        raise ValueError(f"the predictions have no {error.args[0]!r}") from error


def array_to_dict(array: AnyArray) -> dict[str, Any]:
    """Return an array's type and values; values alone would not distinguish 1 from 1.0."""
    return {"dtype": array.dtype.str, "values": array.tolist()}


def array_from_dict(record: Mapping[str, Any]) -> AnyArray:
    """Return the array that `array_to_dict` wrote."""
    dtype = np.dtype(record["dtype"])
    if dtype.kind not in "biufU":
        raise ValueError(
            f"an array is of the type {record['dtype']!r}, expected booleans, numbers or strings"
        )
    if dtype.kind == "U" and dtype.itemsize > _WIDEST:
        raise ValueError(f"an array is of the type {record['dtype']!r}: its strings would be too long")
    return np.array(record["values"], dtype=dtype)


def classes_from_dict(record: Mapping[str, Any]) -> tuple[AnyArray, AnyArray | None]:
    """Return the classes of a record, and the predicted ones if they were written."""
    classes, codes = array_from_dict(record["classes"]), record["predicted"]
    if codes is None:
        return classes, None
    if not all(type(code) is int and 0 <= code < classes.size for code in codes):
        raise ValueError(f"a predicted class has no position from 0 to {classes.size - 1}")
    return classes, classes[codes]


def plain_item(item: Any) -> Any:
    """Return an item's id as a JSON value."""
    plain = plain_label(item)
    if not isinstance(plain, str | int | float):
        raise TypeError(f"an item's id is {item!r}: only strings and numbers can be written down")
    return plain


def _subclasses(cls: type[Predictions]) -> Iterator[type[Predictions]]:
    for each in cls.__subclasses__():
        if hasattr(each, "kind"):
            yield each
        yield from _subclasses(each)
