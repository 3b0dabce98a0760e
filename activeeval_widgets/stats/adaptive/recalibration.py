"""What the labels so far say about the model's own probabilities: a corrected predictive distribution."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.measures.classes import chunks
from activeeval_widgets.stats.predictions.base import Predictions, mixture
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.predictions.values import GaussianMixture, ValuePredictions

LEAST_PROBABILITY = 1e-6
"""Probabilities below count as this one: none of 0 is believed."""

_PRIOR_DEVIATIONS = (0.5, 1.0, 1.0)
"""How far, before any label, the power of the probabilities may be from 1, and the logarithms of the factors
for a predicted class and for the class of interest from 0."""

_DOUBT = (0.2, 10.0)
"""After n labels a share of 0.2/(n + 10) of every distribution is spread over all classes: what so many
labels can't rule out."""

_PRIOR_LABELS = 10.0
"""For how many labels the variances that a regression model promises count."""

_MAX_STEPS = 25


def recalibrate(measure: Measure, models: Sequence[Predictions], draws: IntArray, y_true: Any) -> Any:
    """The predictive distribution of the models' equal mixture, corrected by labels.

    Classes: p(c | x) becomes proportional to p(c | x)^a exp(b [c is predicted] + d [c is the class of
    interest]), with one b for each model, and d for measures that have a `positive` class. The parameters
    maximize the likelihood of the labels times a normal prior around the models' own a = 1, b = d = 0. A
    share of 0.2/(n + 10) goes to all classes evenly. Labels are not weighted: q depends on x alone, and
    weights would double the parameters' error (see `benchmarks/RESULTS.md`).

    Values: the variances are multiplied by the mean squared standardized deviation of the labels, shrunk
    towards 1. Variances that are not known become one constant, by the labels' mean squared deviation.

    Rankings: as the model says.

    Parameters
    ----------
    measure : Measure
        What is estimated.
    models : sequence of Predictions
        One model or more, of one pool.
    draws : ndarray of shape (n_draws,)
        The labeled instances.
    y_true : array-like of shape (n_draws,)
        Their labels.

    Returns
    -------
    ClassPredictions, GaussianMixture or RelevanceModel
        What `Measure.moments` takes as its belief.

    References
    ----------
    Guo et al., *On calibration of modern neural networks*, 2017 (the power is an inverse temperature);
    Kull, Silva Filho & Flach, *Beta calibration*, 2017, which it is for two classes.
    """
    first = models[0]
    if isinstance(first, ClassPredictions):
        of_classes = [model for model in models if isinstance(model, ClassPredictions)]
        return _Recalibration(measure, of_classes).fitted(draws, first.encode(y_true))
    belief = mixture(models)
    if isinstance(belief, GaussianMixture):
        return _rescaled(models, belief, draws, np.asarray(y_true, dtype=np.float64))
    return belief


def with_known_labels(belief: Any, draws: IntArray, y_true: Any) -> Any:
    """The belief when the labels of draws are known; rankings: as it is.

    Parameters
    ----------
    belief : ClassPredictions, GaussianMixture or RelevanceModel
        A predictive distribution; arrays of classes and values are changed in place.
    draws : ndarray of shape (n_draws,)
        The labeled instances.
    y_true : array-like of shape (n_draws,)
        Their labels.
    """
    if isinstance(belief, ClassPredictions):
        belief.y_proba[draws] = np.eye(belief.n_classes)[belief.encode(y_true)]
    elif isinstance(belief, GaussianMixture):
        belief.means[:, draws] = np.asarray(y_true, dtype=np.float64)
        if belief.variances is not None:
            belief.variances[:, draws] = 0
    return belief


