"""Forecasts of a session: courses of its interval if the model is right, overconfident or underconfident."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from math import exp, inf, isfinite, sqrt
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule
from activeeval_widgets.stats.adaptive.estimator import AdaptiveEstimator, check_q_draws
from activeeval_widgets.stats.adaptive.recalibration import recalibrate
from activeeval_widgets.stats.anytime.assumed_range import assumed_range
from activeeval_widgets.stats.anytime.estimating_equation import has_equation
from activeeval_widgets.stats.planning._courses import Course
from activeeval_widgets.stats.planning._expected_course import ExpectedCourse, Possible
from activeeval_widgets.stats.planning._expected_draws import PRIOR_DRAWS, BelievedDraws
from activeeval_widgets.stats.planning._labels_of_draws import LabelsOfDraws
from activeeval_widgets.stats.planning._plug_in import plug_in_sample
from activeeval_widgets.stats.predictions.beliefs import Belief
from activeeval_widgets.stats.questions.sample import Sample
from activeeval_widgets.stats.questions.target import Target

DEVIATIONS = 1.2816
"""Standard deviations on each side of the mean that hold 80 % of a normal distribution."""

_POWER_DEVIATION = 1.1
"""Before any label, the standard deviation of log(power), the truth being the model's probabilities to that
power."""

_POWER_LABELS = 6.0
"""The number of labels after which that variance is halved."""

_PATH_DEVIATION = 0.25
"""The standard deviation of log(draws needed in all) if everything else were known."""

_MODEL_DEVIATION = 0.45
"""Before any label, the same from models that are wrong in other ways; its variance, too, is halved after
`_POWER_LABELS`."""

_INDEPENDENT_DEVIATION = 0.33
"""`_PATH_DEVIATION` for draws from one q, whose courses are only roughly known."""

_DRAWS_DEVIATION = 2.0
"""The standard deviation of log(draws needed) from the randomness of one draw; for n draws, divided by
sqrt(n)."""

_PRIOR_DEVIATION = 0.75
"""Before any label, the standard deviation of log(variance of labeled draws / apparent variance)."""

_BLOCK = 10
"""Labels update the belief in blocks of this size, so that courses are computed once a block."""


_MIDDLE = 1
"""The position of the models as they are among the ways."""


class Way(Protocol):
    """The course of an interval in draws."""

    whole: float
    """Half the interval's width before the first draw."""
    center: float
    """The value around which the interval will lie."""

    def draws_for(self, half_width: float) -> float:
        """Return the draws until half the interval's width is `half_width`."""

    def draws_to(self, distance: float) -> float:
        """Return the draws until the center plus `distance` (of either sign) is excluded."""


class Forecast(ABC):
    """Courses of the interval, given the labels so far."""

    ways: list[Way]
    """For underconfident models, for the models as they are, and for overconfident ones; one session in five
    falls outside the first and the last."""
    worth: float
    """The number of draws that the draws so far are worth."""
    center: float
    error: float
    """The current estimate and its standard error."""

    @abstractmethod
    def deviation(self, more: float) -> float:
        """Return the standard deviation of log(`more` draws) if the way were known."""

    @abstractmethod
    def labels(self, total: float) -> float:
        """Return the labels still needed for `total` draws; infinite if too few instances are left."""

    def share_on_sheets(self, total: float) -> float:  # noqa: ARG002
        """Return the share of the later of `total` draws that can be on sheets."""
        return 0.0


