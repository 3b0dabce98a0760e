"""Translate messages from the terms of Python into those of files and the command line."""

import re

from activeeval_widgets.formats.columns import COLUMN_OPTIONS
from activeeval_widgets.formats.evaluation_settings import SETTING_OPTIONS
from activeeval_widgets.formats.options import flag

_OPTIONS = [name for name in (*COLUMN_OPTIONS, *SETTING_OPTIONS) if "_" in name]
"""The options whose names are not ordinary words in a sentence."""

MEASURES = (
    ("WithinTolerance", "within-tolerance"),
    ("ClippedSquaredError", "clipped-squared-error"),
    ("NDCG", "ndcg"),
    ("BrierScore", "brier-score"),
)
"""Measures in messages, and their names."""


def in_terms_of_files(text: str) -> str:
    """Replace arguments by options, and measures by the names that `--measure` takes."""
    text = re.sub(rf"(?<![\w-])({'|'.join(_OPTIONS)})\b", lambda name: flag(name[1]), text)
    for name, measure in MEASURES:
        text = re.sub(rf"\b{name}\(\)", f"--measure {measure}", text)
        text = re.sub(rf"\b{name}\(([^()]+)\)", rf"--measure {measure}@\1", text)
    text = text.replace("pass one for each instance, Pool(…, groups=…)", "name their column with --group")
    return text.replace("(--y-range, or --y-range)", "(--y-range)")
