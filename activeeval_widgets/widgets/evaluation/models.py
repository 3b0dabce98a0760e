"""Several models: each one's own measure, and who may still be the best."""

from collections.abc import Mapping
from typing import Any, Self

from activeeval_widgets.session import Leaderboard, Placed, Session
from activeeval_widgets.stats import Measure
from activeeval_widgets.widgets.evaluation.interval_table import Scale, hold_at_once
from activeeval_widgets.widgets.evaluation.panel import Panel
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot


class ModelsPanel(Panel):
    """Each of several models, for sessions that look for the best: of two, the estimate is the difference."""

    name = "models"
    title = "Models"
    is_optional = True

    @classmethod
    def of(cls, session: Session) -> Self | None:
        """See `Panel.of`."""
        return cls() if len(session.models) > 2 else None

    def content(self, snapshot: Snapshot, options: Mapping[str, bool]) -> dict[str, Any]:  # noqa: ARG002
        """See `Panel.content`."""
        session = snapshot.session
        return models_content(session.leaderboard(), session.measure)


def models_content(board: Leaderboard, measure: Measure) -> dict[str, Any]:
    """What the page shows of the models.

    Parameters
    ----------
    board : Leaderboard
        The models, the best so far first.
    measure : Measure
        What they are compared by.

    Returns
    -------
    dict
        See `messages.from_python.IntervalTableContent`.
    """
    found = [each.estimate for each in board.models]
    has_labels = any(each.n_labels for each in found)
    scale = Scale(found if has_labels else [], measure)
    rows = [
        scale.row(
            each.name,
            each.estimate,
            note=_standing(board, each) if has_labels else "",
            interval=_interval(scale, each) if has_labels else "no labels yet",
            is_told=has_labels,
            is_out=not each.may_be_best,
        )
        for each in board.models
    ]
    is_approximate = any(each.is_asymptotic for each in found)
    leader = board.leader.estimate
    return {
        "summary": hold_at_once(board.confidence_level, is_approximate=is_approximate) if has_labels else "",
        "columns": ["Model", "Standing", f"{measure.name[:1].upper()}{measure.name[1:]}"],
        "rows": rows,
        "whole": scale.at(leader.value) if has_labels else None,
        "ends": scale.ends if has_labels else ["", ""],
    }


def _interval(scale: Scale, placed: Placed) -> str:
    """The interval in words, and who is better."""
    better = placed.beaten_by
    said = f"; {' and '.join(better)} {'is' if len(better) == 1 else 'are'} better" if better else ""
    return scale.interval(placed.estimate) + said


def _standing(board: Leaderboard, placed: Placed) -> str:
    """What is known of a model's place, in a word or two."""
    if placed.name == board.best:
        return "best"
    return "may be best" if placed.may_be_best else "out"
