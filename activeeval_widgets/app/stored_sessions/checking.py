"""Check whether a stored session meets a requirement; write text, data, JUnit's XML and Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import click

from activeeval_widgets.app.printable import printable
from activeeval_widgets.app.stored_sessions.find_session import open_to_read
from activeeval_widgets.formats.goal_text import amount_in
from activeeval_widgets.session import Session
from activeeval_widgets.session.findings.estimation import suitable_measure
from activeeval_widgets.session.findings.excluded_counted import COVERS, HOLDS_IF
from activeeval_widgets.session.findings.requirement import (
    Requirement,
    require_better,
    require_better_session,
    require_no_drop,
    require_value,
)
from activeeval_widgets.session.report.markdown import plain
from activeeval_widgets.session.report.result import waiting
from activeeval_widgets.stats import Measure, Plan
from activeeval_widgets.stats.measures.chosen_measure import as_measure
from activeeval_widgets.stats.text import from_percent, percent
from activeeval_widgets.widgets.evaluation.goal import plan_text

ANSWERS = {True: ("Yes", 0), False: ("No", 1), None: ("Not yet", 3)}
"""The answers, each with its exit status."""

FAILED = 2
"""The exit status if nothing could be checked."""

_NOT_DECIDED = (
    "Only a guaranteed interval decides, and that of this measure is approximate: ask for another --measure, "
    "or label everything."
)
_GIVE_RANGE = "It is guaranteed in a session begun with --y-range, the smallest and the largest label."
_ONE_SESSION = "One session on both models asks where they differ, and takes fewer labels (serve --compare)."

_COMPLEMENTS = {"error rate": "accuracy", "accuracy": "error-rate"}
"""Measures that are better the other way round, by name: one is 1 minus the other."""


@dataclass(frozen=True)
class Condition:
    """A requirement: one of `at_least`, `at_most`, `better_than` and `since`, with its options."""

    at_least: str | None = None
    at_most: str | None = None
    better_than: str | None = None
    since: str | None = None
    margin: str | None = None
    measure: str | None = None
    positive: str | None = None
    confidence_level: float | None = None


@dataclass(frozen=True)
class CheckAnswer:
    """The answer: its headline, the lines that explain it, and its exit status."""

    name: str
    headline: str
    lines: tuple[str, ...]
    status: int
    data: dict[str, Any]

    @classmethod
    def failed(cls, name: str, message: str) -> CheckAnswer:
        """Make the answer that nothing could be checked, with the reason."""
        return cls(name, f"Not checked: {message}", (), FAILED, {})


def check(name: str, store: str | None, sources: Sequence[str], asked: Condition) -> CheckAnswer:
    """Check whether a session meets a requirement."""
    own, its = (*sources, None, None)[:2]
    session = open_to_read(store, name, own)
    findings, level = session.findings, asked.confidence_level
    given = _given_measure(session, asked)
    measure = suitable_measure(findings, given)
    if asked.since is not None:
        margin = None if asked.margin is None else _number(asked.margin, "margin", measure)
        return _checked([session], require_no_drop(findings, asked.since, margin=margin))
    if asked.better_than is None:
        is_most = asked.at_most is not None
        bound = _checked_bound(session, measure, asked, is_most=is_most)
        found = require_value(findings, bound, is_most=is_most, measure=measure, confidence_level=level)
        return _checked([session], found)
    old, margin = asked.better_than, None
    if asked.margin is not None:
        margin = _number(asked.margin, "margin", measure)
    if session.question.pairs:
        found = require_better(findings, old, margin=margin, measure=measure, confidence_level=level)
        return _checked([session], found)
    other = _other_session(session, store, old, its)
    found = require_better_session(
        findings, other.findings, margin=margin, measure=given, confidence_level=level
    )
    return _checked([session, other], found)


def _given_measure(session: Session, asked: Condition) -> Measure | None:
    """Return the named measure, with the session's class of interest unless another one is given."""
    if asked.measure is None:
        return None
    return as_measure(
        asked.measure,
        asked.positive,
        None if session.pool.is_open else session.models,
        default_positive=session.measure.positive,
        is_by_command=True,
    )


def _checked_bound(session: Session, measure: Measure, asked: Condition, *, is_most: bool) -> float:
    """Return the bound; refuse one that does not fit the session or the measure's direction."""
    option = f"at-{'most' if is_most else 'least'}"
    if session.question.pairs:
        names = list(map(printable, session.question.names))
        remedy = (
            "ask --better-than one of them" if len(names) == 2 else "begin a session of one or two of them"
        )
        raise click.UsageError(
            f"--{option} is about one model, and this session compares {', '.join(names)}: {remedy}"
        )
    # Whether a share should be large depends on the label.
    if measure.needs_model and is_most == measure.greater_is_better:
        better, right = ("greater", "least") if is_most else ("smaller", "most")
        other = _COMPLEMENTS.get(measure.name)
        or_ask = "" if other is None else f", or add --measure {other}"
        raise click.UsageError(f"The {better} the {measure.name} the better: ask --at-{right}{or_ask}.")
    return _number(str(asked.at_most if is_most else asked.at_least), option, measure)


def _number(text: str, option: str, measure: Measure) -> float:
    """Parse a number: 0.9, 90% or 0,9."""
    amount = amount_in(text)
    if amount is None or amount[1] not in ("", "percent", "points" if option == "margin" else "percent"):
        raise click.BadParameter(
            f"{text!r} is not a number: write it as 0.9 or 90%.", param_hint=f"--{option}"
        )
    number, unit = amount
    if not unit:
        return number
    if max(map(abs, measure.value_range)) > 1:
        raise click.BadParameter(
            f"{text!r} is a percentage, and the {measure.name} is none: write the number itself.",
            param_hint=f"--{option}",
        )
    return from_percent(number)


