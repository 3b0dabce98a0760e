"""Examine a file: its columns, its problems, and the arguments for its pool."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from activeeval_widgets.formats.class_columns import votes_of
from activeeval_widgets.formats.columns import COLUMN_OPTIONS, PREDICTIONS, Columns
from activeeval_widgets.formats.contents_on_disk import strings_of
from activeeval_widgets.formats.evaluation_logs.epochs import EPOCHS, epochs_together, note_epochs
from activeeval_widgets.formats.evaluation_logs.log_columns import LogColumns
from activeeval_widgets.formats.evaluation_logs.systems_of_log import note_systems, systems_of_log
from activeeval_widgets.formats.evaluation_logs.two_logs import join_logs, names_of
from activeeval_widgets.formats.evaluation_logs.unscored import report_unscored
from activeeval_widgets.formats.guessed_columns import class_names, guess_columns
from activeeval_widgets.formats.id_column import ids_of
from activeeval_widgets.formats.instance_columns import contents_of
from activeeval_widgets.formats.label_column import (
    LabelColumn,
    inclusion_in,
    label_column,
    labels_in,
)
from activeeval_widgets.formats.opening.open_table import open_table
from activeeval_widgets.formats.page_question import question_of
from activeeval_widgets.formats.paired_systems import are_systems, systems_of
from activeeval_widgets.formats.predictions import costs_of, predictions_of
from activeeval_widgets.formats.problems import FileProblemsError, Problem, closest, in_order
from activeeval_widgets.formats.rankings import rankings_of
from activeeval_widgets.formats.rubric_columns import rubric_of
from activeeval_widgets.formats.runs import arguments_of_runs, check_no_runs
from activeeval_widgets.formats.several_models import compared_predictions
from activeeval_widgets.formats.streams.dask_data import DaskData, is_dask_frame
from activeeval_widgets.formats.streams.streamed_pool import Data, streamed_arguments, streamed_data
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.formats.table_files import file_beside, file_in
from activeeval_widgets.formats.trec import is_run_file
from activeeval_widgets.session.pool.fetched_predictions import FetchedParts
from activeeval_widgets.stats import Predictions
from activeeval_widgets.stats.text import cut

_N_SHOWN = 8
_LONGEST = 300
_WITH_STAR = ("proba", "votes")
_PREDICTED = ("proba", "votes", "score", "predicted", "mean")


@dataclass(frozen=True)
class Examination:
    """The result of examining a file.

    Attributes
    ----------
    columns : Columns
        The roles of the columns, guessed where they were not given.
    guessed : tuple of str
        A sentence on each guess and finding.
    rows : dict of str to tuple of str
        The values of the first rows, by column.
    n_rows : int
        The number of rows.
    problems : tuple of Problem
        The problems that prevent a pool.
    classes : tuple of str
        The classes, if the file predicts classes.
    label_kind : {"class", "number", "grades"} or None
        The kind of label; None if problems leave it open.
    kind : str or None
        The kind of instances: "text", "image", … .
    title : str or None
        A heading, if the file has one: an evaluation log names its task and model.
    labels : LabelColumn or None
        The column given for labels, or one that may hold some.

    See Also
    --------
    examine : Makes it.

    Examples
    --------
    >>> Examination(Columns(), (), {}, 0, (), (), None).problems
    ()
    """

    columns: Columns
    guessed: tuple[str, ...]
    rows: dict[str, tuple[str, ...]]
    n_rows: int
    problems: tuple[Problem, ...]
    classes: tuple[str, ...]
    label_kind: str | None
    kind: str | None = None
    title: str | None = None
    labels: LabelColumn | None = None


def examine(file: str | os.PathLike[str], **columns: Any) -> Examination:
    r"""Examine a file of predictions without making a pool of it.

    Parameters
    ----------
    file : str or path-like
        The file.
    **columns
        The known roles of its columns, as for `Pool.read`.

    Returns
    -------
    Examination
        Problems with the data are listed in it, not raised.

    Raises
    ------
    TypeError, ValueError
        If an argument is invalid.

    See Also
    --------
    Columns : The arguments.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mails.csv")
    ...     size = path.write_text("text,p_ham,p_spam\nHello you,0.9,0.1\nWin now,0.2,0.9\n")
    ...     found = examine(path)
    >>> found.columns.proba, found.classes
    (('p_ham', 'p_spam'), ('ham', 'spam'))
    >>> found.problems[0].row, found.problems[0].message
    (3, 'the probabilities sum to 1.1, not to 1')
    """
    return examine_columns(Path(file), columns, needs_predictions=True)[0]


def examine_columns(
    path: Path, given: Mapping[str, Any], *, needs_predictions: bool = False, opens_images: bool = False
) -> tuple[Examination, dict[str, Any] | None]:
    """Examine a file; return also the arguments for its pool, None if there are problems."""
    options = dict(given)
    folder = options.pop("folder", None)
    columns = Columns(**options)
    data: Data | None
    if not is_dask_frame(path) and is_run_file(Path(path)):
        return _examine_runs(Path(path), columns)
    check_no_runs(columns)
    try:
        data = DaskData(path) if is_dask_frame(path) else streamed_data(Path(path), columns)
        path = file_in(Path(path)) if data is None else data.path
        if data is not None and not data.n_rows:
            problem = Problem(data.path.name, "it holds no rows", "Name a file or a folder that does.")
            return Examination(columns, (), {}, 0, (problem,), (), None), None
        table = open_table(path, leaves_out_broken=True) if data is None else data.head()
        if columns.compare_by is not None:
            table, columns = _systems_side_by_side(table, columns)
        elif columns.is_of_two_logs:
            table, columns = _with_other_log(table, columns)
        elif table.log is not None and columns.rubric in EPOCHS:
            table, columns = epochs_together(table, columns)
        else:
            note_systems(table)
            note_epochs(table)
    except FileProblemsError as error:
        return Examination(columns, (), {}, 0, error.problems, (), None), None
    if table.log is not None and not table.problems:
        log = table.log
        table, columns = _with_grouping(table, log, columns)
        columns = log.filled(columns, table.names, table.report, needs_predictions=needs_predictions)
        report_unscored(table, log, columns)
    columns = _resolved(table, columns)
    guessed: list[str] = []
    arguments: dict[str, Any] | None = None
    if not table.problems:
        columns, guessed = guess_columns(table, columns)
        where = path if path.is_dir() else path.parent
        where = where if folder is None else Path(folder)
        if data is None:
            arguments, notes = _arguments(
                table, columns, where, needs_predictions=needs_predictions, opens_images=opens_images
            )
        else:
            arguments, notes = streamed_arguments(data, table, columns, where)
        guessed += notes
    made = _first_model(arguments["predictions"] if arguments else None)
    classes = columns.classes or (class_names(columns.proba) if columns.proba else ())
    if made is not None and made.label_values is not None and made.label_kind == "class":
        classes = tuple(map(str, made.label_values))
    if arguments is not None and columns.cost_by is not None:
        arguments["costs"] = columns.cost_by
    examination = Examination(
        columns=columns,
        guessed=(*guessed, *table.notes),
        rows=_first_rows(table),
        n_rows=table.n_rows if data is None else data.n_rows,
        problems=in_order([*table.left_out, *table.problems]),
        classes=classes,
        label_kind=None if made is None else made.label_kind,
        kind=None if arguments is None else arguments["kind"],
        title=table.title,
        labels=None if data is not None or arguments is None else label_column(table, columns),
    )
    return examination, None if examination.problems else arguments


def _first_model(predictions: Any) -> Predictions | None:
    """Return the first model's predictions; None if there are none."""
    made = predictions.models if isinstance(predictions, FetchedParts) else predictions
    made = [*made.values()] if isinstance(made, dict) else made
    first: Predictions | None = made[0] if isinstance(made, list) else made
    return first


