"""Files from elsewhere and for elsewhere: tables, images, evaluations, tasks for other labeling tools."""

from activeeval_widgets.formats.candidates import SUFFIXES, candidates
from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.examination import Examination, examine, read_dask, read_table
from activeeval_widgets.formats.problems import FileProblemsError, Problem
from activeeval_widgets.formats.session_file import (
    Finding,
    SessionFile,
    Verification,
    read_session_file,
    verify,
    write_session,
)
from activeeval_widgets.formats.streams.dask_data import is_dask_frame
from activeeval_widgets.formats.trec import read_qrels, read_run, write_qrels, write_run
from activeeval_widgets.session.pool.readers import ANY, register_reader, register_value_reader

__all__ = [
    "Columns",
    "Examination",
    "FileProblemsError",
    "Finding",
    "Problem",
    "SessionFile",
    "Verification",
    "candidates",
    "examine",
    "read_qrels",
    "read_run",
    "read_session_file",
    "verify",
    "write_qrels",
    "write_run",
    "write_session",
]

for _suffix in (*SUFFIXES, ANY):
    register_reader(_suffix, read_table)
register_value_reader(is_dask_frame, read_dask)
