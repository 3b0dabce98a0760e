"""Which protocol should be the default: adaptive draws and others, by models that are right and wrong."""

import argparse
import time

import numpy as np
from common import RESULTS, sharpened
from scipy.special import ndtri
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    adaptive_q,
    draw,
    draw_without_replacement,
    estimate_adaptive,
    estimate_trajectory,
    optimal_q,
    pool_value,
    uniform_q,
)

LEVEL = 0.95
N_LABELS = 400
BLOCK = 10
AT = (50, 100, 200, 400)
WATCHED_FROM = 20


def digits_pool(n_train, strength, seed, power, rare):
    """A logistic regression learned from few digits, and a pool in which one digit makes up 3 %."""
    x, y = load_digits(return_X_y=True)
    order = np.random.default_rng(seed).permutation(len(y))
    train, rest = order[:n_train], order[n_train:]
    positives, others = rest[y[rest] == rare], rest[y[rest] != rare]
    pool = np.sort(np.concatenate([others, positives[: round(len(others) * 3 / 97)]]))
    model = LogisticRegression(C=strength, max_iter=3000).fit(x[train], y[train])
    return ClassPredictions(sharpened(model.predict_proba(x[pool]), power)), y[pool]


def four_columns():
    """Error rate and F₁ of a rare class, by a calibrated and by an over-confident model."""
    calibrated, truth = digits_pool(100, 0.1, 0, 1, 8)
    confident, other_truth = digits_pool(50, 0.01, 9, 8, 9)
    return {
        "error rate, calibrated": (ErrorRate(), calibrated, truth),
        "F1 of 3 %, calibrated": (FMeasure(positive=8), calibrated, truth),
        "error rate, over-confident": (ErrorRate(), confident, other_truth),
        "F1 of 3 %, over-confident": (FMeasure(positive=9), confident, other_truth),
    }


def distinct_prefix(draws, n_labels):
    """How many of the draws it takes to see so many different instances."""
    first = np.zeros(len(draws), dtype=bool)
    first[np.unique(draws, return_index=True)[1]] = True
    return int(np.searchsorted(first.cumsum(), n_labels)) + 1


def independent(measure, model, truth, q, estimator):
    """A session of draws with replacement until `N_LABELS` are labeled: results at `AT` labels."""

    def session(rng):
        draws = draw(q, 40 * N_LABELS, rng)
        counts = [distinct_prefix(draws, n) for n in AT]
        counts = [min(n, len(draws)) for n in counts]
        draws = draws[: counts[-1]]
        return estimate_trajectory(measure, model, q, draws, truth[draws], at=counts, estimator=estimator)

    return session


def adaptive_draws(measure, model, truth, rng, n_labels=N_LABELS, block=BLOCK):
    """The draws of a session, their probabilities, and the distribution of each block."""
    draws, probabilities, blocks = np.empty(0, dtype=np.intp), np.empty(0), []
    while len(draws) < n_labels:
        q = adaptive_q(measure, model, draws, truth[draws])
        more, of_more = draw_without_replacement(q, min(block, n_labels - len(draws)), rng)
        draws, probabilities = np.concatenate([draws, more]), np.concatenate([probabilities, of_more])
        blocks += [q] * len(more)
    return draws, probabilities, blocks


def adaptive(measure, model, truth, n_labels=N_LABELS, at=AT):
    def session(rng):
        draws, probabilities, _ = adaptive_draws(measure, model, truth, rng, n_labels)
        return estimate_adaptive(measure, model, draws, probabilities, truth[draws], at=at)

    return session


def uniform_without_replacement(measure, model, truth):
    """Uniform draws without replacement with the adaptive estimator."""

    def session(rng):
        draws = rng.permutation(len(truth))[:N_LABELS]
        probabilities = 1 / (len(truth) - np.arange(N_LABELS))
        return estimate_adaptive(measure, model, draws, probabilities, truth[draws], at=AT)

    return session


def methods_of(measure, model, truth):
    size = len(truth)
    papers = optimal_q(measure, model)
    own = optimal_q(measure, model, estimator="difference", defensive=0.1)
    return {
        "passive": independent(measure, model, truth, uniform_q(size), "self_normalized"),
        "papers' q*, self-normalized": independent(measure, model, truth, papers, "self_normalized"),
        "difference, papers' q*, ε = 0.1": independent(
            measure, model, truth, optimal_q(measure, model, defensive=0.1), "difference"
        ),
        "difference, its own q, ε = 0.1": independent(measure, model, truth, own, "difference"),
        "uniform draws, adaptive estimator": uniform_without_replacement(measure, model, truth),
        "**adaptive**": adaptive(measure, model, truth),
    }


def replicated(session, truth, n_sessions, seed):
    """Root mean square errors and shares of intervals that hold, one for each of `AT`."""
    rng = np.random.default_rng(seed)
    errors, holds = [], []
    for _ in range(n_sessions):
        results = session(rng)
        # Not defined yet: as wrong as can be.
        errors.append([1.0 if np.isnan(r.value) else r.value - truth for r in results])
        holds.append([r.low <= truth <= r.high for r in results])
    return np.sqrt((np.array(errors) ** 2).mean(axis=0)), np.array(holds).mean(axis=0)


