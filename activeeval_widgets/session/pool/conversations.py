"""Conversations of people, models and tools; one, or two with a common beginning."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from activeeval_widgets.session.pool.instances import Text

_ROLES = {"human": "user", "gpt": "assistant", "bot": "assistant", "model": "assistant", "ai": "assistant"}
"""Names of roles in other formats."""

_SHOWN_IMAGE = re.compile(r"data:image/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}")
"""Only images within the message are shown; others would need a request."""

_LONGEST_ARGUMENTS = 10_000


@dataclass(frozen=True)
class Turn:
    """One turn of a conversation.

    Attributes
    ----------
    role : str
        The speaker, shown as heading: "system", "user", "assistant", "tool", or another name.
    text : Text
        The content; a string is converted.
    calls : tuple of (str, str)
        Names and arguments of tool calls.
    name : str or None
        The tool of a tool's result; otherwise a name besides the role.
    images : tuple of str
        Images as data addresses (PNG, JPEG or WebP in base64).
    notes : tuple of str
        Sentences about content that is not shown, such as an image on another machine.

    Raises
    ------
    TypeError, ValueError
        If an argument is invalid.

    See Also
    --------
    Conversation : A sequence of turns.

    Examples
    --------
    >>> Turn("user", "Hello").text.text
    'Hello'
    """

    role: str
    text: Text = Text("")  # noqa: RUF009 - frozen
    calls: tuple[tuple[str, str], ...] = ()
    name: str | None = None
    images: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.role, str) or not self.role.strip():
            raise TypeError(f"role must be a string that says who speaks, got {self.role!r:.80}")
        if isinstance(self.text, str):
            object.__setattr__(self, "text", Text(self.text))
        if not isinstance(self.text, Text):
            raise TypeError(f"text must be a Text or a string, got {self.text!r:.80}")
        object.__setattr__(self, "calls", tuple((str(name), str(given)) for name, given in self.calls))
        for image in self.images:
            if not _SHOWN_IMAGE.fullmatch(image):
                raise ValueError(f"images must be data addresses of PNG, JPEG or WebP, got {image!r:.80}")
        object.__setattr__(self, "images", tuple(self.images))
        object.__setattr__(self, "notes", tuple(self.notes))


@dataclass(frozen=True)
class Conversation:
    """A conversation, or two that are shown side by side from their first difference.

    A prompt with an answer is a conversation of two turns; a prompt with two answers is two conversations.

    Attributes
    ----------
    turns : tuple of Turn
        Turns, or chat messages: mappings with "role" and "content", where the content is a string or a list
        of parts. Images on other machines are not loaded.
    beside : tuple of Turn, optional
        A second conversation. Their common beginning is shown once.
    reference : Text, optional
        The expected answer, shown on request. A string is converted.

    Raises
    ------
    TypeError, ValueError
        If an argument is invalid.

    See Also
    --------
    Pool : Accepts conversations as instances.

    Examples
    --------
    >>> asked = [{"role": "user", "content": "What is 1 + 1?"}]
    >>> both = Conversation([*asked, Turn("assistant", "2")], [*asked, Turn("assistant", "11")])
    >>> both.n_shared, both.answers
    (1, ('2', '11'))
    """

    turns: tuple[Turn, ...]
    beside: tuple[Turn, ...] | None = None
    reference: Text | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "turns", check_turns("turns", self.turns))
        if self.beside is not None:
            object.__setattr__(self, "beside", check_turns("beside", self.beside))
        if isinstance(self.reference, str):
            object.__setattr__(self, "reference", Text(self.reference))
        if self.reference is not None and not isinstance(self.reference, Text):
            raise TypeError(f"reference must be a Text, a string or None, got {self.reference!r:.80}")

    @property
    def n_shared(self) -> int:
        """The number of turns of the common beginning; all turns of a single conversation."""
        if self.beside is None:
            return len(self.turns)
        both = zip(self.turns, self.beside, strict=False)
        return next((at for at, (a, b) in enumerate(both) if a != b), min(len(self.turns), len(self.beside)))

    @property
    def answers(self) -> tuple[str, ...]:
        """The last turn of each conversation as text."""
        return tuple(turns[-1].text.text for turns in (self.turns, self.beside) if turns)


def check_turns(argument: str, value: Any) -> tuple[Turn, ...]:
    """Convert messages to turns, and check turns."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise TypeError(f"{argument} must be a sequence of turns or messages, got {value!r:.80}")
    turns = []
    for number, each in enumerate(value, 1):
        try:
            turns.append(each if isinstance(each, Turn) else turn_of(each))
        except (TypeError, ValueError) as error:
            raise type(error)(f"{argument}: message {number} {error}") from None
    if not turns:
        raise ValueError(f"{argument} must hold at least one turn, got none")
    return tuple(turns)


