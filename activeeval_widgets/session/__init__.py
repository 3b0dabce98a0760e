"""What happened: the pool, the draws, the labels, and where they are kept."""

from typing import TYPE_CHECKING, Any

from activeeval_widgets.session import stores
from activeeval_widgets.session.answering import Answers
from activeeval_widgets.session.draws.asking import DrawnInstance
from activeeval_widgets.session.draws.labeled import Answered
from activeeval_widgets.session.draws.session_draws import SessionDraws
from activeeval_widgets.session.errors import (
    DamagedStoreError,
    ForeignStoreError,
    LostStoreError,
    SessionConflictError,
    SessionMismatchError,
    StoreError,
)
from activeeval_widgets.session.findings.by_group import GroupEstimate
from activeeval_widgets.session.findings.estimation import Provisional
from activeeval_widgets.session.findings.excluded_counted import ExcludedCounted
from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.findings.goals import Goal
from activeeval_widgets.session.findings.judge import JudgeCheck
from activeeval_widgets.session.findings.leaderboard import Leaderboard, Placed
from activeeval_widgets.session.findings.verdict import Verdict
from activeeval_widgets.session.findings.watched_interval import WatchedInterval
from activeeval_widgets.session.findings.who_was_right import WhoWasRight
from activeeval_widgets.session.given_labels import GivenLabel, ImportedLabels
from activeeval_widgets.session.log.session_log import SessionLog
from activeeval_widgets.session.log.state import DeclaredMargin
from activeeval_widgets.session.offline import OfflineLabels
from activeeval_widgets.session.opinions import Disagreement, Opinions, Ratings
from activeeval_widgets.session.people import People, Person
from activeeval_widgets.session.pool.conversations import Conversation, Turn
from activeeval_widgets.session.pool.instances import Ranking, Result, Text
from activeeval_widgets.session.pool.kinds import InstanceKind, check_kind, register_kind
from activeeval_widgets.session.pool.label_kinds import ClassLabels, GradeLabels, Labels, NumberLabels
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.session.pool.readers import register_reader
from activeeval_widgets.session.revising import Revisions
from activeeval_widgets.session.session import Session
from activeeval_widgets.session.storage import Storage
from activeeval_widgets.session.stores import (
    BaseStore,
    MemoryStore,
    Store,
    check_store,
    copy_sessions,
    open_store,
    register_store,
)

if TYPE_CHECKING:
    from activeeval_widgets.session.stores import SQLiteStore

__all__ = [
    "Answered",
    "Answers",
    "BaseStore",
    "ClassLabels",
    "Conversation",
    "DamagedStoreError",
    "DeclaredMargin",
    "Disagreement",
    "DrawnInstance",
    "ExcludedCounted",
    "Findings",
    "ForeignStoreError",
    "GivenLabel",
    "Goal",
    "GradeLabels",
    "GroupEstimate",
    "ImportedLabels",
    "InstanceKind",
    "JudgeCheck",
    "Labels",
    "Leaderboard",
    "LostStoreError",
    "MemoryStore",
    "NumberLabels",
    "OfflineLabels",
    "Opinions",
    "People",
    "Person",
    "Placed",
    "Pool",
    "Provisional",
    "Ranking",
    "Ratings",
    "Result",
    "Revisions",
    "SQLiteStore",
    "Session",
    "SessionConflictError",
    "SessionDraws",
    "SessionLog",
    "SessionMismatchError",
    "Storage",
    "Store",
    "StoreError",
    "Text",
    "Turn",
    "Verdict",
    "WatchedInterval",
    "WhoWasRight",
    "check_kind",
    "check_store",
    "copy_sessions",
    "open_store",
    "register_kind",
    "register_reader",
    "register_store",
]


def __getattr__(name: str) -> Any:
    if name == "SQLiteStore":  # imported when asked for
        return stores.SQLiteStore
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
