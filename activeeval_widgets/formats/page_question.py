"""Choose the question of a page by the names of a file's columns."""

import re

from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.table import FileTable

_PREDICTED = r"y[ _]?pred|y[ _]?hat|predicted|prediction|pred|mean|forecast|estimated|estimate"
_BEGINNING = re.compile(rf"^(?:{_PREDICTED})[ _.:\-/]+", re.IGNORECASE)
_END = re.compile(rf"[ _.:\-/]+(?:{_PREDICTED}|hat)$", re.IGNORECASE)
_GENERAL = re.compile(rf"(?:{_PREDICTED}|value|number|score|output|target|label|y)s?", re.IGNORECASE)
_LONGEST = 40

_OF_VERDICTS: dict[tuple[str, ...], str] = {
    ("incorrect", "correct"): "Is the answer correct?",
    ("fail", "pass"): "Does the answer pass?",
}


def question_of(table: FileTable, columns: Columns) -> str | None:
    """Return the question that fits a file, by its scorer or predicted quantity; None for the usual one."""
    scorer = None if table.log is None else table.log.scorer_of(columns)
    if table.log is not None and scorer is not None:
        roles = table.log.scorers[scorer].roles
        asked = "What score should the answer get?"
        return asked if roles.mean is not None else _OF_VERDICTS.get(columns.classes or roles.classes or ())
    thing = None if columns.mean is None else predicted_thing(columns.mean)
    return None if thing is None else f"What is the {thing}?"


def predicted_thing(column: str) -> str | None:
    """Return the quantity in the name of a column of predicted numbers, None if there is none."""
    name = " ".join(re.sub(r"_+", " ", _END.sub("", _BEGINNING.sub("", column.strip()))).split())
    is_named = 1 < len(name) <= _LONGEST and not _GENERAL.fullmatch(name) and not name[:1].isdigit()
    return name if is_named else None
