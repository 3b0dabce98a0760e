"""A session's plots as figures that can stand anywhere in a notebook, and stay live."""

import asyncio
from collections.abc import Callable
from difflib import get_close_matches
from time import monotonic
from typing import Any

import bqplot

from activeeval_widgets.session import Session
from activeeval_widgets.session.log.events import AnyEvent
from activeeval_widgets.widgets.evaluation.confusion import MAX_CLASSES
from activeeval_widgets.widgets.evaluation.panels import Panels
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot
from activeeval_widgets.widgets.figures.confusion_figure import ConfusionFigure
from activeeval_widgets.widgets.figures.drawn_plot import DrawnPlot
from activeeval_widgets.widgets.figures.plot_figure import PlotFigure
from activeeval_widgets.widgets.figures.table_plot import table_plot

REST = 0.15
"""Seconds without an event after which figures are drawn: fast keys are not to wait for them."""

EVERY = 0.5
"""Seconds after which figures are drawn although events keep coming."""

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
"""What each figure shows: the first of these panels that the session has."""


class Plots:
    """The plots of a session as bqplot figures, which follow it.

    Each is made when it is first asked for, and is the same object from then on. It may be shown several
    times, be part of any layout, and be saved by its `save_png` and `save_svg`.

    Attributes
    ----------
    estimate : bqplot.Figure
        The estimate and its interval after each label; the difference, where two models are compared.
    interval : bqplot.Figure
        How wide the interval is, and how wide it will be.
    sampling : bqplot.Figure
        The pool, and where draws went.
    difference : bqplot.Figure
        For two models: their difference after each label.
    differing : bqplot.Figure
        For two models: the pool by what both say.
    evidence : bqplot.Figure
        The evidence against values.
    calibration : bqplot.Figure
        For class probabilities of one model: how often predictions are right, by how sure they are.
    leaderboard : bqplot.Figure
        For several models: each one's measure with its interval.
    groups : bqplot.Figure
        Where instances have groups: the measure in each.
    judge : bqplot.Figure
        Where a judge's votes are given: how far it can be trusted.
    confusion : bqplot.Figure
        For predicted classes of one model: the confusion matrix.
    """

    def __init__(self, session: Session, panels: Panels, is_busy: Callable[[], bool] = lambda: False) -> None:
        self._session, self._panels, self._is_busy = session, panels, is_busy
        self._sources = {
            name: next(panel for panel in told if panel in panels.names)
            for name, told in FIGURES.items()
            if any(panel in panels.names for panel in told)
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
        """Show the session as it is now. Figures do so by themselves, as soon as events rest."""
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
        """Take the figures off all pages, and stop following the session."""
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
        """Draw once events rest; at once where nothing could do it later."""
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
"""Kept as long as the process: ipywidgets keeps the figures, which follow their session, as long."""


def plots(session: Session) -> Plots:
    """The live plots of a session, as bqplot figures to put anywhere in a notebook.

    They follow the session, however labels get there: by code, by widgets, or by another person.

    Parameters
    ----------
    session : Session
        What is shown. It is not changed.

    Returns
    -------
    Plots
        With an attribute for each figure; the same object each time for the same session.

    Raises
    ------
    TypeError
        If it is no session.

    See Also
    --------
    LabelingApp.plots : The figures of an app's session.

    Examples
    --------
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
    >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.7, 0.3]])
    >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
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
