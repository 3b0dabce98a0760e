"""Many replications of an evaluation on a fully labeled pool."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from contextlib import nullcontext
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import (
    check_costs,
    check_count,
    check_fraction,
    check_option,
    check_order,
    check_positive,
    check_q,
    check_rng,
)
from activeeval_widgets.stats.drawing.optimal import expected_draws
from activeeval_widgets.stats.drawing.recipes import RECIPES, recipe_q
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.measures.tables import loss_terms
from activeeval_widgets.stats.predictions.base import Predictions, as_models, mixture
from activeeval_widgets.stats.questions.make import question_of, target_of
from activeeval_widgets.stats.questions.target import Target
from activeeval_widgets.stats.replication._chunk import Chunk, Procedure, run_chunk
from activeeval_widgets.stats.replication.table import ReplicationTable, rows

_CHUNK = 250
"""The number of replications computed at once; fixed, so that results do not depend on the number of
processes."""


Method: TypeAlias = str | ArrayLike


def replicate(
    measure: Measure,
    predictions: Predictions | Sequence[Predictions],
    y_true: Any,
    *,
    methods: Sequence[str] | Mapping[str, Method],
    budgets: Sequence[float],
    n_replications: int,
    rng: np.random.Generator,
    costs: ArrayLike | None = None,
    interval: str = "wald",
    confidence_level: float = 0.95,
    n_processes: int = 1,
    progress: Callable[[int, int], object] | None = None,
) -> ReplicationTable:
    """Replicate an evaluation on a fully labeled pool and measure the errors of its estimates.

    Parameters
    ----------
    measure : Measure
        The measure to estimate.
    predictions : Predictions or list of Predictions
        One model; two, for their difference; or more, for all their pairwise differences.
    y_true : array-like of shape (n_instances,)
        The label of every instance.
    methods : sequence of str, or mapping from name to method
        Names of recipes (see `recipe_q`) or "stratified" (Bennett & Carvalho 2010; for risks of one model or
        two). A mapping may also hold instrumental distributions of shape (n_instances,).
    budgets : sequence of positive numbers, ascending
        Numbers of draws. With `costs`, total costs Λ, for which n* = Λ / Σ λ q draws are made.
    n_replications : int
        The number of evaluations for each method.
    rng : numpy.random.Generator
        The source of randomness. The same seed gives the same table on any number of processes, and the rows
        of a method do not depend on later methods.
    costs : array-like of shape (n_instances,), optional
        λ(x). Not for "stratified", whose allocation ignores costs.
    interval : {"wald", "t"}
        The interval to assess. "t" is not for "stratified", whose draws do not have n − 1 degrees of freedom.
    confidence_level : float
        The interval's level.
    n_processes : int
        The number of processes.
    progress : callable, optional
        Called in this process as progress(done, total) after each part of the work.

    Returns
    -------
    ReplicationTable
        Columns: `method`, `budget`, `n_draws`; `n_labels`, the mean number of distinct instances (repeats are
        free); `mean_absolute_error`, `rmse`, `bias`, `coverage`, `width`, over the replications in which the
        estimate is defined; `undefined`, the share of the others. For two or more models these refer to the
        (pairwise) differences, and there are four more columns: `pvalue` (the mean), `significant` (the share
        below 1 − confidence_level), `selection_error` (the share in which the model with the best estimate is
        not a best model), and `labels_to_significance` (the mean number of labels if labeling stops at the
        first significant budget, or else at this one).

    Raises
    ------
    ValueError, TypeError
        If arguments don't fit each other, or the measure is not defined on the pool.

    See Also
    --------
    recipe_q : The methods.

    References
    ----------
    The experiments of T, 4.4, 5.4, 6.4.

    Examples
    --------
    >>> p = np.linspace(0.1, 0.9, 200)
    >>> model = ClassPredictions(np.column_stack([1 - p, p]))
    >>> table = replicate(
    ...     ErrorRate(),
    ...     model,
    ...     [0] * 100 + [1] * 100,
    ...     methods=["passive", "active"],
    ...     budgets=[20],
    ...     n_replications=50,
    ...     rng=np.random.default_rng(0),
    ... )
    >>> len(table), table.truth
    (2, (0.0,))
    """
    models = as_models(predictions)
    n_instances = models[0].n_instances
    check_option("interval", interval, ("wald", "t"))
    level = check_fraction("confidence_level", confidence_level, closed=False)
    replications = check_count("n_replications", n_replications, minimum=1)
    processes = check_count("n_processes", n_processes, minimum=1)
    generator = check_rng(rng)
    cost = check_costs(costs, n_instances, models[0])
    sizes = _check_budgets(budgets)
    named = _check_methods(methods)
    question = question_of(measure, models)
    check_order("y_true", y_true, "predictions", models[0])
    labels = models[0].check_labels(y_true, n_instances, f"{n_instances} instances")
    for target in question.targets:
        target.check_labels(labels)
    everything = np.arange(n_instances)
    z = [measure.statistics(model, labels, everything) for model in models]
    truth = [float(measure.g(each.mean(axis=0))) for each in z]
    if not np.isfinite(truth).all():
        raise ValueError(f"{measure.name} is not defined on this pool: {truth}")

    procedures = []
    for method in named.values():
        stratified = isinstance(method, str) and method == "stratified"
        q, score, prior = np.full(n_instances, 1 / n_instances), None, 0.0
        if stratified:
            _check_stratified(interval, cost)
            score, prior = _strata(target_of(measure, models))
        elif isinstance(method, str):
            q = recipe_q(method, measure, models, costs=cost)
        else:
            q = check_q(method, models[0])
        counts = _draw_counts(sizes, q, cost)
        procedures.append(Procedure(question, tuple(z), q, counts, interval, level, score, prior))
    rngs = [child.spawn(-(-replications // _CHUNK)) for child in generator.spawn(len(procedures))]
    chunks = _run(procedures, rngs, replications, processes, progress)

    columns: dict[str, list[Any]] = {}
    for name, procedure, parts in zip(named, procedures, chunks, strict=True):
        for row in rows(procedure, parts, truth):
            budget = sizes[len(columns.get("method", ())) % len(sizes)]
            for column, value in {"method": name, "budget": budget, **row}.items():
                columns.setdefault(column, []).append(value)
    return ReplicationTable({name: np.array(values) for name, values in columns.items()}, tuple(truth))


def _check_budgets(budgets: Sequence[float]) -> list[float]:
    sizes = [float(check_positive("budgets", budget)) for budget in np.asarray(budgets).tolist()]
    if not sizes or sorted(set(sizes)) != sizes:
        raise ValueError(f"budgets must be ascending positive numbers, at least one, got {budgets!r}")
    return sizes


def _check_methods(methods: Any) -> dict[str, Method]:
    if isinstance(methods, str) or not isinstance(methods, Sequence | Mapping):
        raise TypeError(f"methods must be a sequence of names or a mapping, got {methods!r}")
    named: dict[str, Method] = dict(methods) if isinstance(methods, Mapping) else {m: m for m in methods}
    if not named:
        raise ValueError("methods must hold at least one method, got none")
    for method in named.values():
        if isinstance(method, str):
            check_option("methods", method, (*RECIPES, "stratified"))
    return named


def _draw_counts(budgets: Sequence[float], q: FloatArray, costs: FloatArray | None) -> IntArray:
    if costs is None:
        if not all(budget.is_integer() for budget in budgets):
            raise ValueError(f"budgets must be whole numbers of draws without costs, got {budgets!r}")
        return np.array(budgets, dtype=np.intp)
    # A budget below the cost of one draw still pays for one draw.
    return np.array([max(1, int(expected_draws(q, costs, budget))) for budget in budgets], dtype=np.intp)


def _check_stratified(interval: str, costs: FloatArray | None) -> None:
    if interval != "wald":
        raise ValueError(
            f"interval {interval!r} is not for method 'stratified', whose allocation follows the labels, so "
            "its degrees of freedom are unknown. Use interval 'wald', or leave out 'stratified'"
        )
    if costs is not None:
        raise ValueError(
            "method 'stratified' ignores costs when it divides draws between strata, so it would not keep to "
            "a budget of costs. Leave out 'stratified', or costs"
        )


def _strata(target: Target) -> tuple[FloatArray, float]:
    """Return the score to form strata by and the prior variance of a loss, as the models expect them."""
    measure = target.measure
    if not measure.is_risk:
        raise ValueError(f"method 'stratified' is for risks, got {measure.name}")
    belief = mixture(target.models)
    if not belief.is_known:
        spread = belief.contrast()
        return spread, float(spread.var())
    first, second = measure.moments(loss_terms(target.models), belief, 0.0)
    return first, float(max(second.mean() - first.mean() ** 2, 0))


def _run(
    procedures: Sequence[Procedure],
    rngs: Sequence[Sequence[np.random.Generator]],
    n_replications: int,
    n_processes: int,
    progress: Callable[[int, int], object] | None,
) -> list[list[Chunk]]:
    """Run all chunks, and return each procedure's in order."""
    tasks = [
        (procedure, index, min(_CHUNK, n_replications - index * _CHUNK), rng)
        for procedure, of_procedure in enumerate(rngs)
        for index, rng in enumerate(of_procedure)
    ]
    done: dict[tuple[int, int], Chunk] = {}
    pool: Any = nullcontext()
    if n_processes > 1:
        # Imported here because Python in a browser has no processes.
        from concurrent.futures import ProcessPoolExecutor

        pool = ProcessPoolExecutor(n_processes)
    with pool as executor:
        for key, chunk in _completed(executor, procedures, tasks):
            done[key] = chunk
            if progress is not None:
                progress(len(done), len(tasks))
    return [
        [done[procedure, index] for index in range(len(of_procedure))]
        for procedure, of_procedure in enumerate(rngs)
    ]


def _completed(
    executor: Executor | None,
    procedures: Sequence[Procedure],
    tasks: Sequence[tuple[int, int, int, np.random.Generator]],
) -> Iterator[tuple[tuple[int, int], Chunk]]:
    if executor is None:
        for procedure, index, size, rng in tasks:
            yield (procedure, index), run_chunk(procedures[procedure], size, rng)
        return
    futures: dict[Future[Chunk], tuple[int, int]] = {
        executor.submit(run_chunk, procedures[procedure], size, rng): (procedure, index)
        for procedure, index, size, rng in tasks
    }
    for future in as_completed(futures):
        yield futures[future], future.result()
