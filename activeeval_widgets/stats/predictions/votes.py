"""Class probabilities from the votes of several judges."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, FloatArray
from activeeval_widgets.stats._validation import check_order, refuse_masked
from activeeval_widgets.stats.predictions.class_labels import as_labels, check_classes, kind_of, plain_label
from activeeval_widgets.stats.text import listed

SMOOTHING = 1.0
"""The number of votes that is added for each class: Laplace's rule."""


def counts_of_votes(
    votes: Any, classes: ArrayLike | None, y_pred: ArrayLike | None
) -> tuple[FloatArray, AnyArray]:
    """Return the number of votes for each class, and the classes; see `ClassPredictions.from_votes`."""
    check_order("y_pred", y_pred, "votes", votes)
    rows = _rows(votes)
    cast = [(row, judge, vote) for row, given in enumerate(rows) for judge, vote in given]
    known = _classes(cast, classes, y_pred)
    code = {label: at for at, label in enumerate(known.tolist())}
    counts = np.zeros((len(rows), known.size))
    for row, judge, vote in cast:
        at = None if _is_other_kind(vote, known) else code.get(vote)
        if at is None:
            names = listed([*map(repr, code)], 10)
            raise ValueError(
                f"votes[{row}, {judge}] is {vote!r}, expected one of the classes {names}, "
                "or None where the judge gave no verdict"
            )
        counts[row, at] += 1
    return counts, known


def smoothed_shares(counts: FloatArray, smoothing: float = SMOOTHING) -> FloatArray:
    """Return each class's share of the votes, some added for each; without a vote, the others' average."""
    if isinstance(smoothing, bool) or not np.isfinite(smoothing) or smoothing <= 0:
        raise ValueError(f"smoothing must be a finite number above 0, got {smoothing!r}")
    added = counts + smoothing
    shares: FloatArray = added / added.sum(axis=1, keepdims=True)
    voted = counts.any(axis=1)
    if voted.any():
        shares[~voted] = shares[voted].mean(axis=0)
    return shares


def _rows(votes: Any) -> list[list[tuple[int, Any]]]:
    """Return, for each instance, the positions of the judges that voted and their votes as plain values."""
    refuse_masked("votes", votes)
    if isinstance(votes, Mapping):
        raise TypeError(
            "votes must be a table with a row for each instance, got a mapping: if it holds each judge's "
            "verdicts, pass pandas.DataFrame(votes)"
        )
    values: Any = votes if isinstance(votes, list | tuple) else np.asarray(votes, dtype=object).tolist()
    if not isinstance(values, Sequence) or isinstance(values, str | bytes) or not len(values):
        raise ValueError(f"votes must have shape (n_instances, n_judges), got {votes!r:.100}")
    rows = []
    n_judges: int | None = None
    for number, row in enumerate(values):
        if isinstance(row, str | bytes) or not hasattr(row, "__len__"):
            raise ValueError(
                f"votes must have shape (n_instances, n_judges), but votes[{number}] is {row!r:.100}. "
                "For a single judge: [[vote] for vote in votes]"
            )
        n_judges = len(row) if n_judges is None else n_judges
        if len(row) != n_judges or not n_judges:
            raise ValueError(
                f"votes must have one entry for each judge, but votes[{number}] has {len(row)} "
                f"and votes[0] has {n_judges}. None means that a judge gave no verdict"
            )
        plain = [plain_label(vote) for vote in row]
        rows.append([(judge, vote) for judge, vote in enumerate(plain) if not is_absent(vote)])
    return rows


def is_absent(vote: Any) -> bool:
    """Return whether a vote is missing: None, NaN, or pandas' equivalents."""
    if vote is None:
        return True
    unlike = vote != vote
    return not isinstance(unlike, bool) or unlike  # pandas.NA compares as NA


def _classes(
    cast: Sequence[tuple[int, int, Any]], classes: ArrayLike | None, y_pred: ArrayLike | None
) -> AnyArray:
    if classes is None:
        decided: list[Any] = [] if y_pred is None else as_labels(y_pred, "y_pred").tolist()
        found = as_labels(list(dict.fromkeys([*(vote for _, _, vote in cast), *decided])))
        if found.dtype.kind == "O":
            raise TypeError(
                "votes must be all strings, all numbers or all booleans, got "
                f"{', '.join(map(repr, found.tolist()[:6]))}; votes.astype(str) makes strings of any"
            )
        classes = np.unique(found)
    n_classes = len(as_labels(classes, "classes"))
    if not n_classes:
        raise ValueError("votes holds no vote at all. Name the classes with classes=[…]")
    known = check_classes(classes, n_classes)
    if n_classes < 2:
        raise ValueError(f"{known[0].item()!r} is the only class. Name all of them with classes=[…]")
    return known


def _is_other_kind(vote: Any, known: AnyArray) -> bool:
    """Return whether a vote can't be a class, or not one of these."""
    kind = kind_of(type(vote))
    return kind is None or (kind == "string") != (known.dtype.kind == "U")
