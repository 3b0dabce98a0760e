"""Columns that may hold the labels, which nobody who labels should see."""

# ruff: noqa: SIM905 - a list of words reads better this way

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from activeeval_widgets.stats import ClassPredictions, cohen_kappa

if TYPE_CHECKING:
    from activeeval_widgets.session.pool.pool import Pool

LABEL_NAMES = tuple(
    "label labels y y_true true_label gold gold_label target truth ground_truth actual annotation".split()
)
_LOOKED_AT = 2_000
"""Columns are compared with the predictions in this many rows."""

_LEAST_KAPPA = 0.4
"""Cohen's kappa with the predicted classes from which a column may hold labels."""


def known_form(name: str) -> str:
    """Return a column's name as lists of known names have it: "Instance ID" as "instance_id"."""
    return re.sub(r"[ _.:\-/]+", "_", name.lower())


def agree_beyond_chance(texts: Sequence[str], predicted: Sequence[str]) -> bool:
    """Return whether texts, where they are not empty, agree with predicted classes beyond chance."""
    pairs = [(text.casefold(), of_model.casefold()) for text, of_model in zip(texts, predicted, strict=True)]
    pairs = [pair for pair in pairs if pair[0]]
    return bool(pairs) and cohen_kappa(pairs).value > _LEAST_KAPPA


def columns_like_labels(pool: "Pool") -> list[Any]:
    """Return the columns of a table of records that are named as labels are, or agree with a model."""
    if pool.kind != "record" or not isinstance(pool.instances, pd.DataFrame):
        return []
    head = pool.instances.iloc[:_LOOKED_AT]
    classes = [model.y_pred[:_LOOKED_AT] for model in pool.models if isinstance(model, ClassPredictions)]
    predicted = [[str(label) for label in labels.tolist()] for labels in classes]
    found = []
    for position, name in enumerate(head.columns):
        texts = head.iloc[:, position].astype("string").fillna("").str.strip().tolist()
        # "y" may be a place in a picture.
        is_named = known_form(str(name)) in LABEL_NAMES and name != "y"
        if is_named or any(agree_beyond_chance(texts, labels) for labels in predicted):
            found.append(name)
    return found