def _examine_runs(path: Path, columns: Columns) -> tuple[Examination, dict[str, Any] | None]:
    """Examine a TREC run, or several to compare; see `examine_columns`."""
    try:
        arguments, notes = arguments_of_runs(path, columns)
    except FileProblemsError as error:
        return Examination(columns, (), {}, 0, error.problems, (), None), None
    if columns.cost_by is not None:
        arguments["costs"] = columns.cost_by
    n_queries = len(arguments["instances"])
    return Examination(columns, tuple(notes), {}, n_queries, (), (), "grades", "ranking"), arguments


def _with_grouping(table: FileTable, log: LogColumns, columns: Columns) -> tuple[FileTable, Columns]:
    """Add the column that `group` names, if it is a log's metadata or the answers' length."""
    name, known = columns.group, log.groupings
    if name is None and known:
        table.note(f"Samples may be grouped (--group) by: {', '.join(known)}.")
    if name is None or name in table.names:
        return table, columns
    if name not in known:
        unknown = f"group names {name!r}, by which the log's samples can't be grouped"
        table.report(unknown, closest(name, [*known]))
        return table, columns.with_(group=None)
    return replace(table, arrow=table.arrow.append_column(name, pa.array(known[name], pa.string()))), columns


def _systems_side_by_side(table: FileTable, columns: Columns) -> tuple[FileTable, Columns]:
    """Place two systems of a log side by side, chosen by compare_by."""
    without = columns.with_(compare=None, compare_by=None, predicted=None)
    if columns.predicted is not None:
        _refuse_judge(table, columns.predicted)
        return table, without
    found = systems_of_log(table, columns)
    return (table, without) if found is None else join_logs(found[0], found[1], without, found[2])


def _refuse_judge(table: FileTable, name: str) -> None:
    table.report(
        f"predicted names {name!r}, but of two logs the systems are evaluated, and no judge",
        "Leave it out; votes (--votes) names scorers.",
    )


