"""The evaluator's view: panels, goal, the model's predictions, and the result."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from activeeval_widgets.session import Goal, Session
from activeeval_widgets.session.findings.pairs import check_pair
from activeeval_widgets.widgets.evaluation.panels import Panels
from activeeval_widgets.widgets.evaluation.precomputation import Precomputation
from activeeval_widgets.widgets.instances.instance_renderer import InstanceRenderer
from activeeval_widgets.widgets.labels.keys import ACTIONS, Action
from activeeval_widgets.widgets.page_channel import Handler, Reply
from activeeval_widgets.widgets.result.handlers import Results
from activeeval_widgets.widgets.wording.goal_fields import read_goal, read_margin
from activeeval_widgets.widgets.wording.models import allows_predictions, prediction_text
from activeeval_widgets.widgets.wording.sessions import about

if TYPE_CHECKING:
    from activeeval_widgets.widgets.figures.page_figures import PageFigures
    from activeeval_widgets.widgets.figures.plots import Plots


class EvaluatorView:
    """Presents results; it changes the session only when the person sets the goal."""

    may_show_predictions = True
    """Whether the page may show the model's predictions."""

    def __init__(
        self,
        session: Session,
        intro: str,
        label_text: Callable[[Any], str],
        view: InstanceRenderer,
        sent: set[int],
        texts: Mapping[str, str | None],
        *,
        hides_predictions: bool = False,
        panels: frozenset[str] | None = None,
        computes_ahead: bool = True,
        is_busy: Callable[[], bool] = lambda: False,
    ) -> None:
        self._session, self._hides_predictions = session, hides_predictions
        self._panels = Panels(session, intro, label_text, panels)
        self._is_busy = is_busy
        self._precomputation = Precomputation(session, self._panels.precompute) if computes_ahead else None
        self._results = Results(
            session, self._panels, view, label_text, sent, about=about(session), texts=texts
        )

    # bqplot is imported for pages and notebooks that show its figures.

    @cached_property
    def plots(self) -> "Plots":
        """The figures for a notebook."""
        from activeeval_widgets.widgets.figures.plots import Plots

        return Plots(self._session, self._panels, self._is_busy)

    @cached_property
    def _figures(self) -> "PageFigures":
        from activeeval_widgets.widgets.figures.page_figures import PageFigures

        return PageFigures()

    @property
    def handlers(self) -> dict[str, Handler]:
        """The handlers by type of message."""
        return {
            "prediction": self._prediction,
            "plots": self._plots,
            "plan": lambda _: ({"goal": self._panels.one("goal")}, []),
            "goal": self._goal,
            "goal_preview": self._goal_preview,
            "result": self._result,
            "save": self._results.save,
        }

    def actions(self) -> list[Action]:
        """Return the actions of keys."""
        may_show = allows_predictions(self._session) and not self._hides_predictions
        return [action for action in ACTIONS if may_show or action.name != "prediction"]

    def config(self) -> dict[str, Any]:
        """Return the settings that do not change while the page is open."""
        return {
            "about": about(self._session),
            "is_labeler_view": False,
            "goal": self._panels.one("goal") if "goal" in self._panels.names else None,
            "panels": self._panels.configs(),
        }

    def content(self) -> dict[str, Any]:
        """Return the part of the state that changes with each answer."""
        return self._panels.content()

    def close(self) -> None:
        """Remove the figures from all pages."""
        for made in vars(self).keys() & {"_figures", "plots"}:
            getattr(self, made).close()

    def _prediction(self, message: Mapping[str, Any]) -> Reply:
        present = next(iter(self._session.upcoming(1)), None)
        if self._hides_predictions or present is None or present.draw != message["draw"]:
            return {}, []
        text = prediction_text(self._session, present.index)
        return {"prediction": {"draw": present.draw, "text": text}}, []

    def _plots(self, message: Mapping[str, Any]) -> Reply:
        pair = message.get("pair")
        if pair is not None:
            pair = check_pair(pair, self._session.question.names)
        shows_wald = bool(message.get("shows_wald"))
        contents = self._panels.redraw(shows_wald=shows_wald, shown=message.get("shown", ()), pair=pair)
        if self._precomputation is not None:
            self._precomputation.begin()
        if message.get("renews_figures") is True:
            self._figures.renew()
        return self._drawn(message, contents, "plots", "panels"), []

    def _result(self, message: Mapping[str, Any]) -> Reply:
        content, buffers = self._results.result(message)
        return self._drawn(message, content), buffers

    def _drawn(self, message: Mapping[str, Any], content: dict[str, Any], *groups: str) -> dict[str, Any]:
        """Return a reply whose plots are figures, if the page can show figures."""
        if message.get("draws_figures") is not True:
            return content
        nested = {name: self._figures.place(content[name]) for name in groups if name in content}
        return {**self._figures.place(content), **nested, "figures": self._figures.references}

    def _goal(self, message: Mapping[str, Any]) -> Reply:
        fields = message["fields"]
        goal, margin = self._read_goal(fields)
        self._session.goal = goal
        if "margin" in fields and self._session.question.zero_asks == "verdict":
            self._session.revisions.declare_margin(margin)
        return {"goal": self._panels.one("goal")}, []

    def _goal_preview(self, message: Mapping[str, Any]) -> Reply:
        try:
            goal, margin = self._read_goal(message["fields"])
        except ValueError as error:
            return {"goal_preview": {"lines": [], "error": str(error)}}, []
        return {"goal_preview": self._panels.goal_preview(goal, margin)}, []

    def _read_goal(self, fields: Mapping[str, Any]) -> tuple[Goal, float | None]:
        measure = self._session.measure
        return read_goal(measure, fields), read_margin(measure, fields)
