"""The estimand: a function of the mean of statistics, for one model or the difference of two."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, BoolArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_draws, check_q, split_excluded
from activeeval_widgets.stats.measures.base import Composition, ratio
from activeeval_widgets.stats.measures.expectation import Expectation
from activeeval_widgets.stats.predictions.base import Predictions, mixture
from activeeval_widgets.stats.predictions.beliefs import Belief
from activeeval_widgets.stats.questions.question import Question
from activeeval_widgets.stats.questions.sample import ROUNDING, Sample, Weighted


class Target(Question):
    """A question whose answer is a function g of the mean of statistics z."""

    about = "one model or two"
    signs: tuple[float, ...]
    """The coefficient of each model's value in the sum."""

    @property
    def targets(self) -> "tuple[Target, ...]":
        """The target itself."""
        return (self,)

    def informed(
        self,
        sizes: Callable[["Target"], FloatArray],
        left: FloatArray,  # noqa: ARG002
        pairs: Sequence[tuple[int, int]] | None = None,  # noqa: ARG002
    ) -> FloatArray:
        """Return the target's own sizes."""
        return sizes(self)

    @property
    def null_value(self) -> float | None:
        """The value under the null hypothesis; None if there is no test."""
        return self.quantity.null_value

    @property
    def skips_agreement(self) -> bool:
        """Whether instances on which models agree need not be drawn."""
        return False

    def with_models(self, models: Sequence[Predictions]) -> Self:
        """Return the same question about other predictions of its models."""
        return type(self)(self.measure, models)

    @property
    def is_by_labels(self) -> bool:
        """Whether the value on labeled instances is not g of the mean of statistics; see `value_of`."""
        return self.measure.is_binned or self.measure.parts_count_whole_pool

    @property
    def is_smooth(self) -> bool:
        """Whether an estimate ± its standard error is asymptotically valid."""
        return self.quantity.is_smooth

    @property
    @abstractmethod
    def range(self) -> tuple[float, float]:
        """The smallest and largest possible value."""

    @property
    @abstractmethod
    def base(self) -> "Target":
        """The target of exact intervals."""

    @property
    @abstractmethod
    def has_equation(self) -> bool:
        """Whether the value solves an estimating equation."""

    @property
    @abstractmethod
    def composition(self) -> Composition | None:
        """The parts of which it is a function, if they give an exact interval."""

    @abstractmethod
    def g(self, mean: FloatArray) -> FloatArray:
        """Return the value, given E[z] of shape (…, n_statistics)."""

    @abstractmethod
    def gradient(self, mean: FloatArray) -> FloatArray:
        """Return ∇g at E[z], both of shape (…, n_statistics)."""

    @abstractmethod
    def split(self, mean: FloatArray) -> Sequence[FloatArray]:
        """Return each model's part of (…, n_statistics)."""

    @abstractmethod
    def influence_without_variances(self) -> FloatArray:
        """Return the influence in the limit of a large constant variance, up to a factor (T, 5: active_∞)."""

    @abstractmethod
    def loss(self, z: FloatArray) -> FloatArray:
        """Return the loss, or the difference of two, given statistics z of a risk."""

    @abstractmethod
    def constant_interval(self, sample: Sample, value: float, level: float) -> tuple[float, float]:
        """Return an interval for the case that no draw deviates from `value`."""

    def check_labels(self, labels: Any) -> None:
        """Refuse labels that do not suit all models."""

    def rest_share(self, q: FloatArray) -> float:  # noqa: ARG002
        """Return the share of the pool that is never drawn but is part of the measure's mean."""
        return 0.0

    def differs_at(self) -> BoolArray | None:
        """Return where two models can differ, (n_instances,); None for everywhere or if it is not known."""
        found = self.can_differ()
        return None if found is None or found.all() or not found.any() else found

    @property
    def size(self) -> int:
        """The number of instances in the pool, m."""
        return self.models[0].size

    def left(self, draws: IntArray) -> AnyArray:
        """Return the number of instances of each row left after these draws; see `Predictions.left`."""
        return self.models[0].left(draws)

    def loss_bounds(self, y_range: tuple[float, float] | None) -> tuple[FloatArray, FloatArray]:
        """Return the smallest and largest loss in each row, for a risk; see `Measure.loss_bounds`."""
        members = self.models[0].members
        if members is None or self.measure.is_alike_in_rows:
            return self.measure.loss_bounds(self.models, y_range)
        return members.loss_bounds(self.measure, y_range, tuple(model.position for model in self.models))

    def sample(self, q: ArrayLike, draws: ArrayLike, y_true: Any) -> Sample:
        """Validate labeled draws and return the sample; a label None means that the instance is excluded."""
        return self.sample_from(check_q(q, self.models[0]), draws, y_true)

    def sample_from(self, distribution: FloatArray, draws: ArrayLike, y_true: Any) -> Sample:
        """Return the sample for a q that was validated before: it need not be for each label."""
        model = self.models[0]
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
        """Return z of labeled draws, the models' statistics concatenated; (n_draws, n_statistics)."""
        self.check_labels(labels)
        return np.concatenate(
            [self.measure.statistics(model, labels, draws) for model in self.models], axis=1
        )

    def value_of(self, instances: IntArray, labels: Any) -> float:
        """Return the value on distinct, fully labeled instances; NaN if it is not defined."""
        with np.errstate(invalid="ignore", divide="ignore"):
            if not self.is_by_labels:
                return float(self.g(self.statistics(labels, instances).mean(axis=0)))
            parts = zip(self.signs, self.parts_of(instances), strict=True)
            return sum(sign * self.measure.of_pool(part, labels) for sign, part in parts)

    def parts_of(self, instances: IntArray) -> list[Predictions]:
        """Return the predictions of some instances as a pool of their own, with new positions."""
        return [model.of_instances(instances) for model in self.models]

    def unevenness(self, mean: FloatArray, share: float) -> float:
        """Return `Measure.unevenness`, summed over the models."""
        each = zip(self.models, self.split(mean), strict=True)
        return sum(self.measure.unevenness(model, of_model, share) for model, of_model in each)

    def pool_share(self, sample: Sample) -> float:
        """Return the factor from a mean over what is drawn and labeled to a mean over the whole pool.

        It assumes that everything that is never drawn can be labeled.
        """
        rest = self.rest_share(sample.q)
        drawn = 1 - rest
        if rest and sample.labeled is not None and sample.labeled.any():
            drawn *= float(sample.weights[sample.labeled].sum() / sample.weights.sum())
        return drawn / (drawn + rest)

    def parts(self, z: FloatArray, den: FloatArray | float = 1.0) -> FloatArray:
        """Return (num, den) of statistics z, (…, 2): a ratio's own, or a risk's loss and `den`."""
        if not self.measure.is_risk:
            return z
        num = self.loss(z)
        found: FloatArray = np.empty((*num.shape, 2))
        found[..., 0], found[..., 1] = num, den
        return found

    def outcomes(self, y_range: tuple[float, float] | None) -> Iterator[FloatArray]:
        """Yield statistics of the whole pool for each instance's extremes; see `Measure.outcomes`."""
        return self.measure.outcomes(self.models, y_range)

    def conditional_mean(self, belief: Belief | None = None) -> FloatArray | None:
        """Return E[z | x] under the models or another belief; None for values without variances."""
        expected = self.expectation(belief)
        return None if expected is None else expected.dense()

    def expectation(self, belief: Belief | None = None) -> Expectation | None:
        """Return E[z | x] as by `conditional_mean`, in a form that needs less memory for many statistics."""
        if belief is None:
            belief = mixture(self.models)
        if not belief.is_known:
            return None
        return Expectation.beside([self.measure.expectation(model, belief) for model in self.models])

    def weighted(self, z: FloatArray, weights: FloatArray) -> Weighted:
        """Return self-normalized estimates with their standard errors (T, 3.11, 3.14, 3.31; Lemma 3.4)."""
        total = weights.sum(axis=-1)
        mean = np.einsum("...i,...ij->...j", weights, z) / total[..., np.newaxis]
        gradient = self.gradient(mean)
        # Σ v² (aᵀ(z − mean))² with a = ∇g equals n⁻¹ S² (Σ v)².
        combined = np.einsum("...ij,...j->...i", z, gradient)
        center = np.einsum("...j,...j->...", mean, gradient)
        influence = combined - center[..., np.newaxis]
        scale = np.einsum("...ij,...j->...i", np.abs(z), np.abs(gradient)).max(axis=-1)
        is_constant = np.abs(influence).max(axis=-1) <= ROUNDING * scale
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
        """Return difference estimates with standard errors: Ê z = mean_pool E[z | x] + mean v (z − E[z | x]).

        For a risk, Ê z is unbiased, whatever the model expects. A ratio g(Ê z) solves the estimating equation
        of the means. The standard error is that of the mean of v ∇gᵀ(z − E[z | x]).

        `excluded` is 1 for excluded draws, whose z is 0, and 0 for others. The means are then over what can
        be labeled, whose share is estimated in the same way, the model expecting 1.

        Särndal, Swensson & Wretman, *Model Assisted Survey Sampling*, 1992, eq. 6.3.4 and 6.3.8; Angelopoulos
        et al., *Prediction-powered inference*, 2023.
        """
        n_draws = weights.shape[-1]
        rows = weights[..., np.newaxis] * (z - expected)
        if excluded is not None:
            missing = weights * excluded
            share = ratio(np.ones(()), 1 - missing.mean(axis=-1))[..., np.newaxis]
            quotient = (expected_mean + rows.mean(axis=-2)) * share
            # Linearize the ratio of two means.
            rows = (rows + missing[..., np.newaxis] * quotient[..., np.newaxis, :]) * share[..., np.newaxis]
            expected_mean = quotient - rows.mean(axis=-2)
        shift = rows.mean(axis=-2)
        mean = expected_mean + shift
        # Margins are not confined to [0, 1] here. Where g is not defined, it is NaN without a warning.
        with np.errstate(invalid="ignore"):
            value, gradient = self.g(mean), self.gradient(mean)
        influence = np.einsum("...ij,...j->...i", rows - shift[..., np.newaxis, :], gradient)
        scale = np.einsum("...ij,...j->...i", np.abs(rows), np.abs(gradient)).max(axis=-1)
        is_constant = np.abs(influence).max(axis=-1) <= ROUNDING * scale
        square = np.einsum("...i,...i->...", influence, influence)
        error = np.sqrt(square / (n_draws * (n_draws - 1))) if n_draws > 1 else np.full(square.shape, np.nan)
        size = weights.sum(axis=-1) ** 2 / np.einsum("...i,...i->...", weights, weights)
        return Weighted(value, error, size, is_constant)
