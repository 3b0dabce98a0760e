"""Where the log of a session is kept."""

from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import Any

from activeeval_widgets.session.errors import StoreError
from activeeval_widgets.session.locking import one_thread_at_a_time
from activeeval_widgets.session.log.events import to_record
from activeeval_widgets.session.recording import Observer, Recorder
from activeeval_widgets.session.stores import Store
from activeeval_widgets.session.stores.new_file import free_path, write_new
from activeeval_widgets.session.stores.protocol import told_by


@one_thread_at_a_time
class Storage:
    """Where the log of a session is kept: `session.storage`.

    Attributes
    ----------
    lock : threading.RLock
        The session's.

    See Also
    --------
    open_store : What a store can be.

    Examples
    --------
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.stats import ErrorRate
    >>> session = Session(Pool(["a", "b", "c"], predictions=[[0.9, 0.1]] * 3), ErrorRate())
    >>> session.storage.problem is None, session.storage.identity["seed"]
    (True, '0')
    """

    def __init__(self, recorder: Recorder, lock: RLock) -> None:
        self.lock = lock
        self._recorder = recorder

    @property
    def identity(self) -> dict[str, str]:
        """What the session is about: opening its log with anything else is refused."""
        return dict(self._recorder.identity)

    @property
    def store(self) -> Store:
        """Where the log is kept now."""
        return self._recorder.store

    @property
    def problem(self) -> str | None:
        """Why the store can't save now, as far as is known without trying; None if it can."""
        return self._recorder.problem

    @property
    def notices(self) -> tuple[str, ...]:
        """What there is to say about the store: how it is kept, and whether something may be missing."""
        return tuple(told_by(self._recorder.store, "notices"))

    @property
    def path(self) -> Path | None:
        """The file that the session is kept in; None if it is in no file."""
        found: Path | None = told_by(self._recorder.store, "path")
        return found

    @property
    def place(self) -> str:
        """Where the session is kept, in words: "session Ada, kept in labels.sqlite", say."""
        where = told_by(self._recorder.store, "place") or f"in a {type(self._recorder.store).__name__}"
        name = f"session {self._recorder.name}, " if told_by(self._recorder.store, "is_lasting") else ""
        return f"{name}kept {where}"

    def save_to(self, path: str | Path | None = None) -> Path:
        """Write the whole log to a new file, and go on there: the session's own is gone or full, say.

        Parameters
        ----------
        path : str or path-like, optional
            A file that is not there yet. Unless given, the place of the session's own file if nothing is
            there any more, else a new name beside it.

        Returns
        -------
        Path
            Where the session is kept from now on.

        Raises
        ------
        StoreError
            If the file is there already or can't be written, or there is no place to write beside.

        See Also
        --------
        path : Where the session is kept.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> labeled = session.label(1)
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = session.save_to(Path(folder, "labels.sqlite"))
        ...     print(session.storage.place)
        ...     session.store.close()
        session default, kept in labels.sqlite
        """
        if path is not None:
            target = Path(path)
        elif self.path is not None:
            target = free_path(self.path)
        else:
            raise StoreError("path must be given for a session that is not kept in a file")
        details: dict[str, Any] = {}
        with suppress(StoreError):  # what is gone may be unreadable: the labels go on without
            details = told_by(self._recorder.store, "details")(self._recorder.name)
        self._recorder.store = write_new(
            target,
            self._recorder.name,
            self.identity,
            [to_record(event) for event in self._recorder.state.log],
            details,
        )
        self._recorder.join()
        return target

    def refresh(self) -> int:
        """Take in what others have stored in this session: in other tabs, or at other machines.

        Whatever is done here takes it in, too, where it matters.

        Returns
        -------
        int
            How many events there were.

        Raises
        ------
        StoreError
            If the store can't be read.

        See Also
        --------
        subscribe : Have a function called with each of them.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.session import MemoryStore
        >>> from activeeval_widgets.stats import ErrorRate
        >>> pool, store = Pool(["a", "b"], predictions=[[0.9, 0.1], [0.4, 0.6]]), MemoryStore()
        >>> here, there = (Session(pool, ErrorRate(), store=store) for _ in range(2))
        >>> event = there.label(1)
        >>> here.n_labels, here.refresh(), here.n_labels
        (0, 1, 1)
        """
        return self._recorder.refresh()

    def subscribe(self, observer: Observer) -> None:
        """Have `observer` called with each event from now on, once it is stored and counts.

        Parameters
        ----------
        observer : callable
            Takes an event. An error that it raises is logged, and goes no further.

        See Also
        --------
        unsubscribe : Call it no more.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6]])
        >>> session = Session(Pool(["a", "b"], predictions=model), ErrorRate())
        >>> session.subscribe(lambda event: print(event.kind, event.value))
        >>> labeled = session.label(1)
        label 1
        """
        self._recorder.subscribe(observer)

    def unsubscribe(self, observer: Observer) -> None:
        """Call `observer` no more; nothing happens if it is not subscribed.

        Parameters
        ----------
        observer : callable
            What was given to `subscribe`.

        See Also
        --------
        subscribe : The other way round.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> session.subscribe(print)
        >>> session.unsubscribe(print)
        >>> event = session.label(1)
        """
        self._recorder.unsubscribe(observer)
