"""Where the logs of sessions are kept: in memory, in an SQLite file, or in a store of another kind."""

from activeeval_widgets.session.stores.copying import copy_sessions
from activeeval_widgets.session.stores.memory import MemoryStore
from activeeval_widgets.session.stores.protocol import BaseStore, Record, Store
from activeeval_widgets.session.stores.registry import as_store, open_store, register_store
from activeeval_widgets.session.stores.sqlite import SQLiteStore

__all__ = [
    "BaseStore",
    "MemoryStore",
    "Record",
    "SQLiteStore",
    "Store",
    "as_store",
    "copy_sessions",
    "open_store",
    "register_store",
]
