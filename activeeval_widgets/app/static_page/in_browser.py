"""A session on a static page: what runs in the page's worker, whose Python is WebAssembly.

The worker's script (`frontend/src/static_page/worker.ts`) calls this. It writes new events into the browser's
storage before it passes on messages to the page, so that the page confirms nothing that is not stored.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from activeeval_widgets.app.static_page.browser_store import BrowserStore
from activeeval_widgets.app.static_page.content import goal_from_dict, options_from_dict
from activeeval_widgets.app.static_page.to_page import message_sender
from activeeval_widgets.formats import SessionFile, read_session_file, verify
from activeeval_widgets.formats.json_text import to_text
from activeeval_widgets.formats.session_file.reading import keep
from activeeval_widgets.formats.session_file.writing import document_of
from activeeval_widgets.formats.session_names import next_name
from activeeval_widgets.session import Session
from activeeval_widgets.session.pool.fingerprints import default_seed
from activeeval_widgets.widgets.page_channel import PageChannel
from activeeval_widgets.widgets.result.session_details import keep_details
from activeeval_widgets.widgets.session_page import SessionPage

_OF_EACH = {"draw", "guidelines"}
"""The events that each session begins with; others, such as a margin, are in the exported one alone."""

Kept = Mapping[str, Any]
"""What the browser has of a session: its "identity", and "rows" of events; of a new one, None and none."""


class StaticPage:
    """One session, and the messages between it and its page: JSON and buffers, after the events they tell."""

    def __init__(
        self,
        folder: str,
        post: Callable[[str, Sequence[bytes]], None],
        on_event: Callable[[str], None],
    ) -> None:
        self._file = read_session_file(Path(folder) / "session.json")
        self._about = json.loads((Path(folder) / "page.json").read_text(encoding="utf-8"))
        self._options = options_from_dict(self._about["options"], self._file.pool)
        self._send, self._on_event = message_sender(post), on_event
        self._page: SessionPage[PageChannel] | None = None
        self._store: BrowserStore | None = None

    def open(
        self,
        name: str,
        kept_json: str,
        names_json: str,
        problem: str | None = None,
        notice: str | None = None,
    ) -> None:
        """Open a session as the browser has it, or begin it; a problem can be tried again, a notice not."""
        kept, names = json.loads(kept_json), json.loads(names_json)
        is_again = self._page is not None
        if self._page is not None:
            self._page.close()
        store = BrowserStore(name, kept["identity"], kept["rows"], self._send_event)
        store.problem, store.notices = problem, () if notice is None else (notice,)
        if kept["identity"] is None and name == self._file.name:
            keep(store, name, self._file.document["identity"], self._file.records)
        session = Session(
            self._file.pool,
            self._file.measure,
            store=store,
            name=name,
            goal=goal_from_dict(self._about["goal"]),
            sheets=self._about["sheets"],
            **{**self._file.options, "seed": self._seed_of(name, kept["identity"])},
        )
        keep_details(session, {"title": self._options.title, "question": self._options.question})
        page = SessionPage(session, self._options, lambda _: None, PageChannel)
        page.sessions = names if name in names else [*names, name]
        begins = {record["kind"] for record in self._file.records}
        if begins <= _OF_EACH:
            page.new_session = next_name(page.sessions, self._file.name)
        page.front_end.join(self._send)
        self._page, self._store = page, store
        if is_again:
            page.send_config()

    def receive(self, message: str, buffers: Sequence[Any]) -> None:
        """Take a message of the page."""
        content = json.loads(message)
        if buffers:
            content["buffers"] = buffers
        self._opened.front_end.receive(content)

    def take(self, rows_json: str) -> None:
        """Take events that another tab has stored."""
        if self._store is not None:
            self._store.take(self._opened.session.name, json.loads(rows_json))
            self._opened.sync.poll()

    def set_problem(self, problem: str | None) -> None:
        """Set why nothing can be stored, and tell the page."""
        if self._store is not None and self._store.problem != problem:
            self._store.problem = problem
            self._opened.send_state()

    def identity(self) -> str:
        """Return the name and the identity of the session, as JSON."""
        session = self._opened.session
        return json.dumps({"name": session.name, "identity": session.storage.identity})

    def export(self) -> str:
        """Return the session as a file, which `sessions import` and `verify` read."""
        return to_text(document_of(self._opened.session, with_contents=True))

    def import_(self, text: str, names_json: str) -> str:
        """Return name, identity and events of a session's file as JSON; the name is new if it differs."""
        path = Path("This file")
        path.write_text(text, encoding="utf-8")
        try:
            file = read_session_file(path)
            session = self._opened.session
            identity = file.document["identity"]
            if {**identity, "seed": ""} != {**session.storage.identity, "seed": ""}:
                raise ValueError("This file comes from another page: its data or settings differ.")
            found = verify(file)
        finally:
            path.unlink()
        if not found.follows:
            raise ValueError(f"This file does not follow from its log: {found.findings[0]}.")
        here = self._store.events_since(session.name, 0) if self._store is not None else []
        is_this = identity == session.storage.identity and here == file.records[: len(here)]
        name = session.name if is_this else next_name(json.loads(names_json), self._file.name)
        rows: list[dict[str, Any]] = []
        keep(BrowserStore(name, None, (), rows.append), name, identity, file.records)
        return json.dumps({"name": name, "identity": identity, "rows": rows})

    @property
    def _opened(self) -> SessionPage[PageChannel]:
        assert self._page is not None  # noqa: S101 - the worker opens it first
        return self._page

    def _seed_of(self, name: str, begun_with: Mapping[str, str] | None) -> int:
        """Return the seed of a session: each new one draws anew, unless one was given for all."""
        if begun_with is not None:
            return int(begun_with["seed"])
        file: SessionFile = self._file
        is_own = name == file.name or self._about["is_seed_given"]
        if is_own:
            return int(file.document["settings"]["seed"])
        return default_seed(name, file.pool.fingerprints["predictions"])

    def _send_event(self, row: dict[str, Any]) -> None:
        self._on_event(json.dumps(row))
