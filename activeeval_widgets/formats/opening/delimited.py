"""Read delimited text: commas, semicolons, tabs or bars, in any encoding."""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from activeeval_widgets.formats.opening.encodings import encoding_of, is_other_8_bit, is_utf8
from activeeval_widgets.formats.opening.file_bytes import drop_pages
from activeeval_widgets.formats.opening.table_on_disk import kept_table
from activeeval_widgets.formats.parsed_numbers import readings
from activeeval_widgets.formats.problems import (
    MAX_REPORTED,
    FileProblemsError,
    Problem,
    problem_error,
    repeated_columns,
    shortened,
)
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.stats.text import counted

_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_OF_PROMPTFOO = {"Status", "Score", "Named Scores", "Grader Reason"}
_HEAD = 1 << 16
_BLOCK = 1 << 22
_BATCHES_BETWEEN = 16

csv.field_size_limit(1 << 30)


def read_delimited(path: Path, data: memoryview) -> FileTable:
    """Read a delimited text file as strings; leave out rows with too many or too few cells."""
    notes: list[str] = []
    encoding, n_marks = encoding_of(data)
    if encoding == "utf-8" and not is_utf8(data):
        if not is_other_8_bit(data):
            raise FileProblemsError(islice(_not_utf8(path, data[n_marks:]), MAX_REPORTED))
        encoding = "cp1252"
    if encoding != "utf-8":
        notes.append(
            f"The text is in the encoding {'Windows-1252' if encoding == 'cp1252' else encoding.upper()}."
        )
        try:
            data = memoryview(bytes(data[n_marks:]).decode(encoding).encode())
        except UnicodeDecodeError as error:
            raise problem_error(
                path.name, f"the text is not {encoding.upper()} throughout", _SAVE_AS_UTF8
            ) from error
        n_marks = 0
    text = data[n_marks:]
    delimiter, n_skipped = _delimiter(path, text)
    if delimiter != ("\t" if ".tsv" in path.name.lower() else ","):
        notes.append(f"Columns are separated by {_DELIMITERS[delimiter]}.")
    names = _header(path, text, delimiter, n_skipped)
    broken = False

    def note_broken(_: Any) -> str:
        nonlocal broken
        broken = True
        return "skip"

    drop_pages(text)
    arrow = _parsed(path, text, delimiter, n_skipped, names, note_broken)
    is_open = bytes_count(text, b'"') % 2 == 1
    left_out = []
    if broken or is_open:
        left_out = list(_broken_lines(path, text, delimiter, n_skipped, len(names)))
        if left_out and (is_open or not arrow.num_rows):
            raise FileProblemsError(left_out)

    def rows_of(positions: Sequence[int]) -> list[int]:
        return _row_numbers(text, delimiter, n_skipped, len(names), positions)

    drop_pages(text)
    arrow = _without_empty(arrow)
    n_rows = arrow.num_rows
    arrow = _without_blank_rows(arrow)
    if n_blank := n_rows - arrow.num_rows:
        notes.append(f"{counted(n_blank, 'blank rows')} left out.")
    table = FileTable(
        path, arrow, rows_of, notes, points_are_decimal=delimiter != ";", left_out=tuple(left_out)
    )
    if not table.n_rows:
        remedy = "Add a row for each instance."
        raise problem_error(path.name, "there are column names, but no rows", remedy)
    return table


_SAVE_AS_UTF8 = 'Save it anew as UTF-8 (in Excel: File > Save As > "CSV UTF-8").'


def bytes_count(data: memoryview, wanted: bytes) -> int:
    """Count how often a byte occurs."""
    return sum(bytes(data[start : start + _BLOCK]).count(wanted) for start in range(0, data.nbytes, _BLOCK))


