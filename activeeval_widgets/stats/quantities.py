"""What a number is: the value of a measure, or the difference of two values; how it is called and written."""

from collections.abc import Sequence

from activeeval_widgets.stats.measures.base import Measure


class Quantity:
    """The value of a measure.

    Attributes
    ----------
    measure : Measure
        The measure.
    sides : tuple of str
        What stands on each side of a difference; empty where the value is none.
    heading : str
        What a column of such values is called.
    null_value : float or None
        The value that says "no difference": it is tested, and marked on scales; None where there is none.
    sign : bool
        Whether a plus is written as well.
    repeats_unit : bool
        Whether each of several numbers has the unit; else it is written once.
    """

    sides: tuple[str, ...] = ()
    heading = "Estimate"
    null_value: float | None = None
    sign = False
    repeats_unit = True

    def __init__(self, measure: Measure) -> None:
        self.measure = measure

    @property
    def name(self) -> str:
        """What it is called: "error rate"."""
        return self.measure.name

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and the largest value that it can have."""
        return self.measure.value_range

    @property
    def is_smooth(self) -> bool:
        """Whether an estimate ± its standard error holds in the limit; see `Measure.is_smooth`."""
        return self.measure.is_smooth

    def unit(self, label_unit: str | None = None) -> str:
        """What follows a number; see `Measure.unit`."""
        return self.measure.unit(label_unit)


class Differences(Quantity):
    """The difference of two values: written with its sign, in points where shares are in percent."""

    heading = "Difference"
    null_value = 0.0
    sign = True
    repeats_unit = False

    def __init__(self, measure: Measure, sides: Sequence[str] = ()) -> None:
        super().__init__(measure)
        self.sides = tuple(sides)

    @property
    def name(self) -> str:
        """What it is called: "difference in error rate"."""
        return f"difference in {self.measure.name}"

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and the largest difference."""
        least, greatest = self.measure.value_range
        return least - greatest, greatest - least

    @property
    def is_smooth(self) -> bool:
        """Always: it is the only interval there is, and what noise adds to both is mostly the same."""
        return True

    def unit(self, label_unit: str | None = None) -> str:
        """What follows a number; see `Measure.difference_unit`."""
        return self.measure.difference_unit(label_unit)
