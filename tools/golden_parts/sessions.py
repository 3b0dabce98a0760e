"""Runs a case, and yields what follows from its labels after each of them."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from activeeval_widgets import Session
from activeeval_widgets.session import MemoryStore
from activeeval_widgets.session.log.events import Labeled
from golden_parts.cases import Case

NUMBERS = ("value", "standard_error", "low", "high", "approximate_low", "approximate_high", "pvalue")
"""Numbers of each estimate."""


def begun(case: Case) -> tuple[list[Session], Any]:
    """Start the sessions of all who answer, with one log; return them and the labels by instance."""
    task, store = case.task(), MemoryStore()
    options = {**task.options, **case.options, "store": store, "name": "golden"}
    people = [{"who": who} for who in case.people] or [{}]
    return [Session(task.pool, case.measure, **options, **who) for who in people], task.label


def answered(case: Case) -> Iterator[Session]:
    """Yield the first session, before any answer and after each."""
    sessions, label = begun(case)
    first = sessions[0]
    yield first
    for n in range(1, case.n_labels + 1):
        session = sessions[n % len(sessions)]
        session.refresh()
        asked = session.next()
        if asked is None:
            continue
        if case.excludes and n % case.excludes == 0:
            session.exclude(reason="unclear")
        elif case.defers and n % case.defers == 0:
            session.defer()
        else:
            session.label(label_for(session, label, asked.index), seconds=1.0 + n)
        if case.changes and n % case.changes == 0:
            changed = next((e.instance for e in reversed(session.log) if isinstance(e, Labeled)), None)
            if changed is not None:
                session.change(changed, label_for(session, label, changed, is_other=True))
        if case.undoes and n % case.undoes == 0:
            session.undo()
        first.refresh()
        yield first


def label_for(session: Session, truth: Any, index: int, *, is_other: bool = False) -> Any:
    """Return the label of an instance; for a list, the grades of the items that are asked about."""
    found = truth(index if not is_other else (index + 1) % session.pool.n_instances)
    if not isinstance(found, dict):
        return found
    asked = session.labels.items[index]
    if is_other:
        return dict(zip(asked, [*found.values()] * 2, strict=False))
    return {item: found[item] for item in asked}


def numbers_of(session: Session) -> dict[str, Any]:
    """Return what follows from the labels so far."""
    found = session.estimate()
    return {
        "n": [found.n_draws, found.n_labels, found.n_excluded],
        **{name: getattr(found, name) for name in NUMBERS},
        "withheld": [found.withheld, found.approximate_reason is not None],
    }


def rows_of(case: Case) -> Iterator[dict[str, Any]]:
    """Yield q, draws, probabilities, estimate and both intervals after each answer."""
    for session in answered(case):
        numbers, q_draws = session.draws.drawn()
        yield {
            **numbers_of(session),
            "q": np.asarray(session.q, dtype=float),
            "draws": session.draws.so_far().tolist(),
            "upcoming": [draw.index for draw in session.upcoming(3)],
            "numbers": numbers.tolist(),
            "q_draws": q_draws.tolist(),
            "weights": session.draws.weights().tolist(),
        }
