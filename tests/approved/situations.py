"""Situations of a session, and the sentences that page and report have for each."""

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any
from unittest.mock import patch

import numpy as np
from golden_parts import tasks
from golden_parts.cases import CASES, Case
from golden_parts.sessions import answered

from activeeval_widgets import Pool, Session
from activeeval_widgets.demos import DEMOS, Demo
from activeeval_widgets.session import MemoryStore
from activeeval_widgets.session.findings import plot_axes
from activeeval_widgets.stats import DCG, ErrorRate, SquaredError, uniform_q
from activeeval_widgets.widgets.evaluation.panels import Panels
from activeeval_widgets.widgets.result.content import result_content
from activeeval_widgets.widgets.wording.progress import status_text
from activeeval_widgets.widgets.wording.sessions import about, introduction

IS_NO_SENTENCE = {"rows", "cells", "stops", "ticks", "copy"}
"""Tables, and what a pointer shows of each instance."""


def sentences_of(content: Any) -> Iterator[str]:
    """Yield the texts of four words or more in a message."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict):
        for name, each in content.items():
            yield from sentences_of(each if name not in IS_NO_SENTENCE else None)
    elif isinstance(content, list | tuple):
        for each in content:
            yield from sentences_of(each)


def page_sentences(session: Session) -> Iterator[str]:
    panels = Panels(session)
    yield from (about(session), introduction(session), status_text(session), str(session))
    yield from sentences_of(panels.content())
    yield from sentences_of(panels.redraw(shown=panels.names, shows_wald=True))
    yield from sentences_of(result_content(session, session.watched()))


def report_sentences(session: Session) -> Iterator[str]:
    """Yield the report's lines except the date, and what identifies events and instances."""
    for section in session.report().split("\n## "):
        heading, *lines = section.splitlines()
        if heading not in ("Left out", "Notes", "For checking"):
            yield from (line for line in lines if not re.search(r" 20\d\d", line))


def all_sentences(session: Session) -> list[str]:
    found = [*page_sentences(session), *report_sentences(session)]
    return [line.strip() for text in found for line in text.splitlines() if len(line.split()) > 3]


def form_of(sentence: str, session: Session) -> str:
    """Return a sentence without its numbers and the measure's name."""
    names = {session.measure.long_name, session.measure.name}
    measure = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.sub(r"\d[\d,.]*", "0", re.sub(measure, "measure", sentence, flags=re.IGNORECASE))


def of_case(case: Case) -> Session:
    *_, session = answered(case)
    return session


@cache
def demo_of(name: str) -> Demo:
    return DEMOS[name]()


def of_demo(name: str, n_labels: int) -> Session:
    demo = demo_of(name)
    session = Session(demo.pool, demo.measure, y_range=demo.y_range, goal=demo.goal, budget=demo.budget)
    while session.n_labels < n_labels and (asked := session.next()) is not None:
        session.label(demo.y_true[asked.index], seconds=2.0)
    return session


def who_disagree(names: tuple[str, ...], n_answers: int, m: int = 240) -> Session:
    """People who label texts that differ in how difficult they are, all of them twice."""
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=m)
    is_wrong = rng.random((len(names), m)) < 0.5 * rng.beta(0.5, 2, size=m)
    proba = np.where(rng.random(m) < 0.1, 1 - truth, truth) * 0.8 + 0.1
    pool = Pool([f"text {i}" for i in range(m)], predictions=np.stack([1 - proba, proba], axis=1))
    store = MemoryStore()
    people = [Session(pool, ErrorRate(), store=store, who=who, n_raters=2) for who in names]
    for n in range(n_answers):
        session = people[n % len(people)]
        if (asked := session.next()) is not None:
            session.label(int(truth[asked.index] ^ is_wrong[n % len(people), asked.index]), seconds=2.0)
    people[0].refresh()
    return people[0]


_TWO, _THREE = (partial(tasks.classes, m=45, n_models=n) for n in (2, 3))
_RATERS = {"n_raters": 2}

FURTHER = {
    "nothing was learned": Case(tasks.classes, ErrorRate(), n_labels=1),
    "all excluded": Case(tasks.classes, ErrorRate(), n_labels=9, excludes=1),
    "difference, one label": Case(_TWO, ErrorRate(), n_labels=1),
    "difference, all labeled": Case(_TWO, ErrorRate(), n_labels=45),
    "difference, given q": Case(_TWO, ErrorRate(), {"q": uniform_q(45)}, n_labels=20),
    "best of 3, all labeled": Case(_THREE, ErrorRate(), n_labels=45),
    "no second opinion yet": Case(_TWO, ErrorRate(), _RATERS, n_labels=1, people=("Ada", "Bob")),
    "few second opinions": Case(_TWO, ErrorRate(), _RATERS, n_labels=8, people=("Ada", "Bob")),
    "two raters of numbers": Case(tasks.values, SquaredError(), _RATERS, people=("Ada", "Bob")),
    "two raters of rankings": Case(tasks.rankings, DCG(), _RATERS, people=("Ada", "Bob")),
}
_CHOSEN = """
    error-rate; error-rate, papers; error-rate, unsure; error-rate, papers, unsure; error-rate, all labeled;
    accuracy, groups; recall, given q; error-rate, predicted classes; f1; precision, exclusions;
    specificity, scores; average-precision; calibration-error; macro-f, papers; difference, error-rate;
    difference, papers; difference, f1; difference, log-loss; difference, predicted classes;
    difference, predicted classes, papers; best of 4; best of 3, f1, unsure; squared-error;
    absolute-error, no variance; r-squared; difference, absolute-error; mean of labels; dcg; err, papers;
    difference, ndcg; rubric; pass-rate, side by side; label-share, no model; label-share, model;
    win-rate, no model; two raters; second opinions; two people
"""
"""The goldens' cases that have sentences of their own."""

SITUATIONS: dict[str, Callable[[], Session]] = {
    **{f"demo {name}, {n} labels": partial(of_demo, name, n) for name in DEMOS for n in (0, 20)},
    **{f"demo {name}, 200 labels": partial(of_demo, name, 200) for name in ("digits", "ranking", "compare")},
    **{name: partial(of_case, CASES[name]) for name in re.split(r";\s*", _CHOSEN.strip())},
    **{name: partial(of_case, case) for name, case in FURTHER.items()},
    "two who disagree": partial(who_disagree, ("Ada", "Bob"), 120),
    "two who disagree, hardly": partial(who_disagree, ("Ada", "Bob"), 8),
    "two who disagree, all labeled": partial(who_disagree, ("Ada", "Bob"), 100, m=50),
    "three who disagree": partial(who_disagree, ("Ada", "Bob", "Cy"), 240),
}
"""By name; a demo asks for 200 labels at most."""


def new_sentences() -> dict[str, list[str]]:
    """Return the sentences of each situation whose form no situation before it has."""
    seen: set[str] = set()
    found: dict[str, list[str]] = {}
    with patch.object(plot_axes, "MAX_POINTS", 8):  # no sentence depends on the points of a curve
        for name, make in SITUATIONS.items():
            session, found[name] = make(), []
            for sentence in all_sentences(session):
                if (form := form_of(sentence, session)) not in seen:
                    seen.add(form)
                    found[name].append(sentence)
    return found
