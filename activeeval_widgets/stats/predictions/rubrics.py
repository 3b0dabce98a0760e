"""Predictions from judges' grades of answers on several criteria."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._validation import (
    check_count,
    check_grades,
    check_order,
    index_of,
    refuse_masked,
)
from activeeval_widgets.stats.predictions.rankings import RankingPredictions
from activeeval_widgets.stats.predictions.votes import is_absent, smoothed_shares


def rubric_predictions(
    criteria: Sequence[str],
    grades: ArrayLike,
    n_instances: int | None = None,
    *,
    votes: Mapping[str, ArrayLike] | None = None,
    name: str | None = None,
) -> RankingPredictions:
    """Predictions for a rubric: each answer has a grade for each of several criteria.

    The criteria take the place of a list's items: they are graded one after another, and a label holds all of
    their grades. A criterion that can't be judged counts as grade 0.

    Parameters
    ----------
    criteria : sequence of str
        The names of the criteria, in the order in which they are graded.
    grades : array-like of shape (n_grades,)
        The possible grades: distinct numbers from 0 on. The page can show words for them (`grade_words`).
    n_instances : int, optional
        The number of answers, if there are no `votes`.
    votes : mapping from criterion to array-like of shape (n_instances, n_judges), optional
        The judges' grades; None or NaN for no grade. As in `ClassPredictions.from_votes`, one vote is added
        for each grade, and estimates do not use votes as a control variate. Without votes all grades are
        equally likely.
    name : str, optional
        The judges' name on screen.

    Returns
    -------
    RankingPredictions

    Raises
    ------
    ValueError, TypeError
        If a vote is none of the grades, or arguments do not fit each other.

    See Also
    --------
    RubricPassRate, RubricScore : Measures for such predictions.

    Examples
    --------
    >>> judged = rubric_predictions(["correct", "polite"], [0, 1], votes={"correct": [[1, 1, 0], [0, 0, 0]]})
    >>> judged.n_instances, judged.relevance.proba.round(2).tolist()
    (2, [[0.4, 0.6], [0.5, 0.5], [0.8, 0.2], [0.5, 0.5]])
    """
    names = [str(each) for each in criteria]
    if isinstance(criteria, str) or not names or len(set(names)) < len(names):
        raise ValueError(f"criteria must be one or more distinct names, got {criteria!r}")
    words = [each for each in grades if isinstance(each, str)] if isinstance(grades, list | tuple) else []
    if words:
        raise TypeError(
            f"grades must be numbers from 0, got {words[0]!r}: pass range({len(words)}), and these words to "
            "the page, grade_words=[…]"
        )
    known = check_grades(grades)
    if not isinstance(votes, Mapping | None):
        raise TypeError(
            "votes must be a mapping from criterion to a table of grades, such as "
            f"{{{names[0]!r}: [[1, 0], …]}}, got {votes!r:.80}"
        )
    given = {} if votes is None else dict(votes)
    for criterion in given:
        if criterion not in names:
            raise ValueError(f"votes has {criterion!r}, which is none of the criteria {names}")
    named = next((each for each, table in given.items() if index_of(table) is not None), names[0])
    for criterion, table in given.items():
        check_order(f"votes[{criterion!r}]", table, f"votes[{named!r}]", given.get(named))
    counts = {criterion: _counts(criterion, table, known) for criterion, table in given.items()}
    sizes = {len(table) for table in counts.values()}
    if n_instances is not None:
        sizes.add(check_count("n_instances", n_instances, minimum=1))
    if len(sizes) != 1:
        raise ValueError(
            "n_instances must be given if there are no votes"
            if not sizes
            else f"votes and n_instances must be for the same number of answers, got {sorted(sizes)}"
        )
    [size] = sizes
    nothing = np.zeros((size, known.size))
    tables = np.stack([smoothed_shares(counts.get(each, nothing)) for each in names], axis=1)
    made = RankingPredictions([names] * size, list(tables), known, name)
    made.assists, made.index = False, index_of(*given.values())
    return made


def _counts(criterion: str, table: Any, grades: Any) -> Any:
    """Return the number of judges that gave each grade, (n_instances, n_grades)."""
    refuse_masked(f"votes[{criterion!r}]", table)
    values = np.asarray(table, dtype=object)
    if values.ndim != 2:
        raise ValueError(f"votes[{criterion!r}] must have shape (n_instances, n_judges), got {values.shape}")
    numbers = np.array([[_number(vote) for vote in row] for row in values])
    unknown = ~np.isnan(numbers) & ~np.isin(numbers, grades)
    if unknown.any():
        row, judge = (int(at[0]) for at in np.nonzero(unknown))
        raise ValueError(
            f"votes[{criterion!r}][{row}][{judge}] is {values[row, judge]!r}, expected one of the grades "
            f"{grades.tolist()}, or None"
        )
    return (numbers[:, :, np.newaxis] == grades).sum(axis=1).astype(np.float64)


def _number(vote: Any) -> float:
    """Return a vote as a number: NaN if it is absent, and -1, which no grade is, if it is none."""
    try:
        return np.nan if is_absent(vote) else float(vote)
    except (TypeError, ValueError):
        return -1.0
