"""Stream a data set: read the pool's instances and predictions on request."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from activeeval_widgets.formats.class_columns import are_of_predicted
from activeeval_widgets.formats.columns import PREDICTIONS, Columns, columns_of_model
from activeeval_widgets.formats.conversations import of_conversation
from activeeval_widgets.formats.instance_columns import contents_of
from activeeval_widgets.formats.predictions import costs_of, predictions_of
from activeeval_widgets.formats.problems import FileProblemsError
from activeeval_widgets.formats.several_models import compared_predictions
from activeeval_widgets.formats.streams.first_pass import Seen, Survey, ids_with, survey_part
from activeeval_widgets.formats.streams.parquet_data import SUFFIXES, ParquetData, parquet_files
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.formats.table_files import candidates
from activeeval_widgets.session.pool.fetched_predictions import FetchedParts, FetchedRows
from activeeval_widgets.session.pool.groups import CodedGroups
from activeeval_widgets.session.pool.parts import Result, Work
from activeeval_widgets.session.pool.stored import Ids, StoredInstances
from activeeval_widgets.stats import PredictedClasses, Predictions
from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray

LARGEST_COPIED = 1 << 30
"""Parquet files that would take more bytes in memory are streamed."""

_MAX_BESIDE = 100_000
"""The ids and costs of at most this many instances are kept, usually those of all drawn ones."""


class Data(Protocol):
    """Columns whose rows are read on request: `ParquetData` and `DaskData`."""

    path: Path
    n_rows: int
    names: list[str]

    def place(self, row: int) -> tuple[str, int]:
        """Return the file of a row and the row's number in it, from 1."""

    @property
    def digest(self) -> str:
        """A digest of the data set's metadata."""

    def each(self, columns: Sequence[str], work: Callable[[FileTable], Result]) -> Iterator[Result | None]:
        """Apply a function to some columns, piece by piece; yield the results, None for an empty piece."""

    def head(self) -> FileTable:
        """Return the first rows, with all columns."""

    def rows(self, indices: IntArray, columns: Sequence[str]) -> FileTable:
        """Return the rows at some ascending indices."""


class StreamedParts(FetchedParts):
    """The predictions of a data set, read part by part."""

    def __init__(self, data: Data, columns: Columns) -> None:
        self._data, self._columns = data, columns
        self._read = prediction_columns(data.names, columns)
        if columns.cost is not None and columns.cost not in self._read:
            self._read.append(columns.cost)
        beside = (columns.id, columns.group)
        self._all = list(dict.fromkeys([*self._read, *(name for name in beside if name is not None)]))
        self._survey: Survey | None = None
        # The ids and costs that were fetched with predictions.
        self._beside: dict[int, tuple[str, float]] = {}

    @property
    def digests(self) -> dict[str, str]:
        """The digests of predictions, ids and costs."""
        survey = self.survey
        return {
            name: f"{self._data.digest}/{digest}" if name in survey.read else digest
            for name, digest in survey.digests.items()
        }

    @property
    def survey(self) -> Survey:
        """The findings of the first pass, which runs now if it did not before."""
        if self._survey is None:
            for _ in self.each(_return_nothing):
                pass
        assert self._survey is not None  # noqa: S101 - a whole pass sets it
        return self._survey

    @property
    def n_instances(self) -> int:
        """The number of rows."""
        return self._data.n_rows

    def each(self, work: Work[Result]) -> Iterator[Result]:
        """Apply a function to each part and yield the results; the first pass surveys ids and groups."""
        if self._survey is not None:
            for again in self._data.each(self._read, partial(_run, self._columns, work)):
                if again is not None:  # None: an empty part
                    yield again
            return
        survey = Survey(self.n_instances, self._columns)
        for first in self._data.each(self._all, partial(_run_and_survey, self._columns, work)):
            if first is not None:
                survey.add(first[1])
                yield first[0]
        survey.finish(self._data.path.name, self._ids_with, self._data.place)
        self._survey = survey

    def of(self, instances: IntArray) -> tuple[list[Predictions], FloatArray | None]:
        """Return the models' predictions for some instances, and the costs of their labels."""
        chosen, back = np.unique(np.asarray(instances, dtype=np.intp), return_inverse=True)
        names = self._read if self._columns.id is None else [*self._read, self._columns.id]
        table = self._data.rows(chosen, list(dict.fromkeys(names)))
        models, costs = models_of(table, self._columns), checked_costs(table, self._columns)
        if chosen.size <= _MAX_BESIDE and (self._columns.id is not None or costs is not None):
            if len(self._beside) > _MAX_BESIDE:
                self._beside.clear()
            ids = _strings(table, self._columns.id)
            own = np.zeros(chosen.size) if costs is None else costs
            self._beside |= dict(zip(chosen.tolist(), zip(ids, own.tolist(), strict=True), strict=True))
        where = back.reshape(-1)
        return [model.part(where) for model in models], None if costs is None else costs[where]

    def id_of(self, instance: int) -> str:
        """Return the id of an instance."""
        return self._known(instance)[0]

    def costs_of(self, instances: IntArray) -> FloatArray:
        """Return the costs of instances' labels."""
        missing = [each for each in instances.tolist() if each not in self._beside]
        if missing:
            self.fetch(np.array(missing, dtype=np.intp))
        return np.array([self._known(each)[1] for each in instances.tolist()])

    def ids_between(self, start: int, stop: int) -> list[str]:
        """Return the ids of some instances that follow each other."""
        assert self._columns.id is not None  # noqa: S101 - `StreamedIds` exist only with a column
        return _strings(self._data.rows(np.arange(start, stop), [self._columns.id]), self._columns.id)

    def all_ids(self) -> Iterator[list[str]]:
        """Yield the ids of each part, in one pass."""
        assert self._columns.id is not None  # noqa: S101 - `StreamedIds` exist only with a column
        for found in self._data.each([self._columns.id], partial(_strings, column=self._columns.id)):
            yield from [] if found is None else [found]

    def _known(self, instance: int) -> tuple[str, float]:
        if instance not in self._beside:
            self.of(np.array([instance]))
        return self._beside[instance]

    def _ids_with(self, hashes: AnyArray) -> Iterator[Any]:
        assert self._columns.id is not None  # noqa: S101 - hashes exist only with a column
        work = partial(ids_with, self._columns.id, hashes)
        return (found for found in self._data.each([self._columns.id], work) if found is not None)


