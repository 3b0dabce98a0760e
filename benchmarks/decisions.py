"""Labels until a decision, and wrong ones, where the test is repeated after every draw (T, Table 5.1)."""

import argparse

import numpy as np
import regression
from common import RESULTS, data_folder
from scipy.stats import beta
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ErrorRate,
    Recall,
    adaptive_q,
    decide,
    draw,
    draw_without_replacement,
    draws_for_power,
    optimal_q,
    pool_value,
    uniform_q,
)
from activeeval_widgets.stats.anytime.bets import Bets
from activeeval_widgets.stats.anytime.estimating_equation import EstimatingEquation
from activeeval_widgets.stats.questions.make import target_of

LEVEL = 0.95
N_DRAWS = 800
FIRST = 20
"""Wald's test is not made before this draw."""

BLOCK = 20
"""The number of labels after which adaptive draws learn anew."""


def make_settings(data):
    x, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(1797)
    rest = order[100:]

    def digits(n_train):
        model = LogisticRegression(C=0.01, max_iter=1000).fit(x[order[:n_train]], y[order[:n_train]])
        return ClassPredictions(model.predict_proba(x[rest]))

    yield "digits: error rate below 0.13?", ErrorRate(), [digits(100)], y[rest], 0.13, None
    yield "digits: trained on 100 or 70?", ErrorRate(), [digits(100), digits(70)], y[rest], 0.0, None

    x, y = load_breast_cancer(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    train, rest = order[:60], order[60:]
    scaled = StandardScaler().fit(x[train]).transform(x)
    logistic = LogisticRegression(C=0.05).fit(scaled[train], y[train])
    model = ClassPredictions(logistic.predict_proba(scaled[rest]))
    yield "breast cancer: recall above 0.8?", Recall(positive=0), [model], y[rest], 0.8, None

    # The papers' pair, as `regression.py` has it.
    settings = regression.make_settings(data, np.random.default_rng(1))
    pair = next(s for s in settings if s.name == "Abalone, process against ridge")
    yield "Abalone: process or ridge?", pair.measure, pair.predictions, pair.y_true, 0.0, (0.0, 30.0)


def first_true(decided):
    """At which draw each session first decides, from 1; 0 where it never does."""
    return np.where(decided.any(axis=1), decided.argmax(axis=1) + 1, 0)


def wald(target, z, weights, value):
    """When the Wald test first rejects, and on which side; z (sessions, draws, statistics)."""
    rows = np.concatenate([weights[..., np.newaxis], weights[..., np.newaxis] * z], axis=-1)
    total = rows.cumsum(axis=1)
    squares = np.einsum("rni,rnj->rnij", rows, rows).cumsum(axis=1)
    mean = total[..., 1:] / total[..., :1]
    with np.errstate(invalid="ignore", divide="ignore"):
        estimate, gradient = target.g(mean), target.gradient(mean)
        center = -np.einsum("rni,rni->rn", gradient, mean)
        combined = np.concatenate([center[..., np.newaxis], gradient], axis=-1)
        square = np.einsum("rni,rnij,rnj->rn", combined, squares, combined)
        size = np.einsum("rni,rnij,rnj->rn", np.abs(combined), squares, np.abs(combined))
        statistic = (estimate - value) / (np.sqrt(np.maximum(square, 0)) / total[..., 0])
    # Where no draw deviates there is no statistic, and no decision.
    decided = (np.abs(statistic) > 1.959964) & (square > 1e-12 * size)
    decided[:, : FIRST - 1] = False
    at = first_true(decided)
    return at, np.sign(statistic[np.arange(len(at)), np.maximum(at, 1) - 1])


def bets(target, q, y_range, z, draws, value):
    """When bets on both sides of a value first have 1/α, and which side won."""
    equation = EstimatingEquation(target, q, y_range)
    n_sessions = len(draws)
    lower, upper = (np.repeat(bound, n_sessions, axis=1) for bound in equation.bounds(np.array([value])))
    sides = [
        Bets(np.full((n_sessions, 1), value), lower, upper, equation.promised, LEVEL, (side,))
        for side in (1.0, -1.0)
    ]
    everything = equation.terms(z, np.arange(len(z)))
    at, sign = np.zeros(n_sessions, dtype=int), np.zeros(n_sessions)
    for n in range(draws.shape[1]):
        terms = everything[draws[:, n]].T
        for bettor, side in zip(sides, (1.0, -1.0), strict=True):
            bettor.update(terms)
            new = (at == 0) & (bettor.at_points()[:, 0] >= 2 / (1 - LEVEL))
            at[new], sign[new] = n + 1, side
    return at, sign


def adaptive(measure, predictions, labels, y_range, values, n_sessions, rng):
    """The same by the adaptive confidence sequence: when it leaves each of several values out."""
    found = [([], []) for _ in values]
    sequence = AdaptiveConfidenceSequence(measure, predictions, confidence_level=LEVEL, y_range=y_range)
    for _ in range(n_sessions):
        sequence.restart()
        drawn, sides = [], [None] * len(values)
        at = [0] * len(values)
        while len(drawn) < min(N_DRAWS, len(labels)) and not all(sides):
            q = adaptive_q(measure, predictions, drawn, labels[drawn])
            new, _ = draw_without_replacement(q, min(BLOCK, len(labels) - len(drawn)), rng)
            for instance in new:
                low, high = sequence.update(int(instance), q, labels[instance])
                drawn.append(int(instance))
                for k, value in enumerate(values):
                    if sides[k] is None:
                        # With the whole pool labeled the interval is a point, but for its rounding.
                        sides[k] = decide(low - 1e-9, high + 1e-9, value)
                        at[k] = len(drawn) if sides[k] else 0
        for k, side in enumerate(sides):
            found[k][0].append(at[k])
            found[k][1].append({"above": 1.0, "below": -1.0, None: 0.0}[side])
    return [(np.array(at), np.array(sign)) for at, sign in found]


def n_labels(draws, at):
    """How many labels were given until then, each instance's counted once."""
    return np.array(
        [np.unique(drawn[: n or len(drawn)]).size for drawn, n in zip(draws, at, strict=True)], float
    )


def exact(count, n):
    """The exact binomial interval of a share at 95 %."""
    low = beta.ppf(0.025, count, n - count + 1) if count else 0.0
    high = beta.ppf(0.975, count + 1, n - count) if count < n else 1.0
    return f"{count / n:.3f} ({low:.3f}–{high:.3f})"


def row(name, at, sign, labels, null_at, right):
    right_share = np.mean((at > 0) & (sign == right))
    wrong = int(np.sum((at > 0) & (sign == -right)))
    cells = [
        name,
        f"{labels.mean():.0f}",
        f"{right_share:.3f}",
        exact(wrong, len(at)),
        exact(int(np.sum(null_at > 0)), len(null_at)),
    ]
    return "| " + " | ".join(cells) + " |"


def setting(name, measure, models, labels, value, y_range, arguments):
    target = target_of(measure, models)
    n_instances = len(labels)
    predictions = models if len(models) == 2 else models[0]
    values = [pool_value(measure, model, labels) for model in models]
    truth = values[0] if len(values) == 1 else values[0] - values[1]
    right = 1.0 if truth > value else -1.0
    z = target.statistics(labels, np.arange(n_instances))
    lines = [
        "",
        f"## {name}",
        "",
        f"Pool of {n_instances}, true value {truth:.4g}, held against {value:g}.",
        "",
        "| method | labels | decided rightly | decided wrongly | rejects the truth |",
        "|---|---|---|---|---|",
    ]
    designs = {
        "passive": uniform_q(n_instances),
        "q*, ε = 0.1": optimal_q(measure, predictions, defensive=0.1),
    }
    for design, q in designs.items():
        rng = np.random.default_rng(arguments.seed)
        draws = draw(q, arguments.sessions * N_DRAWS, rng).reshape(-1, N_DRAWS)
        weights = 1 / (n_instances * q)
        parts = [
            [wald(target, z[some], weights[some], against) for against in (value, truth)]
            for some in np.array_split(draws, max(1, len(draws) // 50))
        ]
        (at, sign), (null_at, _) = (
            tuple(np.concatenate(each) for each in zip(*(part[k] for part in parts), strict=True))
            for k in range(2)
        )
        lines.append(row(f"{design}: Wald after every draw", at, sign, n_labels(draws, at), null_at, right))
        at, sign = bets(target, q, y_range, z, draws, value)
        null_at, _ = bets(target, q, y_range, z, draws, truth)
        lines.append(row(f"{design}: bets after every draw", at, sign, n_labels(draws, at), null_at, right))
        # Wald once, at the n that has power 0.95: known only to who knows the truth and σ.
        mean = z.mean(axis=0)
        influence = (z - mean) @ target.gradient(mean)
        deviation = np.sqrt((weights * influence**2).mean())
        once = draws_for_power(truth - value, deviation, power=0.95)
        met = float((1 - (1 - q) ** once).sum())
        lines.append(f"| {design}: Wald once, n known from the truth | {met:.0f} | 0.950 | | 0.050 |")
    rng = np.random.default_rng(arguments.seed)
    (at, sign), (null_at, _) = adaptive(
        measure, predictions, labels, y_range, (value, truth), arguments.adaptive_sessions, rng
    )
    spent = np.where(at > 0, at, min(N_DRAWS, n_instances)).astype(float)
    lines.append(
        row(f"adaptive: sequence after every label ({len(at)} sessions)", at, sign, spent, null_at, right)
    )
    return lines


def main():
    parser = argparse.ArgumentParser(description="The benchmark of decisions.")
    parser.add_argument("--data", help="the folder of the data (default: ACTIVEEVAL_DATA or ../shared/data)")
    parser.add_argument("--sessions", type=int, default=2000)
    parser.add_argument("--adaptive-sessions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    lines = [
        "# decisions",
        "",
        f"The protocol of T, Table 5.1: after every draw a two-sided test at 5 %, until it rejects or "
        f"{N_DRAWS} draws are made; {arguments.sessions} seeded sessions. Labels: mean until the decision, "
        "or all of the session's where there is none. Decided rightly, wrongly: the share of sessions that "
        "put it on the right, the wrong side. Rejects the truth: the share of sessions in which the same "
        "test, held against the true value instead, ever rejects it: the type I error under optional "
        "stopping, nominally 5 %. In brackets exact 95 % intervals. Wald is tested from draw "
        f"{FIRST} on. “Wald once” is no procedure but a yardstick: its n has power 0.95 and needs the truth "
        f"and σ. Adaptive draws are without replacement; q learns every {BLOCK} labels. Written by "
        "`benchmarks/decisions.py`.",
    ]
    for each in make_settings(data_folder(arguments.data)):
        new = setting(*each, arguments)
        print("\n".join(new), flush=True)
        lines += new
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "decisions.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
