"""The progress of a session, and what is left out, in words."""

from collections.abc import Callable
from math import inf, isfinite
from statistics import median
from typing import Any

from activeeval_widgets.session import Session
from activeeval_widgets.session.findings.excluded_counted import excluded_text
from activeeval_widgets.session.log.events import Action, GaveOpinion, Undone
from activeeval_widgets.session.report.result import not_counted_text, put_aside_text
from activeeval_widgets.stats import Plan
from activeeval_widgets.stats.text import NO_BREAK, counted, significant, two_digits


def progress_content(session: Session, n_draws: int) -> dict[str, Any]:
    """Return what the page shows of the progress: a text, and the share of the budget (None without one)."""
    n_known, state = session.log.n_known_before, session.log.state
    n_labels = session.log.n_labels - n_known
    seconds = session.log.seconds_per_label
    own, budget = own_progress(session), session.budget
    if budget is None:
        parts = [counted(n_labels, "labels")]
    else:
        parts = [f"{n_labels:,} of {counted(budget, 'labels')}"]
    if own:
        parts.insert(0, own)
    if state.went_on:
        parts.append(f"{state.went_on[-1].n_labels:,} before votes changed")
    if state.carried:
        parts.append(f"{n_known:,} of {len(state.carried):,} carried over")
    elif n_known:
        is_graded = session.labels.kind == "grades"
        parts.append(f"{counted(n_known, 'queries')} judged before" if is_graded else f"{n_known:,} before")
    parts += judged_results_text(session)
    # With replacement, a labeled instance can be drawn again.
    if n_draws > n_labels + n_known:
        parts.append(counted(n_draws, "draws"))
    if seconds is not None:
        parts.append(f"{significant(seconds, 2)}{NO_BREAK}s each")
    return {
        "text": " · ".join(parts),
        "share": None if budget is None else n_labels / budget,
    }


def judged_results_text(session: Session) -> list[str]:
    """Return the number of judged results in words, if lists are merged or some were judged before."""
    counts = session.log.judged_results()
    if counts is None or not (session.question.pairs or counts[2]):
        return []
    n_judged, n_results, n_before = counts
    before = f", {n_before:,} of them before" if n_before else ""
    return [f"{n_judged:,} of {n_results:,} results judged{before}"]


def done_text(session: Session) -> str:
    """Return the text for the end of a session or of a person's part."""
    if session.people.n_with_others:
        return "Nothing for you right now: others have the last items. Thank you!"
    return f"All done: {counted(session.n_labels, 'labels')}. Thank you!"


def own_progress(session: Session) -> str:
    """Return what the present labeler has done, if others label, too."""
    who = session.people.who
    if who is None:
        return ""
    people = session.people.all()
    mine = next((person for person in people if person.who == who), None)
    if mine is None or len(people) < 2:
        return ""
    return f"you {mine.n_labels + mine.n_opinions:,}"


def plain_text(label: Any, index: int) -> str:  # noqa: ARG001
    """Return a label as a string."""
    return str(label)


def status_text(session: Session, label_text: Callable[[Any, int], str] = plain_text) -> str:
    """Return the last answer, or the one undone since, and what is pending or left out."""
    parts = []
    last, undone = session.revisions.last_action, _just_undone(session)
    if undone is not None:
        assignment = session.log.state.assignments.get(undone.instance)
        was_on_sheet = assignment is not None and assignment.sheet
        parts = [f"Undone: {'the sheet' if was_on_sheet else _undone_text(undone, label_text)}"]
    elif last is not None:
        is_on_sheet = session.log.state.sheet_of(last) > 0
        parts = ["Saved the sheet" if is_on_sheet else _answer_text(last, label_text)]
        if isinstance(last, GaveOpinion) and not last.is_asked:
            parts.append("somebody else has answered meanwhile; yours is kept as a second opinion")
    counts = [(session.log.n_deferred, "put aside"), (session.log.n_excluded, "excluded")]
    left_out = ", ".join(f"{n:,} {what}" for n, what in counts if n)
    return " · ".join([*parts, *([f"so far {left_out}"] if left_out else [])])


