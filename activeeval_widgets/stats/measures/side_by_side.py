"""How often each of two systems passes, when both answers to a question are judged at once."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.measures.risks import Risk
from activeeval_widgets.stats.measures.tables import TableMeasure
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.class_labels import plain_label
from activeeval_widgets.stats.predictions.classes import ClassPredictions


class PassRate(Risk, TableMeasure):
    """How often a system's answer passes, for two systems whose answers are judged side by side.

    A label says which of the two answers to a question pass: only one of them, both, or neither. To pass may
    mean to be right, or to be better than a baseline's answer, which gives the win rate of each system
    against the same baseline. The two models are the systems (`side_by_side`).

    Parameters
    ----------
    both : class label
        The label that both pass.

    Raises
    ------
    ValueError
        On use, if there is no such label.

    See Also
    --------
    side_by_side : The two systems.
    WinRate : Which of two answers is better, whether they are good or bad.
    LabelShare : How often the answers of one system pass.

    Notes
    -----
    The difference of both rates is the share of "only the first" minus that of "only the second". Questions
    that both pass, or neither, contribute nothing, so its variance is smaller than with separate labels.

    References
    ----------
    T, 4.5: the difference of two risks, from the same labels.

    Examples
    --------
    >>> new, old = side_by_side(["new", "old"], n_instances=4).values()
    >>> labels = ["A", "both", "A", "neither"]
    >>> pool_value(PassRate(), new, labels), pool_value(PassRate(), old, labels)
    (0.75, 0.25)
    """

    summary = "How often each of two systems passes, where both answers are judged at once."
    question = "Which of the two answers pass?"
    sentence = "The answers of the system pass for {value} of the {instances}."
    name = "pass rate"
    value_range = (0.0, 1.0)
    is_share = True
    is_binary = True
    greater_is_better = True
    is_of_systems: ClassVar[bool] = True
    side_words: ClassVar[tuple[str, str]] = ("First only", "Second only")
    example_options = ({"both": 1}, {"both": 0})

    def __init__(self, both: Any = "both") -> None:
        self.both = plain_label(both)

    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:
        passes = (true == predicted) | (true == model.code_of(self.both, name="both"))
        return np.asarray(passes, dtype=np.float64)[:, np.newaxis]

    def sides(self, models: Sequence[Predictions]) -> tuple[Any, Any] | None:
        """Return the labels that only the first system passes, and only the second; see `Measure.sides`."""
        classifiers = [model for model in models if isinstance(model, ClassPredictions)]
        labels = [model.classes[np.unique(model.pred_codes)] for model in classifiers]
        if len(labels) != 2 or any(each.size != 1 for each in labels) or labels[0][0] == labels[1][0]:
            return None
        return labels[0][0].item(), labels[1][0].item()

    def __repr__(self) -> str:
        return f"PassRate({self.both!r})"


def is_of_systems(models: Sequence[Predictions]) -> bool:
    """Return whether these are two systems side by side, each of which "predicts" its own label."""
    if len(models) != 2 or not isinstance(models[0], ClassPredictions):
        return False
    # Labels are checked first, because the predictions of a streamed pool are not in memory.
    return {"both", "neither"} <= set(models[0].classes.tolist()) and PassRate().sides(models) is not None
