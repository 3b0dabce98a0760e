"""Sessions that earlier versions kept can be exported, held against their logs, and imported."""

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

import pytest

from activeeval_widgets import Session
from activeeval_widgets.formats import read_session_file, verify, write_session
from activeeval_widgets.session import SQLiteStore

SESSIONS = Path(__file__).parents[1] / "session"


@pytest.fixture(scope="module")
def earlier() -> ModuleType:
    """Return the module that knows how they were begun."""
    spec = importlib.util.spec_from_file_location("earlier_stores", SESSIONS / "test_earlier_stores.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


VERSIONS = [
    "sessions_of_0.1",
    "sessions_of_schema_2",
    "sessions_of_rule_2",
    "sessions_of_rule_3",
    "sessions_of_rule_4",
]


@pytest.mark.parametrize("version", VERSIONS)
def test_they_follow_from_their_logs(earlier: ModuleType, tmp_path: Path, version: str) -> None:
    assert set(earlier.VERSIONS) == set(VERSIONS)
    shutil.copy(SESSIONS / f"{version}.sqlite", tmp_path / "s.sqlite")
    store = SQLiteStore(tmp_path / "s.sqlite")
    for name in store.names():
        begun = earlier.case(name)
        session = Session(begun.pool, begun.measure, **begun.options, store=store, name=name)
        path = write_session(session, tmp_path / "session.json")
        assert verify(path).findings == (), name
        opened = read_session_file(path).open(tmp_path / "other.sqlite")
        assert opened.upcoming(6) == session.upcoming(6)
        assert repr(opened.estimate()) == repr(session.estimate())
    assert SQLiteStore(tmp_path / "other.sqlite").names() == store.names()
