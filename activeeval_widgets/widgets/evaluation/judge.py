"""Whether an automatic judge can be trusted: its own verdicts against people's labels."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

from activeeval_widgets.session import JudgeCheck, Session
from activeeval_widgets.session.findings.judge import is_of_judges
from activeeval_widgets.session.findings.sentences import capitalized, continued
from activeeval_widgets.session.pool.groups import has_groups
from activeeval_widgets.session.report.judge import interval_text
from activeeval_widgets.stats import CohenKappa, ErrorRate, Estimate, Measure
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.quantities import Quantity
from activeeval_widgets.stats.text import percent
from activeeval_widgets.widgets.evaluation.interval_table import Scale
from activeeval_widgets.widgets.evaluation.panel import Panel
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot

_MOST_GROUPS = 12


class JudgePanel(Panel):
    """The agreement of judge and people, for sessions in which people label what judges have judged."""

    name = "judge"
    title = "Can the judge be trusted?"
    is_optional = True

    @classmethod
    def of(cls, session: Session) -> Self | None:
        """See `Panel.of`."""
        return cls() if is_of_judges(session.findings) else None

    def content(self, snapshot: Snapshot, options: Mapping[str, bool]) -> dict[str, Any]:  # noqa: ARG002
        """See `Panel.content`."""
        session = snapshot.session
        groups = []
        if has_groups(session.pool.groups):
            found = sorted(session.group_estimates(ErrorRate()), key=lambda each: -each.n_labels)
            groups = [(each.group, each.estimate) for each in found[:_MOST_GROUPS] if each.n_labels]
        return judge_content(session.judge(), groups)


def judge_content(found: JudgeCheck, groups: list[tuple[str, Estimate]]) -> dict[str, Any]:
    """Return what the page shows of a judge."""
    rate, people = found.measure, found.people
    is_told = people.n_labels > 0
    alone = replace(people, value=found.alone, low=found.alone, high=found.alone)
    shares = [
        ("People", people),
        ("Judge by itself", alone),
        ("Error rate", found.error_rate),
        *((f"Error rate, {name}", each) for name, each in groups),
    ]
    scale = Scale([each for _, each in shares] if is_told else [alone], Quantity(rate))
    rows = [
        scale.row(
            name,
            each,
            note="" if each is alone or not is_told else _ends(rate, each),
            interval="of all verdicts" if each is alone else scale.interval(each),
            is_told=is_told or each is alone,
            has_line=each is alone or each is people,
        )
        for name, each in shares
    ]
    said = f"{capitalized(rate.name)}: {continued(found.sentence())}"
    if is_told:
        if people.low < people.high:
            level = percent(people.confidence_level)
            said += f" Each interval by itself is a {level} interval, valid however often you look."
        said += (
            f" Agreement beyond chance (Cohen's kappa): {interval_text(Quantity(CohenKappa()), found.kappa)}."
        )
    return {
        "summary": said,
        "columns": [capitalized(rate.name), "Interval", "Value"],
        "rows": rows,
        "whole": scale.at(found.alone),
        "scale": scale.content(),
    }


def _ends(rate: Measure, found: Estimate) -> str:
    if found.low == found.high:
        return "exact"
    return Numbers.of(Quantity(rate), found).interval(found.low, found.high)
