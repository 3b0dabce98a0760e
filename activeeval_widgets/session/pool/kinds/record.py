"""Records: rows of a table."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, time
from decimal import Decimal
from math import inf, isinf, isnan
from typing import Any

import numpy as np
import pandas as pd

from activeeval_widgets.session.pool.fingerprints import as_json, digest_of_parts, frame_parts
from activeeval_widgets.session.pool.kinds.base import InstanceKind, check_each
from activeeval_widgets.session.pool.missing_values import is_missing
from activeeval_widgets.session.pool.stored import StoredInstances

_FROM_TEXT: dict[type, Callable[[str], Any]] = {
    date: date.fromisoformat,
    time: time.fromisoformat,
    Decimal: Decimal,
    pd.Timestamp: pd.Timestamp,
    pd.Timedelta: pd.Timedelta,
    pd.Period: str,
}
"""Classes of cells that are written as text, and how the text is parsed."""


class RecordKind(InstanceKind):
    """A DataFrame, or mappings from column to value."""

    name = "record"
    noun = "records"

    def fits(self, instance: Any) -> bool:
        """Return whether an instance is a mapping."""
        return isinstance(instance, Mapping)

    def guess(self, instances: Any, first: Any) -> bool:
        """Return whether instances are a table or begin with a mapping."""
        return isinstance(instances, pd.DataFrame) or self.fits(first)

    def check(self, instances: Any) -> pd.DataFrame:
        """Return the records as a table."""
        if isinstance(instances, pd.DataFrame):
            return instances
        return pd.DataFrame(check_each(instances, self.fits, "a mapping, column to value"))

    def fingerprint(self, instances: Any) -> str:
        """Return a digest of all columns."""
        return digest_of_parts(self.name, frame_parts(instances))

    def to_json(self, instances: Any) -> list[Any]:
        """Return name, type and values of each column, with times in ISO 8601."""
        if isinstance(instances, StoredInstances):
            instances = instances.frame()
        return [_column(name, instances.iloc[:, position]) for position, name in enumerate(instances.columns)]

    def from_json(self, values: list[Any]) -> pd.DataFrame:
        """Convert the values of `to_json` back to a table."""
        table = pd.concat([*map(_series, values)], axis=1) if values else pd.DataFrame()
        names = [tuple(each["name"]) if isinstance(each["name"], list) else each["name"] for each in values]
        table.columns = pd.Index(names, dtype=object, tupleize_cols=False)
        return table

    def fields(self, instances: Any, index: int) -> dict[str, Any]:
        """Return all columns; values other than texts and numbers as strings."""
        found = {}
        if isinstance(instances, pd.DataFrame):  # cell by cell: a row would convert all numbers to floats
            row = [(name, instances.iloc[index, at]) for at, name in enumerate(instances.columns)]
        else:
            row = list(instances[index].items())
        for name, value in row:
            try:
                found[str(name)] = plain_cell(value)
            except TypeError:
                found[str(name)] = str(value)
        return found

    def content(self, instances: Any, index: int) -> Iterable[str | bytes] | None:
        """Return all cells with their columns. 3.0 is 3: one missing value makes a column one of floats."""
        cells = sorted(self.fields(instances, index).items())
        return [
            as_json(name, int(value) if isinstance(value, float) and value.is_integer() else value)
            for name, value in cells
        ]

    def words(self, instance: Any) -> str:
        """Return all values with the names of their columns."""
        return "; ".join(
            f"{name}: {'missing' if is_missing(value) else value}" for name, value in instance.items()
        )

    def words_at(self, instances: Any, index: int) -> str:
        """Return `words` of a row."""
        is_frame = isinstance(instances, pd.DataFrame)
        return self.words(instances.iloc[index] if is_frame else instances[index])


def _column(name: Any, values: Any) -> dict[str, Any]:
    """Return a column as JSON values; refuse one that can't be restored from them."""
    try:
        # Not all names of Arrow's types can be parsed.
        dtype = "object" if isinstance(values.dtype, pd.ArrowDtype) else str(values.dtype)
        written = {"name": _json_value(name), "dtype": dtype, **_cells(values)}
        is_restored = _digest(_series(written)) == _digest(values)
    except (TypeError, ValueError):
        is_restored = False
    if not is_restored:
        first = next((value for value in values.astype(object) if not is_missing(value)), None)
        raise TypeError(
            f"column {name!r} of the records, such as {first!r:.60}, can't be written to a JSON file: make "
            "its name a text and its cells texts or numbers before the session begins, or leave "
            "with_contents (--with-contents) out"
        )
    return written


def _cells(values: Any) -> dict[str, Any]:
    cells = [None if is_missing(value) else value for value in values.astype(object)]
    classes = {type(value) for value in cells if value is not None}
    cls = classes.pop() if len(classes) == 1 else None
    if cls not in _FROM_TEXT:
        return {"values": [*map(_json_value, cells)]}
    as_text = getattr(cls, "isoformat", str)
    return {"type": cls.__name__, "values": [None if value is None else as_text(value) for value in cells]}


def _series(written: dict[str, Any]) -> Any:
    values = written["values"]
    for cls, parse in _FROM_TEXT.items():
        if cls.__name__ == written.get("type"):
            values = [None if value is None else parse(value) for value in values]
    return pd.Series(values, dtype=written["dtype"])


def _digest(values: Any) -> str:
    return digest_of_parts("column", frame_parts(values.to_frame("values")))


def _json_value(value: Any) -> Any:
    """Convert a cell to a JSON value, lists and mappings included; infinite numbers to texts."""
    if isinstance(value, list | tuple):
        return [*map(_json_value, value)]
    if isinstance(value, dict):
        return {str(name): _json_value(each) for name, each in value.items()}
    return str(value) if isinstance(value, float) and isinf(value) else plain_cell(value)


def plain_cell(value: Any) -> Any:
    """Convert a cell to a JSON value; missing values to None."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and isnan(value)):
        return None
    if not isinstance(value, str | int | float) or value in (inf, -inf):
        raise TypeError(f"a record holds {value!r:.60}, which can't be written to a JSON file")
    return value
