"""An older copy of a store in its place is noticed, as what it held is remembered outside of it."""

import json
import os
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from activeeval_widgets.app.cli import main
from activeeval_widgets.data_folder import data_folder
from activeeval_widgets.session import Session, SQLiteStore
from activeeval_widgets.session.stores import last_seen
from activeeval_widgets.stats import ErrorRate
from activeeval_widgets.widgets.answers.store_status import StoreStatus

IDENTITY = {"pool": "abc"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(last_seen, "data_folder", lambda: tmp_path / "data")
    return tmp_path / "data" / "last-seen"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sessions.sqlite"


def label(path: Path, n_labels: int, value: str = "ham", name: str = "a") -> tuple[str, ...]:
    """Add labels to a store; returns what it says when it is opened."""
    with closing(SQLiteStore(path)) as store:
        n_before = len(store.begin(name, IDENTITY))
        for seq in range(n_before + 1, n_before + n_labels + 1):
            store.append(name, {"kind": "label", "seq": seq, "value": value})
        return store.notices


def copied(path: Path) -> Path:
    return Path(shutil.copy(path, path.with_name("copy.sqlite")))


def test_an_older_copy_in_its_place_is_reported_until_somebody_goes_on(path: Path, folder: Path) -> None:
    assert label(path, 30) == ()
    older = copied(path)
    assert label(path, 30) == ()
    assert len(list(folder.iterdir())) == 1
    older.replace(path)
    for _ in range(2):
        [notice] = label(path, 0)
        assert notice.startswith("This store had 60 labels on ")
        assert ", now it has 30 (session 'a'): it is an older copy, or another file" in notice
    label(path, 1)
    assert label(path, 0) == ()


def test_what_went_on_from_an_older_copy_elsewhere_is_reported(path: Path, folder: Path) -> None:
    label(path, 3)
    older = copied(path)
    label(path, 2)
    shutil.copy(path, path.with_name("newer.sqlite"))
    label(older, 7, "spam")
    older.replace(path)
    [notice] = label(path, 0)
    assert "had 5 labels" in notice
    assert "now it has 10, not all of them the same (session 'a')" in notice
    path.with_name("newer.sqlite").replace(path)
    assert label(path, 0) == ()
    assert folder.exists()


def test_an_emptied_file_is_reported_and_a_removed_one_begins_anew(path: Path, folder: Path) -> None:
    label(path, 4)
    os.truncate(path, 0)
    [notice] = label(path, 0)
    assert "had 4 labels" in notice
    assert "now it has 0 " in notice
    label(path, 4)
    path.unlink()
    assert label(path, 0) == ()
    assert folder.exists()


def test_labels_that_were_taken_back_are_not_counted(path: Path, folder: Path) -> None:
    label(path, 2)
    older = copied(path)
    label(path, 3)
    with closing(SQLiteStore(path)) as store:
        store.append("a", {"kind": "undo", "seq": 6, "undone_seq": 5})
    older.replace(path)
    [notice] = label(path, 0)
    assert "had 4 labels" in notice
    assert folder.exists()


@pytest.mark.parametrize(
    "content", ["", "[]", "null", '{"sessions": {"a": [1]}}', '{"sessions": {"a": 5}}', "\0"]
)
def test_what_can_not_be_read_is_passed_over(path: Path, folder: Path, content: str) -> None:
    label(path, 2)
    [kept] = folder.iterdir()
    kept.write_text(content)
    assert label(path, 1) == ()
    assert json.loads(kept.read_text())["sessions"]["a"][0] == 3


def test_a_folder_that_can_not_be_written_keeps_nothing_from_being_saved(path: Path, folder: Path) -> None:
    folder.parent.write_text("a file")
    label(path, 2)
    assert label(path, 1) == ()
    with closing(SQLiteStore(path)) as store:
        assert len(store.begin("a", IDENTITY)) == 3
        assert store.problem is None


def test_the_stores_that_were_not_used_for_longest_are_forgotten(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(last_seen, "MAX_STORES", 3)
    for number in range(5):
        label(tmp_path / f"{number}.sqlite", 1)
        for age, file in enumerate(sorted(folder.iterdir(), key=lambda each: -each.stat().st_mtime_ns)):
            os.utime(file, (10**9 - age, 10**9 - age))
    kept = {Path(json.loads(file.read_text())["path"]).name for file in folder.iterdir()}
    assert kept == {"2.sqlite", "3.sqlite", "4.sqlite"}


def test_the_page_and_the_command_line_say_it(
    path: Path, folder: Path, make_pool: Callable[..., Any]
) -> None:
    for n_labels in (1, 2):
        session = Session(make_pool(), ErrorRate(), store=path)
        session.label(0)
        session.store.close()
        older = copied(path) if n_labels == 1 else path.with_name("copy.sqlite")
    older.replace(path)
    session = Session(make_pool(), ErrorRate(), store=path)
    [notice] = StoreStatus(session).content()["notices"]
    session.store.close()
    assert notice.startswith("This store had 2 labels on ")
    assert "now it has 1 (session 'default')" in notice
    text = CliRunner().invoke(main, ["sessions", "list", "--store", str(path)])
    assert text.exit_code == 0
    assert text.stderr == f"Note: {notice}\n"
    assert folder.exists()


def test_tests_leave_the_users_own_folder_alone() -> None:
    assert "aew-data-" in str(data_folder())
