"""Stores for the logs of sessions: in memory, SQLite, PostgreSQL, and registered ones."""

from typing import TYPE_CHECKING, Any

from activeeval_widgets._lazy import attribute
from activeeval_widgets.session.stores.copying import copy_sessions
from activeeval_widgets.session.stores.memory import MemoryStore
from activeeval_widgets.session.stores.protocol import BaseStore, Record, Store
from activeeval_widgets.session.stores.registry import as_store, open_store, register_store

if TYPE_CHECKING:
    from activeeval_widgets.session.stores.sqlite import SQLiteStore
    from activeeval_widgets.session.stores.store_checks import check_store

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


# Imported when asked for: a Python that runs in a browser may have no SQLite, and a server needs no checks.
_WHERE = {"SQLiteStore": "sqlite", "check_store": "store_checks"}


if not TYPE_CHECKING:  # which would take any name of it

    def __getattr__(name: str) -> Any:
        return attribute(__name__, _WHERE, name)
