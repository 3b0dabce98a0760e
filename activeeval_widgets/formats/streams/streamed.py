"""A data set that is streamed: the pool's instances and predictions are read when they are asked for."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from activeeval_widgets.formats.candidates import candidates
from activeeval_widgets.formats.columns import Columns, columns_of_model
from activeeval_widgets.formats.compared import compared_predictions
from activeeval_widgets.formats.contents import contents_of
from activeeval_widgets.formats.predictions import predictions_of
from activeeval_widgets.formats.problems import FileProblemsError
from activeeval_widgets.formats.streams.parquet_data import SUFFIXES, ParquetData, parquet_files
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.session.pool.fetched import PartsElsewhere
from activeeval_widgets.session.pool.parts import Result, Work
from activeeval_widgets.session.pool.stored import StoredInstances
from activeeval_widgets.stats import Predictions
from activeeval_widgets.stats._typing import FloatArray, IntArray

LARGEST_COPIED = 1 << 30
"""Parquet files that would take more bytes than this are not read as a whole."""


class Data(Protocol):
    """Rows of columns that are read when they are asked for: `ParquetData` and `DaskData`."""

    path: Path
    n_rows: int
    names: list[str]

    @property
    def digest(self) -> str:
        """A short digest of what is known of the whole without reading it."""

    def digest_of(self, columns: Sequence[str]) -> str:
        """A short digest of what some columns hold."""

    def each(self, columns: Sequence[str], work: Callable[[FileTable], Result]) -> Iterator[Result | None]:
        """What a function gives of each piece, some columns of it; None of one without rows."""

    def head(self) -> FileTable:
        """The first rows, all columns."""

    def rows(self, indices: IntArray, columns: Sequence[str]) -> FileTable:
        """Some rows, by their indices, ascending."""


_NOT_READ = ("id", "cost", "group")


class StreamedParts(PartsElsewhere):
    """The predictions of a data set, in parts that are read one after another.

    Parameters
    ----------
    data : Data
        The rows.
    columns : Columns
        Which columns hold predictions.
    """

    def __init__(self, data: Data, columns: Columns) -> None:
        self._data, self._columns = data, columns
        self._read = prediction_columns(data.names, columns)

    @cached_property
    def digest(self) -> str:
        """A short digest of what is predicted, and of what holds it."""
        return self._data.digest_of(self._read)

    @property
    def n_instances(self) -> int:
        """The number of rows."""
        return self._data.n_rows

    def each(self, work: Work[Result]) -> Iterator[Result]:
        """What a function gives of each part, in their order."""
        for found in self._data.each(self._read, partial(_worked, self._columns, work)):
            if found is not None:  # a part without rows
                yield found

    def of(self, instances: IntArray) -> tuple[list[Predictions], FloatArray | None]:
        """The models' predictions for some instances."""
        chosen, back = np.unique(np.asarray(instances, dtype=np.intp), return_inverse=True)
        models = models_of(self._data.rows(chosen, self._read), self._columns)
        return [model.part(back.reshape(-1)) for model in models], None


class StreamedInstances(StoredInstances):
    """The instances of a data set; each is read when it is shown.

    Parameters
    ----------
    data : Data
        The rows.
    columns : Columns
        Which columns are shown.
    folder : Path
        Where the images are, or below.
    kind : str
        What they are.
    """

    def __init__(self, data: Data, columns: Columns, folder: Path, kind: str) -> None:
        self._data, self._columns, self._folder = data, columns, folder
        self.kind = kind  # type: ignore[misc]
        shown = (columns.text, columns.image, *(columns.pair or ()), *(columns.record or ()))
        self._read = [name for name in shown if name is not None]

    def __len__(self) -> int:
        return self._data.n_rows

    def at(self, index: int) -> Any:
        """One of them.

        Raises
        ------
        FileProblemsError
            If it can't be read.
        """
        table = self._data.rows(np.array([index]), self._read)
        contents = contents_of(table, self._columns, self._folder)
        if contents is None:
            raise FileProblemsError(table.problems)
        return contents[1][0]

    def fingerprint(self) -> str:
        """A digest of what the files say of themselves, not of each row."""
        return f"{self._data.digest}/{','.join(self._read)}"


def _worked(columns: Columns, work: Work[Result], table: FileTable) -> Result:
    return work(models_of(table, columns), None)


def models_of(table: FileTable, columns: Columns) -> list[Predictions]:
    """The models' predictions for the rows of a table.

    Raises
    ------
    FileProblemsError
        If a row is none that can be.
    """
    made: Sequence[Predictions] | None
    if columns.compare is None:
        one = predictions_of(table, columns)
        made = None if one is None else [one]
    else:
        made, _ = compared_predictions(table, columns, columns.compare)
    if made is None or table.problems:
        raise FileProblemsError(table.problems)
    return list(made)


def prediction_columns(names: Sequence[str], columns: Columns) -> list[str]:
    """The columns that hold predictions."""
    if columns.compare is not None:
        return sorted(
            {name for model in columns.compare for name in columns_of_model(list(names), model).values()}
        )
    alone = (columns.score, columns.predicted, columns.mean, columns.variance)
    return [*(columns.proba or ()), *(name for name in alone if name is not None)]


def streamed_data(path: Path, columns: Columns) -> ParquetData | None:
    """A data set that is streamed; None for what is read as a whole.

    Folders of Parquet files are streamed, and files that would take more than a GiB.

    Raises
    ------
    FileProblemsError
        If it is damaged.
    """
    if columns.query is not None:
        return None
    if path.is_dir():
        files = parquet_files(path)
        is_all = len(candidates(path)) == sum(each.parent == path for each in files)
        return (
            ParquetData(path) if is_all and (len(files) > 1 or any(f.parent != path for f in files)) else None
        )
    if not path.is_file() or path.suffix.lower() not in SUFFIXES:
        return None
    with path.open("rb") as file:
        if file.read(4) != b"PAR1":
            return None
    data = ParquetData(path)
    return data if data.n_bytes > LARGEST_COPIED else None


def streamed_arguments(
    data: Data, head: FileTable, columns: Columns, folder: Path
) -> tuple[dict[str, Any] | None, list[str]]:
    """The arguments for the pool of a data set, by its first rows; and what was guessed.

    None where problems stand against it, which the table of the first rows is told.
    """
    for role in _NOT_READ:
        if columns.given().get(role) is not None:
            head.note(f"{columns.given()[role]!r} is not read: rows of a streamed data set have no {role}.")
    columns = columns.with_(id=None, cost=None, group=None)
    contents = contents_of(head, columns, folder)
    has_classes = columns.classes or columns.proba or columns.score or columns.mean or columns.compare
    if columns.predicted is not None and not has_classes:
        head.tell(
            "which classes there are can't be told from the first rows", "Name them with classes (--classes)."
        )
    models: list[Predictions] = []
    with suppress(FileProblemsError):  # the table was told
        models = models_of(head, columns)
    if contents is None or head.problems:
        return None, []
    if columns.compare is None and models[0].label_values is not None:
        columns = columns.with_(classes=tuple(map(str, models[0].label_values)))
    arguments = {
        "instances": StreamedInstances(data, columns, folder, contents[0]),
        "predictions": StreamedParts(data, columns),
        "kind": contents[0],
    }
    return arguments, [f"Its {data.n_rows:,} rows are not read into memory, but when they are asked for."]
