"""Write tasks as CSV for a spreadsheet, and read the labels filled in there."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from activeeval_widgets.formats.json_text import from_text
from activeeval_widgets.formats.parsed_numbers import number_in
from activeeval_widgets.formats.tasks.answer_text import AnswerReader, expected
from activeeval_widgets.formats.tasks.task_fields import fields_of, predictions_of
from activeeval_widgets.session import DrawnInstance, GivenLabel, Session
from activeeval_widgets.session.report.spreadsheet import to_csv, without_apostrophe

_OWN = ("id", "item", "label", "choices", "cannot_label", "note", "seconds", "who", "prediction")
_NO = {"", "0", "0.0", "no", "n", "false", "f", "-"}
_MERE_YES = {"1", "1.0", "x", "yes", "y", "true", "t"}


def write(session: Session, drawn: Sequence[DrawnInstance], *, with_predictions: bool) -> str:
    """Return tasks as CSV: a row for each instance, or each item of a ranking, and cells to fill in."""
    rows = []
    for each in drawn:
        shown = fields_of(session, each.index)
        items = shown.pop("items", None) if session.labels.kind == "grades" else None
        about = {_shown_as(name): value for name, value in shown.items()}
        if with_predictions:
            about |= predictions_of(session, each.index)
        names = (
            [str(item) for item in session.labels.items[each.index]]  # type: ignore[attr-defined]
            if items is None and (session.labels.kind == "grades")
            else []
        )
        for item in items or [{"item": name} for name in names] or [{}]:
            of_item = {_shown_as(name) if name != "item" else name: value for name, value in item.items()}
            rows.append(
                {
                    "id": each.instance_id,
                    **about,
                    **of_item,
                    "label": None,
                    "choices": expected(session.labels),
                    "cannot_label": None,
                    "note": None,
                }
            )
    return to_csv(pd.DataFrame(rows, dtype=object))


def _shown_as(name: str) -> str:
    """Return the name of a shown column, distinct from those to fill in."""
    return f"{name} (shown)" if name.strip().casefold() in _OWN else name


def read(session: Session, path: Path) -> list[GivenLabel]:
    """Read the filled-in labels from the columns "id", "label", "cannot_label" and "note".

    Grades have a row for each item, or are the JSON that `sessions export` writes in one row.
    """
    rows = _rows(path)
    header = [name.strip().strip("\ufeff").casefold() for name in rows[0][1]] if rows else []
    is_graded = session.labels.kind == "grades"
    is_exported = is_graded and "item" not in header and "draw" in header
    wanted = ("id", "label", *(("item",) if is_graded and not is_exported else ()))
    for name in wanted:
        if header.count(name) != 1:
            there = ", ".join(map(repr, rows[0][1][:12])) if rows else "nothing"
            times = "not there" if name not in header else "there twice"
            raise ValueError(f"{path.name}: the column {name!r} is {times}; the first row has {there}")
    column = {name: header.index(name) for name in _OWN if name in header}
    found: list[tuple[int, dict[str, str]]] = [
        (number, {name: row[at].strip() if at < len(row) else "" for name, at in column.items()})
        for number, row in rows[1:]
    ]
    reader = AnswerReader(session)
    if is_graded and not is_exported:
        return _graded(reader, found)
    labels = [_label(path, number, row["label"], is_json=is_exported) for number, row in found]
    return [
        reader.given(row["id"], label, where=f"row {number}", **_other_fields(row))
        for label, (number, row) in zip(labels, found, strict=True)
    ]


def _label(path: Path, number: int, text: str, *, is_json: bool) -> Any:
    """Return the label in a cell; None if it is empty."""
    if not text or not is_json:
        return text or None
    try:
        return from_text(text)
    except ValueError as error:
        raise ValueError(
            f"{path.name}, row {number}: the label is {text!r:.60}, expected grades as JSON, as sessions "
            "export writes them"
        ) from error


def _other_fields(row: dict[str, str]) -> dict[str, Any]:
    """Return the fields of a row besides id and label."""
    mark = row.get("cannot_label", "")
    is_excluded = mark.casefold() not in _NO
    seconds = number_in(row.get("seconds", ""))
    note = without_apostrophe(row.get("note", ""))
    return {
        "is_excluded": is_excluded,
        "reason": without_apostrophe(mark) if is_excluded and mark.casefold() not in _MERE_YES else None,
        "note": note or None,
        "who": row.get("who") or None,
        "seconds": seconds,
    }


def _graded(reader: AnswerReader, rows: list[tuple[int, dict[str, str]]]) -> list[GivenLabel]:
    """Collect the rows of each ranking into one label."""
    of_query: dict[str, list[tuple[int, dict[str, str]]]] = {}
    for number, row in rows:
        of_query.setdefault(reader.id_of(row["id"]), []).append((number, row))
    found = []
    for name, own in of_query.items():
        besides = [_other_fields(row) for _, row in own]
        grades = {without_apostrophe(row["item"]): row["label"] or None for _, row in own}
        label: Any = None
        if any(row["label"] for _, row in own):
            # An empty grade among others does not exclude the item: that needs a mark.
            label = {item: grade for item, grade in grades.items() if grade is not None}
        chosen = next((each for each in besides if each["is_excluded"]), besides[0])
        where = f"row {own[0][0]}" if len(own) == 1 else f"rows {own[0][0]} to {own[-1][0]}"
        found.append(reader.given(name, label, where=where, **chosen))
    return found


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """Return the non-empty rows of a CSV file with their numbers in a spreadsheet."""
    text = _text(path)
    lines = text.lstrip("\r\n")
    delimiter = None
    if lines[:4].casefold() == "sep=" and len(lines) > 4:  # as Excel writes it
        delimiter, lines = lines[4], lines[5:].lstrip("\r\n")
    head = lines.splitlines()[0] if lines else ""
    if delimiter is None:
        delimiter = max(",;\t|", key=lambda each: (_has_own(head, each), head.count(each)))
    before = csv.field_size_limit(2**31 - 1)
    try:
        rows = list(csv.reader(io.StringIO(lines, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise ValueError(f"{path.name} is not CSV: {error}") from error
    finally:
        csv.field_size_limit(before)
    return [(number, row) for number, row in enumerate(rows, start=1) if any(cell.strip() for cell in row)]


def _has_own(head: str, delimiter: str) -> int:
    names = {name.strip().strip('"\ufeff').casefold() for name in head.split(delimiter)}
    return len(names & set(_OWN))


def _text(path: Path) -> str:
    data = path.read_bytes()
    if data.startswith(b"PK\x03\x04"):
        raise ValueError(f"{path.name} is a workbook, not a CSV: save it as CSV, and give that")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:  # the default of spreadsheets in western languages
        return data.decode("cp1252", errors="replace")
