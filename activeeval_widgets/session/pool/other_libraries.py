"""Converts objects of other libraries: tables, columns, images, and results of pipelines."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import issparse

from activeeval_widgets.stats import ClassPredictions
from activeeval_widgets.stats._validation import refuse_masked
from activeeval_widgets.stats.predictions.best_classes import with_even_rest

_ANSWER = {"label", "score"}


def as_instances(value: Any, kind: str | None) -> Any:
    """Convert instances of other libraries to NumPy, pandas or a list; return others unchanged."""
    if issparse(value):
        raise TypeError(
            "instances is a sparse matrix, expected what people look at, such as the texts it was made of; "
            "give the matrix as features"
        )
    if hasattr(type(value), "ngroups"):
        raise TypeError(
            f"instances is a {type(value).__name__}, expected the table itself: its groups are a column, "
            "groups=table['group']"
        )
    refuse_masked("instances", value)
    found = as_table(value)
    if not hasattr(found, "__len__") and hasattr(found, "__iter__"):
        found = list(found)
    if isinstance(found, pd.DataFrame) and found is not value and found.shape[1] == 1:
        found = found.iloc[:, 0].tolist()
    if isinstance(found, pd.Series) and found is not value:
        found = found.tolist()
    if kind not in (None, "image") or isinstance(
        found, Mapping | pd.DataFrame | pd.Series | np.ndarray | str | bytes
    ):
        return found
    if hasattr(found, "__getitem__") and hasattr(found, "__len__") and len(found) and _is_pil(found[0]):
        return [pixels(each) if _is_pil(each) else each for each in found]
    return found


def as_table(value: Any) -> Any:
    """Convert a table or column to pandas, by its Arrow stream, or by column as Hugging Face's data sets."""
    if isinstance(value, pd.DataFrame | pd.Series | np.ndarray):
        return value
    names = getattr(value, "column_names", None)
    if isinstance(names, list) and hasattr(value, "features") and hasattr(value, "__getitem__"):
        return pd.DataFrame({name: pd.Series(list(value[name]), dtype=None) for name in names})
    if hasattr(value, "__arrow_c_stream__") or hasattr(value, "__arrow_c_array__"):
        import pyarrow as pa  # when one is there: most pools have none

        if not hasattr(value, "__arrow_c_stream__"):
            return pa.array(value).to_pandas()
        try:
            return pa.table(value).to_pandas()
        except (TypeError, ValueError):  # a column, such as a polars series
            return pa.chunked_array(value).to_pandas()
    return value


def as_column(name: str, value: Any) -> Any:
    """Return a column of pyarrow as a list, and others unchanged; refuse tables and groupby objects."""
    if hasattr(type(value), "ngroups") or len(getattr(value, "shape", ())) > 1:
        raise TypeError(
            f"{name} must be one column with an entry for each instance, such as table[{name.rstrip('s')!r}]"
            f", got a {type(value).__name__}"
        )
    return value.to_pylist() if hasattr(value, "to_pylist") else value


def as_model(value: Any) -> Any:
    """Convert predictions of other libraries: tables, and answers of text-classification pipelines."""
    if not isinstance(value, list) or not value:
        return as_table(value)
    if _is_answer(value[0]):
        return _of_best_labels(value)
    if not (isinstance(value[0], list) and value[0] and all(map(_is_answer, value[0]))):
        return value
    labels = sorted(answer["label"] for answer in value[0])
    rows = []
    for position, answers in enumerate(value):
        scores = {answer["label"]: answer["score"] for answer in answers}
        if sorted(scores) != labels:
            raise ValueError(
                f"predictions[{position}] has scores of {sorted(scores)}, those before of {labels}: ask the "
                "pipeline for all labels by top_k=None"
            )
        rows.append([scores[label] for label in labels])
    return pd.DataFrame(rows, columns=labels)


def _of_best_labels(answers: list[Any]) -> ClassPredictions:
    if not all(map(_is_answer, answers)):
        raise ValueError("predictions must have a label and a score for each instance, as the first one has")
    labels = [answer["label"] for answer in answers]
    classes, codes = np.unique(labels, return_inverse=True)
    if classes.size < 2:
        raise ValueError(
            f"predictions hold only the label {labels[0]!r}: ask the pipeline for all, "
            "pipeline(texts, top_k=None)"
        )
    scores = np.array([answer["score"] for answer in answers], dtype=np.float64)
    return ClassPredictions(with_even_rest(scores, codes, classes.size), classes, labels)


def pixels(image: Any) -> Any:
    """Return the pixels of a PIL image as gray, RGB or RGBA."""
    if image.mode in ("L", "RGB", "RGBA"):
        return np.asarray(image)
    if image.mode == "1":
        return np.asarray(image.convert("L"))
    if image.mode.startswith(("I", "F")):
        return np.asarray(image, dtype=np.float64)
    has_alpha = image.mode in ("LA", "PA", "La", "RGBa") or "transparency" in image.info
    return np.asarray(image.convert("RGBA" if has_alpha else "RGB"))


def _is_answer(value: Any) -> bool:
    return isinstance(value, Mapping) and set(value) == _ANSWER


def _is_pil(value: Any) -> bool:
    """Return whether a value is a PIL image, without importing PIL."""
    return any(cls.__module__ == "PIL.Image" and cls.__name__ == "Image" for cls in type(value).__mro__)
