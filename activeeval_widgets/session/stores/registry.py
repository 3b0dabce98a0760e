"""The registry of kinds of stores by the scheme of their addresses."""

import re
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from activeeval_widgets.platform import can_hold_sqlite
from activeeval_widgets.session.errors import StoreError
from activeeval_widgets.session.stores.file_system import store_path
from activeeval_widgets.session.stores.memory import MemoryStore
from activeeval_widgets.session.stores.protocol import REQUIRED, Store

_openers: dict[str, Callable[[str], Store]] = {}

# A single letter is a drive; longer names may still be files.
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(//)?")


def register_store(scheme: str, opener: Callable[[str], Store]) -> None:
    """Register a scheme, so that its addresses are opened by `opener`.

    Parameters
    ----------
    scheme : str
        The beginning of an address up to the colon, at least two letters. It replaces an earlier
        registration.
    opener : callable
        Takes the address and returns a `Store`, or raises a `StoreError`.

    Raises
    ------
    ValueError
        If `scheme` is invalid.

    See Also
    --------
    open_store : Open the store of an address.
    Store : The methods of a store.

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
    """Open the store of a path or an address.

    Parameters
    ----------
    address : str or path-like
        - the path of an SQLite file, which is created if it does not exist;
        - an SQLite file as "sqlite:///relative/path.sqlite" or "sqlite:////absolute/path.sqlite";
        - "postgresql://user@host/database", a PostgreSQL database, for people at several machines; the
          password should be in PGPASSWORD or the file ~/.pgpass;
        - "memory:", for logs that last as long as the process and are not shared;
        - an address of a scheme that was registered by `register_store`.

    Returns
    -------
    Store
        A value for `Session(…, store=…)`, which accepts addresses as well.

    Raises
    ------
    ValueError
        If there is no such scheme, or the address names no file or database.
    TypeError
        If `address` is neither a string nor a path.
    StoreError
        If the store can't be used.

    See Also
    --------
    SQLiteStore : Logs in one file.
    MemoryStore : Logs that last as long as the process.
    register_store : Register further schemes.

    Examples
    --------
    >>> open_store("memory:").names()
    []
    """
    if isinstance(address, Path):
        return _sqlite_store(address)
    if not isinstance(address, str):
        raise TypeError(f"store must be a path or an address, such as 'sqlite:///x.sqlite', got {address!r}")
    if not address:
        raise ValueError("store is '', expected the path of an SQLite file, such as 'labels.sqlite'")
    found = _SCHEME.match(address)
    opener = _openers.get(found[1].lower()) if found else None
    if opener is not None:
        return opener(address)
    if found is not None and found[2]:
        raise _unknown_scheme(address)
    return _sqlite_store(address)


def absolute_address(address: str) -> Path | str:
    """Return an address that is independent of the working folder."""
    found = _SCHEME.match(address)
    scheme = found[1].lower() if found else None
    if scheme == "sqlite":
        return store_path(_sqlite_path(address)).absolute()
    if scheme in _openers:
        return address
    if found is not None and found[2]:
        raise _unknown_scheme(address)
    return store_path(address).absolute()


def store_to_read(address: str) -> Store:
    """Open a store; a file is only read: it is not made, and no page is disturbed."""
    place = absolute_address(address)
    return _sqlite_store(place, reads_only=True) if isinstance(place, Path) else open_store(place)


def as_store(store: Store | str | Path | None) -> Store:
    """Return a store, open an address, or create a store in memory for None."""
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
    """Import the libraries that an address needs, without opening it, before processes are forked."""
    if re.match("postgres(ql)?:", str(address), re.IGNORECASE):
        with suppress(ImportError):  # reported when the store is opened
            for name in ("psycopg", "activeeval_widgets.session.stores.postgresql"):
                import_module(name)
    else:
        with suppress(ImportError):
            import_module("activeeval_widgets.session.stores.sqlite")


def hide_password(address: str | Path) -> str:
    """Return an address without its password."""
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


_WITHOUT_STORE = "leave store out, and keep the labels by formats.session_file.write_session"


def _sqlite_store(path: str | Path, *, reads_only: bool = False) -> Store:
    try:
        # Imported here: Python in a browser may lack SQLite.
        from activeeval_widgets.session.stores.sqlite import SQLiteStore
    except ImportError as error:
        raise StoreError(
            f"a store in a file needs SQLite, which this Python is without ({error}): {_WITHOUT_STORE}"
        ) from error
    if not can_hold_sqlite(Path(path)):
        raise StoreError(
            f"the store {str(path)!r} would be on JupyterLite's drive, where SQLite does not work: "
            f"{_WITHOUT_STORE}"
        )
    return SQLiteStore(path, reads_only=reads_only)


def _open_sqlite(address: str) -> Store:
    return _sqlite_store(_sqlite_path(address))


def _open_postgresql(address: str) -> Store:
    try:
        # Imported here: stores in files need neither SQLAlchemy nor psycopg.
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
