"""Write tasks and the labeling setup for Label Studio; read its exports, JSON and JSON-MIN.

The format is described at labelstud.io/guide/task_format.
"""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from activeeval_widgets.formats.json_text import escaped, from_text
from activeeval_widgets.formats.tasks.answer_text import AnswerReader, choices_of, plain_words
from activeeval_widgets.formats.tasks.task_fields import fields_of
from activeeval_widgets.session import DrawnInstance, GivenLabel, Session
from activeeval_widgets.session.report.labels_table import given_answers

_ID = "instance_id"
_CANNOT = "can't be labeled"
_SHOWN = "shown"
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(session: Session, drawn: Sequence[DrawnInstance], *, with_predictions: bool) -> str:
    """Return tasks to import, with the model's predictions only if asked for."""
    tasks = []
    for each in drawn:
        task: dict[str, Any] = {"data": {_ID: each.instance_id, **_data(session, each.index)}}
        if with_predictions:
            task["predictions"] = list(_predictions(session, each.index))
        tasks.append(task)
    return escaped(json.dumps(tasks, ensure_ascii=False, indent=1))


def setup(session: Session) -> str:
    """Return the labeling setup as XML."""
    view = ElementTree.Element("View")
    exported = session.offline.exported()
    fields = _fields(session, exported[0].index if exported else 0)
    is_first = True
    for name, (title, _) in fields.items() or [(_ID, (_ID, None))]:
        tag = "Image" if name == "image" else "Text"
        if len(fields) > 1:
            ElementTree.SubElement(view, "Header", value=_NOT_IN_XML.sub("\ufffd", title))
        ElementTree.SubElement(view, tag, name=_SHOWN if is_first else f"also_{name}", value=f"${name}")
        is_first = False
    choices = choices_of(session.labels)
    if choices:
        group = ElementTree.SubElement(view, "Choices", name="label", toName=_SHOWN, choice="single")
        group.set("showInline", "true")
        words = [_NOT_IN_XML.sub("\ufffd", plain_words(each)) for each in choices]
        # Without keys of their own, the key 1 stands for the first choice, such as 0.
        are_keys = all(len(each) == 1 for each in words)
        for each in words:
            ElementTree.SubElement(group, "Choice", {"value": each} | ({"hotkey": each} if are_keys else {}))
    else:
        ends = {"min": getattr(session.labels, "low", None), "max": getattr(session.labels, "high", None)}
        number = ElementTree.SubElement(view, "Number", name="label", toName=_SHOWN)
        for end, value in ends.items():
            if value is not None:
                number.set(end, plain_words(value))
    cannot = ElementTree.SubElement(view, "Choices", name="cannot_label", toName=_SHOWN, choice="single")
    ElementTree.SubElement(cannot, "Choice", value=_CANNOT)
    ElementTree.SubElement(view, "TextArea", name="note", toName=_SHOWN, placeholder="Note", rows="1")
    ElementTree.indent(view)
    return ElementTree.tostring(view, encoding="unicode") + "\n"


def annotations(session: Session, *, with_predictions: bool) -> str:
    """Return the session's labels in the form of an export of Label Studio."""
    tasks: list[dict[str, Any]] = []
    notes = session.log.notes
    for index, (first, last, who) in given_answers(session.findings).items():
        value = session.log.label_of(index)
        result = (
            _result("cannot_label", {"choices": [_CANNOT]}, "choices")
            if value is None
            else _label_result(session, value)
        )
        note = [_result("note", {"text": [notes[index]]}, "textarea")] if index in notes else []
        annotation = {
            "result": [result, *note],
            "was_cancelled": False,
            "ground_truth": False,
            "created_at": first.time,
            "updated_at": last.time,
            "lead_time": first.seconds,
            "completed_by": {"email": who} if who else None,
        }
        data = {_ID: first.instance_id, **_data(session, index)}
        about = {"data": data, "annotations": [annotation]}
        if with_predictions:
            about["predictions"] = list(_predictions(session, index))
        tasks.append({"id": len(tasks) + 1, **about})
    return escaped(json.dumps(tasks, ensure_ascii=False, indent=1))


