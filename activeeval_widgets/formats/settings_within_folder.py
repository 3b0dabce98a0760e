"""Check settings that came from a page: they may name only files in their own folder."""

from collections.abc import Iterator
from pathlib import Path

from activeeval_widgets.formats.columns import FILES, Columns
from activeeval_widgets.formats.problems import shortened
from activeeval_widgets.formats.streams.parquet_data import parquet_files
from activeeval_widgets.formats.table_files import candidates
from activeeval_widgets.formats.trec import is_run_file
from activeeval_widgets.formats.within_folder import check_within


def check_settings_within(folder: Path, file: Path, guidelines: Path | None, columns: Columns) -> None:
    """Refuse settings that name a file outside a folder, or a hidden file."""
    check_within(folder, "file", file)
    for each in _in_folder(file):
        check_within(folder, "file", each)
    if guidelines is not None:
        check_within(folder, "guidelines", guidelines)
    for role, name in _files_of_columns(file, columns):
        path = (file if file.is_dir() else file.parent) / name
        check_within(folder, role, path)
        if not path.is_file():  # otherwise the reader would look in the working folder
            raise ValueError(f"{role} is {shortened(name)}, which is not in the folder. Put it there")


def _in_folder(path: Path) -> list[Path]:
    """Return the files that a folder of predictions is read from; they may be links."""
    return [*candidates(path), *parquet_files(path)] if path.is_dir() else []


def _files_of_columns(file: Path, columns: Columns) -> Iterator[tuple[str, str]]:
    """Yield the options of `Columns` that name files, and the files."""
    for role in FILES:
        name = getattr(columns, role)
        if name is not None:
            yield role, name
    if columns.is_of_two_logs or is_run_file(file):
        yield from (("compare", name) for name in columns.compare or ())