def corrected_mean(expected: FloatArray, spread: FloatArray, draws: IntArray, z: FloatArray) -> FloatArray:
    """E[z | x] corrected by labels where the predictive distribution is not: α + β E[z | x].

    α and β by weighted least squares, with a prior that counts as ten labels at α = 0, β = 1.

    Parameters
    ----------
    expected : ndarray of shape (n_instances, n_statistics)
        E[z | x] as the model says.
    spread : ndarray of shape (n_instances,)
        The standard deviation that is expected of the labels' influence.
    draws : ndarray of shape (n_draws,)
        The labeled instances.
    z : ndarray of shape (n_draws, n_statistics)
        Their statistics.
    """
    if not draws.size:
        return expected
    variance = np.maximum(spread[draws], 1e-3 * spread.max()) ** 2
    weights = np.ones(draws.size) if not variance.min() > 0 else 1 / variance
    weights /= weights.mean()
    made = expected.copy()
    for k in range(expected.shape[1]):
        slope = expected[:, k] - expected[:, k].mean()
        rows = np.column_stack([np.ones(draws.size), slope[draws]])
        strength = np.array([1.0, max(float((slope**2).mean()), 1e-300)])
        curvature = rows.T @ (weights[:, np.newaxis] * rows) + _PRIOR_LABELS * np.diag(strength)
        scale = np.sqrt(np.diag(curvature))
        right = rows.T @ (weights * (z[:, k] - expected[draws, k]))
        solution = np.linalg.solve(curvature / np.outer(scale, scale), right / scale) / scale
        made[:, k] += solution[0] + solution[1] * slope
    return made


class _Recalibration:
    """A log-linear correction of class probabilities."""

    def __init__(self, measure: Measure, models: Sequence[ClassPredictions]) -> None:
        self._models = models
        self._predicted = [model.pred_codes for model in models]
        positive = measure.positive
        self._positive = None if positive is None else models[0].code_of(positive, name="positive")
        power, predicted, of_interest = _PRIOR_DEVIATIONS
        deviations = [power, *[predicted] * len(self._predicted)]
        if self._positive is not None:
            deviations.append(of_interest)
        self._precision = np.array(deviations) ** -2.0
        self._prior = np.zeros(len(deviations))
        self._prior[0] = 1.0

    def fitted(self, draws: IntArray, codes: IntArray) -> ClassPredictions:
        """The corrected predictions, by labels given as positions in the classes."""
        parameters = self._most_probable(draws, codes)
        spread, prior = _DOUBT
        doubt = spread / (len(draws) + prior)
        y_proba = np.empty_like(self._models[0].y_proba)
        for rows in chunks(*y_proba.shape):
            y_proba[rows] = self._corrected(rows, parameters, doubt)
        rows_of = partial(self._corrected, parameters=parameters, doubt=doubt)
        return _Recalibrated(self._models[0], y_proba, rows_of)

    def _mixed(self, rows: slice | IntArray) -> FloatArray:
        """The probabilities of some instances by the models' equal mixture."""
        first, *others = self._models
        total: FloatArray = first.y_proba[rows]
        if others:
            total = sum((other.y_proba[rows] for other in others), total) / len(self._models)
        return total

    def _corrected(self, rows: slice | IntArray, parameters: FloatArray, doubt: float) -> FloatArray:
        """The corrected probabilities of some instances."""
        scores = np.maximum(self._mixed(rows), LEAST_PROBABILITY)
        np.log(scores, out=scores)
        scores *= parameters[0]
        np.exp(scores, out=scores)
        everyone = np.arange(len(scores))
        for codes_of_model, logarithm in zip(self._predicted, parameters[1:], strict=False):
            scores[everyone, codes_of_model[rows]] *= np.exp(logarithm)
        if self._positive is not None:
            scores[:, self._positive] *= np.exp(parameters[-1])
        scores *= ((1 - doubt) / scores.sum(axis=1))[:, np.newaxis]
        scores += doubt / scores.shape[1]
        return scores

    def _features(self, draws: IntArray) -> FloatArray:
        """What the parameters multiply, (n_draws, n_classes, n_parameters)."""
        logarithms = np.log(np.maximum(self._mixed(draws), LEAST_PROBABILITY))
        one_hot = np.eye(logarithms.shape[1])
        features = [logarithms, *(one_hot[codes[draws]] for codes in self._predicted)]
        if self._positive is not None:
            features.append(np.broadcast_to(one_hot[self._positive], logarithms.shape))
        return np.stack(features, axis=-1)

    def _most_probable(self, draws: IntArray, codes: IntArray) -> FloatArray:
        """Newton's method with halved steps: the objective is strictly concave."""
        features = self._features(draws)
        seen = features[np.arange(len(draws)), codes].sum(axis=0)
        parameters, (value, expected, curvature) = self._prior, self._derivatives(features, self._prior)
        value += float(seen @ parameters)
        for _ in range(_MAX_STEPS):
            gradient = seen - expected - self._precision * (parameters - self._prior)
            step = np.linalg.solve(curvature + np.diag(self._precision), gradient)
            if float(gradient @ step) < 1e-10:
                break
            for _ in range(30):
                proposed = parameters + step
                new_value, new_expected, new_curvature = self._derivatives(features, proposed)
                new_value += float(seen @ proposed)
                if new_value >= value:
                    break
                step = step / 2
            else:
                break
            parameters, value, expected, curvature = proposed, new_value, new_expected, new_curvature
        return parameters

    def _derivatives(
        self, features: FloatArray, parameters: FloatArray
    ) -> tuple[float, FloatArray, FloatArray]:
        """− Σ log-normalizers − penalty; Σ E[features]; Σ Cov[features]."""
        scores = features @ parameters
        greatest = scores.max(axis=1, initial=-np.inf, keepdims=True)
        proba = np.exp(scores - greatest)
        totals = proba.sum(axis=1, keepdims=True)
        proba /= totals
        means = np.einsum("nc,nck->nk", proba, features)
        centered = features - means[:, np.newaxis, :]
        curvature = np.einsum("nc,ncj,nck->jk", proba, centered, centered)
        penalty = 0.5 * float(self._precision @ (parameters - self._prior) ** 2)
        return -float((greatest + np.log(totals)).sum()) - penalty, means.sum(axis=0), curvature


