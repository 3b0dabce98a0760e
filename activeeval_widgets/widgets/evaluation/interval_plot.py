"""The width of the interval, and the labels that a narrower one takes."""

from collections.abc import Mapping
from math import floor, isfinite, log10
from typing import Any

import numpy as np

from activeeval_widgets.session.findings.goal_plan import Forecast
from activeeval_widgets.session.findings.plot_axes import axis, number_text
from activeeval_widgets.stats import Measure, Plan
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.text import counted, noun_for, two_digits
from activeeval_widgets.widgets.evaluation.panel import Panel
from activeeval_widgets.widgets.evaluation.plot_texts import ROWS, noun_of_draws, rows_at
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot
from activeeval_widgets.widgets.wording.measures import format_width

_N_WIDTHS = 9
"""The number of widths in the forecast, evenly spaced on the logarithmic axis."""

_BEYOND_GOAL, _WITHOUT_GOAL = 0.6, 0.25
"""The last width of the forecast, as a share of the goal or, without a goal, of the current width."""

_N_CONE = 30

_SHORTEST = 1.15
"""The curve of uniform draws is drawn if its last number of draws is at least this multiple of its first."""


class IntervalPlotPanel(Panel):
    """The interval's width over labels, with goal, forecast, and the labels that uniform draws need."""

    name = "interval"
    title = "How wide the interval is"
    kind = "plot"
    is_hidden_at_first = True
    is_optional = True

    def content(self, snapshot: Snapshot, options: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """See `Panel.content`."""
        session = snapshot.session
        n = np.array([each.n_draws for each in snapshot.trajectory], dtype=np.float64)
        halves = (snapshot.band[1] - snapshot.band[0]) / 2 if n.size else np.empty(0)
        now = (snapshot.watched.high - snapshot.watched.low) / 2
        goal = snapshot.goal.half_width
        forecast = None
        if isfinite(now) and now > 0:
            if goal is None or goal >= now:
                widths = np.geomspace(now, _WITHOUT_GOAL * now, _N_WIDTHS)[1:]
            else:
                widths = np.geomspace(now, _BEYOND_GOAL * goal, _N_WIDTHS)[1:]
                widths = np.unique(np.append(widths, goal))[::-1]
            forecast = snapshot.forecast(widths)
        at, unit = (float(n[-1]) if n.size else 0.0, now), noun_of_draws(session)
        return interval_content(session.measure, n, halves, at, goal, forecast, unit)


def interval_content(
    measure: Measure,
    n: FloatArray,
    halves: FloatArray,
    now: tuple[float, float],
    goal: float | None,
    forecast: Forecast | None,
    unit: str = "label",
) -> dict[str, Any]:
    """Return the plot as the page draws it, on logarithmic axes.

    Parameters
    ----------
    measure : Measure
        The estimated measure.
    n, halves : ndarray of shape (n_points,)
        Increasing numbers of draws, and half the interval's width after each.
    now : tuple of two floats
        The current number of draws and half-width.
    goal : float or None
        The target half-width.
    forecast : Forecast or None
        The forecast, from wide to narrow intervals.
    unit : str
        The unit of the horizontal axis: "label" or "draw".
    """
    n_now, half_now = now
    is_shown = (n >= 1) & np.isfinite(halves) & (halves > 0)
    x, y = n[is_shown], halves[is_shown]
    cone, planned, uniform = _courses(forecast, now)
    farthest = max([10.0, n_now, *(n_now + plan.n_labels for _, plan in planned), *uniform[0].tolist()])
    heights = [*y.tolist(), *(half for half, _ in planned), *([] if goal is None else [goal])]
    if isfinite(half_now) and half_now > 0:
        heights.append(half_now)
    low, high = (_round_down(min(heights)), _up(max(heights))) if heights else (0.01, 1.0)
    x_high = _up(farthest)
    seen = (uniform[1] >= low) & (uniform[1] <= high)
    uniform = uniform[0][seen], uniform[1][seen]

    def width(half: float) -> str:
        return format_width(measure, half)

    bands: list[dict[str, Any]] = []
    curves = [_curve("estimate", x, y)]
    legend = [["estimate", "half the interval's width" + (", in points" if measure.is_share else "")]]
    stops = [
        _stops(
            "So far",
            "x",
            x,
            y,
            [f"{counted(round(at), f'{unit}s')}: {width(h)}" for at, h in zip(x, y, strict=True)],
        )
    ]
    if cone is not None:
        bands.append({"kind": "forecast", **{name: part.tolist() for name, part in cone.items()}})
        legend.append(["forecast", "forecast: 4 of 5 sessions"])
    if planned:
        at = np.array([n_now + plan.n_labels for _, plan in planned])
        texts = [f"{width(half)}: {_more(plan, unit)}" for half, plan in planned]
        stops.append(
            _stops("Forecast", "point", np.maximum(at, 1.0), np.array([half for half, _ in planned]), texts)
        )
    if uniform[0].size > 1 and uniform[0][-1] >= _SHORTEST * uniform[0][0]:
        curves.append(_curve("uniform", *uniform))
        legend.append(["uniform", "uniform sampling, estimated"])
        texts = [
            f"{width(half)}: about {two_digits(at):,} {unit}s by uniform sampling, estimated"
            for at, half in zip(*uniform, strict=True)
        ]
        stops.append(_stops("Uniform sampling, estimated", "point", *uniform, texts))
    if goal is not None:
        legend.append(["goal", f"goal: {width(goal)}"])
    summary = _summary(measure, now, goal, forecast, unit)
    return {
        "heading": "How wide the interval is",
        "note": summary,
        "x": axis(1.0, x_high, _ticks(1.0, x_high), number_text(x_high), title=f"{unit}s", is_log=True),
        "y": axis(low, high, _ticks(low, high), _tick_text(measure), is_log=True),
        "bands": bands,
        "curves": [each for each in curves if each["x"]],
        "lines": [] if goal is None else [{"kind": "goal", "y": goal}],
        "points": [{"kind": "drawn", "shape": "dot", "x": x[-1:].tolist(), "y": y[-1:].tolist()}]
        if x.size
        else [],
        "sides": [],
        "legend": legend,
        "stops": [each for each in stops if each["x"]],
        "summary": summary,
        "columns": ["Interval", f"{unit.capitalize()}s", "Likely", "Uniform sampling, estimated"],
        "rows": _rows(measure, x, y, n_now, planned, forecast),
    }


_Curve = tuple[FloatArray, FloatArray]


def _courses(
    forecast: Forecast | None, now: tuple[float, float]
) -> tuple[dict[str, FloatArray] | None, list[tuple[float, Plan]], _Curve]:
    """Return the cone, the finite forecasts, and the curve of uniform draws."""
    if forecast is None:
        return None, [], (np.empty(0), np.empty(0))
    halves = forecast.half_widths
    is_known = np.isfinite(forecast.uniform) & (forecast.uniform >= 1)
    uniform = forecast.uniform[is_known], halves[is_known]
    planned = [
        (half, plan)
        for half, plan in zip(halves.tolist(), forecast.plans, strict=True)
        if isfinite(plan.n_labels)
    ]
    if not planned:
        return None, planned, uniform
    start = max(now[0], 1.0)
    x = np.geomspace(start, max(now[0] + planned[-1][1].n_labels, 1.01 * start), _N_CONE)

    def course(name: str) -> FloatArray:
        """Return the width after numbers of labels; constant beyond the last forecast."""
        more = np.array([getattr(plan, name) for plan in forecast.plans])
        finite = np.isfinite(more)
        at = np.maximum.accumulate(np.concatenate([[start], np.maximum(now[0] + more[finite], start)]))
        to = np.log(np.concatenate([[now[1]], halves[finite]]))
        found: FloatArray = np.exp(np.interp(np.log(x), np.log(at), to))
        return found

    return {"x": x, "low": course("low"), "high": course("high")}, planned, uniform


def _curve(kind: str, x: FloatArray, y: FloatArray) -> dict[str, Any]:
    return {"kind": kind, "x": x.tolist(), "y": y.tolist()}


def _stops(name: str, by: str, x: FloatArray, y: FloatArray, text: list[str]) -> dict[str, Any]:
    return {"name": name, "by": by, "x": x.tolist(), "y": y.tolist(), "text": text}


def _more(plan: Plan, unit: str) -> str:
    about = f"about {counted_about(plan.n_labels, unit)}"
    if plan.high <= plan.low:
        return about
    high = f"–{two_digits(plan.high):,}" if isfinite(plan.high) else " or more"
    return f"{about} (likely {two_digits(plan.low):,}{high})"


def counted_about(n_labels: float, unit: str) -> str:
    """Return a number of further labels in words, rounded to two digits."""
    return f"{two_digits(n_labels):,} more {noun_for(n_labels, f'{unit}s')}"


def _rows(
    measure: Measure,
    x: FloatArray,
    y: FloatArray,
    n_now: float,
    planned: list[tuple[float, Plan]],
    forecast: Forecast | None,
) -> list[list[str]]:
    rows = [[format_width(measure, float(y[i])), f"{x[i]:,.0f}", "", ""] for i in rows_at(x.size, ROWS // 2)]
    uniform = (
        {} if forecast is None else dict(zip(forecast.half_widths.tolist(), forecast.uniform, strict=True))
    )
    for half, plan in planned:
        high = f"–{two_digits(n_now + plan.high):,}" if isfinite(plan.high) else " or more"
        likely = f"{two_digits(n_now + plan.low):,}{high}"
        by_uniform = f"{two_digits(uniform[half]):,}" if isfinite(uniform[half]) else "–"
        rows.append(
            [format_width(measure, half), f"{two_digits(n_now + plan.n_labels):,}", likely, by_uniform]
        )
    return rows


def _summary(
    measure: Measure, now: tuple[float, float], goal: float | None, forecast: Forecast | None, unit: str
) -> str:
    """Return the interval's width and the cost of the goal in words."""
    n_now, half_now = now
    how = f"is {format_width(measure, half_now)}" if isfinite(half_now) else "has no end"
    when = f"After {counted(round(n_now), f'{unit}s')}" if n_now else f"Before the first {unit}"
    text = f"{when} the interval {how}."
    if goal is None:
        return text
    if half_now <= goal:
        return f"{text} The goal of {format_width(measure, goal)} is reached."
    if forecast is None:
        return text
    where = int(np.argmin(np.abs(forecast.half_widths - goal)))
    plan, uniform = forecast.plans[where], float(forecast.uniform[where])
    if isfinite(plan.n_labels):
        text += f" For {format_width(measure, goal)}: {_more(plan, unit)}."
    if isfinite(uniform) and uniform >= 1:
        text += f" Uniform sampling: about {two_digits(uniform):,} in all, by an estimate."
    return text


def _tick_text(measure: Measure) -> Any:
    scale = 100 if measure.is_share else 1
    return lambda half: f"±{number_text(scale * half)(round(scale * half, 12))}"


def _round_down(value: float) -> float:
    """Return the largest of 1, 2, 5 times a power of 10 that is at most a value."""
    return max(each for each in _around(value) if each <= value * (1 + 1e-9))


def _up(value: float) -> float:
    return min(each for each in _around(value) if each >= value * (1 - 1e-9))


def _around(value: float) -> list[float]:
    power = floor(log10(value))
    return [factor * 10.0**p for p in (power - 1, power, power + 1) for factor in (1, 2, 5)]


def _ticks(low: float, high: float) -> list[float]:
    """Return round numbers on a logarithmic axis: 1, 2, 5 and so on, or powers of 10 if it is long."""
    powers = range(floor(log10(low) + 1e-9), floor(log10(high) + 1e-9) + 1)
    found: list[float] = []
    for factors in ((1, 2, 5), (1, 3), (1,)):
        each = [factor * 10.0**p for p in powers for factor in factors]
        found = [tick for tick in each if low * (1 - 1e-9) <= tick <= high * (1 + 1e-9)]
        if len(found) <= 7:
            break
    return found
