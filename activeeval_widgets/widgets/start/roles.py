"""The roles of a file's columns, which the start page lets users change."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from activeeval_widgets.formats.columns import COLUMN_OPTIONS, Columns

SAMPLE = "sample"
"""The role of `labels` if they were drawn uniformly."""

ROLES = {
    "": "not used",
    **{name: option.role for name, option in COLUMN_OPTIONS.items() if option.role},
    SAMPLE: "label drawn at random",
}
"""The possible roles, with their texts."""

_SEVERAL = [name for name, option in COLUMN_OPTIONS.items() if option.is_list]


def roles_of(columns: Columns, names: Sequence[str]) -> dict[str, str]:
    """Return the role of each column by name."""
    found = dict.fromkeys(names, "")
    for role, value in columns.named_options().items():
        for name in (value,) if isinstance(value, str) else value:
            if role in ROLES and name in found:
                is_sample = role == "labels" and columns.drawn == "uniformly"
                found[name] = SAMPLE if is_sample else role
    return found


def changed_roles(before: Mapping[str, str], chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the roles after a choice: a role for a single column goes to the column chosen last."""
    roles = {name: chosen.get(name, role) for name, role in before.items()}
    changed = {_option(role) for name, role in roles.items() if role != before[name]}
    for name, role in roles.items():
        if _option(role) in changed and role not in _SEVERAL and role == before[name]:
            roles[name] = ""
    # A sample is uniform or by probabilities: what was chosen last.
    is_by = any(role == "drawn_by" != before[name] for name, role in roles.items())
    if is_by or SAMPLE in roles.values():
        other = {SAMPLE: "labels"} if is_by else {"drawn_by": ""}
        roles = {name: other.get(role, role) for name, role in roles.items()}
    return roles


def _option(role: str) -> str:
    return "labels" if role == SAMPLE else role


def columns_of(roles: Mapping[str, str], columns: Columns, ignore: Collection[str] = ()) -> Columns:
    """Return the columns with the given roles; settings without a role stay unchanged."""
    found: dict[str, Any] = {}
    for name, role in roles.items():
        if role not in ROLES:
            raise ValueError(f"{name} can't be {role!r}, expected one of {', '.join(filter(None, ROLES))}")
        if role in _SEVERAL:
            found[role] = (*found.get(role, ()), name)
        elif role:
            found[_option(role)] = name
    if len(found.get("pair", ())) not in (0, 2):
        raise ValueError("Two columns have to be “one of two texts”: choose the other one, too.")
    kept: dict[str, Any] = {
        name: getattr(columns, name)
        for name in COLUMN_OPTIONS
        if name not in ROLES and name not in ("classes", "ignore")
    }
    other = None if columns.drawn == "uniformly" else columns.drawn
    kept["drawn"] = "uniformly" if SAMPLE in roles.values() else other
    ignored = tuple(name for name, role in roles.items() if role == "" and name in ignore)
    if all(found.get(role) == getattr(columns, role) for role in ("proba", "votes", "score")):
        kept["classes"] = columns.classes
    return Columns(**found, **kept, ignore=ignored or None)


def column_contents(
    rows: Mapping[str, Sequence[str]], roles: Mapping[str, str], columns: Columns, classes: Sequence[str]
) -> list[dict[str, Any]]:
    """Return what the page shows of each column; see `messages.start_from_python.Column`."""
    of_class = dict(zip(columns.proba or (), classes, strict=False))
    if columns.score is not None and len(classes) == 2:
        of_class[columns.score] = classes[1]
    return [
        {
            "name": name,
            "role": role,
            "text": f"probability: {of_class[name]}" if name in of_class else ROLES[role],
            "cells": list(rows.get(name, ())),
        }
        for name, role in roles.items()
    ]
