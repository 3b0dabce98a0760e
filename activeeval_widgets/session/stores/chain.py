"""Hash chains that reveal changes of a log.

Each event's hash includes the one before it, so a changed, missing or exchanged event breaks the chain. A
session's seal is a hash of its name and identity.
"""

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

from activeeval_widgets.stats.text import counted


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

    def break_in(self, name: str) -> str:
        """Describe where the log of a session breaks."""
        return f"event {self.breaks_at} of the session {name!r} is not as it was written, or missing"

    def damage(self, name: str) -> str:
        """Describe where the log of a session breaks, and how much of it is whole."""
        n = len(self.texts)
        return (
            f"{self.break_in(name)}; the {counted(n, 'events')} before it {'is' if n == 1 else 'are'} whole"
        )


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


def links_of(name: str, texts: Iterable[str]) -> list[Link]:
    """Return the whole chain of events, given by their texts."""
    links: list[Link] = []
    head = beginning(name)
    for seq, text in enumerate(texts, start=1):
        head = link(head, seq, text)
        links.append(Link(seq, text, head))
    return links


def check_whole(name: str, links: Sequence[Link], n_events: int, head: str) -> Whole:
    """Check a chain from its beginning, which has to end as the session says."""
    whole = check(name, links)
    if whole.breaks_at is None and (len(links), whole.head) != (n_events, head):
        return whole._replace(breaks_at=len(links) + 1)
    return whole


def check_rest(name: str, links: Sequence[Link], after: int, known: tuple[int, str] | None) -> Whole:
    """Check a chain after an event, which comes first in `links`; `known` is the end that was seen last."""
    if after == 0:
        head, rest = beginning(name), links
    elif links and links[0].seq == after:
        head, rest = links[0].hash, links[1:]
    else:
        head, rest = "", links
    whole = check(name, rest, after=after, head=head)
    if known is not None and known[0] == after and known[1] != head:
        return whole._replace(breaks_at=after)
    return whole
