"""Read the ids of a table's rows."""

from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from activeeval_widgets.formats.distinct_strings import are_distinct
from activeeval_widgets.formats.problems import MAX_REPORTED, shortened
from activeeval_widgets.formats.table import FileTable


def ids_of(table: FileTable, column: str) -> pa.ChunkedArray | None:
    """Return the ids; report missing and repeated ones and return None."""
    n_before = len(table.problems)
    ids = present_ids(table, column)
    if len(table.problems) == n_before and not are_distinct(ids):
        _report_repeated(table, column, ids)
    return None if len(table.problems) > n_before else ids


def present_ids(table: FileTable, column: str) -> pa.ChunkedArray:
    """Return the ids; report missing ones."""
    ids = table.strings(column)
    empty = np.flatnonzero(np.asarray(pc.equal(ids, "").to_numpy(), dtype=bool))
    for index in empty[:MAX_REPORTED]:
        table.report(
            "the id is missing",
            "Give each row an id of its own, or name another column.",
            index=index,
            column=column,
        )
    return ids


def _report_repeated(table: FileTable, column: str, ids: pa.ChunkedArray) -> None:
    first: dict[str, int] = {}
    repeated = (at for at, value in enumerate(ids.to_pylist()) if first.setdefault(value, at) != at)
    for index in islice(repeated, MAX_REPORTED):
        value = ids[index].as_py()
        before = table.rows_of([first[value]])[0]
        table.report(
            f"the id {shortened(value)} is in row {before:,} already",
            "Give each row an id of its own, remove one of the two, or name another column with id.",
            index=index,
            column=column,
        )
