"""A session's plots as live figures for any place in a notebook."""

import asyncio
from collections.abc import Callable
from difflib import get_close_matches
from time import monotonic
from typing import Any

import bqplot

from activeeval_widgets.session import Session
from activeeval_widgets.session.findings.confusion_matrix import MAX_CLASSES
from activeeval_widgets.session.log.events import AnyEvent
from activeeval_widgets.widgets.evaluation.panels import Panels
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot
from activeeval_widgets.widgets.figures.confusion_figure import ConfusionFigure
from activeeval_widgets.widgets.figures.drawn_plot import DrawnPlot
from activeeval_widgets.widgets.figures.plot_figure import PlotFigure
from activeeval_widgets.widgets.figures.table_plot import table_plot

REST = 0.15
"""Seconds without an event after which figures are drawn, so that fast keys do not wait for them."""

EVERY = 0.5
"""Seconds after which figures are drawn even if events keep coming."""

FIGURES: dict[str, tuple[str, ...]] = {
    "estimate": ("trajectory",),
    "interval": ("interval",),
    "sampling": ("distribution",),
    "difference": ("trajectory",),
    "differing": ("differing",),
    "evidence": ("evidence",),
    "calibration": ("calibration",),
    "leaderboard": ("models", "each"),
    "groups": ("groups",),
    "judge": ("judge",),
    "confusion": ("confusion",),
}
"""The panels that each figure shows: the first of them that the session has."""


class Plots:
    """The plots of a session as bqplot figures, which follow the session.

    Each figure is created when it is first accessed, and stays the same object. It can be displayed several
    times, be part of any layout, and be saved with its `save_png` and `save_svg`.

    Attributes
    ----------
    estimate : bqplot.Figure
        The estimate and its interval after each label; for two models, their difference.
    interval : bqplot.Figure
        The width of the interval so far, and its forecast.
    sampling : bqplot.Figure
        The pool, and the draws.
    difference : bqplot.Figure
        For two models, their difference after each label.
    differing : bqplot.Figure
        For two models, the pool by both models' predictions.
    evidence : bqplot.Figure
        The evidence against each value.
    calibration : bqplot.Figure
        For class probabilities of one model, how often predictions are right, by confidence.
    leaderboard : bqplot.Figure
        For several models, each one's measure with its interval.
    groups : bqplot.Figure
        For instances with groups, the measure in each group.
    judge : bqplot.Figure
        For judges' votes, how far the judge can be trusted.
    confusion : bqplot.Figure
        For predicted classes of one model, the confusion matrix.
    """

    def __init__(self, session: Session, panels: Panels, is_busy: Callable[[], bool] = lambda: False) -> None:
        self._session, self._panels, self._is_busy = session, panels, is_busy
        self._sources = {
            name: next(panel for panel in candidates if panel in panels.names)
            for name, candidates in FIGURES.items()
            if any(panel in panels.names for panel in candidates)
        }
        if not session.question.quantity.sides:
            self._sources.pop("difference", None)
        self._classes: list[str] = []
        if "confusion" in self._sources:
            self._classes = [str(label) for label in getattr(session.models[0], "classes", [])]
            if len(self._classes) > MAX_CLASSES:
                del self._sources["confusion"]
        self._drawn: dict[str, DrawnPlot | ConfusionFigure] = {}
        self._figures: dict[str, bqplot.Figure] = {}
        self._shown: Snapshot | None = None
        self._drawn_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._sources]

    def __repr__(self) -> str:
        return f"<plots of session {self._session.name!r}: {', '.join(self._sources)}>"

    def __getattr__(self, name: str) -> bqplot.Figure:
        if name.startswith("_"):
            raise AttributeError(name)
        panel = self._sources.get(name)
        if panel is None:
            raise AttributeError(self._without(name))
        if panel not in self._figures:
            if not self._figures:
                self._session.subscribe(self._follow)
            self._figures[panel] = self._made(panel)
        return self._figures[panel]

    def update(self) -> None:
        """Show the current state of the session; figures also do so themselves once events pause."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        snapshot = self._panels.snapshot()
        if snapshot is not self._shown:
            self._shown = snapshot
            for panel, drawn in self._drawn.items():
                drawn.show(self._content(panel))
        self._drawn_at = monotonic()

    def close(self) -> None:
        """Remove the figures from all pages, and stop following the session."""
        if self._figures:
            self._session.unsubscribe(self._follow)
        if self._timer is not None:
            self._timer.cancel()
        for drawn in self._drawn.values():
            drawn.close()
        self._drawn.clear()
        self._figures.clear()

    def _made(self, panel: str) -> bqplot.Figure:
        content = self._content(panel)
        if panel == "confusion":
            self._drawn[panel] = figure = ConfusionFigure(content)
            return figure
        drawn = self._drawn[panel] = DrawnPlot(content)
        return PlotFigure(drawn)

    def _content(self, panel: str) -> dict[str, Any]:
        content = self._panels.one(panel)
        if panel == "differing":
            return content["plot"] or {}
        if panel == "confusion":
            return {**content, "classes": self._classes}
        return table_plot(content, self._panels.title(panel)) if "whole" in content else content

    def _follow(self, _event: AnyEvent) -> None:
        """Draw once events pause, or at once without an event loop."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.update()
            return
        if monotonic() - self._drawn_at > EVERY and not self._is_busy():
            self.update()
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = loop.call_later(REST, self.update)

    def _without(self, name: str) -> str:
        there = ", ".join(self._sources)
        if name == "evidence":
            reason = self._session.watched().reason or "Its interval is not made of such evidence."
            return f"this session has no figure {name!r}, as there is no evidence against values. {reason}"
        if name == "confusion" and self._classes:
            n = len(self._classes)
            return f"no figure {name!r} is drawn of {n:,} classes; session.confusion() has the numbers"
        if name in FIGURES:
            return f"this session has no figure {name!r}; it has {there}"
        likely = get_close_matches(name, self._sources, n=1)
        hint = f": did you mean {likely[0]!r}?" if likely else f"; there are {there}"
        return f"plots have no figure {name!r}{hint}"


_OF_SESSIONS: dict[Session, Plots] = {}
"""Kept for the lifetime of the process, as ipywidgets keeps the figures."""


def plots(session: Session) -> Plots:
    """Return the live plots of a session, as bqplot figures for any place in a notebook.

    They follow the session, whether labels come from code, widgets or another person.

    Parameters
    ----------
    session : Session
        The session, which is not changed.

    Returns
    -------
    Plots
        An object with an attribute for each figure; always the same for one session.

    Raises
    ------
    TypeError
        If the argument is not a session.

    See Also
    --------
    LabelingApp.plots : The figures of an app's session.

    Examples
    --------
    >>> figure = plots(session).estimate
    >>> event = session.label(0)
    >>> figure.title
    'Error rate after each label'
    """
    if not isinstance(session, Session):
        raise TypeError(f"session must be a Session, got {session!r}")
    if session not in _OF_SESSIONS:
        _OF_SESSIONS[session] = Plots(session, Panels(session))
    return _OF_SESSIONS[session]
