"""What a static page shows, as JSON: written when it is exported, read in the browser."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from activeeval_widgets.session import Goal, Pool, Session
from activeeval_widgets.widgets.instances.answers import AnswersView
from activeeval_widgets.widgets.instances.registered_views import VIEWS, View
from activeeval_widgets.widgets.instances.rubric import RubricView
from activeeval_widgets.widgets.labels.numbers import Unit
from activeeval_widgets.widgets.session_page import PageOptions

_TEXTS = (
    *("title", "intro", "question", "unit", "grade_words", "guidelines", "reasons"),
    *("shows_estimate", "asks_name"),
)


def options_to_dict(options: PageOptions) -> dict[str, Any]:
    """Return how a session is shown as JSON values."""
    return {name: getattr(options, name) for name in _TEXTS} | {"view": _view_to_dict(options.view)}


def options_from_dict(content: Mapping[str, Any], pool: Pool) -> PageOptions:
    """Return how a session is shown."""
    given = {name: content[name] for name in _TEXTS}
    given["unit"] = unit_from_dict(given["unit"])
    return PageOptions(**given, view=_view_from_dict(content["view"], pool))


def unit_from_dict(unit: Any) -> Unit | None:
    """Return the unit of labels, of which JSON makes a list if it is singular and plural."""
    return tuple(unit) if isinstance(unit, list) else unit


def goal_to_dict(session: Session) -> dict[str, Any] | None:
    """Return a session's goal as JSON values."""
    return None if session.goal is None else asdict(session.goal)


def goal_from_dict(content: Mapping[str, Any] | None) -> Goal | None:
    """Return a goal."""
    return None if content is None else Goal(**content)


def _view_to_dict(view: View | None) -> dict[str, Any] | None:
    if view is None:
        return None
    if isinstance(view, AnswersView):
        return {"answers": view.columns}
    if isinstance(view, RubricView):
        return {"rubric": dict(view.criteria)}
    raise ValueError(f"a page without a server can't have the view {view!r}: it is a function of Python")


def _view_from_dict(content: Mapping[str, Any] | None, pool: Pool) -> View | None:
    if content is None:
        return None
    if "answers" in content:
        prompt, *answers = content["answers"]
        return AnswersView(prompt, answers)
    usual = VIEWS[getattr(pool.instances, "kind", pool.kind)].view
    return RubricView(content["rubric"], None if usual is None else usual(pool))
