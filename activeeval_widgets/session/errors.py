"""Errors of a session's storage.

ValueError
└── StoreError                  the store can't be used, permanently or now
    ├── ForeignStoreError       the file is not a store of this package, or has another format
    ├── LostStoreError          the file was deleted, moved, replaced or truncated
    ├── DamagedStoreError       records of the file were altered
    ├── SessionMismatchError    the session was begun with other arguments
    └── SessionConflictError    the session was continued elsewhere meanwhile
"""


class StoreError(ValueError):
    """A store can't be used, permanently or now.

    See Also
    --------
    ForeignStoreError, LostStoreError, DamagedStoreError : Problems of a file.
    SessionMismatchError, SessionConflictError : Problems of a session in it.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     try:
    ...         store = open_store(folder)
    ...     except StoreError as error:
    ...         print("can't be read" in str(error))
    True
    """


class ForeignStoreError(StoreError):
    """The file is not a store of this package, or has another format. It was left unchanged.

    See Also
    --------
    StoreError : The base class.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> folder = TemporaryDirectory()
    >>> path = Path(folder.name, "labels.sqlite")
    >>> size = path.write_text("name,label")
    >>> try:
    ...     open_store(path)
    ... except ForeignStoreError as error:
    ...     print(str(error).rpartition("' ")[2])
    is not an SQLite file; it was left untouched
    >>> folder.cleanup()
    """


class LostStoreError(StoreError):
    """The file that was opened has been deleted, moved, replaced or truncated.

    See Also
    --------
    StoreError : The base class.
    Session.save_to : Write the session to another file.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> folder = TemporaryDirectory()
    >>> path = Path(folder.name, "labels.sqlite")
    >>> session = Session(pool, ErrorRate(), store=path)
    >>> path.unlink()
    >>> try:
    ...     event = session.label(1)
    ... except LostStoreError:
    ...     print(session.n_labels, session.storage.problem is None)
    0 False
    >>> session.store.close()
    >>> folder.cleanup()
    """


class DamagedStoreError(StoreError):
    """Records of the file were altered. Intact records can be read; nothing more is stored.

    See Also
    --------
    StoreError : The base class.
    Session.save_to : Write the intact records to another file.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> folder = TemporaryDirectory()
    >>> path = Path(folder.name, "labels.sqlite")
    >>> import sqlite3
    >>> session = Session(pool, ErrorRate(), store=path)
    >>> event = session.label(1)
    >>> session.store.close()
    >>> file = sqlite3.connect(path)
    >>> changed = file.execute("UPDATE events SET record = replace(record, '1', '0') WHERE seq = 2")
    >>> file.commit(), file.close()
    (None, None)
    >>> again = Session(pool, ErrorRate(), store=path)
    >>> again.n_labels, again.storage.problem is None
    (0, False)
    >>> try:
    ...     event = again.label(0)
    ... except DamagedStoreError as error:
    ...     print("event 2 of the session 'default' is not as it was written" in str(error))
    True
    >>> again.store.close()
    >>> folder.cleanup()
    """


class SessionMismatchError(StoreError):
    """The stored session was begun with another pool, measure, q or seed.

    See Also
    --------
    StoreError : The base class.

    Examples
    --------
    >>> store = MemoryStore()
    >>> session = Session(pool, ErrorRate(), store=store)
    >>> try:
    ...     Session(pool, ErrorRate(), store=store, seed=1)
    ... except SessionMismatchError as error:
    ...     print(str(error).split(".")[0])
    the session 'default' was started with different settings: seed (0 then, 1 now)
    """


class SessionConflictError(StoreError):
    """The call no longer applies: the session was continued elsewhere, for example in another tab.

    The session has taken over the events from there and can be continued.

    See Also
    --------
    StoreError : The base class.

    Examples
    --------
    >>> store = MemoryStore()
    >>> here, there = (Session(pool, ErrorRate(), store=store) for _ in range(2))
    >>> event = there.label(1)
    >>> try:
    ...     event = here.label(0)
    ... except SessionConflictError:
    ...     print(here.n_labels, here.log.label_of(event.instance))
    1 1
    """
