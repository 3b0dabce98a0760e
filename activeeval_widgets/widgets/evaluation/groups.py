"""The measure within each group of the pool."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from activeeval_widgets.session import GroupEstimate, Session
from activeeval_widgets.session.pool.groups import has_groups
from activeeval_widgets.session.report.by_group import of_leader
from activeeval_widgets.stats import Estimate
from activeeval_widgets.stats.quantities import Differences, Quantity
from activeeval_widgets.stats.questions.best_of import BestOf
from activeeval_widgets.widgets.evaluation.interval_table import Scale, hold_at_once
from activeeval_widgets.widgets.evaluation.pair import LEVEL, Pair, check_pair
from activeeval_widgets.widgets.evaluation.panel import Panel
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot

MOST_SHOWN = 40
"""The largest number of groups shown; of more, those with the most labels."""


class GroupsPanel(Panel):
    """The measure within each group, for pools with groups."""

    name = "groups"
    title = "By group"
    is_optional = True

    @classmethod
    def of(cls, session: Session) -> Self | None:
        """See `Panel.of`."""
        return cls() if has_groups(session.pool.groups) else None

    def content(self, snapshot: Snapshot, options: Mapping[str, Any]) -> dict[str, Any]:
        """See `Panel.content`."""
        session = snapshot.session
        question = session.question
        if isinstance(question, BestOf) and options.get("pair") is not None:
            return _of_pair(session, question, check_pair(options["pair"], question.names))
        return groups_content(
            session.group_estimates(),
            snapshot.estimate,
            question.quantity,
            whose=of_leader(session.findings),
        )


def _of_pair(session: Session, question: BestOf, pair: Pair) -> dict[str, Any]:
    """Return the difference of two of several models, with joint intervals for groups and pairs."""
    first, second = (question.names[position] for position in pair)
    return groups_content(
        session.of(*pair).group_estimates(confidence_level=question.level_of_pairs(LEVEL)),
        session.pair_estimate(*pair),
        Differences(session.measure),
        whose=f"{first} minus {second}. ",
        level=LEVEL,
        what=f"all groups and all {len(question.pairs)} pairs",
    )


def groups_content(
    groups: Sequence[GroupEstimate],
    whole: Estimate,
    quantity: Quantity,
    *,
    whose: str = "",
    level: float | None = None,
    what: str = "all",
) -> dict[str, Any]:
    """Return what the page shows of the groups."""
    shown = groups
    if len(groups) > MOST_SHOWN:
        most = sorted(groups, key=lambda each: -each.n_labels)[:MOST_SHOWN]
        shown = sorted(most, key=lambda each: each.group)
    told = [each.estimate for each in shown if each.n_labels]
    scale = Scale([*told, whole], quantity)
    rows = [
        scale.row(
            each.group,
            each.estimate,
            note=f"{each.n_labels:,} of {each.n_instances:,}",
            interval=_interval(each, scale),
            is_told=each.n_labels > 0,
        )
        for each in shown
    ]
    left_out = (
        f" Shown are the {len(shown)} of {len(groups):,} groups with the most labels."
        if len(shown) < len(groups)
        else ""
    )
    is_approximate = any(each.estimate.is_asymptotic for each in shown)
    null = quantity.null_value
    lines = " The line is at 0; dashed: all groups together." if null is not None else ""
    return {
        "summary": whose
        + hold_at_once(
            groups[0].estimate.confidence_level if level is None else level,
            is_approximate=is_approximate,
            what=what,
        )
        + left_out
        + lines,
        "columns": ["Group", "Labels", quantity.heading],
        "rows": rows,
        "whole": scale.at(whole.value),
        "zero": None if null is None else scale.at(null),
        "scale": scale.content(),
    }


def _interval(each: GroupEstimate, scale: Scale) -> str:
    if each.is_exact:
        return "exact"
    return scale.interval(each.estimate) if each.n_labels else "no labels yet"
