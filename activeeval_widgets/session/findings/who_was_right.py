"""Instances on which two models differ, and which model was right there."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from activeeval_widgets.session.draws.part import Part
from activeeval_widgets.session.findings.by_group import ByGroup
from activeeval_widgets.session.findings.models import is_wrong_by
from activeeval_widgets.session.findings.one_minus import one_minus
from activeeval_widgets.stats import Accuracy, Estimate, Measure, Predictions
from activeeval_widgets.stats._typing import AnyArray, BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.quantities import Quantity

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


FIRST, SECOND, BOTH, NEITHER = range(4)
"""Which of two models was right."""


@dataclass(frozen=True)
class WhoWasRight:
    """Instances on which two models differ, and which model was right there.

    The numbers count labels. They are not proportional to shares of the pool, as instances have different
    probabilities of being drawn; `shares` estimates these.

    Attributes
    ----------
    models : tuple of two str
        The names of the models.
    n_instances, n_differing : int
        The number of instances, and the number of those on which the models differ.
    n_labels : int
        The number of labels among these.
    n_first, n_second, n_both, n_neither : int
        How often the first model was right, the second, both (if the measure lets several classes be right)
        or neither. For numbers and rankings, whose prediction was better; neither if both were as good.
    shares : tuple of two Estimate, or None
        Among the instances with different predicted classes, the estimated shares on which the first and the
        second model is right, with simultaneous anytime-valid intervals. None for other predictions, if the
        models never differ, and if predictions are not in memory.
    is_one_right : bool
        Whether exactly one model is right where they differ, as with two classes: the shares add up to 1.

    See Also
    --------
    Session.who_was_right : Returns it.
    Findings.model_disagreements : The labeled instances, one by one.

    Examples
    --------
    >>> models = {"old": [[0.9, 0.1]] * 3, "new": [[0.9, 0.1], [0.2, 0.8], [0.2, 0.8]]}
    >>> session = Session(Pool(["a", "b", "c"], predictions=models), ErrorRate())
    >>> while session.next() is not None:
    ...     event = session.label(1)
    >>> found = session.who_was_right()
    >>> found.n_differing, found.n_labels, found.n_first, found.n_second
    (2, 2, 0, 2)
    >>> [share.value for share in found.shares]
    [0.0, 1.0]
    """

    models: tuple[str, str]
    n_instances: int
    n_differing: int
    n_labels: int
    n_first: int
    n_second: int
    n_both: int
    n_neither: int
    shares: tuple[Estimate, Estimate] | None
    is_one_right: bool

    def __repr__(self) -> str:
        first, second = self.models
        return (
            f"<{first} and {second} differ on {self.n_differing:,} of {self.n_instances:,} instances, "
            f"{self.n_labels:,} of them labeled: {first} was right for {self.n_first:,}, {second} for "
            f"{self.n_second:,}, both for {self.n_both:,}, neither for {self.n_neither:,}>"
        )


class InPart(ByGroup):
    """A measure of one model within some instances, updated with a session's log; see `ByGroup`."""

    def __init__(
        self,
        session: "Findings",
        measure: Measure,
        level: float,
        shown_level: float,
        is_member: BoolArray,
        model: Predictions,
    ) -> None:
        self._session, self._measure = session, measure
        self._names, self._codes = [""], np.where(is_member, 0, 1)
        self._level, self._shown_level = level, shown_level
        members = np.flatnonzero(is_member)
        self._begin([Part(members, (model.of_instances(members),))])


def right_measure(measure: Measure) -> Measure:
    """Return the measure of the share that is right or wrong: the session's own, if it is one."""
    return measure if measure.is_binary and measure.needs_model else Accuracy()


def as_share_right(found: Estimate, measure: Measure) -> Estimate:
    """Convert the estimate of a share, right or wrong, to that of the right ones."""
    return found if measure.greater_is_better else replace(one_minus(found), quantity=Quantity(Accuracy()))


def outcomes(measure: Measure, models: tuple[Predictions, ...], indices: IntArray, y_true: Any) -> IntArray:
    """Return which of two models was right about each labeled instance, FIRST to NEITHER."""
    is_wrong = [is_wrong_by(measure, model, indices, y_true) for model in models]
    one, two = is_wrong
    if one is not None and two is not None:
        found = np.select([one & two, one, two], [NEITHER, SECOND, FIRST], BOTH)
    else:
        off = [_losses(measure, model, indices, y_true) for model in models]
        found = np.select([off[0] < off[1], off[1] < off[0]], [FIRST, SECOND], NEITHER)
    return found.astype(np.intp)


def _losses(measure: Measure, model: Predictions, indices: IntArray, y_true: Any) -> FloatArray:
    """Return the loss of each prediction: by the measure if it has one, else the distance to the label."""
    if measure.is_risk and measure.needs_model:
        found = measure.statistics(model, y_true, indices)[:, 0]
        return -found if measure.greater_is_better else found
    return np.array([model.distance(i, y) for i, y in zip(indices.tolist(), y_true, strict=True)])


def disagreements_table(
    instances: IntArray,
    outcome: AnyArray,
    *,
    names: tuple[str, str],
    session: "Findings",
) -> pd.DataFrame:
    """Return a table of the labeled instances on which two models differ; see `Findings`."""
    is_right = session.models[0].is_wrong(instances[:0], session.labels.decode([], [])) is not None
    words = (*names, "both", "neither" if is_right else "as good")
    rows = []
    for index, who in zip(instances.tolist(), outcome.tolist(), strict=True):
        row = {
            "instance_id": session.pool.ids[index],
            "content": session.pool.excerpt(index),
            "label": session.log.label_of(index),
        }
        for name, model in zip(names, session.models, strict=True):
            row |= {f"{key}: {name}": value for key, value in model.describe(index).record.items()}
        rows.append(row | {"right" if is_right else "better": words[who]})
    table = pd.DataFrame(rows)
    if rows:  # dtype=object: pandas would convert integers to floats
        table["label"] = pd.Series([row["label"] for row in rows], dtype=object)
    return table
