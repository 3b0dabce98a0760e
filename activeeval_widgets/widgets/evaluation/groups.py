"""The measure within each group of the pool."""

from collections.abc import Mapping, Sequence
from math import ceil, floor, isfinite
from typing import Any, Self

from activeeval_widgets.session import GroupEstimate, Session
from activeeval_widgets.session.pool.groups import has_groups
from activeeval_widgets.stats import Estimate, Measure
from activeeval_widgets.widgets.evaluation.panel import Panel
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot

MOST_SHOWN = 40
"""With more groups, those with the most labels are shown."""

_NOT_YET = "–"

_STEP = 0.05
"""Shares are drawn in a scale of whole steps."""


class GroupsPanel(Panel):
    """The measure within each group, for pools that have groups."""

    name = "groups"
    title = "By group"
    is_optional = True

    @classmethod
    def of(cls, session: Session) -> Self | None:
        """See `Panel.of`."""
        return cls() if has_groups(session.pool.groups) else None

    def content(self, snapshot: Snapshot, options: Mapping[str, bool]) -> dict[str, Any]:  # noqa: ARG002
        """See `Panel.content`."""
        session = snapshot.session
        return groups_content(
            session.group_estimates(),
            snapshot.estimate,
            session.measure,
            is_difference=len(session.models) == 2,
        )


def groups_content(
    groups: Sequence[GroupEstimate], whole: Estimate, measure: Measure, *, is_difference: bool = False
) -> dict[str, Any]:
    """What the page shows of the groups.

    Parameters
    ----------
    groups : sequence of GroupEstimate
        All of them.
    whole : Estimate
        Of the whole pool.
    measure : Measure
        What is estimated.
    is_difference : bool
        Whether values are differences of two models.

    Returns
    -------
    dict
        See `messages.from_python.GroupsContent`.
    """
    shown = groups
    if len(groups) > MOST_SHOWN:
        most = sorted(groups, key=lambda each: -each.n_labels)[:MOST_SHOWN]
        shown = sorted(most, key=lambda each: each.group)
    unit = measure.unit(is_difference=is_difference)

    def text(value: float) -> str:
        return measure.format(value, sign=is_difference) + (unit if isfinite(value) else "")

    low, high = _scale(shown, whole, _STEP if measure.is_share else 0.0)
    span = high - low

    def at(value: float) -> float | None:
        return round(min(max((value - low) / span, 0.0), 1.0), 4) if isfinite(value) else None

    rows = [
        {
            "name": each.group,
            "labels": f"{each.n_labels:,} of {each.n_instances:,}",
            "value": text(each.estimate.value) if each.estimate.is_defined else _NOT_YET,
            "interval": _interval(each, text),
            "low": at(each.estimate.low) if isfinite(each.estimate.low) else 0.0,
            "high": at(each.estimate.high) if isfinite(each.estimate.high) else 1.0,
            "at": at(each.estimate.value),
            "is_told": each.n_labels > 0,
        }
        for each in shown
    ]
    left_out = (
        f" The {len(shown)} with the most labels of {len(groups):,}." if len(shown) < len(groups) else ""
    )
    is_approximate = any(each.estimate.is_asymptotic for each in shown)
    return {
        "summary": _summary(groups[0].estimate.confidence_level, is_approximate=is_approximate) + left_out,
        "rows": rows,
        "whole": at(whole.value),
        "ends": [text(low), text(high)],
    }


def _summary(level: float, *, is_approximate: bool) -> str:
    share = f"{100 * level:g}%"
    if is_approximate:
        return f"All intervals hold at once, approximately with {share} confidence."
    return f"All intervals hold at once, with {share} confidence, however often you look."


def _interval(each: GroupEstimate, text: Any) -> str:
    if each.is_exact:
        return "exact"
    if not each.n_labels:
        return "no labels yet"
    return f"{text(each.estimate.low)} to {text(each.estimate.high)}"


def _scale(groups: Sequence[GroupEstimate], whole: Estimate, step: float) -> tuple[float, float]:
    """What all bars are drawn in: from the least to the greatest end that is known, in whole steps."""
    told = [each.estimate for each in groups if each.n_labels]
    ends = [end for each in (*told, whole) for end in (each.low, each.high, each.value) if isfinite(end)]
    if not ends or min(ends) == max(ends):
        return (0.0, 1.0) if not ends else (min(ends) - 0.5, max(ends) + 0.5)
    if step:
        return step * floor(min(ends) / step + 1e-9), step * ceil(max(ends) / step - 1e-9)
    return min(ends), max(ends)
