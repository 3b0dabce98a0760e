"""The storage of a session's log."""

from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import Any

from activeeval_widgets.session.errors import StoreError
from activeeval_widgets.session.locking import one_thread_at_a_time
from activeeval_widgets.session.log.events import to_record
from activeeval_widgets.session.recorder import Observer, Recorder
from activeeval_widgets.session.stores import Store
from activeeval_widgets.session.stores.file_system import store_path
from activeeval_widgets.session.stores.new_file import free_path, write_new
from activeeval_widgets.session.stores.protocol import store_member


@one_thread_at_a_time
class Storage:
    """The storage of a session's log: `session.storage`.

    Attributes
    ----------
    lock : threading.RLock
        The session's lock.

    See Also
    --------
    open_store : The possible stores.

    Examples
    --------
    >>> session.storage.problem is None, session.storage.identity["seed"]
    (True, '0')
    """

    def __init__(self, recorder: Recorder, lock: RLock) -> None:
        self.lock = lock
        self._recorder = recorder

    @property
    def identity(self) -> dict[str, str]:
        """The fingerprints and settings of the session, which have to match to open its log."""
        return dict(self._recorder.identity)

    @property
    def store(self) -> Store:
        """The store of the log."""
        return self._recorder.store

    @property
    def problem(self) -> str | None:
        """Why the store can't save now, as far as known without trying; None if it can."""
        return self._recorder.problem

    @property
    def notices(self) -> tuple[str, ...]:
        """Notices about the store: how it is kept, and whether events may be missing."""
        return tuple(store_member(self._recorder.store, "notices"))

    @property
    def path(self) -> Path | None:
        """The file of the session; None if it is not stored in a file."""
        found: Path | None = store_member(self._recorder.store, "path")
        return found

    @property
    def place(self) -> str:
        """The place of the session in words, such as "session Ada, kept in labels.sqlite"."""
        where = store_member(self._recorder.store, "place") or f"in a {type(self._recorder.store).__name__}"
        name = f"session {self._recorder.name}, " if store_member(self._recorder.store, "is_lasting") else ""
        return f"{name}kept {where}"

    def save_to(self, path: str | Path | None = None) -> Path:
        """Write the whole log to a new file and continue there, for example if the old file is lost or full.

        Parameters
        ----------
        path : str or path-like, optional
            A file that does not exist. By default the path of the session's own file if it is gone, else a
            new name beside it.

        Returns
        -------
        Path
            The new file.

        Raises
        ------
        StoreError
            If the file exists or can't be written, or `path` is missing for a session without a file.

        See Also
        --------
        path : The present file.

        Examples
        --------
        >>> labeled = session.label(1)
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = session.save_to(Path(folder, "labels.sqlite"))
        ...     print(session.storage.place)
        ...     session.store.close()
        session default, kept in labels.sqlite
        """
        if path is not None:
            target = store_path(path)
        elif self.path is not None:
            target = free_path(self.path)
        else:
            raise StoreError("path must be given for a session that is not kept in a file")
        details: dict[str, Any] = {}
        with suppress(StoreError):  # a lost file may be unreadable: continue without its details
            details = store_member(self._recorder.store, "details")(self._recorder.name)
        self._recorder.store = write_new(
            target,
            self._recorder.name,
            self.identity,
            [to_record(event) for event in self._recorder.state.log],
            details,
        )
        self._recorder.advance()
        return target

    def refresh(self) -> int:
        """Apply the events that others have stored in this session, in other tabs or on other machines.

        Calls that need these events refresh by themselves.

        Returns
        -------
        int
            The number of new events.

        Raises
        ------
        StoreError
            If the store can't be read.

        See Also
        --------
        subscribe : Call a function with each event.

        Examples
        --------
        >>> pool, store = Pool(["a", "b"], predictions=[[0.9, 0.1], [0.4, 0.6]]), MemoryStore()
        >>> here, there = (Session(pool, ErrorRate(), store=store) for _ in range(2))
        >>> event = there.label(1)
        >>> here.n_labels, here.refresh(), here.n_labels
        (0, 1, 1)
        """
        return self._recorder.refresh()

    def subscribe(self, observer: Observer) -> None:
        """Call `observer` with each further event once it is stored and applied.

        Parameters
        ----------
        observer : callable
            Takes an event. Errors that it raises are logged and not passed on.

        See Also
        --------
        unsubscribe : Stop calling it.

        Examples
        --------
        >>> session.subscribe(lambda event: print(event.kind, event.value))
        >>> labeled = session.label(1)
        label 1
        """
        self._recorder.subscribe(observer)

    def unsubscribe(self, observer: Observer) -> None:
        """Stop calling `observer`; do nothing if it is not subscribed.

        Parameters
        ----------
        observer : callable
            The callable that was passed to `subscribe`.

        See Also
        --------
        subscribe : Start calling it.

        Examples
        --------
        >>> session.subscribe(print)
        >>> session.unsubscribe(print)
        >>> event = session.label(1)
        """
        self._recorder.unsubscribe(observer)
