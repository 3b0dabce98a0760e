"""Ways to estimate an error rate or an F₁ from a number of labels: sessions, and other packages.

A method takes a task, numbers of labels in ascending order and a seed, and gives what it found at each.
Packages that estimate means give F₁ by two of them, of true positives and of positives, without an interval:
how many are predicted to be positive is known.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, wraps

import numpy as np
from settings import Setting

from activeeval_widgets import Pool, Session
from activeeval_widgets.stats import ErrorRate


@dataclass(frozen=True)
class Found:
    """What a method says after its labels; `watched` is the interval that may be watched."""

    value: float
    n_labels: int
    low: float = np.nan
    high: float = np.nan
    watched: tuple[float, float] = (np.nan, np.nan)


class Task:
    """A setting as a question about one class: which instances are in it, and which are said to be?

    Of an error rate it is the class "wrong"; all are said to be in it, so that its precision is the rate.
    """

    def __init__(self, setting: Setting):
        self.setting, model = setting, setting.predictions
        if isinstance(setting.measure, ErrorRate):
            p = 1 - model.y_proba.max(axis=1)
            self.is_one = model.pred_codes != model.encode(setting.y_true)
            self.is_said = np.ones(p.size, dtype=bool)
        else:
            (positive,) = model.encode(np.array([setting.measure.positive]))
            p = model.y_proba[:, positive]
            self.is_one = model.encode(setting.y_true) == positive
            self.is_said = model.pred_codes == positive
        self.p = p.clip(1e-9, 1 - 1e-9)
        self.size, self.truth = p.size, setting.truth
        self.is_error = bool(self.is_said.all())

    @cached_property
    def doubt(self) -> np.ndarray:
        """How much a label is expected to move the measure: the root of the mean square, but for a factor."""
        spread = np.sqrt(self.p * (1 - self.p))
        if self.is_error:
            return spread
        f = 2 * self.p[self.is_said].sum() / (self.p.sum() + self.is_said.sum())
        return np.where(self.is_said, 2 - f, f) * spread

    def inclusion(self, n_labels: int, uniform: float) -> np.ndarray:
        """Probabilities min(1, c u) that sum to the number of labels: u is the doubt with a uniform share."""
        u = (1 - uniform) * self.doubt / self.doubt.mean() + uniform
        pi = n_labels * u / u.sum()
        while pi.max() > 1 + 1e-9:
            full = pi >= 1
            pi = np.where(full, 1.0, u * (n_labels - full.sum()) / u[~full].sum())
        return pi.clip(max=1.0)

    def split(self, n_labels: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Uniform draws, and the rest."""
        order = np.random.default_rng(seed).permutation(self.size)
        return order[:n_labels], order[n_labels:]

    def by_means(self, mean: Callable[[np.ndarray, np.ndarray], Found]) -> Found:
        """The measure, by what estimates the mean of labels with the help of what is expected of them."""
        ones = mean(self.is_one.astype(float), self.p)
        if self.is_error:
            return ones
        true_positives = mean((self.is_one & self.is_said).astype(float), self.p * self.is_said)
        f = 2 * true_positives.value / (ones.value + self.is_said.mean())
        return Found(min(max(f, 0.0), 1.0), ones.n_labels)


Method = Callable[[Task, tuple[int, ...], int], Iterable[Found]]


def anew(one: Callable[[Task, int, int], Found]) -> Method:
    """A method that has to know its number of labels, and draws anew for each."""

    @wraps(one)
    def method(task, at, seed):
        return [one(task, n_labels, seed) for n_labels in at]

    return method


def ours(task, at, seed):
    """A session as it is by default; Wald's interval, and the one that may be watched."""
    pool = Pool([""] * task.size, predictions=task.setting.predictions, kind="text")
    session, found = Session(pool, task.setting.measure, budget=at[-1], seed=seed), []
    while (asked := session.next()) is not None:
        session.label(task.setting.y_true[asked.index])
        if session.n_labels in at:
            found.append(session.estimate(interval="wald"))
    watched = zip(*session.watched().at(np.array(at)), strict=True)
    return [
        Found(each.value, n, each.low, each.high, ends)
        for n, each, ends in zip(at, found, watched, strict=True)
    ]


@anew
def plain(task, n_labels, seed):
    """Uniform draws, and the measure of what was labeled."""
    labeled, _ = task.split(n_labels, seed)
    one, said = task.is_one[labeled], task.is_said[labeled]
    if task.is_error:
        return Found(one.mean(), n_labels)
    return Found(2 * (one & said).sum() / max(one.sum() + said.sum(), 1), n_labels)


