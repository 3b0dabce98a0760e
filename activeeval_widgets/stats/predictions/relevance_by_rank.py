"""What a rank alone says of an item's grade: for rankers whose scores are no probabilities."""

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_grades

AT_THE_TOP = 0.5
"""How likely the first item is held to be relevant, before anything is known."""

WORTH = 10.0
"""As many judged items does that count for, in each group of ranks."""


def relevance_by_rank(
    rankings: Sequence[Sequence[Hashable]],
    grades: ArrayLike,
    judged: Sequence[Mapping[Hashable, float | None]] | None = None,
) -> list[FloatArray]:
    """The probability of each grade by the item's rank: for lists whose scores are no probabilities.

    An item at rank i is relevant with probability 0.5 / log₂(i + 1), and all grades above 0 are then as
    likely. Where items were judged before, their grades correct that, in groups of ranks (1, 2–3, 4–7, …), in
    which it counts as much as ten judged items.

    This guides which queries are drawn, and shrinks no estimate that labels do not support: estimates and
    intervals stay right where it is wrong, and only get wider than they could be.

    Parameters
    ----------
    rankings : sequence of sequences
        For each query, its items in ranked order.
    grades : array-like of shape (n_grades,)
        The grades there are; the smallest is 0.
    judged : sequence of mappings, optional
        For each query, grades that were given before the session; None for an item that could not be judged.

    Returns
    -------
    list of ndarray of shape (n_items, n_grades)
        In ranked order: what `RankingPredictions` takes as `relevance_proba`.

    Raises
    ------
    ValueError, TypeError
        If the grades are no distinct numbers from 0.

    See Also
    --------
    RankingPredictions : Takes them.
    RankingPredictions.with_uniform_relevance : All grades equally likely.

    Examples
    --------
    >>> [proba] = relevance_by_rank([["d7", "d2", "d4"]], grades=[0, 1])
    >>> proba.round(2).tolist()
    [[0.5, 0.5], [0.68, 0.32], [0.75, 0.25]]
    >>> [proba] = relevance_by_rank([["d7", "d2", "d4"]], [0, 1], judged=[{"d7": 0}])
    >>> proba.round(2).tolist()
    [[0.55, 0.45], [0.68, 0.32], [0.75, 0.25]]
    """
    known = check_grades(grades)
    longest = max(map(len, rankings), default=0)
    rank = np.arange(1, longest + 1)
    relevant = AT_THE_TOP / np.log2(rank + 1)
    proba = np.repeat(relevant[:, np.newaxis] / max(1, known.size - 1), known.size, axis=1)
    proba[:, known == 0] = 1 - relevant[:, np.newaxis]
    if known.size == 1:
        proba[:] = 1.0
    if judged is not None:
        group = np.floor(np.log2(rank)).astype(np.intp)
        counts = np.zeros((int(group.max(initial=-1)) + 1, known.size))
        place = {grade: at for at, grade in enumerate(known.tolist())}
        for ranking, given in zip(rankings, judged, strict=True):
            for at, item in enumerate(ranking):
                grade = given.get(item)
                if grade is not None and float(grade) in place:
                    counts[group[at], place[float(grade)]] += 1
        of_rank = counts[group]
        proba = (WORTH * proba + of_rank) / (WORTH + of_rank.sum(axis=1, keepdims=True))
    proba.flags.writeable = False
    return [proba[: len(ranking)] for ranking in rankings]
