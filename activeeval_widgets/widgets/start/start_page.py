"""The start page, with the handlers of its messages."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import RLock
from typing import Any, Protocol

from activeeval_widgets.formats import candidates, write_session
from activeeval_widgets.formats.table_files import is_candidate
from activeeval_widgets.session import Session, Store, StoreError
from activeeval_widgets.session.stores.protocol import store_member
from activeeval_widgets.stats.text import counted
from activeeval_widgets.widgets.front_end import STATIC, FrontEnd
from activeeval_widgets.widgets.messages import START_FROM_PAGE, START_QUESTIONS
from activeeval_widgets.widgets.page_channel import Reply
from activeeval_widgets.widgets.result.content import saved_file
from activeeval_widgets.widgets.start.evaluations import evaluation_list, hidden_names, store_of
from activeeval_widgets.widgets.start.new_evaluation import NewEvaluation
from activeeval_widgets.widgets.start.uploads import LARGEST, PART_SIZE, Uploads, clean_name, size_text

_logger = logging.getLogger(__name__)

_MAX_FILES = 200
_SETTINGS = "*.toml"


def _is_offered(path: Path) -> bool:
    """Return whether a file in the folder is one to choose: predictions or settings, and not hidden."""
    return is_candidate(path) or (path.match(_SETTINGS) and not path.name.startswith("."))


class GuestLinks(Protocol):
    """Links that each open one evaluation."""

    def invite(self, session: str) -> str:
        """Create a link, and return its token."""

    def revoke(self, session: str) -> None:
        """Revoke all links for an evaluation."""

    def counts(self) -> Mapping[str, int]:
        """Return the number of links for each evaluation."""


class StartPage(FrontEnd):
    """Lists the evaluations of a store, starts new ones from files, and offers the demos."""

    questions = tuple(START_QUESTIONS)
    messages = START_FROM_PAGE

    _esm = (STATIC / "start.js").read_text(encoding="utf-8")
    _css = (STATIC / "start.css").read_text(encoding="utf-8")

    def __init__(
        self,
        store: Store,
        folder: Path,
        open_session: Callable[[str], Session],
        *,
        other_stores: Sequence[Store] = (),
        demos: Sequence[Mapping[str, str]] = (),
        upload_folder: Path | None = None,
        notices: Sequence[str] = (),
        who: str | None = None,
        guests: GuestLinks | None = None,
    ) -> None:
        self._guests = guests
        self._store, self._folder, self._open_session = store, folder, open_session
        self._stores = (store, *other_stores)
        self._demos, self._notices, self._who = demos, notices, who
        self._kept_in = upload_folder or folder
        self._uploads = Uploads(self._kept_in)
        self._new: NewEvaluation | None = None
        super().__init__(
            {
                "hello": self._hello,
                "ping": lambda _: ({}, []),
                "evaluations": lambda message: (self._list(message["shows_archived"] is True), []),
                "folder": lambda _: ({"files": self._files()}, []),
                "choose": self._choose,
                "upload": self._upload,
                "roles": self._change_roles,
                "plans": lambda m: (
                    {"plans": self._begun.plans(m["measure"], m["positive"], m["sheets"])},
                    [],
                ),
                "command": lambda m: ({"command": self._begun.command(m)}, []),
                "start": lambda m: ({"open_session": self._begun.start(m, self._who)}, []),
                "export": self._export,
                "archive": self._archive,
                "invite": self._invite,
                "revoke": self._revoke,
            },
            RLock(),
            on_repeat=lambda: None,
        )

    def close(self) -> None:
        """Close the page, and discard incomplete uploads."""
        if hasattr(self, "_uploads"):
            self._uploads.close()
        super().close()

    # -- the list -------------------------------------------------------------------------------------------

    def _hello(self, _message: Mapping[str, Any]) -> Reply:
        n = counted(len({name for store in self._stores for name in store.names()}), "evaluations")
        path = store_member(self._store, "path")
        place = path.name if path is not None else store_member(self._store, "place") or ""
        content = {
            "place": " · ".join(filter(None, [place, n])),
            "folder": str(self._kept_in),
            "notices": [*self._notices, *self._store_notices()],
            "demos": [dict(demo) for demo in self._demos],
            "largest": LARGEST,
            "largest_text": size_text(LARGEST),
            "part_size": PART_SIZE,
            "has_guests": self._guests is not None,
        }
        return {"start": content}, []

    def _store_notices(self) -> list[str]:
        notices = [notice for store in self._stores for notice in store_member(store, "notices")]
        for name in hidden_names(self._stores):
            *_, other = (store for store in self._stores if name in store.names())
            notices.append(
                f"There is another {name} {store_member(other, 'place') or 'in another store'}: "
                f"activeeval-widgets open --store {store_member(other, 'path')} shows it."
            )
        return notices

    def _list(self, shows_archived: bool) -> dict[str, Any]:
        found = evaluation_list(self._stores, shows_archived=shows_archived)
        n_links = {} if self._guests is None else self._guests.counts()
        for row in found["rows"]:
            row["n_guest_links"] = n_links.get(row["session"], 0)
        return {"evaluations": found}

    def _invite(self, message: Mapping[str, Any]) -> Reply:
        """Create a link for an evaluation; the page adds its own address."""
        name = message["session"]
        if self._guests is None:
            raise ValueError("Links for guests need a server of their own: activeeval-widgets open.")
        if name not in store_of(self._stores, name).names():
            raise ValueError(f"There is no evaluation {name!r}.")
        return {"guest_link": {"session": name, "token": self._guests.invite(name)}}, []

    def _revoke(self, message: Mapping[str, Any]) -> Reply:
        """Revoke the links for an evaluation."""
        if self._guests is not None:
            self._guests.revoke(message["session"])
        return self._list(message["shows_archived"]), []

    def _archive(self, message: Mapping[str, Any]) -> Reply:
        name, is_archived = message["session"], message["is_archived"] is True
        try:
            store_member(store_of(self._stores, name), "keep_details")(
                name, {"is_archived": is_archived or None}
            )
        except StoreError as error:
            raise ValueError(str(error)) from error
        return self._list(message["shows_archived"] is True), []

    def _export(self, message: Mapping[str, Any]) -> Reply:
        name = message["session"]
        store = store_of(self._stores, name)
        if name not in store.names():
            raise ValueError(f"There is no evaluation {name!r}.")
        session = self._open_session(name)
        details = store_member(store, "details")(name)
        if message["which"] == "session":
            return {"file": _whole(session)}, []
        texts = {"title": details.get("title") or name, "question": details.get("question"), "unit": None}
        return {"file": saved_file(session, message["which"], texts)}, []

    # -- a new one ------------------------------------------------------------------------------------------

    def _files(self) -> list[dict[str, str]]:
        try:
            paths = [*candidates(self._folder), *sorted(filter(_is_offered, self._folder.glob(_SETTINGS)))]
        except OSError as error:
            raise ValueError(f"{self._folder} can't be read: {error.strerror}.") from error
        found = []
        for path in paths[:_MAX_FILES]:
            with suppress(OSError):  # deleted in the meantime
                found.append({"path": path.name, "size": size_text(path.stat().st_size)})
        return found

    def _choose(self, message: Mapping[str, Any]) -> Reply:
        path = self._folder / str(message["path"])
        # Only files that the page was offered: others in the folder may hold secrets.
        if path.parent != self._folder or not _is_offered(path) or not path.is_file():
            raise ValueError(f"{path.name} is no longer in {self._folder}.")
        return self._begin(path, message["after"])

    def _upload(self, message: Mapping[str, Any]) -> Reply:
        n_bytes, uploaded = self._uploads.take(message)
        received = {"received": {"upload": message["upload"], "n_bytes": n_bytes}}
        if uploaded is None:
            return received, []
        try:
            name = clean_name(str(message["name"]))
            reply, buffers = self._begin(uploaded.path, message["after"], name)
        except ValueError:
            if uploaded.is_new:
                uploaded.path.unlink(missing_ok=True)  # not a table, and so useless here
            raise
        return {**received, **reply}, buffers

    def _begin(self, path: Path, after: str | None, name: str | None = None) -> Reply:
        self._new = None
        self._new = NewEvaluation(path, self._stores, self._kept_in, self._open_session, after, name)
        return {"new": self._new.content()}, []

    def _change_roles(self, message: Mapping[str, Any]) -> Reply:
        try:
            self._begun.change_roles(message["roles"])
        except ValueError as error:
            return {"new": self._begun.content(), "error": str(error)}, []
        return {"new": self._begun.content()}, []

    @property
    def _begun(self) -> NewEvaluation:
        if self._new is None:
            raise ValueError("The page was restarted. Choose the file again.")
        return self._new


def _whole(session: Session) -> dict[str, str]:
    """Return a session as one file, which can be imported and verified."""
    with TemporaryDirectory() as folder:
        text = write_session(session, Path(folder) / "session.json").read_text(encoding="utf-8")
    return {"name": f"{session.name}.json", "type": "application/json", "text": text}
