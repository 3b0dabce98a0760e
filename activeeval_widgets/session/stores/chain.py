"""Hashes that tell whether a log is as it was written.

Each event's hash is over the one before it, so that a changed, missing or exchanged event breaks the chain
there. A session's seal is over its name and identity.
"""

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple


class Link(NamedTuple):
    """An event as it is kept: its number, its text (JSON), and its hash."""

    seq: int
    text: str
    hash: str


class Whole(NamedTuple):
    """How far a log is as it was written."""

    texts: list[str]
    head: str
    """The hash of the last of these."""
    breaks_at: int | None
    """The number of the first event that is not; None if all are."""


def digest(*parts: str | int) -> str:
    """The hash of some values: SHA-256 of their JSON, in hexadecimal."""
    return sha256(json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


def seal(name: str, begun: str, identity: str) -> str:
    """The hash of what a session was begun with."""
    return digest("session", name, begun, identity)


def beginning(name: str) -> str:
    """The hash before a session's first event."""
    return digest("events of", name)


def link(before: str, seq: int, text: str) -> str:
    """An event's hash."""
    return digest(before, seq, text)


def check(name: str, links: Iterable[Link], *, after: int = 0, head: str | None = None) -> Whole:
    """Follow a chain as far as it is whole: from its beginning, or after an event of the hash `head`."""
    texts: list[str] = []
    head = beginning(name) if head is None else head
    for seq, text, found in links:
        if seq != after + len(texts) + 1 or not isinstance(text, str) or link(head, seq, text) != found:
            return Whole(texts, head, after + len(texts) + 1)
        texts.append(text)
        head = found
    return Whole(texts, head, None)
