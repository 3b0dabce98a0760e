"""Input of classes: with a key for each, or by typing if there are many."""

from collections.abc import Mapping
from typing import Any, Self

from activeeval_widgets.session import ClassLabels
from activeeval_widgets.widgets.labels.keys import TYPED, check_keys, label_keys
from activeeval_widgets.widgets.labels.panel import LabelChoice, LabelPanel, keys_of, register_label_panel

SEARCHED_ABOVE = 20
"""With more classes than this, labels are found by typing."""


@register_label_panel
class ClassPanel(LabelPanel):
    """Buttons with keys, or a search if there are too many classes."""

    kind = "class"
    options = ("keys",)
    reasons = ("no label fits",)
    question = "Which class is this?"

    def __init__(self, labels: ClassLabels, keys: Mapping[Any, str] | None = None) -> None:
        self._classes = labels.classes.tolist()
        texts = [str(label) for label in self._classes]
        wanted = self.wanted_keys(keys, texts)
        self.is_searched = len(texts) > SEARCHED_ABOVE and len(wanted) < len(texts)
        if self.is_searched and wanted:
            raise ValueError(
                f"keys has keys for {len(wanted)} of {len(texts)} classes: with more than {SEARCHED_ABOVE} "
                "classes labels are found by typing, unless each has a key"
            )
        all_keys = [()] * len(texts) if self.is_searched else label_keys(texts, wanted)
        self.choices = [LabelChoice(text, text, own) for text, own in zip(texts, all_keys, strict=True)]

    @staticmethod
    def wanted_keys(keys: Mapping[Any, str] | None, texts: list[str]) -> dict[str, str]:
        """Validate the requested keys."""
        return {} if keys is None else check_keys(keys, texts)

    @classmethod
    def of(cls, labels: ClassLabels, **options: Any) -> Self:
        """See `LabelPanel.of`."""
        return cls(labels, **options)

    def config(self) -> dict[str, Any]:
        """See `LabelPanel.config`."""
        return {
            "kind": "class",
            "is_searched": self.is_searched,
            "choices": [choice._asdict() for choice in self.choices],
        }

    def reserved_keys(self) -> frozenset[str]:
        """See `LabelPanel.reserved_keys`."""
        return TYPED if self.is_searched else keys_of(self.choices)

    def decode(self, value: Any) -> Any:
        """Return the class at a position; see `LabelPanel.decode`."""
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < len(self._classes):
            raise ValueError(f"value must be a number from 0 to {len(self._classes) - 1}, got {value!r}")
        return self._classes[value]

    def encode(self, label: Any) -> int:
        """Return the position of a class; see `LabelPanel.encode`."""
        return int(self._classes.index(label))

    def text(self, label: Any) -> str:
        """See `LabelPanel.text`."""
        return str(label)
