"""Which store an address means: one place where a kind of store is registered, ours and others'."""

import re
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from activeeval_widgets.session.errors import StoreError
from activeeval_widgets.session.stores.memory import MemoryStore
from activeeval_widgets.session.stores.protocol import REQUIRED, Store

_openers: dict[str, Callable[[str], Store]] = {}

# A letter alone is a drive; what is longer may still be the name of a file.
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(//)?")


def register_store(scheme: str, opener: Callable[[str], Store]) -> None:
    """Have addresses of a scheme opened by `opener`: a kind of store that is registered here can be named.

    Parameters
    ----------
    scheme : str
        What an address begins with, up to the colon: at least two letters. It takes the place of one that was
        registered before.
    opener : callable
        Takes the address, and gives a `Store`, or raises a `StoreError`.

    Raises
    ------
    ValueError
        If that is no scheme.

    See Also
    --------
    open_store : Opens what an address names.
    Store : What a store has to do.

    Examples
    --------
    >>> shared = MemoryStore()
    >>> register_store("shared", lambda address: shared)
    >>> open_store("shared:") is shared
    True
    """
    if not isinstance(scheme, str) or not _SCHEME.fullmatch(f"{scheme}:"):
        raise ValueError(f"scheme must be letters, as in 'sqlite', at least two, got {scheme!r}")
    _openers[scheme.lower()] = opener


def open_store(address: str | Path) -> Store:
    """Open the store that a path or an address names.

    Parameters
    ----------
    address : str or path-like
        - the path of an SQLite file, which is made where it does not exist;
        - the same as "sqlite:///relative/path.sqlite", or with four slashes "sqlite:////absolute/path.sqlite";
        - "postgresql://user@host/database", a PostgreSQL database, for people at several machines; the
          password is best left to PGPASSWORD or the file ~/.pgpass;
        - "memory:", for logs that last as long as the process, and are in this store alone;
        - or an address of a scheme that was registered by `register_store`.

    Returns
    -------
    Store
        To be given to `Session(…, store=…)`, which takes an address as well.

    Raises
    ------
    ValueError
        If there is no such scheme, or the address names no file or database.
    TypeError
        If it is neither a string nor a path.
    StoreError
        If the store can't be used.

    See Also
    --------
    SQLiteStore : Logs in one file.
    MemoryStore : Logs that last as long as the process.
    register_store : To have further addresses opened.

    Examples
    --------
    >>> open_store("memory:").names()
    []
    """
    if isinstance(address, Path):
        return _sqlite_store(address)
    if not isinstance(address, str):
        raise TypeError(f"store must be a path or an address, such as 'sqlite:///x.sqlite', got {address!r}")
    found = _SCHEME.match(address)
    opener = _openers.get(found[1].lower()) if found else None
    if opener is not None:
        return opener(address)
    if found is not None and found[2]:
        raise _unknown_scheme(address)
    return _sqlite_store(address)


def absolute_address(address: str) -> Path | str:
    """An address that means the same from any working folder."""
    found = _SCHEME.match(address)
    scheme = found[1].lower() if found else None
    if scheme == "sqlite":
        return Path(_sqlite_path(address)).expanduser().absolute()
    if scheme in _openers:
        return address
    if found is not None and found[2]:
        raise _unknown_scheme(address)
    return Path(address).expanduser().absolute()


def as_store(store: Store | str | Path | None) -> Store:
    """A store as given, or the one that an address names, or one in memory for None."""
    if store is None:
        return MemoryStore()
    if isinstance(store, str | Path):
        return open_store(store)
    missing = [name for name in REQUIRED if not callable(getattr(store, name, None))]
    if len(missing) == len(REQUIRED) or isinstance(store, type):
        raise TypeError(f"store must be a store, the path of an SQLite file, or None, got {store!r}")
    if missing:
        raise TypeError(
            f"store must have the methods {', '.join(REQUIRED)} (see `Store`), but {store!r} "
            f"lacks {', '.join(missing)}"
        )
    return store


def load_libraries(address: str | Path) -> None:
    """Import what opening the store of an address will take, and open nothing: several processes share it."""
    if re.match("postgres(ql)?:", str(address), re.IGNORECASE):
        with suppress(ImportError):  # opening the store says so
            for name in ("psycopg", "activeeval_widgets.session.stores.postgresql"):
                import_module(name)
    else:
        with suppress(ImportError):
            import_module("activeeval_widgets.session.stores.sqlite")


def hide_password(address: str | Path) -> str:
    """An address as it may be shown: without the password that it may hold."""
    shown = re.sub(r"(?s)(://[^:/@]*):.*@", r"\1:***@", str(address))
    return re.sub(r"(?i)([?&](?:ssl)?password=)[^&]*", r"\1***", shown)


def _unknown_scheme(address: str) -> ValueError:
    known = ", ".join(f"{scheme}:" for scheme in sorted(_openers))
    return ValueError(
        f"store is {hide_password(address)!r}, expected a path, or an address of one of {known}"
    )


def _sqlite_path(address: str) -> str:
    path = address.partition(":")[2]
    if not path.startswith("///") or len(path) == 3:
        raise ValueError(
            f"store is {address!r}, expected 'sqlite:///' and the path of a file, which begins with another "
            "'/' if it is absolute"
        )
    return path.removeprefix("///")


def _sqlite_store(path: str | Path) -> Store:
    try:
        # Only here: a Python that runs in a browser may have no SQLite.
        from activeeval_widgets.session.stores.sqlite import SQLiteStore
    except ImportError as error:
        raise StoreError(
            f"a store in a file needs SQLite, which this Python is without ({error}): leave store out, and "
            "keep the labels by formats.session_file.write_session"
        ) from error
    return SQLiteStore(path)


def _open_sqlite(address: str) -> Store:
    return _sqlite_store(_sqlite_path(address))


def _open_postgresql(address: str) -> Store:
    try:
        # Only here: who labels into a file need not have SQLAlchemy and psycopg, nor wait for them.
        from activeeval_widgets.session.stores.postgresql import PostgreSQLStore

        return PostgreSQLStore(address)
    except ImportError as error:
        raise StoreError(
            f"a store in PostgreSQL needs SQLAlchemy and psycopg ({error}): "
            "pip install 'activeeval-widgets[postgresql]'"
        ) from error


def _open_memory(address: str) -> Store:
    if address.partition(":")[2]:
        raise ValueError(f"store is {address!r}, expected 'memory:' alone: such a store has no name")
    return MemoryStore()


register_store("sqlite", _open_sqlite)
register_store("postgresql", _open_postgresql)
register_store("postgres", _open_postgresql)
register_store("memory", _open_memory)
