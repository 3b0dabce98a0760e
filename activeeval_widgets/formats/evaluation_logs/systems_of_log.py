"""Split a log of several systems: the answers of two systems to the same tests as two tables."""

from collections import Counter
from dataclasses import replace

import pyarrow as pa

from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.problems import closest, typed
from activeeval_widgets.formats.table import FileTable

DIFFERENCES = ("provider", "prompt")
"""The properties by which systems of one log may differ."""


def note_systems(table: FileTable) -> None:
    """Note that the systems of a log can be compared."""
    for role in DIFFERENCES:
        n = len({getattr(each, role) for each in table.log.origins}) if table.log is not None else 0
        if n > 1:
            table.note(
                f"It holds answers of {n} {role}s: --compare-by {role} shows two of them side by side."
            )


def systems_of_log(table: FileTable, columns: Columns) -> tuple[FileTable, FileTable, tuple[str, str]] | None:
    """Return the tables of two systems and their names; report a wrong choice and return None."""
    by = columns.compare_by or ""
    if by not in DIFFERENCES:
        table.report(f"compare_by is {by!r}", "Say what tells the systems apart: provider or prompt.")
        return None
    origins = () if table.log is None else table.log.origins
    names = tuple(dict.fromkeys(getattr(each, by) for each in origins))
    if len(names) < 2:
        table.report(
            f"compare_by is {by!r}, but there are not several {by}s: that is for promptfoo's results",
            "Leave it out, or name another log with compare (--compare).",
        )
        return None
    chosen = columns.compare or names
    for name in chosen:
        if name not in names:
            table.report(f"no {by} is called {name!r}", closest(name, names))
            return None
    if len(chosen) != 2:
        table.report(
            f"it holds answers of {len(chosen)} {by}s: {', '.join(chosen)}",
            f"Name the two to compare (--compare-by {by} --compare {typed(chosen[0])},{typed(chosen[1])}).",
        )
        return None
    first, second = (_part(table, by, name) for name in chosen)
    ids = [set(part.arrow["id"].to_pylist()) for part in (first, second)]
    for part in (first, second):
        if part.log is not None:
            part.log = replace(part.log, left_out=frozenset(ids[0] ^ ids[1]))
    return first, second, (chosen[0], chosen[1])


def _part(table: FileTable, by: str, name: str) -> FileTable:
    assert table.log is not None  # noqa: S101 - checked by the caller
    rows = [at for at, each in enumerate(table.log.origins) if getattr(each, by) == name]
    other = next(each for each in DIFFERENCES if each != by)
    several = len({getattr(each, other) for each in table.log.origins}) > 1
    ids, asked = [], []
    times: Counter[str] = Counter()
    for at in rows:
        origin = table.log.origins[at]
        test = f"{origin.test}, {getattr(origin, other)}" if several else origin.test
        times[test] += 1
        ids.append(test if times[test] == 1 else f"{test}, repeat {times[test]}")
        asked.append(origin.variables)
    arrow = table.arrow.take(rows)
    arrow = arrow.set_column(arrow.column_names.index("id"), "id", pa.array(ids, pa.string()))
    shown = table.log.shown.with_(group=None)
    if by == "prompt":  # the prompts themselves would reveal which is which
        shown = shown.with_(prompt="prompt", conversation=None)
        arrow = arrow.drop_columns(
            [each for each in ("prompt", "conversation") if each in arrow.column_names]
        )
        arrow = arrow.append_column("prompt", pa.array(asked, pa.string()))
    if "group" in arrow.column_names:
        arrow = arrow.drop_columns(["group"])
    log = replace(table.log, shown=shown, origins=(), groupings={})
    return replace(table, arrow=arrow, log=log, problems=[], notes=list(table.notes))
