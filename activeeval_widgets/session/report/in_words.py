"""A session as one line, and as a small table for notebooks."""

from html import escape

from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.findings.goals import Goal, decided_values
from activeeval_widgets.session.findings.sentences import capitalized
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.text import noun_for


def in_words(session: Findings, budget: int | None = None, goal: Goal | None = None) -> str:
    """Return the estimate in words, such as "F1 of spam: 0.62 (0.55–0.69) after 120 labels"."""
    found, question = session.estimate(), session.question
    what = session.measure.name
    if question.quantity.sides:
        what += f", {' − '.join(question.quantity.sides)}"
    elif question.is_of_leader:
        what += f" of {session.leaderboard().leading} of {question.in_words}"
    of_budget = "" if budget is None else f" of {budget:,}"
    labels = f"{session.n_labels:,}{of_budget} {noun_for(2 if of_budget else session.n_labels, 'labels')}"
    if not found.is_defined:
        state = "not defined" if session.log.is_complete else "not known yet"
        return f"{capitalized(what)}: {state}, after {labels}"
    numbers = Numbers.of(question.quantity, found, apart=decided_values(session, goal))
    value = numbers.value(found.value)
    if session.known_value() is not None:
        return f"{capitalized(what)}: {value}, known from {labels}"
    if found.withheld:
        return f"{capitalized(what)}: {value}, without an interval yet, after {labels}"
    about = "approximately " if found.is_asymptotic else ""
    return f"{capitalized(what)}: {numbers.with_interval(found, about)} after {labels}"


def as_html(session: Findings, budget: int | None, goal: Goal | None, *, place: str) -> str:
    """Return an HTML table for a notebook, in the notebook's own colors."""
    names = [] if session.pool.predictions is None else session.question.names
    rows = {
        "Session": session.name,
        "Pool": f"{session.pool.n_instances:,} {session.pool.noun}",
        "Models" if len(names) > 1 else "Model": ", ".join(names),
        "Draws": f"{session.draws.protocol} protocol, seed {session.seed}",
        "Kept": place,
    }
    cells = "".join(
        f'<tr><th style="text-align:left">{name}</th><td style="text-align:left">{escape(value)}</td></tr>'
        for name, value in rows.items()
        if value
    )
    return f"<div><strong>{escape(in_words(session, budget, goal))}</strong><table>{cells}</table></div>"
