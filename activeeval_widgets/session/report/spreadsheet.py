"""Tables for spreadsheets, in which texts are never interpreted as formulas.

A text that begins with `=`, `+`, `-`, `@`, a tab, a line end or an apostrophe gets an apostrophe in front.
Numbers, and texts that are numbers, are unchanged. To read a text back, remove one leading apostrophe with
"""

import json
import re

import pandas as pd

_FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠']")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def as_text(value: object) -> object:
    r"""Protect a cell from being interpreted as a formula."""
    if not isinstance(value, str) or _FORMULA.match(value) is None or _NUMBER.fullmatch(value):
        return value
    return f"'{value}"


def without_apostrophe(text: str) -> str:
    """Remove the apostrophe that `as_text` has added."""
    return text[1:] if text.startswith("'") else text


def to_csv(table: pd.DataFrame) -> str:
    """Format a table as comma-separated values, without its index."""
    cells = {}
    for position, (_, column) in enumerate(table.items()):
        if pd.api.types.is_numeric_dtype(column):
            cells[position] = column
        else:  # dtype=object: string arrays reject lone surrogates
            safe_cells = [as_text(_flat(value)) for value in column]
            cells[position] = pd.Series(safe_cells, index=table.index, dtype=object)
    safe = pd.DataFrame(cells, index=table.index)
    safe.columns = pd.Index([as_text(name) for name in table.columns])
    return safe.to_csv(index=False, lineterminator="\n")


def _flat(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value