class StreamedIds(Ids):
    """The ids of a data set, each read with the predictions for its instance."""

    def __init__(self, parts: StreamedParts) -> None:
        self._parts = parts

    def __len__(self) -> int:
        return self._parts.n_instances

    def between(self, start: int, stop: int) -> list[str]:
        """Return some ids that follow each other; see `Ids.between`."""
        if stop - start == 1:
            return [self._parts.id_of(start)]
        return self._parts.ids_between(start, stop) if stop > start else []

    def __iter__(self) -> Iterator[str]:
        for each in self._parts.all_ids():
            yield from each


class StreamedGroups(CodedGroups):
    """The groups of a data set, known after the first pass."""

    def __init__(self, parts: StreamedParts) -> None:
        self._parts = parts

    def __len__(self) -> int:
        return self._parts.n_instances

    @property
    def names(self) -> list[str]:
        """The names of all groups, in order."""
        return self._parts.survey.groups

    @property
    def codes(self) -> AnyArray:
        """The index of each instance's group."""
        codes = self._parts.survey.codes
        assert codes is not None  # noqa: S101 - groups exist only with a column
        return codes


class StreamedInstances(StoredInstances):
    """The instances of a data set, each read when it is shown."""

    def __init__(self, data: Data, columns: Columns, folder: Path, kind: str) -> None:
        self._data, self._columns, self._folder = data, columns, folder
        self.kind = kind  # type: ignore[misc]
        shown = (
            columns.text,
            columns.image,
            *(columns.pair or ()),
            *(columns.record or ()),
            *of_conversation(columns),
        )
        self._read = [name for name in shown if name is not None]

    def __len__(self) -> int:
        return self._data.n_rows

    def at(self, index: int) -> Any:
        """Return one of the instances."""
        table = self._data.rows(np.array([index]), self._read)
        contents = contents_of(table, self._columns, self._folder)
        if contents is None:
            raise FileProblemsError(table.problems)
        return contents[1][0]

    def fingerprint(self) -> str:
        """Return a digest of the files' metadata, not of each row."""
        return f"{self._data.digest}/{','.join(self._read)}"


