"""Draws by the papers' protocol, watched at every draw: how often intervals are wrong, and how wide they are.

A part of `watched.py`, which writes its table.
"""

import time

import numpy as np
from common import sharpened
from scipy.special import ndtri
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits
from sklearn.linear_model import BayesianRidge, LogisticRegression
from sklearn.preprocessing import StandardScaler

from activeeval_widgets.stats import (
    ClassPredictions,
    ConfidenceSequence,
    ErrorRate,
    FMeasure,
    MatthewsCorrelation,
    Recall,
    SquaredError,
    ValuePredictions,
    draw,
    estimate_trajectory,
    optimal_q,
    pool_value,
    uniform_q,
)
from activeeval_widgets.stats.anytime.asymptotic import AsymptoticSequence
from activeeval_widgets.stats.anytime.bets import Bets
from activeeval_widgets.stats.anytime.deadlines import deadlines_of
from activeeval_widgets.stats.anytime.estimating_equation import EstimatingEquation
from activeeval_widgets.stats.questions.make import target_of

LEVEL = 0.95
N_DRAWS = 800
WATCHED_FROM = 20
"""Wald is not held against itself before this draw; the confidence sequence is watched from the first."""

SHOWN = (100, 400, 800)


def make_settings():
    x, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(1797)
    train, rest = order[:100], order[100:]
    weak = LogisticRegression(C=0.01, max_iter=1000).fit(x[train], y[train])
    model, truth = ClassPredictions(weak.predict_proba(x[rest])), y[rest]
    strong = LogisticRegression(C=1.0, max_iter=3000).fit(x[train], y[train])
    second = ClassPredictions(strong.predict_proba(x[rest]))
    sure = ClassPredictions(sharpened(model.y_proba, 8))
    error = ErrorRate()
    yield "digits, error rate, passive", error, [model], truth, uniform_q(len(truth)), None
    yield "digits, error rate, q*", error, [model], truth, optimal_q(error, model), None
    q = optimal_q(error, sure, defensive=0.1)
    yield "digits, over-confident, q*, ε = 0.1", error, [sure], truth, q, None
    q = optimal_q(error, [model, second], defensive=0.1)
    yield "digits, two models, q*, ε = 0.1", error, [model, second], truth, q, None
    q = optimal_q(FMeasure(positive=8), model, defensive=0.1)
    yield "digits, F1 of the eights, q*, ε = 0.1", FMeasure(positive=8), [model], truth, q, None
    q = optimal_q(MatthewsCorrelation(), model, defensive=0.1)
    yield "digits, Matthews (asymptotic), q*, ε = 0.1", MatthewsCorrelation(), [model], truth, q, None

    x, y = load_breast_cancer(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    train, rest = order[:60], order[60:]
    scaled = StandardScaler().fit(x[train]).transform(x)
    logistic = LogisticRegression(C=0.05).fit(scaled[train], y[train])
    model = ClassPredictions(logistic.predict_proba(scaled[rest]))
    malignant = Recall(positive=0)
    q = optimal_q(malignant, model, defensive=0.1)
    yield "breast cancer, recall of malignant, q*, ε = 0.1", malignant, [model], y[rest], q, None

    rng = np.random.default_rng(1)
    p = rng.beta(0.1, 3.5, 2000)
    rare = ClassPredictions(np.column_stack([1 - p, p]), y_pred=(p > 0.3).astype(int))
    positive = (rng.random(2000) < p).astype(int)
    q = optimal_q(Recall(), rare, defensive=0.1)
    yield "3 % positives (synthetic), recall, q*, ε = 0.1", Recall(), [rare], positive, q, None

    x, y = load_diabetes(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    train, rest = order[:60], order[60:]
    mean, deviation = BayesianRidge().fit(x[train], y[train]).predict(x[rest], return_std=True)
    values = ValuePredictions(mean, variance=deviation**2)
    q = optimal_q(SquaredError(), values, defensive=0.1)
    yield "diabetes, squared error, q*, ε = 0.1", SquaredError(), [values], y[rest], q, (0.0, 400.0)


def ever_wrong_wald(target, z, weights, truth):
    """Whether the Wald interval leaves out the truth at any n watched; z (sessions, draws, statistics)."""
    share = np.concatenate([weights[..., np.newaxis], weights[..., np.newaxis] * z], axis=-1)
    total = share.cumsum(axis=1)
    squares = np.einsum("rni,rnj->rnij", share, share).cumsum(axis=1)
    mean = total[..., 1:] / total[..., :1]
    value, gradient = target.g(mean), target.gradient(mean)
    center = -np.einsum("rni,rni->rn", gradient, mean)
    combined = np.concatenate([center[..., np.newaxis], gradient], axis=-1)
    square = np.einsum("rni,rnij,rnj->rn", combined, squares, combined)
    size = np.einsum("rni,rnij,rnj->rn", np.abs(combined), squares, np.abs(combined))
    error = np.sqrt(np.maximum(square, 0)) / total[..., 0]
    # Where no draw deviates, `estimate` does not use Wald's.
    outside = (np.abs(value - truth) > ndtri(1 - (1 - LEVEL) / 2) * error) & (square > 1e-12 * size)
    return outside[:, WATCHED_FROM - 1 :].any(axis=1), outside[:, [n - 1 for n in SHOWN]].mean(axis=0)


def ever_wrong_bets(sequence, target, q, y_range, z, draws, truth):
    """Whether the truth's cell is ever excluded: an upper bound of how often the interval leaves it out."""
    grid = sequence._band._grid
    block = 16 * min(int(np.searchsorted(grid, truth)) // 16, 127)
    points = grid[block : block + 17]
    cell = max(int(np.searchsorted(points, truth)) - 1, 0)
    equation = EstimatingEquation(target, q, y_range)
    lower, upper = equation.bounds(points)
    n_sessions = len(draws)
    bets = Bets(
        np.tile(points, (n_sessions, 1)),
        np.repeat(lower.min(axis=1, keepdims=True), n_sessions, axis=1),
        np.repeat(upper.max(axis=1, keepdims=True), n_sessions, axis=1),
        equation.promised,
        LEVEL,
        deadlines=deadlines_of(),
    )
    everything = equation.terms(z, np.arange(len(z)))
    wrong = np.zeros(n_sessions, dtype=bool)
    for n in range(draws.shape[1]):
        bets.update(everything[draws[:, n]].T)
        wrong |= bets.in_cells()[:, cell] >= 1 / (1 - LEVEL)
    return wrong


def ever_wrong_asymptotic(target, q, z, draws, truth):
    sums = AsymptoticSequence(target, q)
    wrong = np.zeros(len(draws), dtype=bool)
    for session, drawn in enumerate(draws):
        sums.restart()
        for row in sums.rows(z[drawn], drawn):
            sums.update(row)
            low, high = sums.interval(LEVEL)
            if not low <= truth <= high:
                wrong[session] = True
                break
    return wrong


def widths(sequence, measure, models, q, labels, draws):
    own, wald, seconds = np.zeros(3), np.zeros(3), 0.0
    predictions = models if len(models) == 2 else models[0]
    at = [n - 1 for n in SHOWN]
    for drawn in draws:
        sequence.restart()
        start = time.perf_counter()
        low, high = sequence.extend(drawn, labels[drawn])
        seconds += time.perf_counter() - start
        own += (high - low)[at]
        results = estimate_trajectory(measure, predictions, q, drawn, labels[drawn], at=SHOWN)
        wald += [result.high - result.low for result in results]
    return own / len(draws), own / wald, 1000 * seconds / draws.size


def table(n_sessions, seed, n_widths=40):
    """The part of results/watched.md, line by line."""
    lines = [
        "## The papers' protocol",
        "",
        f"{n_sessions} seeded sessions each. Ever wrong: the share of sessions in which the truth was "
        f"outside at any draw, for Wald from {WATCHED_FROM} to {N_DRAWS}, for the confidence sequence from 1 "
        f"to {N_DRAWS}. Wald's at one n: the share outside at {SHOWN[0]} and {SHOWN[-1]} draws. Widths: mean "
        f"over {n_widths} sessions at {SHOWN} draws; the ratio is to the Wald interval of the self-normalized"
        " estimate at the same n. The interval of the Matthews correlation is asymptotic, and withheld while "
        "few labels carry the uncertainty: here it counts as wrong where it is not shown, too.",
        "",
        "| setting | truth | Wald ever wrong | Wald wrong at 100 / 800 | sequence ever wrong | "
        "width | ratio to Wald | ms per label |",
        "|" + "---|" * 8,
    ]
    for name, measure, models, labels, q, y_range in make_settings():
        target = target_of(measure, models)
        values = [pool_value(measure, model, labels) for model in models]
        truth = values[0] if len(values) == 1 else values[0] - values[1]
        z = target.statistics(labels, np.arange(q.size))
        rng = np.random.default_rng(seed)
        draws = draw(q, n_sessions * N_DRAWS, rng).reshape(n_sessions, N_DRAWS)
        wald = np.zeros(n_sessions, dtype=bool)
        fixed = np.zeros(3)
        step = 50 if z.shape[1] < 8 else 10
        for start in range(0, n_sessions, step):
            some = draws[start : start + step]
            wald[start : start + step], at = ever_wrong_wald(target, z[some], 1 / (q.size * q[some]), truth)
            fixed += at * len(some) / n_sessions
        sequence = ConfidenceSequence(measure, models, q, confidence_level=LEVEL, y_range=y_range)
        if sequence.is_asymptotic:
            wrong = ever_wrong_asymptotic(target, q, z, draws, truth)
        else:
            wrong = ever_wrong_bets(sequence, target, q, y_range, z, draws, truth)
        own, ratio, milliseconds = widths(sequence, measure, models, q, labels, draws[:n_widths])
        cells = [
            name,
            f"{truth:.4g}",
            f"{wald.mean():.3f}",
            f"{fixed[0]:.3f} / {fixed[-1]:.3f}",
            f"{wrong.mean():.4f} ({wrong.sum()} of {wrong.size})",
            " / ".join(f"{width:.3g}" for width in own),
            " / ".join(f"{each:.2f}" for each in ratio),
            f"{milliseconds:.2f}",
        ]
        lines.append("| " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    return lines
