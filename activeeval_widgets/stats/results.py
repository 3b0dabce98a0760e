"""Results, frozen."""

from dataclasses import dataclass
from math import isfinite


@dataclass(frozen=True)
class Estimate:
    """An estimate of a measure, with its interval.

    Attributes
    ----------
    value : float
        The estimate; NaN while it is not defined (no draws).
    standard_error : float
        Its standard error; NaN where the draws so far can't tell it (they all had the same outcome).
    low, high : float
        The interval, inside the measure's range.
    n_draws : int
        Draws that entered the estimate, repeats counted each time.
    n_labels : int
        Different instances among them: the labels that were paid for.
    effective_sample_size : float
        (Σ v)² / Σ v²: how many draws of equal weight would weigh as much.
    confidence_level : float
        The interval's nominal level.
    estimator, interval : str
        How estimate and interval were computed.
    """

    value: float
    standard_error: float
    low: float
    high: float
    n_draws: int
    n_labels: int
    effective_sample_size: float
    confidence_level: float
    estimator: str
    interval: str

    @property
    def is_defined(self) -> bool:
        """Whether there is an estimate at all."""
        return isfinite(self.value)