class _Independent(Forecast):
    def __init__(self, believed: list[BelievedDraws], labels: LabelsOfDraws) -> None:
        self.ways, self._labels = list(believed), labels
        self._middle = middle = believed[len(believed) // 2]
        self.worth, self.center = middle.worth, middle.center
        self._spread = max(middle.spread, 1.0)
        self.error = sqrt(middle.variance / (middle.worth + PRIOR_DRAWS))

    def deviation(self, more: float) -> float:
        known = self.worth / (self.worth + PRIOR_DRAWS)
        # The variance's logarithm is uncertain, given the labels; so is the variance among the later draws.
        unknown = known / (_PRIOR_DEVIATION**-2 + self.worth / self._spread)
        return sqrt(unknown + self._spread / max(more, 1.0) + _INDEPENDENT_DEVIATION**2)

    def labels(self, total: float) -> float:
        return self._labels.of(total, self.worth, self._middle.draws)


class IndependentDraws:
    """Forecasts for draws from one q, and for Wald intervals also for draws without replacement."""

    def __init__(
        self,
        target: Target,
        q: FloatArray,
        course: Course,
        y_range: tuple[float, float] | None,
        *,
        replacement: bool,
    ) -> None:
        self._course, self._replacement = course, replacement
        powers = _powers(0)
        sampled = [plug_in_sample(target, q, y_range=y_range, power=power) for power in powers]
        self.expected = [
            None if each is None else course.rows(*each, 1 / (q.size * q[each[1]])) for each in sampled
        ]
        self._labels = LabelsOfDraws(q, replacement=replacement)

    def middle(self, sample: Sample, y_true: Any) -> Way | None:
        """Return the course for the models as they are."""
        found = self.after(sample, y_true, None)
        return None if found is None else found.ways[_MIDDLE]

    def after(self, sample: Sample, y_true: Any, q_draws: ArrayLike | None) -> Forecast | None:
        """Return the forecast after some draws; None if neither labels nor expectations are available."""
        del y_true
        believed = [
            BelievedDraws(self._course, expected, sample, q_draws, replacement=self._replacement)
            for expected in self.expected
        ]
        return None if believed[0].rows is None else _Independent(believed, self._labels)


class _Expected(Forecast):
    def __init__(
        self, ways: list[ExpectedCourse], n_draws: int, n_instances: int, known: tuple[float, float] | None
    ) -> None:
        self.ways, self.worth, self._n_instances = list(ways), float(n_draws), n_instances
        self._middle = ways[len(ways) // 2]
        values = [way.center for way in ways]
        self.center, self.error = values[len(values) // 2], float(np.ptp(values)) / (2 * DEVIATIONS)
        if known is not None and isfinite(known[0]):
            self.center, self.error = known

    def deviation(self, more: float) -> float:
        # The draws in all vary by a share of themselves, and those before are part of them.
        path = _PATH_DEVIATION**2 * (1 + self.worth / max(more, 1.0))
        model = _MODEL_DEVIATION**2 / (1 + self.worth / _POWER_LABELS)
        return sqrt(path + model + _DRAWS_DEVIATION**2 / (more + _DRAWS_DEVIATION**2))

    def labels(self, total: float) -> float:
        left = self._n_instances - self.worth
        more = max(total - self.worth, 0.0)
        # No number of draws is enough: it takes the whole pool.
        return more if more < left - 0.5 else inf

    def share_on_sheets(self, total: float) -> float:
        before, after = map(self._middle.n_on_sheets, (self.worth, total))
        return (after - before) / max(total - self.worth, 1.0)


class ExpectedDraws:
    """Forecasts of the confidence sequence for draws without replacement; without q, for adaptive draws.

    `n_calibrated` is the number of labels that the predictions have been corrected with.
    """

    def __init__(
        self,
        target: Target,
        q: FloatArray | None,
        level: float,
        y_range: tuple[float, float] | None,
        *,
        is_control: bool = True,
        rule: DrawRule = DRAW_RULE,
        costs: FloatArray | None = None,
        n_calibrated: int = 0,
    ) -> None:
        self._target, self._q, self._level, self._y_range = target, q, level, y_range
        self._n_calibrated = n_calibrated
        self._is_control, self._rule, self._costs = is_control, rule, costs
        self._kept: tuple[Any, Belief, dict[int, ExpectedCourse]] | None = None
        self._known: tuple[Any, tuple[float, float]] | None = None

    @cached_property
    def _estimator(self) -> AdaptiveEstimator:
        return AdaptiveEstimator(self._target.measure, self._target.models, rule=self._rule)

    @cached_property
    def _possible(self) -> Possible | None:
        """The extreme labels, for bets; None without an estimating equation."""
        base, bounds = self._target.base, self._y_range or assumed_range(self._target.models)
        return Possible.of(base, bounds) if has_equation(base, bounds) else None

    def after(self, sample: Sample, y_true: Any, q_draws: ArrayLike | None) -> Forecast | None:
        """Return the forecast after some draws; None if neither labels nor expectations are available."""
        n_draws = sample.draws.size
        n_known = n_draws - n_draws % _BLOCK
        ways = self._ways(sample, y_true, n_known)
        if ways is None:
            return None
        known = None
        if q_draws is not None:
            own = check_q_draws(q_draws, n_draws)
            if n_draws:
                key = sample.draws.tobytes(), own.tobytes(), repr(list(y_true))
                if self._known is None or self._known[0] != key:  # plans of several widths ask for it again
                    [found] = self._estimator.estimates(sample.draws, own, list(y_true))
                    self._known = key, (found.value, found.standard_error)
                known = self._known[1]
        return _Expected(ways, n_draws, self._target.size, known)

    def middle(self, sample: Sample, y_true: Any) -> ExpectedCourse | None:
        """Return the course for the models as they are, without those beside it."""
        n_draws = sample.draws.size
        ways = self._ways(sample, y_true, n_draws - n_draws % _BLOCK, (_MIDDLE,))
        return None if ways is None else ways[0]

    def _ways(
        self, sample: Sample, y_true: Any, n_known: int, numbers: Sequence[int] = (0, _MIDDLE, 2)
    ) -> list[ExpectedCourse] | None:
        labels = [y for y in list(y_true)[:n_known] if y is not None]
        draws = np.array(
            [d for d, y in zip(sample.draws[:n_known].tolist(), y_true, strict=False) if y is not None],
            dtype=np.intp,
        )
        models = self._target.models
        if not draws.size and not all(model.is_model and model.promises for model in models):
            return None
        key = draws.tobytes(), repr(labels)
        if self._kept is None or self._kept[0] != key:
            checked = models[0].check_labels(labels, len(labels), f"{len(labels)} draws")
            self._kept = key, recalibrate(self._target.measure, models, draws, checked), {}
        _, belief, made = self._kept
        powers = _powers(draws.size + self._n_calibrated)
        for number in numbers:
            if number not in made:
                made[number] = ExpectedCourse(
                    self._target,
                    belief if number == _MIDDLE else belief.tempered(powers[number]),
                    self._level,
                    self._y_range,
                    self._q,
                    is_control=self._is_control,
                    rule=self._rule,
                    possible=self._possible,
                    costs=self._costs,
                )
        return [made[number] for number in numbers]


Forecasts = IndependentDraws | ExpectedDraws


def _powers(n_labels: int) -> list[float]:
    """Return the powers for underconfident, right and overconfident models."""
    deviation = _POWER_DEVIATION / sqrt(1 + n_labels / _POWER_LABELS)
    return [exp(DEVIATIONS * deviation), 1.0, exp(-DEVIATIONS * deviation)]
