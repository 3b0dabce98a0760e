"""Which store an address means, and what any store has to do."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from activeeval_widgets import platform
from activeeval_widgets.session import (
    BaseStore,
    MemoryStore,
    Pool,
    Session,
    SessionMismatchError,
    SQLiteStore,
    Store,
    StoreError,
    open_store,
    register_store,
)
from activeeval_widgets.session.stores import registry
from activeeval_widgets.session.stores.protocol import store_member
from activeeval_widgets.stats import ErrorRate

MakePool = Callable[..., Pool]


@pytest.fixture(autouse=True)
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test register stores of its own."""
    monkeypatch.setattr(registry, "_openers", dict(registry._openers))


class DictStore:
    """The four methods that every store has, and nothing else."""

    def __init__(self) -> None:
        self.logs: dict[str, list[dict[str, Any]]] = {}
        self.about: dict[str, dict[str, str]] = {}

    def begin(self, name: str, identity: Mapping[str, str]) -> list[dict[str, Any]]:
        if self.about.setdefault(name, dict(identity)) != dict(identity):
            raise SessionMismatchError(name)
        return list(self.logs.setdefault(name, []))

    def append(self, name: str, record: dict[str, Any]) -> None:
        assert record["seq"] == len(self.logs[name]) + 1
        self.logs[name].append(record)

    def identity(self, name: str) -> dict[str, str] | None:
        return self.about.get(name)

    def names(self) -> list[str]:
        return list(self.about)


def test_four_methods_are_a_store(make_pool: MakePool) -> None:
    """Registered once, it is named by its address wherever a store is asked for."""
    kept: dict[str, DictStore] = {}
    register_store("dict", lambda address: kept.setdefault(address, DictStore()))
    session = Session(make_pool(), ErrorRate(), store="dict:one", seed=2)
    session.label(1)
    session.defer()
    session.undo()
    again = Session(make_pool(), ErrorRate(), store="DICT:one", seed=2)
    assert again.n_labels == 0  # another address
    again = Session(make_pool(), ErrorRate(), store="dict:one", seed=2)
    assert again.log.events == session.log.events
    assert again.upcoming(5) == session.upcoming(5)
    assert (again.storage.problem, again.storage.notices, again.path) == (None, (), None)
    assert again.storage.place == "session default, kept in a DictStore"
    assert open_store("dict:one").names() == ["default"]
    with pytest.raises(StoreError, match=r"^path must be given for a session that is not kept in a file$"):
        again.save_to()
    with pytest.raises(SessionMismatchError):
        Session(make_pool(), ErrorRate(), store="dict:one", seed=3)


def test_a_store_goes_on_in_a_file(make_pool: MakePool, tmp_path: Path) -> None:
    session = Session(make_pool(), ErrorRate(), store=DictStore())
    session.label(1)
    assert session.save_to(tmp_path / "labels.sqlite") == session.path == tmp_path / "labels.sqlite"
    assert session.storage.place == "session default, kept in labels.sqlite"
    session.label(0)
    session.store.close()
    again = Session(make_pool(), ErrorRate(), store=tmp_path / "labels.sqlite")
    assert again.log.events == session.log.events
    again.store.close()


@pytest.mark.parametrize("missing", ["begin", "append", "identity", "names"])
def test_what_a_store_lacks_is_reported_before_anything_happens(make_pool: MakePool, missing: str) -> None:
    methods = {name: getattr(DictStore, name) for name in registry.REQUIRED if name != missing}
    store = type("Lacking", (), {**methods, "__repr__": lambda _: "Lacking()"})()
    message = (
        r"^store must have the methods begin, append, identity, names \(see `Store`\), "
        rf"but Lacking\(\) lacks {missing}$"
    )
    with pytest.raises(TypeError, match=message):
        Session(make_pool(), ErrorRate(), store=store)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "address",
    ["labels.sqlite", "sqlite:///labels.sqlite", "SQLite:///labels.sqlite", "sqlite:///{here}/labels.sqlite"],
)
def test_addresses_of_a_file(address: str, here: Path) -> None:
    store = open_store(address.format(here=here))
    assert isinstance(store, SQLiteStore)
    assert store.path.resolve() == here / "labels.sqlite"
    assert store.path.is_absolute() == ("{here}" in address)
    store.close()


@pytest.mark.parametrize("name", ["a:b.sqlite", "data:set.sqlite"])
def test_a_colon_in_the_name_of_a_file(name: str, here: Path) -> None:
    """It stays a path, as it was before there were addresses."""
    store = open_store(name)
    assert isinstance(store, SQLiteStore)
    assert (here / name).exists()
    store.close()