def _other_session(session: Session, store: str | None, name: str, source: str | None) -> Session:
    """Return the session to compare with; refuse the same one, or one on another pool."""
    if name == session.name:
        raise click.UsageError(f"--better-than {printable(name)!r} is the session itself: name another one")
    other = open_to_read(store, name, source)
    own, its = session.storage.identity, other.storage.identity
    differing = [key for key in ("instances", "ids") if own[key] != its[key]]
    if differing:
        raise click.UsageError(
            f"{printable(session.name)!r} and {printable(name)!r} are about different "
            f"{' and '.join(differing)}, so their values don't say which model is better. Evaluate both "
            "models on one file: serve FILE --compare NEW,OLD"
        )
    return other


def _checked(sessions: list[Session], found: Requirement) -> CheckAnswer:
    word, status = ANSWERS[found.is_met]
    estimate, session = found.estimate, sessions[0]
    measure = session.measure if estimate.quantity is None else estimate.quantity.measure
    sentence = found.contrary if found.is_met is False else found.claim
    lines = []
    if not estimate.n_labels:
        lines.append(f"No labels yet{' in one of the sessions' if len(sessions) > 1 else ''}.")
    elif estimate.is_defined:
        level = percent(estimate.confidence_level)
        sure = "" if estimate.withheld else f" {level} interval, valid however often it is checked."
        lines.append(f"{estimate}.{sure}")
    else:
        lines.append(f"The {measure.name} is not defined by the labels so far.")
    if found.is_met is None:
        lines += _remedies(sessions, found, measure)
    for each in sessions:
        begin = f"{each.name}: " if len(sessions) > 1 else ""
        excluded = [f"{COVERS.format(n=n)} {HOLDS_IF}"] if (n := each.log.n_excluded) else []
        lines += [begin + sentence for sentence in [*waiting(each.findings), *excluded]]
    plans = [plan for plan in found.plans if isfinite(plan.n_labels)]
    is_planned = bool(plans) and len(plans) == len(found.plans)
    printed = tuple(map(printable, lines))
    data = {
        "answer": word.lower(),
        "exit_status": status,
        "session": session.name,
        "requirement": found.claim,
        **{key: _finite(getattr(estimate, key)) for key in ("value", "low", "high", "confidence_level")},
        "is_approximate": estimate.is_asymptotic,
        "n_labels": estimate.n_labels,
        "n_excluded": estimate.n_excluded,
        "more_labels": sum(int(plan.n_labels) for plan in plans) if is_planned else None,
        "lines": printed,
    }
    headline = (
        f"{word}: {sentence}." if found.is_met is not None else f"{word}: it is not known whether {sentence}."
    )
    return CheckAnswer(session.name, printable(headline), printed, status, data)


def _remedies(sessions: list[Session], found: Requirement, measure: Measure) -> list[str]:
    """Return sentences on what it takes to get an answer."""
    if found.estimate.is_asymptotic:
        needs_range = measure.needs_range and sessions[0].y_range is None
        return [
            " ".join(filter(None, [_NOT_DECIDED, found.estimate.reason, _GIVE_RANGE if needs_range else ""]))
        ]
    if found.remedy:
        return [found.remedy]
    begins = [f"{session.name}:" for session in sessions] if len(sessions) > 1 else [""]
    lines = [
        f"{begin} {_more_labels(session, plan)}.".strip()
        for session, plan, begin in zip(sessions, found.plans, begins, strict=False)
        if plan.n_labels != 0
    ]
    return [*lines, _ONE_SESSION] if len(sessions) > 1 else lines


def _more_labels(session: Session, plan: Plan) -> str:
    if session.n_labels and not isfinite(plan.n_labels):
        return "It is not known yet how many more labels it takes"
    return plan_text(session, plan, session.log.seconds_per_label, "").strip()


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


def write_junit(path: Path, checked: CheckAnswer) -> None:
    """Write the answer as the result of one test; "not yet" skips it."""
    suites = ElementTree.Element("testsuites")
    kinds = {1: "failure", 3: "skipped", FAILED: "error"}
    counts = {"failures": "failure", "skipped": "skipped", "errors": "error"}
    kind = kinds.get(checked.status)
    numbers = {name: str(int(kind == each)) for name, each in counts.items()}
    suite = ElementTree.SubElement(
        suites, "testsuite", {"name": "activeeval-widgets", "tests": "1", **numbers}
    )
    test = ElementTree.SubElement(
        suite,
        "testcase",
        classname="activeeval-widgets",
        name=f"{printable(checked.name)}: {printable(checked.data.get('requirement', 'check'))}",
    )
    text = "\n".join([checked.headline, *checked.lines])
    if kind is None:
        ElementTree.SubElement(test, "system-out").text = text
    else:
        ElementTree.SubElement(test, kind, message=checked.headline).text = text
    ElementTree.ElementTree(suites).write(path, encoding="utf-8", xml_declaration=True)


def append_summary(path: Path, checked: CheckAnswer) -> None:
    """Append the answer as Markdown."""
    title = f"### {plain(printable(checked.name))}\n\n**{plain(checked.headline)}**\n"
    with path.open("a", encoding="utf-8") as file:
        file.write("\n" + title + "".join(f"\n{plain(line)}\n" for line in checked.lines))
