"""Write labels, draws and events of a session as tidy tables: CSV, Parquet, JSON lines."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from activeeval_widgets.formats.json_text import escaped, without_surrogates
from activeeval_widgets.session import Session
from activeeval_widgets.session.pool.missing_values import is_missing
from activeeval_widgets.session.report.labels_table import label_rows
from activeeval_widgets.session.report.spreadsheet import to_csv


def labels_frame(session: Session, *, with_contents: bool = False) -> pd.DataFrame:
    """Return `Session.labels_table` for a file: without contents unless they are asked for."""
    columns, rows = label_rows(session.findings, with_contents=with_contents)
    table = pd.DataFrame(rows, columns=columns, dtype=object).rename(columns={"instance_id": "id"})
    table["note"] = table["note"].replace("", None)
    return _typed(table, rows)


def draws_frame(session: Session) -> pd.DataFrame:
    """Return a table with a row for each answered draw, in draw order."""
    numbers, q = session.draws.drawn()
    drawn = session.draws.so_far()
    rows = [
        {
            "draw": int(number),
            "id": session.pool.ids[index],
            "q": float(p),
            "weight": 1 / (session.draws.n_left(int(number)) * float(p)),
            "answer": "excluded" if session.log.label_of(index) is None else "label",
            "label": session.log.label_of(index),
        }
        for number, p in zip(numbers, q, strict=True)
        for index in (int(drawn[number - 1]),)
    ]
    columns = ["draw", "id", "q", "weight", "answer", "label"]
    return _typed(pd.DataFrame(rows, columns=columns, dtype=object), rows)


_TYPES = {
    **dict.fromkeys(("who", "note", "content", "reason"), "string"),
    **dict.fromkeys(("seconds", "first_key_seconds", "q", "weight"), "float64"),
    **dict.fromkeys(("changed_seq", "undone_seq", "draw", "n_draws", "instance"), "int64"),
    **dict.fromkeys(("flagged", "stands", "is_changed", "is_flagged"), "bool"),
}
"""The types of columns, by the names that both pandas and Arrow have for them."""


def events_frame(session: Session) -> pd.DataFrame:
    """Return a table with a row for each event of the log, oldest first; see `Session.history`."""
    table = session.history()
    table["time"] = pd.to_datetime(table["time"], utc=True, format="ISO8601")
    return table


def _typed(table: pd.DataFrame, rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Give each column one type: labels and predictions as given, times as times."""
    for name in ("label", *(each for each in table if str(each).startswith("prediction"))):
        values = [row[str(name)] for row in rows]
        plain = [value.item() if isinstance(value, np.generic) else value for value in values]
        table[name] = pd.Series(plain, dtype=object, index=table.index)
    if "time" in table:
        table["time"] = pd.to_datetime(table["time"], utc=True, format="ISO8601")
    # Texts stay as they are: an array of strings can't hold every text of a pool.
    kinds = {name: kind for name, kind in _TYPES.items() if name in table and kind != "string"}
    return table.astype(kinds)


def write_csv(table: pd.DataFrame, path: Path) -> None:
    """Write a CSV file in which a spreadsheet takes no text for a formula."""
    shown = table.copy()
    if "time" in shown:
        shown["time"] = [None if pd.isna(each) else each.isoformat() for each in shown["time"]]
    path.write_text(to_csv(shown), encoding="utf-8", errors="replace", newline="")


def write_jsonl(table: pd.DataFrame, path: Path) -> None:
    """Write a JSON object for each row; labels keep their types, grades are objects."""
    with path.open("w", encoding="utf-8") as file:
        for row in table.to_dict(orient="records"):
            plain = {str(name): _json_value(value) for name, value in row.items()}
            file.write(escaped(json.dumps(plain, ensure_ascii=False, allow_nan=False)) + "\n")


def write_parquet(table: pd.DataFrame, path: Path) -> None:
    """Write a typed table; the grades of items are JSON texts."""
    columns = {}
    for name in table.columns:
        values = [
            json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value
            for value in table[name]
        ]
        given = [None if is_missing(value) else _storable(value) for value in values]
        columns[str(name)] = _arrow_array(str(name), given)
    pq.write_table(pa.table(columns), path)


def _storable(value: Any) -> Any:
    """Return a text without lone surrogates; anything else as it is."""
    return without_surrogates(value) if isinstance(value, str) else value


def _arrow_array(name: str, values: list[Any]) -> Any:
    """Return a column that has a type even if it is empty; labels of several types as texts."""
    kind = pa.timestamp("ms", tz="UTC") if name == "time" else _TYPES.get(name)
    try:
        found = pa.array(values, kind)
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # of an event log: labels and numbers of draws
        found = pa.array([value if value is None else str(value) for value in values])
    return found.cast(pa.string()) if pa.types.is_null(found.type) else found


WRITERS: dict[str, Callable[[pd.DataFrame, Path], None]] = {
    "csv": write_csv,
    "jsonl": write_jsonl,
    "parquet": write_parquet,
}
"""The function that writes a table, by the file's suffix."""


def _json_value(value: Any) -> Any:
    if is_missing(value):
        return None
    if isinstance(value, pd.Timestamp):
        return value.isoformat()
    return value.item() if isinstance(value, np.generic) else value
