"""Which store is meant."""

from pathlib import Path

from activeeval_widgets.session.stores.memory import MemoryStore
from activeeval_widgets.session.stores.protocol import Store
from activeeval_widgets.session.stores.sqlite import SQLiteStore


def as_store(store: Store | str | Path | None) -> Store:
    """A store as given, or the SQLite file of a path, or one in memory for None."""
    if store is None:
        return MemoryStore()
    if isinstance(store, str | Path):
        return SQLiteStore(store)
    if not all(hasattr(store, method) for method in ("begin", "append", "names")):
        raise TypeError(f"store must be a store, the path of an SQLite file, or None, got {store!r}")
    return store
