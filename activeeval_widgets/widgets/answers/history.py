"""The history of answers, one row for each instance, for the page to list, filter and search."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from activeeval_widgets.session import Session
from activeeval_widgets.session.log.events import (
    Action,
    Changed,
    Deferred,
    Excluded,
    GaveOpinion,
    Labeled,
)
from activeeval_widgets.widgets.answers.marked_predictions import marked_predictions
from activeeval_widgets.widgets.instances.instance_renderer import InstanceRenderer
from activeeval_widgets.widgets.labels.panel import LabelPanel
from activeeval_widgets.widgets.wording.models import allows_predictions, is_against, prediction_in_short
from activeeval_widgets.widgets.wording.questions import words_of

PAGE_ROWS = 50
"""The number of rows sent at once; the page asks for more."""

MARKS = ("wrong", "flagged", "noted", "changed")
"""The marks by which rows can be filtered."""

WHO = ("first", "second", "both", "neither")
"""Which of two models was right, in the order of `Findings.judged_disagreements`."""

_SHOWN_TEXT = 240
_MAX_ANSWERS = 100
"""The largest number of answers to filter by, the most frequent ones."""


class ReviewedAnswers:
    """The rows of the history, as requested by the page."""

    def __init__(
        self, session: Session, panel: LabelPanel, view: InstanceRenderer, *, is_own_only: bool = False
    ) -> None:
        self._session, self._panel, self._view, self._is_own_only = session, panel, view, is_own_only
        self._words: dict[int, str] = {}

    def row(self, index: int, *, shows_prediction: bool = False) -> dict[str, Any]:
        """Return the row of one instance."""
        found = [row for row in self._rows() if row["index"] == index]
        if not found:
            raise ValueError(f"instance {index!r} has no answer yet: there is nothing to go back to")
        [row] = found
        return self._with_prediction(row) if shows_prediction else row

    def page(
        self,
        query: str = "",
        *,
        only: Sequence[str] = (),
        answer: str | None = None,
        offset: int = 0,
        shows_prediction: bool = False,
        differing: str | None = None,
        pair: tuple[int, int] | None = None,
    ) -> tuple[dict[str, Any], list[bytes]]:
        """Return a slice of the requested rows, the latest answer first."""
        rows = self._rows()
        is_wrong = self._contradictions(rows) if shows_prediction else {}
        # Which ranker did better on a query would unblind a person who looks at its grades again.
        two = self._two(pair) if shows_prediction and allows_predictions(self._session) else None
        right = {} if two is None else self._right(rows, two)
        tests = [self._matches(part) for part in _folded(query).split()]
        marked: dict[str, Callable[[Mapping[str, Any]], bool]] = {
            "wrong": lambda row: is_wrong.get(row["index"], False),
            "flagged": lambda row: "flagged" in row,
            "noted": lambda row: "note" in row,
            "changed": lambda row: bool(row.get("is_changed")),
        }
        tests += [marked[name] for name in only if name in marked and (name != "wrong" or shows_prediction)]
        if answer is not None:
            tests.append(lambda row: row["answer"] == answer)
        if differing is not None and two is not None:
            wanted = range(len(WHO)) if differing == "any" else [WHO.index(differing)]
            tests.append(lambda row: right.get(row["index"]) in wanted)
        found = [row for row in rows if all(test(row) for test in tests)]
        thumbnails: list[bytes] = []
        part = found[max(0, offset) : max(0, offset) + PAGE_ROWS]
        predictions = self._predictions_of(part, right, two) if shows_prediction else {}
        shown = [
            self._complete(row, {} if predictions else is_wrong, thumbnails, shows_prediction)
            | ({"predictions": predictions[row["index"]]} if row["index"] in predictions else {})
            for row in part
        ]
        content = {
            "rows": shown,
            "n_found": len(found),
            "n_rows": len(rows),
            "offset": max(0, offset),
            "answers": self._answers(rows),
            "differing": None if two is None else self._differing(right, two),
            "has_wrong": bool(is_wrong) or (shows_prediction and self._session.labels.kind == "class"),
            "wrong_text": words_of(self._session).filtered,
        }
        return content, thumbnails

    def _rows(self) -> list[dict[str, Any]]:
        """Return all rows, the latest answer first."""
        session, panel = self._session, self._panel
        rows: dict[int, dict[str, Any]] = {}
        for action in self._actions():
            row = rows.pop(action.instance, {})  # moved to the end: the latest answer counts
            row |= {"index": action.instance, "id": action.instance_id, "time": action.time}
            if isinstance(action, GaveOpinion):
                text = "excluded" if action.value is None else panel.text_of(action.value, action.instance)
                row |= {"answer": f"{text} (second opinion)", "draw": action.draw}
            elif isinstance(action, Labeled | Changed):
                row |= {
                    "answer": panel.text_of(action.value, action.instance),
                    "value": panel.value_of(action.value, action.instance),
                    "is_changed": isinstance(action, Changed) and not action.was_asked,
                }
            elif isinstance(action, Excluded):
                row |= {"answer": f"excluded: {action.reason}" if action.reason else "excluded"}
            else:
                row |= {"answer": "put aside"}
            if isinstance(action, Labeled | Excluded | Deferred):
                row |= {"draw": action.draw}
            rows[action.instance] = row
        notes, flags = session.log.notes, session.log.flags
        for index in notes.keys() | flags:
            row = rows.setdefault(index, {"index": index, "id": session.pool.ids[index], "answer": ""})
            row |= note_and_flag(index, notes, flags)
        return list(rows.values())[::-1]

    def _actions(self) -> list[Action | GaveOpinion]:
        """Return the valid actions that may be shown: none that would bias a pending opinion."""
        session = self._session
        state = session.log.state
        actions: list[Action | GaveOpinion] = [
            each for each in state.actions if not state.is_due_again(each.instance, session.people.who)
        ]
        if session.people.who is None:
            return actions
        own = [event for event in session.opinions.all() if event.who == session.people.who]
        if self._is_own_only:
            actions = [action for action in actions if action.who == session.people.who]
        due = session.opinions.due()
        actions = [action for action in actions if action.instance not in due]
        answered = {action.instance for action in actions}
        return [*(event for event in own if event.instance not in answered), *actions]

    def _contradictions(self, rows: Sequence[Mapping[str, Any]]) -> dict[int, bool]:
        """Return, for instances with class labels, whether the label differs from the model's prediction."""
        indices = [row["index"] for row in rows if "value" in row]
        if self._session.labels.kind != "class" or not indices:
            return {}
        values = [self._session.log.label_of(index) for index in indices]
        y_true = self._session.labels.decode(values, indices)
        differs = is_against(self._session, np.array(indices), y_true)
        return dict(zip(indices, differs.tolist(), strict=True))

    def _two(self, pair: tuple[int, int] | None) -> tuple[int, int] | None:
        """Return the two models to compare; None if there is one, or more and none were chosen."""
        match self._session.question.pairs:
            case [only]:
                return only
        return pair

    def _right(self, rows: Sequence[Mapping[str, Any]], two: tuple[int, int]) -> dict[int, int]:
        """Return which model was right on each of these rows' instances where two differ; see `WHO`."""
        found = zip(*(each.tolist() for each in self._session.of(*two).judged_disagreements()), strict=True)
        labeled = {row["index"] for row in rows if "value" in row}
        return {index: who for index, who in found if index in labeled}

    def _texts(self, two: tuple[int, int]) -> list[str]:
        """Return the choices of who was right, in words."""
        first, second = (self._session.question.names[position] for position in two)
        if self._session.labels.kind == "class":
            return [f"{first} right", f"{second} right", "both right", "neither right"]
        return [f"{first} better", f"{second} better", "both right", "as good"]

    def _predictions_of(
        self, rows: Sequence[Mapping[str, Any]], right: Mapping[int, int], two: tuple[int, int] | None
    ) -> dict[int, list[dict[str, str]]]:
        """Return the models' predictions for labeled instances, and which were right."""
        question = self._session.question
        if not question.pairs or not allows_predictions(self._session):
            return {}
        labeled = [row["index"] for row in rows if "value" in row]
        return marked_predictions(self._session, labeled, two or range(len(question.names)), right)

    def _differing(self, right: Mapping[int, int], two: tuple[int, int]) -> dict[str, Any]:
        """Return the choices of who was right, with their numbers of labels."""
        counts = Counter(right.values())
        first, second = (self._session.question.names[position] for position in two)
        return {
            "names": [first, second],
            "choices": [
                ["any", f"{first} and {second} differ", len(right)],
                *(
                    [name, text, counts[who]]
                    for who, (name, text) in enumerate(zip(WHO, self._texts(two), strict=True))
                    if counts[who]
                ),
            ],
        }

    def _matches(self, part: str) -> Callable[[Mapping[str, Any]], bool]:
        if part.startswith("id:"):
            return lambda row: _folded(row["id"]) == part.removeprefix("id:")
        # Whole numbers only: a search for 3 should not find 13.
        pattern = re.compile(rf"(?<![\w.]){re.escape(part)}(?![\w.])" if part.isdigit() else re.escape(part))

        def matches(row: Mapping[str, Any]) -> bool:
            text = _folded(f"{row['answer']}\n{row.get('note', '')}")
            return (
                _folded(row["id"]) == part
                or pattern.search(text) is not None
                or pattern.search(self._content(row["index"])) is not None
            )

        return matches

    def _content(self, index: int) -> str:
        """Return the text of an instance, folded for searching."""
        if index not in self._words:
            self._words[index] = _folded(self._view.words(index))
        return self._words[index]

    def _complete(
        self,
        row: dict[str, Any],
        is_wrong: Mapping[int, bool],
        thumbnails: list[bytes],
        shows_prediction: bool,
    ) -> dict[str, Any]:
        """Return a row with the displayed content of its instance."""
        index = row["index"]
        image = self._view.thumbnail(index)
        if image is not None:
            row |= {"thumbnail": len(thumbnails), "mime": image.mime, "is_pixelated": image.pixelated}
            thumbnails.append(image.content)
        else:
            words = self._view.words(index)
            row["content"] = words if len(words) <= _SHOWN_TEXT else f"{words[:_SHOWN_TEXT].rstrip()} …"
        if index in is_wrong:
            row["is_wrong"] = is_wrong[index]
        return self._with_prediction(row) if shows_prediction else row

    def _with_prediction(self, row: dict[str, Any]) -> dict[str, Any]:
        # Only once there is a label: before, it would bias the person's own judgment.
        if "value" not in row:
            return row
        return row | {"prediction": prediction_in_short(self._session, row["index"])}

    def _answers(self, rows: Sequence[Mapping[str, Any]]) -> list[list[Any]]:
        """Return the answers and their counts; classes in order, then others."""
        if self._session.labels.kind != "class":
            rows = [row for row in rows if "value" not in row]
        counts: dict[str, int] = {}
        for row in rows:
            if row["answer"]:
                counts[row["answer"]] = counts.get(row["answer"], 0) + 1
        frequent = sorted(counts, key=lambda answer: -counts[answer])[:_MAX_ANSWERS]
        order = {row["answer"]: row.get("value", _MAX_ANSWERS**3) for row in rows}
        return [[answer, counts[answer]] for answer in sorted(frequent, key=lambda answer: order[answer])]


def note_and_flag(index: int, notes: Mapping[int, str], flags: Collection[int]) -> dict[str, Any]:
    """Return an instance's note and flag, if it has them."""
    note = notes.get(index)
    return {**({"note": note} if note else {}), **({"flagged": True} if index in flags else {})}


def _folded(text: str) -> str:
    """Return a text without case and accents."""
    parts = unicodedata.normalize("NFKD", text)
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()
