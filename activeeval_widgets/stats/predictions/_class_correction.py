"""What the labels so far say about a classifier's own probabilities."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray
from activeeval_widgets.stats.predictions._probabilities import chunks
from activeeval_widgets.stats.predictions.beliefs import ClassBelief

LEAST_PROBABILITY = 1e-6
"""Probabilities below count as this one: none of 0 is believed."""

_PRIOR_DEVIATIONS = (0.5, 1.0, 1.0)
"""How far, before any label, the power of the probabilities may be from 1, and the logarithms of the factors
for a predicted class and for the class of interest from 0."""

_DOUBT = (0.2, 10.0)
"""After n labels a share of 0.2/(n + 10) of every distribution is spread over all classes: what n
labels can't rule out."""

_MAX_STEPS = 25


class ClassCorrection:
    """A log-linear correction of the equal mixture of several models' class probabilities by labels.

    p(c | x) becomes proportional to p(c | x)^a exp(b [c is predicted] + d [c is the class of interest]), with
    one b for each model, and d where there is a class of interest. The parameters maximize the likelihood of
    the labels times a normal prior around the models' own a = 1, b = d = 0. A share of 0.2/(n + 10) goes to
    all classes evenly. Labels are not weighted: q depends on x alone, and weights would double the
    parameters' error (see `benchmarks/RESULTS.md`).

    Parameters
    ----------
    classes : ndarray of shape (n_classes,)
    probas : sequence of ndarray of shape (n_instances, n_classes)
        Each model's class probabilities.
    predicted : sequence of ndarray of shape (n_instances,)
        Each model's predictions, as positions in the classes.
    positive : int, optional
        The position of the class of interest.

    References
    ----------
    Guo et al., *On calibration of modern neural networks*, 2017 (the power is an inverse temperature);
    Kull, Silva Filho & Flach, *Beta calibration*, 2017, which it is for two classes.
    """

    def __init__(
        self,
        classes: AnyArray,
        probas: Sequence[FloatArray],
        predicted: Sequence[IntArray],
        positive: int | None = None,
    ) -> None:
        self._classes, self._probas, self._predicted, self._positive = classes, probas, predicted, positive
        of_power, of_predicted, of_interest = _PRIOR_DEVIATIONS
        deviations = [of_power, *[of_predicted] * len(predicted)]
        if positive is not None:
            deviations.append(of_interest)
        self._precision = np.array(deviations) ** -2.0
        self._prior = np.zeros(len(deviations))
        self._prior[0] = 1.0

    def fitted(self, draws: IntArray, codes: IntArray, *, with_labels: bool = False) -> ClassBelief:
        """The corrected probabilities.

        Parameters
        ----------
        draws : ndarray of shape (n_draws,)
            The labeled instances.
        codes : ndarray of shape (n_draws,)
            Their labels as positions in the classes.
        with_labels : bool
            Whether the labeled instances themselves get their labels.
        """
        parameters = self._most_probable(draws, codes)
        spread, prior = _DOUBT
        doubt = spread / (len(draws) + prior)
        y_proba = np.empty_like(self._probas[0])
        for rows in chunks(*y_proba.shape):
            y_proba[rows] = self._corrected(rows, parameters, doubt)
        if with_labels:
            y_proba[draws] = np.eye(self._classes.size)[codes]
            return ClassBelief(self._classes, y_proba)
        rows_of = partial(self._corrected, parameters=parameters, doubt=doubt)
        return ClassBelief(self._classes, y_proba, rows_of)

    def _mixed(self, rows: slice | IntArray) -> FloatArray:
        """The probabilities of some instances by the models' equal mixture."""
        first, *others = self._probas
        total: FloatArray = first[rows]
        if others:
            total = sum((other[rows] for other in others), total) / len(self._probas)
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
