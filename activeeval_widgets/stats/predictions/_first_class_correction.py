"""How labels corrected a classifier's probabilities at first: sessions begun then go on with it."""

from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.predictions._class_correction import LEAST_PROBABILITY, Correction

_DEVIATIONS = (0.5, 1.0, 1.0)
"""Of the power, and of the logarithms of the factors for a predicted class and for the class of interest."""


class FirstClassCorrection(Correction):
    """p(c | x) becomes proportional to p(c | x)^a exp(b [c is predicted] + d [c is the class of interest]).

    One b for each model, and d where there is a class of interest; doubt is spread evenly. Nothing here may
    change by a bit: the draws of stored sessions follow from it. Parameters are those of `Correction`.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        of_power, of_predicted, of_interest = _DEVIATIONS
        of_factors = [of_predicted] * len(self._predicted) + [of_interest] * (self._positive is not None)
        self._deviations = np.array([of_power, *of_factors])

    def _evidence(self, draws: IntArray, codes: IntArray) -> "_FirstEvidence":
        logarithms = np.log(np.maximum(self._mixed(draws), LEAST_PROBABILITY))
        one_hot = np.eye(logarithms.shape[1])
        features = [logarithms, *(one_hot[predicted[draws]] for predicted in self._predicted)]
        if self._positive is not None:
            features.append(np.broadcast_to(one_hot[self._positive], logarithms.shape))
        return _FirstEvidence(np.stack(features, axis=-1), codes)

    def _corrected(self, rows: slice | IntArray, parameters: FloatArray, doubt: float) -> FloatArray:
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


class _FirstEvidence:
    """What the parameters multiply, (n_draws, n_classes, n_parameters), and which class was seen."""

    def __init__(self, features: FloatArray, codes: IntArray) -> None:
        self._features = features
        self.seen: FloatArray = features[np.arange(len(codes)), codes].sum(axis=0)

    def derivatives(self, parameters: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """See `Evidence`."""
        scores = self._features @ parameters
        greatest = scores.max(axis=1, initial=-np.inf, keepdims=True)
        proba = np.exp(scores - greatest)
        totals = proba.sum(axis=1, keepdims=True)
        proba /= totals
        means = np.einsum("nc,nck->nk", proba, self._features)
        centered = self._features - means[:, np.newaxis, :]
        curvature = np.einsum("nc,ncj,nck->jk", proba, centered, centered)
        return -float((greatest + np.log(totals)).sum()), means.sum(axis=0), curvature