@anew
def ppi_py(task, n_labels, seed):
    """PPI++ with the λ that it tunes, on uniform draws."""
    from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

    labeled, rest = task.split(n_labels, seed)

    def mean(y, expected):
        given = y[labeled], expected[labeled], expected[rest]
        value = float(np.squeeze(ppi_mean_pointestimate(*given)))
        low, high = (float(np.squeeze(end)) for end in ppi_mean_ci(*given, alpha=0.05))
        return Found(value, n_labels, low, high)

    return task.by_means(mean)


@anew
def truescore(task, n_labels, seed):
    """PPI++ on uniform draws."""
    from truescore.correct import ppi_estimate

    labeled, _ = task.split(n_labels, seed)

    def mean(y, expected):
        found = ppi_estimate(expected, y[labeled], labeled)
        return Found(found.point, n_labels, found.low, found.high)

    return task.by_means(mean)


@anew
def fewhumans(task, n_labels, seed):
    """E3, PPI++, on uniform draws."""
    from fewhumans.estimators import ppi_plus_mean

    labeled, rest = task.split(n_labels, seed)

    def mean(y, expected):
        found = ppi_plus_mean(expected[rest], y[labeled], expected[labeled])
        return Found(found.value, n_labels, found.lo, found.hi)

    return task.by_means(mean)


N_STRATA, MIN_SPREAD = 5, 0.2


@anew
def fewhumans_strata(task, n_labels, seed):
    """E4 on R1: PPI++ in five strata of like doubt, labels by Neyman's allocation, some in each."""
    from fewhumans.estimators import stratified_ppi_plus
    from fewhumans.routing import Stratified

    ids = [str(i) for i in range(task.size)]
    strata = dict.fromkeys(ids)
    parts = np.array_split(np.argsort(task.doubt, kind="stable"), N_STRATA)
    for k, part in enumerate(parts):
        strata.update({ids[i]: str(k) for i in part})
    spread = np.array([np.sqrt((task.doubt[part] ** 2).mean()) for part in parts])
    spread = np.maximum(spread, MIN_SPREAD * spread.max())
    context = {"stratum": strata, "stratum_std": {str(k): float(s) for k, s in enumerate(spread)}}
    drawn = Stratified(budget=n_labels, seed=seed, allocation="neyman").select(ids, n_labels, ctx=context)

    def mean(y, expected):
        expected = dict(zip(ids, expected.tolist(), strict=True))
        found = stratified_ppi_plus(strata, expected, {i: float(y[int(i)]) for i in drawn})
        return Found(found.value, len(drawn), found.lo, found.hi)

    return task.by_means(mean)


@anew
def fewhumans_active(task, n_labels, seed):
    """E5 on R2: active inference, more draws where the doubt is greater."""
    from fewhumans.estimators import active_mean
    from fewhumans.routing import Uncertainty

    ids = [str(i) for i in range(task.size)]
    doubts = (task.doubt / task.doubt.max()).tolist()
    context = {"features": {i: {"uncertainty": doubt} for i, doubt in zip(ids, doubts, strict=True)}}
    drawn = Uncertainty(budget=n_labels, seed=seed).select(ids, n_labels, ctx=context)

    def mean(y, expected):
        expected = dict(zip(ids, expected.tolist(), strict=True))
        found = active_mean(expected, {i: float(y[int(i)]) for i in drawn}, drawn)
        return Found(found.value, len(drawn), found.lo, found.hi)

    return task.by_means(mean)


def _by_glide(estimator, y, rest, *given):
    y = y.copy()
    y[rest] = np.nan
    n_labels = int((~np.isnan(y)).sum())
    try:
        found = estimator.estimate(y, *given)
    except ValueError:  # labels that are all the same are refused
        return Found(float(np.nanmean(y)), n_labels)
    ends = found.confidence_interval
    return Found(found.mean, n_labels, ends.lower_bound, ends.upper_bound)


@anew
def glide(task, n_labels, seed):
    """PPI++ on uniform draws."""
    from glide.estimators import PPIMeanEstimator

    _, rest = task.split(n_labels, seed)
    return task.by_means(lambda y, expected: _by_glide(PPIMeanEstimator(), y, rest, expected))


GLIDE_UNIFORM = 0.25


@anew
def glide_active(task, n_labels, seed):
    """ASI: active statistical inference, more draws where the doubt is greater, a quarter of it uniform."""
    from glide.estimators import ASIMeanEstimator
    from glide.samplers import ActiveSampler

    # What its sampler would look for itself where some of them are one, for minutes.
    doubt = task.inclusion(n_labels, GLIDE_UNIFORM)
    pi, drawn = ActiveSampler().sample(doubt, n_labels, seed)
    rest = ~(drawn > 0)
    return task.by_means(lambda y, expected: _by_glide(ASIMeanEstimator(), y, rest, expected, pi))


NOTEBOOKS_UNIFORM = 0.5


