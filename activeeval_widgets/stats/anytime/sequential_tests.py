"""Tests that may be repeated after every label: e-values, and p-values valid at all numbers of draws."""

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
"""The confidence that bets are tuned for; they are valid at all levels."""


class Evidence(NamedTuple):
    """The evidence after each draw.

    Attributes
    ----------
    evalue : ndarray of shape (n_draws,)
        How much a bet against the null hypothesis has made of 1. Where that is true, the mean is at most 1 at
        any time one may stop.
    pvalue : ndarray of shape (n_draws,)
        1 over the largest e-value so far, at most 1. Where the null hypothesis is true, it ever falls to α
        with probability at most α. 1 again where an assumption was found wrong; see `SequentialTest`.

    See Also
    --------
    sequential_test : gives it.
    SequentialTest : label by label.

    Examples
    --------
    >>> import numpy as np
    >>> evidence = Evidence(np.array([1.5, 20.0]), np.array([0.67, 0.05]))
    >>> float(evidence.pvalue.min())
    0.05
    """

    evalue: FloatArray
    pvalue: FloatArray


class SequentialTest:
    """A test that is updated label by label and may be stopped at any of them.

    Exact where `ConfidenceSequence` is, by one side of the same bets; approximate elsewhere. Where the
    sequence withholds its interval, the e-value is 1: values without `y_range` take the same range of labels
    for granted, and say nothing any more once a label lies outside.

    Parameters
    ----------
    measure : Measure
        What is tested.
    predictions : Predictions or list of two Predictions
        The model; or two, for the difference of the first's measure and the second's.
    q : array-like of shape (n_instances,)
        The instrumental distribution that all draws come from, independently, with replacement.
    value : float
        What the measure, or the difference, is compared with.
    alternative : {"better", "worse", "less", "greater"}
        What is to be shown: that the measure (the difference) is less or greater than `value`. "better": less
        for losses, greater for the others; "worse": the contrary.
    y_range : tuple of two floats, optional
        The smallest and the largest label there can be, for values.

    Attributes
    ----------
    evalue, pvalue : float
        The evidence now; see `Evidence`.
    n_draws : int
        How many draws it has seen.
    is_asymptotic : bool
        Whether it holds in the limit of many draws only.

    Raises
    ------
    ValueError, TypeError
        As `ConfidenceSequence`; also if `value` is not finite or `alternative` is not known.

    See Also
    --------
    sequential_test : of draws that are all there.
    ConfidenceSequence : an interval instead of one question.

    References
    ----------
    Waudby-Smith & Ramdas, *Estimating means of bounded random variables by betting*, JRSS-B 2024, section 4;
    Ramdas, Grünwald, Vovk & Shafer, *Game-theoretic statistics and safe anytime-valid inference*, 2023.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate, uniform_q
    >>> predictions = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    >>> test = SequentialTest(ErrorRate(), predictions, uniform_q(3), value=0.5)
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
        self._q = check_q(q, models[0].n_instances)
        self._y_range = check_y_range(y_range, models[0])
        self._value = float(check_float_array("value", value, ndim=0, shape="()"))
        if self._target is not target:
            self._value = measure.to_base(self._value)
        self._side = _side(check_option("alternative", alternative, _ALTERNATIVES), measure)
        self._bettor: _Bettor | AsymptoticSequence
        self.is_asymptotic = not has_equation(self._target, self._y_range)
        is_assumed = self.is_asymptotic and self._target.measure.needs_range and self._target.measure.is_risk
        self._assumption = Assumption(models) if is_assumed else None
        bounds = self._y_range if self._assumption is None else self._assumption.bounds
        if has_equation(self._target, bounds):
            # The more can be labeled of what is never drawn, the smaller a difference: the end that is harder
            # to show, whatever the truth is.
            harder = self._side * self._value >= 0
            equation = EstimatingEquation(self._target, self._q, bounds, rest_counts=harder)
            self._bettor = _Bettor(equation, self._value, self._side)
        else:
            self._bettor = AsymptoticSequence(self._target, self._q)
        self._reset()

    def _reset(self) -> None:
        self.evalue = self.pvalue = 1.0
        self.n_draws = 0
        if self._assumption is not None:
            self._assumption.restart()

    def restart(self) -> Self:
        """Forget all labels; what is known about the pool is kept. Returns the test itself."""
        self._bettor.restart()
        self._reset()
        return self

    def update(self, draw: int, y: Any) -> tuple[float, float]:
        """The e-value and the p-value after one more labeled draw.

        Parameters
        ----------
        draw : int
            Index into the pool.
        y : label
            Its label, as in `estimate`; None if it can't be labeled.

        Returns
        -------
        evalue, pvalue : float
        """
        self.extend([draw], [y])
        return self.evalue, self.pvalue

    def extend(self, draws: ArrayLike, y_true: Any) -> Evidence:
        """The evidence after each of several more labeled draws; the same as by `update`.

        Parameters
        ----------
        draws : array-like of shape (n_draws,)
            Indices into the pool.
        y_true : array-like of shape (n_draws,)
            Their labels; None for one that can't be labeled, as in `ConfidenceSequence`.

        Returns
        -------
        Evidence
        """
        sample = self._target.sample(self._q, draws, y_true)
        check_y_in_range(y_true, self._y_range)
        evalues, pvalues = np.empty((2, sample.draws.size))
        for at, row in enumerate(self._bettor.rows(sample.z, sample.draws, sample.labeled)):
            self._step(row, int(sample.draws[at]), y_true[at])
            self.n_draws += 1
            evalues[at], pvalues[at] = self.evalue, self.pvalue
        return Evidence(evalues, pvalues)

    def _step(self, row: FloatArray, draw: int, y: Any) -> None:
        if self._assumption is not None:
            self._assumption.add(draw, y)
            if not self._assumption.is_refuted:
                self._bettor.update(row)
            if self._assumption.reason_withheld is not None:
                self.evalue = self.pvalue = 1.0
                return
        else:
            self._bettor.update(row)
        self.evalue = self._bettor.evidence(self._value, self._side)
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

    See `SequentialTest`, which gives the same label by label, for what is exact and what is asymptotic.

    Parameters
    ----------
    measure : Measure
        What is tested.
    predictions : Predictions or list of two Predictions
        The model; or two: "better" then says that the first is the better one.
    q : array-like of shape (n_instances,)
        The instrumental distribution that all draws come from.
    draws : array-like of shape (n_draws,)
        Indices into the pool, in the order in which they were drawn, with repeats.
    y_true : array-like of shape (n_draws,)
        The labels of the draws, in draw order.
    value : float
        What the measure, or the difference, is compared with.
    alternative : {"better", "worse", "less", "greater"}
        What is to be shown.
    y_range : tuple of two floats, optional
        The smallest and the largest label there can be, for values.

    Returns
    -------
    Evidence
        With `evalue` and `pvalue`, each of shape (n_draws,).

    Raises
    ------
    ValueError, TypeError
        As `SequentialTest`.

    See Also
    --------
    SequentialTest : the same label by label.
    compare_all : a test for one number of draws.

    Examples
    --------
    >>> import numpy as np
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate, uniform_q
    >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    >>> evidence = sequential_test(
    ...     ErrorRate(), model, uniform_q(3), [0, 1] * 20, [0, 1] * 20, value=0.5
    ... )
    >>> bool(evidence.pvalue[-1] < 0.05)
    True
    """
    test = SequentialTest(measure, predictions, q, value=value, alternative=alternative, y_range=y_range)
    return test.extend(draws, y_true)


class _Bettor:
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
