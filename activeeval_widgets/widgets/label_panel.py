"""The labels a person can give, and their keys."""

from string import ascii_lowercase
from typing import NamedTuple

from activeeval_widgets.stats import ClassPredictions

RESERVED_KEYS = frozenset("ulxpv?")
"""Keys of actions: undo, later, exclude, show the prediction, choose the panels, show the keys."""


class LabelChoice(NamedTuple):
    """A label's button: its text, and the key that presses it, where one is left."""

    value: str
    text: str
    key: str | None


def label_choices(predictions: ClassPredictions) -> list[LabelChoice]:
    """One choice for each class, in the order of the classes.

    Classes that are all single characters are their own keys; else the keys are 1 to 9, 0, and letters.
    """
    texts = [str(label) for label in predictions.classes.tolist()]
    own = [text.lower() for text in texts]
    if all(len(text) == 1 for text in own) and len(set(own)) == len(own) and not RESERVED_KEYS & set(own):
        keys: list[str | None] = list(own)
    else:
        free = [*"1234567890", *(letter for letter in ascii_lowercase if letter not in RESERVED_KEYS)]
        keys = [free[i] if i < len(free) else None for i in range(len(texts))]
    return [LabelChoice(text, text, key) for text, key in zip(texts, keys, strict=True)]
