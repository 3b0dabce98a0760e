"""Labeled draws, and their weighted statistics."""

from typing import NamedTuple

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray

ROUNDING = 1e-12
"""Influences and differences of values below this share of the statistics are rounding errors of 0."""


class Sample(NamedTuple):
    """Labeled draws: statistics (n_draws, n_statistics), weights p/q, draws, and the q that they come from.

    For the difference estimator, also the model's expectation E[z | x] of the draws and its pool average.
    `labeled` marks the draws that are not excluded; excluded draws have statistics 0. None if no draw is
    excluded.
    """

    z: FloatArray
    weights: FloatArray
    draws: IntArray
    q: FloatArray
    expected: FloatArray | None = None
    expected_mean: FloatArray | None = None
    labeled: BoolArray | None = None

    def first(self, n_draws: int) -> "Sample":
        """Return the sample of the first draws."""
        return self._replace(
            z=self.z[:n_draws],
            weights=self.weights[:n_draws],
            draws=self.draws[:n_draws],
            expected=None if self.expected is None else self.expected[:n_draws],
            labeled=None if self.labeled is None else self.labeled[:n_draws],
        )

    def only_labeled(self) -> "Sample":
        """Return the sample without excluded draws, which is a sample of what can be labeled."""
        if self.labeled is None:
            return self
        return self._replace(
            z=self.z[self.labeled],
            weights=self.weights[self.labeled],
            draws=self.draws[self.labeled],
            expected=None if self.expected is None else self.expected[self.labeled],
            labeled=None,
        )


class Weighted(NamedTuple):
    """Weighted estimates; each entry has the shape of the sample's leading axes."""

    value: FloatArray
    standard_error: FloatArray
    effective_sample_size: FloatArray
    is_constant: BoolArray
    """Whether no draw deviates from the value, so that the standard error is meaningless."""
