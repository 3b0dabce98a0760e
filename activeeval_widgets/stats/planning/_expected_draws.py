"""What draws to come are taken to be like: as the models expect, and more and more as the labels say."""

from math import inf, isfinite

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_float_array
from activeeval_widgets.stats.planning._courses import Course
from activeeval_widgets.stats.questions.sample import Sample

PRIOR_DRAWS = 40.0
"""For how many draws what the model says counts."""

_LEAST_TRUST = 0.05
"""What is left of that where labels contradict."""

_SMOOTHING = 10.0
"""For how many draws the promised variance counts when it is held against that of the labels."""


class BelievedDraws:
    """The draws so far, mixed with what the models expect: what draws to come are taken to be like.

    Parameters
    ----------
    course : Course
        The interval that is planned.
    expected : ndarray of shape (n_rows, n_columns), or None
        Draws as the models expect them; None: they do not say.
    sample : Sample
        The labeled draws.
    q_draws : array-like of shape (n_draws,), or None
        The probability of each draw, given those before it; None: by the sample's own weights.
    replacement : bool
        Whether draws were with replacement.

    Attributes
    ----------
    rows, share : ndarray
        Draws and the share of each; `rows` is None where nothing is known.
    worth : float
        How many draws with replacement the labeled ones are worth.
    center : float
        The value around which the interval will be.
    whole : float
        Half of the interval's width before the first draw.
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
        # Without replacement each label is worth the more the less of the pool is left.
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
        """How many draws until half the interval's width is so small."""
        assert self.rows is not None  # noqa: S101 - the planner has seen to it
        return self._course.draws_for(self.rows, self.share, half_width)

    def draws_to(self, distance: float) -> float:
        """How many draws until what is so far above the center, or below it, is excluded."""
        assert self.rows is not None  # noqa: S101 - the planner has seen to it
        return self._course.draws_to(self.rows, self.share, self.center, distance) if distance else inf

    @property
    def variance(self) -> float:
        """Of one draw, in the measure's unit, squared."""
        return float(self.share @ self._deviations() ** 2)

    @property
    def spread(self) -> float:
        """The variance of a squared deviation, as a multiple of its squared mean."""
        squares = self._deviations() ** 2
        mean = float(self.share @ squares)
        return float(self.share @ squares**2) / mean**2 - 1 if mean > 0 else 0.0

    def _deviations(self) -> FloatArray:
        assert self.rows is not None  # noqa: S101 - the planner has seen to it
        return self._course.deviations(self.rows, self.share, self.center)


def _trust(course: Course, expected: FloatArray, rows: FloatArray) -> float:
    """From 1, where draws are as the models expect, to near 0, where value or variance contradict."""
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
        return 1.0 if found == 0 else _LEAST_TRUST
    spread = max(float((z[0] ** 4).mean()) / promised**2 - 1, 1.0)
    conflict = n_draws * (
        (centers[1] - centers[0]) ** 2 / max(promised, found) + np.log(found / promised) ** 2 / spread
    )
    return max(float(np.exp(1 - max(conflict, 2.0) / 2)), _LEAST_TRUST)
