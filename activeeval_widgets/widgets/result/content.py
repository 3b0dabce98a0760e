"""The result as the page shows it."""

import re
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from activeeval_widgets.session import Goal, Session, WatchedInterval
from activeeval_widgets.session.findings.estimated_interval import approximate_within
from activeeval_widgets.session.findings.goal_plan import GoalProgress
from activeeval_widgets.session.report.result import Result, model_in_words, result_of
from activeeval_widgets.session.report.spreadsheet import to_csv
from activeeval_widgets.stats.text import NO_BREAK, two_digits
from activeeval_widgets.widgets.evaluation.goal import reached_parts
from activeeval_widgets.widgets.evaluation.interval_bar import interval_bar
from activeeval_widgets.widgets.result.counts import badge, can_lift_budget, cost_text

_UNIFORM = (
    "With uniform sampling and a plain average: estimated from the variance in these labels, for the same "
    "standard error."
)
_PROMISED = "What the {role}'s own probabilities promise, and what the labels show."
_EXPECTED = "What the judges' votes alone would say, and what the labels show."


def result_content(
    session: Session,
    watched: WatchedInterval,
    *,
    goal: Goal | None = None,
    progress: GoalProgress | None = None,
    about: str = "",
    unit: str | None = None,
) -> dict[str, Any]:
    """Return what the page shows of the result, except plot and mistakes."""
    result = result_of(session.findings, watched, unit=unit, goal=goal)
    cost = cost_text(result.n_labels, result.minutes)
    spent = [f"{cost[0]} {cost[1]}."] if result.n_labels else []
    reached = {} if progress is None else reached_parts(session, goal or Goal(), progress)
    copied = [result.answer, result.confidence, *result.caveats, *spent]
    return {
        "badge": badge(session, ", ".join(filter(None, reached.values())) if reached else None),
        "answer": result.answer,
        "confidence": result.confidence,
        "caveats": list(result.caveats),
        "bar": _bar(result, session, watched.whole),
        "figures": _figures(session, result, cost),
        "copy": " ".join(filter(None, [*copied, f"({about})" if about else ""])) if result.n_labels else "",
        "can_lift_budget": can_lift_budget(session),
        "is_whole": True,
    }


def saved_file(session: Session, kind: str, texts: Mapping[str, str | None]) -> dict[str, str]:
    """Return a file that the page offers to save."""
    if kind in ("html", "markdown"):
        end = "html" if kind == "html" else "md"
        return {
            "name": f"{_stem(session, texts['title'])}.{end}",
            "type": f"text/{kind}",
            "text": session.report(kind, **texts),
        }
    # In files the column of ids is called as in those that are read: `sessions answer` takes this one back.
    tables = {
        "labels": lambda: session.labels_table().rename(columns={"instance_id": "id"}),
        "events": session.history,
    }
    if kind not in tables:
        raise ValueError(f"kind must be html, markdown, labels or events, got {kind!r}")
    stem = _stem(session, texts["title"])
    return {"name": f"{stem}-{kind}.csv", "type": "text/csv", "text": to_csv(tables[kind]())}


def _stem(session: Session, title: str | None) -> str:
    """Return a file's name without suffix: the session's name, or for the default name the page's title."""
    if session.name != "default" or title is None:
        return session.name
    return re.sub(r"[\W_]+", "-", title).strip("-").lower() or session.name


def _figures(session: Session, result: Result, cost: Sequence[str]) -> list[dict[str, str]]:
    figures = [{"value": cost[0], "text": cost[1], "title": ""}]
    if result.uniform is not None:
        about = f"≈{NO_BREAK}{two_digits(result.uniform):,}"
        text = "labels by uniform sampling for the same precision"
        figures.append({"value": about, "text": text, "title": _UNIFORM})
    if result.promise is not None:
        promise = result.promise
        is_own = session.models[0].assists
        who = model_in_words(session.findings)
        text = f"{'promised' if is_own else 'expected from the votes'}; {promise.text(who)}"
        title = _PROMISED.format(role=session.models[0].role) if is_own else _EXPECTED
        figures.append({"value": promise.promised, "text": text, "title": title})
    return figures


def _bar(result: Result, session: Session, whole: tuple[float, float]) -> dict[str, Any] | None:
    """Return interval and estimate as positions on a scale, with the numbers at its ends; None if exact."""
    found, numbers = result.estimate, result.numbers
    is_there = found.is_defined and result.confidence and not result.is_exact
    if not is_there or not isfinite(found.high - found.low):
        return None
    quantity, ends = session.question.quantity, (found.low, found.high)
    unit = "" if quantity.repeats_unit else numbers.unit
    within = None if found.is_asymptotic else approximate_within(found)
    first, last = numbers.ends(*ends)
    # The texts are the interval's own ends, not those of the scale.
    return {**interval_bar(quantity, found, ends, whole, within), "ends": [first + unit, last]}
