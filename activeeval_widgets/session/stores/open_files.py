"""The files that are open in this process."""

import atexit
import os
from contextlib import suppress
from pathlib import Path

from activeeval_widgets.session.errors import StoreError
from activeeval_widgets.session.stores.connections import LOCK
from activeeval_widgets.session.stores.file_identity import stat_of
from activeeval_widgets.session.stores.file_system import make_private
from activeeval_widgets.session.stores.shared_file import FORKED, SharedFile, release_given_back
from activeeval_widgets.session.stores.sqlite_schema import check_header

_open: dict[tuple[int, int], SharedFile] = {}
_inherited: set[tuple[int, int]] = set()


def share(path: Path, *, reads_only: bool = False) -> SharedFile:
    """Return a file, opened or open already; `SharedFile.release` releases it. One only read has no locks."""
    release_given_back()
    with LOCK:
        path = path.resolve()
        found = stat_of(path)
        if found is not None:
            key = found.st_dev, found.st_ino
            if key in _inherited:
                raise StoreError(f"the store {str(path)!r} {FORKED}")
            known = _open.get(key)
            if known is not None and known.is_open:
                if known.path == path and not known.is_lost:
                    if known.refusal is not None:
                        with suppress(StoreError):
                            known.try_again()
                    known.n_users += 1
                    return known
                # For example, its log is gone: read the file again.
                known.close_for_all(f"the store {str(path)!r} was opened again")
            check_header(path)
        if reads_only:
            return SharedFile(path, reads_only=True)
        if found is None or found.st_size == 0:
            make_private(path)
        opened = SharedFile(path, is_new=found is None)
        _open[opened.key] = opened
        return opened


def close_all() -> None:
    """Merge the logs of all open files, and close them."""
    with LOCK:
        for file in _open.values():
            if file.is_open and not file.is_forked:
                file.merge_log()
                file.close()


atexit.register(close_all)


def _forget_all() -> None:
    for file in _open.values():
        if file.is_open:
            file.leave_to_parent()
            _inherited.add(file.key)
    _open.clear()
    LOCK.release()


if hasattr(os, "register_at_fork"):
    # The lock keeps a fork from interrupting a transaction.
    os.register_at_fork(before=LOCK.acquire, after_in_parent=LOCK.release, after_in_child=_forget_all)
