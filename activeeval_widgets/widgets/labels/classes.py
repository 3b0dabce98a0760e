"""Input of classes: with a key for each, or by typing if there are many."""

from collections.abc import Mapping
from typing import Any

from activeeval_widgets.session import ClassLabels
from activeeval_widgets.widgets.labels.keys import TYPED, check_keys, label_keys
from activeeval_widgets.widgets.labels.panel import LabelPanel, keys_of, label_choices, register_label_panel

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
        wanted = check_keys(keys, texts)
        self.is_searched = len(texts) > SEARCHED_ABOVE and len(wanted) < len(texts)
        if self.is_searched and wanted:
            raise ValueError(
                f"keys has keys for {len(wanted)} of {len(texts)} classes: with more than {SEARCHED_ABOVE} "
                "classes labels are found by typing, unless each has a key"
            )
        all_keys = [()] * len(texts) if self.is_searched else label_keys(texts, wanted)
        self.choices = label_choices(texts, all_keys)

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
        return self._classes[self.check_position(value)]

    def check_position(self, value: Any) -> int:
        """Validate the position of a button."""
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < len(self.choices):
            raise ValueError(f"value must be a number from 0 to {len(self.choices) - 1}, got {value!r}")
        return value

    def encode(self, label: Any) -> int:
        """Return the position of a class; see `LabelPanel.encode`."""
        return int(self._classes.index(label))

    def text(self, label: Any) -> str:
        """See `LabelPanel.text`."""
        return str(label)
