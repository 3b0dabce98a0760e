"""Read a session's JSON file, and open the session again."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from activeeval_widgets.formats.json_text import from_text
from activeeval_widgets.formats.session_file.read_only_log import ReadOnlyLog
from activeeval_widgets.formats.session_file.writing import FORMAT, VERSION
from activeeval_widgets.session import MemoryStore, Pool, Session, SessionMismatchError, Store, StoreError
from activeeval_widgets.session.pool.drawn_rows import DrawnIds, DrawnParts
from activeeval_widgets.session.pool.fetched_predictions import FetchedRows
from activeeval_widgets.session.pool.kinds import KINDS
from activeeval_widgets.session.pool.kinds.absent import AbsentInstances
from activeeval_widgets.session.stores import Record, as_store
from activeeval_widgets.stats import Measure, Predictions
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.measures.parse_repr import measure_from_repr
from activeeval_widgets.stats.predictions.base import one_or_all
from activeeval_widgets.stats.predictions.from_dict import predictions_from_dict

_TYPES: dict[str, type] = {
    **dict.fromkeys(("name", "sha256", "begun"), str),
    **dict.fromkeys(("summary", "identity", "settings", "digests", "pool"), dict),
    **dict.fromkeys(("log", "labels", "predictions"), list),
}
_SETTINGS = (
    *("measure", "seed", "protocol", "defensive", "y_range", "confidence_level", "q"),
    *("n_raters", "second_opinions", "deadlines", "for_groups", "budget"),
)
_POOL = ("n_instances", "kind", "noun", "ids", "costs", "groups", "items", "contents")
_JSON_NAMES: dict[type, str] = {str: "a text", dict: "an object", list: "a list"}


@dataclass(frozen=True)
class SessionFile:
    """A session in a JSON file. Its numbers are taken as stated; `verify` checks them against its log.

    Attributes
    ----------
    path : Path
        The file.
    document : dict
        Its values, described in `docs/how-to/sessions.md`.

    See Also
    --------
    read_session_file : Reads one.
    verify : Recomputes every number in it.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.formats import read_session_file, write_session
    >>> from activeeval_widgets.stats import ErrorRate
    >>> session = Session(Pool(["a", "b"], predictions=[[0.9, 0.1], [0.4, 0.6]]), ErrorRate(), name="Ada")
    >>> with TemporaryDirectory() as folder:
    ...     file = read_session_file(write_session(session, f"{folder}/session.json"))
    >>> file.name, file.measure, file.pool
    ('Ada', ErrorRate(), <Pool of 2 texts, predicted by 1 model>)
    """

    path: Path
    document: dict[str, Any]
    given_measure: Measure | None = None
    given_pool: Pool | None = None

    @property
    def name(self) -> str:
        """The session's name."""
        return str(self.document["name"])

    @property
    def sha256(self) -> str:
        """The hash that it states, as the session's report does."""
        return str(self.document["sha256"])

    @property
    def records(self) -> list[Record]:
        """The log's events, without their hashes."""
        return [
            {name: value for name, value in record.items() if name != "hash"}
            for record in self.document["log"]
        ]

    @property
    def q(self) -> FloatArray | None:
        """The distribution that was given to draw from; None if it follows from the predictions."""
        given = self.document["settings"]["q"]
        return None if given is None else np.array(given, dtype=np.float64)

    @cached_property
    def measure(self) -> Measure:
        """The measure."""
        with naming_errors(self.path, "measure"):
            stated = self.document["settings"]["measure"]
            if self.given_measure is None:
                return measure_from_repr(stated)
            found = self.given_measure.bound_to(self.pool.models)
            if repr(found) != stated:
                raise ValueError(f"it is {stated}, but {found!r} was given")
            return found

    @cached_property
    def pool(self) -> Pool:
        """The pool: with contents if they are in the file, else with instances that show their ids.

        For a pool that was streamed, only the drawn instances.
        """
        if self.given_pool is not None:
            return self.given_pool
        with naming_errors(self.path, "pool"):
            return self._pool()

    def _pool(self) -> Pool:
        given = self.document["pool"]
        kind, ids = given["kind"], given["ids"]
        if not isinstance(ids, list) or not all(isinstance(each, str) for each in ids):
            raise ValueError("'ids' must be texts")
        models = [predictions_from_dict(each) for each in self.document["predictions"]]
        if given.get("streamed") is not None:
            return _pool_of_drawn(self.document, models)
        if given["contents"] is None:
            digest = self.document["identity"].get("instances", "")
            instances: Any = AbsentInstances(
                ids, kind=str(kind), noun=str(given["noun"]), digest=str(digest), items=given["items"]
            )
            kind = None
        else:
            instances = _contents_of_kind(given["contents"], kind)
        predictions = one_or_all(models)
        known = given.get("known") or {"instances": [], "labels": [], "drawn": None}
        labels = {ids[at]: label for at, label in zip(known["instances"], known["labels"], strict=True)}
        return Pool(
            instances,
            predictions=predictions,
            ids=ids,
            costs=given["costs"],
            kind=kind,
            groups=given["groups"],
            labels=labels or None,
            drawn=known["drawn"],
        )

    def open(
        self, store: Store | str | Path | None = None, *, name: str | None = None, pool: Pool | None = None
    ) -> Session:
        """Open the session and continue it, in memory or in a store.

        Parameters
        ----------
        store : Store, str or path-like, optional
            Where it is kept from now on, by default in memory. A session that it holds under this name
            must be this one or an earlier state of it.
        name : str, optional
            Another name for it.
        pool : Pool, optional
            The pool with its contents, if the file lacks them.

        Returns
        -------
        Session
            The session, with the same labels, estimate and future draws.

        Raises
        ------
        SessionMismatchError
            If an event does not follow from those before, `pool` is another one, or the store holds
            another session of this name.
        ValueError
            If the file can't be understood.
        StoreError
            If the store can't be used.

        See Also
        --------
        verify : Lists what does not follow.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.formats import read_session_file, write_session
        >>> from activeeval_widgets.stats import ErrorRate
        >>> session = Session(Pool(["a", "b"], predictions=[[0.9, 0.1], [0.4, 0.6]]), ErrorRate())
        >>> with TemporaryDirectory() as folder:
        ...     file = read_session_file(write_session(session, f"{folder}/session.json"))
        >>> file.open().next() == session.next()
        True
        """
        with naming_errors(self.path):
            options = {**self.options, "name": self.name if name is None else name}
            about = self.pool if pool is None else pool
            # First in memory, so that a log that does not follow is refused before anything is stored.
            read_only = ReadOnlyLog(self.document["identity"], self.records)
            opened = Session(about, self.measure, store=read_only, **options)
            target = MemoryStore() if store is None else as_store(store)
            keep(target, opened.name, opened.storage.identity, self.records)
            return Session(about, self.measure, store=target, **options)

    @property
    def options(self) -> dict[str, Any]:
        """The options that the session was begun with, as `Session` takes them."""
        settings, q = self.document["settings"], self.q
        return {
            **{key: settings[key] for key in ("budget", "n_raters", "second_opinions")},
            "seed": settings["seed"],
            "protocol": settings["protocol"],
            "defensive": None if q is not None else settings["defensive"],
            "q": q,
            "y_range": None if settings["y_range"] is None else tuple(settings["y_range"]),
            "confidence_level": settings["confidence_level"],
            "for_groups": settings["for_groups"],
        }


