"""Records: rows of a table."""

from collections.abc import Iterable, Mapping
from math import inf, isnan
from typing import Any

import numpy as np
import pandas as pd

from activeeval_widgets.session.pool.fingerprints import as_json, digest_of_parts, frame_parts
from activeeval_widgets.session.pool.kinds.base import InstanceKind, check_each
from activeeval_widgets.session.pool.stored import StoredInstances


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
        return [
            {
                "name": plain_cell(name),
                "dtype": str(instances.dtypes.iloc[position]),
                "values": _column(instances.iloc[:, position]),
            }
            for position, name in enumerate(instances.columns)
        ]

    def from_json(self, values: list[Any]) -> pd.DataFrame:
        """Convert the values of `to_json` back to a table."""
        columns = [pd.Series(each["values"], dtype=each["dtype"]) for each in values]
        table = pd.concat(columns, axis=1) if columns else pd.DataFrame()
        table.columns = pd.Index([each["name"] for each in values], dtype=object)
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
        return "; ".join(f"{name}: {value}" for name, value in instance.items())

    def words_at(self, instances: Any, index: int) -> str:
        """Return `words` of a row."""
        is_frame = isinstance(instances, pd.DataFrame)
        return self.words(instances.iloc[index] if is_frame else instances[index])


def _column(values: Any) -> list[Any]:
    is_time = values.dtype.kind == "M"
    return [
        value.isoformat() if is_time and value is not pd.NaT else plain_cell(value)
        for value in values.astype(object)
    ]


def plain_cell(value: Any) -> Any:
    """Convert a cell to a JSON value; missing values to None."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and isnan(value)):
        return None
    if not isinstance(value, str | int | float) or value in (inf, -inf):
        raise TypeError(f"a record holds {value!r:.60}, which can't be written to a JSON file")
    return value
