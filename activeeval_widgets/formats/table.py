"""A file of rows and columns in any format, with the row numbers that a person sees."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from activeeval_widgets.formats.evaluation_logs.log_columns import LogColumns
from activeeval_widgets.formats.parsed_numbers import (
    are_numbers,
    currencies_in,
    has_ambiguous,
    marks_in,
    marks_of,
    numbers_of,
)
from activeeval_widgets.formats.problems import Problem
from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.text import listed

_LOOKED_AT = 2_000
"""The file's decimal mark is found from this many rows."""

_MOST_NOTED = 6
"""A note names this many columns."""


def numbered_from_1(positions: Sequence[int]) -> list[int]:
    """Return the numbers of rows without gaps or a header."""
    return [position + 1 for position in positions]


@dataclass
class FileTable:
    """Rows and columns."""

    path: Path
    arrow: pa.Table
    rows_of: Callable[[Sequence[int]], list[int]] = numbered_from_1  # as a person sees them
    notes: list[str] = field(default_factory=list)
    columns_noted: dict[str, list[str]] = field(default_factory=dict)  # by the notes that are about columns
    problems: list[Problem] = field(default_factory=list)
    called: dict[str, str] = field(default_factory=dict)  # the file's names of columns that have others here
    place_of: Callable[[int], tuple[str, int]] | None = None  # if there are several files
    is_part: bool = False  # the meaning of a row must not depend on the other rows here
    log: LogColumns | None = None
    title: str | None = None
    systems: tuple[str, str] | None = None  # with answers side by side
    points_are_decimal: bool = True  # if nothing else decides it; not with semicolons
    is_head: bool = False  # it only serves to guess roles
    origin: "FileTable | None" = None  # it knows the decimal mark
    left_out: tuple[Problem, ...] = ()  # rows with too many or too few cells

    @property
    def names(self) -> list[str]:
        """The columns' names."""
        return list(self.arrow.column_names)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.arrow.num_rows)

    def report(
        self, message: str, remedy: str, *, index: int | None = None, column: str | None = None
    ) -> None:
        """Report a problem, at a row if `index` is given."""
        file, row = self.path.name, None
        if index is not None:
            file, row = (file, self.rows_of([index])[0]) if self.place_of is None else self.place_of(index)
        name = None if column is None else self.called.get(column, column)
        self.problems.append(Problem(file, message, remedy, row, name))

    def selected(self, columns: Mapping[str, str]) -> "FileTable":
        """Select columns under other names; their problems are reported for this table."""
        arrow = self.arrow.select(list(columns.values())).rename_columns(list(columns))
        return replace(self, arrow=arrow, called=dict(columns), origin=self)

    def strings(self, name: str) -> pa.ChunkedArray:
        """Return a column as strings, "" for missing values."""
        column = self.arrow[name]
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if not pa.types.is_string(column.type):
            column = _as_strings(column)
        return pc.fill_null(column, "") if column.null_count else column

    def numbers(self, name: str, *, is_share: bool = False) -> tuple[FloatArray, IntArray]:
        """Return a column as numbers, NaN where it has none, and the positions of these."""
        column = self.arrow[name]
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if pa.types.is_boolean(column.type):
            column = column.cast(pa.int8())
        if (
            pa.types.is_integer(column.type)
            or pa.types.is_floating(column.type)
            or pa.types.is_decimal(column.type)
        ):
            found = np.asarray(column.cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64)
        elif pa.types.is_null(column.type):
            found = np.full(self.n_rows, np.nan)
        else:
            found = self._parsed(name, pc.utf8_trim_whitespace(self.strings(name)), is_share)
        missing = np.flatnonzero(~np.isfinite(found))
        if missing.size:
            found = found.copy()
            found[missing] = np.nan  # infinite numbers, too
        return found, missing

    def _parsed(self, name: str, texts: pa.ChunkedArray, is_share: bool) -> FloatArray:
        texts = pc.if_else(pc.equal(texts, ""), None, texts)
        if texts.null_count == len(texts):
            return np.full(len(texts), np.nan)
        divisor = 1.0
        if is_share and pc.all(pc.ends_with(texts, "%")).as_py():
            self.note_column("Numbers are in percent in {}.", name)
            texts, divisor = pc.replace_substring_regex(texts, r"\s*%$", ""), 100.0
        mark = self._mark_of(texts) if has_ambiguous(texts) else "."
        if mark == ".":
            try:
                return np.asarray(texts.cast(pa.float64()).to_numpy(), dtype=np.float64) / divisor
            except pa.ArrowInvalid:
                pass
        if has_ambiguous(texts, ",") and mark == ".":
            self.note_column("Commas separate thousands in {}.", name)
        elif has_ambiguous(texts, ".") and mark == ",":
            self.note_column("Points separate thousands, and decimals follow a comma, in {}.", name)
        elif "," in marks_of(texts):
            self.note_column("Decimals follow a comma in {}.", name)
        if currencies := currencies_in(texts):
            self._note_currencies(name, currencies)
        return numbers_of(texts, mark) / divisor

    def _note_currencies(self, name: str, currencies: Sequence[str]) -> None:
        if len(currencies) == 1:
            self.note(f"{name!r} is in {currencies[0]}.")
            return
        self.report(f"it holds amounts in {listed(currencies)}", "Convert them to one currency.", column=name)

    def _mark_of(self, texts: pa.ChunkedArray) -> str | None:
        """Return the decimal mark of a column: its own, or else the file's."""
        own = set() if self.is_part else marks_of(texts)
        if len(own) == 1:
            return own.pop()
        if (
            not own
            and self.points_are_decimal
            and self.decimal_mark is None
            and not has_ambiguous(texts, ",")
        ):
            return "."
        known = None if own else self.decimal_mark
        return "." if self.is_head and known is None else known

    @cached_property
    def decimal_mark(self) -> str | None:
        """The decimal mark of numbers stored as text; None if unknown."""
        if self.origin is not None:
            return self.origin.decimal_mark
        found: set[str] = set()
        has_points = False
        for name in [] if self.is_part else self.names:
            if pa.types.is_string(self.arrow[name].type):
                head = self.arrow[name].slice(0, _LOOKED_AT)
                texts = [(text or "").strip().removesuffix("%").strip() for text in head.to_pylist()]
                if are_numbers(texts):
                    found |= marks_in(texts)
                    has_points = has_points or any("." in text for text in texts)
        if not found and has_points and self.points_are_decimal:
            return "."
        return found.pop() if len(found) == 1 else None

    def note(self, note: str) -> None:
        """Add a note on how the file was read, once."""
        if note not in self.notes:
            self.notes.append(note)

    def note_column(self, note: str, name: str) -> None:
        """Add a column to a note on how it was read: of several columns, one note."""
        names = self.columns_noted.setdefault(note, [])
        if repr(name) in names:
            return
        before = note.format(listed(names, _MOST_NOTED))
        names.append(repr(name))
        now = note.format(listed(names, _MOST_NOTED))
        if before in self.notes:
            self.notes[self.notes.index(before)] = now
        else:
            self.notes.append(now)


def _as_strings(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return any column as strings; whole numbers stored as floats lose their ".0"."""
    import json

    if pa.types.is_floating(column.type):
        values = column.to_pylist()
        texts = [
            None if v is None else str(int(v)) if v == v and abs(v) < 2**53 and v == int(v) else str(v)
            for v in values
        ]
        return pa.chunked_array([pa.array(texts, pa.string())])
    try:
        return column.cast(pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        texts = [
            None if v is None else json.dumps(v, ensure_ascii=False, default=str) for v in column.to_pylist()
        ]
        return pa.chunked_array([pa.array(texts, pa.string())])