class _Recalibrated(ClassPredictions):
    """Corrected probabilities, and how to get those of a few instances without keeping all of them."""

    def __init__(
        self, model: ClassPredictions, y_proba: FloatArray, rows: Callable[[IntArray], FloatArray]
    ) -> None:
        super().__init__(y_proba[:1], classes=model.classes)
        # Made of checked rows: another pass over the pool to check them is saved.
        self.y_proba, self.pred_codes, self._rows = y_proba, model.pred_codes, rows

    def proba_of(self, instances: IntArray) -> FloatArray:
        return self._rows(instances)


def _rescaled(
    models: Sequence[Predictions], belief: GaussianMixture, draws: IntArray, y_true: FloatArray
) -> GaussianMixture:
    means = np.stack([model.mean for model in models if isinstance(model, ValuePredictions)])
    squares = (y_true - means[:, draws]) ** 2
    if belief.variances is None:
        # Before the first label the scale is unknown; q and the shares of the variance don't depend on it.
        constant = float(squares.mean()) if draws.size else 0.0
        return GaussianMixture(means, np.full(means.shape, constant if constant > 0 else 1.0))
    least = LEAST_PROBABILITY * float(belief.variances.max())
    if least == 0:
        constant = float(squares.mean()) if draws.size else 0.0
        return GaussianMixture(means, np.full(means.shape, constant if constant > 0 else 1.0))
    variances = np.maximum(belief.variances, least)
    deviations = (squares / variances[:, draws]).mean(axis=0)
    scale = (_PRIOR_LABELS + float(deviations.sum())) / (_PRIOR_LABELS + draws.size)
    return GaussianMixture(means, scale * variances)
