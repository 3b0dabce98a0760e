"""The log as a table."""

from collections.abc import Callable
from typing import Any

import pandas as pd

from activeeval_widgets.session.log.events import (
    BudgetLifted,
    CarriedOver,
    Drawn,
    Flagged,
    GuidelinesSet,
    HandedOut,
    MarginSet,
    Noted,
    Undone,
    VotesChanged,
    to_record,
)
from activeeval_widgets.session.log.state import State

COLUMNS = (
    *("seq", "time", "kind", "draw", "instance", "instance_id", "q", "weight", "value", "seconds"),
    *("first_key_seconds", "reason", "changed_seq", "undone_seq", "note", "flagged", "stands", "who"),
)


_OF_NO_ANSWER = (
    Undone | Drawn | CarriedOver | VotesChanged | HandedOut | BudgetLifted | MarginSet | GuidelinesSet
)


def history_table(state: State, n_left: Callable[[int], int]) -> pd.DataFrame:
    """Return the log as a table; see `Session.history` and `Draws.n_left`."""
    standing = {action.seq for action in [*state.actions, *state.people.opinion_events]}
    latest: dict[tuple[str, int], int] = {
        (event.kind, event.instance): event.seq for event in state.log if isinstance(event, Noted | Flagged)
    }
    standing.update(latest.values())
    rows: list[dict[str, Any]] = []
    for event in state.log:
        row = to_record(event)
        row["stands"] = pd.NA if isinstance(event, _OF_NO_ANSWER) else event.seq in standing
        if isinstance(event, Drawn):
            row["draw"] = row.pop("first")
            row["value"] = row.pop("instances")
            del row["q"]
        if isinstance(event, CarriedOver | GuidelinesSet):
            row["value"] = row.pop("instances")
        if isinstance(event, HandedOut):
            row["draw"], row["value"] = row.pop("draws")[0], row.pop("instances")
            del row["q"]
        if isinstance(event, Noted | GuidelinesSet):
            row["note"] = row.pop("text")
        if isinstance(event, BudgetLifted):
            row["value"] = row.pop("budget")
        if isinstance(event, MarginSet):
            row["value"] = row.pop("margin")
        if "q" in row:
            row["weight"] = 1 / (n_left(row["draw"]) * row["q"])
        rows.append(row)
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    # dtype=object: pandas would convert integers with gaps to floats.
    table["value"] = pd.Series([row.get("value") for row in rows], dtype=object)
    for name in ("draw", "instance", "changed_seq", "undone_seq"):
        table[name] = table[name].astype("Int64")
    for name in ("flagged", "stands"):
        table[name] = table[name].astype("boolean")
    return table
