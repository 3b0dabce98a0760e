"""The expected narrowing of an interval under draws without replacement, if labels follow a belief.

Adaptive draws change with the labels and use up the most informative instances. The course is therefore
followed in stages, each with the rest of the pool, the stage's q, and the mean growth of bets against
candidates.
"""

from math import inf, log, nan, sqrt
from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule, informed_sizes
from activeeval_widgets.stats.adaptive.form_of_q import coefficients, favored_in
from activeeval_widgets.stats.anytime.assumed_range import assumed_range
from activeeval_widgets.stats.anytime.asymptotic import standard_errors
from activeeval_widgets.stats.anytime.bets import HORIZONS, LARGEST_STAKE, PRIOR_DRAWS, SHARES, best_mixture
from activeeval_widgets.stats.anytime.deadlines import Allocation
from activeeval_widgets.stats.anytime.estimating_equation import EstimatingEquation, has_equation
from activeeval_widgets.stats.drawing.baselines import uniform_q
from activeeval_widgets.stats.drawing.optimal import influence
from activeeval_widgets.stats.planning._courses import FIRST_TIME
from activeeval_widgets.stats.predictions.base import n_pseudo_labels
from activeeval_widgets.stats.predictions.beliefs import Belief
from activeeval_widgets.stats.questions.target import Target

_N_ATOMS = 400
"""Number of labeled instances that represent the pool, each weighted by the inverse of its density."""

_N_CORNERS = 24
"""Number of further instances, whose labels could move a term most: they limit stakes and have weight 0."""

_NEAREST, _A_STEP = 0.002, 1.51
"""The nearest candidate's distance from the value, as a share of the range; the ratio of later distances."""

_FIRST_STAGES, _GROWTH, _LAST = (10.0, 20.0), 1.35, 0.98
"""The first stages end after these numbers of draws, each later one after about 1.35 times as many as the one
before, the last at 98 % of the pool."""

_LATER = 1
"""Bets that begin with a constant stake stake afterwards what is best for this one of `HORIZONS`."""

_FIRST_TIME_OF_DIFFERENCES = 1.0
"""`FIRST_TIME` for the difference of two models. Stakes are small, so that wealth grows steadily: a lucky
moment gains nothing."""

_GREATEST_WEIGHT = 1e6
_SEED = 20260101


class _Atoms(NamedTuple):
    """Labeled instances that represent the pool."""

    counts: FloatArray
    """The number of instances that each represents."""
    scale: FloatArray
    """The root of the inverse cost."""
    sure: FloatArray
    """1 where labels can be given on sheets, else 0."""
    informed: FloatArray
    """The part of q that is not uniform, up to a factor, at equal costs."""
    favored: FloatArray
    """`Favored.sizes`, if q favors instances."""
    variances: FloatArray
    """The expected squared deviation of each."""
    parts: FloatArray
    expected: FloatArray
    """(num, den) of each label, and their expectations, (n_atoms, 2)."""
    outcomes: FloatArray
    """(num, den) of the labels that give each one's smallest and largest term, (n_outcomes, n_atoms, 2)."""


class _Stage(NamedTuple):
    """What some draws meet."""

    n_before: float
    n_draws: float
    """The numbers of draws before and in it."""
    seen: FloatArray
    left: FloatArray
    """How many instances of each atom are drawn, and left, in its middle."""
    q: FloatArray
    inverse_q: FloatArray
    """The probability of each left instance, and its inverse, 0 where it is never drawn."""
    weight: float
    """The weight of its terms, divided by the number of instances."""


