"""Whether the demos' goals can be reached: whole sessions, labeled by the true labels.

    OMP_NUM_THREADS=1 python benchmarks/demo_goals.py [--sessions 120] [--demos NAME …]

Writes results/demo_goals.md; of some demos, prints their rows.
"""

import argparse
import time
from itertools import combinations

import numpy as np
from common import RESULTS

from activeeval_widgets.demos import DEMOS
from activeeval_widgets.session import Session, WatchedInterval
from activeeval_widgets.session.report.result import uniform_labels
from activeeval_widgets.stats import decide, pool_value
from activeeval_widgets.stats.questions.question import at_once

LEVEL = 0.9
N_REPEATED = 300


def labeled(demo, seed, most=None):
    """A session of a demo, labeled as far as its budget goes, or with `n_labels` labels."""
    session = Session(
        demo.pool, demo.measure, budget=demo.budget, seed=seed, y_range=demo.y_range, goal=demo.goal
    )
    while session.n_labels != most and (asked := session.next()) is not None:
        session.label(demo.y_true[asked.index])
    return session


def truth_of(demo):
    values = [pool_value(demo.measure, model, demo.y_true) for model in demo.pool.models]
    if len(values) > 2:
        return max(values) if demo.measure.greater_is_better else min(values)
    return values[0] if len(values) == 1 else values[0] - values[1]


def is_reached(goal, low, high):
    """Whether an interval reaches a goal."""
    if goal.threshold is not None:
        return decide(low, high, goal.threshold) is not None
    return (high - low) / 2 <= goal.half_width


def reached(demo, session):
    """Whether the goal is reached, after each number of labels."""
    numbers = np.arange(session.n_labels + 1)
    if len(session.models) > 2:
        known = known_at(verdicts(session), len(session.models))
        return [known is not None and n >= known[0] for n in numbers]
    low, high = WatchedInterval(session.findings).at(numbers)
    return [is_reached(demo.goal, *ends) for ends in zip(low, high, strict=True)]


def verdicts(session, confidence_level=0.95):
    """After how many labels each pair is decided by error rates, and which is worse: {(i, j): (n, worse)}."""
    n_models = len(session.models)
    level = at_once(confidence_level, n_models - 1)
    found = {}
    for i, j in combinations(range(n_models), 2):
        watched = session.of(i, j).watched(confidence_level=level)
        low, high = watched.at(np.arange(session.n_labels + 1))
        decided = (low > 0) | (high < 0)
        if decided.any():
            n = int(decided.argmax())
            found[i, j] = n, (i if low[n] > 0 else j)
    return found


def known_at(found, n_models):
    """After how many labels only one model is left, and which; None where several are."""
    out_at = {
        k: min((n for n, worse in found.values() if worse == k), default=np.inf) for k in range(n_models)
    }
    left = [k for k, n in out_at.items() if n == np.inf]
    return (max(n for n in out_at.values() if n < np.inf), left[0]) if len(left) == 1 else None


def simulate(demo, n_sessions):
    """What the sessions say of one demo: a row of the table."""
    truth = truth_of(demo)
    first, at_end, held, widths, values, uniform = [], [], [], [], [], []
    for seed in range(n_sessions):
        session = labeled(demo, seed)
        low, high = WatchedInterval(session.findings.leader()).at(np.arange(session.n_labels + 1))
        is_there = reached(demo, session)
        first.append(is_there.index(True) if any(is_there) else np.inf)
        at_end.append(is_there[-1])
        held.append(bool(np.all((low <= truth) & (truth <= high))))
        widths.append((high[-1] - low[-1]) / 2)
        values.append(session.estimate().value)
        uniform.append(uniform_labels(session.findings.leader()) or np.nan)
    error = np.sqrt(np.mean((np.array(values) - truth) ** 2))
    return {
        "goal": repr(demo.goal),
        "true value": f"{truth:.4f}",
        "budget": f"{demo.budget}",
        "reached": f"{100 * np.mean(np.isfinite(first)):.1f} %",
        "at the end": f"{100 * np.mean(at_end):.1f} %",
        "labels, median": f"{np.quantile(first, 0.5, method='higher'):g}",
        "nine in ten by": f"{np.quantile(first, LEVEL, method='higher'):g}",
        "half-width at the end": f"{np.median(widths):.3f}",
        "truth never outside": f"{100 * np.mean(held):.1f} %",
        "said of uniform draws": _told(uniform),
        "in truth": f"{uniform_in_truth(demo, error):.0f}",
    }


def _told(uniform):
    known = np.array(uniform)[np.isfinite(uniform)]
    if not known.size:
        return "–"
    low, middle, high = np.quantile(known, [0.1, 0.5, 0.9])
    return f"{middle:.0f} ({low:.0f} to {high:.0f})"


def uniform_in_truth(demo, error):
    """How many uniform draws without replacement have this root mean square error."""
    rng = np.random.default_rng(0)
    models = list(demo.pool.models)
    if len(models) > 2:
        models = [min(models, key=lambda each: pool_value(demo.measure, each, demo.y_true))]
    size = demo.pool.n_instances
    truth = truth_of(demo)

    def error_of(n):
        errors = []
        for _ in range(N_REPEATED):
            draws = rng.permutation(size)[:n]
            labels = [demo.y_true[i] for i in draws]
            found = estimate_uniformly(demo.measure, models, size, draws, labels)
            errors.append(found - truth)
        return np.sqrt(np.nanmean(np.square(errors)))

    low, high = 2, size
    while high - low > max(1, low // 50):
        middle = (low + high) // 2
        low, high = (middle, high) if error_of(middle) > error else (low, middle)
    return high


def estimate_uniformly(measure, models, size, draws, labels):
    """The plain average over uniform draws."""
    from activeeval_widgets.stats import estimate, uniform_q

    predictions = models if len(models) == 2 else models[0]
    return estimate(measure, predictions, uniform_q(size), draws, labels).value


def main():
    parser = argparse.ArgumentParser(description="Whether the demos' goals can be reached.")
    parser.add_argument("--sessions", type=int, default=120, help="as many as the other rows have")
    parser.add_argument("--demos", nargs="+", choices=DEMOS, default=list(DEMOS))
    options = parser.parse_args()
    rows = {}
    for name in options.demos:
        start = time.perf_counter()
        rows[name] = simulate(DEMOS[name](), options.sessions)
        print(name, rows[name], f"{time.perf_counter() - start:.0f} s", flush=True)
    table = RESULTS / "demo_goals.md"
    lines = {name: "| " + " | ".join([name, *row.values()]) + " |" for name, row in rows.items()}
    if len(rows) < len(DEMOS):
        before = table.read_text().splitlines()
        lines = {line.split(" | ")[0][2:]: line for line in before if line.startswith("| ")} | lines
    head = ["demo", *next(iter(rows.values()))]
    text = [
        "# The demos' goals",
        "",
        f"{options.sessions} sessions of each demo (seeds 0, 1, …), labeled by the true labels up to the "
        "budget. “reached”: at some number of labels; “at the end”: by the last one, when the page says that "
        "all are given. “said of uniform draws”: what a result says that uniform draws would have needed for "
        "the same standard error, median and 80 % range; “in truth”: at how many uniform draws the root mean "
        "square error is that of the sessions' last estimates. Of the five models of `leaderboard` what is "
        "told is of the best one so far; its goal is reached once one is known to be the best.",
        "",
        "| " + " | ".join(head) + " |",
        "|" + "---|" * len(head),
        *(lines[name] for name in DEMOS),
    ]
    table.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
