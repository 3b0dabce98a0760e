"""What a report says of groups."""

from math import isfinite

from activeeval_widgets.session.findings.by_group import GroupEstimate
from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.pool.groups import has_groups
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.text import percent

MOST_LISTED = 200
"""With more groups, those with the most labels are listed."""


def group_paragraphs(session: Findings, *, level: float) -> list[str]:
    """What there is to say of all groups at once; nothing where the pool has none."""
    if not has_groups(session.pool.groups):
        return []
    share = percent(level)
    found = session.group_estimates(confidence_level=level)
    if any(each.estimate.is_asymptotic for each in found):
        first = (
            f"These are approximate {share} intervals for all groups at once, valid however often you looked."
        )
    else:
        first = f"These are {share} intervals for all groups at once, valid however often you looked."
    how = (
        " Half of the labels were asked for the groups, in equal parts."
        if session.design.for_groups
        else " Labels were asked for the value of all groups together."
    )
    more = (
        f" Listed are the {MOST_LISTED:,} of {len(found):,} groups with the most labels."
        if len(found) > MOST_LISTED
        else ""
    )
    return [of_leader(session) + first + how + more]


def of_leader(session: Findings) -> str:
    """Whose groups these are, where there are more than two models."""
    if not session.question.is_of_leader:
        return ""
    return f"Of {session.told().question.names[0]}, the best so far. "


def group_rows(session: Findings, *, level: float, unit: str | None = None) -> list[tuple[str, str]]:
    """A row for each group: its name, and what is known of it."""
    if not has_groups(session.pool.groups):
        return []
    found = session.group_estimates(confidence_level=level)
    if len(found) > MOST_LISTED:
        most = sorted(found, key=lambda each: -each.n_labels)[:MOST_LISTED]
        found = sorted(most, key=lambda each: each.group)
    return [(each.group, _told(session, each, unit)) for each in found]


def _told(session: Findings, each: GroupEstimate, unit: str | None) -> str:
    found = each.estimate
    numbers = Numbers.of(session.question.quantity, found, unit=unit)
    labels = f"{each.n_labels:,} of {each.n_instances:,} labeled"
    if each.n_excluded:
        labels += f", {each.n_excluded:,} excluded"
    if not each.n_labels or not found.is_defined:
        return f"not known yet; {labels}"
    value = numbers.value(found.value)
    if each.is_exact:
        return f"{value}, exact; {labels}"
    if not (isfinite(found.low) and isfinite(found.high)):
        return f"{value}; {labels}"
    low, high = numbers.ends(found.low, found.high)
    return f"{value}, {low} to {high}; {labels}"
