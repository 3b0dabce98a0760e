"""What happened: the pool, the draws, the labels, and where they are kept."""

from activeeval_widgets.session.draws.asking import DrawnInstance
from activeeval_widgets.session.draws.labeled import Answered
from activeeval_widgets.session.errors import (
    DamagedStoreError,
    ForeignStoreError,
    LostStoreError,
    SessionConflictError,
    SessionMismatchError,
    StoreError,
)
from activeeval_widgets.session.pool.instances import Ranking, Result, Text
from activeeval_widgets.session.pool.kinds import InstanceKind, register_kind
from activeeval_widgets.session.pool.label_kinds import ClassLabels, GradeLabels, Labels, NumberLabels
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.session.reading.goals import Goal
from activeeval_widgets.session.reading.watched_interval import WatchedInterval
from activeeval_widgets.session.session import Session
from activeeval_widgets.session.stores import (
    BaseStore,
    MemoryStore,
    SQLiteStore,
    Store,
    open_store,
    register_store,
)

__all__ = [
    "Answered",
    "BaseStore",
    "ClassLabels",
    "DamagedStoreError",
    "DrawnInstance",
    "ForeignStoreError",
    "Goal",
    "GradeLabels",
    "InstanceKind",
    "Labels",
    "LostStoreError",
    "MemoryStore",
    "NumberLabels",
    "Pool",
    "Ranking",
    "Result",
    "SQLiteStore",
    "Session",
    "SessionConflictError",
    "SessionMismatchError",
    "Store",
    "StoreError",
    "Text",
    "WatchedInterval",
    "open_store",
    "register_kind",
    "register_store",
]