def _run(columns: Columns, work: Work[Result], table: FileTable) -> Result:
    return work(models_of(table, columns), checked_costs(table, columns))


def _run_and_survey(columns: Columns, work: Work[Result], table: FileTable) -> tuple[Result, Seen]:
    models, costs = models_of(table, columns), checked_costs(table, columns)
    return work(models, costs), survey_part(table, columns, models, costs)


def _return_nothing(models: Sequence[Predictions], costs: FloatArray | None) -> bool:
    del models, costs
    return True


def _strings(table: FileTable, column: str | None) -> list[str]:
    found: list[str] = [""] * table.n_rows if column is None else table.strings(column).to_pylist()
    return found


def checked_costs(table: FileTable, columns: Columns) -> FloatArray | None:
    """Return the costs of labels for a table's rows; raise the problems found."""
    costs = None if columns.cost is None else costs_of(table, columns.cost)
    if table.problems:
        raise FileProblemsError(table.problems)
    return costs


def models_of(table: FileTable, columns: Columns) -> list[Predictions]:
    """Return the models' predictions for a table's rows; raise the problems found."""
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
    """Return the columns that hold predictions."""
    if columns.compare is not None:
        return sorted(
            {name for model in columns.compare for name in columns_of_model(list(names), model).values()}
        )
    return sorted(columns.only(PREDICTIONS).named())


def streamed_data(path: Path, columns: Columns) -> ParquetData | None:
    """Return a data set to stream, a folder of Parquet files or more than a GiB; None for one to read."""
    if path.is_dir():
        files = parquet_files(path)
        is_all = len(candidates(path)) == sum(each.parent == path for each in files)
        return (
            ParquetData(path) if is_all and (len(files) > 1 or any(f.parent != path for f in files)) else None
        )
    if columns.query is not None or not path.is_file() or path.suffix.lower() not in SUFFIXES:
        return None
    with path.open("rb") as file:
        if file.read(4) != b"PAR1":
            return None
    data = ParquetData(path)
    return data if data.n_bytes > LARGEST_COPIED else None


def streamed_arguments(
    data: Data, head: FileTable, columns: Columns, folder: Path
) -> tuple[dict[str, Any] | None, list[str]]:
    """Return a pool's arguments and notes on guesses; None where problems are reported to `head`."""
    if columns.query is not None:
        head.report(
            "rankings are not streamed",
            "Put them into one file, which is read into memory; or leave out the column of the queries with "
            f"ignore (--ignore {columns.query}) if there are none.",
        )
        return None, []
    if columns.labels is not None:
        head.report("labels need all rows in memory, and these are streamed", "Leave labels (--labels) out.")
    contents = contents_of(head, columns, folder)
    has_classes = columns.classes or columns.proba or columns.score or columns.mean or columns.compare
    if (columns.predicted is not None or columns.votes is not None) and not has_classes:
        head.report(
            "which classes there are can't be told from the first rows", "Name them with classes (--classes)."
        )
    if columns.score is not None and columns.predicted is not None:
        scores, _ = head.numbers(columns.score, is_share=True)
        if are_of_predicted(head, columns.predicted, scores):
            head.report(
                "probabilities of the predicted classes need all rows in memory, and these are streamed",
                "Name the columns of the class probabilities with proba (--proba).",
                column=columns.score,
            )
    models: list[Predictions] = []
    with suppress(FileProblemsError):  # reported to `head` already
        models = models_of(head, columns)
    if contents is None or head.problems:
        return None, []
    if columns.compare is not None and columns.classes is None and isinstance(models[0], PredictedClasses):
        head.report(
            "which classes there are can't be told from the first rows", "Name them with classes (--classes)."
        )
        return None, []
    if columns.compare is None and models[0].label_values is not None:
        columns = columns.with_(classes=tuple(map(str, models[0].label_values)))
    parts = StreamedParts(data, columns)
    arguments = {
        "instances": StreamedInstances(data, columns, folder, contents[0]),
        "predictions": parts,
        "ids": None if columns.id is None else StreamedIds(parts),
        "costs": None if columns.cost is None else FetchedRows((data.n_rows,), np.float64, parts.costs_of),
        "groups": None if columns.group is None else StreamedGroups(parts),
        "kind": contents[0],
    }
    return arguments, [f"Its {data.n_rows:,} rows are not read into memory, but when they are asked for."]
