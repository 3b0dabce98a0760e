"""The view of a record: a row of a table, as names and values."""

import json
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pandas as pd

from activeeval_widgets.session.pool.instances import Text
from activeeval_widgets.session.pool.missing_values import is_missing
from activeeval_widgets.widgets.elements.tree import Element, Node, Passage, element
from activeeval_widgets.widgets.instances.registered_views import register_view

if TYPE_CHECKING:
    Record: TypeAlias = pd.Series[Any] | Mapping[Hashable, Any]

Format: TypeAlias = str | Callable[[Any], str]

SHORT_PASSAGE = 2_000
"""The number of characters of a cell that are shown at once."""


class RecordView:
    """Shows a record as a table of names and values.

    Parameters
    ----------
    columns : sequence, optional
        The columns to show, in order; by default all.
    formats : mapping of column to str or callable, optional
        The format of a column's values: a format string such as "{:.2f} €", or a callable that returns a
        string. Missing values are always shown as missing.

    Raises
    ------
    TypeError
        If `columns` is a string, or a format is neither a string nor a callable.
    ValueError
        When called, if the record lacks a column.

    See Also
    --------
    element : Create any other view.

    Examples
    --------
    >>> view = RecordView(["age", "income"], formats={"income": "{:,.0f} €"})
    >>> view({"income": 31000.0, "age": 38}).tag
    'table'
    """

    def __init__(
        self, columns: Sequence[Hashable] | None = None, *, formats: Mapping[Hashable, Format] | None = None
    ) -> None:
        if isinstance(columns, str):
            raise TypeError(f"columns must be a sequence of columns, got the string {columns!r}")
        self._columns = None if columns is None else list(columns)
        self._formats = dict(formats or {})
        for column, how in self._formats.items():
            if not (isinstance(how, str) or callable(how)):
                raise TypeError(f"formats[{column!r}] must be a format string or a callable, got {how!r}")

    @property
    def columns(self) -> list[Hashable]:
        """The columns that are named, to be shown or formatted."""
        return [*(self._columns or ()), *self._formats]

    def __call__(self, instance: "Record") -> Element:
        """Return a record as an element."""
        cells: Iterable[tuple[Hashable, Any]] = instance.items()
        if self._columns is not None:
            known = list(instance.keys())
            for column in self._columns:
                if column not in known:
                    raise ValueError(f"there is no column {column!r} among {', '.join(map(repr, known))}")
            cells = [cell for column in self._columns for cell in instance.items() if cell[0] == column]
        rows = [
            element(
                "tr",
                element("th", str(column), scope="row", dir="auto"),
                element("td", self._cell(column, value)),
            )
            for column, value in cells
        ]
        return element("table", element("tbody", *rows), class_="aew-record")

    def _cell(self, column: Hashable, value: Any) -> Node:
        if is_missing(value):
            return element("em", "missing", class_="aew-missing")
        how = self._formats.get(column)
        if how is None:
            return formatted(value)
        return str(how.format(value) if isinstance(how, str) else how(value))


def formatted(value: Any) -> Node:
    """Return a value for people to read; a float gets six digits."""
    if isinstance(value, str):
        if not value.strip():
            return element("em", "empty", class_="aew-missing")
        return Passage(Text(value), SHORT_PASSAGE)
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | np.integer):
        # A four-digit number may be a year.
        return str(value) if abs(int(value)) < 10_000 else f"{value:,}"
    if isinstance(value, float | np.floating):
        return f"{value:,.6g}"
    if isinstance(value, datetime):
        is_day = value.time() == datetime.min.time() and value.tzinfo is None
        return str(value.date()) if is_day else value.isoformat(" ", "seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, dict | list | tuple):
        value = json.dumps(value, ensure_ascii=False, default=str)
    return Passage(Text(str(value)), SHORT_PASSAGE)


register_view("record", lambda _: RecordView(), reasons=("incomplete", "contradicts itself", "a duplicate"))
