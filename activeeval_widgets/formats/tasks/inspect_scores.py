"""Write labels as a scorer for Inspect; read them from that scorer, or from a log that it scored.

`inspect score LOG --scorer FILE.py` adds the labels to a log as scores: the scorer finds each label
by the sample's id, and leaves other samples without a score.
"""

import ast
import json
from math import isfinite
from pathlib import Path
from typing import Any

from activeeval_widgets.formats.evaluation_logs.scorers import LETTERS
from activeeval_widgets.formats.opening.open_table import open_table
from activeeval_widgets.formats.problems import FileProblemsError
from activeeval_widgets.formats.tasks.answer_text import AnswerReader, choices_of, plain_words
from activeeval_widgets.session import DrawnInstance, GivenLabel, Session

SCORER = "people"
"""The scorer's name."""

_LETTER_OF = {word: letter for letter, word in LETTERS.items()}

_TEMPLATE = '''"""Labels that people gave, as a scorer of Inspect. Samples that nobody labeled get no score.

    inspect score LOG.eval --scorer FILE.py --action append --output-file LABELED.eval

The labels are of samples that were drawn to tell most: their plain mean is not what is estimated. The metric
below is the estimate with its interval.
"""

import json

from inspect_ai.scorer import Metric, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState

LABELS = {labels}

ESTIMATE = {estimate}


@metric
def estimate() -> Metric:
    """{measure}"""

    def told(scores):
        return ESTIMATE

    return told


@scorer(metrics=[estimate()])
def people() -> Scorer:
    labels = json.loads(LABELS)

    async def score(state: TaskState, target: Target) -> Score | None:
        name = str(state.sample_id) if state.epoch == 1 else f"{{state.sample_id}}, epoch {{state.epoch}}"
        given = labels.get(name)
        return None if given is None else Score(**given)

    return score
'''


def write(session: Session, drawn: list[DrawnInstance], *, with_predictions: bool) -> str:  # noqa: ARG001
    """Refuse: Inspect asks no person."""
    raise ValueError("draws can't be handed out for Inspect: it takes labels, by sessions export")


def annotations(session: Session, *, with_predictions: bool) -> str:  # noqa: ARG001
    """Return the session's labels as the source of a scorer."""
    if session.labels.kind == "grades":
        raise ValueError("grades of rankings can't be exported for Inspect: --format csv")
    has_classes, systems = bool(choices_of(session.labels)), _systems(session)
    labels: dict[str, Any] = {}
    for action in session.log.actions:
        if action.kind != "label":
            continue
        value = session.log.label_of(action.instance)
        words = systems.get(plain_words(value), plain_words(value))
        given = {"value": _LETTER_OF.get(words, words) if has_classes else float(value)}
        note = session.log.notes.get(action.instance)
        labels[action.instance_id] = {**given, "explanation": note} if note else given
    found = session.estimate()
    values = {"value": found.value, "low": found.low, "high": found.high}
    numbers = {name: float(number) for name, number in values.items() if isfinite(number)}
    text = json.dumps(labels, ensure_ascii=True, indent=0)
    measure = f"The {session.measure.name}, with an interval that may be watched."
    return _TEMPLATE.format(
        labels=repr(text),
        estimate=repr(numbers),
        measure=repr(measure)[1:-1].replace('"', "'"),
    )


def _systems(session: Session) -> dict[str, str]:
    """Return the systems' names by the label that only this one passes; empty if labels are not of systems.

    A log does not say which system is A.
    """
    sides, names = session.measure.sides(session.models), [model.name for model in session.models]
    if sides is None or len({*names} - {None}) != 2:
        return {}
    others = {*map(plain_words, choices_of(session.labels)), *LETTERS, *LETTERS.values()}
    return {} if others & {*names} else dict(zip(map(plain_words, sides), map(str, names), strict=True))


def read(session: Session, path: Path) -> list[GivenLabel]:
    """Read the labels of an exported scorer, which is not run, or of a log that it scored."""
    scores = _of_scorer(path) if path.suffix.lower() == ".py" else _of_log(path)
    reader = AnswerReader(session)
    meant = LETTERS | {name: label for label, name in _systems(session).items()}
    found = []
    for name, score in scores.items():
        value = score.get("value")
        label = meant.get(value, value) if isinstance(value, str) else value
        found.append(reader.given(name, label, note=score.get("explanation"), where=f"the sample {name!r}"))
    return found


def _of_scorer(path: Path) -> dict[str, dict[str, Any]]:
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        [text] = [
            ast.literal_eval(node.value)
            for node in tree.body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "LABELS"
        ]
        found = json.loads(text)
    except (SyntaxError, ValueError, TypeError) as error:
        raise ValueError(f"{path.name} is not a scorer that sessions export wrote: {error}") from error
    return {str(name): dict(score) for name, score in found.items()}


def _of_log(path: Path) -> dict[str, dict[str, Any]]:
    try:
        table = open_table(path)
    except FileProblemsError as error:
        raise ValueError(str(error)) from error
    scorers = {} if table.log is None else table.log.scorers
    if SCORER not in scorers:
        listed = ", ".join(scorers) or "none"
        raise ValueError(f"{path.name} has no scores of {SCORER!r} (its scorers: {listed})")
    names, values = table.arrow["id"].to_pylist(), table.arrow[SCORER].to_pylist()
    return {name: {"value": value} for name, value in zip(names, values, strict=True) if value is not None}
