"""Quantiles of the absolute error: the largest error on a share of the instances."""

from collections.abc import Sequence
from math import ceil, inf
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np
from scipy.special import ndtr, ndtri

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_fraction
from activeeval_widgets.stats.measures.base import BandPart, Composition, Measure, Moments, Term
from activeeval_widgets.stats.measures.bounded_errors import WithinTolerance
from activeeval_widgets.stats.measures.expectation import Expectation
from activeeval_widgets.stats.predictions._probabilities import chunks
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief, GaussianMixture
from activeeval_widgets.stats.predictions.values import ValuePredictions
from activeeval_widgets.stats.text import NO_BREAK, with_blank

_N_ENDS = 40
_UNITS = 1.2 ** np.arange(-_N_ENDS // 2, _N_ENDS // 2)
"""The ends of the bins in which errors are counted, in units of the quantile that the model expects."""

_UNITS_OF: WeakKeyDictionary[ValuePredictions, dict[float, float]] = WeakKeyDictionary()
"""The quantiles that models expect, by model and share, computed once."""

_ROUNDING = 1e-12


class AbsoluteErrorQuantile(Measure):
    """A quantile of the absolute error: on a share q of the instances the model is off by at most this.

    inf{t: the share of errors up to t is at least q}, which is one of the errors. While some are unknown,
    they are counted in bins whose ends grow by a fifth each, from about a fortieth of the quantile that the
    model expects to thirty times as much. The estimate assumes that they are evenly spread within a bin, and
    is the last end if the quantile is beyond it.

    Parameters
    ----------
    q : float
        The share, above 0 and below 1.

    Raises
    ------
    ValueError, TypeError
        If `q` is not between 0 and 1.

    See Also
    --------
    WithinTolerance : The inverse, the share of errors up to a given size.
    AbsoluteError : The mean, which a few huge errors may dominate.

    Notes
    -----
    The confidence sequence is exact, and needs no `y_range`: it inverts those of the shares of errors up to
    each end. The quantile is above an end if that share is certainly below q, and not above it if the share
    is certainly q or more; only two of these can be wrong about a given quantile, so each has level 1 − α/2.

    References
    ----------
    Woodruff, *Confidence intervals for medians and other position measures*, 1952; Howard & Ramdas,
    *Sequential estimation of quantiles with applications to A/B testing and best-arm identification*, 2022.

    Examples
    --------
    >>> model = ValuePredictions([0.0] * 1000, [1.0] * 1000)
    >>> round(pool_value(AbsoluteErrorQuantile(0.9), model, [i / 500 for i in range(1000)]), 2)
    1.8
    """

    predictions_kind = "value"
    summary = "The error that a share of the instances, such as 0.9, does not exceed."
    value_range = (0.0, inf)
    greater_is_better = False
    needs_whole_pool: ClassVar[bool] = True
    is_binned: ClassVar[bool] = True
    example_options = ({}, {"q": 0.5})

    def __init__(self, q: float = 0.9) -> None:
        self.q = check_fraction("q", q, closed=False)
        share = f"{100 * self.q:.10g}{NO_BREAK}%"
        self.name = f"{share} quantile of the absolute error"
        self.sentence = f"The model is off by no more than {{value}} on {share} of the {{instances}}."

    def unit(self, label_unit: str | None = None) -> str:
        """Return the unit of the labels; see `Measure.unit`."""
        return with_blank(label_unit)

    def ends(self, predictions: Predictions) -> FloatArray:
        """Return the ends of the bins, ascending, for these predictions."""
        model = self._expect(ValuePredictions, predictions)
        return np.asarray(self.unit_of(model) * _UNITS, dtype=np.float64)

    def unit_of(self, model: ValuePredictions) -> float:
        """Return the quantile that the model expects; without variances, half of the predictions' spread."""
        known = _UNITS_OF.setdefault(model, {})
        if self.q not in known:
            known[self.q] = self._find_unit(model)
        return known[self.q]

    def _find_unit(self, model: ValuePredictions) -> float:
        normal = float(ndtri((1 + self.q) / 2))
        if model.variance is not None and model.variance.max() > 0:
            shares = np.linspace(0.005, 0.995, 100)
            deviations: FloatArray = np.maximum(np.quantile(np.sqrt(model.variance), shares), 1e-300)
            low, high = 0.0, normal * float(deviations.max())
            for _ in range(60):
                middle = (low + high) / 2
                share = float(np.mean(2 * ndtr(middle / deviations) - 1))
                low, high = (low, middle) if share >= self.q else (middle, high)
            return high
        spread = float(model.mean.std())
        return normal * spread / 2 if spread > 0 else max(float(np.abs(model.mean).max()), 1.0)

    def statistics(self, predictions: Predictions, y_true: Any, draws: IntArray) -> FloatArray:
        """Return z of labeled draws: the bin of each error; see `Measure.statistics`."""
        model = self._expect(ValuePredictions, predictions)
        labels = model.check_labels(y_true, draws.size, f"{draws.size} draws")
        which = np.searchsorted(self.ends(model), np.abs(model.mean[draws] - labels))
        bins = np.equal.outer(which, np.arange(_N_ENDS + 1)).astype(np.float64)
        # A constant column, because the measure depends on the unit.
        return np.column_stack([bins, np.full(which.size, self.unit_of(model))])

    def of_pool(self, predictions: Predictions, labels: Any) -> float:
        """Return the value on a labeled pool, one of its errors; see `Measure.of_pool`."""
        model = self._expect(ValuePredictions, predictions)
        errors = np.abs(model.mean - np.asarray(labels, dtype=np.float64))
        at = max(ceil(self.q * errors.size - _ROUNDING * errors.size) - 1, 0)
        return float(np.partition(errors, at)[at])

    def _crossing(self, mean: FloatArray) -> tuple[IntArray, FloatArray]:
        """Return the quantile's bin, and the share of errors up to its start; (…, 1) each."""
        shares = mean[..., :-1].cumsum(axis=-1)
        is_reached = shares >= self.q - _ROUNDING
        which = np.where(is_reached.any(axis=-1), is_reached.argmax(axis=-1), _N_ENDS)[..., np.newaxis]
        before = np.concatenate([np.zeros_like(shares[..., :1]), shares], axis=-1)
        return which, np.take_along_axis(before, which, axis=-1)

    def g(self, mean: FloatArray) -> FloatArray:
        """Return the measure, given E[z]: of the bins, and of their unit."""
        start, width, missing, mass = self._within(mean)
        return np.asarray(mean[..., -1] * (start + width * missing / mass)[..., 0])

    def unevenness(self, predictions: Predictions, mean: FloatArray, share: float) -> float:  # noqa: ARG002
        """Return the limit from not knowing where in its bin the quantile is; see `Measure.unevenness`."""
        start, width, missing, mass = (float(part[0]) for part in self._within(mean))
        if start == _UNITS[-1]:
            return inf
        inside = missing / mass
        return float(mean[-1]) * width * max(inside, 1 - inside)

    def gradient(self, mean: FloatArray) -> FloatArray:
        """Return ∇g at E[z]."""
        unit = mean[..., -1:]
        start, width, missing, mass = self._within(mean)
        which, _ = self._crossing(mean[..., :-1])
        bins = np.arange(_N_ENDS + 1)
        slope = -unit * width / mass
        of_bins = np.where(bins < which, slope, np.where(bins == which, slope * missing / mass, 0.0))
        return np.concatenate([of_bins, start + width * missing / mass], axis=-1)

    def _within(self, mean: FloatArray) -> tuple[FloatArray, ...]:
        """Return the quantile's bin: start and width, in units; the share up to the quantile, and its own."""
        which, before = self._crossing(mean[..., :-1])
        ends = np.concatenate([[0.0], _UNITS, _UNITS[-1:]])
        is_last = which == _N_ENDS
        mass = np.take_along_axis(mean[..., :-1], which, axis=-1)
        missing = np.where(is_last, 0.0, self.q - before)
        return ends[which], ends[which + 1] - ends[which], missing, np.where(is_last, 1.0, mass)

    def introspective_mean(self, predictions: Predictions, belief: Belief) -> FloatArray:
        """Return the pool's E[z]; see `Measure.introspective_mean`."""
        return self.expectation(predictions, belief).mean

    def expectation(self, predictions: Predictions, belief: Belief) -> Expectation:
        """Return E[z | x]; see `Measure.expectation`."""
        model = self._expect(ValuePredictions, predictions)
        unit = np.full(model.n_instances, self.unit_of(model))
        return Expectation.of(np.column_stack([self._shares(model, belief), unit]), model.counts)

    def _shares(self, model: ValuePredictions, belief: Belief) -> FloatArray:
        """Return the probability of each bin for the error of each instance, (n_instances, n_bins)."""
        means, variances = self._expect(GaussianMixture, belief).known()
        ends = self.ends(model)
        shares = np.zeros((model.n_instances, _N_ENDS + 1))
        for mean, variance in zip(means, variances, strict=True):
            distance = (model.mean - mean)[:, np.newaxis]
            shares[:, :-1] += _share_within(distance, np.sqrt(variance), ends)
            shares[:, -1] += 1
        shares[:, 1:] -= shares[:, :-1].copy()
        return shares / len(means)

    def moments(self, terms: Sequence[Term], belief: Belief, offset: float) -> Moments:
        """Return conditional moments; see `Measure.moments`."""
        models = [self._expect(ValuePredictions, term.predictions) for term in terms]
        means, variances = self._expect(GaussianMixture, belief).known()
        grids = [self.ends(model) for model in models]
        directions = [term.direction[:-1] for term in terms]
        constant = sum(
            float(term.direction[-1]) * self.unit_of(model) for term, model in zip(terms, models, strict=True)
        )
        if len(terms) == 1:
            shares, scores = self._shares(models[0], belief), directions[0] + constant - offset
            return Moments(shares @ scores, np.maximum(shares, 0.0) @ scores**2)
        first, second = np.zeros((2, models[0].n_instances))
        for mean, variance in zip(means, variances, strict=True):
            for rows in chunks(first.size, 4 * _N_ENDS):
                # In ε = y − μ, |f − y| passes an end t at ε = f − μ ± t.
                distances = [(model.mean[rows] - mean[rows])[:, np.newaxis] for model in models]
                knots = np.concatenate(
                    [d + sign * t for d, t in zip(distances, grids, strict=True) for sign in (-1, 1)], axis=1
                )
                knots.sort(axis=1)
                deviation = np.sqrt(variance[rows])[:, np.newaxis]
                inside = np.concatenate(
                    [knots[:, :1] - 1, (knots[:, 1:] + knots[:, :-1]) / 2, knots[:, -1:] + 1], axis=1
                )
                # Labels that are certain are all at 0.
                inside = np.where(deviation > 0, inside, 0.0)
                score = np.full(inside.shape, constant - offset)
                for d, t, a in zip(distances, grids, directions, strict=True):
                    score += a[np.searchsorted(t, np.abs(inside - d))]
                with np.errstate(divide="ignore", invalid="ignore"):
                    below = np.where(deviation > 0, ndtr(knots / deviation), 0.0)
                mass = np.diff(below, axis=1, prepend=0.0, append=1.0)
                first[rows] += (mass * score).sum(axis=1)
                second[rows] += (mass * score**2).sum(axis=1)
        return Moments(first / len(means), second / len(means))

    def composition(self, model: Predictions) -> Composition:
        """Return the shares of errors up to each end; see `Measure.composition`."""
        parts = tuple(BandPart(WithinTolerance(end), [model], 0.5) for end in self.ends(model).tolist())
        ends = np.concatenate([[0.0], self.ends(model), [inf]])

        def sides(lows: FloatArray, highs: FloatArray) -> tuple[BoolArray, BoolArray]:
            """Return which ends are certainly below the quantile, and which are not."""
            return highs < self.q - _ROUNDING, lows >= self.q - _ROUNDING

        def interval(lows: FloatArray, highs: FloatArray) -> tuple[float, float]:
            is_above, is_below = sides(lows, highs)
            possible = np.flatnonzero(~np.append(is_above, False) & ~np.insert(is_below, 0, False))
            if not possible.size:  # an interval of a share is wrong
                possible = np.array([int(np.argmax(is_below))])
            return float(ends[possible[0]]), float(ends[possible[-1] + 1])

        return Composition(parts, interval, settled=lambda lows, highs: np.logical_or(*sides(lows, highs)))

    def same_statistics(self, first: Predictions, second: Predictions) -> BoolArray:
        """Return where two models predict the same, if errors are counted in the same bins."""
        a, b = self._expect(ValuePredictions, first), self._expect(ValuePredictions, second)
        return np.asarray((a.mean == b.mean) & (self.unit_of(a) == self.unit_of(b)))

    def __repr__(self) -> str:
        return f"AbsoluteErrorQuantile({self.q!r})"


def _share_within(distance: FloatArray, deviation: FloatArray, ends: FloatArray) -> FloatArray:
    """Return P(|d − ε| ≤ t) for ε ~ N(0, σ²) at each end t; (n, n_ends)."""
    scale = deviation[:, np.newaxis]
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = ndtr((distance + ends) / scale) - ndtr((distance - ends) / scale)
    return np.where(scale > 0, spread, (np.abs(distance) <= ends).astype(np.float64))
