"""Read columns of classes: a model's predicted classes and the votes of judges."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.problems import MAX_REPORTED, closest, shortened
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.stats import ClassPredictions
from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray
from activeeval_widgets.stats.predictions.best_classes import are_of_best
from activeeval_widgets.stats.predictions.votes import smoothed_shares

MAX_CLASSES = 1_000
"""A column with more distinct values holds no classes, unless they are named."""


def are_of_predicted(table: FileTable, predicted: str, scores: FloatArray) -> bool:
    """Return whether scores are the probabilities of the classes in another column; see `are_of_best`."""
    classes = distinct_values(table, predicted)
    if len(classes) > MAX_CLASSES:
        return False
    return are_of_best(scores, codes_in(table, predicted, classes), len(classes))


def distinct_values(table: FileTable, column: str) -> list[str]:
    """Return the distinct non-empty values of a column, sorted."""
    values = pc.unique(pc.utf8_trim_whitespace(table.strings(column))).to_pylist()
    return sorted(filter(None, values))


def decided_classes(table: FileTable, columns: Columns, classes: Sequence[str]) -> AnyArray | None:
    """Return the predicted classes; None without such a column, or if a value is not a class."""
    if columns.predicted is None:
        return None
    codes = codes_in(table, columns.predicted, classes)
    unknown = np.flatnonzero(codes < 0)
    for index in unknown[:MAX_REPORTED]:
        value = table.strings(columns.predicted)[int(index)].as_py().strip()
        what, remedy = "the predicted class is missing", "Fill it in, or leave the row out."
        if value:
            what, remedy = f"{shortened(value)} is none of the classes", closest(value, classes)
        table.report(what, remedy, index=index, column=columns.predicted)
    if unknown.size:
        return None
    found: AnyArray = np.asarray(list(classes))[codes]
    return found


def codes_in(table: FileTable, column: str, classes: Sequence[str]) -> IntArray:
    """Return the index of each value in `classes`, −1 for other values."""
    values = pc.utf8_trim_whitespace(table.strings(column))
    codes = pc.fill_null(pc.index_in(values, pa.array(list(classes), pa.string())), -1)
    return np.asarray(codes.to_numpy(), dtype=np.intp)


def votes_of(
    table: FileTable, columns: Columns, votes: Sequence[str], name: str | None
) -> ClassPredictions | None:
    """Return several judges' votes; empty cells are none. The evaluated judge has a name, and no vote."""
    n_before = len(table.problems)
    judges = [judge for judge in dict.fromkeys(votes) if judge != columns.predicted]
    if len(judges) < len(set(votes)) and judges:
        table.note(f"{columns.predicted} is evaluated, so it has no vote itself.")
    if not judges:
        table.report(
            f"votes names no other column than {columns.predicted!r}, which is evaluated",
            "Name columns of other judges with votes (--votes); or leave it out: predicted (--predicted) is "
            "enough by itself.",
        )
        return None
    classes = _voted_classes(table, columns, judges)
    if classes is None:
        return None
    counts = np.zeros((table.n_rows, len(classes)))
    for judge in judges:
        _count(table, judge, classes, counts)
    y_pred = decided_classes(table, columns, classes)
    if len(table.problems) > n_before:
        return None
    silent = int(np.count_nonzero(counts.sum(axis=1) == 0))
    if silent:
        table.note(
            f"{silent:,} of {table.n_rows:,} rows have no vote: there, each class is as probable "
            "as elsewhere on average."
        )
    made = ClassPredictions(smoothed_shares(counts), list(classes), y_pred, name or columns.predicted)
    made.assists, made.voted = False, counts.sum(axis=1) > 0
    return made


def _voted_classes(table: FileTable, columns: Columns, judges: Sequence[str]) -> tuple[str, ...] | None:
    """Return the named classes, or else all classes that occur in a vote or prediction."""
    classes = columns.classes
    if classes is None:
        named = judges if columns.predicted is None else [*judges, columns.predicted]
        found: set[str] = set()
        for column in named:
            values = distinct_values(table, column)
            if len(values) > MAX_CLASSES:
                table.report(
                    f"it holds {len(values):,} different values, which are hardly verdicts",
                    "Name the columns of the judges' verdicts with votes (--votes).",
                    column=column,
                )
                return None
            found.update(values)
        classes = tuple(sorted(found))
    if len(classes) < 2:
        table.report(
            f"{shortened(classes[0]) if classes else 'nothing'} is the only class that anyone votes for",
            "Name all classes with classes (--classes).",
            column=judges[0],
        )
        return None
    return classes


def _count(table: FileTable, judge: str, classes: Sequence[str], counts: FloatArray) -> None:
    """Add a judge's votes to `counts`; report values that are not classes."""
    values = pc.utf8_trim_whitespace(table.strings(judge))
    codes = codes_in(table, judge, classes)
    is_empty = np.asarray(pc.equal(values, "").to_numpy(), dtype=bool)
    for index in np.flatnonzero((codes < 0) & ~is_empty)[:MAX_REPORTED]:
        value = values[int(index)].as_py()
        table.report(
            f"{shortened(value)} is none of the classes", closest(value, classes), index=index, column=judge
        )
    voted = np.flatnonzero(codes >= 0)
    counts[voted, codes[voted]] += 1
