"""Read JSON lines, and JSON that is a list of objects."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from activeeval_widgets.formats.json_text import without_surrogates
from activeeval_widgets.formats.opening.encodings import encoding_of
from activeeval_widgets.formats.opening.table_on_disk import kept_table
from activeeval_widgets.formats.problems import (
    MAX_REPORTED,
    FileProblemsError,
    Problem,
    problem_error,
    shortened,
)
from activeeval_widgets.formats.table import FileTable

_ROWS_AT_ONCE = 1 << 15
_MAX_PARTS = 1_000
_LARGEST_LIST = 512 << 20
_LARGEST_OBJECT = 64 << 20
_ROWS = ("data", "rows", "records", "instances", "examples", "predictions")
"""Names of lists of rows within one object."""


def read_json(path: Path, data: memoryview) -> FileTable:
    """Read JSON objects, one a line or in a list; mappings and lists of numbers become several columns."""
    encoding, n_marks = encoding_of(data)
    text = data[n_marks:]
    if encoding != "utf-8":
        text = memoryview(bytes(text).decode(encoding, errors="replace").encode())
    notes = [] if encoding == "utf-8" else [f"The text is in the encoding {encoding.upper()}."]
    is_list = bytes(text[:1000]).lstrip().startswith(b"[") and _is_list(text)
    if not is_list and _is_whole_table(text):
        what = "the file is one object that holds a table, expected an object for each instance"
        remedy = (
            "Write a list of objects, or one a line: in pandas "
            'frame.to_json("instances.jsonl", orient="records", lines=True).'
        )
        raise problem_error(path.name, what, remedy)
    problems: list[Problem] = []
    objects = _of_list(path, text, problems) if is_list else _of_lines(path, text, problems)
    numbers: list[int] = []
    table = _table(objects, numbers)
    if problems:
        raise FileProblemsError(problems)
    if not numbers:
        raise problem_error(path.name, "there are no rows", "Add a line for each instance.")

    def rows_of(positions: Sequence[int]) -> list[int]:
        return [numbers[position] for position in positions]

    return FileTable(path, table, rows_of, notes)


def _is_whole_table(text: memoryview) -> bool:
    """Return whether a text is one object with the columns of a table, as pandas writes them, or its rows."""
    lines = (line for line in lines_of(text[:_LARGEST_OBJECT]) if line.strip())
    first = next(lines, b"")
    is_spread = next(lines, None) is not None
    if is_spread and first.strip() != b"{":
        return False  # an object on each line
    try:
        value = json.loads(bytes(text[:_LARGEST_OBJECT]).decode() if is_spread else first.decode())
    except (ValueError, RecursionError):
        return False
    if not isinstance(value, dict):
        return False
    sizes = {(type(part), len(part) if isinstance(part, dict | list) else 0) for part in value.values()}
    if len(value) > 1 and len(sizes) == 1 and sizes.pop()[1] > 1:
        return True
    rows = [part for name, part in value.items() if name.lower() in _ROWS and isinstance(part, list)]
    return len(rows) == 1 and len(rows[0]) > 1 and all(isinstance(row, dict | list) for row in rows[0])


def _is_list(text: memoryview) -> bool:
    """Return whether a text is one list, rather than a list on each line, which is refused."""
    return not re.match(rb"\s*\[[^\n]*\]\s*\n\s*\[", bytes(text[:100_000]))


def _of_lines(path: Path, text: memoryview, problems: list[Problem]) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(lines_of(text), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line.decode())
        except UnicodeDecodeError:
            what, remedy = "the line holds bytes that are not UTF-8", "Save the file anew as UTF-8."
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else "it can't be read"
            what = f"the line is not JSON: {reason[:1].lower()}{reason[1:]}"
            remedy = 'Write one object a line: {"text": "…", "p_ham": 0.9, "p_spam": 0.1}.'
        else:
            if isinstance(value, dict):
                yield number, value
                continue
            what = f"the line is {shortened(line.decode().strip())}, not an object"
            remedy = 'Write one object a line: {"text": "…", "p_ham": 0.9, "p_spam": 0.1}.'
        problems.append(Problem(path.name, what, remedy, number))
        if len(problems) == MAX_REPORTED:
            return


def lines_of(text: memoryview) -> Iterator[bytes]:
    """Yield the lines of a text, without reading all of it."""
    chunk, at, rest = 1 << 22, 0, b""
    while at < text.nbytes:
        lines = (rest + bytes(text[at : at + chunk])).split(b"\n")
        rest = lines.pop()
        at += chunk
        yield from lines
    if rest:
        yield rest


def _of_list(path: Path, text: memoryview, problems: list[Problem]) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        values = json.loads(bytes(text[:_LARGEST_LIST]).decode())
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, json.JSONDecodeError) else "it can't be read"
        problems.append(
            Problem(path.name, f"the file is not JSON: {reason}", "Write one object a line instead.")
        )
        return
    for number, value in enumerate(values, 1):
        if isinstance(value, dict):
            yield number, value
        elif len(problems) < MAX_REPORTED:
            what = f"entry {number} is {shortened(value)}, not an object"
            problems.append(Problem(path.name, what, "Write an object for each instance.", number))


def _table(objects: Iterator[tuple[int, dict[str, Any]]], numbers: list[int]) -> pa.Table:
    """Make a table of objects; append the number of each to `numbers`."""
    chunks: list[dict[str, list[Any]]] = []
    kinds: dict[str, set[type]] = {}
    rows: dict[str, list[Any]] = {}
    n_rows = 0
    for number, value in objects:
        if n_rows == _ROWS_AT_ONCE:
            chunks.append(rows)
            rows, n_rows = {}, 0
        for name, cell in _cells("", value):
            column = rows.setdefault(name, [])
            column += [None] * (n_rows - len(column))
            column.append(cell)
            if cell is not None:
                kinds.setdefault(name, set()).add(type(cell))
        numbers.append(number)
        n_rows += 1
    chunks.append(rows)
    names = dict.fromkeys(name for chunk in chunks for name in chunk)
    schema = pa.schema([(name, _type_of(kinds.get(name, set()))) for name in names])

    def batches() -> Iterator[pa.RecordBatch]:
        for position, chunk in enumerate(chunks):
            size = n_rows if position == len(chunks) - 1 else _ROWS_AT_ONCE
            chunks[position] = {}
            yield pa.RecordBatch.from_arrays(
                [_array(chunk.get(field.name, []), field.type, size) for field in schema], schema=schema
            )

    return kept_table(schema, batches())


def _cells(beginning: str, value: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, cell in value.items():
        name = f"{beginning}{key}"
        if _is_list_of_scores(cell):
            yield from ((f"{name}.{entry['label']}", entry["score"]) for entry in cell)
        elif isinstance(cell, dict) and 0 < len(cell) <= _MAX_PARTS:
            yield from _cells(f"{name}.", cell)
        elif (
            isinstance(cell, list)
            and 0 < len(cell) <= _MAX_PARTS
            and all(type(each) in (int, float) for each in cell)
        ):
            for position, each in enumerate(cell):
                yield f"{name}.{position}", each
        elif isinstance(cell, dict | list):
            yield name, json.dumps(cell, ensure_ascii=False)
        elif isinstance(cell, int) and not isinstance(cell, bool) and abs(cell) >= 1 << 63:
            yield name, str(cell)
        elif isinstance(cell, str):
            yield name, without_surrogates(cell)
        else:
            yield name, cell


def _is_list_of_scores(cell: Any) -> bool:
    """Return whether a cell is [{"label": "ham", "score": 0.9}, …], the output of text classifiers."""
    return (
        isinstance(cell, list)
        and 0 < len(cell) <= _MAX_PARTS
        and all(isinstance(entry, dict) and entry.keys() == {"label", "score"} for entry in cell)
    )


def _type_of(kinds: set[type]) -> Any:
    if kinds == {bool}:
        return pa.bool_()
    if kinds == {int}:
        return pa.int64()
    if kinds and kinds <= {int, float}:
        return pa.float64()
    return pa.string()


def _array(values: list[Any], kind: Any, size: int) -> Any:
    values += [None] * (size - len(values))
    if pa.types.is_string(kind):
        values = [
            v if v is None or isinstance(v, str) else json.dumps(v) if isinstance(v, bool) else str(v)
            for v in values
        ]
    return pa.array(values, kind)
