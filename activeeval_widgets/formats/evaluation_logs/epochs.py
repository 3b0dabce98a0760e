"""Combine the epochs of a log's samples: each sample is read once, with the answers of all epochs."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

import pyarrow as pa

from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.evaluation_logs.groupings import LENGTH
from activeeval_widgets.formats.evaluation_logs.left_out_note import left_out_note
from activeeval_widgets.formats.evaluation_logs.sample import RIGHT
from activeeval_widgets.formats.problems import closest
from activeeval_widgets.formats.table import FileTable, numbered_from_1

EPOCHS = (("epochs",), ("epoch",))
"""The rubrics that stand for a log's epochs: each is a criterion."""


def note_epochs(table: FileTable) -> None:
    """Note that epochs can be read together."""
    if table.log is not None and (n := len({each.epoch for each in table.log.origins})) > 1:
        table.note(f"Samples have {n} epochs: --rubric epochs shows those of a sample together.")


def epochs_together(table: FileTable, given: Columns) -> tuple[FileTable, Columns]:
    """Make one row of each sample that all epochs answered; report why that is impossible."""
    log, without = table.log, given.with_(rubric=None, votes=None, group=None)
    origins = () if log is None else log.origins
    epochs = tuple(sorted({each.epoch for each in origins}))
    if log is None or len(epochs) < 2:
        table.report(
            "rubric names epochs, but samples have one each: that is for logs of Inspect with several",
            "Leave it out, or name criteria.",
        )
        return table, without
    places: dict[str, dict[int, int]] = {}
    for at, each in enumerate(origins):
        places.setdefault(each.test, {})[each.epoch] = at
    rows = {test: [by[epoch] for epoch in epochs] for test, by in places.items() if len(by) == len(epochs)}
    unanswered = [test for test in places if test not in rows]
    if not rows:
        table.report("no sample was answered in all epochs", "Run the evaluation again, and give its log.")
        return table, without
    if unanswered:
        table.note(left_out_note(len(unanswered), "samples", "without an answer in some epoch", unanswered))
    names = [f"epoch {epoch}" for epoch in epochs]
    arrow = table.arrow
    messages = [_messages(arrow, at) for at in range(arrow.num_rows)]
    firsts = [each[0] for each in rows.values()]
    made = pa.table(
        {
            "id": list(rows),
            "conversation": [_together([messages[at] for at in each], names) for each in rows.values()],
        }
    )
    columns = Columns(
        id="id", conversation=("conversation",), rubric=tuple(names), classes=given.classes or RIGHT
    )
    for role in ("reference", "group"):
        if role in arrow.column_names:
            made = made.append_column(role, arrow[role].take(firsts))
            columns = columns.with_(**{role: role})
    groupings = {name: cells for name, cells in log.groupings.items() if name != LENGTH}
    if given.group is not None:
        if given.group not in groupings:
            table.report(f"no metadata are called {given.group!r}", closest(given.group, list(groupings)))
            return table, without
        made = made.append_column("group of samples", [[groupings[given.group][at] for at in firsts]])
        columns = columns.with_(group="group of samples")
    known = {name: each.verdicts for name, each in log.scorers.items() if each.verdicts is not None}
    for name in given.votes or ():
        if name not in known:
            table.report(f"no scorer with verdicts is called {name!r}", closest(name, list(known)))
            return table, without
    voting = []
    for name in given.votes or known:
        verdicts = arrow[known[name]].to_pylist()
        for position, epoch in enumerate(names):
            voting.append(f"{name} {epoch}")
            cells = [verdicts[each[position]] for each in rows.values()]
            made = made.append_column(voting[-1], [[cell if cell in RIGHT else "" for cell in cells]])
    columns = columns.with_(votes=tuple(voting) or None)
    table = replace(table, arrow=made, log=None, rows_of=numbered_from_1)
    table.note(f"Each sample is read once, with the answers of {len(epochs)} epochs.")
    return table, columns


def _messages(arrow: Any, at: int) -> list[dict[str, Any]]:
    """Return the messages of one epoch of a sample."""
    cells = {name: arrow[name][at].as_py() for name in arrow.column_names}
    if cells.get("conversation"):
        found: list[dict[str, Any]] = json.loads(cells["conversation"])
        return found
    return [
        {"role": "user", "content": cells.get("prompt") or ""},
        {"role": "assistant", "content": cells.get("answer") or ""},
    ]


def _together(epochs: Sequence[list[dict[str, Any]]], names: Sequence[str]) -> str:
    """Make one conversation: the common beginning of all epochs, then the rest of each."""
    same = takewhile(lambda turns: all(turn == turns[0] for turn in turns), zip(*epochs, strict=False))
    n_same = min(len([*same]), *(len(each) - 1 for each in epochs))
    merged = list(epochs[0][:n_same])
    for name, turns in zip(names, epochs, strict=True):
        own = turns[n_same:]
        merged += [
            each | {"role": name if len(own) == 1 else f"{name}: {each.get('role', '')}"} for each in own
        ]
    return json.dumps(merged, ensure_ascii=False)
