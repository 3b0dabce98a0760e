"""The class of demos, and access to their data files."""

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
        The page's heading.
    question : str
        The question about each instance.
    guidelines : str
        Instructions for labelers, and the source of the data, in Markdown.
    pool : Pool
        The instances, with the predictions of one or more models.
    measure : Measure
        The measure to estimate.
    y_true : ndarray of shape (n_instances,), or list of dict
        The true labels; for rankings, a mapping from item to grade for each query. The session does not use
        them.
    goal : Goal
        The stopping goal. At least nine in ten sessions reach it within the budget
        (`benchmarks/demo_goals.py`).
    budget : int
        The number of labels that a session asks for.
    y_range : tuple of float, optional
        For values, the smallest and largest possible label.
    unit : str or tuple of two str, optional
        For values, their unit, or its singular and plural.
    intro : str, optional
        An introduction of one or two sentences.
    grade_words : tuple of str, optional
        For rankings, the meaning of each grade.
    reasons : tuple of str, optional
        Reasons for excluding an instance.
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
    """Return the arrays of an `.npz` file in the demos' data."""
    with as_file(DATA / name) as path, np.load(path, allow_pickle=False) as arrays:
        return {key: arrays[key] for key in arrays.files}
