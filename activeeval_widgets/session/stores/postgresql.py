"""A store in a PostgreSQL database, for people at several machines."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from threading import Lock
from typing import Any, NamedTuple

from sqlalchemy import Connection, Text, bindparam, delete, select, text, update
from sqlalchemy.dialects.postgresql import insert

from activeeval_widgets.session.errors import DamagedStoreError, LostStoreError, StoreError
from activeeval_widgets.session.stores import chain
from activeeval_widgets.session.stores.postgresql_connection import Address, Database
from activeeval_widgets.session.stores.postgresql_tables import DETAILS, EVENTS, SESSIONS
from activeeval_widgets.session.stores.protocol import (
    BaseStore,
    Record,
    check_detail,
    check_identity,
    read_details,
    read_identity,
    to_text,
)
from activeeval_widgets.session.stores.sequence_numbers import conflict

LONGEST_NAME = 600
"""The maximum length of a session's name: PostgreSQL indexes at most 2,700 bytes."""


class _Found(NamedTuple):
    """A stored session."""

    begun_with: str
    is_sealed: bool
    n_events: int
    head: str
    links: list[chain.Link]


class PostgreSQLStore(BaseStore):
    """A store in a PostgreSQL database. When `append` returns, the record is on the server's disk.

    Events are chained by hashes, as in a file. If a connection breaks during a commit, the store checks
    whether the record was stored. It waits some seconds for a server that restarts. It can be used in any
    thread and after a fork.
    """

    checks_numbers = True

    def __init__(self, address: str) -> None:
        self._address = Address(address)
        self.place = self._address.place
        self._database = Database(self._address)
        self._known: dict[str, tuple[int, str]] = {}
        self._damage: dict[str, str] = {}
        self._lock = Lock()

    @property
    def problem(self) -> str | None:
        """Why nothing can be saved now, as far as known; None if it can."""
        return self._database.problem or next(iter(self._damage.values()), None)

    @property
    def notices(self) -> tuple[str, ...]:
        """A notice if the server does not wait for its disk."""
        found: str | None = None
        with suppress(StoreError):  # reported by `problem`
            found = self._database.ask(lambda c: c.scalar(text("SELECT current_setting('fsync')")))
        if found != "off":
            return ()
        return (
            f"The server of {self._address.name} does not wait for its disk (fsync is off): after a power "
            "failure there, answers may be missing.",
        )

    def begin(self, name: str, identity: Mapping[str, str]) -> list[Record]:
        """Begin or resume a session; see `Store.begin`.

        For a damaged session, return the intact events before the first damaged one, and set `problem`.
        """
        self._check_name(name)
        found = self._database.read(lambda connection: _find(connection, name))
        if found is None:
            self._database.write(lambda connection: _make(connection, name, identity))
            found = self._database.read(lambda connection: _find(connection, name))
        if found is None:
            raise LostStoreError(f"the session {name!r} is gone from {self._address.name}")
        whole = chain.check_whole(name, found.links, found.n_events, found.head)
        if whole.breaks_at is not None:
            self._damaged(name, whole.damage(name))
        if not found.is_sealed:
            self._damaged(name, f"what the session {name!r} was begun with is not as it was written")
        with suppress(*([ValueError] if name in self._damage else [])):
            check_identity(name, json.loads(found.begun_with), identity)
        self._knows(name, len(whole.texts), whole.head)
        return [json.loads(each) for each in whole.texts]

    def begin_with(self, name: str, identity: Mapping[str, str], records: Sequence[Record]) -> None:
        """Begin a session with an existing log; see `BaseStore.begin_with`."""
        self._check_name(name)
        links = chain.links_of(name, map(to_text, records))
        head = links[-1].hash if links else chain.beginning(name)
        rows = [{"session": name, "seq": each.seq, "record": each.text, "hash": each.hash} for each in links]
        tried: list[None] = []

        def add(connection: Connection) -> None:
            if not _make(connection, name, identity, n_events=len(rows), head=head):
                query = select(SESSIONS.c.head).where(SESSIONS.c.name == name).with_for_update(key_share=True)
                if tried and connection.scalar(query) == head:
                    return  # an interrupted attempt has succeeded
                raise StoreError(f"there is a session {name!r} already")
            tried.append(None)
            for start in range(0, len(rows), 500):
                connection.execute(insert(EVENTS), rows[start : start + 500])

        self._database.write(add)
        self._knows(name, len(rows), head)

    def append(self, name: str, record: Record) -> None:
        """Add a record; see `Store.append`."""
        if name in self._damage:
            raise DamagedStoreError(self._damage[name])
        content, seq = to_text(record), int(record["seq"])
        tried: list[str] = []  # the hash, if an interrupted attempt may have stored it
        n_known, head_known = self._known.get(name, (None, ""))

        def add_at_once(connection: Connection) -> bool:
            if tried:
                return False
            tried[:] = [chain.link(head_known, seq, content)]
            values = {"of": name, "n_before": seq - 1, "before": head_known, "n_after": seq}
            values |= {"content": content, "hashed": tried[0]}
            if connection.scalar(_ADDITION, values) is not None:
                return True
            tried.clear()
            return False

        # Usually nobody else has added anything, and this takes one round trip.
        if n_known == seq - 1 and self._database.change_at_once(add_at_once):
            self._added(name, seq, tried[0])
            return

        def add(connection: Connection) -> str:
            # Locked until the end, to wait for an interrupted attempt that the server is still running.
            query = select(SESSIONS.c.n_events, SESSIONS.c.head).where(SESSIONS.c.name == name)
            row = connection.execute(query.with_for_update(key_share=True)).one_or_none()
            if row is None:
                raise self._without(name)
            n_events, head = row
            if tried and _hash_of(connection, name, seq) == tried[0]:
                return tried[0]
            known = self._known.get(name)
            if known is not None and known != (n_events, head) and known[0] >= n_events:
                what = f"the session {name!r} does not end as it did when it was last written"
                raise DamagedStoreError(self._damaged(name, what))
            if seq != n_events + 1:
                raise conflict(name)
            tried[:] = [chain.link(head, seq, content)]
            connection.execute(insert(EVENTS).values(session=name, seq=seq, record=content, hash=tried[0]))
            changed = update(SESSIONS).where(SESSIONS.c.name == name)
            connection.execute(changed.values(n_events=seq, head=tried[0]))
            return tried[0]

        self._added(name, seq, self._database.write(add))

    def identity(self, name: str) -> dict[str, str] | None:
        """Return the identity of a session; see `Store.identity`."""
        query = select(SESSIONS.c.identity).where(SESSIONS.c.name == name)
        found = None
        if _can_be_kept(name):
            found = self._database.ask(lambda connection: connection.scalar(query))
        return read_identity(found)

    def names(self) -> list[str]:
        """Return the sessions' names; see `Store.names`."""
        query = select(SESSIONS.c.name).order_by(SESSIONS.c.number)
        return list(self._database.ask(lambda connection: connection.scalars(query).all()))

    def details(self, name: str) -> dict[str, Any]:
        """Return the details of a session; see `BaseStore.details`."""
        if not _can_be_kept(name):
            return {}
        query = select(DETAILS.c.key, DETAILS.c.value).where(DETAILS.c.session == name)
        return read_details(self._database.ask(lambda connection: connection.execute(query).all()))

    def all_details(self) -> dict[str, dict[str, Any]]:
        """Return the details of all sessions; see `BaseStore.all_details`."""
        query = (
            select(SESSIONS.c.name, DETAILS.c.key, DETAILS.c.value)
            .join(DETAILS, DETAILS.c.session == SESSIONS.c.name, isouter=True)
            .order_by(SESSIONS.c.number)
        )
        kept: dict[str, list[Any]] = {}
        for name, *detail in self._database.ask(lambda connection: connection.execute(query).all()):
            kept.setdefault(name, []).append(detail)
        return {
            name: read_details(each for each in rows if each[0] is not None) for name, rows in kept.items()
        }

    def keep_details(self, name: str, changes: Mapping[str, Any]) -> None:
        """Change details of a session; see `BaseStore.keep_details`."""
        checked = {key: check_detail(key, value) for key, value in changes.items()}

        def keep(connection: Connection) -> None:
            if connection.scalar(select(SESSIONS.c.number).where(SESSIONS.c.name == name)) is None:
                raise self._without(name)
            for key in sorted(checked):  # sorted to avoid deadlocks
                if checked[key] is None:
                    gone = delete(DETAILS).where(DETAILS.c.session == name, DETAILS.c.key == key)
                    connection.execute(gone)
                else:
                    new = insert(DETAILS).values(session=name, key=key, value=to_text(checked[key]))
                    taken = new.on_conflict_do_update(
                        index_elements=[DETAILS.c.session, DETAILS.c.key], set_={"value": new.excluded.value}
                    )
                    connection.execute(taken)

        self._database.write(keep)

    def events_since(self, name: str, seq: int) -> list[Record]:
        """Return the intact records after a number; see `BaseStore.events_since`."""
        if not _can_be_kept(name):
            return []
        values = {"of": name, "first": seq}
        found = [chain.Link(*row) for row in self._database.ask(lambda c: c.execute(_LINKS, values).all())]
        known = self._known.get(name)
        whole = chain.check_rest(name, found, seq, known)
        if whole.breaks_at is not None:
            raise DamagedStoreError(self._damaged(name, whole.break_in(name)))
        if known is not None and known[0] == seq:
            self._added(name, seq + len(whole.texts), whole.head)
        return [json.loads(each) for each in whole.texts]

    def close(self) -> None:
        """Close the connections. The store can't be used afterwards."""
        self._database.close()

    def __repr__(self) -> str:
        return f"PostgreSQLStore({self._address.name!r})"

    @staticmethod
    def _check_name(name: str) -> None:
        if not _can_be_kept(name):
            raise StoreError(
                f"the session's name must have at most {LONGEST_NAME} characters that can be written as "
                f"UTF-8, and no NUL, got {name[:80]!r}"
            )

    def _without(self, name: str) -> StoreError:
        """Return the error for a missing session."""
        if name in self._known:
            return LostStoreError(f"the session {name!r} is gone from {self._address.name}")
        return StoreError(f"the session {name!r} was not begun")

    def _damaged(self, name: str, what: str) -> str:
        """Mark a session as damaged, so that nothing is added; return the reason."""
        self._damage[name] = (
            f"{self._address.name} is damaged: {what}. "
            "What is intact can be read; nothing will be added to it"
        )
        return self._damage[name]

    def _knows(self, name: str, n_events: int, head: str) -> None:
        with self._lock:
            self._known[name] = (n_events, head)

    def _added(self, name: str, n_events: int, head: str) -> None:
        with self._lock:
            known = self._known.get(name)
            if known is not None and n_events > known[0]:  # another thread may have added more
                self._known[name] = (n_events, head)


