"""The errors of a session's storage.

ValueError
└── StoreError                  a store can't be used, or not now
    ├── ForeignStoreError       the file is not a store of this package, or of a newer version of it
    ├── LostStoreError          the file is no longer the one that was opened
    ├── DamagedStoreError       something in the file is not as it was written
    ├── SessionMismatchError    the session was begun with something else than it is opened with
    └── SessionConflictError    the session was continued elsewhere meanwhile
"""


class StoreError(ValueError):
    """A store can't be used, or not now."""


class ForeignStoreError(StoreError):
    """The file is not a store of this package, or of a newer version of it. It was not touched."""


class LostStoreError(StoreError):
    """The file is no longer the one that was opened: it was deleted, moved, replaced or cut."""


class DamagedStoreError(StoreError):
    """Something in the file is not as it was written. What is whole can be read; nothing is added."""


class SessionMismatchError(StoreError):
    """The session was begun with another pool, measure, q or seed than it is opened with."""


class SessionConflictError(StoreError):
    """The session was continued elsewhere (in another tab, say) since it was opened here."""
