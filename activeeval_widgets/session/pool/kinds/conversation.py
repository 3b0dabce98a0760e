"""Conversations, one or two per instance."""

from collections.abc import Iterable
from typing import Any

from activeeval_widgets.session.pool.conversations import Conversation, Turn, is_messages
from activeeval_widgets.session.pool.fingerprints import as_json
from activeeval_widgets.session.pool.instances import Text
from activeeval_widgets.session.pool.kinds.base import InstanceKind
from activeeval_widgets.session.pool.kinds.text import text_parts, text_to_json


class ConversationKind(InstanceKind):
    """`Conversation`, or lists of messages: a prompt with one or two answers."""

    name = "conversation"
    noun = "conversations"
    types = (Conversation,)

    def fits(self, instance: Any) -> bool:
        """Return whether an instance is a conversation or a list of messages."""
        return isinstance(instance, Conversation) or is_messages(instance)

    def check(self, instances: Any) -> list[Conversation]:
        """Return the conversations as a list."""
        checked = []
        for position, each in enumerate(instances):
            if not self.fits(each):
                expected = "a Conversation or a list of messages with role and content"
                raise TypeError(f"instances[{position}] must be {expected}, got {each!r:.80}")
            try:
                checked.append(each if isinstance(each, Conversation) else Conversation(each))
            except (TypeError, ValueError) as error:
                raise type(error)(f"instances[{position}]: {error}") from None
        return checked

    def parts(self, instance: Any) -> Iterable[str | bytes]:
        """Return all turns and the reference."""
        turns = [[_turn_parts(turn) for turn in turns] for turns in _answers(instance)]
        reference = None if instance.reference is None else text_parts(instance.reference)
        return "conversation", as_json(turns, reference)

    def to_json(self, instances: Any) -> list[Any]:
        """Return mappings with all turns and their nonempty fields."""
        return [
            {
                "turns": [_turn_to_json(turn) for turn in each.turns],
                **({} if each.beside is None else {"beside": [_turn_to_json(turn) for turn in each.beside]}),
                **({} if each.reference is None else {"reference": text_to_json(each.reference)}),
            }
            for each in instances
        ]

    def from_json(self, values: list[Any]) -> list[Conversation]:
        """Convert the values of `to_json` back to conversations."""
        return [
            Conversation(
                tuple(_turn_from_json(turn) for turn in each["turns"]),
                tuple(_turn_from_json(turn) for turn in each["beside"]) if "beside" in each else None,
                Text(**each["reference"]) if "reference" in each else None,
            )
            for each in values
        ]

    def fields(self, instances: Any, index: int) -> dict[str, Any]:
        """Return prompt, one or two answers, and reference."""
        one = instances[index]
        if one.beside is None:
            n_before = len(one.turns) - 1
            found = {"prompt": _words(one.turns[:n_before]), "answer": _words(one.turns[n_before:], False)}
        else:
            n_before = one.n_shared
            found = {
                "prompt": _words(one.turns[:n_before]),
                "answer_a": _words(one.turns[n_before:], len(one.turns) > n_before + 1),
                "answer_b": _words(one.beside[n_before:], len(one.beside) > n_before + 1),
            }
        if not n_before:
            del found["prompt"]
        return found if one.reference is None else {**found, "reference": one.reference.text}

    def words(self, instance: Any) -> str:
        """Return all turns in words, without those of "system" and without the reference."""
        shared = [turn for turn in instance.turns[: instance.n_shared] if turn.role != "system"]
        rest = [turns[instance.n_shared :] for turns in _answers(instance)]
        parts = [_words(shared, False), *(_words(turns, False) for turns in rest)]
        return " | ".join(filter(None, parts))


def _answers(instance: Conversation) -> list[tuple[Turn, ...]]:
    return [turns for turns in (instance.turns, instance.beside) if turns is not None]


def _words(turns: Iterable[Turn], shows_roles: bool | None = None) -> str:
    """Return turns in words, with the speakers if there are several turns."""
    turns = list(turns)
    if shows_roles is None:
        shows_roles = len(turns) > 1
    parts = []
    for turn in turns:
        calls = [f"{name}({given})" for name, given in turn.calls]
        text = "\n".join(filter(None, [turn.text.text, *calls]))
        parts.append(f"{turn.role}: {text}" if shows_roles else text)
    return "\n\n".join(filter(None, parts))


def _turn_parts(turn: Turn) -> tuple[Any, ...]:
    return turn.role, text_parts(turn.text), turn.calls, turn.name, turn.images, turn.notes


def _turn_to_json(turn: Turn) -> dict[str, Any]:
    rest: dict[str, Any] = {
        "calls": [list(call) for call in turn.calls],
        "name": turn.name,
        "images": list(turn.images),
        "notes": list(turn.notes),
    }
    return {
        "role": turn.role,
        "text": text_to_json(turn.text),
        **{name: value for name, value in rest.items() if value},
    }


def _turn_from_json(value: dict[str, Any]) -> Turn:
    return Turn(**{**value, "text": Text(**value["text"])})
