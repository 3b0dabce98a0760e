"""Export a session, by format."""

from pathlib import Path

from activeeval_widgets.formats import write_qrels, write_session
from activeeval_widgets.formats.label_tables import WRITERS, draws_frame, events_frame, labels_frame
from activeeval_widgets.formats.tasks import annotations
from activeeval_widgets.session import Session
from activeeval_widgets.session.report.session_hash import session_hash
from activeeval_widgets.stats.text import counted


def write_export(session: Session, output: Path, kind: str, rows: str, *, with_contents: bool) -> str:
    """Write an export, and return a sentence about it."""
    if rows != "labels" and kind not in WRITERS:
        raise ValueError(f"--rows {rows} is for a table: .csv, .jsonl or .parquet")
    if kind == "qrels" and session.labels.kind != "grades":
        raise ValueError(
            f"Only grades of rankings can be written as qrels, and the labels of {session.name!r} are none. "
            "Give --output a name ending in .csv"
        )
    if kind == "json":
        write_session(session, output, with_contents=with_contents)
        return f"the whole session, {session.n_labels:,} labels, SHA-256 {session_hash(session.findings)}."
    if kind == "qrels":
        n = write_qrels(output, session.log.judgments())
        return f"{n:,} grades of {session.n_labels:,} queries."
    if kind not in WRITERS:
        output.write_text(annotations(session, kind), encoding="utf-8")
        return f"{session.n_labels:,} labels, {session.log.n_excluded:,} that can't be labeled."
    if rows == "labels":
        table = labels_frame(session, with_contents=with_contents)
    else:
        table = draws_frame(session) if rows == "draws" else events_frame(session)
    WRITERS[kind](table, output)
    return f"{counted(len(table), rows)}."
