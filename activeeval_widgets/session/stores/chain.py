"""Hash chains that reveal changes of a log.

Each event's hash includes the one before it, so a changed, missing or exchanged event breaks the chain. A
session's seal is a hash of its name and identity.
"""

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple


class Link(NamedTuple):
    """A stored event: its number, its JSON text, and its hash."""

    seq: int
    text: str
    hash: str


class Whole(NamedTuple):
    """The intact part of a log."""

    texts: list[str]
    head: str
    """The hash of the last intact event."""
    breaks_at: int | None
    """The number of the first event that is not intact; None if all are."""


def digest(*parts: str | int) -> str:
    """Return the SHA-256 of values as JSON, in hexadecimal."""
    return sha256(json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


def seal(name: str, begun: str, identity: str) -> str:
    """Return the hash of a session's name, beginning and identity."""
    return digest("session", name, begun, identity)


def beginning(name: str) -> str:
    """Return the hash before a session's first event."""
    return digest("events of", name)


def link(before: str, seq: int, text: str) -> str:
    """Return an event's hash."""
    return digest(before, seq, text)


def check(name: str, links: Iterable[Link], *, after: int = 0, head: str | None = None) -> Whole:
    """Check a chain from its beginning, or after an event with the hash `head`."""
    texts: list[str] = []
    head = beginning(name) if head is None else head
    for seq, text, found in links:
        if seq != after + len(texts) + 1 or not isinstance(text, str) or link(head, seq, text) != found:
            return Whole(texts, head, after + len(texts) + 1)
        texts.append(text)
        head = found
    return Whole(texts, head, None)
