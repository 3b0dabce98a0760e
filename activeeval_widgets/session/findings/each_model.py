"""Each of two models by itself, from the labels that were drawn for their difference."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from activeeval_widgets.session.findings.fixed_n import draws_everywhere
from activeeval_widgets.session.findings.interval_table import Scale, hold_at_once
from activeeval_widgets.session.findings.sentences import capitalized
from activeeval_widgets.session.findings.shown import Shown
from activeeval_widgets.stats.quantities import Quantity
from activeeval_widgets.stats.questions.difference import Difference
from activeeval_widgets.stats.questions.support import check_support

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


def covers_each_model(session: "Findings") -> bool:
    """Return whether the draws show each model's own value; a fixed q may be 0 where models agree."""
    if draws_everywhere(session):
        return True
    try:
        for model in session.models:
            check_support(session.measure, [model], session.q)
    except ValueError:
        return False
    return True


def _is_there(session: "Findings") -> bool:
    return isinstance(session.question, Difference) and covers_each_model(session)


def _content(session: "Findings", options: Mapping[str, Any]) -> dict[str, Any]:
    del options
    return content_of_each(session)


def content_of_each(session: "Findings") -> dict[str, Any]:
    """Return what the page shows of each of two models, in their given order."""
    board, verdict, measure = session.leaderboard(), session.verdict(), session.measure
    models = sorted(board.models, key=lambda each: each.position)
    has_labels = session.n_labels > 0
    scale = Scale([each.estimate for each in models] if has_labels else [], Quantity(measure))
    at_once = hold_at_once(
        board.confidence_level, is_approximate=any(each.estimate.is_asymptotic for each in models)
    )
    return {
        "summary": f"{at_once if has_labels else ''} {_DRAWN_FOR}".strip(),
        "columns": ["Model", "Standing", capitalized(measure.name)],
        "rows": [
            scale.row(
                each.name,
                each.estimate,
                note="better" if each.name == verdict.better else "",
                interval=scale.interval(each.estimate) if has_labels else "no labels yet",
                has_interval=has_labels,
            )
            for each in models
        ],
        "whole": None,
        "scale": scale.content(shows_ends=has_labels),
    }


_DRAWN_FOR = "Labels were drawn for the difference, so they tell less about each model by itself."


SHOWN = Shown(
    name="each",
    title="Each model by itself",
    kind="intervals",
    is_there=_is_there,
    content=_content,
    is_hidden_at_first=True,
)
