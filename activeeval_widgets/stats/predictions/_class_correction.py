"""Correction of a classifier's probabilities by labels."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray
from activeeval_widgets.stats.predictions._probabilities import chunks
from activeeval_widgets.stats.predictions.beliefs import ClassBelief

MIN_PROBABILITY = 1e-6
"""Smaller probabilities are raised to this one, so that no class is impossible."""

_DOUBT = (0.2, 10.0)
"""After n labels, a share of 0.2/(n + 10) of every distribution is spread over all classes, for what n labels
can't rule out."""

_EVEN_DOUBT = 0.1
"""A tenth of it evenly, the rest by the classes' shares: 0.02 of 3,000 must not add 9 to a class of 7."""

_OF_POWER = 0.5
_OF_PREDICTED = 0.7
_OF_ALL_PREDICTED = 1.0
_OF_INTEREST = 1.0
"""Prior standard deviations around values that leave the probabilities unchanged: of the power, the factors
of predicted classes, a model's common factor of all predicted classes, and the factor of the class of
interest."""

_MAX_STEPS = 25


class ClassCorrection:
    """A log-linear correction of the equal mixture of several models' class probabilities by labels.

    With π (`shares`) the mixture's average over the pool, the corrected p(c | x) is proportional to π(c) (p(c
    | x)/π(c))^a exp(b [c is predicted] + d [c is the class of interest]). Without a class of interest
    (`positive`, by position), each predicted class that has a label has its own b; with one, each model has
    its own b, and there is d. A share of 0.2/(n + 10) goes to all classes, nine tenths of it by π.

    The parameters maximize the likelihood of the labels times a normal prior around a = 1, b = d = 0. Labels
    are not weighted: q depends on x only, and weights would double the parameters' error (see
    `benchmarks/RESULTS.md`). A power that shrinks toward even odds instead of π would multiply the expected
    size of a class with 7 of 3,000 instances (`docs/explanations/adaptive-draws.md`). In `kept`, log p(c |
    x)/π(c) is cached.

    Guo et al., *On calibration of modern neural networks*, 2017 (the power is an inverse temperature); Kull,
    Silva Filho & Flach, *Beta calibration*, 2017 (the special case of two classes).
    """

    def __init__(
        self,
        classes: AnyArray,
        probas: Sequence[FloatArray],
        predicted: Sequence[IntArray],
        positive: int | None,
        shares: FloatArray,
        kept: dict[Any, Any] | None = None,
    ) -> None:
        self._classes, self._probas, self._predicted, self._positive = classes, probas, predicted, positive
        self._kept = kept
        least = MIN_PROBABILITY * classes.size
        self._shares = np.maximum(shares, MIN_PROBABILITY) / np.maximum(shares, MIN_PROBABILITY).sum()
        self._least = least * self._shares
        self._logarithms = np.log(self._shares)
        self._spread = (1 - _EVEN_DOUBT) * self._shares + _EVEN_DOUBT / classes.size

    def fitted(self, draws: IntArray, codes: IntArray, *, with_labels: bool = False) -> ClassBelief:
        """Return the probabilities, corrected by labels; labeled instances have theirs if `with_labels`."""
        parameters = self._most_probable(draws, codes)
        spread, prior = _DOUBT
        doubt = spread / (len(draws) + prior)
        # Stored by column: there are few classes and many instances.
        n_instances, n_classes = self._probas[0].shape
        y_proba = np.empty((n_classes, n_instances)).T
        for rows in chunks(n_instances, n_classes):
            y_proba[rows] = self._corrected(rows, parameters, doubt)
        if with_labels:
            y_proba[draws] = np.eye(self._classes.size)[codes]
            return ClassBelief(self._classes, y_proba)
        rows_of = partial(self._corrected, parameters=parameters, doubt=doubt)
        return ClassBelief(self._classes, y_proba, rows_of)

    def _relative(self, rows: slice | IntArray) -> FloatArray:
        """Return log p(c | x)/π(c), (n_classes, n)."""
        if self._kept is not None:
            if "relative" not in self._kept:
                self._kept["relative"] = self._relative_of(slice(None))
            return np.asarray(self._kept["relative"][:, rows])
        return self._relative_of(rows)

    def _relative_of(self, rows: slice | IntArray) -> FloatArray:
        scores = np.array(self._mixed(rows).T, order="C")
        np.maximum(scores, self._least[:, np.newaxis], out=scores)
        np.log(scores, out=scores)
        scores -= self._logarithms[:, np.newaxis]
        return scores

    def _evidence(self, draws: IntArray, codes: IntArray) -> "_Labeled":
        own = [predicted[draws] for predicted in self._predicted]
        deviations = [_OF_POWER]
        self._parameter_of = []
        for of_model in own:
            if self._positive is not None:
                parameter = np.full(self._classes.size, len(deviations), dtype=np.intp)
                deviations.append(_OF_ALL_PREDICTED)
            else:
                # Classes that are predicted for no labeled instance keep the factor 1, the extra last entry.
                present = np.unique(of_model)
                parameter = np.full(self._classes.size, -1, dtype=np.intp)
                parameter[present] = len(deviations) + np.arange(present.size)
                deviations += [_OF_PREDICTED] * present.size
            self._parameter_of.append(parameter)
        marks = [*zip(own, (of[each] for of, each in zip(self._parameter_of, own, strict=True)), strict=True)]
        if self._positive is not None:
            marks.append((np.full_like(codes, self._positive), np.full_like(codes, len(deviations))))
            deviations.append(_OF_INTEREST)
        self._deviations = np.array(deviations)
        relative = np.ascontiguousarray(self._relative(draws).T)
        return _Labeled(relative, self._logarithms, marks, codes, len(deviations))

    def _corrected(self, rows: slice | IntArray, parameters: FloatArray, doubt: float) -> FloatArray:
        scores: FloatArray = parameters[0] * self._relative(rows)
        scores += self._logarithms[:, np.newaxis]
        everyone, ended = np.arange(scores.shape[1]), np.append(parameters, 0.0)
        for predicted, parameter in zip(self._predicted, self._parameter_of, strict=True):
            codes = predicted[rows]
            scores[codes, everyone] += ended[parameter][codes]
        if self._positive is not None:
            scores[self._positive] += parameters[-1]
        scores -= scores.max(axis=0)
        np.exp(scores, out=scores)
        scores *= (1 - doubt) / scores.sum(axis=0)
        scores += (doubt * self._spread)[:, np.newaxis]
        return scores.T

    def _mixed(self, rows: slice | IntArray) -> FloatArray:
        """Return the equal mixture's probabilities of some instances."""
        first, *others = self._probas
        total: FloatArray = first[rows]
        if others:
            total = sum((other[rows] for other in others), total) / len(self._probas)
        return total

    def _most_probable(self, draws: IntArray, codes: IntArray) -> FloatArray:
        """Maximize the strictly concave objective by Newton's method with step halving."""
        evidence = self._evidence(draws, codes)
        precision = self._deviations**-2.0
        prior = np.zeros(precision.size)
        prior[0] = 1.0

        def at(parameters: FloatArray) -> tuple[float, FloatArray, FloatArray]:
            value, expected, curvature = evidence.derivatives(parameters)
            value -= 0.5 * float(precision @ (parameters - prior) ** 2)
            return value + float(evidence.seen @ parameters), expected, curvature

        parameters, (value, expected, curvature) = prior, at(prior)
        for _ in range(_MAX_STEPS):
            gradient = evidence.seen - expected - precision * (parameters - prior)
            step = np.linalg.solve(curvature + np.diag(precision), gradient)
            if float(gradient @ step) < 1e-10:
                break
            for _ in range(30):
                proposed = parameters + step
                new_value, new_expected, new_curvature = at(proposed)
                if new_value >= value:
                    break
                step = step / 2
            else:
                break
            parameters, value, expected, curvature = proposed, new_value, new_expected, new_curvature
        return parameters


