"""How sentences are written."""

import re
from collections.abc import Sequence

_MADE_UP = re.compile(r"the (model|scorer)|model ([A-Z]|2[7-9]|[3-9]\d|\d{3,})")
"""What models are called that have no names; see `model_names`."""


def capitalized(text: str) -> str:
    """A text as a sentence begins; what has capitals of its own, as nDCG, keeps them."""
    return text if text[1:2].isupper() else f"{text[:1].upper()}{text[1:]}"


def continued(text: str) -> str:
    """A text that begins with a capital as it goes on after a colon: "The judge", not a name."""
    return f"t{text[1:]}" if text.startswith("The ") else text


def begun(text: str, names: Sequence[str]) -> str:
    """A text as a sentence begins, but a model's name that it begins with stays as it was written."""
    for name in names:
        is_whole = text.startswith(name) and not text[len(name) : len(name) + 1].isalnum()
        if name and is_whole and not _MADE_UP.fullmatch(name):
            return text
    return capitalized(text)
