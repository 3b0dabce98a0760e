"""Where the logs of sessions are kept: in memory, in an SQLite file, or in a store of another kind."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from activeeval_widgets.session.stores.check_store import check_store
from activeeval_widgets.session.stores.copying import copy_sessions
from activeeval_widgets.session.stores.memory import MemoryStore
from activeeval_widgets.session.stores.protocol import BaseStore, Record, Store
from activeeval_widgets.session.stores.registry import as_store, open_store, register_store

if TYPE_CHECKING:
    from activeeval_widgets.session.stores.sqlite import SQLiteStore

__all__ = [
    "BaseStore",
    "MemoryStore",
    "Record",
    "SQLiteStore",
    "Store",
    "as_store",
    "check_store",
    "copy_sessions",
    "open_store",
    "register_store",
]


def __getattr__(name: str) -> Any:
    # Imported when asked for: a Python that runs in a browser may have no SQLite.
    if name == "SQLiteStore":
        return import_module("activeeval_widgets.session.stores.sqlite").SQLiteStore
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
