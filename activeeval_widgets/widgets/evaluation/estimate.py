"""The estimate, in words and numbers."""

from collections.abc import Iterable, Mapping
from math import inf, isfinite
from typing import Any

from activeeval_widgets.formats.option_messages import in_terms_of_files
from activeeval_widgets.session.findings.best_threshold import threshold_sentence
from activeeval_widgets.session.findings.estimated_interval import approximate_within, outside_sentence
from activeeval_widgets.session.findings.goals import decided_values
from activeeval_widgets.session.findings.heavy_tail import before_labels, better_measures, beyond_clip
from activeeval_widgets.session.findings.models import evaluated_in_words, is_scorer
from activeeval_widgets.session.findings.sentences import capitalized
from activeeval_widgets.stats import Estimate
from activeeval_widgets.stats.anytime.limit_conditions import conditions_for
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.quantities import Quantity
from activeeval_widgets.stats.text import percent, pvalue_text
from activeeval_widgets.widgets.evaluation.interval_bar import interval_bar
from activeeval_widgets.widgets.evaluation.panel import Panel
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot
from activeeval_widgets.widgets.wording.progress import left_out, provisional_text, whose_labels

_FIXED = (
    "{interval} interval: valid only for a number of labels fixed in advance. "
    "Stopping when it looks good makes it too optimistic."
)


def estimate_content(
    quantity: Quantity,
    estimate: Estimate,
    *,
    whole: tuple[float, float] | None = None,
    intro: str = "",
    caution: str = "",
    verdict: str = "",
    leader: str = "",
    scorer: str = "",
    approximate_from: float = 0,
    has_labels: bool = False,
    apart: Iterable[float] = (),
) -> dict[str, Any]:
    """Return what the page shows of an estimate: numbers for scripts, words for people."""
    name = quantity.measure.long_name
    title = capitalized(name)
    if scorer:
        title = f"{title} of {scorer}"
    if leader:
        title = f"{title}: {leader}"
    if quantity.sides:
        title = f"{capitalized(name)}: {' minus '.join(quantity.sides)}"
    is_defined = estimate.is_defined
    is_shown = is_defined and not caution
    ends = (estimate.low, estimate.high) if is_shown else (float("nan"), float("nan"))
    finite = [end if isfinite(end) else None for end in ends]
    within = approximate_within(estimate) if is_shown and not estimate.is_asymptotic else None
    approximate = finite if estimate.is_asymptotic else list(within or (None, None))
    possible = quantity.range if whole is None else whole
    numbers = Numbers.of(quantity, estimate, apart=apart)
    value = numbers.value(estimate.value) if is_defined else "–"
    interval = numbers.interval(*ends) if is_shown else ""
    is_uninformative = is_shown and interval == numbers.interval(*possible)
    level = percent(estimate.confidence_level)
    if not is_defined:
        none_yet = "No label counts yet." if has_labels else "No labels yet."
        sentence = "Not defined by the labels so far." if estimate.n_draws else none_yet
    elif caution:
        sentence = caution
    elif is_uninformative:
        sentence = "Too few labels to tell yet."
    else:
        sentence = _confident(estimate, level, interval)
    outside = outside_sentence(estimate) if is_shown else ""
    has_limit = is_shown and quantity.is_smooth
    is_new = not estimate.n_draws and bool(intro)
    spoken = quantity.heading if quantity.sides else capitalized(name)
    return {
        "value": estimate.value if is_defined else None,
        "low": finite[0],
        "high": finite[1],
        "approximate_low": approximate[0],
        "approximate_high": approximate[1],
        "title": title,
        "headline": value,
        "spoken": f"{spoken} {value}. " if is_defined else "",
        "sentence": f"{verdict} {sentence}" if verdict and is_shown else sentence,
        "interval": interval if not is_uninformative else "",
        "approximate": _approximate_text(estimate, within, numbers, approximate_from) if has_limit else "",
        "note": " ".join(filter(None, [outside, _note(estimate), _pvalue(estimate)])),
        "intro": intro if is_new else "",
        "bar": None
        if is_new or not is_defined
        else interval_bar(quantity, estimate, ends, possible, within),
    }  # fmt: skip


