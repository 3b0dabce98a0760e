"""Detect the evaluation tool that wrote a file, by the beginning of the content."""

import re
from collections.abc import Callable
from pathlib import Path

from activeeval_widgets.formats.evaluation_logs.deepeval import read_deepeval
from activeeval_widgets.formats.evaluation_logs.inspect_logs import (
    is_inspect_archive,
    read_inspect_archive,
    read_inspect_json,
)
from activeeval_widgets.formats.evaluation_logs.lm_harness import read_lm_harness, refuse_totals
from activeeval_widgets.formats.evaluation_logs.promptfoo import read_promptfoo, read_promptfoo_lines
from activeeval_widgets.formats.table import FileTable

_BEGINNINGS: tuple[tuple[str, Callable[[Path, memoryview], FileTable]], ...] = (
    (
        r'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:\s*"(success|error|cancelled|started)"',
        read_inspect_json,
    ),
    (r'\s*\{\s*"evalId"\s*:', read_promptfoo),
    (r'\s*\{\s*"(testCases|testRunData)"\s*:\s*[\[{]', read_deepeval),
    (r'\s*\{\s*"doc_id"\s*:.*"doc"\s*:', read_lm_harness),
)


def read_archive(path: Path) -> FileTable | None:
    """Read a log that is a ZIP file; return None for other files."""
    try:
        with path.open("rb") as file:
            start = file.read(4)
    except OSError:  # reported when it is read
        return None
    return read_inspect_archive(path) if start == b"PK\x03\x04" and is_inspect_archive(path) else None


_KEYS: tuple[tuple[tuple[bytes, ...], Callable[[Path, memoryview], FileTable]], ...] = (
    ((b'"promptIdx"', b'"provider"', b'"response"', b'"testCase"'), read_promptfoo_lines),
    ((b'"results"', b'"n-shot"', b'"configs"', b'"versions"'), refuse_totals),
)
"""The keys that identify a log whose keys have no fixed order."""

_LOOKED_AT = 16 << 20


def reader_of(start: str, data: memoryview) -> Callable[[Path, memoryview], FileTable] | None:
    """Return the reader for a log that begins like this; None for other content."""
    for beginning, read in _BEGINNINGS:
        if re.match(beginning, start):
            return read
    first = bytes(data[:_LOOKED_AT])
    if re.match(r'\s*\{\s*"results"\s*:\s*\{', start) is None:
        first = first.partition(b"\n")[0]
    return next((read for keys, read in _KEYS if all(key in first for key in keys)), None)
