"""Sessions are copied from one store to another with all that they are."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from activeeval_widgets.app.cli import main
from activeeval_widgets.session import Pool, Session, SQLiteStore, StoreError, copy_sessions, open_store
from activeeval_widgets.stats import ErrorRate

MakePool = Callable[..., Pool]
KINDS = ["memory", "sqlite", "postgresql", "outside"]


@pytest.fixture(params=KINDS)
def target(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue(f"{request.param}_shelf")


def worked_on(pool: Pool, store: Any, name: str, n: int = 12) -> Session:
    session = Session(pool, ErrorRate(), store=store, name=name, who="Ada")
    for i in range(n):
        asked = session.next()
        assert asked is not None
        if i % 5 == 3:
            session.defer()
        else:
            session.label(i % 3, seconds=i / 7)
    return session


def test_all_of_it_goes_along(make_pool: MakePool, target: Any, tmp_path: Path) -> None:
    pool = make_pool(60)
    path = tmp_path / "from.sqlite"
    names = ["Ω", "it's; DROP TABLE events --"]
    with closing(SQLiteStore(path)) as here:
        sessions = [worked_on(pool, here, name) for name in names]
        here.keep_details("Ω", {"title": "A title", "who": ["Ada"]})
        there = target.open()
        assert copy_sessions(path, there) == names
        assert there.names() == names
        again = Session(pool, ErrorRate(), store=there, name="Ω", who="Ada")
        assert again.log.events == sessions[0].log.events
        assert again.upcoming(3) == sessions[0].upcoming(3)
        if hasattr(there, "begin_with") and type(there).__name__ != "JSONLinesStore":
            assert there.details("Ω") == {"title": "A title", "who": ["Ada"]}
            # The very same records: so the chain is the same, too.
            assert copy_sessions(here, there) == []
        assert again.estimate() == sessions[0].estimate()
        # Gone on with here, it follows there.
        sessions[0].label(1)
        assert "Ω" in copy_sessions(here, there)
        assert there.begin("Ω", there.identity("Ω") or {}) == here.begin("Ω", here.identity("Ω") or {})
        # Gone on with there, it is not overwritten.
        again.refresh()
        again.label(2)
        before = [there.begin(name, there.identity(name)) for name in names]
        sessions[1].label(0)
        with pytest.raises(StoreError, match="another session 'Ω' already, or it went on there"):
            copy_sessions(here, there)
        assert [there.begin(name, there.identity(name)) for name in names] == before
        assert copy_sessions(here, there, [names[1]]) == [names[1]]


def test_there_and_back_again_it_has_the_same_chain(
    make_pool: MakePool, postgresql_address: str, tmp_path: Path
) -> None:
    paths = [tmp_path / "from.sqlite", tmp_path / "back.sqlite"]
    with closing(SQLiteStore(paths[0])) as here:
        worked_on(make_pool(60), here, "a", 40)
    assert copy_sessions(paths[0], postgresql_address) == ["a"]
    assert copy_sessions(postgresql_address, paths[1]) == ["a"]
    rows = []
    for path in paths:
        with closing(sqlite3.connect(path)) as file:
            rows.append(file.execute("SELECT session, seq, record, hash FROM events ORDER BY seq").fetchall())
            rows[-1] += file.execute("SELECT name, identity, n_events, head FROM sessions").fetchall()
    assert rows[0] == rows[1]
    assert len(rows[0]) > 40


def test_what_is_damaged_is_not_copied(make_pool: MakePool, tmp_path: Path) -> None:
    path, target = tmp_path / "from.sqlite", tmp_path / "to.sqlite"
    with closing(SQLiteStore(path)) as here:
        worked_on(make_pool(60), here, "a")
        worked_on(make_pool(60), here, "b")
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE events SET hash = '' WHERE seq = 4 AND session = 'b'")
    with pytest.raises(StoreError, match=r"the session 'b' can't be copied: .* is damaged: event 4"):
        copy_sessions(path, target)
    with closing(SQLiteStore(target)) as there:
        assert there.names() == []
    with pytest.raises(StoreError, match=r"source must be an existing store, got 'none.sqlite'"):
        copy_sessions("none.sqlite", target)
    assert not Path("none.sqlite").exists()
    with pytest.raises(StoreError, match=r"^there is no session 'c' in the source: it has 'a', 'b'$"):
        copy_sessions(path, target, ["c"])


def test_one_that_is_there_is_not_begun_with_another_log(own_shelf: Any) -> None:
    store = own_shelf.open()
    store.begin_with("a", {"x": "1"}, [{"seq": 1, "kind": "note"}, {"seq": 2, "kind": "note"}])
    with pytest.raises(StoreError, match=r"^there is a session 'a' already$"):
        store.begin_with("a", {"x": "1"}, [])
    assert len(own_shelf.open().begin("a", {"x": "1"})) == 2
    store.append("a", {"seq": 3, "kind": "note"})


@pytest.fixture(params=KINDS[:3])
def own_shelf(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue(f"{request.param}_shelf")


def test_a_command_copies(make_pool: MakePool, postgresql_address: str, tmp_path: Path) -> None:
    path = tmp_path / "from.sqlite"
    with closing(SQLiteStore(path)) as here:
        worked_on(make_pool(60), here, "a")
        worked_on(make_pool(60), here, "b")
    address = postgresql_address.replace("postgres@", "postgres:secret@")
    run = CliRunner().invoke
    done = run(main, ["sessions", "copy", "b", "--store", str(path), "--to", address])
    assert (done.exit_code, done.stdout) == (0, "b\n")
    done = run(main, ["sessions", "copy", "--store", str(path), "--to", address])
    assert (done.exit_code, done.stdout) == (0, "a\n")
    done = run(main, ["sessions", "copy", "--store", str(path), "--to", address])
    assert (done.exit_code, done.stdout) == (0, "Nothing new to copy.\n")
    with closing(open_store(address)) as there:
        assert there.names() == ["b", "a"]
    done = run(main, ["sessions", "copy", "c", "--store", address, "--to", str(tmp_path / "to.sqlite")])
    assert done.exit_code == 1
    assert "There is no session 'c' in " in done.output
    assert done.output.endswith("There: 'b', 'a'.\n")
    assert "secret" not in done.output
    assert not (tmp_path / "to.sqlite").exists()
