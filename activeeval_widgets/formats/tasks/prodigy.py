"""Write and read Prodigy's JSON lines, for its "choice" and "text_input" interfaces.

The format is described at prodi.gy/docs/api-interfaces.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from activeeval_widgets.formats.json_text import escaped, objects_of_lines
from activeeval_widgets.formats.tasks.answer_text import AnswerReader, choices_of, plain_words
from activeeval_widgets.formats.tasks.task_fields import fields_of, predictions_of
from activeeval_widgets.session import DrawnInstance, GivenLabel, Session
from activeeval_widgets.session.report.labels_table import given_answers

_ID = "instance_id"


def write(session: Session, drawn: Sequence[DrawnInstance], *, with_predictions: bool) -> str:
    """Return one task a line; with predictions, the predicted class is preselected."""
    lines = []
    for each in drawn:
        task = _task(session, each.index, with_predictions=with_predictions)
        if "prediction" in task["meta"] and "options" in task:
            task["accept"] = [task["meta"]["prediction"]]
        lines.append(escaped(json.dumps(task, ensure_ascii=False)))
    return "".join(f"{line}\n" for line in lines)


def annotations(session: Session, *, with_predictions: bool) -> str:
    """Return the session's labels in the form of `prodigy db-out`."""
    lines = []
    for index, (_, _, who) in given_answers(session.findings).items():
        task = _task(session, index, with_predictions=with_predictions)
        value = session.log.label_of(index)
        if value is not None and "options" in task:
            task["accept"] = [plain_words(value)]
        elif value is not None:
            task["label"] = plain_words(value)
        task |= {"answer": "reject" if value is None else "accept", "_annotator_id": who}
        lines.append(escaped(json.dumps(task, ensure_ascii=False)))
    return "".join(f"{line}\n" for line in lines)


def read(session: Session, path: Path) -> list[GivenLabel]:
    """Read the labels of `prodigy db-out`; rejected tasks are excluded, ignored ones have no label."""
    reader = AnswerReader(session)
    found = []
    for number, task in objects_of_lines(path):
        where = f"line {number}"
        if _ID not in task:
            raise ValueError(
                f"{path.name}, {where} has no {_ID!r}: only tasks that were handed out can be taken back"
            )
        answer, is_excluded = _answer(session, task)
        who = task.get("_annotator_id") or task.get("_session_id")
        found.append(
            reader.given(
                task[_ID],
                answer,
                is_excluded=is_excluded,
                reason="rejected in Prodigy" if is_excluded else None,
                who=None if who is None else str(who),
                where=where,
            )
        )
    return found


def _answer(session: Session, task: dict[str, Any]) -> tuple[Any, bool]:
    """Return the answer, None if there is none, and whether the instance is excluded."""
    answer, chosen = task.get("answer"), task.get("accept")
    choices = choices_of(session.labels)
    is_binary = "label" in task and "options" not in task and bool(choices)
    if is_binary and answer == "reject":  # the "classification" interface: not of this class
        others = [each for each in choices if plain_words(each).casefold() != str(task["label"]).casefold()]
        if len(others) == len(choices) - 1 == 1:
            return others[0], False
        return f"not {task['label']}", False
    if answer == "reject":
        return None, True
    if answer != "accept":
        return None, False
    if isinstance(chosen, list) and (chosen or "options" in task):
        return (chosen[0] if len(chosen) == 1 else f"{len(chosen)} choices: {chosen}"), False
    for name in ("label", "user_input"):
        if task.get(name) not in (None, ""):
            return task[name], False
    return None, False


def _task(session: Session, index: int, *, with_predictions: bool) -> dict[str, Any]:
    if session.labels.kind == "grades":
        raise ValueError("grades of rankings can be handed out only as CSV: --format csv")
    fields = fields_of(session, index)
    name = session.pool.ids[index]
    if "image" in fields and len(fields) == 1:
        task: dict[str, Any] = {"image": fields["image"]}
    elif len(fields) == 1:
        task = {"text": str(next(iter(fields.values())))}
    else:
        task = {"text": "\n".join(f"{key}: {value}" for key, value in fields.items()) or name}
    choices = choices_of(session.labels)
    if choices:
        task["options"] = [{"id": plain_words(each), "text": plain_words(each)} for each in choices]
    else:
        task |= {"field_id": "label", "field_label": "label", "field_placeholder": "a number"}
    record = predictions_of(session, index) if with_predictions else {}
    about = {key: plain_words(value) for key, value in record.items()}
    return {**task, _ID: name, "meta": {"id": name, **about}}
