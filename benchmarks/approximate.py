"""The approximate interval, watched: how often it is shown, how often ever wrong, and how wide."""

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path

import numpy as np
from common import RESULTS
from settings import Setting, digits_pool, load

from activeeval_widgets.stats import (
    ROCAUC,
    AdaptiveConfidenceSequence,
    AveragePrecision,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    MacroF,
    MatthewsCorrelation,
    SquaredError,
    ValuePredictions,
    adaptive_q,
    draw,
    draw_without_replacement,
    estimate_adaptive,
    estimate_trajectory,
    optimal_q,
)

WATCHED = (50, 60, 75, 90, 100, 120, 140, 160, 180, 200, 230, 260, 300, 350, 400)
SHOWN = (100, 200, 400)
N_WIDTHS = 12
"""The number of sessions in which the guaranteed interval is computed as well."""


def cluster(measure):
    """One in twenty is positive, and the model is sure that it is not."""
    rng = np.random.default_rng(11)
    p = rng.beta(0.3, 1.5, 2000)
    y_true = (rng.random(2000) < p).astype(int)
    hidden = rng.random(2000) < 0.05
    p, y_true = np.where(hidden, 0.001, p), np.where(hidden, 1, y_true)
    return Setting(measure, ClassPredictions(np.column_stack([1 - p, p])), y_true)


def values(errors, *, seed=5, with_range=True):
    """Squared errors of values whose variances the model takes for 1."""
    rng = np.random.default_rng(seed)
    mean = 3 * rng.normal(size=2000)
    y_true = mean + errors(rng)
    y_range = (float(y_true.min()), float(y_true.max())) if with_range else None
    return Setting(SquaredError(), ValuePredictions(mean, np.ones(2000)), y_true, y_range)


def rare(measure):
    """One in sixteen is positive, and log odds are three times as large as they should be."""
    rng = np.random.default_rng(8)
    p = rng.beta(0.15, 2.2, 1200)
    y_true = (rng.random(1200) < p).astype(int)
    said = p**3 / (p**3 + (1 - p) ** 3)
    return Setting(measure, ClassPredictions(np.column_stack([1 - said, said])), y_true)


def matthews_over_confident():
    model, y_true = digits_pool(50, 0.01, 9, 8, 9)
    return Setting(MatthewsCorrelation(), model, y_true)


OWN = {
    "rare class, over-confident: F1": partial(rare, FMeasure()),
    "rare class, over-confident: macro-F": partial(rare, MacroF()),
    "rare class, over-confident: Matthews": partial(rare, MatthewsCorrelation()),
    "rare class, over-confident: average precision": partial(rare, AveragePrecision()),
    "rare class, over-confident: ROC AUC": partial(rare, ROCAUC()),
    "Matthews of ten classes, over-confident": matthews_over_confident,
    "Matthews, a cluster of confident errors": partial(cluster, MatthewsCorrelation()),
    "error rate, a cluster of confident errors": partial(cluster, ErrorRate()),
    "squared error, normal": partial(values, lambda rng: rng.normal(size=2000)),
    "squared error, 0.3 % of the errors are 20 larger": partial(
        values, lambda rng: rng.normal(size=2000) + 20 * (rng.random(2000) < 0.003)
    ),
    "squared error, lognormal": partial(values, lambda rng: rng.lognormal(0, 1.5, size=2000)),
    "squared error, Pareto": partial(
        values, lambda rng: rng.pareto(2.2, size=2000) * rng.choice([-1, 1], 2000)
    ),
}

NAMES = (
    "digits F1 of 3 %, calibrated",
    "digits F1 of 3 %, under-confident",
    "digits F1 of 3 %, over-confident",
    "spam F1, probabilities cubed",
    "digits macro-F",
    "rare classes, macro-F",
    "squared error, two modes",
    "squared error, seldom far off",
    *OWN,
)
WITH_REPLACEMENT = ("digits F1 of 3 %, over-confident", "Matthews of ten classes, over-confident")


@cache
def setting_of(name):
    return OWN[name]() if name in OWN else load(name)


