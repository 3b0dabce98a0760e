"""What other libraries hand over, as what a pool knows: tables, columns, images, classifiers' answers."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

_ANSWER = {"label", "score"}


def as_instances(value: Any, kind: str | None) -> Any:
    """Instances as NumPy, pandas or a list has them; what is none of another library comes back as it is."""
    found = as_table(value)
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
    """A table or column of another library as pandas has it, with the names of its columns.

    Tables are taken by the Arrow stream that they give (`__arrow_c_stream__`), which pyarrow, polars, DuckDB
    and others have. Data sets of Hugging Face are taken by their columns, in which images are decoded.
    """
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
        except (TypeError, ValueError):  # a column, as a polars series
            return pa.chunked_array(value).to_pandas()
    return value


def as_model(value: Any) -> Any:
    """Predictions of another library as a pool knows them.

    Answers of a text-classification pipeline of transformers, `[[{"label": …, "score": …}, …], …]`, become a
    table whose columns are the labels, in the order of their names.
    """
    if not isinstance(value, list) or not value:
        return as_table(value)
    if _is_answer(value[0]):
        raise ValueError(
            "predictions are the best label of each instance alone, with its score. Ask the pipeline for "
            "all: pipeline(texts, top_k=None); or give the labels: [answer['label'] for answer in answers]"
        )
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


def pixels(image: Any) -> Any:
    """The pixels of a PIL image: gray, RGB or RGBA."""
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
    """Whether it is an image of PIL, which is imported by whoever has made one."""
    return any(cls.__module__ == "PIL.Image" and cls.__name__ == "Image" for cls in type(value).__mro__)