def _contents_of_kind(contents: Any, kind: str) -> Any:
    """Return the instances that the file holds as JSON values, as their kind reads them."""
    if kind not in KINDS:
        raise ValueError(f"the instances are of the kind {kind!r}, expected one of {sorted(KINDS)}")
    if not isinstance(contents, list):
        raise ValueError(f"'contents' is {contents!r:.60}, expected a list")
    return KINDS[kind].from_json(contents)


def _pool_of_drawn(document: Mapping[str, Any], models: list[Predictions]) -> Pool:
    given, identity = document["pool"], document["identity"]
    record, n_instances = given["streamed"], given["n_instances"]
    digests = {name: str(identity.get(name)) for name in ("predictions", "ids", "costs")}
    parts = DrawnParts(n_instances, record, models, given["costs"], digests)
    ids = DrawnIds(n_instances, dict(zip(record["drawn"], given["ids"], strict=True)))
    digest = str(identity.get("instances", ""))
    instances = AbsentInstances(ids, kind=str(given["kind"]), noun=str(given["noun"]), digest=digest)
    costs = None if given["costs"] is None else FetchedRows((n_instances,), np.float64, parts.costs_of)
    return Pool(instances, predictions=parts, ids=ids, costs=costs)


def keep(store: Store, name: str, identity: Mapping[str, str], records: list[Record]) -> None:
    """Put a log into a store that has no session of that name, or continue an earlier import."""
    there = store.begin(name, identity) if name in store.names() else None
    n_same = 0 if there is None else min(len(there), len(records))
    if there is not None and there[:n_same] != records[:n_same]:
        raise SessionMismatchError(
            f"the store holds another session {name!r}: give this one another name by name=…"
        )
    if there is None and hasattr(store, "begin_with"):
        store.begin_with(name, identity, records)  # all or nothing
        return
    if there is None:
        store.begin(name, identity)
    for record in records[n_same:]:
        store.append(name, record)