def read(session: Session, path: Path) -> list[GivenLabel]:
    """Read the labels of an export, JSON or JSON-MIN."""
    try:
        tasks = from_text(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise ValueError(f"{path.name} is not JSON: {error}") from error
    if not isinstance(tasks, list) or not all(isinstance(each, dict) for each in tasks):
        raise ValueError(f"{path.name} is not an export of Label Studio: expected a list of tasks")
    reader = AnswerReader(session)
    found = []
    for number, task in enumerate(tasks, start=1):
        data = task.get("data", task)
        if not isinstance(data, dict) or _ID not in data:
            raise ValueError(
                f"{path.name}, task {number} has no {_ID!r} in its data: only tasks that were handed out can "
                "be taken back"
            )
        found += [reader.given(data[_ID], where=f"task {number}", **each) for each in _answers(task)]
    return found


def _answers(task: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield each annotation of a task, or an empty answer if there is none."""
    if "annotations" not in task:  # JSON-MIN
        yield {
            "answer": _only_value(task.get("label")),
            "is_excluded": bool(task.get("cannot_label")),
            "seconds": task.get("lead_time"),
            "who": _who(task.get("annotator")),
            "note": _text(task.get("note")),
        }
        return
    given = [each for each in task["annotations"] if isinstance(each, dict) and not each.get("was_cancelled")]
    for each in given:
        results = [result for result in each.get("result", ()) if isinstance(result, dict)]
        of = {result.get("from_name"): result.get("value", {}) for result in results}
        is_excluded = bool(_only_value(of.get("cannot_label")))
        filled_in = {result.get("from_name") for result in results if result.get("origin") == "prediction"}
        if is_excluded and "label" in filled_in:  # nobody has chosen it
            del of["label"]
        yield {
            "answer": _only_value(of.get("label")),
            "is_excluded": is_excluded,
            "seconds": each.get("lead_time"),
            "who": _who(each.get("completed_by")),
            "note": _text(_only_value(of.get("note"))),
        }
    if not given:
        yield {"answer": None}


def _only_value(value: Any) -> Any:
    """Return the only choice, text or number; several are joined, which is refused as a label."""
    if isinstance(value, dict):
        value = next(
            (value[name] for name in ("choices", "number", "rating", "text") if value.get(name) is not None),
            None,
        )
    if isinstance(value, list):
        return _only_value(value[0]) if len(value) == 1 else (", ".join(map(str, value)) or None)
    return None if value == "" else value


def _text(value: Any) -> str | None:
    return None if value in (None, "") else str(value)


def _who(value: Any) -> str | None:
    if isinstance(value, dict):
        value = value.get("email") or value.get("id")
    if value is None or value == "":
        return None
    return value if isinstance(value, str) else f"Label Studio user {value}"


def _data(session: Session, index: int) -> dict[str, Any]:
    return {name: value for name, (_, value) in _fields(session, index).items()}


def _fields(session: Session, index: int) -> dict[str, tuple[str, Any]]:
    """Return what to show, with titles, by names that a labeling setup can use."""
    fields = fields_of(session, index)
    if session.labels.kind == "grades":
        raise ValueError("grades of rankings can be handed out only as CSV: --format csv")
    return {
        (name if name.isidentifier() and name != _ID else f"column_{position}"): (name, value)
        for position, (name, value) in enumerate(fields.items(), start=1)
    }


def _predictions(session: Session, index: int) -> Iterator[dict[str, Any]]:
    for number, model in enumerate(session.models, start=1):
        record = model.describe(index).record
        if not record:  # a pool without predictions
            continue
        entry: dict[str, Any] = {
            "model_version": model.name or f"model {number}",
            "result": [_label_result(session, record["prediction"])],
        }
        confidence = record.get("confidence")
        if confidence is not None:
            entry["score"] = confidence
        yield entry


def _label_result(session: Session, value: Any) -> dict[str, Any]:
    if choices_of(session.labels):
        return _result("label", {"choices": [plain_words(value)]}, "choices")
    return _result("label", {"number": float(value)}, "number")


def _result(name: str, value: dict[str, Any], kind: str) -> dict[str, Any]:
    return {"from_name": name, "to_name": _SHOWN, "type": kind, "value": value}
