"""Input of grades for the results of a ranked list."""

from collections.abc import Mapping, Sequence
from typing import Any

from activeeval_widgets.session import GradeLabels
from activeeval_widgets.widgets.labels.keys import check_keys, label_keys
from activeeval_widgets.widgets.labels.panel import LabelPanel, keys_of, label_choices, register_label_panel

GRADE_KEYS = ("-", "g", "j", "k")
"""Keys that move in a ranked list, or grade in other ways."""


@register_label_panel
class GradesPanel(LabelPanel):
    """A grade for each result of a list."""

    kind = "grades"
    options = ("keys", "grade_words")
    question = "How relevant is each result?"

    def __init__(
        self,
        labels: GradeLabels,
        keys: Mapping[Any, str] | None = None,
        grade_words: Sequence[str] | None = None,
    ) -> None:
        self._labels = labels
        self._words = None if grade_words is None else _check_words(grade_words, len(labels.grades))
        self._grades = [int(grade) if grade == int(grade) else grade for grade in labels.grades.tolist()]
        texts = [f"{grade:g}" for grade in self._grades]
        wanted = check_keys(keys, texts)
        for text, key in wanted.items():
            if key in GRADE_KEYS:
                raise ValueError(f"keys[{text!r}] is {key!r}, which moves in the list or gives a grade")
        self.choices = label_choices(texts, label_keys(texts, wanted, GRADE_KEYS))

    def config(self) -> dict[str, Any]:
        """See `LabelPanel.config`."""
        return {
            "kind": "grades",
            "grades": self._grades,
            "words": self._words,
            "choices": [choice._asdict() for choice in self.choices],
        }

    def reserved_keys(self) -> frozenset[str]:
        """See `LabelPanel.reserved_keys`."""
        return frozenset(GRADE_KEYS) | keys_of(self.choices) | {"Backspace"}

    def decode(self, value: Any) -> dict[str, Any]:
        """See `LabelPanel.decode`; the session checks it against the list."""
        if not isinstance(value, Mapping):
            raise ValueError(f"value must be a mapping from item to grade, got {value!r}")
        return dict(value)

    def encode(self, label: Any) -> dict[str, Any]:
        """See `LabelPanel.encode`."""
        return dict(label)

    def text(self, label: Any) -> str:
        """See `LabelPanel.text`."""
        return " ".join("–" if grade is None else f"{grade:g}" for grade in label.values())

    def text_of(self, label: Any, index: int) -> str:
        """Return the given grades in the order of the questions; see `LabelPanel.text_of`."""
        asked = {name: label[name] for name in map(str, self._labels.items[index]) if name in label}
        n_known = len(label) - len(asked)
        if not n_known:
            return self.text(asked)
        return f"{self.text(asked)} and {n_known:,} more" if asked else f"{n_known:,} judged before"


def _check_words(words: Any, n_grades: int) -> list[str]:
    """Validate the meanings of grades."""
    if isinstance(words, str) or not isinstance(words, Sequence):
        raise TypeError(f"grade_words must be a sequence of strings, got {words!r}")
    if len(words) != n_grades:
        raise ValueError(f"grade_words must have a string for each of {n_grades} grades, got {list(words)!r}")
    for position, word in enumerate(words):
        if not isinstance(word, str) or not word.strip():
            raise ValueError(f"grade_words[{position}] must be a nonblank string, got {word!r}")
    return list(words)
