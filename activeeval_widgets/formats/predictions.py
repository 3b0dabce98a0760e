"""Read predictions from the columns of a table; check each row."""

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow.compute as pc

from activeeval_widgets.formats.class_columns import (
    MAX_CLASSES,
    are_of_predicted,
    codes_in,
    decided_classes,
    distinct_values,
    votes_of,
)
from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.contents_on_disk import array_on_disk
from activeeval_widgets.formats.guessed_columns import class_names, class_of_score
from activeeval_widgets.formats.parsed_numbers import is_ambiguous, readings
from activeeval_widgets.formats.problems import MAX_REPORTED, closest, shortened
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.stats import ClassPredictions, PredictedClasses, Predictions, ValuePredictions
from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import MAX_SIZE
from activeeval_widgets.stats.predictions.best_classes import with_even_rest
from activeeval_widgets.stats.text import counted, listed

NAME_GRADES = "Name them with classes (--classes 0,1,2,3)."

_ROUNDING = 1e-2
_SUM_TOLERANCE = 1e-5
_OTHER_CLASS = {"1": "0", "yes": "no", "true": "false", "True": "False"}
"""The negative of two classes, by the positive one; otherwise "not" and its name."""

_MANY_CLASSES = 20
"""More classes than this, in over half of the rows, may be numbers with units: a note asks."""


def predictions_of(table: FileTable, columns: Columns, name: str | None = None) -> Predictions | None:
    """Return the predictions of one model; report problems and return None if there are any."""
    if columns.mean is not None:
        return _values(table, columns, name)
    if columns.proba is not None:
        return _classes(table, columns, columns.proba, name)
    if columns.votes is not None:
        return votes_of(table, columns, columns.votes, name)
    if columns.score is not None:
        return _scores(table, columns, columns.score, name)
    if columns.predicted is not None:
        return _predicted_alone(table, columns, columns.predicted, name)
    table.report(
        "no column holds predictions",
        "Say which column holds what: --proba class probabilities, --score the probability of the positive "
        "class, --predicted predicted classes, --mean predicted numbers, --votes verdicts of judges (no "
        "dashes in Python and in evaluation.toml). To estimate something of the labels themselves, give "
        "--measure label-share, win-rate or mean-value. " + closest("proba", table.names),
    )
    return None


def _classes(
    table: FileTable, columns: Columns, proba: Sequence[str], name: str | None
) -> ClassPredictions | None:
    n_before = len(table.problems)
    if len(proba) < 2:
        table.report(
            f"proba names one column, {proba[0]!r}, but there is one for each class",
            "Name them all; or name it with score (--score) if it is the probability of the positive of "
            "two classes.",
        )
        return None
    classes = columns.classes or class_names(proba)
    if len(classes) != len(proba):
        table.report(
            f"classes names {counted(len(classes), 'classes')}, but proba {len(proba)} columns "
            f"({', '.join(proba[:6])})",
            "Name one class for each column, in the same order.",
        )
        return None
    if len(set(classes)) < len(classes):
        table.report(
            f"two classes have one name: {', '.join(classes)}", "Name the classes with classes (--classes)."
        )
        return None
    _, finished = check_probabilities(table, proba)
    y_pred = decided_classes(table, columns, classes)
    if len(table.problems) > n_before:
        return None
    return ClassPredictions(finished(), classes=list(classes), y_pred=y_pred, name=name)


def check_probabilities(
    table: FileTable, proba: Sequence[str]
) -> tuple[FloatArray, Callable[[], FloatArray]]:
    """Return columns as distributions, one column as probabilities of one event; report invalid rows."""
    y_proba, finished = array_on_disk(table.n_rows, len(proba))
    for at, column in enumerate(proba):
        y_proba[:, at], missing = table.numbers(column, is_share=True)
        report_missing(table, column, missing, "a probability, a number from 0 to 1,")
    if len(proba) > 1:
        _check_sums(table, proba, y_proba)
        return y_proba, finished
    for index in np.flatnonzero((y_proba[:, 0] < 0) | (y_proba[:, 0] > 1))[:MAX_REPORTED]:
        table.report(
            f"{y_proba[index, 0]:g} is not a probability",
            "Give a probability from 0 to 1; decision scores are none.",
            index=index,
            column=proba[0],
        )
    return y_proba, finished


def parse_grades(names: Sequence[str]) -> FloatArray:
    """Parse the names of grades: two or more different numbers, the least of them 0."""
    try:
        grades = np.array([float(name) for name in names])
    except ValueError:
        grades = np.empty(0)
    if (
        grades.size < 2
        or grades.min() != 0
        or not np.isfinite(grades).all()
        or np.unique(grades).size < grades.size
    ):
        raise ValueError(
            f"the grades are called {', '.join(names)}, but they have to be two or more different numbers, "
            "the least of them 0"
        )
    return grades


def grades_of(table: FileTable, names: Sequence[str], n_grades: int | None) -> FloatArray | None:
    """Parse the names of grades, or report why they are none."""
    try:
        grades = parse_grades(names)
    except ValueError as error:
        table.report(str(error), NAME_GRADES)
        return None
    if n_grades is not None and n_grades != grades.size:
        table.report(
            f"there are {grades.size} grades, but items have {n_grades} probabilities",
            "Name one grade for each with classes (--classes 0,1,2,3).",
        )
        return None
    return grades


