"""The page for labeling alone: it tells nothing of the model, so that nothing can sway the labels."""

from collections.abc import Mapping
from typing import Any

from activeeval_widgets.session import Session
from activeeval_widgets.widgets.front_end import Handler, Reply
from activeeval_widgets.widgets.labels.keys import ACTIONS, TELLING, Action
from activeeval_widgets.widgets.result.counts import counts_content
from activeeval_widgets.widgets.wording.goals import read_goal
from activeeval_widgets.widgets.wording.progress import progress_content
from activeeval_widgets.widgets.wording.sessions import about


class LabelerView:
    """Tells how much was done. Nothing that says more of the session is computed."""

    tells_of_model = False
    """Whether the page may show what the model says."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def handlers(self) -> dict[str, Handler]:
        """By type of message."""
        return {
            "result": self._result,
            "goal": self._goal,
            **dict.fromkeys(("plots", "plan", "goal_preview", "prediction", "save"), self._nothing),
        }

    def actions(self) -> list[Action]:
        """What keys do."""
        return [action for action in ACTIONS if action.name not in TELLING]

    def config(self) -> dict[str, Any]:
        """What stays as it is while the page is shown."""
        return {
            "about": about(self._session, tells_of_model=False),
            "has_confusion": False,
            "has_groups": False,
            "has_each": False,
            "has_comparison": False,
            "has_judge": False,
            "has_differing": False,
            "has_matrices": False,
            "has_calibration": False,
            "has_evidence": False,
            "is_labeler_view": True,
            "goal": None,
            "panel_modules": [],
        }

    def close(self) -> None:
        """Do nothing: it has no figures."""

    def content(self) -> dict[str, Any]:
        """What changes with each answer."""
        n_draws = self._session.n_draws
        return {"progress": progress_content(self._session, n_draws), "n_draws": n_draws}

    def _result(self, _message: Mapping[str, Any]) -> Reply:
        return {"result": counts_content(self._session)}, []

    def _goal(self, message: Mapping[str, Any]) -> Reply:
        self._session.goal = read_goal(self._session.measure, message["fields"])
        return {}, []

    def _nothing(self, _message: Mapping[str, Any]) -> Reply:
        return {}, []
