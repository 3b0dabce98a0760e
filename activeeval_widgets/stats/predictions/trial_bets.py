"""Bets on single labels against a model's promises."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, logit

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.predictions.beliefs import RelevanceModel

MIN_PROMISE = 1e-3
"""Promised error probabilities are raised to this one: a probability of 0 is neither believed nor tested."""

_TEMPERATURES = (1.0, 2.0, 4.0, 8.0)
_ODDS = (1.0, 2.0, 4.0, 8.0)
"""Alternatives: an error's log-odds divided by a temperature, and its odds multiplied."""

_SHARES = (0.05, 0.1, 0.2, 0.4, 0.7)
"""Stakes on squared residuals, as shares of the wealth."""

_SOME = 1_000

_SCALES = (0.9, 0.75, 0.5, 0.25, 0.1)
"""Alternatives: the variance is this share of the promised one."""


class Outcome(NamedTuple):
    """One label: its promised and observed count in the kind's unit, and the growth of log wealth."""

    expected: float
    observed: float
    is_clipped: bool
    over: FloatArray
    under: FloatArray


class TrialBets(ABC):
    """Bets on one label, against the promise, of more and of fewer errors."""

    kind: str
    """The quantity that is counted: "errors", "squared_residuals" or "grades"."""
    n_over: int
    n_under: int
    """The numbers of alternatives with more and with fewer errors."""

    def prepared(self, labels: Any) -> Any:
        """Return validated labels in the form that `place` accepts one by one."""
        return labels

    @abstractmethod
    def place(self, instance: int, y: Any) -> Outcome | None:
        """Return the outcome of a label; None if it carries no information."""


_TILTS = np.array([(t, odds) for t in _TEMPERATURES for odds in _ODDS if t * odds > 1])


def tilted_bets(promised: float, outcome: float) -> tuple[FloatArray, FloatArray]:
    """Return log factors of bets on more and on less than promised: likelihood ratios of tilted odds."""
    over, under = np.zeros(len(_TILTS)), np.zeros(len(_TILTS))
    temperature, odds = _TILTS.T
    # At the extremes there is nothing to bet on: an error rate above 1 or below 0.
    if promised < 1 - MIN_PROMISE:
        held = max(promised, MIN_PROMISE)
        tilted = expit(max(logit(held), 0.0) + min(logit(held), 0.0) / temperature + np.log(odds))
        over = _log_ratio(held, tilted, outcome)
    if promised > MIN_PROMISE:
        held = min(promised, 1 - MIN_PROMISE)
        tilted = expit(min(logit(held), 0.0) * temperature + max(logit(held), 0.0) - np.log(odds))
        under = _log_ratio(held, tilted, outcome)
    return over, under


def _log_ratio(held: float, tilted: FloatArray, outcome: float) -> FloatArray:
    ratio: FloatArray = np.log(outcome * tilted / held + (1 - outcome) * (1 - tilted) / (1 - held))
    return ratio


class BetsOnErrors(TrialBets):
    """Bets on whether the label differs from the predicted class, against 1 − p(f(x) | x)."""

    kind = "errors"
    n_over = n_under = len(_TILTS)

    def __init__(self, pred_codes: IntArray, y_proba: FloatArray, encode: Callable[[Any], IntArray]) -> None:
        self._pred_codes, self._y_proba, self._encode = pred_codes, y_proba, encode

    def prepared(self, labels: Any) -> IntArray:
        """Return positions in the classes."""
        return self._encode(labels)

    def place(self, instance: int, y: int) -> Outcome:
        """Return the outcome of a label, given as its position in the classes."""
        predicted = int(self._pred_codes[instance])
        promised = min(max(1 - float(self._y_proba[instance, predicted]), 0.0), 1.0)
        error = float(y != predicted)
        return Outcome(promised, error, promised < MIN_PROMISE, *tilted_bets(promised, error))


class BetsOnGrades(TrialBets):
    """Bets on the mean grade of a query's items, against the expected one."""

    kind = "grades"
    n_over = n_under = len(_TILTS)

    def __init__(self, rankings: Sequence[Sequence[Hashable]], relevance: RelevanceModel) -> None:
        self._rankings, self._relevance = rankings, relevance
        self._greatest = float(relevance.grades.max())

    def place(self, instance: int, y: Any) -> Outcome | None:
        """Return the outcome of a query's grades; None if there are none."""
        relevance, grades = self._relevance, self._relevance.grades
        graded = self._graded(instance, y)
        if not graded:
            return None
        rows = [relevance.rows[instance][item] for item in graded]
        means = relevance.proba[rows] @ grades
        seen = np.array(list(graded.values()), dtype=np.float64)
        unknown = ~np.isin(seen, grades)
        if unknown.any():
            grade = seen[int(np.argmax(unknown))]
            raise ValueError(f"query {instance} has the grade {grade:g}, expected one of {grades.tolist()}")
        # The missing share of relevance takes the place of errors.
        promised, missing = (float(1 - each.mean() / self._greatest) for each in (means, seen))
        promised = min(max(promised, 0.0), 1.0)
        over, under = tilted_bets(promised, min(max(missing, 0.0), 1.0))
        return Outcome(float(means.sum()), float(seen.sum()), promised < MIN_PROMISE, over, under)

    def _graded(self, instance: int, y: Any) -> dict[Any, Any]:
        """Return the items that have a grade; an item without one can't be judged."""
        ranking = self._rankings[instance]
        if not isinstance(y, Mapping):
            if not isinstance(y, Sequence | np.ndarray) or len(y) != len(ranking):
                raise ValueError(
                    f"the label of query {instance} is {y!r}, expected a mapping from item to grade, "
                    f"or {len(ranking)} grades in ranked order"
                )
            y = dict(zip(ranking, y, strict=True))
        return {item: y[item] for item in ranking if y.get(item) is not None}


class BetsOnResiduals(TrialBets):
    """Bets on a value's squared residual, in units of the promised variance."""

    kind = "squared_residuals"
    n_over, n_under = len(_SHARES), len(_SCALES)

    def __init__(self, mean: FloatArray, variance: FloatArray | None) -> None:
        if variance is None:
            raise ValueError("values without variances promise nothing that could be tested")
        self._mean, self._variance = mean, variance
        # If all variances are 0, the spread of the predictions is the only unit. For predictions that are not
        # in memory, the first ones decide.
        some = slice(None) if isinstance(variance, np.ndarray) else slice(0, _SOME)
        scale = float(variance[some].mean()) or float(mean[some].var()) or 1.0
        self._least = MIN_PROMISE * scale

    def place(self, instance: int, y: float) -> Outcome:
        """Return the outcome of a value."""
        promised = float(self._variance[instance])
        square = float((y - self._mean[instance]) ** 2) / max(promised, self._least)
        over = np.log1p(np.array(_SHARES) * (square - 1))
        under = np.zeros(self.n_under)
        if promised >= self._least:
            scales = np.array(_SCALES)
            under = -(np.log(scales) + square * (1 / scales - 1)) / 2
        return Outcome(1.0, square, promised < self._least, over, under)
