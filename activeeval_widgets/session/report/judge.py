"""What a report says of a judge."""

from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.findings.judge import is_of_judges
from activeeval_widgets.session.findings.sentences import capitalized, continued
from activeeval_widgets.session.pool.groups import has_groups
from activeeval_widgets.stats import CohenKappa, ErrorRate, Estimate
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.quantities import Differences, Quantity
from activeeval_widgets.stats.text import percent

_MOST_GROUPS = 40


def judge_paragraphs(session: Findings, *, level: float) -> list[str]:
    """Whether the judge can be trusted, in a sentence; nothing before the first label."""
    if not session.n_labels or not is_of_judges(session):
        return []
    share = percent(level)
    found = session.judge(confidence_level=level)
    return [
        f"{capitalized(found.measure.name)}: {continued(found.sentence())}",
        f"Each interval by itself is a {share} interval, valid however often you looked, unless it is called "
        "approximate. What the judge by itself says is counted over all verdicts.",
    ]


def judge_rows(session: Findings, *, level: float) -> list[tuple[str, str]]:
    """A row for each number that tells of the judge; nothing before the first label."""
    if not session.n_labels or not is_of_judges(session):
        return []
    found = session.judge(confidence_level=level)
    rate = found.measure
    rows = [
        (f"{capitalized(rate.name)}, by people", interval_text(Quantity(rate), found.people)),
        (f"{capitalized(rate.name)}, by the judge itself", f"{rate.format(found.alone)}%"),
        ("Judge minus people", interval_text(Differences(rate), found.bias)),
        ("Error rate of the judge", interval_text(Quantity(ErrorRate()), found.error_rate)),
        ("Agreement beyond chance, Cohen's kappa", interval_text(Quantity(CohenKappa()), found.kappa)),
    ]
    if has_groups(session.pool.groups):
        groups = session.group_estimates(ErrorRate(), confidence_level=level)
        told = sorted(groups, key=lambda each: -each.n_labels)[:_MOST_GROUPS]
        rows += [
            (
                f"Error rate, {each.group}",
                f"{interval_text(Quantity(ErrorRate()), each.estimate)}; {each.n_labels:,} labels",
            )
            for each in sorted(told, key=lambda each: each.group)
        ]
    return rows


def interval_text(quantity: Quantity, found: Estimate) -> str:
    """A value with its interval, in words."""
    if not found.is_defined:
        return "not known yet"
    numbers = Numbers.of(quantity, found)
    value = numbers.value(found.value)
    if found.withheld:
        return f"{value}. {(found.reason or 'No interval yet').rstrip('.')}"
    if found.low == found.high:
        return f"{value}, exact"
    approximate = " (approximate)" if found.is_asymptotic else ""
    return f"{value}, {numbers.interval(found.low, found.high)}{approximate}"