class _Tests(NamedTuple):
    """Bets that the value is not as far away as candidates that no bet has excluded yet."""

    at: IntArray
    """The number of each candidate."""
    a: FloatArray
    e: FloatArray
    """num − candidate den of each label and its expectation, with the sign that wins if the value holds."""
    least: FloatArray
    """The smallest possible a, (n_tests, n_atoms) as a and e."""
    growth: FloatArray
    """The expected log wealth of each component of the bets, (n_components, n_tests)."""
    squares: FloatArray
    """The expected sums of Z₀², Z₀ Z₁ and Z₁², where Z₁ has the control variate."""
    allocation: Allocation
    """The division of the wealth: all but the bets that begin with a constant stake counts as if it had no
    deadlines."""

    @classmethod
    def of(cls, atoms: _Atoms, value: float, distances: FloatArray, allocation: Allocation) -> "_Tests":
        """Begin to bet against value − distances, and then against value + distances."""
        candidates = np.concatenate([value - distances, value + distances])
        side = np.repeat([1.0, -1.0], distances.size)[:, np.newaxis]
        a, e = (
            side * (each[:, 0] - candidates[:, np.newaxis] * each[:, 1])
            for each in (atoms.parts, atoms.expected)
        )
        possible = [side * (each[:, 0] - candidates[:, np.newaxis] * each[:, 1]) for each in atoms.outcomes]
        n = candidates.size
        least = np.minimum.reduce(possible)
        growth = np.zeros((SHARES.size + len(allocation.early), n))
        return cls(np.arange(n), a, e, least, growth, np.full((3, n), nan), allocation)

    def without(self, is_excluded: BoolArray) -> "_Tests":
        """Return the others."""
        kept = ~is_excluded
        arrays = self.at[kept], self.a[kept], self.e[kept], self.least[kept]
        return _Tests(*arrays, self.growth[:, kept], self.squares[:, kept], self.allocation)

    def after(self, stage: "_Stage", goal: float) -> "_Tests":
        """Bet on the draws of a stage, for an expected log wealth of `goal`."""
        a, e, least = self.a, self.e, self.least
        known = stage.seen @ a.T
        expected = known + stage.left @ e.T
        inverse, here, weight = stage.inverse_q, stage.left * stage.q, stage.weight
        plain = weight * (known[:, np.newaxis] + a * inverse)
        adjusted = weight * (expected[:, np.newaxis] + (a - e) * inverse)
        seen = np.stack([plain**2 @ here, (plain * adjusted) @ here, adjusted**2 @ here])
        squares = self.squares if stage.n_before else PRIOR_DRAWS * np.stack([seen[0], seen[2], seen[2]])
        strength, spread = best_mixture(*squares / (PRIOR_DRAWS + stage.n_before))
        z = (1 - strength)[:, np.newaxis] * plain + strength[:, np.newaxis] * adjusted
        plain_loss = -(known + (least * inverse).min(axis=1))
        adjusted_loss = -(expected + ((least - e) * inverse).min(axis=1))
        limit = LARGEST_STAKE / _positive(weight * ((1 - strength) * plain_loss + strength * adjusted_loss))
        stakes = np.sqrt(2 * (goal + log(2)) / (HORIZONS[:, np.newaxis] * _positive(spread)))
        gains = np.minimum(stakes, limit)[:, :, np.newaxis] * z
        if stage.n_before < self.allocation.early_draws:
            constant = np.array(self.allocation.early_stakes)[:, np.newaxis] / _positive(weight * plain_loss)
            gains = np.concatenate([gains, constant[:, :, np.newaxis] * plain])
        np.maximum(gains, -LARGEST_STAKE, out=gains)
        growth = np.log1p(gains, out=gains) @ here
        if later := len(self.growth) - len(growth):
            growth = np.concatenate([growth, np.repeat(growth[_LATER : _LATER + 1], later, axis=0)])
        growth = self.growth + stage.n_draws * growth
        return self._replace(growth=growth, squares=squares + stage.n_draws * seen)

    def capital(self, gone: FloatArray, left: FloatArray) -> FloatArray:
        """Return the expected log wealth, infinite where no labels of what is left can give the candidate."""
        early = np.array(self.allocation.early)
        shares = np.concatenate([SHARES * (1 - early.sum()), early])
        wealth = np.logaddexp.reduce(self.growth + np.log(shares / 2)[:, np.newaxis], axis=0)
        return np.where(gone @ self.a.T + self.least @ left > 0, inf, wealth)


class Possible(NamedTuple):
    """The extreme labels of the pool, which no belief changes."""

    range: tuple[float, float]
    """The least and greatest value if some instances may be excluded: the interval before any draw."""
    usual: tuple[float, float]
    """The least and greatest value if all instances are labeled."""
    outcomes: list[FloatArray]
    """(num, den) of the labels that give each instance's smallest and largest term."""
    sizes: FloatArray
    """The largest change of the sums that a label of each instance can cause."""

    @classmethod
    def of(cls, target: Target, bounds: tuple[float, float] | None) -> "Possible":
        """Compute them for a target with an estimating equation, given the smallest and largest label."""
        equation = EstimatingEquation(target, uniform_q(target.models[0].n_instances), bounds)
        outcomes = list(equation.extremes())
        sizes = np.max([np.abs(each).sum(axis=1) for each in outcomes], axis=0)
        return cls(equation.widest_range, equation.range, outcomes, sizes)


