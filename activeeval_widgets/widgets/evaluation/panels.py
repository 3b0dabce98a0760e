"""All panels of a session, and the messages that tell the page of them."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from activeeval_widgets.session import Goal, Session
from activeeval_widgets.widgets.evaluation.calibration_plot import CalibrationPanel
from activeeval_widgets.widgets.evaluation.confusion import ConfusionPanel
from activeeval_widgets.widgets.evaluation.differing import DifferingPanel
from activeeval_widgets.widgets.evaluation.distribution_plot import DistributionPanel
from activeeval_widgets.widgets.evaluation.estimate import EstimatePanel
from activeeval_widgets.widgets.evaluation.estimate_plot import EstimatePlotPanel
from activeeval_widgets.widgets.evaluation.evidence_plot import EvidencePanel
from activeeval_widgets.widgets.evaluation.goal import GoalPanel, preview_content
from activeeval_widgets.widgets.evaluation.groups import GroupsPanel
from activeeval_widgets.widgets.evaluation.interval_plot import IntervalPlotPanel
from activeeval_widgets.widgets.evaluation.judge import JudgePanel
from activeeval_widgets.widgets.evaluation.matrices import MatricesPanel
from activeeval_widgets.widgets.evaluation.models import EachModelPanel, ModelsPanel
from activeeval_widgets.widgets.evaluation.panel import PANELS, Moment, Panel, register_panel
from activeeval_widgets.widgets.evaluation.progress import ProgressPanel
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot, Snapshots
from activeeval_widgets.widgets.evaluation.trial_warning import TrialWarning
from activeeval_widgets.widgets.evaluation.wealth_plot import WealthPanel
from activeeval_widgets.widgets.page_modules import module_text

for _panel in (
    EstimatePanel,
    TrialWarning,
    ProgressPanel,
    ModelsPanel,
    EstimatePlotPanel,
    WealthPanel,
    DistributionPanel,
    IntervalPlotPanel,
    EvidencePanel,
    ConfusionPanel,
    CalibrationPanel,
    DifferingPanel,
    MatricesPanel,
    EachModelPanel,
    GroupsPanel,
    JudgePanel,
    GoalPanel,
):
    register_panel(_panel)

_IN_MESSAGES = ("estimate", "progress", "confusion", "groups", "goal")
"""Panels with a place of their own in messages."""

_PLOTS = ("trajectory", "wealth", "distribution")


class Panels:
    """What a session's labels say, beside the instance. The session is only read."""

    def __init__(self, session: Session, intro: str = "", label_text: Callable[[Any], str] = str) -> None:
        self._snapshots = Snapshots(session, intro, label_text)
        made = {
            name: kind.of(session)
            for name, kind in PANELS.items()
            if isinstance(session.question, kind.asked)
        }
        self._panels: dict[str, Panel] = {name: panel for name, panel in made.items() if panel is not None}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the panels that this session has."""
        return tuple(self._panels)

    @property
    def goal(self) -> Goal:
        """The goal that is told of: the session's, or the usual one where it has none."""
        return self._snapshots.goal

    def snapshot(self) -> Snapshot:
        """The session now."""
        return self._snapshots.take()

    def ahead(self) -> Iterator[None]:
        """Do what the next contents may take, in steps, between which something else may be done."""
        return self._snapshots.ahead()

    def modules(self) -> list[dict[str, str]]:
        """The panels that bring their own twin: "name", "title" and "source" of each, in order."""
        return [
            {"name": name, "title": panel.title, "source": module_text(panel.front_end)}
            for name, panel in self._panels.items()
            if panel.front_end is not None
        ]

    def content(self) -> dict[str, Any]:
        """What changes with each answer, as the page's state has it."""
        snapshot = self.snapshot()
        told = self._told("answer", snapshot, self.names)
        told["estimate"]["warning"] = told.pop("warning")
        return {**_in_place(told), "n_draws": snapshot.estimate.n_draws}

    def redraw(
        self,
        *,
        shows_wald: bool = False,
        shows_confusion: bool = False,
        shown: Sequence[str] = (),
        pair: Any = None,
    ) -> dict[str, Any]:
        """What is told once the keys rest."""
        wanted = [*shown, *(["confusion"] if shows_confusion else [])]
        told = self._told("rest", self.snapshot(), wanted, {"shows_wald": shows_wald, "pair": pair})
        return {"plots": {name: told.pop(name) for name in _PLOTS if name in told}, **_in_place(told)}

    def one(self, name: str) -> Any:
        """The content of one panel."""
        return self._panels[name].content(self.snapshot(), {})

    def goal_preview(self, goal: Goal, margin: float | None) -> dict[str, Any]:
        """What the page would show of another goal."""
        snapshot = self.snapshot()
        return preview_content(snapshot.session, goal, snapshot.standing_for(goal, margin or 0.0))

    def title(self, name: str) -> str:
        """What a panel is called on the page."""
        return self._panels[name].title

    def _told(
        self,
        moment: Moment,
        snapshot: Snapshot,
        shown: Collection[str],
        options: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The contents of the panels whose moment it is."""
        return {
            name: panel.content(snapshot, options or {})
            for name, panel in self._panels.items()
            if panel.moment == moment and (name in shown or not panel.is_optional)
        }


def _in_place(told: Mapping[str, Any]) -> dict[str, Any]:
    """The contents where messages have them."""
    others = {name: content for name, content in told.items() if name not in _IN_MESSAGES}
    placed = {name: content for name, content in told.items() if name in _IN_MESSAGES}
    return {**placed, "panels": others} if others else placed
