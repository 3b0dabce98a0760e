"""The curves of several models over labels, each in its own color."""

from dataclasses import dataclass
from math import isfinite

from activeeval_widgets.session.findings.plot_axes import model_kinds
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot


@dataclass(frozen=True)
class ModelCourse:
    """The curve of one of several models over labels.

    Attributes
    ----------
    kind : str
        The color; see `PLOT_KINDS`.
    name : str
    x, y : list of float
        The numbers of labels, and the defined estimates after them.
    """

    kind: str
    name: str
    x: list[float]
    y: list[float]


def courses_of(snapshot: Snapshot) -> list[ModelCourse]:
    """Return the curves of the current best of more than two models, the best first."""
    if not snapshot.labeled[0].size:
        return []
    kinds = model_kinds([each.position for each, _ in snapshot.leading])
    found: list[ModelCourse] = []
    for each, past in snapshot.leading:
        known = [point for point in past if isfinite(point.value)]
        x, y = [float(point.n_draws) for point in known], [point.value for point in known]
        name = each.name if found else snapshot.session.leaderboard().leading
        found.append(ModelCourse(kinds[each.position], name, x, y))
    return found
