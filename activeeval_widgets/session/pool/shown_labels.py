"""Columns that may hold the labels, which nobody who labels should see."""

# ruff: noqa: SIM905 - a list of words reads better this way

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from activeeval_widgets.stats import ClassPredictions, Predictions, ValuePredictions, cohen_kappa
from activeeval_widgets.stats._typing import FloatArray

if TYPE_CHECKING:
    from activeeval_widgets.session.pool.pool import Pool

LABEL_NAMES = tuple(
    "label labels y y_true true_label gold gold_label target truth ground_truth actual annotation".split()
)
_LOOKED_AT = 2_000
"""Columns are compared with the predictions in this many rows."""

_LEAST_KAPPA = 0.4
"""Cohen's kappa with the predicted classes from which a column may hold labels."""

_LEAST_R2 = 0.5
"""The coefficient of determination of predicted numbers from which a column may hold labels."""


def known_form(name: str) -> str:
    """Return a column's name as lists of known names have it: "Instance ID" as "instance_id"."""
    return re.sub(r"[ _.:\-/]+", "_", name.lower())


def agree_beyond_chance(texts: Sequence[str], predicted: Sequence[str]) -> bool:
    """Return whether texts, where they are not empty, agree with predicted classes beyond chance."""
    pairs = [(text.casefold(), of_model.casefold()) for text, of_model in zip(texts, predicted, strict=True)]
    pairs = [pair for pair in pairs if pair[0]]
    # Without any agreement, as in most columns, kappa is at most 0.
    return any(text == of_model for text, of_model in pairs) and cohen_kappa(pairs).value > _LEAST_KAPPA


def are_near(numbers: FloatArray, predicted: FloatArray) -> bool:
    """Return whether predicted numbers explain most of the variance of others; NaN for missing ones."""
    known = np.isfinite(numbers) & np.isfinite(predicted)
    if known.sum() < 2 or not (spread := np.var(numbers[known])):
        return False
    return bool(1 - np.mean((numbers[known] - predicted[known]) ** 2) / spread > _LEAST_R2)


def columns_like_labels(pool: "Pool") -> list[Any]:
    """Return the columns of a table of records that are named as labels are, or agree with a model."""
    if pool.kind != "record" or not isinstance(pool.instances, pd.DataFrame):
        return []
    head = pool.instances.iloc[:_LOOKED_AT]
    columns = [(name, head.iloc[:, position]) for position, name in enumerate(head.columns)]
    # "y" may be a place in a picture.
    return [
        name
        for name, column in columns
        if (known_form(str(name)) in LABEL_NAMES and name != "y")
        or any(_may_be_labels(column, model) for model in pool.models if not pool.is_open)
    ]


def _may_be_labels(column: "pd.Series[Any]", model: Predictions) -> bool:
    if isinstance(model, ClassPredictions):
        predicted = [str(label) for label in model.y_pred[: len(column)].tolist()]
        values = zip(column, column.isna(), strict=True)
        return agree_beyond_chance(["" if is_na else _text(value) for value, is_na in values], predicted)
    if isinstance(model, ValuePredictions) and column.dtype.kind in "biuf":
        numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
        return are_near(numbers, model.mean[: len(column)])
    return False


def _text(value: Any) -> str:
    """Return a cell as text. 3.0 is 3: one missing value makes a column one of floats."""
    return str(int(value) if isinstance(value, float) and value.is_integer() else value).strip()
