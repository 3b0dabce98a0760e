"""What is estimated: a measure of one model, or the difference of two models in a measure."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, BoolArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_draws, check_q, split_excluded
from activeeval_widgets.stats.intervals import constant_loss_interval
from activeeval_widgets.stats.measures.base import Measure, max_weight, ratio
from activeeval_widgets.stats.measures.expectation import Expectation
from activeeval_widgets.stats.predictions.base import Predictions, mixture
from activeeval_widgets.stats.predictions.beliefs import Belief

_ROUNDING = 1e-12
"""Influences, and differences of values, below this share of the statistics are rounding errors of 0."""


class Sample(NamedTuple):
    """Labeled draws: statistics (n_draws, n_statistics), weights p/q, draws, and the q that they are from.

    For the difference estimator also what the model expects: E[z | x] of the draws, and its pool average.
    `labeled` tells draws that have a label from those that can't be labeled, whose statistics are 0; None:
    all have one.
    """

    z: FloatArray
    weights: FloatArray
    draws: IntArray
    q: FloatArray
    expected: FloatArray | None = None
    expected_mean: FloatArray | None = None
    labeled: BoolArray | None = None

    def first(self, n_draws: int) -> "Sample":
        """The sample after its first draws."""
        return self._replace(
            z=self.z[:n_draws],
            weights=self.weights[:n_draws],
            draws=self.draws[:n_draws],
            expected=None if self.expected is None else self.expected[:n_draws],
            labeled=None if self.labeled is None else self.labeled[:n_draws],
        )

    def only_labeled(self) -> "Sample":
        """Without the draws that can't be labeled: what is left is a sample of what can be."""
        if self.labeled is None:
            return self
        return self._replace(
            z=self.z[self.labeled],
            weights=self.weights[self.labeled],
            draws=self.draws[self.labeled],
            expected=None if self.expected is None else self.expected[self.labeled],
            labeled=None,
        )


class Weighted(NamedTuple):
    """What weighted statistics say; each entry of the shape of the sample's leading axes."""

    value: FloatArray
    standard_error: FloatArray
    effective_sample_size: FloatArray
    is_constant: np.ndarray[Any, np.dtype[np.bool_]]
    """Whether no draw deviates from the value, so that the standard error says nothing."""