def _check_sums(table: FileTable, proba: Sequence[str], y_proba: FloatArray) -> None:
    """Report rows that are no distributions; normalize rounded ones and note it."""
    sums = y_proba.sum(axis=1)  # NaN for missing values, which are reported already
    known = sums[np.isfinite(sums)]
    if known.size and np.abs(known - 100).max() < 2:
        table.notes.append("The probabilities are in percent.")
        y_proba /= 100
        sums /= 100
    negative = np.flatnonzero((y_proba < 0).any(axis=1))
    for index in negative[:MAX_REPORTED]:
        at = int(np.nanargmin(y_proba[index]))
        table.report(
            f"{y_proba[index, at]:g} is not a probability",
            "Give probabilities from 0 to 1, such as model.predict_proba(X); decision scores are none.",
            index=index,
            column=proba[at],
        )
    off = np.abs(sums - 1)
    tolerance = max(_ROUNDING, y_proba.shape[1] * _rounded_by(y_proba) / 2) * (1 + 1e-9)
    wrong = np.flatnonzero(off > tolerance)
    are_many = wrong.size > MAX_REPORTED
    for index in wrong[:3] if are_many else wrong:
        table.report(
            f"the probabilities sum to {sums[index]:.6g}, not to 1",
            f"Check {listed(proba, 6)}: is a class missing, or a wrong column among them?",
            index=index,
        )
    if are_many:
        table.report(
            f"the probabilities of {wrong.size:,} of {table.n_rows:,} rows do not sum to 1",
            "If these are scores, turn them into probabilities first.",
        )
    if not wrong.size and known.size == sums.size and off.max() > _SUM_TOLERANCE:
        rounded = int(np.count_nonzero(off > _SUM_TOLERANCE))
        table.notes.append(
            f"The probabilities of {rounded:,} of {table.n_rows:,} rows sum to 1 only within {off.max():.2g} "
            "(rounded), and were divided by their sums."
        )
        if table.is_part:
            y_proba[off > _SUM_TOLERANCE] /= sums[off > _SUM_TOLERANCE, np.newaxis]
        else:
            y_proba /= sums[:, np.newaxis]


def _rounded_by(y_proba: FloatArray) -> float:
    """Return the unit that the numbers are rounded to, such as 0.01; 0 if they are not rounded."""
    head = y_proba[:2_000]
    for unit in (0.01, 0.001):
        if np.abs(head / unit - np.round(head / unit)).max() < 1e-6:
            return unit
    return 0.0


def _scores(table: FileTable, columns: Columns, score: str, name: str | None) -> ClassPredictions | None:
    n_before = len(table.problems)
    scores = check_probabilities(table, [score])[0][:, 0]
    if len(table.problems) == n_before and _is_of_predicted(table, columns, scores):
        return _best_classes(table, columns, scores, name)
    classes = columns.classes or _two_classes(table, columns, score, scores)
    if len(classes) != 2:
        table.report(
            f"score is the probability of the second of two classes, but classes names {len(classes)}",
            "Name two with classes (--classes), the positive one last; or name all columns with proba.",
        )
    y_pred = decided_classes(table, columns, classes)
    if len(table.problems) > n_before:
        return None
    return ClassPredictions(
        np.column_stack([1 - scores, scores]), classes=list(classes), y_pred=y_pred, name=name
    )


def _is_of_predicted(table: FileTable, columns: Columns, scores: FloatArray) -> bool:
    predicted = columns.predicted
    if predicted is None or predicted not in table.names or table.is_part:  # a few rows don't decide it
        return False
    return are_of_predicted(table, predicted, scores)


def _best_classes(
    table: FileTable, columns: Columns, scores: FloatArray, name: str | None
) -> ClassPredictions | None:
    """Return predictions from each predicted class's probability; the other classes share the rest."""
    assert columns.predicted is not None  # noqa: S101 - checked by the caller
    classes = columns.classes or distinct_values(table, columns.predicted)
    y_pred = decided_classes(table, columns, classes)
    if y_pred is None:
        return None
    rest = "" if len(classes) == 2 else "; the other classes share the rest evenly"
    table.note(f"{columns.score!r} is the probability of the class in {columns.predicted!r}{rest}.")
    y_proba = with_even_rest(scores, codes_in(table, columns.predicted, classes), len(classes))
    return ClassPredictions(y_proba, classes=list(classes), y_pred=y_pred, name=name)


def _two_classes(table: FileTable, columns: Columns, score: str, scores: FloatArray) -> tuple[str, ...]:
    """Return two predicted classes, the one with greater scores last, or classes from the column's name."""
    if columns.predicted is not None and columns.predicted in table.names:
        predicted = table.strings(columns.predicted)
        found = [value.as_py() for value in pc.unique(predicted) if value.as_py()]
        if len(found) == 2:
            is_first = np.asarray(pc.equal(predicted, found[0]).to_numpy(), dtype=bool)
            if is_first.any() and not is_first.all() and scores[is_first].mean() > scores[~is_first].mean():
                found.reverse()
            return tuple(found)
    positive = class_of_score(score)
    made = ("negative", "positive")
    if positive is not None:
        made = (_OTHER_CLASS.get(positive, f"not {positive}"), positive)
    table.notes.append(
        f"The classes are called {made[0]!r} and {made[1]!r}; classes (--classes) names them otherwise."
    )
    return made


