"""Input of numbers."""

from typing import Any, TypeAlias

from activeeval_widgets.session import NumberLabels
from activeeval_widgets.stats.text import with_blank, with_minus
from activeeval_widgets.widgets.labels.panel import LabelPanel, register_label_panel

Unit: TypeAlias = str | tuple[str, str]
"""A unit, or its singular and plural."""


@register_label_panel
class NumberPanel(LabelPanel):
    """A field for a number, with a slider if the range is bounded."""

    kind = "number"
    options = ("unit",)
    question = "What is the value?"

    def __init__(self, labels: NumberLabels, unit: Unit | None = None) -> None:
        self._labels = labels
        self._unit = _check_unit(unit)

    def config(self) -> dict[str, Any]:
        """See `LabelPanel.config`."""
        labels = self._labels
        return {
            "kind": "number",
            "low": labels.low,
            "high": labels.high,
            "unit": self._unit,
            "decimal_mark": labels.decimal_mark,
        }

    def reserved_keys(self) -> frozenset[str]:
        """See `LabelPanel.reserved_keys`."""
        return frozenset("0123456789+-.,e'") | {
            "\N{MINUS SIGN}",
            "\N{RIGHT SINGLE QUOTATION MARK}",
            "Backspace",
        }

    def decode(self, value: Any) -> float:
        """See `LabelPanel.decode`; the session checks it against the range."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"value must be a number, got {value!r}")
        return float(value)

    def encode(self, label: Any) -> float:
        """See `LabelPanel.encode`."""
        return float(label)

    def text(self, label: Any) -> str:
        """See `LabelPanel.text`."""
        unit = "" if self._unit is None else with_blank(self._unit[0 if abs(label) == 1 else 1])
        number = with_minus(f"{label:.12g}")
        return f"{number}{unit}"


def _check_unit(unit: Any) -> tuple[str, str] | None:
    """Validate the unit, and return its singular and plural."""
    if unit is None:
        return None
    both = (unit, unit) if isinstance(unit, str) else unit
    if (
        not isinstance(both, tuple | list)
        or len(both) != 2
        or any(not isinstance(text, str) or not text.strip() for text in both)
    ):
        raise ValueError(f"unit must be a nonblank string, or two of them, singular and plural; got {unit!r}")
    return both[0], both[1]