def _parsed(
    path: Path, text: memoryview, delimiter: str, n_skipped: int, names: list[str], on_broken: Any
) -> pa.Table:
    block = _BLOCK
    schema = pa.schema([(name, pa.string()) for name in names])
    while True:
        try:
            reader = arrow_csv.open_csv(
                pa.BufferReader(pa.py_buffer(text)),
                read_options=arrow_csv.ReadOptions(
                    column_names=names, skip_rows=n_skipped + 1, block_size=block
                ),
                parse_options=arrow_csv.ParseOptions(
                    delimiter=delimiter, newlines_in_values=True, invalid_row_handler=on_broken
                ),
                convert_options=arrow_csv.ConvertOptions(column_types=schema, strings_can_be_null=False),
            )
            return kept_table(schema, _dropping_pages(reader, text))
        except pa.ArrowInvalid as error:
            if "straddling" in str(error) and block < 2 * text.nbytes:
                block *= 8  # for a row longer than a block
                continue
            problems = list(_broken_lines(path, text, delimiter, n_skipped, len(names)))
            reason = str(error).splitlines()[0]
            if not problems and ("Empty CSV" in reason or "Could not skip" in reason):  # a header only
                return schema.empty_table()
            raise FileProblemsError(
                problems or [Problem(path.name, f"the file can't be read: {reason}", "Save it anew as CSV.")]
            ) from error


def _dropping_pages(batches: Iterable[Any], text: memoryview) -> Iterator[Any]:
    """Yield the batches, and drop their source from memory now and then."""
    for number, batch in enumerate(batches, 1):
        if number % _BATCHES_BETWEEN == 0:
            drop_pages(text)
        yield batch


def _records(text: memoryview, delimiter: str) -> Iterator[list[str]]:
    """Yield all records, blank ones included, as a spreadsheet numbers them."""
    file = io.TextIOWrapper(io.BufferedReader(_Raw(text), _BLOCK), "utf-8", errors="replace", newline="")
    return csv.reader(file, delimiter=delimiter)


class _Raw(io.RawIOBase):
    """Bytes as a file, without a copy."""

    def __init__(self, data: memoryview) -> None:
        self._data, self._at = data, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        part = self._data[self._at : self._at + len(buffer)]
        buffer[: part.nbytes] = part
        self._at += part.nbytes
        return part.nbytes


def _row_numbers(
    text: memoryview, delimiter: str, n_skipped: int, n_columns: int, positions: Sequence[int]
) -> list[int]:
    """Return the spreadsheet's numbers of rows at ascending positions; blank and broken rows count."""
    wanted = iter(positions)
    found: list[int] = []
    at = next(wanted, None)
    position = -1  # of the header
    for number, record in enumerate(_records(text, delimiter), 1):
        if at is None:
            break
        if len(record) != n_columns or number <= n_skipped or not any(record):
            continue
        while at is not None and position == at:
            found.append(number)
            at = next(wanted, None)
        position += 1
    return found


def _delimiter(path: Path, text: memoryview) -> tuple[str, int]:
    """Detect the delimiter, and the number of lines before the header."""
    head = bytes(text[:_HEAD]).decode("utf-8", errors="replace")
    first = head.splitlines()[0] if head else ""
    if first.strip().strip('"').lower().startswith("sep=") and len(first.strip().strip('"')) <= 5:
        declared = first.strip().strip('"')[4:] or "\t"
        if declared in _DELIMITERS:
            return declared, 1
    if text.nbytes > _HEAD:
        head = head[: head.rfind("\n") + 1] or head
    scores = {}
    for delimiter in _DELIMITERS:
        try:
            widths = [
                len(record)
                for record in csv.reader(io.StringIO(head, newline=""), delimiter=delimiter)
                if record
            ]
        except csv.Error:
            continue
        [(width, count)] = Counter(widths[:100]).most_common(1) or [(1, 0)]
        if width > 1 and widths[0] > 1:
            scores[delimiter] = (count / len(widths[:100]) > 0.6, width == widths[0], count * min(width, 50))
    if scores:
        return max(scores, key=lambda each: scores[each]), 0
    return ("\t" if ".tsv" in path.name.lower() else ","), 0


