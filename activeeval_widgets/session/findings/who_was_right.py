"""Where two models differ, and who was right there by the labels so far."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from activeeval_widgets.session.draws.part import Part
from activeeval_widgets.session.findings.by_group import ByGroup
from activeeval_widgets.session.findings.models import is_wrong_by
from activeeval_widgets.session.findings.taken_from import taken_from
from activeeval_widgets.stats import Accuracy, Estimate, Measure, Predictions
from activeeval_widgets.stats._typing import AnyArray, BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


FIRST, SECOND, BOTH, NEITHER = range(4)
"""Who was right of two models."""


@dataclass(frozen=True)
class WhoWasRight:
    """Where two models predict something else, and who was right there.

    Numbers are of labels. They are no shares of the pool, as some instances were more likely to be drawn than
    others; `shares` are.

    Attributes
    ----------
    models : tuple of two str
        Their names.
    n_instances, n_differing : int
        How many instances the pool has, and for how many of them the models predict something else.
    n_labels : int
        How many of those have a label.
    n_first, n_second, n_both, n_neither : int
        For how many of these the first model was right, the second, both (by a measure that lets more than
        one class be right) or neither. Where predictions are not right or wrong, as numbers are: which one's
        was better; neither, if both were as good.
    shares : tuple of two Estimate, or None
        Of the instances for which the models predict different classes, the share for which the first one
        is right, and the second: estimates, with intervals that hold at once, at every number of labels. None
        for other predictions, where the models never differ, and for predictions that are not in memory.
    is_one_right : bool
        Whether always one of them is right where they differ, as of two classes: the shares then add up to 1.

    See Also
    --------
    Session.who_was_right : gives it.
    Findings.model_disagreements : the labels, one by one.

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
    """A measure of one model within some instances, kept up with a session's log; see `ByGroup`.

    Parameters
    ----------
    session : Findings
        Whose draws.
    measure : Measure
        What is asked for.
    level, shown_level : float
        Of the interval, and what it says of itself.
    is_member : ndarray of bool of shape (n_instances,)
        The instances: at least one.
    model : Predictions
        Of the whole pool.
    """

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
        own = model.of_instances(members)
        if own is None:
            raise TypeError(f"{model!r} can't be told apart by instance")
        self._begin([Part(members, (own,))])


def right_measure(measure: Measure) -> Measure:
    """The measure that is the share of what a model gets right, or wrong: the session's own, if it is one."""
    return measure if measure.is_binary and measure.needs_model else Accuracy()


def as_share_right(found: Estimate, measure: Measure) -> Estimate:
    """A share of what is right, where the measure may be that of what is wrong."""
    return found if measure.greater_is_better else taken_from(1.0, found)


def outcomes(measure: Measure, models: tuple[Predictions, ...], indices: IntArray, y_true: Any) -> IntArray:
    """Who of two models was right about some instances, by their labels; FIRST to NEITHER for each.

    Parameters
    ----------
    measure : Measure
        Says what is right; and of numbers and lists, which are better.
    models : tuple of two Predictions
    indices : ndarray of shape (n,)
        The instances.
    y_true : array-like of shape (n,)
        Their labels, decoded.
    """
    is_wrong = [is_wrong_by(measure, model, indices, y_true) for model in models]
    one, two = is_wrong
    if one is not None and two is not None:
        found = np.select([one & two, one, two], [NEITHER, SECOND, FIRST], BOTH)
    else:
        off = [_losses(measure, model, indices, y_true) for model in models]
        found = np.select([off[0] < off[1], off[1] < off[0]], [FIRST, SECOND], NEITHER)
    return found.astype(np.intp)


def _losses(measure: Measure, model: Predictions, indices: IntArray, y_true: Any) -> FloatArray:
    """How far off predictions are: by the measure, if it has a loss or gain for each, else as numbers are."""
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
    """One row a labeled instance for which two models predict something else; see `Session`."""
    is_right = session.models[0].is_wrong(instances[:0], session.labels.decode([], [])) is not None
    said = (*names, "both", "neither" if is_right else "as good")
    rows = []
    for index, who in zip(instances.tolist(), outcome.tolist(), strict=True):
        row = {
            "instance_id": session.pool.ids[index],
            "content": session.pool.excerpt(index),
            "label": session.log.label_of(index),
        }
        for name, model in zip(names, session.models, strict=True):
            row |= {f"{key}: {name}": value for key, value in model.prediction_record(index).items()}
        rows.append(row | {"right" if is_right else "better": said[who]})
    table = pd.DataFrame(rows)
    if rows:  # as they were given: pandas would make whole numbers fractions
        table["label"] = pd.Series([row["label"] for row in rows], dtype=object)
    return table
