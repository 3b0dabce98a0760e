"""The report of a session as Markdown or HTML."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from math import isfinite

import numpy as np

from activeeval_widgets._version import __version__
from activeeval_widgets.session.findings.each_model import covers_each_model
from activeeval_widgets.session.findings.estimated_interval import approximate_within
from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.findings.goals import Goal, decided_values
from activeeval_widgets.session.findings.leaderboard import Leaderboard
from activeeval_widgets.session.findings.models import (
    evaluated_in_words,
    is_scorer,
    predictions_in_words,
)
from activeeval_widgets.session.findings.sentences import begun, capitalized
from activeeval_widgets.session.findings.shown import shown_findings
from activeeval_widgets.session.findings.verdict import declared_text
from activeeval_widgets.session.findings.watched_interval import WatchedInterval
from activeeval_widgets.session.log.events import (
    Adjudicated,
    Changed,
    Excluded,
    Labeled,
    Undone,
)
from activeeval_widgets.session.log.people import BEFORE
from activeeval_widgets.session.report.content import Report, Section
from activeeval_widgets.session.report.goal_text import goal_text
from activeeval_widgets.session.report.html import as_html
from activeeval_widgets.session.report.markdown import as_markdown
from activeeval_widgets.session.report.method import method_of
from activeeval_widgets.session.report.model_pairs import differing_paragraphs, pair_paragraphs, pair_rows
from activeeval_widgets.session.report.plot import estimate_figure
from activeeval_widgets.session.report.result import Result, model_in_words, result_of
from activeeval_widgets.session.report.session_hash import session_hash
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_option
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.quantities import Differences, Quantity
from activeeval_widgets.stats.text import (
    counted,
    duration,
    number,
    percent,
    pvalue_text,
    significant,
    two_digits,
)

FORMATS = ("markdown", "html")


def report(
    session: Findings,
    watched: WatchedInterval | None = None,
    *,
    format: str = "markdown",  # noqa: A002 - the usual name
    title: str | None = None,
    question: str | None = None,
    unit: str | None = None,
    agreement: Sequence[str] = (),
    goal: Goal | None = None,
) -> str:
    """Return a report of results and methods.

    Parameters
    ----------
    format : {"markdown", "html"}
        "html" is a self-contained page with a plot.
    title : str, optional
        The heading.
    question : str, optional
        The question about each instance.
    unit : str, optional
        The unit of labels that are numbers.

    Returns
    -------
    str
        The report, which is the same for the same session.

    Raises
    ------
    ValueError
        If the format is invalid.

    See Also
    --------
    labels_table, history : Labels and events as tables.

    Examples
    --------
    >>> while session.next() is not None:
    ...     event = session.label(0)
    >>> print(session.report().splitlines()[0])
    # Error rate: session default
    """
    check_option("format", format, FORMATS)
    watched = session.watched() if watched is None else watched
    result = result_of(session, watched, unit=unit, goal=goal)
    shown = {
        name: Section(
            each.heading or each.title,
            paragraphs=each.paragraphs(session),
            rows=each.rows(session, unit),
        )
        for name, each in shown_findings().items()
        if each.is_there(session)
    }
    nothing = Section("")
    sections = [
        Section("In numbers", rows=_numbers(session, result, goal)),
        Section("Models", paragraphs=_of_models(session), rows=_models(session, unit, goal)),
        Section(
            "Pairs of models",
            paragraphs=pair_paragraphs(session),
            rows=pair_rows(session, unit=unit),
        ),
        shown.get("groups", nothing),
        Section(
            "Where the models differ",
            paragraphs=differing_paragraphs(session),
        ),
        shown.get("judge", nothing),
        Section("How it was measured", paragraphs=method_of(session, watched)),
        Section("Who labeled", rows=_people(session)),
        Section("Agreement", paragraphs=list(agreement)),
        Section(
            _trials_heading(session),
            items=_trials(session),
        ),
        shown.get("calibration", nothing),
        *(part for name, part in shown.items() if name not in ("groups", "judge", "calibration")),
        Section("Left out", items=_left_out(session)),
        Section("Notes", items=_notes(session)),
        Section("For checking", rows=_origin(session)),
    ]
    threshold = None if goal is None else goal.threshold
    if session.question.asked_by(threshold) == "leader":
        threshold = None  # the goal is to find the best model
    plot, caption = "", ""
    if format == "html":
        plot, caption = estimate_figure(session, watched, unit=unit, threshold=threshold)
    content = Report(
        title=_title(session) if title is None else title,
        subtitle=_subtitle(session),
        question=_question(session, question),
        answer=result.answer,
        confidence=result.confidence,
        caveats=result.caveats,
        plot=plot,
        caption=caption,
        sections=[part for part in sections if part.paragraphs or part.rows or part.items],
    )
    return as_html(content) if format == "html" else as_markdown(content)


def _title(session: Findings) -> str:
    what = session.measure.name
    if session.measure.needs_model and not session.question.pairs and is_scorer(session.models):
        what = f"{what} of {evaluated_in_words(session.models)}"
    return f"{capitalized(what)}: session {session.name}"


def _subtitle(session: Findings) -> str:
    """Return the days of labeling and the number of labels."""
    days = [_day(action.time) for action in (session.log.actions[:1] + session.log.actions[-1:])]
    when = "" if not days else days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
    n = session.n_labels
    return " · ".join(filter(None, [when, counted(n, "labels")]))


def _day(time: str) -> str:
    day = datetime.fromisoformat(time)
    return f"{day:%B} {day.day}, {day.year}"


def _question(session: Findings, asked: str | None) -> str:
    pool = counted(session.pool.n_instances, session.pool.noun)
    names = session.question.names
    if len(names) > 2:
        text = f"Which model has the best {session.measure.name} on {pool}: {', '.join(names)}?"
    elif len(names) == 2:
        text = f"Which model has the better {session.measure.name} on {pool}: {names[0]} or {names[1]}?"
    elif session.measure.needs_model:
        text = f"What is the {session.measure.name} of {evaluated_in_words(session.models)} on {pool}?"
    else:
        text = f"What is the {session.measure.name} among {pool}?"
    return f"{text} Asked about each: “{asked}”" if asked else text


def _numbers(session: Findings, result: Result, goal: Goal | None) -> list[tuple[str, str]]:
    rows = _result_rows(session, result) if result.estimate.is_defined else []
    if goal is not None and goal != Goal():
        rows.append(("Goal", goal_text(session, goal, result.numbers.label_unit)))
    n_changes = sum(isinstance(each, Changed) and not each.was_asked for each in session.log.actions)
    n_undone = sum(isinstance(event, Undone) for event in session.log)
    n_draws = session.estimate().n_draws
    draws = "" if n_draws == session.n_labels else f" for {counted(n_draws, 'draws')}"
    pool = counted(session.pool.n_instances, session.pool.noun)
    labels = [f"{session.n_labels:,} of {pool}{draws}"]
    counts = {
        "carried over" if session.log.state.carried else "known before": session.log.n_known_before,
        "excluded": session.log.n_excluded,
        "put aside": session.log.n_deferred,
        "changed": n_changes,
        "undone": n_undone,
    }
    labels += [f"{n:,} {what}" for what, n in counts.items() if n]
    rows.append(("Labels", "; ".join(labels)))
    if session.log.minutes is not None and session.log.seconds_per_label is not None:
        usual = "about" if session.log.state.label_seconds()[1] else "median"
        seconds = significant(session.log.seconds_per_label, 2)
        rows.append(
            (
                "Time",
                f"{duration(60 * session.log.minutes)}; "
                f"{usual} {seconds} {'second' if seconds == '1' else 'seconds'} a label",
            )
        )
    if result.uniform is not None:
        without = predictions_in_words(session.models)
        rows.append(
            (
                "Uniform sampling instead",
                f"about {two_digits(result.uniform):,} labels for the same standard error: estimated from "
                f"the variance in these labels, for a plain average without {without}",
            )
        )
    if result.promise is not None:
        promise, who = result.promise, model_in_words(session)
        by = f"Promised by {who}" if session.models[0].assists else "Expected from the votes"
        rows.append((by, f"{promise.promised}; {promise.text(who)}"))
    return rows


def _result_rows(session: Findings, result: Result) -> list[tuple[str, str]]:
    found, numbers = result.estimate, result.numbers
    question = session.question
    what = capitalized(question.quantity.name)
    if question.is_of_leader:
        what = f"{what} of {session.leader().question.names[0]}"
    if question.quantity.sides:
        what = f"{what}, {' − '.join(question.quantity.sides)}"
    error = ""
    if isfinite(found.standard_error) and found.standard_error > 0:
        own = Numbers(Differences(session.measure), found.standard_error, unit=numbers.label_unit)
        error = f" (standard error {own.size(found.standard_error)})"
    at_once = " (for all models at once)" if question.is_of_leader else ""
    level = f"{percent(found.confidence_level)} interval{at_once}"
    rows = [(what, numbers.value(found.value) + error)]
    limit = "approximate: valid however often you look, in the limit of many labels"
    kind = limit if found.is_asymptotic else "guaranteed: valid however often you look"
    if found.withheld:
        rows.append((level, str(found.reason)))
    elif not result.is_exact:
        rows.append((level, f"{numbers.interval(found.low, found.high)}; {kind}"))
        within = None if found.is_asymptotic else approximate_within(found)
        if within is not None:
            rows.append((level, f"{numbers.interval(*within)}; {limit}"))
        elif found.approximate_reason and not found.is_asymptotic:
            rows.append((f"{level}, approximate", found.approximate_reason))
        wald = session.estimate(interval="wald", confidence_level=found.confidence_level)
        ends = numbers.interval(wald.low, wald.high, in_own_digits=False)
        text = f"{ends}; valid only for a number of labels fixed in advance"
        rows.append((f"{level}, Wald", f"{text}. {wald.reason}" if wald.reason else text))
    if isfinite(found.pvalue) and not result.is_exact:
        text = f"{pvalue_text(found.pvalue)}; valid however often you look"
        rows.append(("p-value for no difference", text))
    if session.log.declared_margins:
        text = "; then ".join(
            declared_text(session.measure, each, numbers.label_unit) for each in session.log.declared_margins
        )
        rows.append(
            (
                "Margin below which a difference doesn't matter",
                f"{text}. It may be set at any time: the interval holds at every number of labels at once",
            )
        )
    return rows


def _of_models(session: Findings) -> list[str]:
    """Return a paragraph about the values of several models."""
    if not session.question.pairs or not session.n_labels:
        return []
    board = _leaderboard(session)
    if board is None:
        return ["Draws were made only where the models differ: they don't show each model's own value."]
    text = "Each model, from the same labels."
    if any(each.estimate.low < each.estimate.high for each in board.models):
        text += f" These are {percent(session.confidence_level)} intervals for all models at once."
    return [f"{text} {board.pairwise_note}".strip()]


def _leaderboard(session: Findings) -> Leaderboard | None:
    """Return the leaderboard; None if a fixed q never draws instances that single models need."""
    return session.leaderboard() if covers_each_model(session) else None


def _models(session: Findings, unit: str | None, goal: Goal | None) -> list[tuple[str, str]]:
    """Return a row for each of several models: its value, and whether it may be the best."""
    if not session.question.pairs or not session.n_labels:
        return []
    rows: list[tuple[str, str]] = []
    board = _leaderboard(session)
    if board is None:
        return rows
    best = "the best" if session.question.is_of_leader else session.question.best
    for each in board.models:
        found = each.estimate
        if not found.is_defined:
            rows.append((each.name, "not defined yet"))
            continue
        apart = decided_values(session, goal) if session.question.is_of_leader else ()
        numbers = Numbers.of(Quantity(session.measure), found, unit=unit, apart=apart)
        ends = "" if found.withheld else f", {numbers.interval_or_exact(found)}"
        verdict = each.verdict or (best if each.name == board.best else f"may be {best}")
        rows.append((each.name, f"{numbers.value(found.value)}{ends}; {verdict}"))
    return rows


def _trials_heading(session: Findings) -> str:
    if not session.models[0].assists:
        return "What the votes expected"
    if session.question.pairs:
        return "The models' own probabilities"
    return f"The {session.models[0].role}'s own probabilities"


def _trials(session: Findings) -> list[str]:
    own = {"over_confident": "overconfident", "under_confident": "underconfident"}
    of_votes = {"over_confident": "they expected too few", "under_confident": "they expected too many"}
    lines = []
    for model, name, trial in zip(session.models, session.question.names, session.trials(), strict=True):
        if trial is None or not trial.n_labels:
            continue
        verdicts = own if model.assists else of_votes
        who = name
        if not model.assists and (session.measure.is_of_systems or not model.name):
            who = f"the votes on {name}" if session.measure.is_of_systems else "the votes"
        verdict = verdicts.get(trial.verdict(session.confidence_level) or "", "no evidence against them")
        expected, seen = number(trial.n_expected, 1), number(trial.n_observed, 1, trims=True)
        lines.append(
            f"{begun(who, [name])}: {expected} {trial.kind.replace('_', ' ')} expected, {seen} seen; "
            f"{verdict} (p-value {pvalue_text(trial.pvalue_of_both)}, valid however often you look)"
        )
        n_waiting = session.n_labels - trial.n_labels
        if n_waiting:
            wait, them = ("waits", "it") if n_waiting == 1 else ("wait", "them")
            waiting = f"{counted(n_waiting, 'labels')} {wait}"
            lines[-1] += f"; {waiting} for an instance that was put aside before {them}"
    return lines


def _people(session: Findings) -> list[tuple[str, str]]:
    """Return a row for each person with their counts; none if nobody is named."""
    labels = Counter(action.who for action in session.log.actions if isinstance(action, Labeled | Excluded))
    opinions = Counter(event.who for event in session.log.state.people.opinion_events)
    decisions = Counter(action.who for action in session.log.actions if isinstance(action, Adjudicated))
    people = dict.fromkeys([*labels, *opinions, *decisions])
    if not any(people):
        return []
    rows = []
    for who in people:
        done = (
            (labels, "answer", "answers"),
            (opinions, "second opinion", "second opinions"),
            (decisions, "disagreement decided", "disagreements decided"),
        )
        parts = [f"{n[who]:,} {one if n[who] == 1 else many}" for n, one, many in done if n[who]]
        name = "carried over" if who == BEFORE and session.log.state.carried else who or "not named"
        rows.append((name, ", ".join(parts)))
    return rows


def _left_out(session: Findings) -> list[str]:
    excluded = [action for action in session.log.actions if isinstance(action, Excluded)]
    return [f"{action.instance_id}: {action.reason or 'no reason given'}" for action in excluded]


def _notes(session: Findings) -> list[str]:
    marked = sorted(session.log.flags | session.log.notes.keys())
    return [
        f"{session.pool.ids[i]}{' (flagged)' if i in session.log.flags else ''}"
        f"{': ' if i in session.log.notes else ''}{session.log.notes.get(i, '')}"
        for i in marked
    ]


def _origin(session: Findings) -> list[tuple[str, str]]:
    """Return rows with what is needed to reproduce the session."""
    share = (
        "decreases as labels come in" if session.draws.defensive is None else f"{session.draws.defensive:g}"
    )
    rows = [
        ("Session", session.name),
        ("Draws", f"protocol {session.draws.protocol}, seed {session.seed}"),
        ("Share of uniform draws", share),
        *_weights(session),
    ]
    if session.y_range is not None:
        rows.append(("Range of labels", "from " + " to ".join(map(significant, session.y_range))))
    n_differing = session.draws.n_of_other_version()
    if n_differing:
        rows.append(("Draw rule", differing_text(n_differing)))
    if session.pool.costs is not None:
        rows.append(("Costs", "draws take the instances' costs into account"))
    for name, digest in session.pool.fingerprints.items():
        # Prefixes suffice for comparison by eye, as the session's hash covers all digests.
        rows.append((f"Fingerprint of {name}", re.sub(r"[0-9a-f]{64}", lambda found: found[0][:16], digest)))
    rows.append(("SHA-256 of the session", session_hash(session)))
    rows.append(("Made by", f"activeeval-widgets {__version__}"))
    return rows


def differing_text(n_draws: int) -> str:
    """Return a sentence about draws that another version's rule made."""
    which = "1 draw was" if n_draws == 1 else f"{n_draws:,} draws were"
    return (
        f"{which} made by another version's rule. The probabilities stored then are used; the interval is "
        "valid, and somewhat wider."
    )


def _weights(session: Findings) -> list[tuple[str, str]]:
    if not session.draws.is_replaced:
        numbers, q = session.draws.drawn()
        weights = 1 / (np.array([session.draws.n_left(number) for number in numbers.tolist()]) * q)
        if not weights.size:
            return []
        return [(f"Weights p/q of the {counted(weights.size, 'draws')} answered", _extent(weights))]
    weights = 1 / (session.pool.n_instances * session.q[session.q > 0])
    rows = [("Weights p/q that a draw can have", _extent(weights))]
    never = int(np.count_nonzero(session.q == 0))
    if never:
        rows.append(
            ("Never drawn, as their labels do not count for the measure", counted(never, "instances"))
        )
    return rows


def _extent(weights: FloatArray) -> str:
    return " to ".join(dict.fromkeys(f"{end:.3g}" for end in (weights.min(), weights.max())))