def _with_other_log(table: FileTable, columns: Columns) -> tuple[FileTable, Columns]:
    """Add the answers of the other log that `compare` names."""
    [name] = columns.compare or ("",)
    if columns.predicted is not None:
        _refuse_judge(table, columns.predicted)
        return table, columns.with_(compare=None, predicted=None)
    path = file_beside(table.path, name)
    if path.exists() and table.path.exists() and path.samefile(table.path):
        table.report(f"compare names {path.name}, the log itself", "Name the log of another system.")
        return table, columns.with_(compare=None)
    other = None if table.log is None else open_table(path)
    if other is None or other.log is None:
        table.report(
            f"compare names one file, {name!r}: that is for two logs of an evaluation tool",
            "Name two models or more (--compare A,B), or give two logs.",
        )
        return table, columns.with_(compare=None)
    return join_logs(table, other, columns, names_of(table.path, other.path))


def arguments_of(
    table: FileTable, columns: Columns, folder: Path
) -> tuple[Columns, list[str], dict[str, Any] | None]:
    """Return a table's columns, notes on guesses, and its pool's arguments, None if there are problems."""
    columns = _resolved(table, columns)
    if table.problems:
        return columns, [], None
    columns, guessed = guess_columns(table, columns)
    arguments, notes = _arguments(table, columns, folder, needs_predictions=True)
    return columns, [*guessed, *notes], None if table.problems else arguments


def _arguments(
    table: FileTable, columns: Columns, folder: Path, *, needs_predictions: bool, opens_images: bool = False
) -> tuple[dict[str, Any] | None, list[str]]:
    """Return the arguments for a pool, None if there are problems, and notes on guesses."""
    is_graded = columns.rubric is not None
    if columns.labels is not None and (is_graded or columns.query is not None):
        table.report(
            "labels are classes or numbers, but here they are grades", "Leave labels (--labels) out."
        )
    if columns.query is not None and columns.items is not None:
        return rankings_of(table, columns, folder), []
    notes: list[str] = []
    contents = contents_of(table, columns, folder, opens_images=opens_images)
    predictions: Any = None
    is_open = not any(getattr(columns, role) for role in (*_PREDICTED, "compare"))
    others = ("proba", "score", "mean", "compare")
    of_systems = are_systems(columns) and not any(getattr(columns, role) for role in others)
    is_without = is_open and not needs_predictions and not of_systems and not is_graded
    if is_graded:
        predictions = rubric_of(table, columns)
    elif of_systems:
        judged = None if columns.votes is None else votes_of(table, columns, columns.votes, None)
        predictions = None if table.problems else systems_of(table, columns, judged)
    elif is_without:
        table.note("There are no predictions: the labels themselves are evaluated, and draws are uniform.")
    elif columns.compare is None:
        scorer = None if table.log is None else table.log.scorer_of(columns)
        predictions = predictions_of(table, columns, scorer)
        if predictions is not None and scorer is not None:
            predictions.role = "scorer"
    else:
        predictions, notes = compared_predictions(table, columns, columns.compare)
    ids = None if columns.id is None else ids_of(table, columns.id)
    costs = None if columns.cost is None else costs_of(table, columns.cost)
    groups = None if columns.group is None else table.strings(columns.group)
    if contents is None or (predictions is None and not is_without) or table.problems:
        return None, notes
    labels = None
    if columns.labels is not None:
        labels = labels_in(table, columns.labels, _first_model(predictions), columns.classes)
    if table.problems:
        return None, notes
    kind, instances = contents
    return {
        "instances": instances,
        "predictions": predictions,
        "classes": list(columns.classes) if is_without and columns.classes else None,
        "ids": None if ids is None else strings_of(ids),
        "costs": costs,
        "kind": "custom" if is_graded else kind,
        "groups": None if groups is None else strings_of(groups),
        "labels": labels,
        "drawn": columns.drawn if columns.drawn_by is None else inclusion_in(table, columns.drawn_by),
        "decimal_mark": table.decimal_mark,
        "question": None if is_graded or of_systems else question_of(table, columns),
    }, notes


def _resolved(table: FileTable, columns: Columns) -> Columns:
    """Expand "p_*" in the columns; report columns that do not exist."""
    for role in _WITH_STAR if columns.compare is None else ():
        given = getattr(columns, role)
        if found := _written_out(table, given or ()):
            columns = columns.with_(**{role: found})
    for role, value in columns.named_options().items():
        if COLUMN_OPTIONS[role].names != "columns" or (columns.compare is not None and role in PREDICTIONS):
            continue
        for name in (value,) if isinstance(value, str) else value:
            if name not in table.names and not (role in _WITH_STAR and name.endswith("*")):
                table.report(f"there is no column {name!r}, which {role} names", closest(name, table.names))
    return columns


def _written_out(table: FileTable, names: Sequence[str]) -> tuple[str, ...]:
    found: list[str] = []
    for name in names:
        if name.endswith("*") and name not in table.names:
            beginning = name[:-1]
            found += [each for each in table.names if each.startswith(beginning) and each not in found]
            if not any(each.startswith(beginning) for each in table.names):
                table.report(f"no column begins with {beginning!r}", closest(beginning, table.names))
        else:
            found.append(name)
    return tuple(found)


def _first_rows(table: FileTable) -> dict[str, tuple[str, ...]]:
    head = FileTable(table.path, table.arrow.slice(0, _N_SHOWN), table.rows_of)
    return {
        name: tuple(cut(value, _LONGEST) for value in head.strings(name).to_pylist()) for name in table.names
    }
