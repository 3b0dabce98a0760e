"""The estimate after each label as a self-contained SVG."""

from html import escape
from math import ceil, floor, isfinite

import numpy as np

from activeeval_widgets.session.findings.estimated_interval import approximate_within
from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.findings.plot_axes import round_step
from activeeval_widgets.session.findings.watched_interval import WatchedInterval
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.numbers import Numbers, exact_text

WIDTH, HEIGHT = 720, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 700, 16, 256
_MAX_POINTS = 200
_TICKS = 5


def estimate_figure(
    session: Findings,
    watched: WatchedInterval,
    *,
    unit: str | None = None,
    threshold: float | None = None,
) -> tuple[str, str]:
    """Plot estimate and interval over the number of labeled draws, with a caption; "" before the first."""
    n_draws = session.draws.labeled()[0].size
    if not n_draws:
        return "", ""
    at = np.unique(np.linspace(0, n_draws, min(n_draws + 1, _MAX_POINTS)).round().astype(int))
    # For more than two models, those of the best so far, whose interval is `watched`.
    found = session.leader().trajectory(at=at, confidence_level=watched.confidence_level)
    value = np.array([estimate.value for estimate in found])
    band = np.array([[estimate.low for estimate in found], [estimate.high for estimate in found]])
    within = np.array([approximate_within(estimate) or (np.nan, np.nan) for estimate in found]).T
    quantity = session.question.quantity
    low, high, ticks = _scale(
        value, within if watched.is_asymptotic else band, [threshold, quantity.null_value]
    )
    numbers = Numbers(quantity, 10 * (ticks[1] - ticks[0]), unit=unit)

    def x(n: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * n / n_draws

    def y(level: float) -> float:
        inside = min(max(level, low), high)
        return _BOTTOM - (_BOTTOM - _TOP) * (inside - low) / (high - low)

    parts = [
        f'<line class="grid" x1="{_LEFT}" x2="{_RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>'
        f'<text x="{_LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">'
        f"{escape(numbers.value(tick) if quantity.repeats_unit else numbers.plain(tick, sign=True))}</text>"
        for tick in ticks
    ]
    if quantity.sides:  # the unit once, as it does not fit beside each number
        first, second = quantity.sides
        unit = numbers.unit.strip()
        what = f"{first} minus {second}{f', in {unit}' if unit else ''}"
        parts.append(f'<text x="{_LEFT}" y="{_TOP - 6}">{escape(what)}</text>')
    if not watched.is_asymptotic:
        parts.append(_polygon("band", [x(n) for n in at], [[y(end) for end in ends] for ends in band]))
    shown = np.flatnonzero(np.isfinite(within[0]))
    for run in np.split(shown, np.flatnonzero(np.diff(shown) > 1) + 1):
        edges = [[y(end) for end in ends[run]] for ends in within]
        parts.append(_polygon("approximate", [x(n) for n in at[run]], edges) if run.size else "")
    line = [(x(n), y(v)) for n, v in zip(at, value, strict=True) if isfinite(v)]
    parts.append(f'<polyline class="estimate" points="{_points(line)}"/>')
    marked = [] if quantity.null_value is None else [(quantity.null_value, "zero")]
    marked += [] if threshold in (None, quantity.null_value) else [(threshold, "goal")]
    parts += [
        f'<line class="{name}" x1="{_LEFT}" x2="{_RIGHT}" y1="{y(level):.1f}" y2="{y(level):.1f}"/>'
        for level, name in marked
    ]
    parts += [
        f'<text x="{x(n):.1f}" y="{_BOTTOM + 18}" text-anchor="middle">{n:,}</text>'
        for n in _whole_ticks(n_draws)
    ]
    counted = "labels" if n_draws == session.n_labels else "draws"
    middle = (_LEFT + _RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{_BOTTOM + 36}" text-anchor="middle">{counted}</text>')
    name = escape(session.measure.name)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{name} after each of {n_draws:,} {counted}, with its interval">{"".join(parts)}</svg>'
    )
    whose = f" of {session.leader().question.names[0]}" if session.question.is_of_leader else ""
    caption = [f"Line: estimate{whose} after each {counted.removesuffix('s')}."]
    if not watched.is_asymptotic and shown.size:
        caption.append("Light band: its guaranteed interval; dark band: its approximate interval.")
    elif not watched.is_asymptotic or shown.size:
        caption.append(f"Band: its {'approximate' if watched.is_asymptotic else 'guaranteed'} interval.")
    legend = {"zero": "Thin line: no difference.", "goal": "Dashed line: the goal, {level}."}
    caption += [
        legend[name].format(level=exact_text(quantity, level, numbers.label_unit)) for level, name in marked
    ]
    return svg, " ".join(caption)


def _polygon(name: str, across: list[float], edges: list[list[float]]) -> str:
    """Return the area between a lower and an upper edge."""
    low, high = (list(zip(across, edge, strict=True)) for edge in edges)
    return f'<polygon class="{name}" points="{_points(low + high[::-1])}"/>'


def _scale(value: FloatArray, band: FloatArray, more: list[float | None]) -> tuple[float, float, list[float]]:
    """Return ends and ticks of the vertical axis; the wide intervals at the beginning may be cut off."""
    latter = band[:, band.shape[1] // 4 :]
    shown = np.concatenate([value[value.size // 4 :], latter.ravel(), [m for m in more if m is not None]])
    shown = shown[np.isfinite(shown)]
    low, high = (float(shown.min()), float(shown.max())) if shown.size else (0.0, 1.0)
    if high <= low:
        low, high = low - 0.5 * abs(low or 1), high + 0.5 * abs(high or 1)
    step = round_step(high - low, _TICKS)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return first * step, last * step, [n * step for n in range(first, last + 1)]


def _whole_ticks(n_draws: int) -> list[int]:
    step = max(1, round(round_step(n_draws, _TICKS)))
    return list(range(0, n_draws + 1, step))


def _points(places: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
