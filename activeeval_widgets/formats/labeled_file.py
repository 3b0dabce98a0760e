"""Read a file of predictions and true labels: the pool of its labeled rows, and their labels."""

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.examination import arguments_of
from activeeval_widgets.formats.guessed_columns import guess_columns
from activeeval_widgets.formats.label_column import has_label, labels_in
from activeeval_widgets.formats.opening.open_table import open_table
from activeeval_widgets.formats.predictions import report_missing
from activeeval_widgets.formats.problems import FileProblemsError, closest, problem_error, shortened
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.formats.table_files import file_in
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats._typing import BoolArray


@dataclass(frozen=True)
class LabeledPool:
    """The labeled rows of a file, their labels as `Session.label` takes them, and notes."""

    pool: Pool
    y_true: list[Any]
    notes: tuple[str, ...]


def read_labeled(file: str | os.PathLike[str], label: str, **columns: Any) -> LabeledPool:
    r"""Read a file with a column of true labels; leave out rows without one."""
    path = file_in(Path(file))
    table = open_table(path)
    table = _with_lists(table, label)
    if label not in table.names:
        raise problem_error(
            path.name, f"there is no column {label!r}, which label names", closest(label, table.names)
        )
    given = Columns(**columns)
    given = given.with_(ignore=(*(given.ignore or ()), label))
    there = has_label(table, label)
    guessed, _ = guess_columns(table, given)
    if guessed.query is not None and guessed.items is not None:
        there = _whole_queries(table, guessed, there)
    if not there.any():
        problem = "no query has a grade for each item" if guessed.query is not None else "no row has a label"
        remedy = "Name the column that holds the true labels with label (--label)."
        raise problem_error(path.name, problem, remedy, column=label)
    labeled = _rows(table, there)
    columns_, notes, arguments = arguments_of(labeled, given, path if path.is_dir() else path.parent)
    if arguments is None:
        raise FileProblemsError(labeled.problems)
    pool = Pool(**arguments)
    y_true = _labels(labeled, label, columns_, pool)
    if labeled.problems:
        raise FileProblemsError(labeled.problems)
    n_left_out = int(np.count_nonzero(~there))
    verb = ("has", "is") if n_left_out == 1 else ("have", "are")
    left_out = (
        f"{n_left_out:,} of {table.n_rows:,} rows {verb[0]} no label in {label!r} and {verb[1]} left out."
    )
    return LabeledPool(pool, y_true, (*([left_out] if n_left_out else []), *notes, *labeled.notes))


def _with_lists(table: FileTable, label: str) -> FileTable:
    """Return the table with a column of labels as JSON, if the labels are lists spread over columns."""
    names = [name for name in table.names if re.fullmatch(rf"{re.escape(label)}\..+", name)]
    is_there = label in table.names
    if not names or (is_there and any(table.strings(label).to_pylist())):
        return table
    keys = [name.removeprefix(f"{label}.") for name in names]
    texts = []
    for row in zip(*(table.arrow[name].to_pylist() for name in names), strict=True):
        given = {key: value for key, value in zip(keys, row, strict=True) if value is not None}
        is_list = all(key == str(at) for at, key in enumerate(given))
        texts.append(json.dumps(list(given.values()) if is_list else given) if given else "")
    arrow = table.arrow.drop_columns([*names, *([label] if is_there else [])])
    return replace(table, arrow=arrow.append_column(label, pa.array(texts, pa.string())))


def _rows(table: FileTable, chosen: BoolArray) -> FileTable:
    """Select rows of a table; they keep their numbers."""
    at = np.flatnonzero(chosen)

    def rows_of(positions: Sequence[int]) -> list[int]:
        return table.rows_of(at[np.asarray(positions, dtype=np.intp)].tolist())

    return replace(table, arrow=table.arrow.filter(pa.array(chosen)), rows_of=rows_of, origin=table)


def _is_by_row(table: FileTable, columns: Columns) -> bool:
    first = next((value for value in table.strings(str(columns.items)).to_pylist() if value.strip()), "")
    return not first.lstrip().startswith("[")


def _keys(table: FileTable, columns: Columns) -> list[str]:
    """Return the key of each row's query."""
    found: list[str] = table.strings(str(columns.query if columns.id is None else columns.id)).to_pylist()
    return found


def _whole_queries(table: FileTable, columns: Columns, has_label: BoolArray) -> BoolArray:
    """Return which rows belong to queries whose items all have a grade."""
    if not _is_by_row(table, columns):
        return has_label
    keys = _keys(table, columns)
    partly = {key for key, is_labeled in zip(keys, has_label.tolist(), strict=True) if not is_labeled}
    return np.array([key not in partly for key in keys], dtype=bool)


def _labels(table: FileTable, label: str, columns: Columns, pool: Pool) -> list[Any]:
    """Return the labels as `Session.label` takes them; report invalid ones."""
    model = pool.models[0]
    is_graded = model.label_kind == "grades"
    return _grades(table, label, columns, pool) if is_graded else labels_in(table, label, model)


def _grades(table: FileTable, label: str, columns: Columns, pool: Pool) -> list[Any]:
    """Return a mapping from item to grade for each query."""
    if not _is_by_row(table, columns):
        return [
            _listed(table, cell, index, label, pool)
            for index, cell in enumerate(table.strings(label).to_pylist())
        ]
    numbers, missing = table.numbers(label)
    report_missing(table, label, missing, "a number")
    grades = numbers.tolist()
    items = table.strings(str(columns.items)).to_pylist()
    by_key: dict[str, dict[str, float]] = {}
    for key, item, grade in zip(_keys(table, columns), items, grades, strict=True):
        by_key.setdefault(key, {})[item] = grade
    return list(by_key.values())


def _listed(table: FileTable, cell: str, index: int, label: str, pool: Pool) -> dict[str, Any]:
    items = [str(item) for item in pool.items(index)]
    try:
        given = json.loads(cell)
    except (ValueError, RecursionError):
        given = None
    if isinstance(given, dict):
        return given
    if not isinstance(given, list) or len(given) != len(items):
        problem = f"{shortened(cell)} is not a list of {len(items)} grades"
        table.report(problem, "Write JSON, a grade for each item: [0, 2, 1].", index=index, column=label)
        return {}
    return dict(zip(items, given, strict=True))
