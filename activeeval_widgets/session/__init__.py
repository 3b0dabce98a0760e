"""Labeling sessions: the pool, the draws, the labels, the findings, and the stores."""

from typing import TYPE_CHECKING, Any

from activeeval_widgets._lazy import attribute

if TYPE_CHECKING:  # "as" marks a name as public for type checkers
    from activeeval_widgets.session.answering import Answers as Answers
    from activeeval_widgets.session.draws.labeled import Answered as Answered
    from activeeval_widgets.session.draws.scheduler import DrawnInstance as DrawnInstance
    from activeeval_widgets.session.draws.session_draws import SessionDraws as SessionDraws
    from activeeval_widgets.session.errors import DamagedStoreError as DamagedStoreError
    from activeeval_widgets.session.errors import ForeignStoreError as ForeignStoreError
    from activeeval_widgets.session.errors import LostStoreError as LostStoreError
    from activeeval_widgets.session.errors import SessionConflictError as SessionConflictError
    from activeeval_widgets.session.errors import SessionMismatchError as SessionMismatchError
    from activeeval_widgets.session.errors import StoreError as StoreError
    from activeeval_widgets.session.findings.by_group import GroupEstimate as GroupEstimate
    from activeeval_widgets.session.findings.course import Course as Course
    from activeeval_widgets.session.findings.estimation import Provisional as Provisional
    from activeeval_widgets.session.findings.excluded_counted import ExcludedCounted as ExcludedCounted
    from activeeval_widgets.session.findings.findings import Findings as Findings
    from activeeval_widgets.session.findings.goals import Goal as Goal
    from activeeval_widgets.session.findings.judge import JudgeCheck as JudgeCheck
    from activeeval_widgets.session.findings.leaderboard import Leaderboard as Leaderboard
    from activeeval_widgets.session.findings.leaderboard import Placed as Placed
    from activeeval_widgets.session.findings.sheet_checks import SheetChecks as SheetChecks
    from activeeval_widgets.session.findings.verdict import Verdict as Verdict
    from activeeval_widgets.session.findings.watched_interval import WatchedInterval as WatchedInterval
    from activeeval_widgets.session.findings.who_was_right import WhoWasRight as WhoWasRight
    from activeeval_widgets.session.given_labels import GivenLabel as GivenLabel
    from activeeval_widgets.session.given_labels import ImportedLabels as ImportedLabels
    from activeeval_widgets.session.log.session_log import SessionLog as SessionLog
    from activeeval_widgets.session.log.state import DeclaredMargin as DeclaredMargin
    from activeeval_widgets.session.offline import OfflineLabels as OfflineLabels
    from activeeval_widgets.session.opinions import Disagreement as Disagreement
    from activeeval_widgets.session.opinions import Opinions as Opinions
    from activeeval_widgets.session.opinions import Ratings as Ratings
    from activeeval_widgets.session.people import People as People
    from activeeval_widgets.session.people import Person as Person
    from activeeval_widgets.session.pool.conversations import Conversation as Conversation
    from activeeval_widgets.session.pool.conversations import Turn as Turn
    from activeeval_widgets.session.pool.instances import Ranking as Ranking
    from activeeval_widgets.session.pool.instances import Result as Result
    from activeeval_widgets.session.pool.instances import Text as Text
    from activeeval_widgets.session.pool.kinds import InstanceKind as InstanceKind
    from activeeval_widgets.session.pool.kinds import check_kind as check_kind
    from activeeval_widgets.session.pool.kinds import register_kind as register_kind
    from activeeval_widgets.session.pool.label_kinds import ClassLabels as ClassLabels
    from activeeval_widgets.session.pool.label_kinds import GradeLabels as GradeLabels
    from activeeval_widgets.session.pool.label_kinds import Labels as Labels
    from activeeval_widgets.session.pool.label_kinds import NumberLabels as NumberLabels
    from activeeval_widgets.session.pool.pool import Pool as Pool
    from activeeval_widgets.session.pool.readers import register_reader as register_reader
    from activeeval_widgets.session.revising import Revisions as Revisions
    from activeeval_widgets.session.session import Session as Session
    from activeeval_widgets.session.sheets import Sheet as Sheet
    from activeeval_widgets.session.sheets import Sheets as Sheets
    from activeeval_widgets.session.storage import Storage as Storage
    from activeeval_widgets.session.stores import BaseStore as BaseStore
    from activeeval_widgets.session.stores import MemoryStore as MemoryStore
    from activeeval_widgets.session.stores import SQLiteStore as SQLiteStore
    from activeeval_widgets.session.stores import Store as Store
    from activeeval_widgets.session.stores import check_store as check_store
    from activeeval_widgets.session.stores import copy_sessions as copy_sessions
    from activeeval_widgets.session.stores import open_store as open_store
    from activeeval_widgets.session.stores import register_store as register_store

_WHERE = {
    "Answered": "draws.labeled",
    "Answers": "answering",
    "BaseStore": "stores",
    "ClassLabels": "pool.label_kinds",
    "Conversation": "pool.conversations",
    "DamagedStoreError": "errors",
    "DeclaredMargin": "log.state",
    "Disagreement": "opinions",
    "DrawnInstance": "draws.scheduler",
    "ExcludedCounted": "findings.excluded_counted",
    "Findings": "findings.findings",
    "ForeignStoreError": "errors",
    "GivenLabel": "given_labels",
    "Goal": "findings.goals",
    "GradeLabels": "pool.label_kinds",
    "GroupEstimate": "findings.by_group",
    "ImportedLabels": "given_labels",
    "InstanceKind": "pool.kinds",
    "Course": "findings.course",
    "JudgeCheck": "findings.judge",
    "Labels": "pool.label_kinds",
    "Leaderboard": "findings.leaderboard",
    "LostStoreError": "errors",
    "MemoryStore": "stores",
    "NumberLabels": "pool.label_kinds",
    "OfflineLabels": "offline",
    "Opinions": "opinions",
    "People": "people",
    "Person": "people",
    "Placed": "findings.leaderboard",
    "Pool": "pool.pool",
    "Provisional": "findings.estimation",
    "Ranking": "pool.instances",
    "Ratings": "opinions",
    "Result": "pool.instances",
    "Revisions": "revising",
    "SQLiteStore": "stores",
    "Session": "session",
    "SessionConflictError": "errors",
    "SessionDraws": "draws.session_draws",
    "SessionLog": "log.session_log",
    "SessionMismatchError": "errors",
    "Sheet": "sheets",
    "SheetChecks": "findings.sheet_checks",
    "Sheets": "sheets",
    "Storage": "storage",
    "Store": "stores",
    "StoreError": "errors",
    "Text": "pool.instances",
    "Turn": "pool.conversations",
    "Verdict": "findings.verdict",
    "WatchedInterval": "findings.watched_interval",
    "WhoWasRight": "findings.who_was_right",
    "check_kind": "pool.kinds",
    "check_store": "stores",
    "copy_sessions": "stores",
    "open_store": "stores",
    "register_kind": "pool.kinds",
    "register_reader": "pool.readers",
    "register_store": "stores",
}
"""The module of each public name. Modules are imported lazily: a server only needs the stores."""

__all__ = sorted(_WHERE)


if not TYPE_CHECKING:  # type checkers would accept any name

    def __getattr__(name: str) -> Any:
        return attribute(__name__, _WHERE, name)


def __dir__() -> list[str]:
    return list(__all__)
