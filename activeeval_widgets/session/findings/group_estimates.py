"""Estimates for each group of a pool."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Any

import pandas as pd

from activeeval_widgets.session.findings.by_group import ByGroup, GroupEstimate
from activeeval_widgets.session.findings.estimation import suitable_measure
from activeeval_widgets.session.findings.interval_table import Scale, hold_at_once
from activeeval_widgets.session.findings.pairs import Pair, check_pair
from activeeval_widgets.session.findings.shown import Rows, Shown
from activeeval_widgets.session.pool.groups import has_groups
from activeeval_widgets.stats import Estimate, Measure
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.quantities import Differences, Quantity
from activeeval_widgets.stats.questions.best_of import BestOf
from activeeval_widgets.stats.text import percent

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


def by_group(
    findings: "Findings",
    measure: Measure | str | None = None,
    *,
    positive: Any = None,
    confidence_level: float | None = None,
) -> pd.DataFrame:
    """Estimate the measure within each group of the pool, with simultaneous intervals.

    The intervals are simultaneously anytime-valid: with probability at least the confidence level, no
    interval is ever wrong, at any number of labels. Like the pool's own, they wait for deferred instances.

    Parameters
    ----------
    measure : Measure or str, optional
        Another measure than the session's, or its name; see `estimate`.
    positive : class label, optional
        The class of interest for a measure given by name.
    confidence_level : float, optional
        The simultaneous level of all intervals, by default the session's; each has level
        1 − (1 − level)/k for k groups.

    Returns
    -------
    DataFrame
        One row per group, in the order of their names, with the columns group, n_instances, n_labels,
        n_excluded, value, low, high, standard_error, is_exact (all of the group has an answer),
        is_asymptotic (the interval is approximate). For two models the values are differences; for more,
        those of the best so far, with intervals that hold for all groups of all models.

    Raises
    ------
    ValueError, TypeError
        If the pool has no groups or more than 1,000, or the measure does not suit the predictions.

    See Also
    --------
    estimate : The estimate for the whole pool.
    group_estimates : These estimates as a list.

    Examples
    --------
    >>> pool = Pool(["a", "b", "c"], predictions=[[0.9, 0.1]] * 3, groups=["en", "en", "de"])
    >>> session = Session(pool, ErrorRate())
    >>> while session.next() is not None:
    ...     event = session.label(0)
    >>> session.by_group()[["group", "n_labels", "value"]].values.tolist()
    [['de', 1, 0.0], ['en', 2, 0.0]]
    """
    found = findings.group_estimates(measure, positive=positive, confidence_level=confidence_level)
    return pd.DataFrame(
        [
            {
                "group": each.group,
                "n_instances": each.n_instances,
                "n_labels": each.n_labels,
                "n_excluded": each.n_excluded,
                "value": each.estimate.value,
                "low": each.estimate.low,
                "high": each.estimate.high,
                "standard_error": each.estimate.standard_error,
                "is_exact": each.is_exact,
                "is_asymptotic": each.estimate.is_asymptotic,
            }
            for each in found
        ]
    )


def group_estimates(
    findings: "Findings",
    measure: Measure | str | None = None,
    *,
    positive: Any = None,
    confidence_level: float | None = None,
) -> list[GroupEstimate]:
    """Return the estimates of `by_group` as a list.

    Parameters
    ----------
    measure : Measure or str, optional
        Another measure than the session's, or its name; see `estimate`.
    positive : class label, optional
        The class of interest for a measure given by name.
    confidence_level : float, optional
        The simultaneous level of all intervals; by default the session's.

    Returns
    -------
    list of GroupEstimate
        In the order of their names.

    Raises
    ------
    ValueError, TypeError
        As for `by_group`.

    See Also
    --------
    by_group : These estimates as a table.

    Examples
    --------
    >>> pool = Pool(["a", "b", "c"], predictions=[[0.9, 0.1]] * 3, groups=["en", "en", "de"])
    >>> [(each.group, each.n_instances) for each in Session(pool, ErrorRate()).group_estimates()]
    [('de', 1), ('en', 2)]
    """
    level = findings._level(confidence_level)
    asked = suitable_measure(findings, measure, positive)
    leader = findings._leader(asked, level)
    if leader is not None:
        estimates: list[GroupEstimate] = leader[0].group_estimates(asked, confidence_level=leader[1])
        return [replace(each, estimate=replace(each.estimate, confidence_level=level)) for each in estimates]
    key = type(asked), repr(asked), level
    reading = findings._by_group.get(key, lambda: ByGroup(findings, asked, level))
    return reading.read(findings.draws.answers.answered())


# -- how it is shown

MAX_SHOWN = 40
"""The largest number of groups shown on the page; of more, those with the most labels."""

MAX_LISTED = 200
"""The maximum number of listed groups: those with the most labels."""


def _is_there(session: "Findings") -> bool:
    return has_groups(session.pool.groups)


def _content(session: "Findings", options: Mapping[str, Any]) -> dict[str, Any]:
    question = session.question
    if isinstance(question, BestOf) and options.get("pair") is not None:
        return _of_pair(session, question, check_pair(options["pair"], question.names))
    groups = session.group_estimates()
    return groups_content(groups, session.estimate(), question.quantity, whose=of_leader(session))


def _of_pair(session: "Findings", question: BestOf, pair: Pair) -> dict[str, Any]:
    """Return the difference of two of several models, with joint intervals for groups and pairs."""
    first, second = (question.names[position] for position in pair)
    return groups_content(
        session.of(*pair).group_estimates(confidence_level=question.level_of_pairs(session.confidence_level)),
        session.pair_estimate(*pair),
        Differences(session.measure),
        whose=f"{first} minus {second}. ",
        level=session.confidence_level,
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
    shown = _most_labeled(groups, MAX_SHOWN)
    estimates = [each.estimate for each in shown if each.n_labels]
    scale = Scale([*estimates, whole], quantity)
    rows = [
        scale.row(
            each.group,
            each.estimate,
            note=f"{each.n_labels:,} of {each.n_instances:,}",
            interval=_interval(each, scale),
            has_interval=each.n_labels > 0,
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


def _most_labeled(groups: Sequence[GroupEstimate], n: int) -> Sequence[GroupEstimate]:
    """Return the groups with the most labels, in the order of their names."""
    if len(groups) <= n:
        return groups
    return sorted(sorted(groups, key=lambda each: -each.n_labels)[:n], key=lambda each: each.group)


def _interval(each: GroupEstimate, scale: Scale) -> str:
    if each.is_exact:
        return "exact"
    return scale.interval(each.estimate) if each.n_labels else "no labels yet"


def group_paragraphs(session: "Findings") -> list[str]:
    """Return paragraphs about all groups; none if the pool has no groups."""
    if not has_groups(session.pool.groups):
        return []
    share = percent(session.confidence_level)
    found = session.group_estimates()
    if any(each.estimate.is_asymptotic for each in found):
        first = (
            f"These are approximate {share} intervals for all groups at once, valid however often you looked."
        )
    else:
        first = f"These are {share} intervals for all groups at once, valid however often you looked."
    how = (
        " Half of the labels were drawn for the groups, in equal parts."
        if session.design.for_groups
        else " Labels were drawn for the value of all groups together."
    )
    more = (
        f" Listed are the {MAX_LISTED:,} of {len(found):,} groups with the most labels."
        if len(found) > MAX_LISTED
        else ""
    )
    return [of_leader(session) + first + how + more]


def of_leader(session: "Findings") -> str:
    """Return which model the groups are about, if there are more than two."""
    if not session.question.is_of_leader:
        return ""
    return f"Of {session.leaderboard().leading}. "


def group_rows(session: "Findings", unit: str | None = None) -> Rows:
    """Return a row for each group: its name and its estimate."""
    if not has_groups(session.pool.groups):
        return []
    found = _most_labeled(session.group_estimates(), MAX_LISTED)
    return [(each.group, _group_text(session, each, unit)) for each in found]


def _group_text(session: "Findings", each: GroupEstimate, unit: str | None) -> str:
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


SHOWN = Shown(
    name="groups",
    title="By group",
    kind="intervals",
    is_there=_is_there,
    content=_content,
    paragraphs=group_paragraphs,
    rows=group_rows,
)