def table_of_columns(n_sessions, seed):
    columns = four_columns()
    rows = {}
    values = []
    for name, (measure, model, truth) in columns.items():
        value = pool_value(measure, model, truth)
        values.append(value)
        for method, session in methods_of(measure, model, truth).items():
            start = time.perf_counter()
            rows.setdefault(method, []).append(replicated(session, value, n_sessions, seed))
            print(name, method, rows[method][-1], f"{time.perf_counter() - start:.0f} s", flush=True)
    header = [f"{name} ({value:.3f})" for name, value in zip(columns, values, strict=True)]
    lines = [
        "# defaults",
        "",
        f"Pools of about 1,600 digits, {n_sessions} seeded sessions each. "
        "Written by `benchmarks/defaults.py`.",
        "",
        "## Root mean square error at 200 different labels",
        "",
        "| method | " + " | ".join(header) + " |",
        "|" + "---|" * (len(header) + 1),
    ]
    lines += [
        f"| {method} | " + " | ".join(f"{error[2]:.4f}" for error, _ in cells) + " |"
        for method, cells in rows.items()
    ]
    lines += [
        "",
        "## The same at 100 / 400 labels",
        "",
        "| method | " + " | ".join(columns) + " |",
        "|" + "---|" * (len(header) + 1),
    ]
    lines += [
        f"| {method} | " + " | ".join(f"{error[1]:.4f} / {error[3]:.4f}" for error, _ in cells) + " |"
        for method, cells in rows.items()
    ]
    lines += [
        "",
        "## Coverage of the 95 % Wald interval at 50 / 100 / 200 labels",
        "",
        "| method | " + " | ".join(columns) + " |",
        "|" + "---|" * (len(header) + 1),
    ]
    lines += [
        f"| {method} | "
        + " | ".join("/".join(f"{hold:.2f}" for hold in holds[:3]) for _, holds in cells)
        + " |"
        for method, cells in rows.items()
    ]
    return lines


def ever_missed(measure, model, truth, n_sessions, seed, n_labels):
    """The share of sessions whose confidence sequence ever leaves out the truth, and its mean widths."""
    value = pool_value(measure, model, truth)
    watched = AdaptiveConfidenceSequence(measure, model, confidence_level=LEVEL)
    whole = AdaptiveConfidenceSequence(measure, model, confidence_level=LEVEL)
    # The candidates around the truth alone: the session in which they are excluded is missed.
    watched._band.watch(value + 1e-9 * np.linspace(-1, 1, 17))
    missed, widths, wald_missed = 0, [], 0
    rng = np.random.default_rng(seed)
    at = np.arange(WATCHED_FROM, n_labels + 1, 5)
    for session in range(n_sessions):
        draws, probabilities, blocks = adaptive_draws(measure, model, truth, rng, n_labels)
        watched.restart()
        for i, q in zip(draws, blocks, strict=True):
            watched.update(int(i), q, truth[i])
            if watched._band._bets.in_cells().min() >= 1 / (1 - LEVEL):
                missed += 1
                break
        if session < max(10, n_sessions // 10):
            results = estimate_adaptive(measure, model, draws, probabilities, truth[draws], at=at)
            half = ndtri(1 - (1 - LEVEL) / 2)
            wald_missed += any(abs(r.value - value) > half * r.standard_error for r in results)
        if session < max(5, n_sessions // 40):
            whole.restart()
            low, high = whole.extend(draws, blocks, truth[draws])
            widths.append([high[n - 1] - low[n - 1] for n in (100, 200, 400) if n <= n_labels])
    return missed, n_sessions, wald_missed / max(10, n_sessions // 10), np.mean(widths, axis=0)


def table_of_watching(n_sessions, seed):
    lines = [
        "",
        "## Watched at every label",
        "",
        "Ever missed: the share of sessions in which the truth was outside at any label, from 1 to "
        f"{N_LABELS} for the adaptive confidence sequence; from {WATCHED_FROM} on, at every fifth label, for "
        "the adaptive Wald interval, in a tenth of the sessions. Width: of the confidence sequence at "
        "100 / 200 / 400 labels.",
        "",
        "| setting | sequence ever missed | Wald ever missed | width |",
        "|---|---|---|---|",
    ]
    for name, (measure, model, truth) in four_columns().items():
        start = time.perf_counter()
        missed, n, wald, widths = ever_missed(measure, model, truth, n_sessions, seed, N_LABELS)
        shown = " / ".join(f"{width:.3f}" for width in widths)
        lines.append(f"| {name} | {missed / n:.3f} ({missed} of {n}) | {wald:.2f} | {shown} |")
        print(lines[-1], f"{time.perf_counter() - start:.0f} s", flush=True)
    return lines


def main():
    parser = argparse.ArgumentParser(description="The benchmark behind the default protocol.")
    parser.add_argument("--sessions", type=int, default=300)
    parser.add_argument("--watched-sessions", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    lines = table_of_columns(arguments.sessions, arguments.seed)
    lines += table_of_watching(arguments.watched_sessions, arguments.seed)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "defaults.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
