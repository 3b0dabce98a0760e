"""The readers of `Pool.read` for files and values without a registered reader."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from activeeval_widgets.formats.examination import examine_columns
from activeeval_widgets.formats.problems import FileProblemsError
from activeeval_widgets.formats.streams.dask_data import is_dask_frame
from activeeval_widgets.formats.table_files import SUFFIXES
from activeeval_widgets.session.pool.readers import ANY, Reader


def read_table(path: Path, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments for a file's pool."""
    examination, arguments = examine_columns(path, given)
    if arguments is None:
        raise FileProblemsError(examination.problems)
    return arguments if examination.title is None else {**arguments, "heading": examination.title}


READERS: dict[str, Reader] = dict.fromkeys((*SUFFIXES, ANY), read_table)
"""The readers, by the suffix of the file's name."""


def read_value(value: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments for the pool of a Dask DataFrame."""
    if not is_dask_frame(value):
        raise TypeError(f"file must be a path, or a Dask DataFrame, got {value!r:.200}")
    return read_table(value, given)
