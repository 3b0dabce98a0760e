"""Several models over labels, each in a color of its own."""

from dataclasses import dataclass
from math import isfinite

from activeeval_widgets.widgets.evaluation.plot_kinds import model_kinds
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot


@dataclass(frozen=True)
class ModelCourse:
    """One of several models over labels.

    Attributes
    ----------
    kind : str
        Its color; see `PLOT_KINDS`.
    name : str
    x, y : list of float
        Numbers of labels, and the estimates after them that are defined.
    """

    kind: str
    name: str
    x: list[float]
    y: list[float]


def courses_of(snapshot: Snapshot) -> list[ModelCourse]:
    """The best of more than two models over labels, the best first."""
    if not snapshot.labeled[0].size:
        return []
    kinds = model_kinds([each.position for each, _ in snapshot.leading])
    found = []
    for each, past in snapshot.leading:
        known = [point for point in past if isfinite(point.value)]
        x, y = [float(point.n_draws) for point in known], [point.value for point in known]
        found.append(ModelCourse(kinds[each.position], each.name, x, y))
    return found
