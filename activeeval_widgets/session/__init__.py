"""What happened: the pool, the draws, the labels, and where they are kept."""

from activeeval_widgets.session.asking import DrawnInstance
from activeeval_widgets.session.errors import (
    DamagedStoreError,
    ForeignStoreError,
    LostStoreError,
    SessionConflictError,
    SessionMismatchError,
    StoreError,
)
from activeeval_widgets.session.goals import Goal
from activeeval_widgets.session.instances import Ranking, Result, Text
from activeeval_widgets.session.label_kinds import ClassLabels, GradeLabels, Labels, NumberLabels
from activeeval_widgets.session.labeled import Answered
from activeeval_widgets.session.pool import Pool
from activeeval_widgets.session.session import Session
from activeeval_widgets.session.stores import MemoryStore, SQLiteStore, Store
from activeeval_widgets.session.watched import WatchedInterval

__all__ = [
    "Answered",
    "ClassLabels",
    "DamagedStoreError",
    "DrawnInstance",
    "ForeignStoreError",
    "Goal",
    "GradeLabels",
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
]
