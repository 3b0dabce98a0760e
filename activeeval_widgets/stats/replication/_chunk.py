"""One chunk of vectorized replications: the unit of work of a process."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.drawing.sampling import draw
from activeeval_widgets.stats.fixed_n.hypothesis_tests import wald_test
from activeeval_widgets.stats.questions.question import Question
from activeeval_widgets.stats.questions.sample import Sample, Weighted
from activeeval_widgets.stats.questions.target import Target
from activeeval_widgets.stats.replication._stratified import stratified_run


@dataclass(frozen=True)
class Procedure:
    """A method, prepared for replication."""

    question: Question
    z: tuple[FloatArray, ...]
    """The statistics of every instance, for each model."""
    q: FloatArray
    counts: IntArray
    """Numbers of draws, in nondescending order."""
    interval: str
    confidence_level: float
    score: FloatArray | None
    """The score by which strata are formed; None for draws from q."""
    prior_variance: float
    """The prior variance, for strata."""


class Chunk(NamedTuple):
    """Results, (n_budgets, n_replications, n_targets); `own` is per model, `n_labels` lacks that axis."""

    values: FloatArray
    low: FloatArray
    high: FloatArray
    pvalue: FloatArray
    own: FloatArray
    n_labels: IntArray


class _Judged(NamedTuple):
    value: FloatArray
    low: FloatArray
    high: FloatArray
    pvalue: FloatArray


def run_chunk(procedure: Procedure, n_replications: int, rng: np.random.Generator) -> Chunk:
    """Replicate one procedure `n_replications` times."""
    if procedure.score is not None:
        return _stratified(procedure, n_replications, rng)
    n_draws = int(procedure.counts[-1])
    draws = draw(procedure.q, n_replications * n_draws, rng).reshape(n_replications, n_draws)
    weights = 1 / (procedure.q.size * procedure.q[draws])
    z = [statistics[draws] for statistics in procedure.z]
    paired = [
        np.concatenate([z[at] for at in positions], axis=-1) for positions in procedure.question.positions
    ]
    judged = []
    own = []
    for count in procedure.counts:
        judged.append(
            [
                _judge(procedure, target, each[:, :count], weights[:, :count], draws[:, :count])
                for target, each in zip(procedure.question.targets, paired, strict=True)
            ]
        )
        total = weights[:, :count].sum(axis=1)[:, np.newaxis]
        means = [np.einsum("ri,rij->rj", weights[:, :count], each[:, :count]) / total for each in z]
        own.append(np.stack([procedure.question.measure.g(mean) for mean in means], axis=-1))
    fields = [
        np.array([np.stack([each[field] for each in at], axis=-1) for at in judged]) for field in range(4)
    ]
    return Chunk(
        fields[0], fields[1], fields[2], fields[3], np.array(own), _n_labels(draws, procedure.counts)
    )


def _judge(
    procedure: Procedure, target: Target, z: FloatArray, weights: FloatArray, draws: IntArray
) -> _Judged:
    """Return estimate, interval and p-value of each replication: `estimate` for many samples at once."""
    n_draws = z.shape[1]
    weighted = target.weighted(z, weights)
    share = 1 - target.rest_share(procedure.q)
    value, error = share * weighted.value, share * weighted.standard_error
    tail = 1 - (1 - procedure.confidence_level) / 2
    quantile = (
        float(ndtri(tail))
        if procedure.interval == "wald" or n_draws < 2
        else float(stdtrit(n_draws - 1, tail))
    )
    low, high = value - quantile * error, value + quantile * error
    usual = (error > 0) & ~weighted.is_constant
    pvalue = np.full(value.shape, np.nan)
    if target.null_value is not None:
        statistic = np.divide(np.abs(value), error, out=np.full(value.shape, np.nan), where=usual)
        by_t = procedure.interval == "t" and n_draws > 1
        pvalue = np.asarray(2 * (stdtr(n_draws - 1, -statistic) if by_t else ndtr(-statistic)))
    _judge_constant(procedure, target, z, weighted, draws, share, low, high, pvalue)
    least, greatest = target.range
    return _Judged(value, np.maximum(low, least), np.minimum(high, greatest), pvalue)


def _judge_constant(
    procedure: Procedure,
    target: Target,
    z: FloatArray,
    weighted: Weighted,
    draws: IntArray,
    share: float,
    low: FloatArray,
    high: FloatArray,
    pvalue: FloatArray,
) -> None:
    """Fill in intervals and p-values of samples in which no draw deviates from the value."""
    constant = np.flatnonzero(weighted.is_constant)
    if not constant.size:
        return
    # They depend only on the value and the number of nonzero statistics: a handful of cases, each done once.
    cases = np.column_stack([np.round(weighted.value[constant], 12), np.count_nonzero(z[constant], axis=1)])
    _, first, case_of = np.unique(cases, axis=0, return_index=True, return_inverse=True)
    case_of = case_of.reshape(-1)
    for case, position in enumerate(constant[first]):
        sample = Sample(z[position], np.empty(0), draws[position], procedure.q)
        value = float(weighted.value[position])
        bounds = target.constant_interval(sample, value, procedure.confidence_level)
        members = constant[case_of == case]
        low[members], high[members] = share * bounds[0], share * bounds[1]
        if target.null_value is not None:
            pvalue[members] = wald_test(target, sample, value, float("nan"))[1]


def _stratified(procedure: Procedure, n_replications: int, rng: np.random.Generator) -> Chunk:
    [target] = procedure.question.targets
    losses = target.loss(np.concatenate(procedure.z, axis=1))
    score = np.zeros(losses.size) if procedure.score is None else procedure.score
    run = stratified_run(losses, score, procedure.prior_variance, procedure.counts, n_replications, rng)
    quantile = float(ndtri(1 - (1 - procedure.confidence_level) / 2))
    least, greatest = target.range
    low = np.maximum(run.values - quantile * run.errors, least)
    high = np.minimum(run.values + quantile * run.errors, greatest)
    pvalue = np.full(run.values.shape, np.nan)
    own = run.values[..., np.newaxis]
    if target.null_value is not None:
        statistic = np.divide(
            np.abs(run.values), run.errors, out=np.zeros_like(run.values), where=run.errors > 0
        )
        pvalue = np.asarray(2 * ndtr(-statistic))
        # Selection only asks which of the two is better.
        own = np.stack([run.values, np.zeros_like(run.values)], axis=-1)
    return Chunk(
        run.values[..., np.newaxis],
        low[..., np.newaxis],
        high[..., np.newaxis],
        pvalue[..., np.newaxis],
        own,
        _n_labels(run.draws, procedure.counts),
    )


def _n_labels(draws: IntArray, counts: IntArray) -> IntArray:
    """Count the distinct instances in each replication's first draws, (n_counts, n_replications)."""
    order = np.argsort(draws, axis=1, kind="stable")
    ordered = np.take_along_axis(draws, order, axis=1)
    is_first = np.ones_like(draws, dtype=bool)
    is_first[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    new = np.empty_like(is_first)
    np.put_along_axis(new, order, is_first, axis=1)
    so_far = new.cumsum(axis=1)
    return np.asarray(so_far[:, counts - 1].T)