class _Labeled:
    """The evidence of labels for `ClassCorrection`; no array spans both all classes and all parameters.

    `relative` is log p(c | x)/π(c), the factor of the first parameter, and `logarithms` log π(c). Each of
    `marks` is a class of each instance, and the parameter that is the logarithm of that class's factor.
    """

    def __init__(
        self,
        relative: FloatArray,
        logarithms: FloatArray,
        marks: list[tuple[IntArray, IntArray]],
        codes: IntArray,
        n_parameters: int,
    ) -> None:
        self._relative, self._logarithms, self._marks = relative, logarithms, marks
        self._everyone = np.arange(codes.size)
        self._of_marked = [relative[self._everyone, marked] for marked, _ in marks]
        # Of each pair of marks, whether they are of the same class, and the place of their covariance.
        self._pairs = [
            [(marked == other, parameter * n_parameters + of_other) for other, of_other in marks]
            for marked, parameter in marks
        ]
        self.seen = np.zeros(n_parameters)
        for marked, parameter in marks:
            self.seen += np.bincount(parameter, marked == codes, n_parameters)
        self.seen[0] = relative[self._everyone, codes].sum()
        self._constant = float(logarithms[codes].sum())

    def derivatives(self, parameters: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """Return − Σ log-normalizers, Σ E[features] and Σ Cov[features]."""
        scores = parameters[0] * self._relative + self._logarithms
        for marked, parameter in self._marks:
            scores[self._everyone, marked] += parameters[parameter]
        greatest = scores.max(axis=1, initial=-np.inf, keepdims=True)
        proba = np.exp(scores - greatest)
        totals = proba.sum(axis=1, keepdims=True)
        proba /= totals
        weighted = proba * self._relative
        mean = weighted.sum(axis=1)
        n = parameters.size
        expected, crossed = np.zeros((2, n))
        covariance = np.zeros(n * n)
        of_marks = [proba[self._everyone, marked] for marked, _ in self._marks]
        # No two marks share a parameter.
        for k, (_, parameter) in enumerate(self._marks):
            expected += np.bincount(parameter, of_marks[k], n)
            crossed += np.bincount(parameter, of_marks[k] * (self._of_marked[k] - mean), n)
            for of_other, (is_same, place) in zip(of_marks, self._pairs[k], strict=True):
                covariance += np.bincount(place, of_marks[k] * (is_same - of_other), n * n)
        expected[0] = mean.sum()
        crossed[0] = float((weighted * self._relative).sum() - mean @ mean)
        curvature = covariance.reshape(n, n)
        curvature[0] = curvature[:, 0] = crossed
        value = self._constant - float((greatest + np.log(totals)).sum())
        return value, expected, curvature
