"""A session's log in the storage of a browser, which the page writes."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from activeeval_widgets.formats.json_text import from_text
from activeeval_widgets.session.errors import DamagedStoreError
from activeeval_widgets.session.stores import chain
from activeeval_widgets.session.stores.memory import MemoryStore
from activeeval_widgets.session.stores.protocol import Record, to_text


class BrowserStore(MemoryStore):
    """The log of one session, whose new events, as rows, the page stores before it confirms anything."""

    place = "in this browser"
    is_lasting = True
    checks_numbers = True
    problem: str | None = None
    notices: tuple[str, ...] = ()

    def __init__(
        self,
        name: str,
        identity: Mapping[str, str] | None,
        rows: Iterable[Mapping[str, Any]],
        on_event: Callable[[dict[str, Any]], None],
    ) -> None:
        super().__init__()
        self._on_event = on_event
        self._head = chain.beginning(name)
        if identity is not None:
            super().begin(name, identity)
        self.take(name, rows)

    def take(self, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Take events that are stored, as far as they are new here."""
        known = len(self.events_since(name, 0))
        links = [chain.Link(row["seq"], row["text"], row["hash"]) for row in rows if row["seq"] > known]
        whole = chain.check(name, links, after=known, head=self._head)
        if whole.breaks_at is not None:
            raise DamagedStoreError(
                f"the session {name!r} is damaged in this browser: event {whole.breaks_at} is not as it was "
                "written"
            )
        for text in whole.texts:
            super().append(name, from_text(text))
        self._head = whole.head

    def append(self, name: str, record: Record) -> None:
        """Add a record; see `Store.append`."""
        super().append(name, record)
        text = to_text(record)
        self._head = chain.link(self._head, record["seq"], text)
        self._on_event({"seq": record["seq"], "text": text, "hash": self._head})
