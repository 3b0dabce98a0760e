"""A test of a model's own probabilities: the observed errors against the promised ones."""

from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_fraction, check_indices
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.trial_bets import Outcome, TrialBets

_OVER_SHARE = 0.8
"""The share of α for "overconfident"; the rest is for "underconfident"."""


class ModelTrial:
    """An anytime-valid test of whether a model errs more often than its own probabilities say.

    Each label is bet on: that the model errs more (or less) often than it promises. Given x, the distribution
    of y does not depend on how x was chosen. The product of the bets therefore has mean at most 1 if the
    promise holds, under any instrumental distribution (fixed, adaptive or chosen by hand), and ever reaches
    1/α with probability at most α. The wealth is divided among many alternatives. An instance counts once,
    however often it is drawn.

    The promised and observed quantity depends on the predictions:

    - classes: errors of y_pred; P(y ≠ y_pred | x) = 1 − p(y_pred | x);
    - values with variances: squared residuals in units of the promised variance, of mean 1;
    - rankings: the grades of the items, each query's mean between the smallest and the largest grade.

    Parameters
    ----------
    predictions : Predictions
        One model. For two models, use two tests.

    Attributes
    ----------
    kind : {"errors", "squared_residuals", "grades"}
        The quantity that is counted.
    n_labels : int
        The number of different instances so far.
    n_expected, n_observed : float
        The promised and the observed sum of errors, squared residuals or grades, over all instances so far.
    n_clipped : int
        The number of instances whose promise was too good to be held against the model, so that a milder bet
        was placed: error probabilities are raised to `MIN_PROMISE`, variances to that share of the pool's
        mean variance.

    Raises
    ------
    ValueError
        If values come without variances, which promise nothing.

    See Also
    --------
    SequentialTest : Test whether a measure is above or below a value.

    Notes
    -----
    The bets for classes are likelihood ratios of tilted odds. They are linear in the outcome, and so remain
    valid for any outcome between 0 and 1 with at most (at least) the promised mean. Rankings need this, since
    grades of one query may depend on each other. The bet on understated variances is 1 + λ (r² − 1), which is
    valid for every distribution of labels with E[r²] ≤ 1; the bet on overstated variances is a Gaussian
    likelihood ratio, valid for Gaussian labels. Whether an instance is excluded must not depend on its label.

    References
    ----------
    Ramdas, Grünwald, Vovk & Shafer, *Game-theoretic statistics and safe anytime-valid inference*, 2023;
    Waudby-Smith & Ramdas, *Estimating means of bounded random variables by betting*, JRSS-B 2024.

    Examples
    --------
    >>> trial = ModelTrial(ClassPredictions([[0.99, 0.01], [0.98, 0.02], [0.01, 0.99]]))
    >>> for instance, y in enumerate([1, 1, 0]):
    ...     evalue = trial.update(instance, y)
    >>> trial.n_observed, round(trial.n_expected, 2), trial.verdict()
    (3.0, 0.04, 'over_confident')
    """

    def __init__(self, predictions: Predictions) -> None:
        if not isinstance(predictions, Predictions):
            raise TypeError(
                "predictions must be ClassPredictions, ValuePredictions or RankingPredictions of one model, "
                f"got {predictions!r}"
            )
        self._predictions = predictions
        self._bets = predictions.trial_bets()
        self.kind = self._bets.kind
        self.restart()

    def restart(self) -> Self:
        """Discard all labels. Returns the test itself."""
        self._seen: set[int] = set()
        self._over, self._under = np.zeros(self._bets.n_over), np.zeros(self._bets.n_under)
        self._greatest_over = self._greatest_under = 0.0
        self.n_labels = self.n_clipped = 0
        self.n_expected = self.n_observed = 0.0
        return self

    def copy(self) -> Self:
        """Return a copy that can be continued independently."""
        made = copy(self)
        made._seen = set(self._seen)
        made._over, made._under = self._over.copy(), self._under.copy()
        return made

    @property
    def evalue(self) -> float:
        """The wealth of the bets on "errs more often than promised", from an initial 1."""
        return _mean_exp(self._over)

    @property
    def evalue_under(self) -> float:
        """The wealth of the bets on "errs less often than promised", from an initial 1."""
        return _mean_exp(self._under)

    @property
    def pvalue(self) -> float:
        """The p-value of "errs at most as often as promised": 1 over the largest e-value so far."""
        return float(np.exp(-self._greatest_over))

    @property
    def pvalue_under(self) -> float:
        """The p-value of "errs at least as often as promised": 1 over the largest e-value so far."""
        return float(np.exp(-self._greatest_under))

    @property
    def pvalue_of_both(self) -> float:
        """The p-value of "errs exactly as often as promised": the smallest α that gives a verdict."""
        return min(self.pvalue / _OVER_SHARE, self.pvalue_under / (1 - _OVER_SHARE), 1.0)

    def verdict(self, confidence_level: float = 0.95) -> str | None:
        """Return the verdict on the model.

        Parameters
        ----------
        confidence_level : float
            1 − α. For a model whose promises hold exactly, the probability of ever returning a verdict is at
            most α, 80 % of which is for "over_confident".

        Returns
        -------
        "over_confident", "under_confident" or None
            None if there is no verdict yet, which does not prove that promises hold.
        """
        alpha = 1 - check_fraction("confidence_level", confidence_level, closed=False)
        over, under = self.pvalue / _OVER_SHARE, self.pvalue_under / (1 - _OVER_SHARE)
        if min(over, under) > alpha:
            return None
        return "over_confident" if over <= under else "under_confident"

    def update(self, draw: int, y: Any) -> float:
        """Return the e-value after one more label.

        Parameters
        ----------
        draw : int
            Index into the pool. An instance that was drawn before or is excluded changes nothing.
        y : label
            Its label, as for `estimate`; None if it is excluded.

        Returns
        -------
        float
        """
        return float(self.extend([draw], [y])[0])

    def extend(self, draws: ArrayLike, y_true: Any) -> FloatArray:
        """Return the e-values after each of several labels.

        Parameters
        ----------
        draws : array-like of shape (n_draws,)
            Indices into the pool, with or without repeats.
        y_true : array-like of shape (n_draws,)
            Their labels; None for an excluded instance.

        Returns
        -------
        ndarray of shape (n_draws,)

        Raises
        ------
        ValueError, TypeError
            If a draw or a label is invalid. The test is then unchanged.
        """
        drawn, labels = _check(self._predictions, self._bets, draws, y_true)
        # Place all bets before the first one counts: an invalid label leaves the test unchanged.
        placed = [
            None if y is None else self._bets.place(instance, y)
            for instance, y in zip(drawn, labels, strict=True)
        ]
        evalues = np.empty(len(drawn))
        for at, (instance, seen) in enumerate(zip(drawn, placed, strict=True)):
            if seen is not None and instance not in self._seen:
                self._count(instance, seen)
            evalues[at] = self.evalue
        return evalues

    def _count(self, instance: int, seen: Outcome) -> None:
        self._seen.add(instance)
        self.n_labels += 1
        self.n_clipped += seen.is_clipped
        self.n_expected += seen.expected
        self.n_observed += seen.observed
        self._over += seen.over
        self._under += seen.under
        self._greatest_over = max(self._greatest_over, _log_mean_exp(self._over))
        self._greatest_under = max(self._greatest_under, _log_mean_exp(self._under))


def _log_mean_exp(log_capital: FloatArray) -> float:
    greatest = float(log_capital.max())
    return greatest + float(np.log(np.exp(log_capital - greatest).mean()))


def _mean_exp(log_capital: FloatArray) -> float:
    return float(np.exp(min(_log_mean_exp(log_capital), 700.0)))


def _check(
    predictions: Predictions, bets: TrialBets, draws: ArrayLike, y_true: Any
) -> tuple[list[int], list[Any]]:
    """Return indices and prepared labels, None for an excluded instance."""
    drawn = check_indices("draws", draws, predictions.n_instances)
    labels = list(y_true)
    if len(labels) != drawn.size:
        raise ValueError(f"y_true must hold one label for each of {drawn.size} draws, got {len(labels)}")
    given = [y for y in labels if y is not None]
    checked = predictions.check_labels(given, len(given), f"{len(given)} draws")
    known = iter(bets.prepared(checked))
    return drawn.tolist(), [None if y is None else next(known) for y in labels]
