"""Quantities: the value of a measure or the difference of two values, with its name and format."""

from collections.abc import Sequence

from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.text import with_blank


class Quantity:
    """The value of a measure."""

    sides: tuple[str, ...] = ()
    """The sides of a difference; empty for a single value."""
    heading = "Estimate"
    """The heading of a column of such values."""
    null_value: float | None = None
    """The value for "no difference", which is tested and marked on scales; None if there is none."""
    sign = False
    """Whether a plus sign is written."""
    repeats_unit = True
    """Whether each of several numbers has the unit, instead of only the last."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure

    @property
    def name(self) -> str:
        """The quantity's name, such as "error rate"."""
        return self.measure.name

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and largest possible value."""
        return self.measure.value_range

    @property
    def is_smooth(self) -> bool:
        """Whether an estimate ± its standard error is asymptotically valid; see `Measure.is_smooth`."""
        return self.measure.is_smooth

    def unit(self, label_unit: str | None = None) -> str:
        """Return the unit that follows a number; see `Measure.unit`."""
        return self.measure.unit(label_unit)


class Differences(Quantity):
    """The difference of two values, written with its sign, and in points for shares in percent."""

    heading = "Difference"
    null_value = 0.0
    sign = True
    repeats_unit = False

    def __init__(self, measure: Measure, sides: Sequence[str] = ()) -> None:
        super().__init__(measure)
        self.sides = tuple(sides)

    @property
    def name(self) -> str:
        """The quantity's name, such as "difference in error rate"."""
        return f"difference in {self.measure.name}"

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and largest possible difference."""
        least, greatest = self.measure.value_range
        return least - greatest, greatest - least

    @property
    def is_smooth(self) -> bool:
        """True: no other interval is available, and noise affects both values in nearly the same way."""
        return True

    def unit(self, label_unit: str | None = None) -> str:
        """Return the unit that follows a number: points for percentages."""
        return with_blank("points") if self.measure.is_share else super().unit(label_unit)