def adaptive_session(setting, seed):
    """The draws of a session, as the page makes them; their probabilities, and the distribution of each."""
    rng = np.random.default_rng(seed)
    draws, probabilities, each = np.empty(0, dtype=np.intp), np.empty(0), []
    while len(draws) < WATCHED[-1]:
        q = adaptive_q(setting.measure, setting.predictions, draws, setting.y_true[draws])
        size = 16 if not len(draws) else max(8, len(draws) // 8)
        more, of_more = draw_without_replacement(q, min(size, WATCHED[-1] - len(draws)), rng)
        draws, probabilities = np.concatenate([draws, more]), np.concatenate([probabilities, of_more])
        each += [q] * len(more)
    return draws, probabilities, each


def told(truth, found):
    """Of the estimates at `WATCHED`: whether one is shown, whether it is wrong, and its width."""
    shown = np.array([each.has_approximate for each in found])
    wrong = np.array([not each.approximate_low <= truth <= each.approximate_high for each in found])
    return shown, shown & wrong, np.array([each.approximate_high - each.approximate_low for each in found])


def run(name, seed, protocol, session):
    """One session; the guaranteed interval's widths where they are asked for."""
    setting = setting_of(name)
    if protocol == "papers":
        q = optimal_q(setting.measure, setting.predictions, defensive=0.1)
        draws = draw(q, WATCHED[-1], np.random.default_rng([seed, session]))
        found = estimate_trajectory(
            setting.measure,
            setting.predictions,
            q,
            draws,
            setting.y_true[draws],
            at=WATCHED,
            y_range=setting.y_range,
        )
        return *told(setting.truth, found), None
    draws, probabilities, each = adaptive_session(setting, [seed, session])
    labels = setting.y_true[draws]
    found = estimate_adaptive(
        setting.measure,
        setting.predictions,
        draws,
        probabilities,
        labels,
        at=WATCHED,
        y_range=setting.y_range,
    )
    widths = None
    if session < N_WIDTHS:
        sequence = AdaptiveConfidenceSequence(setting.measure, setting.predictions, y_range=setting.y_range)
        if not sequence.is_asymptotic:
            low, high = sequence.extend(draws, each, labels)
            widths = (high - low)[[n - 1 for n in SHOWN]]
    return *told(setting.truth, found), widths


def row(name, protocol, results):
    shown, wrong, widths = (np.array(part) for part in list(zip(*results, strict=True))[:3])
    guaranteed = [each[3] for each in results if each[3] is not None]
    at = [WATCHED.index(n) for n in SHOWN]
    own = [f"{widths[shown[:, k], k].mean():.3g}" if shown[:, k].any() else "–" for k in at]
    cells = [
        name + (" (papers' protocol)" if protocol == "papers" else ""),
        f"{setting_of(name).truth:.4g}",
        f"{wrong.any(axis=1).mean():.3f} ({wrong.any(axis=1).sum()} of {len(wrong)})",
        f"{shown.any(axis=1).mean():.2f}",
        " / ".join(f"{shown[:, k].mean():.2f}" for k in at),
        " / ".join(own),
        " / ".join(f"{width:.3g}" for width in np.mean(guaranteed, axis=0)) if guaranteed else "–",
    ]
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description="The benchmark of approximate intervals.")
    parser.add_argument("--sessions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--settings", nargs="*", default=NAMES, choices=NAMES)
    arguments = parser.parse_args()
    lines = [
        "# approximate",
        "",
        f"{arguments.sessions} seeded sessions each, nominal level 95 %, watched at "
        f"{', '.join(map(str, WATCHED))} labels, by the conditions under which the page shows the interval. "
        "Ever wrong: the share of sessions in which it was shown and left out the truth at any of them. "
        "Shown: the share of sessions in which "
        f"it ever was, and in which it was at {', '.join(map(str, SHOWN))} labels; its mean width there, and "
        f"the guaranteed interval's, of {N_WIDTHS} sessions. Written by `benchmarks/approximate.py`.",
        "",
        "| setting | truth | ever wrong | ever shown | shown at | its width | guaranteed |",
        "|" + "---|" * 7,
    ]
    asked = [(name, "adaptive") for name in arguments.settings]
    asked += [(name, "papers") for name in WITH_REPLACEMENT if name in arguments.settings]
    with ProcessPoolExecutor(arguments.processes) as pool:
        for name, protocol in asked:
            start = time.perf_counter()
            session = partial(run, name, arguments.seed, protocol)
            results = list(pool.map(session, range(arguments.sessions), chunksize=10))
            lines.append(row(name, protocol, results))
            print(lines[-1], f"{time.perf_counter() - start:.0f} s", flush=True)
    if arguments.settings == NAMES:
        RESULTS.mkdir(exist_ok=True)
        Path(RESULTS / "approximate.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