class Target:
    """G of one model, or G₁ − G₂ of two, as a function of the mean of all their statistics."""

    def __init__(self, measure: Measure, models: Sequence[Predictions]) -> None:
        if len(models) > 2:
            raise ValueError(
                f"predictions holds {len(models)} models, expected one or two (more: see compare_all)"
            )
        measure.check_models(models)
        self.measure = measure
        self.models = tuple(models)

    @property
    def is_difference(self) -> bool:
        """Whether two models are compared."""
        return len(self.models) == 2

    @property
    def is_by_labels(self) -> bool:
        """Whether the value of what has labels is not that of the mean of statistics; see `value_of`."""
        return self.measure.is_binned or self.measure.parts_count_whole_pool

    @property
    def is_smooth(self) -> bool:
        """Whether an estimate ± its standard error holds in the limit; see `Measure.is_smooth`.

        Of a difference it is the only interval there is: what noise adds to both is mostly the same.
        """
        return self.measure.is_smooth or self.is_difference

    @property
    def size(self) -> int:
        """The number of instances of the pool, m."""
        return self.models[0].size

    def left(self, draws: IntArray) -> AnyArray:
        """How many instances of each row are left after these draws; see `Predictions.left`."""
        return self.models[0].left(draws)

    def loss_bounds(self, y_range: tuple[float, float] | None) -> tuple[FloatArray, FloatArray]:
        """The smallest and the largest loss in each row, for a risk; see `Measure.loss_bounds`."""
        members = self.models[0].members
        if members is None or self.measure.is_alike_in_rows:
            return self.measure.loss_bounds(self.models, y_range)
        return members.loss_bounds(self.measure, y_range)

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and the largest possible value."""
        low, high = self.measure.range_for(self.models[0])
        if not self.is_difference:
            return low, high
        other_low, other_high = self.measure.range_for(self.models[1])
        return low - other_high, high - other_low

    @property
    def base(self) -> "Target":
        """What an exact interval is made for: the measure's base, of one model; else the target itself."""
        base = self.measure.base
        return self if base is None or self.is_difference else Target(base, self.models)

    def sample(self, q: ArrayLike, draws: ArrayLike, y_true: Any) -> Sample:
        """Labeled draws, checked; a label that is None can't be given."""
        model = self.models[0]
        distribution = check_q(q, model.n_instances)
        drawn = check_draws(draws, distribution)
        given, labeled = split_excluded(y_true, drawn.size)
        if labeled is not None:
            labels = model.check_labels(given, len(given), f"{len(given)} draws")
            seen = self.statistics(labels, drawn[labeled])
            z = np.zeros((drawn.size, seen.shape[1]))
            z[labeled] = seen
        else:
            labels = model.check_labels(given, drawn.size, f"{drawn.size} draws")
            z = self.statistics(labels, drawn)
        weights = 1 / (distribution.size * distribution[drawn])
        return Sample(z, weights, drawn, distribution, labeled=labeled)

    def statistics(self, labels: Any, draws: IntArray) -> FloatArray:
        """z of labeled draws, one model's beside the other's; (n_draws, n_statistics)."""
        if self.is_difference:
            self.models[0].check_common_labels(labels)
        return np.concatenate(
            [self.measure.statistics(model, labels, draws) for model in self.models], axis=1
        )

    def g(self, mean: FloatArray) -> FloatArray:
        """The value, given E[z] of shape (…, n_statistics)."""
        if not self.is_difference:
            return self.measure.g(mean)
        first, second = map(self.measure.g, np.split(mean, 2, axis=-1))
        # Of two that are as good as each other none is better by a rounding error.
        is_same = np.abs(first - second) <= _ROUNDING * np.maximum(np.abs(first), np.abs(second))
        return np.where(is_same, 0.0, first - second)

    def value_of(self, instances: IntArray, labels: Any) -> float:
        """The value on some instances alone, that all have labels; NaN where it is not defined.

        Parameters
        ----------
        instances : ndarray of shape (n,), int
            Different indices into the pool, of which rows do not count more than once.
        labels : array-like of shape (n,)
            As `Predictions.check_labels` gives them.
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            if not self.is_by_labels:
                return float(self.g(self.statistics(labels, instances).mean(axis=0)))
            # They are a pool of their own: their places are not those in the whole one.
            parts = [model.of_instances(instances) for model in self.models]
            first, *second = (self.measure.of_pool(part, labels) for part in parts if part is not None)
            return first - second[0] if second else first

    def unevenness(self, mean: FloatArray, share: float) -> float:
        """The same as `Measure.unevenness`, of all models together."""
        means = np.split(mean, len(self.models))
        return sum(map(self.measure.unevenness, self.models, means, [share] * len(means)))

    def gradient(self, mean: FloatArray) -> FloatArray:
        """∇g at E[z], both of shape (…, n_statistics)."""
        if not self.is_difference:
            return self.measure.gradient(mean)
        first, second = np.split(mean, 2, axis=-1)
        return np.concatenate([self.measure.gradient(first), -self.measure.gradient(second)], axis=-1)

    def rest_share(self, q: FloatArray) -> float:
        """The share of the pool that is never drawn, and is part of what the measure is a mean of.

        The difference of two risks is 0 where the models agree, so those need not be drawn (T, 5: active_≠).
        """
        never = q == 0
        if not (self.is_difference and self.measure.is_risk and never.any()):
            return 0.0
        unseen = never & ~self.measure.same_statistics(self.models[0], self.models[1])
        if unseen.any():
            where = int(np.argmax(unseen))
            raise ValueError(f"q[{where}] is 0, but the models differ there: it would never be drawn")
        return float(np.mean(never))

    def pool_share(self, sample: Sample) -> float:
        """What a mean over what is drawn and labeled is to be multiplied by for the whole pool.

        It takes for granted that all that is never drawn can be labeled.
        """
        rest = self.rest_share(sample.q)
        drawn = 1 - rest
        if rest and sample.labeled is not None and sample.labeled.any():
            drawn *= float(sample.weights[sample.labeled].sum() / sample.weights.sum())
        return drawn / (drawn + rest)

    def parts(self, z: FloatArray, den: FloatArray | float = 1.0) -> FloatArray:
        """(num, den) of statistics z, (…, 2): a ratio's own, or a risk's loss (or difference) and 1.

        Parameters
        ----------
        z : ndarray of shape (…, n_statistics)
            Of a risk, or of one model's ratio.
        den : float or ndarray of shape (…)
            What stands in the place of 1.
        """
        if not self.measure.is_risk:
            return z
        num = z[..., 0] - z[..., 1] if self.is_difference else z[..., 0]
        return np.stack([num, np.broadcast_to(den, num.shape)], axis=-1)

    def outcomes(self, y_range: tuple[float, float] | None) -> Iterator[FloatArray]:
        """Statistics of the whole pool, for labels among which are each instance's extremes.

        See `Measure.outcomes`.
        """
        return self.measure.outcomes(self.models, y_range)

    def conditional_mean(self, belief: Belief | None = None) -> FloatArray | None:
        """E[z | x] as the models say, all models' statistics side by side; (n_instances, n_statistics).

        None for values without variances: they do not say how labels are distributed. `belief`: another
        predictive distribution instead of the models' equal mixture.
        """
        expected = self.expectation(belief)
        return None if expected is None else expected.dense()

    def expectation(self, belief: Belief | None = None) -> Expectation | None:
        """The same, without holding it all in memory where there are many statistics."""
        if belief is None:
            belief = mixture(self.models)
        if not belief.is_known:
            return None
        return Expectation.beside([self.measure.expectation(model, belief) for model in self.models])

    def constant_interval(self, sample: Sample, value: float, level: float) -> tuple[float, float]:
        """An interval for where no draw deviates from `value`."""
        if not self.is_difference:
            return self.measure.constant_interval(self.models[0], sample.q, sample.z, value, level)
        if self.measure.is_risk:
            return constant_loss_interval(value, len(sample.z), max_weight(sample.q), level, self.range)
        return self.range

    def weighted(self, z: FloatArray, weights: FloatArray) -> Weighted:
        """Self-normalized estimates with their standard errors (T, 3.11, 3.14, 3.31; Lemma 3.4).

        Parameters
        ----------
        z : ndarray of shape (…, n_draws, n_statistics)
            Statistics of at least one draw.
        weights : ndarray of shape (…, n_draws)
            p/q.
        """
        total = weights.sum(axis=-1)
        mean = np.einsum("...i,...ij->...j", weights, z) / total[..., np.newaxis]
        gradient = self.gradient(mean)
        # Σ v² (aᵀ(z − mean))² with a = ∇g: the same as n⁻¹ S² (Σ v)².
        combined = np.einsum("...ij,...j->...i", z, gradient)
        center = np.einsum("...j,...j->...", mean, gradient)
        influence = combined - center[..., np.newaxis]
        scale = np.einsum("...ij,...j->...i", np.abs(z), np.abs(gradient)).max(axis=-1)
        is_constant = np.abs(influence).max(axis=-1) <= _ROUNDING * scale
        influence *= weights
        error = np.sqrt(np.einsum("...i,...i->...", influence, influence)) / total
        size = total**2 / np.einsum("...i,...i->...", weights, weights)
        return Weighted(self.g(mean), error, size, is_constant)

    def assisted(
        self,
        z: FloatArray,
        weights: FloatArray,
        expected: FloatArray,
        expected_mean: FloatArray,
        excluded: FloatArray | None = None,
    ) -> Weighted:
        """Difference estimates with their standard errors: Ê z = mean_pool E[z | x] + mean v (z − E[z | x]).

        For a risk Ê z is unbiased, whatever the model expects; a ratio g(Ê z) solves the estimating equation
        of the means. The standard error is that of the mean of v ∇gᵀ(z − E[z | x]).

        Parameters
        ----------
        z : ndarray of shape (…, n_draws, n_statistics)
            Statistics of at least one draw.
        weights : ndarray of shape (…, n_draws)
            p/q.
        expected : ndarray of shape (…, n_draws, n_statistics)
            E[z | x] of the draws, as the model says.
        expected_mean : ndarray of shape (n_statistics,)
            Its average over the pool.
        excluded : ndarray of shape (n_draws,), optional
            0 for draws that have a label; 1 for those that can't be labeled, whose z is 0. The means are then
            over what can be labeled, the share of which is estimated in the same way: the model expects all
            of it.

        References
        ----------
        Särndal, Swensson & Wretman, *Model Assisted Survey Sampling*, 1992, eq. 6.3.4 and 6.3.8;
        Angelopoulos et al., *Prediction-powered inference*, 2023.
        """
        n_draws = weights.shape[-1]
        rows = weights[..., np.newaxis] * (z - expected)
        if excluded is not None:
            missing = weights * excluded
            share = ratio(np.ones(()), 1 - missing.mean(axis=-1))[..., np.newaxis]
            quotient = (expected_mean + rows.mean(axis=-2)) * share
            # The quotient of two means, linearized.
            rows = (rows + missing[..., np.newaxis] * quotient[..., np.newaxis, :]) * share[..., np.newaxis]
            expected_mean = quotient - rows.mean(axis=-2)
        shift = rows.mean(axis=-2)
        mean = expected_mean + shift
        # Margins are not confined to [0, 1] here: where g is not defined, it is NaN without a warning.
        with np.errstate(invalid="ignore"):
            value, gradient = self.g(mean), self.gradient(mean)
        influence = np.einsum("...ij,...j->...i", rows - shift[..., np.newaxis, :], gradient)
        scale = np.einsum("...ij,...j->...i", np.abs(rows), np.abs(gradient)).max(axis=-1)
        is_constant = np.abs(influence).max(axis=-1) <= _ROUNDING * scale
        square = np.einsum("...i,...i->...", influence, influence)
        error = np.sqrt(square / (n_draws * (n_draws - 1))) if n_draws > 1 else np.full(square.shape, np.nan)
        size = weights.sum(axis=-1) ** 2 / np.einsum("...i,...i->...", weights, weights)
        return Weighted(value, error, size, is_constant)
