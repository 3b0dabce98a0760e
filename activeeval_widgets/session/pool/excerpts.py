"""What an instance is called in a table: its title, its first words, or its file."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import pandas as pd

from activeeval_widgets.session.pool.instances import Ranking, Text
from activeeval_widgets.session.pool.pool import Pool

LENGTH = 120
"""Longer ones are cut here."""


def excerpt(pool: Pool, index: int, length: int = LENGTH) -> str:
    """An instance in a line of text: "" where it has none, as an image that is an array.

    Parameters
    ----------
    pool : Pool
        The pool.
    index : int
        The instance's index.
    length : int
        More characters than this are cut.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions
    >>> pool = Pool(["so good", "so bad"], predictions=ClassPredictions([[0.1, 0.9], [0.7, 0.3]]))
    >>> excerpt(pool, 1)
    'so bad'
    """
    if isinstance(pool.instances, pd.DataFrame):
        row = pool.instances.iloc[index]
        text = "; ".join(f"{name}: {value}" for name, value in row.items())
    else:
        text = _words(pool.instances[index])
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 1].rstrip()}…"


def _words(instance: Any) -> str:
    if isinstance(instance, str):
        return instance
    if isinstance(instance, PurePath):
        return str(instance)
    if isinstance(instance, Text):
        return f"{instance.title}: {instance.text}" if instance.title else instance.text
    if isinstance(instance, Ranking):
        return instance.query
    if isinstance(instance, Mapping):
        return "; ".join(f"{name}: {value}" for name, value in instance.items())
    if isinstance(instance, tuple | list) and all(isinstance(part, str | Text) for part in instance):
        return " | ".join(_words(part) for part in instance)
    return ""
