"""The form of q for adaptive draws, shared by draws, expectations and plans."""

from math import inf
from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.adaptive.draw_rule import DrawRule
from activeeval_widgets.stats.predictions.base import left_sum
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.questions.question import Question
from activeeval_widgets.stats.questions.target import Target


class PartOfQ(NamedTuple):
    """A part of q, not normalized, and its sum over what is left."""

    sizes: FloatArray | float
    total: FloatArray | float = 1.0


class Favored(NamedTuple):
    """Instances that q favors whatever the model's probabilities are; see `DrawRule.favored_share`."""

    sizes: FloatArray
    """1 where two models can differ, and 0 elsewhere; or `evened_sizes`."""
    is_apart: bool
    """Whether all parts of q are restricted to where `sizes` is positive, but for a share that is uniform on
    the whole pool. Otherwise a share of q is by `sizes`."""

    def informed(
        self, informed: FloatArray, target: Target, rule: DrawRule, scale: FloatArray | None = None
    ) -> FloatArray:
        """Return the informative part of q, not normalized, on the whole pool and after many labels.

        `scale`: the root of the inverse costs, by which all parts are multiplied afterwards.
        """
        if self.is_apart:
            return informed * self.sizes
        average = target.models[0].average
        informative, even, third = PartOfQ(informed, average(informed)), PartOfQ(1.0), PartOfQ(self.sizes)
        if scale is not None:
            informative, even, third = (
                PartOfQ(each.sizes, average(each.sizes * scale)) for each in (informative, even, third)
            )
        least = rule.least_share(target.measure, len(target.models))
        of_third = rule.favored_share(target.measure, inf)
        return beyond(informative, even, least, third, of_third)


class Coefficients(NamedTuple):
    """The coefficients of q(x) = scale · informed(x) + floor + there · favored(x), at equal costs."""

    scale: FloatArray
    floor: FloatArray
    there: FloatArray


def mixed_q(
    share: FloatArray | float,
    informed: PartOfQ,
    even: PartOfQ,
    third: PartOfQ | None,
    of_third: FloatArray | float,
) -> FloatArray:
    """Return q = (1 − ε) informed + ε even; or 1 − η of that, and η of a third part."""
    q = (1 - share) * informed.sizes / informed.total + share * even.sizes / even.total
    if third is not None:
        q = (1 - of_third) * q + of_third * third.sizes / third.total
    return np.asarray(q)


def beyond(
    informed: PartOfQ, even: PartOfQ, share: float, third: PartOfQ, of_third: FloatArray | float
) -> FloatArray:
    """Return what of the informative part exceeds the others; all of it if nothing does."""
    sizes = np.asarray(informed.sizes / informed.total)
    others = mixed_q(share, PartOfQ(0.0), even, third, of_third)
    over: FloatArray = np.maximum(sizes - others, 0.0)
    return over if over.max() > 0 else sizes


def coefficients(
    share: FloatArray | float,
    total: FloatArray | float,
    n_left: FloatArray | float,
    n_there: FloatArray | float | None,
    favored: Favored | None,
    of_third: FloatArray | float,
) -> Coefficients:
    """Return the coefficients of `mixed_q` from the sums of its parts over what is left; `of_third`: η."""
    parts = []
    for is_informed, is_there, is_favored in np.eye(3).tolist():
        even, third = PartOfQ(is_there, n_left), None
        if favored is not None and n_there is not None:
            third = PartOfQ(is_favored, n_there)
            if favored.is_apart:
                even, third = third, even
        parts.append(mixed_q(share, PartOfQ(is_informed, total), even, third, of_third))
    return Coefficients(*parts)


def evened_sizes(question: Question) -> FloatArray | None:
    """Return what a share of q is proportional to if the measure is evened, the mean over models; else None.

    Its mean is 1, and its sum over each group of predicted classes is proportional to the root of the group's
    share times what a label there can change (`Measure.evened_groups`). Ratios are evened only for one
    model: a difference of two depends on few instances.
    """
    measure = question.measure
    if not measure.is_evened or (measure.is_ratio and question.pairs):
        return None
    found = []
    for model in (measure._expect(ClassPredictions, model) for model in question.models):
        groups, reach = measure.evened_groups(model)
        of_classes = np.bincount(model.pred_codes, model.counts, model.n_classes)
        sizes = np.sqrt(reach / np.maximum(np.bincount(groups, of_classes), 1))[groups]
        total = float(of_classes @ sizes)
        each = sizes * (model.size / total) if total > 0 else np.ones(sizes.size)
        found.append(each[model.pred_codes])
    return np.asarray(np.mean(found, axis=0))


def favored_in(target: Target, rule: DrawRule) -> Favored | None:
    """Return the instances that q favors; None if there are none."""
    evened = evened_sizes(target)
    if evened is not None:
        return Favored(evened, is_apart=False)
    differ = None if rule.alike_share is None else target.differs_at()
    return None if differ is None else Favored(differ.astype(np.float64), is_apart=True)


def settled_q(target: Target, informed: FloatArray, left: FloatArray, rule: DrawRule) -> FloatArray:
    """Return q after many labels, if its informative part, for the given costs, stays as it is."""
    favored = favored_in(target, rule)
    ones: FloatArray = np.ones(informed.size)
    even, third = PartOfQ(ones, left_sum(ones, left)), None
    if favored is not None:
        informed = favored.informed(informed, target, rule)
        third = PartOfQ(favored.sizes, left_sum(favored.sizes, left))
        if favored.is_apart:
            even, third = third, even
    informative = PartOfQ(informed, left_sum(informed, left))
    if not informative.total > 0:
        informative = even
    measure = target.measure
    least, of_third = rule.least_share(measure, len(target.models)), rule.favored_share(measure, inf)
    return mixed_q(least, informative, even, third, of_third)