def _confident(estimate: Estimate, level: str, interval: str) -> str:
    """Return the interval as a sentence, with its guarantee."""
    is_watched = estimate.interval == "confidence_sequence"
    if is_watched and estimate.low == estimate.value == estimate.high:
        return "Exact: the labels leave nothing open."
    if not is_watched:
        return f"{level} interval: {interval}."
    kind = f"Approximate {level}" if estimate.is_asymptotic else level
    return f"{kind} interval: {interval}, valid however often you look."


def _approximate_text(
    estimate: Estimate, within: tuple[float, float] | None, numbers: Numbers, approximate_from: float
) -> str:
    """Return the approximate interval beside a wider guaranteed one, or when it will be available."""
    is_watched = estimate.interval == "confidence_sequence"
    if not is_watched or estimate.is_asymptotic or estimate.low == estimate.high:
        return ""
    if within is not None:
        text = numbers.interval(*within)
        return (
            "" if text == numbers.interval(estimate.low, estimate.high) else f"Approximate interval: {text}."
        )
    is_inside = estimate.low <= estimate.value <= estimate.high
    if estimate.has_approximate or not is_inside or approximate_from == inf:
        return ""
    if estimate.n_draws < approximate_from:
        return f"Approximate interval: from {approximate_from} labels on."
    return "Approximate interval: needs more labels."


def _note(estimate: Estimate) -> str:
    """Return the caveat of a fixed-n interval, or of an approximate one."""
    if estimate.interval != "confidence_sequence":
        return _FIXED.format(interval=estimate.interval.replace("_", "–").capitalize())
    return estimate.reason if estimate.reason and not estimate.withheld else ""


def _pvalue(estimate: Estimate) -> str:
    """Return the p-value for two models, with the guarantee of its interval."""
    if not isfinite(estimate.pvalue) or not estimate.n_draws or estimate.low == estimate.high:
        return ""
    promise = (
        "however often you look"
        if estimate.interval == "confidence_sequence"
        else "for a number of labels fixed in advance"
    )
    return f"p-value of “no difference”: {pvalue_text(estimate.pvalue)}, valid {promise}."


class EstimatePanel(Panel):
    """The estimate with its interval, in words and as a bar."""

    name = "estimate"
    title = "Estimate"
    kind = "estimate"
    moment = "answer"

    def content(self, snapshot: Snapshot, options: Mapping[str, bool]) -> dict[str, Any]:  # noqa: ARG002
        """See `Panel.content`."""
        session, estimate = snapshot.session, snapshot.estimate
        quantity = session.question.quantity
        has_leader = session.question.is_of_leader and estimate.n_draws > 0
        needed = conditions_for(snapshot.watched.whole, is_replaced=session.draws.is_replaced).n_labels
        is_possible = session.draws.is_replaced or needed <= session.pool.n_instances - session.log.n_excluded
        is_of_scorer = (
            is_scorer(session.models) and not session.question.pairs and session.measure.needs_model
        )
        advice = "" if estimate.n_draws else before_labels(session.findings)
        content = estimate_content(
            quantity,
            estimate,
            whole=snapshot.watched.whole,
            intro=" ".join(filter(None, [snapshot.intro, snapshot.certain_values, advice])),
            verdict=str(snapshot.verdict) if snapshot.verdict and snapshot.goal.threshold != 0 else "",
            leader=session.leaderboard().leading if has_leader else "",
            scorer=evaluated_in_words(session.models) if is_of_scorer else "",
            caution=(estimate.reason or "") if estimate.withheld and estimate.is_defined else "",
            approximate_from=needed if is_possible else inf,
            has_labels=session.n_labels > 0,
            apart=decided_values(session.findings, snapshot.goal),
        )
        provisional = provisional_text(session, Numbers.of(quantity, estimate).value)
        best = threshold_sentence(session.findings)
        notes = [
            "" if content["intro"] else snapshot.certain_values,
            best,
            content["note"],
            whose_labels(session),
            better_measures(session.findings, estimate),
            beyond_clip(session.findings, estimate),
            left_out(session),
            provisional,
        ]
        found = {**content, "note": " ".join(filter(None, notes))}
        if session.pool.is_by_command:
            found |= {name: in_terms_of_files(found[name]) for name in ("sentence", "note", "intro")}
        return found