def _header(path: Path, text: memoryview, delimiter: str, n_skipped: int) -> list[str]:
    names: list[str] = []
    for number, record in enumerate(_records(text[: 1 << 24], delimiter), 1):
        if record and number > n_skipped:
            names = [name.strip() for name in record]
            break
    if names and sum(bool(readings(name)) for name in names) > len(names) / 2:
        raise problem_error(
            path.name,
            f"the first row holds numbers ({shortened(', '.join(names))}), "
            "where the names of the columns are expected",
            "Put a row with a name for each column on top.",
            n_skipped + 1,
        )
    repeated = repeated_columns(path.name, [name for name in names if name], n_skipped + 1)
    if {each.column for each in repeated} >= _OF_PROMPTFOO:
        what = "it is a CSV of promptfoo, in which the columns of several systems have the same names"
        remedy = "Give its results in JSON: promptfoo eval --output results.json."
        raise problem_error(path.name, what, remedy, n_skipped + 1)
    if repeated:
        raise FileProblemsError(repeated)
    taken = set(names)
    for position, name in enumerate(names):
        if not name:
            names[position] = next(
                n for k in range(len(names) + 1) if (n := f"column {position + 1 + k}") not in taken
            )
            taken.add(names[position])
    return names


def _broken_lines(
    path: Path, text: memoryview, delimiter: str, n_skipped: int, n_columns: int
) -> Iterator[Problem]:
    """Yield a problem for each row with too many or too few cells, or an unclosed quotation mark."""
    n_reported = 0
    last: tuple[int, list[str]] | None = None
    for number, record in enumerate(_records(text, delimiter), 1):
        if not record or number <= n_skipped:
            continue
        last = number, record
        if len(record) != n_columns:
            more = len(record) > n_columns
            remedy = (
                "Put cells that hold a separator in quotation marks, or remove what is too much."
                if more
                else "Complete the row, or remove it. A quotation mark that is not closed, here or above, "
                "does this too."
            )
            cells = counted(len(record), "cells")
            yield Problem(
                path.name, f"the row has {cells}, but there are {n_columns} columns", remedy, number
            )
            n_reported += 1
            if n_reported == MAX_REPORTED:
                return
    if last is not None and not n_reported:
        number, record = last
        if any("\n" in cell for cell in record):
            yield Problem(
                path.name,
                "a quotation mark in this row is not closed, so that all that follows became one cell",
                'Close it, or write it twice ("") where it belongs to the text.',
                number,
            )


def _not_utf8(path: Path, text: memoryview) -> Iterator[Problem]:
    for number, record in enumerate(_records(text, _delimiter(path, text)[0]), 1):
        if any("\N{REPLACEMENT CHARACTER}" in cell for cell in record):
            yield Problem(path.name, "the row holds bytes that are not UTF-8", _SAVE_AS_UTF8, number)


def _without_empty(arrow: pa.Table) -> pa.Table:
    """Drop columns without name and content, which spreadsheets leave at the right."""
    empty = [
        name
        for position, name in enumerate(arrow.column_names)
        if name == f"column {position + 1}"
        and arrow.num_rows
        and not pc.any(pc.not_equal(arrow[name], "")).as_py()
    ]
    return arrow.drop_columns(empty) if empty else arrow


def _without_blank_rows(arrow: pa.Table) -> pa.Table:
    """Drop rows of blank cells, which spreadsheets leave at the bottom."""
    is_blank: Any = None
    for column in arrow.columns:
        is_empty = pc.equal(column, "")
        is_blank = is_empty if is_blank is None else pc.and_(is_blank, is_empty)
        if not pc.any(is_blank).as_py():
            return arrow
    return arrow if is_blank is None else arrow.filter(pc.invert(is_blank))  # None without columns
