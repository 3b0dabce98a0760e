"""Copies sessions between stores, for example from a file to a database."""

from collections.abc import Sequence
from pathlib import Path

from activeeval_widgets.session.errors import StoreError
from activeeval_widgets.session.stores.protocol import Record, Store, store_member
from activeeval_widgets.session.stores.registry import absolute_address, as_store


def copy_sessions(
    source: Store | str | Path, target: Store | str | Path, names: Sequence[str] | None = None
) -> list[str]:
    """Copy sessions with their logs and details to another store.

    The source is unchanged. A session that the target has already is treated as an earlier copy, and missing
    events are added. So the copy can be repeated after an interruption, or to follow a session that
    continued.

    Parameters
    ----------
    source, target : Store, str or path-like
        Stores or their addresses; the file of the target is created if it does not exist.
    names : sequence of str, optional
        The names of the sessions; all by default.

    Returns
    -------
    list of str
        The names of the sessions to which something was added.

    Raises
    ------
    StoreError
        If a store can't be used, there is no such session, the target has a different session of that name,
        or the source is damaged. Nothing is copied then.

    See Also
    --------
    open_store : Open the store of an address.
    Session.save_to : Write an open session to a new file and continue there.

    Examples
    --------
    >>> here, there = MemoryStore(), MemoryStore()
    >>> event = Session(pool, ErrorRate(), store=here).label(1)
    >>> copy_sessions(here, there)
    ['default']
    >>> Session(pool, ErrorRate(), store=there).n_labels
    1
    >>> copy_sessions(here, there)
    []
    """
    given = [each for each in (source, target) if not isinstance(each, str | Path)]
    # Opening a missing file would create it.
    if isinstance(source, str | Path) and _is_missing_file(source):
        raise StoreError(f"source must be an existing store, got {str(source)!r}")
    source, target = as_store(source), as_store(target)
    try:
        return _copy(source, target, names)
    finally:
        for store in (source, target):
            if store not in given:
                getattr(store, "close", lambda: None)()


def _copy(source: Store, target: Store, names: Sequence[str] | None) -> list[str]:
    known = source.names()
    chosen = known if names is None else list(dict.fromkeys(names))
    missing = [name for name in chosen if name not in known]
    if missing:
        has = f"it has {', '.join(map(repr, known))}" if known else "it has none"
        raise StoreError(f"there is no session {missing[0]!r} in the source: {has}")
    # All sessions are checked before anything is written.
    for name in chosen:
        _to_add(source, target, name)
    copied = []
    for name in chosen:
        about, n_there, records = _to_add(source, target, name)
        if n_there is None:
            store_member(target, "begin_with")(name, about, records)
        else:
            for record in records:
                target.append(name, record)
        details = store_member(source, "details")(name)
        is_new = n_there is None or bool(records) or details != store_member(target, "details")(name)
        store_member(target, "keep_details")(name, details)
        kept = store_member(target, "events_since")(name, 0)
        if (
            kept[: (n_there or 0) + len(records)]
            != store_member(source, "events_since")(name, 0)[: len(kept)]
        ):
            raise StoreError(f"the session {name!r} is not in the target as it is in the source")
        copied += [name] if is_new else []
    return copied


def _to_add(source: Store, target: Store, name: str) -> tuple[dict[str, str], int | None, list[Record]]:
    """Return a session's identity, the number of its records in the target, and the missing records."""
    about = source.identity(name) or {}
    records = source.begin(name, about)
    problem = store_member(source, "problem")
    if problem is not None:
        raise StoreError(f"the session {name!r} can't be copied: {problem}")
    about_there = target.identity(name)
    if about_there is None:
        return about, None, records
    kept = target.begin(name, about_there)
    if about_there != about or kept != records[: len(kept)]:
        raise StoreError(
            f"the target has another session {name!r} already, or it went on there; nothing was copied. "
            "Copy to a store that does not have it"
        )
    return about, len(kept), records[len(kept) :]


def _is_missing_file(address: str | Path) -> bool:
    where = address if isinstance(address, Path) else absolute_address(address)
    return isinstance(where, Path) and not where.exists()
