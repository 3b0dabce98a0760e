"""Join two logs of the same samples by two systems: each sample once, with both answers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.evaluation_logs.left_out_note import left_out_note
from activeeval_widgets.formats.evaluation_logs.scorers import Scorer
from activeeval_widgets.formats.problems import closest
from activeeval_widgets.formats.table import FileTable, numbered_from_1
from activeeval_widgets.session.findings.judge import passing_of
from activeeval_widgets.stats.predictions.side_by_side import SIDES
from activeeval_widgets.stats.text import listed

_LISTED = 5
_ENDS = (" of A", " of B")


def join_logs(
    first: FileTable, second: FileTable, given: Columns, names: tuple[str, str]
) -> tuple[FileTable, Columns]:
    """Join a log's samples with the answers of another log or system; report mismatches."""
    assert first.log is not None  # noqa: S101 - checked by the caller
    assert second.log is not None  # noqa: S101 - checked by the caller
    rows = _matched(first, second)
    shown = (first.log.shown, second.log.shown)
    is_talk = [each.conversation is not None for each in shown]
    if first.problems:
        return first, given
    if is_talk[0] != is_talk[1]:
        first.report(
            f"one of the logs holds conversations, {second.path.name} or this one, the other prompts",
            "Give two logs of the same kind.",
        )
        return first, given
    one, two = (table.arrow.take(each) for table, each in zip((first, second), rows, strict=True))
    made = one.select([name for name in ("id", "reference", "group") if name in one.column_names])
    columns = Columns(id="id")
    for role in ("reference", "group"):
        if role in made.column_names:
            columns = columns.with_(**{role: role})
    for of_each in ("conversation", "answer"):
        if all(getattr(each, of_each) is not None for each in shown):
            for table, end in zip((one, two), _ENDS, strict=True):
                made = made.append_column(of_each + end, table[of_each])
            columns = columns.with_(**{of_each: tuple(of_each + end for end in _ENDS)})
    if not is_talk[0]:
        made = made.append_column("prompt", one["prompt"])
        columns = columns.with_(prompt="prompt")
    classes = given.classes or SIDES
    title = _title(first, second, names)
    table = replace(first, arrow=made, rows_of=numbered_from_1, log=None, systems=names, title=title)
    voting = _voting(table, first.log.scorers, second.log.scorers, given)
    voted = []
    for name in voting:
        votes = _votes(one, two, first.log.scorers[name], second.log.scorers[name], classes)
        if votes is not None:
            voted.append(f"votes of {name}")
            table.arrow = table.arrow.append_column(voted[-1], [votes])
    table.note(f"A is {names[0]}, B is {names[1]}: samples are matched by their ids.")
    return table, columns.with_(votes=tuple(voted) or None, classes=tuple(classes))


def _title(first: FileTable, second: FileTable, names: tuple[str, str]) -> str | None:
    """Return the common part of the logs' titles with the two systems; None if there is none."""
    parts = [(table.title or "").split(" · ") for table in (first, second)]
    both = [part for part in parts[0] if part and part in parts[1]]
    return " · ".join([*both, " vs. ".join(names)]) if both else None


def names_of(first: Path, second: Path) -> tuple[str, str]:
    """Name two systems by the logs' files, or by the folders if the files have the same name."""
    stems = [path.name.partition(".")[0] or path.name for path in (first, second)]
    if stems[0] == stems[1]:
        stems = [f"{path.parent.name}/{stem}" for path, stem in zip((first, second), stems, strict=True)]
    return (f"{stems[0]} (A)", f"{stems[1]} (B)") if stems[0] == stems[1] else (stems[0], stems[1])


def _matched(first: FileTable, second: FileTable) -> tuple[Sequence[int], Sequence[int]]:
    """Return the rows of both tables, for samples that are in both."""
    tables = (first, second)
    places = [{name: at for at, name in enumerate(each.arrow["id"].to_pylist())} for each in tables]
    left_out = [frozenset() if each.log is None else each.log.left_out for each in tables]
    alone = [
        [name for name in own if name not in other and name not in without]
        for own, other, without in zip(places, places[::-1], left_out[::-1], strict=True)
    ]
    if any(alone):
        parts = [
            f"{len(ids):,} only in {table.path.name} ({listed(ids, _LISTED)})"
            for ids, table in zip(alone, tables, strict=True)
            if ids
        ]
        first.report(
            f"the two logs are not of the same samples: {', '.join(parts)}",
            "Give logs of the same task and data, with the same limit and epochs: samples are matched by "
            "their ids.",
        )
        return [], []
    ids = [name for name in places[0] if name in places[1]]
    n_without = len({*places[0], *places[1]}) - len(ids)
    if n_without:
        first.note(left_out_note(n_without, "samples", "ended with an error for one of the two and"))
    rows = [[own[name] for name in ids] for own in places]
    for role, what in (("reference", "have another reference answer"), ("prompt", "ask something else")):
        if not all(role in each.names for each in tables):
            continue
        cells = [each.strings(role).to_pylist() for each in tables]
        other = [name for name, i, j in zip(ids, *rows, strict=True) if cells[0][i] != cells[1][j]]
        if other:
            first.report(
                f"{len(other):,} samples of {second.path.name} {what} than those of the same id here "
                f"({listed(other, _LISTED)})",
                "Give logs of the same task and data.",
            )
            break
    if not ids and not first.problems:
        first.report("no sample of the logs was answered by both", "Give logs of the same samples.")
    return rows[0], rows[1]


def _voting(
    table: FileTable, first: Mapping[str, Scorer], second: Mapping[str, Scorer], given: Columns
) -> list[str]:
    """Return the scorers that vote: those that are named, or else all that are in both logs."""
    there = [name for name in first if name in second]
    asked = given.votes or ((given.score,) if given.score else None)
    if asked is None:
        if not there:
            table.note("No scorer is in both logs, so nobody votes: draws are uniform.")
        return there
    for name in asked:
        if name not in there:
            table.report(f"no scorer called {name!r} is in both logs", closest(name, there))
    return [name for name in asked if name in there]


def _votes(one: Any, two: Any, first: Scorer, second: Scorer, classes: Sequence[str]) -> Any:
    """Return a scorer's votes: the answer that passes or scores higher; None if it decides neither."""
    if first.verdicts is not None and second.verdicts is not None:
        passing = passing_of(first.roles.classes or ())
        if passing is None:
            return None
        columns = [table[name].to_pylist() for table, name in ((one, first.verdicts), (two, second.verdicts))]
        pairs = [
            None if None in both else (both[0] == passing, both[1] == passing)
            for both in zip(*columns, strict=True)
        ]
    elif first.roles.mean is not None and second.roles.mean is not None and "both" not in classes:
        # A higher score shows which answer is better, not whether any is good.
        columns = [table[name].to_pylist() for table, name in ((one, first.name), (two, second.name))]
        pairs = [
            None if None in both else (both[0] > both[1], both[1] > both[0])
            for both in zip(*columns, strict=True)
        ]
    else:
        return None
    words = {
        (True, False): SIDES[0],
        (False, True): SIDES[1],
        (True, True): next((each for each in ("both", "tie") if each in classes), None),
        (False, False): next((each for each in ("neither", "both bad", "tie") if each in classes), None),
    }
    return pa.array([None if both is None else words[both] for both in pairs], pa.string())
