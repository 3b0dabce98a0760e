"""The labeler's view, which shows nothing about the model, so that nothing can bias the labels."""

from collections.abc import Mapping
from typing import Any

from activeeval_widgets.session import Session
from activeeval_widgets.widgets.labels.keys import ACTIONS, NOT_FOR_LABELERS, Action
from activeeval_widgets.widgets.page_channel import Handler, Reply
from activeeval_widgets.widgets.result.counts import counts_content
from activeeval_widgets.widgets.wording.goal_fields import read_goal
from activeeval_widgets.widgets.wording.progress import progress_content
from activeeval_widgets.widgets.wording.sessions import about


class LabelerView:
    """Reports the progress only; nothing else about the session is computed."""

    may_show_predictions = False
    """Whether the page may show the model's predictions."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def handlers(self) -> dict[str, Handler]:
        """The handlers by type of message."""
        return {
            "result": self._result,
            "goal": self._goal,
            **dict.fromkeys(("plots", "plan", "goal_preview", "prediction", "save"), self._nothing),
        }

    def actions(self) -> list[Action]:
        """Return the actions of keys."""
        return [action for action in ACTIONS if action.name not in NOT_FOR_LABELERS]

    def config(self) -> dict[str, Any]:
        """Return the settings that do not change while the page is open."""
        return {
            "about": about(self._session, with_model=False),
            "is_labeler_view": True,
            "goal": None,
            "panels": [],
        }

    def close(self) -> None:
        """Do nothing, since there are no figures."""

    def content(self) -> dict[str, Any]:
        """Return the part of the state that changes with each answer."""
        n_draws = self._session.n_draws
        return {"progress": progress_content(self._session, n_draws), "n_draws": n_draws}

    def _result(self, _message: Mapping[str, Any]) -> Reply:
        return {"result": counts_content(self._session)}, []

    def _goal(self, message: Mapping[str, Any]) -> Reply:
        self._session.goal = read_goal(self._session.measure, message["fields"])
        return {}, []

    def _nothing(self, _message: Mapping[str, Any]) -> Reply:
        return {}, []
