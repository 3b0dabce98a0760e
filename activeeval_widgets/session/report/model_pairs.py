"""The sections of a report about pairs of models."""

from itertools import combinations

from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.findings.leaderboard import better_of, side_of
from activeeval_widgets.session.findings.pairs import best_two
from activeeval_widgets.session.findings.sentences import capitalized
from activeeval_widgets.session.findings.who_was_right import WhoWasRight
from activeeval_widgets.stats import Accuracy, Estimate
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.quantities import Differences, Quantity
from activeeval_widgets.stats.text import counted, noun_for, percent

_MAX_IN_PAIRS = 5
"""The maximum number of models for which all pairs are listed; else those with the best so far."""


def sentences_of(session: Findings, findings: Findings) -> list[str]:
    """Return sentences about two models: how often they differ, and which was right."""
    question, level = session.question, session.confidence_level
    found = findings.who_was_right(confidence_level=question.level_of_pairs(level))
    at_once = f"all {len(question.pairs)} pairs" if question.is_of_leader else "both"
    return differing_sentences(
        found, session.pool.noun, kind=findings.models[0].kind, level=level, at_once=at_once
    )


def differing_paragraphs(session: Findings) -> list[str]:
    """Return a paragraph on where two models, or the two at the top of more, differ; none before a label."""
    if not session.question.pairs or session.measure.is_of_systems or not session.n_labels:
        return []
    first, second = best_two(session)
    text = " ".join(sentences_of(session, session.of(first, second)))
    if not session.question.is_of_leader:
        return [text]
    names = session.question.names
    return [f"At the top are {names[first]} and {names[second]}. {text}"]


def pair_paragraphs(session: Findings) -> list[str]:
    """Return a paragraph about the differences of more than two models; none before the first label."""
    question = session.question
    if not question.is_of_leader or not session.n_labels:
        return []
    which = "" if len(question.names) <= _MAX_IN_PAIRS else " Listed are those with the model at the top."
    holds = f" These are {percent(session.confidence_level)} intervals for all {len(question.pairs)} pairs"
    holds = "" if session.log.is_complete else f"{holds} at once, valid however often you looked."
    return [
        f"{capitalized(session.measure.name)} of the first model minus that of the second, from the labels "
        f"where they differ.{holds}{which}"
    ]


def pair_rows(session: Findings, *, unit: str | None = None) -> list[tuple[str, str]]:
    """Return a row for each pair of more than two models; for many models, those with the best so far."""
    names = session.question.names
    if not session.question.is_of_leader or not session.n_labels:
        return []
    first, *others = order = [each.position for each in session.leaderboard().models]
    pairs = [(first, each) for each in others]
    if len(names) <= _MAX_IN_PAIRS:
        pairs = list(combinations(order, 2))
    rows = []
    for pair in pairs:
        found = session.pair_estimate(*pair)
        one, other = (names[position] for position in pair)
        rows.append((f"{one} \N{MINUS SIGN} {other}", _difference(session, found, (one, other), unit)))
    return rows


def _difference(session: Findings, found: Estimate, names: tuple[str, str], unit: str | None) -> str:
    if not found.is_defined:
        return "not known yet"
    numbers = Numbers.of(Differences(session.measure), found, unit=unit)
    value = numbers.value(found.value)
    if found.withheld:
        return value
    better = better_of(side_of(found.low, found.high), session.measure)
    undecided = "not decided" if found.low < found.high else "as good"
    verdict = undecided if better is None else f"{names[better]} is better"
    return f"{value}, {numbers.interval_or_exact(found)}; {verdict}"


def differing_sentences(
    found: WhoWasRight, noun: str, *, kind: str, level: float, at_once: str = "both"
) -> list[str]:
    """Return sentences on how often two models differ, and which was right there."""
    first, second = found.models
    what = {"class": "different classes", "value": "different numbers", "ranking": "different lists"}[kind]
    sentences = [f"The two predict {what} for {found.n_differing:,} of {counted(found.n_instances, noun)}."]
    if not found.n_differing:
        n = found.n_instances
        whole = f"the only {noun_for(1, noun)}" if n == 1 else f"all {n:,} {noun}"
        return [f"The two predict the same for {whole}."]
    if not found.n_labels:
        return [*sentences, "None of these has a label yet."]
    right = "was right" if kind == "class" else "was better"
    counts = [f"{first} {right} on {found.n_first:,}", f"{second} on {found.n_second:,}"]
    if found.n_both:
        counts.append(f"both on {found.n_both:,}")
    if kind == "class" and not found.is_one_right:
        counts.append(f"neither on {found.n_neither:,}")
    elif found.n_neither:
        counts.append(f"both were as good on {found.n_neither:,}")
    n = found.n_labels
    labels = "1 of these has a label" if n == 1 else f"{n:,} of these have labels"
    sentences.append(f"{labels}: {', '.join(counts)}.")
    if found.shares is not None and found.n_differing > 1 and all(share.is_defined for share in found.shares):
        shares = [_share(share) for share in found.shares]
        of_all = "" if found.is_one_right and at_once == "both" else f" for {at_once} at once"
        holds = f" These are {percent(level)} intervals{of_all}, valid however often you look."
        if found.is_one_right:
            holds = f" This is a {percent(level)} interval{of_all}, valid however often you look."
        if _is_known(found.shares):
            holds = ""
        known = "" if _is_known(found.shares) else "an estimated "
        all_of = f"Of all {found.n_differing:,}"
        other = "the others" if found.is_one_right else shares[1]
        sentences.append(f"{all_of}, {first} is right on {known}{shares[0]}, {second} on {other}.{holds}")
    return sentences


def _is_known(shares: tuple[Estimate, Estimate]) -> bool:
    return all(share.low == share.high for share in shares)


def _share(found: Estimate) -> str:
    numbers = Numbers.of(Quantity(Accuracy()), found)
    if found.low == found.high:
        return numbers.value(found.value)
    return f"{numbers.value(found.value)} ({numbers.interval(found.low, found.high)})"
