"""Read labels from the tidy tables that `sessions export` writes as JSON lines and Parquet."""

from collections.abc import Iterator, Sequence
from math import isnan
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from activeeval_widgets.formats.json_text import from_text, objects_of_lines
from activeeval_widgets.formats.tasks.answer_text import AnswerReader
from activeeval_widgets.session import DrawnInstance, GivenLabel, Session


def write(session: Session, drawn: Sequence[DrawnInstance], *, with_predictions: bool) -> str:  # noqa: ARG001
    """Refuse: tables without labels are handed out as CSV."""
    raise ValueError("draws can't be handed out as a tidy table: --format csv")


def read(session: Session, path: Path) -> list[GivenLabel]:
    """Read the labels of a table in JSON lines or Parquet, with columns id and label."""
    reader = AnswerReader(session)
    found = []
    for number, row in _rows(path):
        missing = [column for column in ("id", "label") if column not in row]
        if missing:
            raise ValueError(f"{path.name}, row {number} has no {missing[0]!r}, as sessions export writes it")
        label = row["label"]
        if isinstance(label, str) and session.labels.kind == "grades":
            label = from_text(label)
        seconds = row.get("seconds")
        found.append(
            reader.given(
                row["id"],
                label,
                seconds=None if seconds is None or isnan(seconds) else float(seconds),
                who=row.get("who") or None,
                note=row.get("note") or None,
                where=f"row {number}",
            )
        )
    return found


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    with path.open("rb") as file:
        is_parquet = file.read(4) == b"PAR1"
    if is_parquet:
        try:
            rows = pq.read_table(path).to_pylist()
        except pa.ArrowException as error:
            raise ValueError(f"{path.name} is damaged or cut off: {error}") from error
        yield from enumerate(rows, 1)
    else:
        yield from objects_of_lines(path)