def _make_addition() -> Any:
    """Return the statement that adds an event if the session still ends with the one before it."""
    is_end = (SESSIONS.c.n_events == bindparam("n_before"), SESSIONS.c.head == bindparam("before"))
    changed = update(SESSIONS).where(SESSIONS.c.name == bindparam("of"), *is_end)
    changed = changed.values(n_events=bindparam("n_after"), head=bindparam("hashed"))
    of_it = changed.returning(SESSIONS.c.name, SESSIONS.c.n_events, SESSIONS.c.head).cte("changed")
    row = select(of_it.c.name, of_it.c.n_events, bindparam("content", type_=Text), of_it.c.head)
    added = insert(EVENTS).from_select(["session", "seq", "record", "hash"], row)
    return added.returning(EVENTS.c.seq)


# Built once, as each label needs them.
_ADDITION = _make_addition()
_LINKS = (
    select(EVENTS.c.seq, EVENTS.c.record, EVENTS.c.hash)
    .where(EVENTS.c.session == bindparam("of"), EVENTS.c.seq >= bindparam("first"))
    .order_by(EVENTS.c.seq)
)


def _find(connection: Connection, name: str) -> _Found | None:
    about = (SESSIONS.c.begun, SESSIONS.c.identity, SESSIONS.c.seal, SESSIONS.c.n_events, SESSIONS.c.head)
    row = connection.execute(select(*about).where(SESSIONS.c.name == name)).one_or_none()
    if row is None:
        return None
    begun, begun_with, seal, n_events, head = row
    links = [chain.Link(*each) for each in connection.execute(_LINKS, {"of": name, "first": 0})]
    return _Found(begun_with, chain.seal(name, begun, begun_with) == seal, n_events, head, links)


def _make(
    connection: Connection, name: str, identity: Mapping[str, str], *, n_events: int = 0, head: str = ""
) -> bool:
    """Begin a session unless there is one of that name; return whether it was begun."""
    begun, about = datetime.now(UTC).isoformat(), to_text(dict(identity))
    new = insert(SESSIONS).values(
        name=name,
        begun=begun,
        identity=about,
        seal=chain.seal(name, begun, about),
        n_events=n_events,
        head=head or chain.beginning(name),
    )
    begun_here = new.on_conflict_do_nothing(index_elements=[SESSIONS.c.name]).returning(SESSIONS.c.name)
    return connection.scalar(begun_here) is not None


def _hash_of(connection: Connection, name: str, seq: int) -> str | None:
    query = select(EVENTS.c.hash).where(EVENTS.c.session == name, EVENTS.c.seq == seq)
    found: str | None = connection.scalar(query)
    return found


def _can_be_kept(name: str) -> bool:
    """Return whether a database can store a session's name."""
    try:
        return len(name) <= LONGEST_NAME and bool(name.encode()) and "\0" not in name
    except UnicodeEncodeError:
        return False