def _predicted_alone(
    table: FileTable, columns: Columns, predicted: str, name: str | None
) -> PredictedClasses | None:
    """Return predicted classes without probabilities: the first draws are uniform."""
    found = distinct_values(table, predicted)
    classes = list(columns.classes or found)
    if columns.classes is None and len(found) > MAX_CLASSES:
        table.report(
            f"it holds {len(found):,} different values, which are hardly classes",
            "Name the column of the predicted classes with predicted, or of predicted numbers with mean.",
            column=predicted,
        )
        return None
    if len(classes) < 2:
        table.report(
            f"{shortened(classes[0]) if classes else 'nothing'} is the only class that is predicted",
            "Name all classes with classes (--classes).",
            column=predicted,
        )
        return None
    y_pred = decided_classes(table, columns, classes)
    if y_pred is None:
        return None
    if len(found) > max(_MANY_CLASSES, table.n_rows / 2):
        table.note(
            f"{predicted!r} holds {len(found):,} different values ({shortened(found[0])}, …), read as "
            "classes. If they are numbers, write them without units."
        )
    table.note(
        "There are no probabilities: draws begin uniform, and how often predictions are right is learned "
        "from the labels. Probabilities would save labels."
    )
    return PredictedClasses(y_pred, classes=np.asarray(classes), name=name)


def _values(table: FileTable, columns: Columns, name: str | None) -> ValuePredictions | None:
    n_before = len(table.problems)
    assert columns.mean is not None  # noqa: S101 - checked by the caller
    mean, missing = table.numbers(columns.mean)
    report_missing(table, columns.mean, missing, "a number")
    _report_too_large(table, columns.mean, mean, MAX_SIZE)
    variance = None
    if columns.variance is not None:
        variance = _spread(table, columns.variance, "variance", MAX_SIZE**2)
    elif columns.std is not None:
        variance = _spread(table, columns.std, "standard deviation", MAX_SIZE) ** 2
    return None if len(table.problems) > n_before else ValuePredictions(mean, variance, name=name)


def _spread(table: FileTable, column: str, what: str, most: float) -> FloatArray:
    """Return the variances or standard deviations in a column; report what can't be one."""
    spread, missing = table.numbers(column)
    report_missing(table, column, missing, f"a {what}, a number from 0,")
    for index in np.flatnonzero(spread < 0)[:MAX_REPORTED]:
        table.report(
            f"the {what} {spread[index]:g} is negative",
            f"Give {what}s, from 0.",
            index=index,
            column=column,
        )
    _report_too_large(table, column, spread, most)
    return spread


def _report_too_large(table: FileTable, column: str, values: FloatArray, most: float) -> None:
    """Report numbers whose powers would overflow."""
    for index in np.flatnonzero(np.abs(values) > most)[:MAX_REPORTED]:
        table.report(
            f"{values[index]:g} is too large: numbers have a size of at most {most:g}",
            "Correct it, or use a larger unit.",
            index=index,
            column=column,
        )


def report_missing(table: FileTable, column: str, missing: IntArray, expected: str) -> None:
    """Report rows that hold no number, with the expected value and a remedy."""
    are_ambiguous = False
    for index in missing[:MAX_REPORTED]:
        value = table.arrow[column][int(index)].as_py()
        if value is None or value != value or (isinstance(value, str) and not value.strip()):
            table.report(
                f"{expected} is missing", "Fill the cell, or remove the row.",
                index=index, column=column,
            )  # fmt: skip
        elif isinstance(value, str) and is_ambiguous(value):
            if are_ambiguous:  # the first one's remedy is for all
                continue
            are_ambiguous = True
            meant = " or ".join(f"{number:.12g}" for number in readings(value).values())
            table.report(
                f"{shortened(value)} can be read as {meant}",
                f"Write {meant}, here or in another row: one number that is clear settles the column.",
                index=index, column=column,
            )  # fmt: skip
        else:
            table.report(
                f"{shortened(value)} is not {expected}".rstrip(","), "Correct it, or name another column.",
                index=index, column=column,
            )  # fmt: skip
    if missing.size > MAX_REPORTED and not are_ambiguous:
        table.report(f"{missing.size:,} rows have no number here", "Is it the right column?", column=column)


def costs_of(table: FileTable, column: str) -> FloatArray:
    """Return the costs of labels; report invalid ones."""
    costs, missing = table.numbers(column)
    report_missing(table, column, missing, "a cost, a number above 0,")
    for index in np.flatnonzero(costs <= 0)[:MAX_REPORTED]:
        table.report(
            f"the cost {costs[index]:g} is not above 0", "Give costs above 0.", index=index, column=column
        )
    return costs
