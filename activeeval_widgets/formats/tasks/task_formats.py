"""Write and read tasks in a format given by name."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from activeeval_widgets.formats.tasks import inspect_scores, label_studio, prodigy, spreadsheet, tidy_tables
from activeeval_widgets.session import DrawnInstance, GivenLabel, Session


class TaskFormat(NamedTuple):
    """A format of tasks."""

    write: Callable[..., str]
    read: Callable[[Session, Path], list[GivenLabel]]
    annotations: Callable[..., str] | None = None
    setup: Callable[[Session], str] | None = None  # the text of a second file that the tool needs


FORMATS: dict[str, TaskFormat] = {
    "csv": TaskFormat(spreadsheet.write, spreadsheet.read),
    "label-studio": TaskFormat(
        label_studio.write, label_studio.read, label_studio.annotations, label_studio.setup
    ),
    "prodigy": TaskFormat(prodigy.write, prodigy.read, prodigy.annotations),
    "inspect": TaskFormat(inspect_scores.write, inspect_scores.read, inspect_scores.annotations),
    "table": TaskFormat(tidy_tables.write, tidy_tables.read),
}
_BY_SUFFIX = {".csv": "csv", ".tsv": "csv", ".txt": "csv", ".json": "label-studio", ".jsonl": "prodigy"}


def format_of(path: Path) -> str | None:
    """Return the format of a file by its name; None if it is unknown."""
    return _BY_SUFFIX.get(path.suffix.lower())


def write_tasks(
    session: Session,
    drawn: Sequence[DrawnInstance],
    path: Path,
    name: str,
    *,
    with_predictions: bool = False,
) -> list[Path]:
    """Write tasks to a file, and a second file if the tool needs one."""
    chosen = FORMATS[name]
    text = chosen.write(session, drawn, with_predictions=with_predictions)
    # Spreadsheets need a mark to read a file as UTF-8, unless all is ASCII.
    is_marked = name == "csv" and not text.isascii()
    path.write_text(text, encoding="utf-8-sig" if is_marked else "utf-8", newline="", errors="replace")
    if chosen.setup is None:
        return [path]
    beside = path.with_name(f"{path.stem}.setup.xml")
    beside.write_text(chosen.setup(session), encoding="utf-8")
    return [path, beside]


def read_answers(session: Session, path: Path, name: str | None = None) -> list[GivenLabel]:
    """Read labels in the named format, or else in the format that the content shows."""
    if name is None:
        name = _detected_format(path)
    try:
        return FORMATS[name].read(session, path)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name} is not UTF-8 text: {error.reason} at byte {error.start}") from error


def _detected_format(path: Path) -> str:
    """Return the format by a file's content; for Inspect's scorers and logs, by its name."""
    with path.open("rb") as file:
        head = file.read(1 << 16).removeprefix(b"\xef\xbb\xbf").lstrip()
    if path.suffix.lower() in (".py", ".eval"):
        return "inspect"
    if head.startswith(b"PAR1"):
        return "table"
    if head.startswith(b"{"):
        return "prodigy" if b'"instance_id"' in head.split(b"\n", 1)[0] else _of_objects(head)
    return "label-studio" if head.startswith(b"[") else "csv"


def _of_objects(head: bytes) -> str:
    """Return the format of JSON lines by their first object."""
    first = head.split(b"\n", 1)[0]
    return "table" if b'"id"' in first and b'"label"' in first else "prodigy"


def annotations(session: Session, name: str, *, with_predictions: bool = False) -> str:
    """Return a session's labels in the format of a tool."""
    make = FORMATS[name].annotations if name in FORMATS else None
    if make is None:
        raise ValueError(f"format is {name!r}, expected one of inspect, label-studio, prodigy")
    return make(session, with_predictions=with_predictions)
