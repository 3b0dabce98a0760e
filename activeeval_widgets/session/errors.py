"""The errors of a session's storage.

ValueError
└── StoreError                  a store can't be used, or not now
    ├── ForeignStoreError       the file is not a store of this package, or in another format
    ├── LostStoreError          the file is no longer the one that was opened
    ├── DamagedStoreError       something in the file is not as it was written
    ├── SessionMismatchError    the session was begun with something else than it is opened with
    └── SessionConflictError    what was to be done was done elsewhere meanwhile
"""


class StoreError(ValueError):
    """A store can't be used, or not now.

    See Also
    --------
    ForeignStoreError, LostStoreError, DamagedStoreError : What is wrong with a file.
    SessionMismatchError, SessionConflictError : What is wrong with a session in it.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from activeeval_widgets.session import open_store
    >>> with TemporaryDirectory() as folder:
    ...     try:
    ...         store = open_store(folder)
    ...     except StoreError as error:
    ...         print("can't be read" in str(error))
    True
    """


class ForeignStoreError(StoreError):
    """The file is not a store of this package, or in another format. It was not touched.

    See Also
    --------
    StoreError : Any error of a store.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from activeeval_widgets.session import open_store
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
    """The file is no longer the one that was opened: it was deleted, moved, replaced or cut.

    See Also
    --------
    StoreError : Any error of a store.
    Session.save_to : Writes the session to another file.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from activeeval_widgets.session import open_store
    >>> folder = TemporaryDirectory()
    >>> path = Path(folder.name, "labels.sqlite")
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.stats import ErrorRate
    >>> pool = Pool(["a", "b"], predictions=[[0.9, 0.1], [0.4, 0.6]])
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
    """Something in the file is not as it was written. What is whole can be read; nothing is added.

    See Also
    --------
    StoreError : Any error of a store.
    Session.save_to : Writes what is whole to another file.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from activeeval_widgets.session import open_store
    >>> folder = TemporaryDirectory()
    >>> path = Path(folder.name, "labels.sqlite")
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.stats import ErrorRate
    >>> pool = Pool(["a", "b"], predictions=[[0.9, 0.1], [0.4, 0.6]])
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
    """The session was begun with another pool, measure, q or seed than it is opened with.

    See Also
    --------
    StoreError : Any error of a store.

    Examples
    --------
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.stats import ErrorRate
    >>> pool = Pool(["a", "b"], predictions=[[0.9, 0.1], [0.4, 0.6]])
    >>> from activeeval_widgets.session import MemoryStore
    >>> store = MemoryStore()
    >>> session = Session(pool, ErrorRate(), store=store)
    >>> try:
    ...     Session(pool, ErrorRate(), store=store, seed=1)
    ... except SessionMismatchError as error:
    ...     print(str(error).split(".")[0])
    the session 'default' was started with different settings: seed (0 then, 1 now)
    """


class SessionConflictError(StoreError):
    """What was to be done makes no sense any more: the session was continued elsewhere, in another tab, say.

    What was done there is taken in, and the session goes on.

    See Also
    --------
    StoreError : Any error of a store.

    Examples
    --------
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.stats import ErrorRate
    >>> pool = Pool(["a", "b"], predictions=[[0.9, 0.1], [0.4, 0.6]])
    >>> from activeeval_widgets.session import MemoryStore
    >>> store = MemoryStore()
    >>> here, there = (Session(pool, ErrorRate(), store=store) for _ in range(2))
    >>> event = there.label(1)
    >>> try:
    ...     event = here.label(0)
    ... except SessionConflictError:
    ...     print(here.n_labels, here.log.label_of(event.instance))
    1 1
    """
