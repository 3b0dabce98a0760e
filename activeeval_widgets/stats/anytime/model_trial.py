"""The model on trial: the errors seen against the errors that the model's own probabilities promised."""

from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_draws, check_fraction
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.trial_bets import Outcome, TrialBets

_OVER_SHARE = 0.8
"""How much of α goes to "overconfident"; the rest, to "underconfident"."""


class ModelTrial:
    """A test, valid at every label, of whether a model errs more often than its own probabilities say.

    A bet is placed on the label of each instance: that the model is more (or less) often wrong than it
    promises. Given x, the law of y does not depend on how x was chosen, so the product of the bets has mean
    at most 1 if the promise holds, under any instrumental distribution, fixed, adaptive or by hand; that it
    ever reaches 1/α has probability at most α. The capital is divided between many alternatives. An instance
    counts once, however often it is drawn.

    What is promised and seen depends on the predictions:

    - classes: errors of y_pred; P(y ≠ y_pred | x) = 1 − p(y_pred | x);
    - values with variances: squared residuals in units of the promised variance, of mean 1;
    - rankings: the grades of the items, each query's mean between the smallest and the largest grade.

    Parameters
    ----------
    predictions : Predictions
        One model; two models are two trials.

    Attributes
    ----------
    kind : {"errors", "squared_residuals", "grades"}
        What is counted.
    n_labels : int
        Instances seen.
    n_expected, n_observed : float
        The promised and the seen sum: of errors, squared residuals or grades, over all instances seen.
    n_clipped : int
        For how many of them the promise was too good to be held against the model, and milder bets were
        placed: an error probability is taken for `LEAST_PROMISE` at least, a variance for that share of the
        pool's mean variance.

    Raises
    ------
    ValueError
        If values come without variances, which promise nothing.

    See Also
    --------
    SequentialTest : whether a measure is above or below a value.

    Notes
    -----
    The bets for classes are likelihood ratios of tilted odds. They are linear in the outcome, so they hold
    for any outcome between 0 and 1 with at most (at least) the promised mean, which is what rankings need:
    grades of one query may depend on each other. The bet on understated variances is 1 + λ (r² − 1), which
    holds for every distribution of labels with E[r²] ≤ 1; that on overstated ones is a Gaussian likelihood
    ratio, and holds for Gaussian labels. Whether an instance can be labeled must not depend on its label.

    References
    ----------
    Ramdas, Grünwald, Vovk & Shafer, *Game-theoretic statistics and safe anytime-valid inference*, 2023;
    Waudby-Smith & Ramdas, *Estimating means of bounded random variables by betting*, JRSS-B 2024.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions
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
        """Forget all labels. Returns the trial itself."""
        self._seen: set[int] = set()
        self._over, self._under = np.zeros(self._bets.n_over), np.zeros(self._bets.n_under)
        self._greatest_over = self._greatest_under = 0.0
        self.n_labels = self.n_clipped = 0
        self.n_expected = self.n_observed = 0.0
        return self

    def copy(self) -> Self:
        """The trial as it is now, to go on with from here."""
        made = copy(self)
        made._seen = set(self._seen)
        made._over, made._under = self._over.copy(), self._under.copy()
        return made

    @property
    def evalue(self) -> float:
        """How much the bets on "errs more often than promised" have made of 1."""
        return _mean_exp(self._over)

    @property
    def evalue_under(self) -> float:
        """How much the bets on "errs less often than promised" have made of 1."""
        return _mean_exp(self._under)

    @property
    def pvalue(self) -> float:
        """Of "errs at most as often as promised": one over the largest e-value so far."""
        return float(np.exp(-self._greatest_over))

    @property
    def pvalue_under(self) -> float:
        """Of "errs at least as often as promised": one over the largest e-value so far."""
        return float(np.exp(-self._greatest_under))

    @property
    def pvalue_of_both(self) -> float:
        """Of "errs exactly as often as promised": the smallest α at which a verdict is given."""
        return min(self.pvalue / _OVER_SHARE, self.pvalue_under / (1 - _OVER_SHARE), 1.0)

    def verdict(self, confidence_level: float = 0.95) -> str | None:
        """What is known about the model.

        Parameters
        ----------
        confidence_level : float
            1 − α: for a model whose promises hold exactly, the probability that any verdict is ever given is
            at most α. Of it, 80 % go to "over_confident".

        Returns
        -------
        "over_confident", "under_confident" or None
            None: nothing yet, which is no proof that promises hold.
        """
        alpha = 1 - check_fraction("confidence_level", confidence_level, closed=False)
        over, under = self.pvalue / _OVER_SHARE, self.pvalue_under / (1 - _OVER_SHARE)
        if min(over, under) > alpha:
            return None
        return "over_confident" if over <= under else "under_confident"

    def update(self, draw: int, y: Any) -> float:
        """The e-value after one more label.

        Parameters
        ----------
        draw : int
            Index into the pool. One that was seen before, or can't be labeled, changes nothing.
        y : label
            Its label, as in `estimate`; None if it can't be labeled.

        Returns
        -------
        float
        """
        return float(self.extend([draw], [y])[0])

    def extend(self, draws: ArrayLike, y_true: Any) -> FloatArray:
        """The e-values after each of several more labels.

        Parameters
        ----------
        draws : array-like of shape (n_draws,)
            Indices into the pool, repeats included or not.
        y_true : array-like of shape (n_draws,)
            Their labels; None for one that can't be labeled.

        Returns
        -------
        ndarray of shape (n_draws,)

        Raises
        ------
        ValueError, TypeError
            If a draw or a label can't be; the trial is then as it was.
        """
        drawn, labels = _check(self._predictions, self._bets, draws, y_true)
        # All of them before the first one counts: a label that can't be leaves the trial as it was.
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
    """Indices, and labels in the form that bets take; None for one that can't be labeled."""
    n_instances = predictions.n_instances
    drawn = check_draws(draws, np.full(n_instances, 1 / n_instances))
    labels = list(y_true)
    if len(labels) != drawn.size:
        raise ValueError(f"y_true must hold one label for each of {drawn.size} draws, got {len(labels)}")
    given = [y for y in labels if y is not None]
    checked = predictions.check_labels(given, len(given), f"{len(given)} draws")
    known = iter(bets.prepared(checked))
    return drawn.tolist(), [None if y is None else next(known) for y in labels]
