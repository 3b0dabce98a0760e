# ruff: noqa: E501 - lines of the tables
"""Labels until the best of several models is known, and what a label costs the page.

    OMP_NUM_THREADS=1 python benchmarks/leaderboard.py sessions [--sessions 60] [--first-seed 0]
    python benchmarks/leaderboard.py report
    OMP_NUM_THREADS=1 python benchmarks/leaderboard.py latency [--labels 60]

The first keeps what it found in the folder `build/leaderboard`, of which the second writes results/leaderboard.md; the last writes
results/leaderboard_latency.md.
"""

import argparse
import json
import resource
import time

import numpy as np
from common import BUILD, RESULTS, apart
from demo_goals import known_at, verdicts
from scipy.stats import beta

from activeeval_widgets import Goal, Pool, Session
from activeeval_widgets.demos import DEMOS
from activeeval_widgets.session.findings.standings import models_content
from activeeval_widgets.stats import ClassPredictions, ErrorRate, FMeasure, pool_value
from activeeval_widgets.widgets.evaluation.snapshot import Snapshots

KEPT = BUILD / "leaderboard"
MOST = 400
"""No session goes on for longer."""

EVERY = 10
"""The numbers of labels at which verdicts are reported."""

N_MODELS, N_INSTANCES, N_LATENCY = 10, 100_000, 60
MEASURES = {"error rate": ErrorRate(), "F1 of a class": FMeasure(positive=1)}
FIRST = 16
"""The number of labels within which each pair of models has had its first turn."""


def one_session(demo, seed, *, is_uniform):
    """A session until the best is known: what is kept of it."""
    session = Session(demo.pool, demo.measure, seed=seed, **({"defensive": 1.0} if is_uniform else {}))
    most = min(MOST, demo.pool.n_instances - 1)
    found, known = {}, None
    while known is None and session.n_labels < most:
        session.label(demo.y_true[session.next().index])
        if session.n_labels % EVERY == 0 or session.n_labels == most:
            found = verdicts(session)
            known = known_at(found, len(session.models))
    if seed % 20 == 0:
        assert (session.leaderboard().best is not None) == (known is not None)
    truth = [pool_value(demo.measure, model, demo.y_true) for model in demo.pool.models]
    wrong = [[i, j] for (i, j), (_, worse) in found.items() if truth[worse] < max(truth[i], truth[j])]
    return {
        "seed": seed,
        "uniform": is_uniform,
        "labels": known[0] if known else None,
        "given": session.n_labels,
        "best": None if known is None else session.models[known[1]].name,
        "is_best": None if known is None else known[1] == int(np.argmin(truth)),
        "decided": len(found),
        "wrong": wrong,
    }


def sessions(n_sessions, first_seed):
    demo = DEMOS["leaderboard"]()
    for is_uniform in (False, True):
        for seed in range(first_seed, first_seed + n_sessions):
            start = time.perf_counter()
            row = one_session(demo, seed, is_uniform=is_uniform)
            with (KEPT / f"sessions_{first_seed}.jsonl").open("a") as file:
                file.write(json.dumps(row) + "\n")
            print(row, f"{time.perf_counter() - start:.0f} s", flush=True)


def made_up_models(n_models, n_instances, seed=0):
    """Classifiers of three classes that see the same truth through more and more noise."""
    rng = np.random.default_rng(seed)
    sense = 2 * rng.normal(size=(n_instances, 3))

    def proba(scores):
        grown = np.exp(scores - scores.max(axis=1, keepdims=True))
        return grown / grown.sum(axis=1, keepdims=True)

    y_true = (proba(sense).cumsum(axis=1) < rng.random((n_instances, 1))).sum(axis=1)
    noisy = (sense + (0.5 + 0.15 * k) * rng.normal(size=sense.shape) for k in range(n_models))
    models = [ClassPredictions(proba(each).round(6), name=f"model {k}") for k, each in enumerate(noisy)]
    return models, y_true


