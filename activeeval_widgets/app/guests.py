"""Links for guests, each of which opens one session until it is revoked.

A link is a file in a folder of the server's user, named by a digest of its token. The start page makes and
revokes it in a kernel, and the server looks it up at each request. The folder's name is derived from the
owner's token, so that guests' links work as long as the owner's.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

FOLDER_VARIABLE = "ACTIVEEVAL_WIDGETS_GUESTS"
GUEST_VARIABLE = "ACTIVEEVAL_WIDGETS_GUEST"
"""Has the session's name in the kernel of a guest's page."""

_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Guest:
    """A visitor who came by the link for one session."""

    link: str  # a digest that does not reveal the token
    session: str
    cookie: str  # what the browser keeps instead of the token


class Guests:
    """The links for guests of one server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def of_owner(cls, token: str, parent: Path) -> Guests:
        """Return the links of the server with an owner's token."""
        return cls(parent / _derived(token, "folder of guests")[:32])

    def invite(self, session: str, token: str | None = None) -> str:
        """Make a link; return its token."""
        token = token or secrets.token_urlsafe(24)
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = self.folder / f".{secrets.token_hex(8)}"
        beside.touch(mode=0o600)
        beside.write_text(json.dumps(session), encoding="utf-8")
        beside.replace(self.folder / _digest(_derived(token, "cookie")))
        return token

    def revoke(self, session: str) -> None:
        """Revoke all links for a session."""
        for path, named in self._links():
            if named == session:
                path.unlink(missing_ok=True)

    def counts(self) -> Counter[str]:
        """Return the number of links for each session."""
        return Counter(session for _, session in self._links())

    def with_token(self, token: str) -> Guest | None:
        """Return the guest whose link has this token; None if there is no such link."""
        return self.with_cookie(_derived(token, "cookie"))

    def with_cookie(self, cookie: str) -> Guest | None:
        """Return the guest who has this cookie; None if the link was revoked or never existed."""
        link = _digest(cookie)
        session = _read(self.folder / link)
        return None if session is None else Guest(link, session, cookie)

    def is_open(self, link: str) -> bool:
        """Return whether a link exists and was not revoked."""
        return (self.folder / link).is_file()

    def _links(self) -> Iterator[tuple[Path, str]]:
        for path in self.folder.glob("*"):
            session = _read(path) if _DIGEST.fullmatch(path.name) else None
            if session is not None:
                yield path, session


def printed_token(owner: str, session: str) -> str:
    """Derive the token of the link that a command prints from the owner's."""
    return _derived(owner, f"guest of {session}")[:40]


def guests_of_page() -> Guests | None:
    """Return the links that a page's kernel may make; None in a guest's kernel or without a server."""
    folder = os.environ.get(FOLDER_VARIABLE)
    return None if folder is None or GUEST_VARIABLE in os.environ else Guests(Path(folder))


def _read(path: Path) -> str | None:
    with suppress(OSError, ValueError):
        session = json.loads(path.read_text(encoding="utf-8"))
        return session if isinstance(session, str) else None
    return None


def _derived(secret: str, purpose: str) -> str:
    key = secret.encode("utf-8", "surrogatepass")
    return hmac.new(key, f"activeeval-widgets {purpose}".encode(), hashlib.sha256).hexdigest()


def _digest(cookie: str) -> str:
    return hashlib.sha256(cookie.encode("utf-8", "surrogatepass")).hexdigest()