def _just_undone(session: Session) -> Action | GaveOpinion | None:
    """Return what the present rater has undone; None if they have answered since."""
    log, who = session.log.state.log, session.people.who
    if who not in session.log.state.people.undoable:  # they never answered
        return None
    answers = (each for each in reversed(log) if isinstance(each, Action | GaveOpinion | Undone))
    last = next((each for each in answers if each.who == who), None)
    undone = log[last.undone_seq - 1] if isinstance(last, Undone) else None
    return undone if isinstance(undone, Action | GaveOpinion) else None


def _answer_text(answer: Action | GaveOpinion, label_text: Callable[[Any, int], str]) -> str:
    """Return an answer in words, with its label."""
    where = f" {answer.instance_id}" if answer.kind in ("change", "adjudicate") else ""
    label = _label_of(answer, label_text)
    return f"{_action_text(answer)}{where}" + ("" if label is None else f": {label}")


def _undone_text(answer: Action | GaveOpinion, label_text: Callable[[Any, int], str]) -> str:
    """Return what was undone: a saved label by itself, any other answer in words."""
    label = _label_of(answer, label_text)
    if label is not None and _action_text(answer) == "Saved":
        return label
    text = _answer_text(answer, label_text)
    return text[:1].lower() + text[1:]


def _label_of(answer: Action | GaveOpinion, label_text: Callable[[Any, int], str]) -> str | None:
    value = getattr(answer, "value", None)
    return None if value is None else label_text(value, answer.instance)


def _action_text(action: Action | GaveOpinion) -> str:
    if isinstance(action, GaveOpinion):
        return "Saved" if action.value is not None else "Excluded"
    return {
        "label": "Saved",
        "defer": "Put aside",
        "exclude": "Excluded",
        "change": "Changed",
        "adjudicate": "Decided",
        "ask_again": "Saved",
    }[action.kind]


def on_sheets_text(session: Session, plan: Plan) -> str:
    """Return ", or 40 and 4 sheets" for a forecast of labels; "" if sheets will not be filled."""
    n_one_by_one, n_sheets = session.sheets.split(plan) if isfinite(plan.n_labels) else (0, 0)
    return f", or {two_digits(n_one_by_one):,} and {counted(n_sheets, 'sheets')}" if n_sheets else ""


def planned_seconds(session: Session, plan: Plan) -> float | None:
    """Return the typical seconds per label of a forecast if some labels were on sheets, as some will be."""
    by_itself, on_sheets = session.log.state.label_seconds()
    rule = session.draws.rule_of_q.sheets
    if rule is None or not on_sheets or not 0 < plan.n_labels < inf:
        return None
    share = session.sheets.split(plan)[0] / plan.n_labels
    usual = median(by_itself or [median(on_sheets) / rule.cost])
    return share * usual + (1 - share) * median(on_sheets)


def provisional_text(session: Session, value: Callable[[float], str]) -> str:
    """Return a sentence with the value from all labels if some do not count yet, else an empty string."""
    found = session.findings.provisional()
    if found is None:
        return ""
    shown = f"Provisional value from all labels: {value(found.value)}. " if isfinite(found.value) else ""
    return shown + not_counted_text(found.n_waiting)


def whose_labels(session: Session) -> str:
    """Return a sentence on whose labels the interval counts if several people answer, or ""."""
    if session.people.n_raters < 2 or not session.n_labels:
        return ""
    return (
        "The estimate counts one person's answer to each item, chosen at random beforehand if several were "
        "there; the mean of all answers may differ."
    )


def left_out(session: Session) -> str:
    """Return a sentence on what the estimate does not count, or an empty string."""
    parts = []
    if session.log.n_excluded:
        parts.append(excluded_text(session.findings))
    if session.log.n_deferred:
        parts.append(put_aside_text(session.log.n_deferred))
    return " ".join(parts)
