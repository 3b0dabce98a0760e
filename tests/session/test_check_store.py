"""What every store has to pass, and that `BaseStore` gives no number twice, whatever a store does."""

import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from activeeval_widgets.session import (
    BaseStore,
    MemoryStore,
    Session,
    SessionConflictError,
    SQLiteStore,
    StoreError,
    check_store,
)
from activeeval_widgets.session.stores.protocol import check_identity
from activeeval_widgets.stats import ErrorRate

IDENTITY = {"pool": "abc", "seed": "0"}


class Careless(BaseStore):
    """Appends whatever it is given, to a file of lines."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.touch()

    def begin(self, name: str, identity: Mapping[str, str]) -> list[Any]:
        begun_with = self.identity(name)
        if begun_with is None:
            self._write({"session": name, "identity": dict(identity)})
        else:
            check_identity(name, begun_with, identity)
        return [one["record"] for one in self._read() if one["session"] == name and "record" in one]

    def append(self, name: str, record: Any) -> None:
        self._write({"session": name, "record": record})

    def identity(self, name: str) -> dict[str, str] | None:
        found = [one["identity"] for one in self._read() if one["session"] == name and "identity" in one]
        return found[0] if found else None

    def names(self) -> list[str]:
        return list(dict.fromkeys(one["session"] for one in self._read()))

    def _read(self) -> list[Any]:
        return [json.loads(line) for line in self._path.read_text().splitlines()]

    def _write(self, entry: Any) -> None:
        with self._path.open("a") as file:
            file.write(json.dumps(entry) + "\n")


def test_stores_of_the_package_pass(tmp_path: Path) -> None:
    check_store(MemoryStore)
    check_store(lambda: SQLiteStore(tmp_path / "labels.sqlite"))


def test_a_database_passes(postgresql_shelf: Any) -> None:
    check_store(postgresql_shelf.open)


def test_a_careless_store_passes_by_what_the_base_checks(tmp_path: Path) -> None:
    check_store(lambda: Careless(tmp_path / "labels.txt"))


def test_of_two_writers_of_one_number_the_second_is_notified(
    tmp_path: Path, make_pool: Callable[..., Any]
) -> None:
    path = tmp_path / "labels.txt"
    first, second = (Session(make_pool(), ErrorRate(), store=Careless(path)) for _ in range(2))
    first.label(1)
    with pytest.raises(SessionConflictError, match="continued elsewhere"):
        second.label(0)
    again = Session(make_pool(), ErrorRate(), store=Careless(path))
    assert again.log.events == first.log.events


@pytest.mark.parametrize("seq", ["2", None, 2.0, True])
def test_a_number_that_is_no_integer_is_reported(tmp_path: Path, seq: Any) -> None:
    store = Careless(tmp_path / "log")
    store.begin("default", IDENTITY)
    store.append("default", {"seq": 1, "kind": "x"})
    store._write({"session": "default", "record": {"seq": seq, "kind": "x"}})
    for read in (lambda: store.begin("default", IDENTITY), lambda: store.events_since("default", 0)):
        with pytest.raises(StoreError, match="expected an integer: the log was changed by another program"):
            read()


def test_another_program_at_the_same_moment(tmp_path: Path) -> None:
    """It writes after the first check: the second record is refused, and is no part of the log."""
    path = tmp_path / "labels.txt"

    class Slow(Careless):
        def append(self, name: str, record: Any) -> None:
            Careless(path)._write({"session": name, "record": {"seq": record["seq"], "value": "theirs"}})
            super().append(name, record)

    store = Slow(path)
    store.begin("a", IDENTITY)
    with pytest.raises(SessionConflictError):
        store.append("a", {"seq": 1, "value": "ours"})
    assert store.begin("a", IDENTITY) == [{"seq": 1, "value": "theirs"}]
    Careless(path).append("a", {"seq": 2, "value": "later"})
    assert [one["value"] for one in store.events_since("a", 1)] == ["later"]


def test_threads_take_turns(tmp_path: Path) -> None:
    store = Careless(tmp_path / "labels.txt")
    store.begin("a", IDENTITY)

    def attempt(value: int) -> bool:
        try:
            store.append("a", {"seq": 1, "value": value})
        except SessionConflictError:
            return False
        return True

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(attempt, range(12))) == 1


def _swallowing(self: Any, name: str, record: Any) -> None:
    with suppress(StoreError):
        MemoryStore.append(self, name, record)


def test_a_store_may_swallow_conflicts_where_the_base_checks(make_pool: Callable[..., Any]) -> None:
    """`BaseStore` refuses before the subclass is asked; one that checks numbers itself has to raise."""
    made = type("Swallowing", (MemoryStore,), {"append": _swallowing})
    check_store(made)
    store = made()
    first, second = (Session(make_pool(), ErrorRate(), store=store) for _ in range(2))
    first.label(1)
    with pytest.raises(SessionConflictError, match="continued elsewhere"):
        second.label(0)
    with pytest.raises(StoreError, match="not begun"):
        store.append("another", {"seq": 1})
    itself = type("Itself", (MemoryStore,), {"append": _swallowing, "checks_numbers": True})
    with pytest.raises(AssertionError, match="append must refuse a session that was not begun"):
        check_store(itself)


def _without_conflicts(self: Any, name: str, record: Any) -> None:
    with suppress(SessionConflictError):
        MemoryStore.append(self, name, record)


def _without_large_numbers(self: Any, name: str, record: Any) -> None:
    MemoryStore.append(self, name, {**record, "value": 0} if record["value"] == 10**30 else record)


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ({"append": _without_conflicts, "checks_numbers": True}, "must refuse number 2 by this opening"),
        ({"append": _without_large_numbers}, "append must keep the record .* as it is given: 5 is the next"),
        ({"append": _without_large_numbers, "checks_numbers": True}, "must return all records as they were"),
        ({"names": lambda self: sorted(MemoryStore.names(self))}, "names must list"),
        ({"names": lambda self: sorted(MemoryStore.names(self), reverse=True)}, "names must list"),
    ],
    ids=["conflicts", "values, checked", "values", "ascending", "descending"],
)
def test_what_is_wrong_with_a_subclass_is_reported(methods: dict[str, Any], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_store(type("Broken", (MemoryStore,), methods))


class Plain:
    """A store that subclasses nothing, and is right."""

    is_lasting = False

    def __init__(self) -> None:
        self.logs: dict[str, Any] = {}

    def begin(self, name: str, identity: Mapping[str, str]) -> list[Any]:
        about, records = self.logs.setdefault(name, (dict(identity), []))
        check_identity(name, about, identity)
        return deepcopy(records)

    def append(self, name: str, record: Any) -> None:
        if name not in self.logs:
            raise StoreError("not begun")
        if record["seq"] != len(self.logs[name][1]) + 1:
            raise SessionConflictError("taken")
        self.logs[name][1].append(deepcopy(record))

    def identity(self, name: str) -> Any:
        return self.logs[name][0] if name in self.logs else None

    def names(self) -> list[str]:
        return list(self.logs)


def _append_any(self: Any, name: str, record: Any) -> None:
    if name not in self.logs:
        raise StoreError("not begun")
    self.logs[name][1].append(record)


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "no names": ({"names": None}, "names must be a method"),
    "loses values": ({"append": lambda self, name, _: self.logs[name][1].append({"seq": 1})}, "all records"),
    "no copies": (
        {"begin": lambda self, name, about: self.logs.setdefault(name, (about, []))[1]},
        "be a copy",
    ),
    "sorted names": ({"names": lambda self: sorted(self.logs, reverse=True)[:1]}, "names must list"),
    "any identity": ({"begin": lambda self, name, _: Plain.begin(self, name, IDENTITY)}, "begin must refuse"),
    "any number": ({"append": _append_any}, "append must refuse number 2 by this opening"),
    "begins": ({"identity": lambda self, name: self.logs.get(name, (IDENTITY,))[0]}, "identity must be None"),
}


def test_a_plain_store_passes() -> None:
    check_store(Plain)


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_with_a_store_is_reported(name: str) -> None:
    methods, message = BROKEN[name]
    with pytest.raises(AssertionError, match=message):
        check_store(type("Broken", (Plain,), methods))
