"""Two systems whose answers to the same questions are judged side by side."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._validation import check_count
from activeeval_widgets.stats.predictions.class_labels import check_classes
from activeeval_widgets.stats.predictions.classes import ClassPredictions

SIDES = ("A", "B", "both", "neither")
"""Labels: only the first answer passes, only the second, both, neither."""

IN_ORDER = (("a", "b"), ("1", "2"), ("first", "second"), ("left", "right"))
"""Labels, or how they end, that say by themselves which of two answers they mean."""


def in_order(labels: list[Any]) -> tuple[Any, Any] | None:
    """Of two labels the one that means the first answer, and the other; None where they do not say it."""
    texts = [str(label).strip().casefold() for label in labels]
    for first, second in IN_ORDER:
        for one, other in ((0, 1), (1, 0)):
            begins = texts[one].removesuffix(first), texts[other].removesuffix(second)
            is_whole = begins == ("", "")
            is_ending = begins[0] == begins[1] and begins[0].endswith(("_", "-", " "))
            if texts[one].endswith(first) and texts[other].endswith(second) and (is_whole or is_ending):
                return labels[one], labels[other]
    return None


def side_by_side(
    names: Sequence[str],
    votes: ArrayLike | Sequence[Sequence[Any]] | None = None,
    n_instances: int | None = None,
    *,
    classes: ArrayLike = SIDES,
) -> dict[str, ClassPredictions]:
    """Two systems as models that are compared: a label says which of their answers pass.

    Parameters
    ----------
    names : sequence of two str
        What the systems are called.
    votes : array-like or DataFrame of shape (n_instances, n_judges), optional
        What judges said of each pair of answers, one of `classes`; None or NaN where one said nothing. They
        guide draws and stand in for labels, and estimates do not lean on them
        (`ClassPredictions.from_votes`). Without votes all labels are equally probable.
    n_instances : int, optional
        How many pairs there are, where no votes say it.
    classes : array-like of shape (n_classes,)
        The labels: only the first system passes, only the second, and those that are of both: both pass, or
        neither. The first system's answer is the first of each pair.

    Returns
    -------
    dict from str to ClassPredictions
        The systems by their names: what `compare` and `Pool` take.

    Raises
    ------
    ValueError, TypeError
        If there are not two names, a vote is none of the labels, or nothing says how many pairs there are.

    See Also
    --------
    PassRate : how often each passes, and the difference.

    Examples
    --------
    >>> systems = side_by_side(["new", "old"], votes=[["A", "both"], ["neither", None]])
    >>> systems["old"].y_proba.round(2).tolist()
    [[0.33, 0.17, 0.33, 0.17], [0.2, 0.2, 0.2, 0.4]]
    """
    if isinstance(names, str) or len(names) != 2 or names[0] == names[1]:
        raise ValueError(f"names must be two different names, got {names!r}")
    labels = check_classes(classes, len(np.asarray(classes)))
    if labels.size < 3:
        raise ValueError(f"classes must be two systems' labels and those of both, got {labels.tolist()!r}")
    if votes is None:
        if n_instances is None:
            raise ValueError("n_instances must be given where there are no votes")
        size = check_count("n_instances", n_instances, minimum=1)
        proba = np.full((size, labels.size), 1 / labels.size)
    else:
        proba = ClassPredictions.from_votes(votes, labels).y_proba
        if n_instances is not None and n_instances != len(proba):
            raise ValueError(f"votes are of {len(proba)} pairs, but n_instances is {n_instances}")
    made = {}
    for name, label in zip(names, labels[:2], strict=True):
        system = ClassPredictions(proba, labels, np.full(len(proba), label), str(name))
        system.assists = False
        made[str(name)] = system
    return made
