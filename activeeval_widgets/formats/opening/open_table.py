"""Open a file as a table, in the format that its content shows."""

from collections.abc import Callable
from pathlib import Path

from activeeval_widgets.formats.evaluation_logs.tool_detection import read_archive, reader_of
from activeeval_widgets.formats.opening.columnar import read_arrow, read_parquet
from activeeval_widgets.formats.opening.delimited import read_delimited
from activeeval_widgets.formats.opening.encodings import encoding_of
from activeeval_widgets.formats.opening.file_bytes import content_of
from activeeval_widgets.formats.opening.json_lines import read_json
from activeeval_widgets.formats.problems import FileProblemsError, problem_error
from activeeval_widgets.formats.table import FileTable

_BY_START = (
    (b"PAR1", "Parquet", read_parquet),
    (b"ARROW1", "Arrow", read_arrow),
    (b"\xff\xff\xff\xff", "Arrow", read_arrow),
)

_NAMES = {
    "Parquet": (".parquet", ".pq"),
    "Arrow": (".arrow", ".feather", ".ipc", ".arrows"),
    "JSON": (".jsonl", ".ndjson", ".json", ".jsonlines"),
    "CSV": (".csv", ".tsv", ".txt", ".tab", ".dat", ".psv"),
}


def open_table(path: Path, *, leaves_out_broken: bool = False) -> FileTable:
    """Open a file as a table."""
    archive = read_archive(path)
    if archive is not None:
        return archive
    data = content_of(path)
    name, read = _format(data)
    table = read(path, data)
    if not table.names:
        remedy = "Write the predictions into it, in named columns."
        raise problem_error(path.name, "the file has no columns", remedy)
    if table.left_out and not leaves_out_broken:
        raise FileProblemsError(table.left_out)
    ending = "".join(Path(path.name.lower().removesuffix(".gz")).suffixes[-1:])
    if ending not in _NAMES[name] and any(ending in endings for endings in _NAMES.values()):
        table.notes.append(f"It is a {name} file, although its name ends in {ending!r}.")
    return table


def _format(data: memoryview) -> tuple[str, Callable[[Path, memoryview], FileTable]]:
    start = bytes(data[:1000])
    for beginning, name, read in _BY_START:
        if start.startswith(beginning):
            return name, read
    encoding, n_marks = encoding_of(data)
    text = start[n_marks:].decode(encoding, errors="replace").lstrip()
    # A CSV may begin with a bracket, but hardly with {" or [{.
    log = reader_of(text, data) if text.startswith("{") else None
    if log is not None:
        return "JSON", log
    if text.startswith("{") and text[1:].lstrip().startswith(('"', "}")):
        return "JSON", read_json
    if text.startswith("[") and text[1:].lstrip().startswith(("{", "]")):
        return "JSON", read_json
    return "CSV", read_delimited
