"""Where the logs of sessions are kept: in memory, or in an SQLite file. Records are only ever added."""

from activeeval_widgets.session.stores.choice import as_store
from activeeval_widgets.session.stores.memory import MemoryStore
from activeeval_widgets.session.stores.protocol import Record, Store
from activeeval_widgets.session.stores.sqlite import SQLiteStore

__all__ = ["MemoryStore", "Record", "SQLiteStore", "Store", "as_store"]
