"""What a demo is, and the files that the demos share."""

from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import Any

import numpy as np

from activeeval_widgets.session.findings.goals import Goal
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats._typing import AnyArray

DATA = files("activeeval_widgets.demos") / "data"


@dataclass(frozen=True)
class Demo:
    """A labeling task to try the package on.

    Attributes
    ----------
    title : str
        What the page is headed with.
    question : str
        What the labeler is asked about each instance.
    guidelines : str
        How to decide, and where the data are from, in Markdown.
    pool : Pool
        The instances with the predictions of one model or of several.
    measure : Measure
        What is estimated.
    y_true : ndarray of shape (n_instances,), or list of dict
        The true labels; for rankings, a mapping from item to grade for each query. The session never sees
        them.
    goal : Goal
        When a session may stop. At least nine in ten reach it within the budget (`benchmarks/demo_goals.py`).
    budget : int
        How many labels a session asks for.
    y_range : tuple of float, optional
        For values: the smallest and the largest that a label may be.
    unit : str or tuple of two str, optional
        For values: their unit, or its singular and plural.
    intro : str, optional
        What this is, in a sentence or two.
    grade_words : tuple of str, optional
        For rankings: what each grade means.
    reasons : tuple of str, optional
        Why an instance can be excluded.
    """

    title: str
    question: str
    guidelines: str
    pool: Pool
    measure: Measure
    y_true: Any
    goal: Goal
    budget: int = 200
    y_range: tuple[float, float] | None = None
    unit: str | tuple[str, str] | None = None
    intro: str | None = None
    grade_words: tuple[str, ...] | None = None
    reasons: tuple[str, ...] | None = None


def read_arrays(name: str) -> dict[str, AnyArray]:
    """The arrays of an `.npz` file among the demos' data."""
    with as_file(DATA / name) as path, np.load(path, allow_pickle=False) as arrays:
        return {key: arrays[key] for key in arrays.files}
