"""The assumed distribution of later draws: the models' expectation, corrected by labels."""

from math import inf, isfinite

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_float_array
from activeeval_widgets.stats.planning._courses import Course
from activeeval_widgets.stats.questions.sample import Sample

PRIOR_DRAWS = 40.0
"""The number of draws that the models' expectation counts for."""

_MIN_TRUST = 0.05
"""The smallest share of `PRIOR_DRAWS` that is kept where labels contradict the model."""

_SMOOTHING = 10.0
"""The number of draws that the promised variance counts for when it is compared with that of the labels."""


class BelievedDraws:
    """The assumed distribution of later draws: the draws so far, mixed with the models' expectation.

    `rows` is None if there is neither. `worth` is the number of draws with replacement that the labeled draws
    are worth, `center` the value around which the interval will lie, and `whole` half its width before any
    draw.
    """

    def __init__(
        self,
        course: Course,
        expected: FloatArray | None,
        sample: Sample,
        q_draws: ArrayLike | None,
        *,
        replacement: bool,
    ) -> None:
        self._course = course
        self.whole = (course.range[1] - course.range[0]) / 2
        self.draws = sample.draws
        n_instances = sample.q.size
        # Without replacement, a label is worth more as the rest of the pool shrinks.
        left = np.ones(self.draws.size)
        if not replacement:
            left = np.maximum(1 - np.arange(self.draws.size) / n_instances, 1 / n_instances)
        if q_draws is not None:
            own = check_float_array("q_draws", q_draws, ndim=1, shape="(n_draws,)")
            if own.size != self.draws.size or (own.size and not (own.min() > 0 and own.max() <= 1)):
                raise ValueError(f"q_draws must hold a probability for each of {self.draws.size} draws")
            sample = sample._replace(weights=1 / (n_instances * own * left))
        labeled = sample.only_labeled()
        n_draws = labeled.draws.size
        self.worth = float(n_draws)
        if not replacement:
            self.worth = n_draws / max(1 - n_draws / n_instances, 1 / n_instances)
        rows = course.rows(labeled.z, labeled.draws, labeled.weights)
        parts = []
        if expected is not None:
            parts.append((expected, PRIOR_DRAWS * _trust(course, expected, rows)))
        if n_draws:
            parts.append((rows, self.worth))
        self.rows: FloatArray | None = None
        if parts:
            total = sum(count for _, count in parts)
            self.rows = np.concatenate([rows for rows, _ in parts])
            self.share = np.concatenate([np.full(len(rows), n / total / len(rows)) for rows, n in parts])
            self.center = course.center(self.rows, self.share)

    def draws_for(self, half_width: float) -> float:
        """Return the draws until half the interval's width is `half_width`."""
        assert self.rows is not None  # noqa: S101 - the planner has checked
        return self._course.draws_for(self.rows, self.share, half_width)

    def draws_to(self, distance: float) -> float:
        """Return the draws until the center plus `distance` (of either sign) is excluded."""
        assert self.rows is not None  # noqa: S101 - the planner has checked
        return self._course.draws_to(self.rows, self.share, self.center, distance) if distance else inf

    @property
    def variance(self) -> float:
        """The variance of one draw, in the square of the measure's unit."""
        return float(self.share @ self._deviations() ** 2)

    @property
    def spread(self) -> float:
        """The variance of a squared deviation, divided by its squared mean."""
        squares = self._deviations() ** 2
        mean = float(self.share @ squares)
        return float(self.share @ squares**2) / mean**2 - 1 if mean > 0 else 0.0

    def _deviations(self) -> FloatArray:
        assert self.rows is not None  # noqa: S101 - the planner has checked
        return self._course.deviations(self.rows, self.share, self.center)


def _trust(course: Course, expected: FloatArray, rows: FloatArray) -> float:
    """Return 1 where draws are as expected, down to `_MIN_TRUST` where value or variance disagree."""
    n_draws = len(rows)
    even = [np.full(len(each), 1 / max(len(each), 1)) for each in (expected, rows)]
    if not n_draws:
        return 1.0
    centers = [course.center(each, share) for each, share in zip((expected, rows), even, strict=True)]
    if not all(map(isfinite, centers)):
        return 1.0
    z = [course.deviations(*each) for each in zip((expected, rows), even, centers, strict=True)]
    promised, found = (float((each**2).mean()) for each in z)
    found = (n_draws * found + _SMOOTHING * promised) / (n_draws + _SMOOTHING)
    if not promised > 0:
        return 1.0 if found == 0 else _MIN_TRUST
    spread = max(float((z[0] ** 4).mean()) / promised**2 - 1, 1.0)
    conflict = n_draws * (
        (centers[1] - centers[0]) ** 2 / max(promised, found) + np.log(found / promised) ** 2 / spread
    )
    return max(float(np.exp(1 - max(conflict, 2.0) / 2)), _MIN_TRUST)
