"""Read and write files: tables, images, evaluations, tasks for other labeling tools."""

from typing import TYPE_CHECKING, Any

from activeeval_widgets._lazy import attribute

if TYPE_CHECKING:  # "as" marks a name as public for type checkers
    from activeeval_widgets.formats.columns import Columns as Columns
    from activeeval_widgets.formats.examination import Examination as Examination
    from activeeval_widgets.formats.examination import examine as examine
    from activeeval_widgets.formats.problems import FileProblemsError as FileProblemsError
    from activeeval_widgets.formats.problems import Problem as Problem
    from activeeval_widgets.formats.session_file import Finding as Finding
    from activeeval_widgets.formats.session_file import SessionFile as SessionFile
    from activeeval_widgets.formats.session_file import Verification as Verification
    from activeeval_widgets.formats.session_file import read_session_file as read_session_file
    from activeeval_widgets.formats.session_file import verify as verify
    from activeeval_widgets.formats.session_file import write_session as write_session
    from activeeval_widgets.formats.table_files import candidates as candidates
    from activeeval_widgets.formats.trec import read_qrels as read_qrels
    from activeeval_widgets.formats.trec import read_run as read_run
    from activeeval_widgets.formats.trec import write_qrels as write_qrels
    from activeeval_widgets.formats.trec import write_run as write_run

_WHERE = {
    "Columns": "columns",
    "Examination": "examination",
    "FileProblemsError": "problems",
    "Finding": "session_file",
    "Problem": "problems",
    "SessionFile": "session_file",
    "Verification": "session_file",
    "candidates": "table_files",
    "examine": "examination",
    "read_qrels": "trec",
    "read_run": "trec",
    "read_session_file": "session_file",
    "verify": "session_file",
    "write_qrels": "trec",
    "write_run": "trec",
    "write_session": "session_file",
}
"""The module of each public name, imported on first use: a command's options need no reader."""

__all__ = sorted(_WHERE)


if not TYPE_CHECKING:  # or they would accept any name

    def __getattr__(name: str) -> Any:
        return attribute(__name__, _WHERE, name)


def __dir__() -> list[str]:
    return list(__all__)
