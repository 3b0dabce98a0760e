"""Capitalization of sentences."""

import re
from collections.abc import Sequence

_MADE_UP = re.compile(r"the (model|scorer)|model ([A-Z]|2[7-9]|[3-9]\d|\d{3,})")
"""Default names of models without a name; see `model_names`."""


def capitalized(text: str) -> str:
    """Capitalize a sentence unless its first word has its own capitals, as nDCG does."""
    return text if text[1:2].isupper() else f"{text[:1].upper()}{text[1:]}"


def continued(text: str) -> str:
    """Return a text as it continues after a colon: "The judge" loses its capital, names keep theirs."""
    return f"t{text[1:]}" if text.startswith("The ") else text


def begun(text: str, names: Sequence[str]) -> str:
    """Capitalize a sentence unless it begins with a model's own name."""
    for name in names:
        is_whole = text.startswith(name) and not text[len(name) : len(name) + 1].isalnum()
        if name and is_whole and not _MADE_UP.fullmatch(name):
            return text
    return capitalized(text)
