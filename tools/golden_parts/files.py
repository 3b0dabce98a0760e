"""The files that a session can be written to: reports, tables, tasks, and the whole session."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from unittest.mock import patch

from activeeval_widgets import Session
from activeeval_widgets.app.stored_sessions.export import write_export

_BEGIN = datetime(2025, 1, 1, tzinfo=UTC)


def at_a_steady_clock() -> "patch[object]":
    """Make events a second apart, so that logs and their hashes are always the same."""
    times = iter(range(1_000_000))
    return patch("activeeval_widgets.session.clock.now", lambda: _BEGIN + timedelta(seconds=next(times)))


def written(session: Session, folder: Path, *, contents: bool) -> Iterator[str]:
    """Write all possible files of a session, or the error instead; yield their names."""
    folder.mkdir(parents=True)

    def write(name: str, writer: Callable[[Path], object]) -> str:
        try:
            writer(folder / name)
        except (ValueError, TypeError) as error:  # such as grades of texts
            (folder / name).write_text(f"{type(error).__name__}: {error}\n", encoding="utf-8")
        return name

    def exported(path: Path, kind: str, rows: str = "labels") -> None:
        write_export(session, path, kind, rows, with_contents=contents)

    yield write("report.md", lambda path: path.write_text(session.report("markdown"), encoding="utf-8"))
    yield write("report.html", lambda path: path.write_text(session.report("html"), encoding="utf-8"))
    for rows in ("labels", "draws", "events"):
        yield write(f"{rows}.csv", partial(exported, kind="csv", rows=rows))
    yield write("labels.jsonl", partial(exported, kind="jsonl"))
    yield write("session.json", partial(exported, kind="json"))
    yield write("label-studio.json", partial(exported, kind="label-studio"))
    yield write("prodigy.jsonl", partial(exported, kind="prodigy"))
    yield write("grades.qrels", partial(exported, kind="qrels"))
