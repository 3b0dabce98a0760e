"""The labels a person can give: what the page needs to know of them, and what its answers mean."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, Protocol, TypeAlias

from activeeval_widgets.session.pool.label_kinds import ClassLabels, GradeLabels, Labels, NumberLabels
from activeeval_widgets.widgets.labels.keys import TYPED, check_keys, label_keys

SEARCHED_ABOVE = 20
"""With more classes than this, labels are found by typing."""

GRADE_KEYS = ("-", "g", "j", "k")
"""Keys that move in a ranked list, or grade in other ways."""


Unit: TypeAlias = str | tuple[str, str]
"""A unit, or its singular and plural."""


class LabelChoice(NamedTuple):
    """A label's button: what it stands for, its text, and the keys that press it, the shown one first."""

    value: str
    text: str
    keys: tuple[str, ...]


class LabelPanel(Protocol):
    """How one kind of label is given."""

    question: str
    """What is asked, unless the person says otherwise."""

    def config(self) -> dict[str, Any]:
        """What the page builds its controls of; "kind" says which."""

    def taken_keys(self) -> frozenset[str]:
        """Keys that actions can't have."""

    def decode(self, value: Any) -> Any:
        """The label that the page's `value` means.

        Raises
        ------
        ValueError
            If it can't mean one.
        """

    def encode(self, label: Any) -> Any:
        """The page's value of a stored label."""

    def text(self, label: Any) -> str:
        """A stored label in words."""


class ClassPanel:
    """Buttons with keys, or a search where there are too many classes for that.

    Parameters
    ----------
    labels : ClassLabels
        The classes.
    keys : mapping, optional
        Keys to be used instead of the usual ones, by class.
    """

    question = "Which class is this?"

    def __init__(self, labels: ClassLabels, keys: Mapping[Any, str] | None = None) -> None:
        self._classes = labels.classes.tolist()
        texts = [str(label) for label in self._classes]
        wanted = {} if keys is None else check_keys(keys, texts)
        self.is_searched = len(texts) > SEARCHED_ABOVE and len(wanted) < len(texts)
        if self.is_searched and wanted:
            raise ValueError(
                f"keys has keys for {len(wanted)} of {len(texts)} classes: with more than {SEARCHED_ABOVE} "
                "classes labels are found by typing, unless each has a key"
            )
        all_keys = [()] * len(texts) if self.is_searched else label_keys(texts, wanted)
        self.choices = [LabelChoice(text, text, own) for text, own in zip(texts, all_keys, strict=True)]

    def config(self) -> dict[str, Any]:
        """See `LabelPanel.config`."""
        return {
            "kind": "class",
            "is_searched": self.is_searched,
            "choices": [choice._asdict() for choice in self.choices],
        }

    def taken_keys(self) -> frozenset[str]:
        """See `LabelPanel.taken_keys`."""
        return TYPED if self.is_searched else _keys_of(self.choices)

    def decode(self, value: Any) -> Any:
        """The class at a position; see `LabelPanel.decode`."""
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < len(self._classes):
            raise ValueError(f"value must be a number from 0 to {len(self._classes) - 1}, got {value!r}")
        return self._classes[value]

    def encode(self, label: Any) -> int:
        """The position of a class; see `LabelPanel.encode`."""
        return int(self._classes.index(label))

    def text(self, label: Any) -> str:
        """See `LabelPanel.text`."""
        return str(label)