def is_messages(value: Any) -> bool:
    """Return whether a value looks like a list of messages."""
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str | bytes)
        and len(value) > 0
        and isinstance(value[0], Mapping)
        and bool({"role", "from"} & value[0].keys())
    )


def turn_of(message: Any, *, markdown: bool = False) -> Turn:
    """Convert a chat message to a turn."""
    if not isinstance(message, Mapping):
        raise TypeError(f"is {message!r:.60}, expected a mapping with role and content")
    role = message.get("role", message.get("from"))
    if not isinstance(role, str) or not role.strip():
        raise ValueError(f"has the role {role!r:.40}, expected a name such as 'user'")
    found = _Parts()
    found.add(message.get("content", message.get("value")))
    for call in message.get("tool_calls") or ():
        found.add_call(call)
    if isinstance(message.get("function_call"), Mapping):
        found.add_call(message["function_call"])
    error = message.get("error")
    if error:
        words = error.get("message", error) if isinstance(error, Mapping) else error
        found.texts.append(f"Error: {words}")
    name = message.get("name") or (message.get("function") if role == "tool" else None)
    return Turn(
        _ROLES.get(role.lower(), role),
        Text("\n\n".join(text for text in found.texts if text), markdown=markdown),
        tuple(found.calls),
        str(name) if isinstance(name, str) and name else None,
        tuple(found.images),
        tuple(found.notes),
    )


class _Parts:
    """The parts of a message's content."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.calls: list[tuple[str, str]] = []
        self.images: list[str] = []
        self.notes: list[str] = []

    def add(self, content: Any) -> None:
        if content is None:
            return
        if isinstance(content, str):
            self.texts.append(content)
        elif isinstance(content, Mapping):
            self._add_part(content)
        elif isinstance(content, list | tuple):
            for part in content:
                self.add(part)
        else:
            raise TypeError(f"has the content {content!r:.60}, expected a string or a list of parts")

    def add_call(self, call: Any) -> None:
        if not isinstance(call, Mapping):
            raise TypeError(f"has the tool call {call!r:.60}, expected a mapping")
        function = call.get("function", call)
        name = function.get("name") if isinstance(function, Mapping) else function
        given = function if isinstance(function, Mapping) else call
        arguments = given.get("arguments", given.get("input", ""))
        words = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
        self.calls.append((str(name or "a tool"), words[:_LONGEST_ARGUMENTS]))

    def _add_part(self, part: Mapping[str, Any]) -> None:
        kind = part.get("type", "text" if "text" in part else None)
        match kind:
            case "text" | "input_text" | "output_text":
                self.texts.append(str(part.get("text", "")))
            case "image_url" | "image" | "input_image":
                self._add_image(part)
            case "tool_use" | "tool_call":
                self.add_call(part)
            case "tool_result":
                self.add(part.get("content"))
            case "reasoning" | "thinking":
                self._note("What the model thought before it answered is not shown.")
            case _:
                self._note(f"A part of the kind “{kind}” is not shown.")

    def _add_image(self, part: Mapping[str, Any]) -> None:
        address: Any = part.get("image_url", part.get("image", part.get("source")))
        if isinstance(address, Mapping) and address.get("type") == "base64":
            address = f"data:{address.get('media_type')};base64,{address.get('data')}"
        if isinstance(address, Mapping):
            address = address.get("url")
        if isinstance(address, str) and _SHOWN_IMAGE.fullmatch(address):
            self.images.append(address)
        else:
            self._note("An image that is kept elsewhere is not loaded.")

    def _note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)
