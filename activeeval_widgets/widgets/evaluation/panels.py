"""The panels of a session, and the messages with their contents."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from activeeval_widgets.session import Goal, Session
from activeeval_widgets.session.findings.shown import shown_findings
from activeeval_widgets.widgets.evaluation.differing import DifferingPanel
from activeeval_widgets.widgets.evaluation.distribution_plot import DistributionPanel
from activeeval_widgets.widgets.evaluation.estimate import EstimatePanel
from activeeval_widgets.widgets.evaluation.estimate_plot import EstimatePlotPanel
from activeeval_widgets.widgets.evaluation.evidence_plot import EvidencePanel
from activeeval_widgets.widgets.evaluation.finding_panel import FindingPanel
from activeeval_widgets.widgets.evaluation.goal import GoalPanel, preview_content
from activeeval_widgets.widgets.evaluation.interval_plot import IntervalPlotPanel
from activeeval_widgets.widgets.evaluation.panel import PANELS, Moment, Panel, register_panel
from activeeval_widgets.widgets.evaluation.progress import ProgressPanel
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot, Snapshots
from activeeval_widgets.widgets.evaluation.trial_warning import TrialWarning
from activeeval_widgets.widgets.evaluation.wealth_plot import WealthPanel
from activeeval_widgets.widgets.messages.from_python import PanelConfig

for _panel in (
    EstimatePanel,
    TrialWarning,
    ProgressPanel,
    EstimatePlotPanel,
    WealthPanel,
    DistributionPanel,
    IntervalPlotPanel,
    EvidencePanel,
    DifferingPanel,
    GoalPanel,
):
    register_panel(_panel)

_IN_MESSAGES = ("estimate", "progress", "goal")
"""Panels with their own fields in messages."""

_PLOTS = ("trajectory", "wealth", "distribution")


class Panels:
    """The panels beside the instance; they only read the session."""

    def __init__(
        self,
        session: Session,
        intro: str = "",
        label_text: Callable[[Any], str] = str,
        names: Collection[str] | None = None,
    ) -> None:
        self._snapshots = Snapshots(session, intro, label_text)
        made = [kind.of(session) for kind in PANELS.values() if isinstance(session.question, kind.asked)]
        found = [
            FindingPanel(shown) for shown in shown_findings().values() if shown.is_there(session.findings)
        ]
        panels: list[Panel] = [*(panel for panel in made if panel is not None), *found]
        panels.sort(key=lambda panel: (panel.moment != "answer", not panel.comes_first))
        self._panels = {panel.name: panel for panel in panels if names is None or panel.name in names}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the session's panels."""
        return tuple(self._panels)

    @property
    def goal(self) -> Goal:
        """The goal in use: the session's, or a default."""
        return self._snapshots.goal

    def snapshot(self) -> Snapshot:
        """Return the current state of the session."""
        return self._snapshots.current()

    def precompute(self) -> Iterator[None]:
        """Compute in steps what the next contents may need; the caller may do other work in between."""
        return self._snapshots.precompute()

    def configs(self) -> list[PanelConfig]:
        """Return how the page draws the panels, in order; those from outside this package come last."""
        found = [config for panel in self._panels.values() if (config := panel.config()) is not None]
        return sorted(found, key=lambda config: config["kind"] == "module")

    def content(self) -> dict[str, Any]:
        """Return the part of the page's state that changes with each answer."""
        snapshot = self.snapshot()
        contents = self._contents("answer", snapshot, self.names)
        contents["estimate"]["warning"] = contents.pop("warning")
        return {**_arranged(contents), "n_draws": snapshot.estimate.n_draws}

    def redraw(
        self,
        *,
        shows_wald: bool = False,
        shown: Sequence[str] = (),
        pair: Any = None,
    ) -> dict[str, Any]:
        """Return the contents to show once no key has been pressed for a while."""
        contents = self._contents("rest", self.snapshot(), shown, {"shows_wald": shows_wald, "pair": pair})
        return {
            "plots": {name: contents.pop(name) for name in _PLOTS if name in contents},
            **_arranged(contents),
        }

    def one(self, name: str) -> Any:
        """Return the content of one panel."""
        return self._panels[name].content(self.snapshot(), {})

    def goal_preview(self, goal: Goal, margin: float | None) -> dict[str, Any]:
        """Return what the page would show for another goal."""
        snapshot = self.snapshot()
        return preview_content(snapshot.session, goal, snapshot.progress_for(goal, margin or 0.0))

    def title(self, name: str) -> str:
        """Return a panel's heading on the page."""
        return self._panels[name].title

    def _contents(
        self,
        moment: Moment,
        snapshot: Snapshot,
        shown: Collection[str],
        options: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return the contents of the panels that are updated at this moment."""
        return {
            name: panel.content(snapshot, options or {})
            for name, panel in self._panels.items()
            if panel.moment == moment and (name in shown or not panel.is_optional)
        }


def _arranged(contents: Mapping[str, Any]) -> dict[str, Any]:
    """Arrange the contents as messages have them."""
    others = {name: content for name, content in contents.items() if name not in _IN_MESSAGES}
    placed = {name: content for name, content in contents.items() if name in _IN_MESSAGES}
    return {**placed, "panels": others} if others else placed