class NumberPanel:
    """A field for a number, with a slider where the range has two ends.

    Parameters
    ----------
    labels : NumberLabels
        The range.
    unit : str or tuple of two str, optional
        What the number counts: "kg", say, or ("point", "points").
    """

    question = "What is the value?"

    def __init__(self, labels: NumberLabels, unit: Unit | None = None) -> None:
        self._labels = labels
        self._unit = _check_unit(unit)

    def config(self) -> dict[str, Any]:
        """See `LabelPanel.config`."""
        return {"kind": "number", "low": self._labels.low, "high": self._labels.high, "unit": self._unit}

    def taken_keys(self) -> frozenset[str]:
        """See `LabelPanel.taken_keys`."""
        return frozenset("0123456789+-.,e") | {"Backspace"}

    def decode(self, value: Any) -> float:
        """See `LabelPanel.decode`; the session holds it against the range."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"value must be a number, got {value!r}")
        return float(value)

    def encode(self, label: Any) -> float:
        """See `LabelPanel.encode`."""
        return float(label)

    def text(self, label: Any) -> str:
        """See `LabelPanel.text`."""
        unit = "" if self._unit is None else f"\N{NO-BREAK SPACE}{self._unit[0 if abs(label) == 1 else 1]}"
        return f"{label:.12g}{unit}"


class GradesPanel:
    """A grade for each result of a list.

    Parameters
    ----------
    labels : GradeLabels
        The grades.
    keys : mapping, optional
        Keys to be used instead of the usual ones, by grade.
    words : sequence of str, optional
        What each grade means, from the lowest on.
    """

    question = "How relevant is each result?"

    def __init__(
        self,
        labels: GradeLabels,
        keys: Mapping[Any, str] | None = None,
        words: Sequence[str] | None = None,
    ) -> None:
        self._words = None if words is None else _check_words(words, len(labels.grades))
        self._grades = [int(grade) if grade == int(grade) else grade for grade in labels.grades.tolist()]
        texts = [f"{grade:g}" for grade in self._grades]
        wanted = {} if keys is None else check_keys(keys, texts)
        for text, key in wanted.items():
            if key in GRADE_KEYS:
                raise ValueError(
                    f"keys[{text!r}] is {key!r}, which moves in a list, or grades in another way"
                )
        self.choices = [
            LabelChoice(text, text, own)
            for text, own in zip(texts, label_keys(texts, wanted, GRADE_KEYS), strict=True)
        ]

    def config(self) -> dict[str, Any]:
        """See `LabelPanel.config`."""
        return {
            "kind": "grades",
            "grades": self._grades,
            "words": self._words,
            "choices": [choice._asdict() for choice in self.choices],
        }

    def taken_keys(self) -> frozenset[str]:
        """See `LabelPanel.taken_keys`."""
        return frozenset(GRADE_KEYS) | _keys_of(self.choices) | {"Backspace"}

    def decode(self, value: Any) -> dict[str, Any]:
        """See `LabelPanel.decode`; the session holds it against the list."""
        if not isinstance(value, Mapping):
            raise ValueError(f"value must be a mapping from item to grade, got {value!r}")
        return dict(value)

    def encode(self, label: Any) -> dict[str, Any]:
        """See `LabelPanel.encode`."""
        return dict(label)

    def text(self, label: Any) -> str:
        """See `LabelPanel.text`."""
        return " ".join("–" if grade is None else f"{grade:g}" for grade in label.values())


def label_panel(
    labels: Labels,
    *,
    keys: Mapping[Any, str] | None = None,
    unit: Unit | None = None,
    grade_words: Sequence[str] | None = None,
) -> LabelPanel:
    """The panel for a kind of label.

    Parameters
    ----------
    labels : ClassLabels, NumberLabels or GradeLabels
        What a session takes.
    keys : mapping, optional
        For classes and grades: the key of each that is not to have its usual one.
    unit : str or tuple of two str, optional
        For numbers: the unit, or its singular and plural.
    grade_words : sequence of str, optional
        For grades: what each means, from the lowest on.

    Raises
    ------
    ValueError, TypeError
        If an argument does not fit, or is for another kind of label.
    """
    if unit is not None and not isinstance(labels, NumberLabels):
        raise ValueError(
            f"unit is for labels that are numbers, got {unit!r} for labels of kind {labels.kind!r}"
        )
    if grade_words is not None and not isinstance(labels, GradeLabels):
        raise ValueError(f"grade_words is for grades, got {grade_words!r} for labels of kind {labels.kind!r}")
    if isinstance(labels, NumberLabels):
        if keys is not None:
            raise ValueError(f"keys is for classes and grades, got {keys!r} for labels that are numbers")
        return NumberPanel(labels, unit)
    if isinstance(labels, GradeLabels):
        return GradesPanel(labels, keys, grade_words)
    if isinstance(labels, ClassLabels):
        return ClassPanel(labels, keys)
    raise TypeError(f"labels must be classes, numbers or grades, got {labels!r}")


def key_scope(measure: str, config: Mapping[str, Any]) -> str:
    """A name under which a browser remembers a person's own keys: for this measure and these labels."""
    texts = [choice["value"] for choice in config.get("choices", [])]
    told = json.dumps([measure, config["kind"], texts])
    return sha256(told.encode()).hexdigest()[:16]


def _check_unit(unit: Any) -> tuple[str, str] | None:
    """The unit of one and of many."""
    if unit is None:
        return None
    both = (unit, unit) if isinstance(unit, str) else unit
    if (
        not isinstance(both, tuple | list)
        or len(both) != 2
        or any(not isinstance(text, str) or not text.strip() for text in both)
    ):
        raise ValueError(
            f"unit must be a string that is not blank, or two of them, singular and plural; got {unit!r}"
        )
    return both[0], both[1]


def _check_words(words: Any, n_grades: int) -> list[str]:
    """What each grade means."""
    if isinstance(words, str) or not isinstance(words, Sequence):
        raise TypeError(f"grade_words must be a sequence of strings, got {words!r}")
    if len(words) != n_grades:
        raise ValueError(f"grade_words must have a string for each of {n_grades} grades, got {list(words)!r}")
    for position, word in enumerate(words):
        if not isinstance(word, str) or not word.strip():
            raise ValueError(f"grade_words[{position}] must be a string that is not blank, got {word!r}")
    return list(words)


def _keys_of(choices: Sequence[LabelChoice]) -> frozenset[str]:
    return frozenset(key for choice in choices for key in choice.keys)
