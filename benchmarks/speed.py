"""Speed, as ratios within one run where there is something to compare with, and peaks of memory.

    python benchmarks/speed.py

writes results/speed.md.
"""

import os
import time
import tracemalloc
from collections.abc import Callable

import numpy as np
from common import RESULTS

from activeeval_widgets.stats import (
    DCG,
    ERR,
    BrierScore,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    LogLoss,
    MacroF,
    MatthewsCorrelation,
    RankingPredictions,
    optimal_q,
    replicate,
)

N_INSTANCES, N_CLASSES = 1_000_000, 10
N_QUERIES, N_ITEMS, N_KNOWN = 30_000, 120, 150
N_REPLICATED, N_REPLICATIONS = 100_000, 1000


def fastest(function: Callable[[], object], repeats: int = 5) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def peak(function: Callable[[], object]) -> int:
    tracemalloc.start()
    function()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def instrumental_distributions(lines: list[str]) -> None:
    rng = np.random.default_rng(0)
    proba = rng.random((N_INSTANCES, N_CLASSES)) + 0.01
    proba /= proba.sum(axis=1, keepdims=True)
    model = ClassPredictions(proba)
    other = ClassPredictions(proba[:, ::-1].copy())
    pass_over = fastest(lambda: (np.sqrt(proba), proba.max(axis=1)))
    lines += [
        f"## q for {N_INSTANCES:,} instances × {N_CLASSES} classes",
        "",
        f"One pass of `numpy.sqrt` and a row maximum over the same array: {1000 * pass_over:.0f} ms. "
        f"Memory: the peak over the array's own {proba.nbytes / 1e6:.0f} MB.",
        "",
        "| measure | time | ratio | memory |",
        "|---|---|---|---|",
    ]
    cases = [
        (repr(measure), measure, model)
        for measure in (ErrorRate(), FMeasure(), MacroF(), MatthewsCorrelation(), BrierScore(), LogLoss())
    ] + [("ErrorRate(), two models", ErrorRate(), [model, other])]
    for name, measure, models in cases:
        seconds = fastest(lambda m=measure, p=models: optimal_q(m, p))
        memory = peak(lambda m=measure, p=models: optimal_q(m, p)) / proba.nbytes
        lines.append(f"| {name} | {1000 * seconds:.0f} ms | {seconds / pass_over:.1f} | {memory:.2f} |")


def rankings(lines: list[str]) -> None:
    rng = np.random.default_rng(0)
    start = time.perf_counter()
    proba = rng.dirichlet(np.ones(5), (N_QUERIES, N_KNOWN))
    first, second = (rng.random((N_QUERIES, N_KNOWN)).argsort(axis=1)[:, :N_ITEMS] for _ in range(2))
    models = [
        RankingPredictions(
            ranks.tolist(),
            [dict(zip(row, table, strict=True)) for row, table in zip(ranks.tolist(), tables, strict=True)],
            grades=range(5),
        )
        for ranks, tables in ((r, np.take_along_axis(proba, r[..., None], axis=1)) for r in (first, second))
    ]
    made = time.perf_counter() - start
    lines += [
        "",
        f"## Two rankers, {N_QUERIES:,} queries × {N_ITEMS} items, partly different",
        "",
        f"Making the predictions from mappings takes {made:.0f} s by itself.",
        "",
        "| measure | one ranker | two rankers |",
        "|---|---|---|",
    ]
    for measure in (DCG(), DCG(cutoff=10), ERR(cutoff=10), ERR()):
        one = fastest(lambda m=measure: optimal_q(m, models[0]), 1)
        two = fastest(lambda m=measure: optimal_q(m, models), 1)
        lines.append(f"| {measure!r} | {one:.1f} s | {two:.1f} s |")


def replications(lines: list[str]) -> None:
    rng = np.random.default_rng(0)
    p = rng.beta(0.4, 0.8, N_REPLICATED)
    y_true = (rng.random(N_REPLICATED) < p).astype(int)
    model = ClassPredictions(np.column_stack([1 - p, p]))
    defensive = {f"ε = {share}": optimal_q(ErrorRate(), model, defensive=share) for share in (0.1, 0.5)}
    cases = {
        "error rate": (ErrorRate(), {m: m for m in ("passive", "active", "stratified")} | defensive),
        "F1": (FMeasure(), {m: m for m in ("passive", "active", "active_err")} | defensive),
    }
    lines += [
        "",
        f"## {N_REPLICATIONS:,} replications × 800 draws × 5 methods, {N_REPLICATED:,} instances, 6 budgets",
        "",
        f"{os.cpu_count()} cores.",
        "",
        "| measure | 1 process | 2 processes | memory, 1 process |",
        "|---|---|---|---|",
    ]
    for name, (measure, methods) in cases.items():

        def run(n_processes: int, measure=measure, methods=methods) -> object:
            return replicate(
                measure,
                model,
                y_true,
                methods=methods,
                budgets=[25, 50, 100, 200, 400, 800],
                n_replications=N_REPLICATIONS,
                rng=np.random.default_rng(1),
                n_processes=n_processes,
            )

        one, two = fastest(lambda f=run: f(1), 1), fastest(lambda f=run: f(2), 1)
        lines.append(f"| {name} | {one:.1f} s | {two:.1f} s | {peak(lambda f=run: f(1)) / 1e6:.0f} MB |")


def main() -> None:
    lines = ["# speed", "", f"NumPy {np.__version__}, one thread for linear algebra.", ""]
    for part in (instrumental_distributions, rankings, replications):
        part(lines)
        print("\n".join(lines), flush=True)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "speed.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
