"""Anytime-valid tests: e-values, and p-values that hold at all numbers of draws."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_float_array, check_option, check_q
from activeeval_widgets.stats.anytime.assumed_range import Assumption
from activeeval_widgets.stats.anytime.asymptotic import AsymptoticSequence
from activeeval_widgets.stats.anytime.bets import Bets
from activeeval_widgets.stats.anytime.estimating_equation import (
    EstimatingEquation,
    check_y_in_range,
    check_y_range,
    has_equation,
)
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions, as_models
from activeeval_widgets.stats.questions.make import target_of

_ALTERNATIVES = ("better", "worse", "less", "greater")

_LEVEL = 0.95
"""The confidence level for which bets are tuned; they are valid at all levels."""


class Evidence(NamedTuple):
    """The evidence after each draw.

    Attributes
    ----------
    evalue : ndarray of shape (n_draws,)
        The wealth of a bet of 1 against the null hypothesis. If the null hypothesis is true, the mean is at
        most 1 at any stopping time.
    pvalue : ndarray of shape (n_draws,)
        1 over the largest e-value so far, at most 1. If the null hypothesis is true, it ever falls to α with
        probability at most α. It returns to 1 if an assumption is refuted; see `SequentialTest`.

    See Also
    --------
    sequential_test : Compute it.
    SequentialTest : Compute it label by label.

    Examples
    --------
    >>> evidence = Evidence(np.array([1.5, 20.0]), np.array([0.67, 0.05]))
    >>> float(evidence.pvalue.min())
    0.05
    """

    evalue: FloatArray
    pvalue: FloatArray


class SequentialTest:
    """An anytime-valid test, updated label by label, that may stop at any label.

    It is exact where `ConfidenceSequence` is, using one side of the same bets, and approximate elsewhere.
    Where the sequence withholds its interval, the e-value is 1: values without `y_range` assume the same
    range of labels, and give no evidence once a label lies outside.

    Parameters
    ----------
    measure : Measure
        The measure to test.
    predictions : Predictions or list of two Predictions
        One model, or two for the difference of the first's measure and the second's.
    q : array-like of shape (n_instances,)
        The instrumental distribution from which all draws come, independently and with replacement.
    value : float
        The value to compare the measure, or the difference, with.
    alternative : {"better", "worse", "less", "greater"}
        The hypothesis to establish: that the measure (the difference) is less or greater than `value`.
        "better" means less for losses and greater for other measures; "worse" is the opposite.
    y_range : tuple of two floats, optional
        The smallest and largest possible label, for values.

    Attributes
    ----------
    evalue, pvalue : float
        The current evidence; see `Evidence`.
    n_draws : int
        The number of draws so far.
    is_asymptotic : bool
        Whether the test holds only in the limit of many draws.

    Raises
    ------
    ValueError, TypeError
        As for `ConfidenceSequence`; also if `value` is not finite or `alternative` is unknown.

    See Also
    --------
    sequential_test : The evidence of given draws.
    ConfidenceSequence : An interval instead of a test.

    References
    ----------
    Waudby-Smith & Ramdas, *Estimating means of bounded random variables by betting*, JRSS-B 2024, section 4;
    Ramdas, Grünwald, Vovk & Shafer, *Game-theoretic statistics and safe anytime-valid inference*, 2023.

    Examples
    --------
    >>> test = SequentialTest(ErrorRate(), model, uniform_q(3), value=0.5)
    >>> for _ in range(20):
    ...     evalue, pvalue = test.update(1, 1)
    >>> pvalue < 0.001
    True
    """

    def __init__(
        self,
        measure: Measure,
        predictions: Predictions | Sequence[Predictions],
        q: ArrayLike,
        *,
        value: float = 0.0,
        alternative: str = "better",
        y_range: tuple[float, float] | None = None,
    ) -> None:
        models = as_models(predictions)
        target = target_of(measure, models)
        self._target = target.base
        self._q = check_q(q, models[0])
        self._y_range = check_y_range(y_range, models[0])
        self._value = float(check_float_array("value", value, ndim=0, shape="()"))
        if self._target is not target:
            self._value = measure.to_base(self._value)
        self._side = _side(check_option("alternative", alternative, _ALTERNATIVES), measure)
        self._bets: _OneSidedBets | AsymptoticSequence
        self.is_asymptotic = not has_equation(self._target, self._y_range)
        is_assumed = self.is_asymptotic and self._target.measure.needs_range and self._target.measure.is_risk
        self._assumption = Assumption(models) if is_assumed else None
        bounds = self._y_range if self._assumption is None else self._assumption.bounds
        if has_equation(self._target, bounds):
            # The difference shrinks with the labelable share of what is never drawn. Use the case that is
            # harder to establish, whichever is true.
            harder = self._side * self._value >= 0
            equation = EstimatingEquation(self._target, self._q, bounds, rest_counts=harder)
            self._bets = _OneSidedBets(equation, self._value, self._side)
        else:
            self._bets = AsymptoticSequence(self._target, self._q)
        self._reset()

    def _reset(self) -> None:
        self.evalue = self.pvalue = 1.0
        self.n_draws = 0
        if self._assumption is not None:
            self._assumption.restart()

    def restart(self) -> Self:
        """Discard all labels but keep what is known about the pool. Returns the test itself."""
        self._bets.restart()
        self._reset()
        return self

    def update(self, draw: int, y: Any) -> tuple[float, float]:
        """Return the e-value and the p-value after one more labeled draw.

        Parameters
        ----------
        draw : int
            Index into the pool.
        y : label
            Its label, as for `estimate`; None if it is excluded.

        Returns
        -------
        evalue, pvalue : float
        """
        self.extend([draw], [y])
        return self.evalue, self.pvalue

    def extend(self, draws: ArrayLike, y_true: Any) -> Evidence:
        """Return the evidence after each of several labeled draws, as by `update`.

        Parameters
        ----------
        draws : array-like of shape (n_draws,)
            Indices into the pool.
        y_true : array-like of shape (n_draws,)
            Their labels; None for an excluded instance, as in `ConfidenceSequence`.

        Returns
        -------
        Evidence
        """
        sample = self._target.sample_from(self._q, draws, y_true)
        check_y_in_range(y_true, self._y_range)
        evalues, pvalues = np.empty((2, sample.draws.size))
        for at, row in enumerate(self._bets.rows(sample.z, sample.draws, sample.labeled)):
            self._step(row, int(sample.draws[at]), y_true[at])
            self.n_draws += 1
            evalues[at], pvalues[at] = self.evalue, self.pvalue
        return Evidence(evalues, pvalues)

    def _step(self, row: FloatArray, draw: int, y: Any) -> None:
        if self._assumption is not None:
            self._assumption.add(draw, y)
            if not self._assumption.is_refuted:
                self._bets.update(row)
            if self._assumption.reason_withheld is not None:
                self.evalue = self.pvalue = 1.0
                return
        else:
            self._bets.update(row)
        self.evalue = self._bets.evidence(self._value, self._side)
        self.pvalue = min(self.pvalue, 1 / self.evalue if self.evalue > 1 else 1.0)


def sequential_test(
    measure: Measure,
    predictions: Predictions | Sequence[Predictions],
    q: ArrayLike,
    draws: ArrayLike,
    y_true: Any,
    *,
    value: float = 0.0,
    alternative: str = "better",
    y_range: tuple[float, float] | None = None,
) -> Evidence:
    """Test after every draw whether a measure is below or above a value, or one model better than another.

    `SequentialTest` gives the same evidence label by label, and explains which tests are exact and which are
    asymptotic.

    Parameters
    ----------
    measure : Measure
        The measure to test.
    predictions : Predictions or list of two Predictions
        One model; or two, where "better" means that the first is better.
    q : array-like of shape (n_instances,)
        The instrumental distribution from which all draws come.
    draws : array-like of shape (n_draws,)
        Indices into the pool, in draw order, with repeats.
    y_true : array-like of shape (n_draws,)
        The labels of the draws, in draw order.
    value : float
        The value to compare the measure, or the difference, with.
    alternative : {"better", "worse", "less", "greater"}
        The hypothesis to establish.
    y_range : tuple of two floats, optional
        The smallest and largest possible label, for values.

    Returns
    -------
    Evidence
        With `evalue` and `pvalue`, each of shape (n_draws,).

    Raises
    ------
    ValueError, TypeError
        As for `SequentialTest`.

    See Also
    --------
    SequentialTest : The same, label by label.
    compare_all : Tests for one fixed number of draws.

    Examples
    --------
    >>> evidence = sequential_test(
    ...     ErrorRate(), model, uniform_q(3), [0, 1] * 20, [0, 1] * 20, value=0.5
    ... )
    >>> bool(evidence.pvalue[-1] < 0.05)
    True
    """
    test = SequentialTest(measure, predictions, q, value=value, alternative=alternative, y_range=y_range)
    return test.extend(draws, y_true)


class _OneSidedBets:
    """Bets on one side of one value."""

    def __init__(self, equation: EstimatingEquation, value: float, side: float) -> None:
        self._equation, self._points, self._sides = equation, np.array([[value]]), (side,)
        self._lower, self._upper = equation.bounds(self._points[0])
        self.rows = equation.terms
        self.restart()

    def restart(self) -> None:
        self._bets = Bets(
            self._points, self._lower, self._upper, self._equation.promised, _LEVEL, self._sides
        )

    def update(self, row: FloatArray) -> None:
        self._bets.update(row)

    def evidence(self, value: float, side: float) -> float:
        del value, side
        return float(self._bets.at_points()[0, 0])


def _side(alternative: str, measure: Measure) -> float:
    if alternative in ("less", "greater"):
        return 1.0 if alternative == "greater" else -1.0
    return 1.0 if (alternative == "better") == measure.greater_is_better else -1.0
