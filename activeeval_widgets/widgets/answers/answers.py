"""The effects on a session of the answers that a page sends."""

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any

from activeeval_widgets.session import (
    DrawnInstance,
    Session,
    SessionConflictError,
    SessionMismatchError,
    StoreError,
)
from activeeval_widgets.session.log.events import Labeled, Undone
from activeeval_widgets.widgets.answers.history import note_and_flag
from activeeval_widgets.widgets.answers.sheet import sheet_content
from activeeval_widgets.widgets.instances.registered_views import registered
from activeeval_widgets.widgets.labels.panel import LabelPanel
from activeeval_widgets.widgets.page_channel import Handler, Reply
from activeeval_widgets.widgets.wording.stale import stale_text

AHEAD = 48
"""The number of upcoming instances that a page gets by default."""

MAX_AHEAD = 4096
"""The largest number of upcoming instances that a page can ask for."""

_ASKED_AGAIN = (
    "This one can’t be excluded: it has a label, and is asked again because the guidelines have changed. "
    "Label it as well as you can, or choose Later."
)


class Answers:
    """Applies a person's answers to the session.

    The page collects answers while it waits for a reply, and sends them as one message of type "answers", a
    list of single messages. A slow disk thus never falls behind fast keys.
    """

    def __init__(
        self,
        session: Session,
        panel: LabelPanel,
        state: Callable[[], dict[str, Any]],
        send_state: Callable[[], None],
    ) -> None:
        self._session = session
        self._panel = panel
        self._state = state
        self._send_state = send_state
        self.is_answering = False
        self.ahead = AHEAD
        """The number of upcoming instances that the page wants."""
        self._shown: DrawnInstance | None = None
        self.sent: set[int] = set()
        """The indices of the instances that the page has received, and may ask for."""
        self._index_of: dict[int, int] = {}
        self._single: dict[str, Handler] = {
            "label": self._label,
            "defer": self._defer,
            "exclude": self._exclude,
            "undo": self._undo,
            "change": self._change,
            "note": self._note,
            "flag": self._flag,
            "adjudicate": self._adjudicate,
            "sheet": self._sheet,
        }

    @property
    def handlers(self) -> dict[str, Handler]:
        """The handlers by type of message."""
        return {**self._single, "answers": self._answer_all, "open_sheet": self._open_sheet}

    def queue(self) -> list[dict[str, Any]]:
        """Return the upcoming instances, beginning with the present one."""
        coming = self._session.upcoming(self.ahead)
        # The instance that somebody is looking at stays on the screen, even if its lease passed to another
        # person.
        shown = self._shown
        is_gone = shown is not None and shown.draw not in [drawn.draw for drawn in coming]
        if shown is not None and is_gone and self._session.people.is_asked(shown.draw):
            coming = [shown, *coming]
        self._shown = coming[0] if coming else None
        self.sent.update([drawn.index for drawn in coming])
        self._index_of.update({drawn.draw: drawn.index for drawn in coming})
        notes, flags = self._session.log.notes, self._session.log.flags
        return [
            {
                "draw": drawn.draw,
                "index": drawn.index,
                "id": drawn.instance_id,
                **(note_and_flag(drawn.index, notes, flags) if notes or flags else {}),
            }
            for drawn in coming
        ]

    def sheet(self) -> dict[str, Any]:
        """Return the open sheet, and whether one is offered."""
        content = sheet_content(self._session, self._panel)
        tiles = content.get("sheet", {}).get("tiles", ())
        self.sent.update([tile["index"] for tile in tiles])
        self._index_of.update({tile["draw"]: tile["index"] for tile in tiles})
        return content

    def _open_sheet(self, _message: Mapping[str, Any]) -> Reply:
        self._session.sheets.take()
        return {"state": self._state()}, []

    def _sheet(self, message: Mapping[str, Any]) -> Reply:
        labels = {
            each["draw"]: None
            if each["value"] is None
            else self._panel.given(each["value"], self._index({"draw": each["draw"]}))
            for each in message["answers"]
        }
        self._session.sheets.answer(labels, seconds=message["seconds"])
        return {}, []

    def _answer_all(self, message: Mapping[str, Any]) -> Reply:
        ahead = message.get("ahead", self.ahead)
        if isinstance(ahead, bool) or not isinstance(ahead, int) or ahead < 1:
            raise ValueError(f"ahead must be a whole number >= 1, got {ahead!r}")
        self.ahead = min(ahead, MAX_AHEAD)
        self.is_answering = True
        try:
            content = self._take_all(message["answers"])
        except BaseException:
            # Answers stored before the refused one count, and the page has to know them.
            self._send_state()
            raise
        finally:
            self.is_answering = False
        return {**content, "state": self._state()}, []

    def _take_all(self, answers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Apply answers in order, up to the first that can't be saved."""
        content: dict[str, Any] = {}
        stale: list[str] = []
        begin = perf_counter()
        for n_done, answer in enumerate(answers):
            if stale and answer["type"] == "undo":
                break  # it may refer to an answer that was not saved, so nothing else may be undone
            if (missed := self._missed(answer)) is not None:
                if missed:
                    stale.append(missed)
                    content["stale"] = " ".join(stale)
                continue
            try:
                reply, _ = self._single[answer["type"]](answer)
            except SessionMismatchError:
                raise
            except SessionConflictError:
                # Later answers are about other instances.
                given = (
                    self._panel.text_of(self._given(answer), self._index(answer))
                    if "value" in answer
                    else None
                )
                text = stale_text(self._session, answer, self._panel.text_of, given)
                stale += [] if text in stale else [text]
                content["stale"] = " ".join(stale)
                continue
            except StoreError as error:
                # The page keeps this answer and later ones: they may be saved later, or in another file.
                return {**content, "error": str(error), "is_kept": True, "n_done": n_done}
            content.update(reply)
        # From this the page decides how many answers to send at once.
        content["ms_each"] = round(1000 * (perf_counter() - begin) / max(1, len(answers)), 3)
        return content

    def _missed(self, answer: Mapping[str, Any]) -> str | None:
        """Return why a resent answer is not applied: empty if it is stored already, None if it is applied."""
        if "resent_for" not in answer:
            return None
        draw = answer["draw"]
        if self._index(answer) != answer["resent_for"]:
            return f"An earlier answer to item {draw} was not saved: this session asks something else there."
        done = next((one for one in self._session.log.actions if getattr(one, "draw", None) == draw), None)
        again = self._session.log.state.is_due_again(answer["resent_for"], self._session.people.who)
        if done is not None and not again:
            return "" if self._value(done) == answer.get("value") else None
        if self._was_undone(answer):
            return f"An earlier answer to item {draw} was saved, and undone since: the item is asked again."
        return None

    def _was_undone(self, answer: Mapping[str, Any]) -> bool:
        """Return whether this very answer was logged and undone, so that the label may be given again."""
        undone = {event.undone_seq for event in self._session.log if isinstance(event, Undone)}
        about = _when(answer)
        return any(
            event.seq in undone
            and event.kind == answer["type"]
            and all(getattr(event, name, None) == value for name, value in about.items())
            and self._value(event) == answer.get("value")
            for event in self._session.log
        )

    def _value(self, event: Any) -> Any:
        """Return the page's form of an event's value, or None."""
        value = getattr(event, "value", None)
        return None if value is None else self._panel.value_of(value, event.instance)

    def _given(self, message: Mapping[str, Any]) -> Any:
        """Return the label in a message."""
        return self._panel.given(message["value"], self._index(message))

    def _index(self, message: Mapping[str, Any]) -> int:
        """Return the index of a message's instance."""
        if "index" in message:
            return int(message["index"])
        draw = message["draw"]
        if draw not in self._index_of:  # sent by an earlier kernel
            done = (action for action in self._session.log.actions if getattr(action, "draw", None) == draw)
            self._index_of.update((draw, action.instance) for action in done)
        return self._index_of.get(draw, -1)

    def _label(self, message: Mapping[str, Any]) -> Reply:
        self._session.label(self._given(message), **_when(message))
        return {}, []

    def _defer(self, message: Mapping[str, Any]) -> Reply:
        self._session.defer(**_when(message))
        return {}, []

    def _exclude(self, message: Mapping[str, Any]) -> Reply:
        if self._session.log.state.is_due_again(self._index(message), self._session.people.who):
            raise ValueError(_ASKED_AGAIN)
        self._session.exclude(reason=message.get("reason") or None, **_when(message))
        return {}, []

    def _undo(self, _message: Mapping[str, Any]) -> Reply:
        if self._session.sheets.undo():
            return {}, []
        action = self._session.undo()
        if not isinstance(action, Labeled):
            return {}, []
        # The instance comes back with its former label.
        value = self._panel.value_of(action.value, action.instance)
        return {"undone": {"index": action.instance, "value": value}}, []

    def _change(self, message: Mapping[str, Any]) -> Reply:
        index, value = message["index"], self._given(message)
        try:
            self._session.change(index, value)
        except StoreError:
            raise
        except ValueError as error:
            if self._session.log.label_of(index) is None:  # the page knew one
                raise SessionConflictError(str(error)) from error
            raise
        return {}, []

    def _adjudicate(self, message: Mapping[str, Any]) -> Reply:
        self._session.opinions.adjudicate(message["index"], self._given(message))
        return {}, []

    def _note(self, message: Mapping[str, Any]) -> Reply:
        self._session.note(message["text"].strip(), self._known(message["index"]))
        return {}, []

    def _flag(self, message: Mapping[str, Any]) -> Reply:
        self._session.flag(self._known(message["index"]), message["flagged"])
        return {}, []

    def _known(self, index: int) -> int:
        """Return an index the page may refer to; else a flag would add any instance to the history."""
        session = self._session
        if index in self.sent or index in session.log.notes or index in session.log.flags:
            return index
        has_answer = any(getattr(action, "instance", None) == index for action in session.log.actions)
        if not has_answer and index not in [drawn.index for drawn in session.upcoming(self.ahead)]:
            raise ValueError(f"index must be of an instance that was drawn, got {index!r}")
        return index


def _when(message: Mapping[str, Any]) -> dict[str, Any]:
    if message["draw"] is None:  # None would stand for the present draw
        raise TypeError("draw must be the number of a draw, got None")
    return {
        "draw": message["draw"],
        "seconds": message["seconds"],
        "first_key_seconds": message.get("first_key_seconds"),
    }


def usual_reasons(session: Session, panel: LabelPanel) -> list[str]:
    """Return the usual reasons for excluding instances of a kind."""
    return [*registered(session.pool).reasons, *panel.reasons]


def check_reasons(reasons: Any) -> list[str]:
    """Validate reasons to choose from; the first nine have a key."""
    if isinstance(reasons, str) or not isinstance(reasons, Sequence):
        raise TypeError(f"reasons must be a sequence of strings, got {reasons!r}")
    for position, reason in enumerate(reasons):
        if not isinstance(reason, str):
            raise TypeError(f"reasons[{position}] must be a string, got {reason!r}")
        if not reason.strip():
            raise ValueError(f"reasons[{position}] must not be blank, got {reason!r}")
    return list(reasons)