def read_session_file(path: str | Path) -> SessionFile:
    """Read the JSON file of a session.

    Parameters
    ----------
    path : str or path-like
        A file that `write_session` wrote.

    Returns
    -------
    SessionFile
        The session, not yet verified.

    Raises
    ------
    ValueError
        If it is not such a file, or if a later version of this package wrote it.
    OSError
        If it can't be read.

    See Also
    --------
    write_session : Writes it.
    verify : Recomputes every number in it.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "labels.json")
    ...     size = path.write_text('{"labels": []}')
    ...     try:
    ...         read_session_file(path)
    ...     except ValueError as error:
    ...         print(str(error).partition(": ")[2])
    it is not a session: 'format' is missing, expected 'activeeval-widgets session'
    """
    place = Path(path)
    with naming_errors(place):
        try:
            document = from_text(place.read_text(encoding="utf-8-sig", errors="strict"))
        except UnicodeDecodeError as error:
            raise ValueError(f"it is not UTF-8 text: {error.reason} at byte {error.start}") from None
        except json.JSONDecodeError as error:
            raise ValueError(
                f"it is not JSON: {error}. `activeeval-widgets sessions export NAME --output FILE.json` "
                "writes a session as JSON"
            ) from None
        check_document(document)
    return SessionFile(place, document)


def check_document(document: Any) -> None:
    """Refuse a file that is not a session or that a later version wrote."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        found = repr(document["format"]) if isinstance(document, dict) and "format" in document else "missing"
        raise ValueError(f"it is not a session: 'format' is {found}, expected {FORMAT!r}")
    if type(document.get("version")) is not int or not 1 <= document["version"] <= VERSION:
        raise ValueError(
            f"'version' is {document.get('version')!r}, expected at most {VERSION}: update activeeval-widgets"
        )
    for name, kind in _TYPES.items():
        if not isinstance(document.get(name), kind):
            found = "missing" if name not in document else repr(document[name])[:60]
            raise ValueError(f"{name!r} is {found}, expected {_JSON_NAMES[kind]}")
    for where, names in {"settings": _SETTINGS, "pool": _POOL}.items():
        missing = [name for name in names if name not in document[where]]
        if missing:
            raise ValueError(f"{where!r} has no {missing[0]!r}")
    for name in ("log", "labels", "predictions"):
        for position, entry in enumerate(document[name]):
            if not isinstance(entry, dict):
                raise ValueError(f"{name}[{position}] is {entry!r:.60}, expected an object")
    if not document["predictions"]:
        raise ValueError("'predictions' holds no model, expected one or more")


_NOT_UNDERSTOOD = (
    *(TypeError, LookupError, ArithmeticError, AttributeError, NotImplementedError),
    *(RecursionError, MemoryError),
)
"""Errors that values of other types than the schema's raise."""


@contextmanager
def naming_errors(path: Path, what: str | None = None) -> Iterator[None]:
    """Raise errors about a file's contents as a ValueError that names the file and the part."""
    where = str(path) if what is None else f"{path}, {what}"
    try:
        yield
    except ValueError as error:
        if isinstance(error, StoreError) or str(error).startswith(str(path)):
            raise
        raise ValueError(f"{where}: {error}") from error
    except _NOT_UNDERSTOOD as error:
        raise ValueError(f"{where}: {error or type(error).__name__}") from error
