"""The evidence against each value, such as the wealth of bets; the interval is where it is low."""

from collections.abc import Callable, Mapping
from functools import partial
from math import inf, isfinite
from typing import Any, Self

import numpy as np

from activeeval_widgets.session import Session
from activeeval_widgets.session.findings.plot_axes import MAX_POINTS, axis, round_ticks, value_ticks
from activeeval_widgets.session.findings.sentences import capitalized
from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.anytime.band import Wealth
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.text import percent
from activeeval_widgets.widgets.evaluation.panel import Panel
from activeeval_widgets.widgets.evaluation.plot_texts import rows_at
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot
from activeeval_widgets.widgets.evaluation.wealth_plot import evidence_axis, evidence_text

_BEYOND = 0.75
"""How far the horizontal axis extends beyond the interval on each side, as a share of its width."""


_APPROXIMATE = "It is approximate: it holds in the limit of many labels."
_NO_MORE_BETS = "Outside it, evidence is at least what is drawn."


class EvidencePanel(Panel):
    """The evidence against each value, from bets, a likelihood ratio, or an asymptotic result."""

    name = "evidence"
    title = "Evidence against each value"
    kind = "plot"
    is_hidden_at_first = True
    is_optional = True

    @classmethod
    def of(cls, session: Session) -> Self | None:
        """See `Panel.of`."""
        return None if session.watched().wealth() is None else cls()

    def content(self, snapshot: Snapshot, options: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """See `Panel.content`."""
        watched, quantity = snapshot.watched, snapshot.session.question.quantity
        numbers, name = Numbers.of(quantity, snapshot.estimate), quantity.name
        if snapshot.session.question.is_of_leader:
            name += f" of {snapshot.session.leaderboard().leader.name}"
        found = watched.wealth()
        assert found is not None  # noqa: S101 - the panel exists only if there is evidence
        remark = watched.reason or (_APPROXIMATE if watched.is_asymptotic else "")
        return evidence_content(
            found,
            (watched.low, watched.high),
            watched.confidence_level,
            name,
            numbers,
            partial(value_ticks, quantity),
            remark,
            has_labels=snapshot.session.n_labels > 0,
        )


def evidence_content(
    found: Wealth,
    ends: tuple[float, float],
    level: float,
    name: str,
    numbers: Numbers,
    tick_text: Callable[[float], Callable[[float], str]] = lambda _: str,
    remark: str = "",
    *,
    has_labels: bool = True,
) -> dict[str, Any]:
    """Return the plot as the page draws it."""
    enough = round(1 / (1 - level), 6)
    low, high = _range(found, ends)
    shown = _chosen(found, ends, (low, high))
    edges = np.clip(found.edges, low, high)
    values = ((edges[:-1] + edges[1:]) / 2)[shown]
    won = _rising(found.won, enough)[shown]
    y_axis = evidence_axis(float(won[np.isfinite(won)].max(initial=1.0)))
    top = y_axis["high"]
    x, y = values.tolist(), np.minimum(won, top).tolist()
    interval = numbers.interval(*ends)
    within, is_point = np.clip(ends, low, high).tolist(), ends[0] == ends[1]
    needed = f"{evidence_text(enough)}: enough to exclude a value ({percent(round(level, 4))})"
    is_begun = bool((found.won > 1).any())
    summary = "No labels yet: no value is excluded."
    if has_labels:
        summary = f"No value is excluded yet. {remark}".strip()
    if is_begun:
        where = f"where the evidence stays below {evidence_text(enough)}: {interval}."
        summary = f"The {percent(round(level, 4))} interval is {where}"
    if is_point:
        summary = f"The value is known: {numbers.value(ends[0])}."
    note = summary * has_labels
    if is_begun and not is_point:
        note = " ".join(filter(None, (summary, remark, _NO_MORE_BETS)))
    title = f"{name}, in points" if numbers.unit.endswith("points") else name
    return {
        "heading": f"Evidence against each value of the {name}",
        "note": note,
        "x": axis(low, high, round_ticks(low, high), tick_text(max(abs(low), abs(high))), title=title),
        "y": y_axis,
        "bands": [] if is_point else [{"kind": "band", "x": within, "low": [1.0, 1.0], "high": [top, top]}],
        "curves": [{"kind": "wealth", "x": x, "y": y}],
        "lines": [{"kind": "goal", "y": enough}],
        "points": [],
        "sides": [],
        "legend": [
            ["wealth", "evidence against the value"],
            ["goal", needed],
            *([] if is_point else [["band", f"{percent(round(level, 4))} interval"]]),
        ],
        "stops": [
            {
                "name": "Values",
                "by": "x",
                "x": x,
                "y": y,
                "text": [
                    f"{numbers.value(value)}: {_verdict(each, enough)}"
                    for value, each in zip(x, won.tolist(), strict=True)
                ],
            }
        ],
        "summary": summary,
        "columns": [capitalized(name), "Evidence", "Excluded"],
        "rows": [
            [numbers.value(x[i]), _in_words(float(won[i])), "yes" if won[i] >= enough else "no"]
            for i in rows_at(len(x))
        ],
    }


def _range(found: Wealth, ends: tuple[float, float]) -> tuple[float, float]:
    """Return the ends of the horizontal axis: around the interval, within the possible range."""
    least, greatest = float(found.edges[0]), float(found.edges[-1])
    if not all(map(isfinite, ends)):
        start = least if isfinite(least) else 0.0
        return start, greatest if isfinite(greatest) else start + 1.0
    room = _BEYOND * (ends[1] - ends[0]) or 0.05 * (greatest - least)
    low, high = ends[0] - room, ends[1] + room
    return (max(low, least) if isfinite(least) else low), (
        min(high, greatest) if isfinite(greatest) else high
    )


def _chosen(found: Wealth, ends: tuple[float, float], shown: tuple[float, float]) -> IntArray:
    """Return at most `MAX_POINTS` of the visible cells, including those next to the interval's ends."""
    edges: FloatArray = found.edges
    first = max(int(np.searchsorted(edges, shown[0], side="right")) - 1, 0)
    last = min(int(np.searchsorted(edges, shown[1], side="left")), edges.size - 1) - 1
    places = np.searchsorted(edges, ends)
    near = (places[:, np.newaxis] + np.arange(-2, 2)).ravel()
    even = np.linspace(first, max(last, first), MAX_POINTS - near.size).round().astype(np.intp)
    chosen: IntArray = np.unique(np.clip(np.concatenate([even, near]), 0, found.won.size - 1))
    return chosen


def _rising(won: FloatArray, enough: float) -> FloatArray:
    """Make evidence monotone beyond the interval's ends, where bets stop once they have succeeded.

    There it is the smallest evidence against any value that is as far away or farther.
    """
    kept = np.flatnonzero(won < enough)
    found: FloatArray = won.copy()
    if kept.size:
        first, last = kept[0], kept[-1]
        found[:first] = np.minimum.accumulate(won[:first])
        found[last + 1 :] = np.minimum.accumulate(won[:last:-1])[::-1]
    return found


def _verdict(won: float, enough: float) -> str:
    if won == inf:
        return "excluded for certain"
    return f"evidence {evidence_text(won)}, {'excluded' if won >= enough else 'still possible'}"


def _in_words(won: float) -> str:
    return "certain" if won == inf else evidence_text(won)
