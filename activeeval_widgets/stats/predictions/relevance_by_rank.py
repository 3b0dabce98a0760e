"""Grade probabilities from an item's rank, for rankers whose scores are not probabilities."""

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_grades, check_rankings

AT_THE_TOP = 0.5
"""The prior probability that the first item is relevant."""

WORTH = 10.0
"""The number of judged items that the prior counts for, in each group of ranks."""


def relevance_by_rank(
    rankings: Sequence[Sequence[Hashable]],
    grades: ArrayLike,
    judged: Sequence[Mapping[Hashable, float | None]] | None = None,
) -> list[FloatArray]:
    """Derive grade probabilities from items' ranks, for lists whose scores are not probabilities.

    An item at rank i is relevant with probability 0.5 / log₂(i + 1), all grades above 0 then being equally
    likely. Earlier judgments correct this in groups of ranks (1, 2–3, 4–7, …), in each of which it counts for
    ten judged items.

    The result guides the draws of queries, and shrinks no estimate without support from labels: if it is
    wrong, estimates and intervals remain valid, and intervals are only wider than necessary.

    Parameters
    ----------
    rankings : sequence of sequences
        For each query, its items in ranked order.
    grades : array-like of shape (n_grades,)
        The possible grades; the smallest is 0.
    judged : sequence of mappings, optional
        For each query, the grades given before the session; None for an item that could not be judged.

    Returns
    -------
    list of ndarray of shape (n_items, n_grades)
        In ranked order, as `relevance_proba` of `RankingPredictions`.

    Raises
    ------
    ValueError, TypeError
        If the grades are not distinct numbers from 0, or rankings are no lists of items.

    See Also
    --------
    RankingPredictions : Takes the result.
    RankingPredictions.with_uniform_relevance : Makes all grades equally likely.

    Examples
    --------
    >>> [proba] = relevance_by_rank([["d7", "d2", "d4"]], grades=[0, 1])
    >>> proba.round(2).tolist()
    [[0.5, 0.5], [0.68, 0.32], [0.75, 0.25]]
    >>> [proba] = relevance_by_rank([["d7", "d2", "d4"]], [0, 1], judged=[{"d7": 0}])
    >>> proba.round(2).tolist()
    [[0.55, 0.45], [0.68, 0.32], [0.75, 0.25]]
    """
    known, rankings = check_grades(grades), check_rankings(rankings)
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
