"""Validation of class probabilities, and normalization of rounded ones."""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import SUM_TOLERANCE, check_float_array, is_half, normalize_half
from activeeval_widgets.stats.predictions.class_labels import as_labels

ROUNDING = 1e-2
"""The largest deviation of a row's sum from 1 that is taken for rounding, to two decimals for example."""

_CHUNK_CELLS = 1 << 16
"""Rows are processed in chunks of about this many cells, so that temporaries stay in the cache."""

_WANTED = "give a row of class probabilities for each instance, such as model.predict_proba(X)"
_CALIBRATED = (
    "A model without predict_proba gets it from sklearn.calibration.CalibratedClassifierCV; unchanged "
    "decision scores go into ScoredClasses(scores, classes)."
)


def column_names(y_proba: Any) -> Any:
    """Return the column names of a DataFrame of any library, or a table of pyarrow; None for others."""
    if hasattr(y_proba, "columns") and hasattr(y_proba, "to_numpy"):
        return list(y_proba.columns)
    names = getattr(y_proba, "column_names", None)
    return names if isinstance(names, list) and hasattr(y_proba, "to_pydict") else None


def check_y_proba(value: Any, *, normalize: bool = False) -> FloatArray:
    """Validate class probabilities of shape (n_instances, n_classes), each row a distribution.

    Rows whose sums differ from 1 by rounding are normalized with a warning; with `normalize`, all rows are.
    """
    if not isinstance(normalize, bool):
        raise TypeError(f"normalize must be True or False, got {normalize!r}")
    _refuse_one_value_each(value)
    array = check_float_array("y_proba", value, ndim=2, shape="(n_instances, n_classes)")
    if is_half(value):
        array = normalize_half(array)
    if array.shape[0] == 0:
        raise ValueError(f"y_proba must have at least one row, got shape {array.shape}")
    if array.shape[1] < 2:
        one = " For two classes give both columns: np.column_stack([1 - p, p])." if array.shape[1] else ""
        raise ValueError(f"y_proba must have at least two columns (classes), got shape {array.shape}.{one}")
    if array.min() < 0:
        row, column = (int(i) for i in np.argwhere(array < 0)[0])
        raise ValueError(
            f"y_proba[{row}, {column}] is {array[row, column]}, expected a probability >= 0. If these are "
            f"decision scores: {_WANTED}. {_CALIBRATED}"
        )
    sums = array.sum(axis=1)
    off = np.abs(sums - 1)
    if normalize:
        if not sums.all():
            row = int(np.argmin(sums))
            raise ValueError(f"y_proba[{row}] is 0 for every class, expected a row that can be normalized")
        return np.asarray(array / sums[:, np.newaxis])
    worst = int(np.argmax(off))
    if off[worst] <= SUM_TOLERANCE:
        return array
    too_far = off > ROUNDING * (1 + 1e-9)
    if too_far.any():
        row = int(np.argmax(too_far))
        raise ValueError(
            f"y_proba[{row}] sums to {sums[row]:.6g}, expected each row to sum to 1 (within {ROUNDING:g} "
            "if rounded). normalize=True divides each row by its sum, where these are probabilities that "
            f"were not normalized; if they are scores, {_WANTED}"
        )
    warnings.warn(
        f"y_proba: the rows sum to 1 only within {off[worst]:.2g} (rounded?), and were normalized. "
        "Use normalize=True to confirm this.",
        stacklevel=3,
    )
    return np.asarray(array / sums[:, np.newaxis])


def _refuse_one_value_each(value: Any) -> None:
    """Refuse predicted labels, or the probability of one class, and name the remedy."""
    if isinstance(value, list | tuple) and value and isinstance(value[0], list | tuple | np.ndarray):
        return
    given = as_labels(value, "y_proba")
    if given.ndim != 1 or not given.size:
        return
    first = given.tolist()[0]
    is_share = given.dtype.kind == "f" and given.min() >= 0 and given.max() <= 1
    if is_share and (given != np.round(given)).any():
        remedy = "For two classes give the probabilities of both: np.column_stack([1 - p, p])."
    else:
        remedy = (
            f"If these are predicted labels or decision scores: {_WANTED}. {_CALIBRATED} "
            "If they are numbers that a regressor predicts: ValuePredictions(y_pred)"
        )
    raise ValueError(
        "y_proba must have shape (n_instances, n_classes), got one value for each instance "
        f"(y_proba[0] is {first!r}). {remedy}"
    )


def chunks(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Yield slices of the rows that hold about 2¹⁶ cells each."""
    step = max(1, _CHUNK_CELLS // n_columns)
    for start in range(0, n_rows, step):
        yield slice(start, min(start + step, n_rows))


def names_of_logits(logits: Any) -> Any:
    """Return the column names of a DataFrame of logits, unless it has a single column; None for others."""
    names = column_names(logits)
    return None if names is None or len(names) == 1 else names


def check_logits(logits: ArrayLike) -> FloatArray:
    """Return finite logits, one column per class; a single one is that of the second of two classes."""
    shape = "(n_instances, n_classes) or (n_instances,)"
    given = check_float_array("logits", logits, ndim=2 if np.ndim(logits) == 2 else 1, shape=shape)
    if given.ndim == 1 or given.shape[1] == 1:
        return np.column_stack([np.zeros(len(given)), given.ravel()])
    return given
