"""Equality of results."""

from dataclasses import fields
from typing import Any


class EqualByFields:
    """A dataclass that equals another one with the same fields; NaN equals NaN.

    For a dataclass with `eq=False`. What `dataclass` generates finds NaN different from itself since Python
    3.13.
    """

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return _comparable(self) == _comparable(other)

    def __hash__(self) -> int:
        return hash(_comparable(self))


def _comparable(result: Any) -> tuple[Any, ...]:
    """Return the fields that are compared, with None in place of NaN."""
    values = (getattr(result, field.name) for field in fields(result) if field.compare)
    return tuple(map(_without_nan, values))


def _without_nan(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_without_nan, value))
    return None if isinstance(value, float) and value != value else value