def latency_of(name, n_labels):
    """Label, and print the two rows of a table: seconds of the processor for each label."""
    models, y_true = made_up_models(N_MODELS, N_INSTANCES)
    start = time.process_time()
    pool = Pool([f"text {i}" for i in range(N_INSTANCES)], predictions=models)
    session = Session(pool, MEASURES[name], goal=Goal(threshold=0.0))
    snapshots = Snapshots(session)
    asked = session.next()
    snapshots.current()
    opened = time.process_time() - start
    rows = []
    for _ in range(n_labels):
        times = [time.process_time()]
        session.label(int(y_true[asked.index]))
        asked = session.next()
        times.append(time.process_time())
        board = session.leaderboard()
        times.append(time.process_time())
        taken = snapshots.current()
        models_content(board, session.measure)
        assert taken.estimate == board.leader.estimate
        assert taken.progress.contest is not None
        assert len(taken.trajectory) == len(taken.band[0])
        times.append(time.process_time())
        for _ in (*session.findings._precompute_leaderboards(), *snapshots.precompute()):
            pass
        times.append(time.process_time())
        rows.append(np.diff(times))
        print(np.round(rows[-1], 3), flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    for what, some in ((f"the first {FIRST}", rows[:FIRST]), ("each further one", rows[FIRST:])):
        *until_settled, ahead = np.array(some).T
        told = " | ".join(_quantiles(each) for each in (*until_settled, np.sum(until_settled, axis=0), ahead))
        print(f"| {name} | {what} | {told} | {opened:.1f} | {peak:.2f} |")


def _quantiles(seconds):
    middle, most, longest = np.quantile(seconds, [0.5, 0.95, 1.0])
    return f"{middle:.2f}, {most:.2f}, {longest:.2f}"


def latency(n_labels):
    """Write results/leaderboard_latency.md; each measure in a process of its own, for its peak of memory."""
    lines = [
        "# The leaderboard of many models in a large pool",
        "",
        "By `python benchmarks/leaderboard.py latency`, with OMP_NUM_THREADS=1.",
        "",
        f"{N_MODELS} models, {N_INSTANCES:,} instances of three classes, {n_labels} labels. Seconds of the processor: median, 95 %, "
        "longest. Next: the label is stored, and the next instance is there. Leaderboard: all estimates, intervals and verdicts. Rest of "
        "the page: goal, plots and panel of models. Ahead: what is done after that, while the person looks at the next instance; where "
        "the next answer comes sooner, the rest of it is part of the next leaderboard. Opened: pool, session and first page.",
        "",
        "| measure | label | next | leaderboard | rest of the page | together | ahead | opened, s | peak, GiB |",
        "|" + "---|" * 9,
    ]
    for name in MEASURES:
        lines += apart(__file__, "latency", "--measure", name, "--labels", str(n_labels))[-2:]
    (RESULTS / "leaderboard_latency.md").write_text("\n".join(lines) + "\n")


def exact_bound(n_wrong, n):
    """The one-sided upper bound of a share, by the binomial distribution, at 95 %."""
    return 1.0 if n_wrong == n else float(beta.ppf(0.95, n_wrong + 1, n - n_wrong))


def row_of(name, rows):
    labels = np.array([row["labels"] or np.inf for row in rows])
    n_wrong = sum(bool(row["wrong"]) for row in rows)
    middle, most = (np.quantile(labels, share, method="higher") for share in (0.5, 0.9))
    told = [f"{each:.0f}" if np.isfinite(each) else f"> {MOST}" for each in (middle, most)]
    return (
        f"| {name} | {len(rows)} | {np.isfinite(labels).sum()} | {told[0]} | {told[1]} | "
        f"{sum(row['is_best'] is False for row in rows)} | {n_wrong} | "
        f"{100 * exact_bound(n_wrong, len(rows)):.1f} % |"
    )


def report():
    """Write results/leaderboard.md of what is kept."""
    rows = [
        json.loads(line)
        for path in sorted(KEPT.glob("sessions_*.jsonl"))
        for line in path.read_text().splitlines()
    ]
    demo = DEMOS["leaderboard"]()
    truth = {model.name: pool_value(demo.measure, model, demo.y_true) for model in demo.pool.models}
    told = ", ".join(f"{name} {value:.3f}" for name, value in sorted(truth.items(), key=lambda each: each[1]))
    wrong, n_rows = sum(bool(row["wrong"]) for row in rows), len(rows)
    lines = [
        "# The leaderboard",
        "",
        "## Labels until the best is known",
        "",
        f"Sessions of `demo leaderboard` through `Session`, labeled by the true labels until only one model may be "
        f"the best, at most by {MOST} labels: five classifiers of {demo.pool.n_instances:,} review sentences, error "
        f"rates {told}. Active: as on the page. Uniform: uniform draws without replacement "
        "(`Session(…, defensive=1.0)`), with the same intervals and verdicts, always valid at 95 %. A verdict says "
        "of two models which is better; a session with any wrong one counts as wrong. The bound is the "
        "upper one of the share of such sessions, by the binomial distribution, one-sided at 95 %.",
        "",
        "| draws | sessions | best known | labels, median | nine in ten by | wrong best | any wrong verdict | bound |",
        "|---|---|---|---|---|---|---|---|",
        row_of("active", [row for row in rows if not row["uniform"]]),
        row_of("uniform", [row for row in rows if row["uniform"]]),
        "",
        f"Of all {n_rows} sessions {wrong} had a wrong verdict: at most {100 * exact_bound(wrong, n_rows):.1f} %, "
        "where 5 % are promised.",
        *paired(rows),
    ]
    (RESULTS / "leaderboard.md").write_text("\n".join(lines) + "\n")


def paired(rows):
    """What is to be said of seeds that have both sessions."""
    by_seed = {}
    for row in rows:
        by_seed.setdefault(row["seed"], {})[row["uniform"]] = row["labels"] or np.inf
    both = [each for each in by_seed.values() if len(each) == 2]
    if not both:
        return []
    fewer = sum(each[False] < each[True] for each in both)
    return [f"Of {len(both)} seeds that have both, the active session took fewer labels in {fewer}."]


def main():
    parser = argparse.ArgumentParser(description="The leaderboard: labels until the best is known; latency.")
    parser.add_argument("what", choices=["sessions", "latency", "report"])
    parser.add_argument("--sessions", type=int, default=60)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--labels", type=int, default=N_LATENCY)
    parser.add_argument("--measure", choices=list(MEASURES))
    options = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    if options.what == "sessions":
        sessions(options.sessions, options.first_seed)
    elif options.what == "latency" and options.measure:
        latency_of(options.measure, options.labels)
    elif options.what == "latency":
        latency(options.labels)
    else:
        report()


if __name__ == "__main__":
    main()