@anew
def active_inference(task, n_labels, seed):
    """The estimator of its notebooks, by their formula, with their τ where there is nothing to tune it by."""
    pi = task.inclusion(n_labels, NOTEBOOKS_UNIFORM)
    drawn = np.random.default_rng(seed).random(task.size) < pi

    def mean(y, expected):
        each = expected + (y - expected) * drawn / pi
        half = 1.96 * each.std() / np.sqrt(task.size)
        return Found(each.mean(), int(drawn.sum()), each.mean() - half, each.mean() + half)

    return task.by_means(mean)


N_SCORE_STRATA, N_BINS = 10, 200
"""Of scores; the heuristics of oasis for these numbers call what SciPy no longer has."""


def oasis(task, at, seed):
    """Draws that learn, by strata of the scores; an error rate is the precision of the class "wrong"."""
    from oasis import OASISSampler

    np.random.seed(seed)  # noqa: NPY002  it knows no other
    sampler = OASISSampler(
        1.0 if task.is_error else 0.5,
        task.is_said.astype(int),
        task.p,
        lambda i: int(task.is_one[i]),
        proba=True,
        max_iter=100 * task.size,
        stratification_n_strata=N_SCORE_STRATA,
        stratification_n_bins=N_BINS,
    )
    for n_labels, more in zip(at, np.diff([0, *at]), strict=True):
        sampler.sample_distinct(more)
        yield Found(float(np.squeeze(sampler.estimate_[sampler.t_ - 1])), n_labels)


def _by_activeeval(task, at, pool, propose):
    from activeeval import Evaluator
    from activeeval.measures import Accuracy, FMeasure

    measure = (
        Accuracy(np.zeros(task.size, dtype=int)) if task.is_error else FMeasure(task.is_said.astype(int))
    )
    evaluator, labeled = Evaluator(pool, measure, propose(measure)), set()
    for n_labels in at:
        while len(labeled) < n_labels:
            drawn, weights = evaluator.query(1)
            evaluator.update(drawn, task.is_one[drawn].astype(int), weights)
            labeled.update(drawn.tolist())
        value = evaluator.estimate
        yield Found(1 - value if task.is_error else value, n_labels)


def activeeval(task, at, seed, epsilon=1e-9):
    """Draws by the model's probabilities, as its README has them."""
    from activeeval.pools import Pool
    from activeeval.proposals import StaticVarMin

    pool, proba = Pool(features=task.p[:, None]), np.column_stack([1 - task.p, task.p])
    options = {"deterministic": True, "epsilon": epsilon, "random_state": seed}
    return _by_activeeval(task, at, pool, lambda measure: StaticVarMin(pool, measure, proba, **options))


def activeeval_defensive(task, at, seed):
    """As above, with a tenth of the draws uniform."""
    return activeeval(task, at, seed, epsilon=0.1)


def activeeval_adaptive(task, at, seed):
    """Draws that learn, by strata of the scores, a tenth of them uniform."""
    from activeeval.pools import StratifiedPool
    from activeeval.proposals import PartitionedAdaptiveVarMin, PartitionedDeterministicOE

    pool = StratifiedPool(task.p, N_SCORE_STRATA, bins_hist=N_BINS)
    oracle = PartitionedDeterministicOE(pool, 2, prior=np.column_stack([1 - task.p, task.p]))
    options = {"epsilon": 0.1, "random_state": seed}
    return _by_activeeval(
        task, at, pool, lambda measure: PartitionedAdaptiveVarMin(pool, measure, oracle, **options)
    )


@dataclass(frozen=True)
class Row:
    """A row of the table: a method, and the package that it needs, as it is imported and installed."""

    method: Method
    module: str | None = None
    distribution: str | None = None


OURS = "this package"
ROWS = {
    OURS: Row(ours),
    "uniform draws, no model": Row(plain),
    "active-inference": Row(active_inference),
    "ppi_py": Row(ppi_py, "ppi_py", "ppi-python"),
    "truescore": Row(truescore, "truescore", "truescore"),
    "fewhumans, E3": Row(fewhumans, "fewhumans", "fewhumans"),
    "fewhumans, E4": Row(fewhumans_strata, "fewhumans", "fewhumans"),
    "fewhumans, E5": Row(fewhumans_active, "fewhumans", "fewhumans"),
    "glide-py, PPI++": Row(glide, "glide", "glide-py"),
    "glide-py, ASI": Row(glide_active, "glide", "glide-py"),
    "oasis": Row(oasis, "oasis", "oasis"),
    "activeeval, static": Row(activeeval, "activeeval", "activeeval"),
    "activeeval, static, ε = 0.1": Row(activeeval_defensive, "activeeval", "activeeval"),
    "activeeval, adaptive": Row(activeeval_adaptive, "activeeval", "activeeval"),
}
