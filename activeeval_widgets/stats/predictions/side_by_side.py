"""Predictions for two systems whose answers to the same questions are judged side by side."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._validation import check_count, index_of
from activeeval_widgets.stats.predictions.class_labels import check_classes
from activeeval_widgets.stats.predictions.classes import ClassPredictions

SIDES = ("A", "B", "both", "neither")
"""The labels: only the first answer passes, only the second one, both, or neither."""

IN_ORDER = (("a", "b"), ("1", "2"), ("first", "second"), ("left", "right"))
"""Pairs of labels, or label endings, that identify the first and the second answer."""


def in_order(labels: list[Any]) -> tuple[Any, Any] | None:
    """Return two labels in order, the one for the first answer first; None if they do not say."""
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
    """Represent two systems as models to compare, with labels that say which of their answers pass.

    Parameters
    ----------
    names : sequence of two str
        The names of the systems.
    votes : array-like or DataFrame of shape (n_instances, n_judges), optional
        The judges' labels of each pair of answers, each one of `classes`; None or NaN for no verdict. Votes
        guide draws and stand in for missing labels, but estimates do not use them as a control variate
        (`ClassPredictions.from_votes`). Without votes all labels are equally likely.
    n_instances : int, optional
        The number of pairs, if there are no votes.
    classes : array-like of shape (n_classes,)
        The labels: only the first system passes, only the second, and labels for both systems alike, such as
        both or neither. The first system's answer is the first of each pair.

    Returns
    -------
    dict from str to ClassPredictions
        The systems by name, for `compare` and `Pool`.

    Raises
    ------
    ValueError, TypeError
        If there are not two names, a vote is none of the labels, or the number of pairs is unknown.

    See Also
    --------
    PassRate : The rate at which each system passes, and the difference.

    Examples
    --------
    >>> systems = side_by_side(["new", "old"], votes=[["A", "both"], ["neither", None]])
    >>> systems["old"].y_proba.round(2).tolist()
    [[0.33, 0.17, 0.33, 0.17], [0.2, 0.2, 0.2, 0.4]]
    """
    if isinstance(names, str) or len(names) != 2 or names[0] == names[1]:
        raise ValueError(f"names must be two distinct names, got {names!r}")
    labels = check_classes(classes, np.size(classes))
    if labels.size < 3:
        raise ValueError(f"classes must hold labels of each system and of both, got {labels.tolist()!r}")
    if votes is None:
        if n_instances is None:
            raise ValueError("n_instances must be given if there are no votes")
        size = check_count("n_instances", n_instances, minimum=1)
        proba = np.full((size, labels.size), 1 / labels.size)
    else:
        proba = ClassPredictions.from_votes(votes, labels).y_proba
        if n_instances is not None and n_instances != len(proba):
            raise ValueError(f"votes holds {len(proba)} pairs, but n_instances is {n_instances}")
    made = {}
    for name, label in zip(names, labels[:2], strict=True):
        system = ClassPredictions(proba, labels, np.full(len(proba), label), str(name))
        system.assists, system.index = False, index_of(votes)
        made[str(name)] = system
    return made
