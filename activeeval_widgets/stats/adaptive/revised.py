"""Predictions that change between draws, for measures of the labels themselves."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.questions.target import Target


class Earlier(NamedTuple):
    """Predictions that were replaced before a draw."""

    n_draws: int
    """The number of draws before they were replaced."""
    predictions: Predictions
    """What was known at these draws, or those since the ones before."""


def revised(target: Target, predictions: Predictions) -> Target:
    """Return the same question about other predictions, after checking that its answer is the same."""
    measure, [model, *others] = target.measure, target.models
    if measure.needs_model or measure.predictions_kind != "class" or others:
        raise ValueError(
            f"measure is {measure.name!r}, whose value depends on the predictions: only those of one model "
            "for a share of labels, such as LabelShare or WinRate, can change between draws"
        )
    if type(predictions) is not type(model) or model.mismatch(predictions) is not None:
        raise ValueError(f"predictions are {predictions!r}, expected those of the same classes as {model!r}")
    if (predictions.n_instances, predictions.assists) != (model.n_instances, model.assists):
        raise ValueError(
            f"predictions are {predictions!r}, expected the same instances as {model!r}, and votes for votes"
        )
    return target.with_models([predictions])


class Stage(NamedTuple):
    """Draws at which the same predictions were known: those from `first` to before `end`, from 0."""

    target: Target
    first: int
    end: int


def stages_of(target: Target, earlier: Sequence[Earlier], n_draws: int) -> list[Stage]:
    """Return the stages of some draws, without empty ones but the last."""
    ends = [min(each.n_draws, n_draws) for each in earlier]
    targets = [*(revised(target, each.predictions) for each in earlier), target]
    found = [
        Stage(known, first, end)
        for known, first, end in zip(targets, [0, *ends], [*ends, n_draws], strict=True)
    ]
    return [each for each in found if each.end > each.first] or found[-1:]


def joined(stages: Sequence[Stage], of_each: Sequence[FloatArray]) -> FloatArray:
    """Return an array over all draws, of which each stage's part is from its own array."""
    parts = zip(stages, of_each, strict=True)
    return np.concatenate([values[stage.first : stage.end] for stage, values in parts])
