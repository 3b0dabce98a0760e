"""Interpret the scores of a log's scorer: verdicts, probabilities of passing, or numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.evaluation_logs.sample import Verdict

LETTERS = {"I": "incorrect", "C": "correct", "P": "partially correct", "N": "no answer"}
"""The verdicts by the letters that Inspect's scorers write."""

VERDICT = " verdict"
"""The suffix of the column of a scorer's verdicts if it also gives numbers."""


@dataclass(frozen=True)
class Scorer:
    """A scorer's columns, by their names, and their roles: predicted class, its probability, or a number."""

    name: str
    columns: Mapping[str, Sequence[Any]]
    roles: Columns

    @property
    def verdicts(self) -> str | None:
        """The column of its verdicts; None for a scorer of numbers."""
        return self.roles.predicted


def scorer_of(
    name: str, values: Sequence[Any], passed: Sequence[bool | None], words: Verdict
) -> Scorer | None:
    """Make a scorer of its scores; return None if they can't be compared with labels."""
    plain = [_plain(value) for value in values]
    known = [value for value in plain if value is not None]
    if not known:
        return None
    if any(isinstance(value, str) for value in known):
        return _of_words(name, [None if value is None else str(value) for value in plain])
    numbers = [None if value is None else float(value) for value in plain]
    there = [value for value in numbers if value is not None]
    if set(there) <= {0.0, 1.0}:
        verdicts = [None if value is None else words[int(value)] for value in numbers]
        return Scorer(name, {name: verdicts}, Columns(predicted=name, classes=words))
    if min(there) >= 0 and max(there) <= 1:
        decided = [
            None if value is None else words[int(value >= 0.5 if ok is None else ok)]
            for value, ok in zip(numbers, passed, strict=True)
        ]
        roles = Columns(score=name, predicted=f"{name}{VERDICT}", classes=words)
        return Scorer(name, {name: numbers, f"{name}{VERDICT}": decided}, roles)
    return Scorer(name, {name: numbers}, Columns(mean=name))


def _of_words(name: str, words: list[str | None]) -> Scorer:
    """Make a scorer that gives letters or words."""
    found = {value for value in words if value is not None}
    if not found <= LETTERS.keys():
        classes = tuple(sorted(found))
        return Scorer(
            name, {name: words}, Columns(predicted=name, classes=classes if len(classes) > 1 else None)
        )
    classes = tuple(word for letter, word in LETTERS.items() if letter in "IC" or letter in found)
    verdicts = [None if value is None else LETTERS[value] for value in words]
    return Scorer(name, {name: verdicts}, Columns(predicted=name, classes=classes))


def _plain(value: Any) -> str | float | None:
    """Return a verdict as a string or a finite number, None for anything else."""
    if isinstance(value, bool | int | float):
        return float(value) if isfinite(value) else None
    if isinstance(value, str):
        return value.strip() or None
    return None