class ExpectedCourse:
    """The expected half-widths of a confidence sequence after numbers of draws without replacement.

    A fixed q is renormalized over what is left; without q, draws adapt (`adaptive_q`), at the costs of
    labels. `is_control`: whether the model's expectation is a control variate. `whole` is half the width
    before the first draw.
    """

    center: float
    """The value expected under the belief; NaN where it is not defined."""
    _below: FloatArray
    _above: FloatArray
    _halves: FloatArray
    _on_sheets: FloatArray

    def __init__(
        self,
        target: Target,
        belief: Belief,
        level: float,
        y_range: tuple[float, float] | None,
        q: FloatArray | None = None,
        *,
        is_control: bool = True,
        rule: DrawRule = DRAW_RULE,
        possible: Possible | None = None,
        costs: FloatArray | None = None,
    ) -> None:
        self._first_time = FIRST_TIME if target.null_value is None else _FIRST_TIME_OF_DIFFERENCES
        measure, target = target.measure, target.base
        self._start = n_pseudo_labels(target.models)
        self._is_control = is_control
        self._target, self._level = target, level
        self._goal = -log(1 - level)
        n_rows, n_instances = target.models[0].n_instances, target.size
        counts = target.models[0].counts
        self._counts: FloatArray = np.ones(n_rows) if counts is None else counts.astype(np.float64)
        estimator = "difference" if is_control else "self_normalized"
        spread = influence(target, belief, estimator)
        if not np.isfinite(spread).all() or not spread.max() > 0:
            spread = np.ones(n_rows)
        sizes = informed_sizes(target, belief) if q is None else q
        self._informed = sizes if np.isfinite(sizes).all() and sizes.max() > 0 else np.ones(n_rows)
        self._adapts, self._rule = q is None, rule
        self._scale, self._sure = self._of_costs(costs)
        self._form = favored_in(target, rule) if self._adapts else None
        self._is_apart = self._form is not None and self._form.is_apart
        self._favored: FloatArray = np.ones(n_rows)
        if self._form is not None:
            self._favored = self._form.sizes
            informed = self._form.informed(self._informed, target, rule, self._scale)
            self._informed = informed if informed.max() > 0 else self._favored
        self._n_instances = n_instances
        self._variances = np.maximum(spread, 1e-3 * spread.max()) ** 2
        stages = [0.0, *(min(n, _LAST * n_instances) for n in _FIRST_STAGES)]
        while stages[-1] < 0.97 * n_instances:
            stages.append(min(_GROWTH * stages[-1] + 3, _LAST * n_instances))
        self._times: FloatArray = np.unique(stages)
        bounds = y_range or assumed_range(target.models)
        if has_equation(target, bounds):
            self._follow_bets(belief, bounds, Possible.of(target, bounds) if possible is None else possible)
        else:
            self._follow_errors(belief)
        if target.measure is not measure:
            low, high = (
                np.array([measure.from_base(self.center + end) for end in ends])
                for ends in (-self._below, self._above)
            )
            self.center = measure.from_base(self.center)
            self._below, self._above = self.center - low, high - self.center
            self._halves = (high - low) / 2
        self.whole = float(self._halves[0])

    def draws_for(self, half_width: float) -> float:
        """Return the draws until half the width is `half_width`; infinite if the pool is too small."""
        return _first_below(self._times, self._halves, half_width)

    def draws_to(self, distance: float) -> float:
        """Return the draws until the value plus `distance` (of either sign) is excluded."""
        ends = self._above if distance > 0 else self._below
        return _first_below(self._times, ends, abs(distance)) if distance else inf

    def n_on_sheets(self, n_draws: float) -> float:
        """Return how many of the first draws can be on sheets."""
        return float(np.interp(n_draws, self._times, self._on_sheets))

    # -- the stages

    def _of_costs(self, costs: FloatArray | None) -> tuple[FloatArray, FloatArray]:
        """Return the root of the inverse costs, and 1 where labels can be given on sheets, (n_rows,)."""
        models, sheets = self._target.models, self._rule.sheets
        sure = np.zeros(models[0].n_instances)
        if self._adapts and sheets is not None:
            sure, costs = sheets.are_sure(models).astype(np.float64), sheets.costs(models, costs)
        if costs is None or not self._adapts:
            return np.ones(sure.size), sure
        return np.sqrt(costs.max() / costs), sure

    def _drawn(
        self,
        number: int,
        left: FloatArray,
        counts: FloatArray,
        informed: FloatArray,
        favored: FloatArray,
        scale: FloatArray,
    ) -> FloatArray:
        """Return how often each remaining instance is expected in a stage's draws, if it were put back."""
        n_draws = self._times[number + 1] - self._times[number]
        rest = counts * left
        if not self._adapts:
            q = informed / max(float(rest @ informed), 1e-300)
        else:
            measure, n_labels = self._target.measure, int(self._times[number]) + self._start
            scaled = rest * scale
            times, floor, there = coefficients(
                float(self._rule.share(measure, n_labels, len(self._target.models))),
                max(float(scaled @ informed), 1e-300),
                float(scaled.sum()),
                max(float(scaled @ favored), 1e-300),
                self._form,
                self._rule.favored_share(measure, n_labels),
            )
            q = scale * (times * informed + floor + there * favored)
        rate = float(n_draws)
        # Where most differing instances are drawn already, q must draw often to meet a few more.
        for _ in range(40 if self._is_apart else 4):
            rate *= n_draws / max(float(rest @ -np.expm1(-q * rate)), 1e-12)
        return q * rate

    def _mean_q(
        self, left: FloatArray, drawn: FloatArray, counts: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return what is left in the middle of a stage, and q there."""
        middle = left * np.exp(-drawn / 2)
        return middle, drawn / max(float(counts * middle @ drawn), 1e-300)

    def _follow_errors(self, belief: Belief) -> None:
        """Set the ends to multiples of the expected standard error around the estimate."""
        counts, left = self._counts, np.ones(self._counts.size)
        expected = self._target.expectation(belief)
        assert expected is not None  # noqa: S101 - the planner has checked
        self.center = float(self._target.g(expected.total(counts) / self._n_instances))
        low, high = self._target.range
        halves, precision, on_sheets = [(high - low) / 2], 0.0, [0.0]
        for number in range(self._times.size - 1):
            drawn = self._drawn(number, left, counts, self._informed, self._favored, self._scale)
            middle, q = self._mean_q(left, drawn, counts)
            variance = self._variance(counts * middle, q, self._variances)
            precision += (self._times[number + 1] - self._times[number]) / variance
            errors = standard_errors(float(self._times[number + 1]), self._level)
            halves.append(min(halves[-1], errors / sqrt(precision)))
            left *= np.exp(-drawn)
            on_sheets.append(float(counts * (1 - left) @ self._sure))
        self._on_sheets = np.array(on_sheets)
        self._halves = self._above = self._below = np.array(halves)

    def _variance(self, left: FloatArray, q: FloatArray, variances: FloatArray) -> float:
        """Return the expected variance of one draw's term."""
        each = np.divide(variances, q, out=np.zeros_like(variances), where=q > 0)
        square = float(left @ each) - float(left @ variances)
        return max(square, 1e-300) / self._n_instances**2

    def _follow_bets(self, belief: Belief, bounds: tuple[float, float] | None, possible: Possible) -> None:
        atoms = self._atoms(belief, possible, bounds)
        num, den = atoms.counts @ atoms.parts
        low, high = possible.range
        self.center = float(num / den) if den > 0 else nan
        value = self.center if den > 0 else (low + high) / 2
        distances = _distances(possible.usual[1] - possible.usual[0], high - low)
        capitals = self._capitals(atoms, value, distances)
        n = distances.size
        self._below, self._above = (
            self._nearest(capitals[:, side], distances, max(room, 0.0))
            for side, room in ((slice(0, n), value - low), (slice(n, 2 * n), high - value))
        )
        self._halves = (self._below + self._above) / 2

    def _atoms(self, belief: Belief, possible: Possible, bounds: tuple[float, float] | None) -> _Atoms:
        rng = np.random.default_rng(_SEED)
        informed = self._informed * self._scale
        share = informed / (self._counts @ informed) / 2 + 0.5 / self._n_instances
        cumulative = np.cumsum(self._counts * share)
        positions = (np.arange(_N_ATOMS) + rng.random()) / _N_ATOMS * cumulative[-1]
        draws = np.minimum(np.searchsorted(cumulative, positions, side="right"), share.size - 1)
        corners = self._corners(possible.sizes)
        chosen: IntArray = np.concatenate([draws, corners])
        counts = np.concatenate([1 / share[draws], np.zeros(corners.size)])
        counts *= self._n_instances / counts.sum()
        target = self._target
        mean = target.conditional_mean(belief)
        assert mean is not None  # noqa: S101 - the planner has checked
        labels = belief.sample(chosen, rng, bounds)
        return _Atoms(
            counts,
            self._scale[chosen],
            self._sure[chosen],
            self._informed[chosen],
            self._favored[chosen],
            self._variances[chosen],
            target.parts(target.statistics(labels, chosen)),
            target.parts(mean[chosen] * self._is_control),
            # An excluded instance counts as 0.
            np.stack([np.zeros((chosen.size, 2)), *(outcome[chosen] for outcome in possible.outcomes)]),
        )

    def _corners(self, sizes: FloatArray) -> IntArray:
        """Return instances with a large term in regions that are seldom drawn."""
        weights = 1 / (self._scale * (self._informed / self._informed.mean() + 1))
        n = min(_N_CORNERS, weights.size)
        return np.asarray(np.argpartition(sizes * weights, -n)[-n:], dtype=np.intp)

    def _capitals(self, atoms: _Atoms, value: float, distances: FloatArray) -> FloatArray:
        """Return the expected log wealth against value ∓ distances after each stage that excludes neither."""
        tests = _Tests.of(atoms, value, distances, self._rule.allocation)
        counts, left = atoms.counts, np.ones(atoms.counts.size)
        capitals = np.full((self._times.size, tests.at.size), inf)
        capitals[0], on_sheets, first = 0.0, [0.0], 0.0
        for number, n_draws in enumerate(np.diff(self._times)):
            drawn = self._drawn(number, left, counts, atoms.informed, atoms.favored, atoms.scale)
            middle, q = self._mean_q(left, drawn, counts)
            variance = self._variance(counts * middle, q, atoms.variances)
            first = first or variance
            weight = min(first / variance, _GREATEST_WEIGHT) / self._n_instances
            inverse_q = np.divide(1.0, q, out=np.zeros_like(q), where=q > 0)
            seen, there = counts * (1 - middle), counts * middle
            stage = _Stage(float(self._times[number]), float(n_draws), seen, there, q, inverse_q, weight)
            tests = tests.after(stage, self._goal)
            left = left * np.exp(-drawn)
            on_sheets.append(float(counts * (1 - left) @ atoms.sure))
            capitals[number + 1, tests.at] = capital = tests.capital(counts * (1 - left), counts * left)
            tests = tests.without(capital >= self._goal)
        self._on_sheets = np.array(on_sheets)
        return np.maximum.accumulate(capitals, axis=0)

    def _nearest(self, capitals: FloatArray, distances: FloatArray, room: float) -> FloatArray:
        """Return the distance of the interval's end after each stage, (n_stages + 1,); at most `room`."""
        times = np.empty(distances.size)
        for k, course in enumerate(capitals.T):
            times[k] = self._first_time * _first_below(self._times, -course, -self._goal)
        # A candidate farther away is excluded no later.
        times = np.minimum.accumulate(np.minimum(times, self._n_instances))
        at = np.log1p(self._times)
        found = np.interp(at, np.log1p(times[::-1]), np.log(distances[::-1]))
        ends = np.where(at < np.log1p(times[-1]), room, np.exp(found))
        return np.minimum.accumulate(np.minimum(ends, room))


def _positive(values: FloatArray) -> FloatArray:
    return np.maximum(values, 1e-300)


def _distances(usual: float, widest: float) -> FloatArray:
    """Return the candidates' distances from the value, up to the widest possible."""
    nearest = _NEAREST * usual
    n_steps = round(log(widest / nearest) / log(_A_STEP))
    return np.asarray(np.geomspace(nearest, widest, n_steps + 1))


def _first_below(times: FloatArray, values: FloatArray, wanted: float) -> float:
    """Return when a nonincreasing course falls to `wanted`, interpolated; infinite if it never does."""
    reached = values <= wanted
    if not reached.any():
        return inf
    at = int(np.argmax(reached))
    if at == 0:
        return 0.0
    before, after = float(values[at - 1]), float(values[at])
    part = 1.0
    if 0 < after < before < inf:
        part = log(before / wanted) / log(before / after)
    elif -inf < after < before < inf:
        part = (before - wanted) / (before - after)
    return float(times[at - 1] + part * (times[at] - times[at - 1]))