@pytest.mark.parametrize("address", ["~/labels.sqlite", "sqlite:///~/labels.sqlite", Path("~/labels.sqlite")])
def test_a_file_in_the_home_folder(
    address: str | Path, make_pool: MakePool, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = here / "ada"
    monkeypatch.setenv("HOME", str(home))
    session = Session(make_pool(), ErrorRate(), store=address)
    assert session.path == home / "labels.sqlite"
    assert session.save_to("~/copy.sqlite") == home / "copy.sqlite"
    session.store.close()
    assert [each.name for each in here.iterdir()] == ["ada"]


def test_a_name_that_begins_with_a_tilde(here: Path) -> None:
    store = open_store("~labels.sqlite")
    assert (here / "~labels.sqlite").exists()
    store.close()
    assert registry.absolute_address("~labels.sqlite") == here / "~labels.sqlite"


def test_memory() -> None:
    store: Store = open_store("memory:")
    assert isinstance(store, MemoryStore)
    assert store is not open_store("memory:")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (
            "mysql://x/y",
            r"^store is .mysql://x/y., expected a path, or .* of memory:, postgres:, postgresql:, sqlite:$",
        ),
        ("mysql://ada:se:@c/ret@x/y", r"^store is 'mysql://ada:\*\*\*@x/y', expected a path, or "),
        ("", r"^store is '', expected the path of an SQLite file"),
        ("sqlite://", r"^store is 'sqlite://', expected 'sqlite:///' and the path of a file"),
        ("sqlite:///", r"^store is 'sqlite:///', expected 'sqlite:///' and the path of a file"),
        ("sqlite:x.sqlite", r"^store is 'sqlite:x.sqlite', expected 'sqlite:///'"),
        (":memory:", r"^store is ':memory:', expected the path of a file: leave it out, or pass 'memory:'"),
        ("sqlite:///:memory:", r"^store is ':memory:', expected the path of a file"),
        ("file::memory:?cache=shared", r"^store is 'file::memory:.*', expected the path of a file"),
        ("memory:Ada", r"^store is 'memory:Ada', expected 'memory:' alone: such a store has no name$"),
    ],
)
def test_addresses_that_name_nothing(address: str, message: str, make_pool: MakePool, here: Path) -> None:
    for use in (open_store, lambda store: Session(make_pool(), ErrorRate(), store=store)):
        with pytest.raises(ValueError, match=message):
            use(address)
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("scheme", ["", "a", "1x", "a b", "sqlite:", 5])
def test_what_is_no_scheme(scheme: Any) -> None:
    with pytest.raises(ValueError, match=r"^scheme must be letters, as in 'sqlite', at least two, got "):
        register_store(scheme, lambda _: MemoryStore())


def test_what_a_store_may_tell_has_defaults() -> None:
    """Each of it is asked for by `Session`, so each has one."""
    names = {name for name in vars(BaseStore) if not name.startswith("_")}
    assert names == {
        *("problem", "notices", "older", "path", "place", "is_lasting", "checks_numbers"),
        *("details", "all_details", "keep_details", "events_since", "begin_with"),
    }


def test_a_store_of_four_methods_keeps_no_details_and_shows_what_is_new(make_pool: MakePool) -> None:
    store = DictStore()
    session = Session(make_pool(), ErrorRate(), store=store, protocol="papers")
    session.label(1)
    store_member(store, "keep_details")("default", {"title": "x"})
    assert store_member(store, "details")("default") == {}
    session.label(0)
    since = store_member(store, "events_since")
    assert [record["value"] for record in since("default", 1)] == [0]
    assert (since("default", 2), since("none", 0)) == ([], [])
    assert store.names() == ["default"]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("labels.sqlite", "/here/labels.sqlite"),
        ("a:b/labels.sqlite", "/here/a:b/labels.sqlite"),
        ("~/labels.sqlite", "/home/ada/labels.sqlite"),
        ("/abs/labels.sqlite", "/abs/labels.sqlite"),
        ("sqlite:///labels.sqlite", "/here/labels.sqlite"),
        ("sqlite:////abs/labels.sqlite", "/abs/labels.sqlite"),
    ],
)
def test_a_file_is_the_same_from_any_folder(address, expected, monkeypatch):
    monkeypatch.setattr(Path, "absolute", lambda self: Path("/here") / self)
    monkeypatch.setenv("HOME", "/home/ada")
    assert registry.absolute_address(address) == Path(expected)


def test_another_address_stays_as_it_is():
    register_store("there", lambda address: MemoryStore())
    assert registry.absolute_address("there://x/y") == "there://x/y"
    with pytest.raises(ValueError, match="nowhere"):
        registry.absolute_address("nowhere://x")


def test_a_file_on_the_drive_of_jupyterlite_is_refused(monkeypatch, tmp_path):
    assert platform.can_hold_sqlite(Path("/drive/labels.sqlite"))
    monkeypatch.setattr(platform.sys, "platform", "emscripten")
    assert platform.can_hold_sqlite(tmp_path / "labels.sqlite")
    with pytest.raises(StoreError, match=r"JupyterLite's drive.*: leave store out, and .*write_session"):
        registry.open_store("/drive/labels.sqlite")
