"""Intervals that may be watched: how wide they are, and how often they are ever wrong.

    python benchmarks/watched.py [--sessions 300] [--processes 2]

writes results/watched.md: adaptive draws on the pools of `settings.py` and on small ones that are made to be
hard, then draws by the papers' protocol.
"""

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
import watched_papers
from common import RESULTS
from limit import SIDES, Strata, limit
from scipy.stats import binom
from settings import load

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    Precision,
    Recall,
    Specificity,
    adaptive_q,
    draw_without_replacement,
    estimate_adaptive,
    pool_value,
)

LEVEL = 0.95
AT = (50, 100, 200, 400)
DECLARED = 200
WIDTH_SESSIONS = 60

WIDTHS_OF = (
    "digits error, calibrated",
    "digits error, over-confident",
    "digits error, a cluster of confident errors",
    "spam error, probabilities cubed",
    "photos error",
    "digits F1 of 3 %, calibrated",
    "digits F1 of 3 %, over-confident",
    "spam F1, probabilities cubed",
)
"""Of `settings.py`: measures with an exact interval."""

SMALL_SESSIONS, SMALL_DRAWS, SMALL_BLOCK = 1000, 64, 16


class Drawn(NamedTuple):
    """The draws of a session."""

    draws: np.ndarray
    probabilities: np.ndarray
    blocks: list[np.ndarray]


def block_sizes(n_draws):
    """As in a session: 16 draws, then 8 or an eighth of what was drawn."""
    made = 0
    while made < n_draws:
        size = min(max(8, made // 8) if made else 16, n_draws - made)
        yield size
        made += size


def session_draws(measure, predictions, answers, sizes, rng):
    """Adaptive draws in blocks, by the answers so far; None among them: it can't be labeled."""
    draws, probabilities, blocks = np.empty(0, dtype=np.intp), np.empty(0), []
    for size in sizes:
        q = adaptive_q(measure, predictions, draws, [answers[i] for i in draws])
        more, of_more = draw_without_replacement(q, size, rng)
        draws, probabilities = np.concatenate([draws, more]), np.concatenate([probabilities, of_more])
        blocks += [q] * size
    return Drawn(draws, probabilities, blocks)


class Truth:
    """An interval whose only candidate is the truth: it is wrong once that is excluded."""

    def __init__(self, measure, predictions, truth, **options):
        self.sequence = AdaptiveConfidenceSequence(measure, predictions, confidence_level=LEVEL, **options)
        self.sequence._band.watch(truth + 1e-9 * np.linspace(-1, 1, 17))

    def is_ever_wrong(self, drawn, answers):
        self.sequence.restart()
        for draw, q in zip(drawn.draws, drawn.blocks, strict=True):
            self.sequence.update(int(draw), q, answers[draw])
            if self.sequence._band._bets.in_cells().min() >= 1 / (1 - LEVEL):
                return True
        return False


def widths_of(name, n_sessions, seed):
    """A row of the first table."""
    start = time.perf_counter()
    setting = load(name)
    measure, model, y_true, truth = setting.measure, setting.predictions, setting.y_true, setting.truth
    watched = Truth(measure, model, truth)
    sequences = {
        declared: AdaptiveConfidenceSequence(measure, model, confidence_level=LEVEL, deadlines=declared)
        for declared in (None, (DECLARED,), ())
    }
    widths = {declared: [] for declared in sequences}
    wald, wrong, labels_of = [], 0, []
    strata = Strata(measure, model, y_true)
    rng = np.random.default_rng(seed)
    for session in range(n_sessions):
        drawn = session_draws(measure, model, y_true, block_sizes(AT[-1]), rng)
        wrong += watched.is_ever_wrong(drawn, y_true)
        if session >= WIDTH_SESSIONS:
            continue
        labels = y_true[drawn.draws]
        labels_of.append([strata.labels(drawn.draws[:n]) for n in AT])
        found = estimate_adaptive(
            measure, model, drawn.draws, drawn.probabilities, labels, at=AT, confidence_level=LEVEL
        )
        wald.append([each.high - each.low for each in found])
        for declared, sequence in sequences.items():
            low, high = sequence.restart().extend(drawn.draws, drawn.blocks, labels)
            widths[declared].append((high - low)[np.array(AT) - 1])
    beside = np.mean(wald, axis=0)
    usual, declared, before = (np.mean(widths[each], axis=0) for each in (None, (DECLARED,), ()))
    in_strata = np.mean(labels_of, axis=0).round().astype(int)
    limits = [
        " / ".join(f"{limit(strata, each, 1 - LEVEL, n_sides):.3f}" for each in in_strata)
        for n_sides in SIDES.values()
    ]
    cells = [
        name,
        f"{truth:.3f}",
        " / ".join(f"{width:.3f}" for width in usual),
        *limits,
        " / ".join(f"{ratio:.2f}" for ratio in usual / beside),
        f"{declared[2]:.3f} ({declared[2] / beside[2]:.2f})",
        " / ".join(f"{width:.3f}" for width in before),
        f"{wrong / n_sessions:.3f}",
    ]
    print(name, f"{time.perf_counter() - start:.0f} s", flush=True)
    return "| " + " | ".join(cells) + " |"


def small_pools():
    """Names, and (measure, predictions, answers, deadlines) of pools of 250 that are hard for a model."""
    rng = np.random.default_rng(12)
    p = rng.beta(0.4, 1.2, 250)
    y = (rng.random(250) < p).astype(int)

    def model(claimed):
        return ClassPredictions(np.column_stack([1 - claimed, claimed]))

    sure = p**8 / (p**8 + (1 - p) ** 8)
    misled = np.where(rng.random(250) < 0.2, 1 - sure, sure)
    answers = y.tolist()
    # Whoever labels leaves out most of what the model gets wrong.
    unlike = (p > 0.5) != y.astype(bool)
    is_out = unlike & (rng.random(250) < 0.7)
    left_out = [None if out else label for out, label in zip(is_out, answers, strict=True)]
    rounded = ClassPredictions(np.column_stack([p < 0.5, p >= 0.5]).astype(float))
    return {
        "error, calibrated": (ErrorRate(), model(p), answers, None),
        "error, far too sure": (ErrorRate(), model(sure), answers, None),
        "error, far too sure, 60 declared": (ErrorRate(), model(sure), answers, (60,)),
        "error, a fifth misled": (ErrorRate(), model(misled), answers, None),
        "error, most errors are left out": (ErrorRate(), model(sure), left_out, None),
        "F1, calibrated": (FMeasure(), model(p), answers, None),
        "F1, far too sure": (FMeasure(), model(sure), answers, None),
        "F1, rounded to 0/1": (FMeasure(), rounded, answers, None),
        "F1, a fifth misled": (FMeasure(), model(misled), answers, None),
        "recall, most errors are left out": (Recall(), model(sure), left_out, None),
        "precision, far too sure": (Precision(), model(sure), answers, None),
        "specificity, a fifth misled": (Specificity(), model(misled), answers, None),
        "difference of two models": (ErrorRate(), [model(sure), model(np.roll(p, 3))], answers, None),
    }


def ever_wrong_in(name, n_sessions, seed):
    """A row of the second table."""
    start = time.perf_counter()
    measure, predictions, answers, deadlines = small_pools()[name]
    can = np.array([i for i, y in enumerate(answers) if y is not None])
    labels = np.array([answers[i] for i in can])
    models = predictions if isinstance(predictions, list) else [predictions]
    values = [pool_value(measure, ClassPredictions(each.y_proba[can]), labels) for each in models]
    truth = values[0] if len(values) == 1 else values[0] - values[1]
    watched = Truth(measure, predictions, truth, deadlines=deadlines)
    rng = np.random.default_rng(seed)
    sizes = [SMALL_BLOCK] * (SMALL_DRAWS // SMALL_BLOCK)
    count = sum(
        watched.is_ever_wrong(session_draws(measure, predictions, answers, sizes, rng), answers)
        for _ in range(n_sessions)
    )
    # The probability of at least `count` wrong sessions, if exactly 5 % of all were wrong.
    chance = float(binom.sf(count - 1, n_sessions, 1 - LEVEL))
    print(name, f"{time.perf_counter() - start:.0f} s", flush=True)
    return f"| {name} | {truth:.3f} | {count / n_sessions:.3f} ({count} of {n_sessions}) | {chance:.2g} |"


def main():
    parser = argparse.ArgumentParser(description="The benchmark of intervals that are watched.")
    parser.add_argument("--sessions", type=int, default=300)
    parser.add_argument("--small-sessions", type=int, default=SMALL_SESSIONS)
    parser.add_argument("--papers-sessions", type=int, default=2000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with ProcessPoolExecutor(given.processes) as pool:
        rare = pool.map(
            partial(ever_wrong_in, n_sessions=given.small_sessions, seed=given.seed), small_pools()
        )
        wide = pool.map(partial(widths_of, n_sessions=given.sessions, seed=given.seed), WIDTHS_OF)
        small, large = list(rare), list(wide)
    lines = [
        "# watched",
        "",
        "Nominal level 95 %. Written by `benchmarks/watched.py`.",
        "",
        "## Adaptive draws: width",
        "",
        f"{given.sessions} seeded sessions of {AT[-1]} labels each, drawn in blocks as a session draws. "
        f"Width: mean over {min(WIDTH_SESSIONS, given.sessions)} of them at {AT} labels, of the interval "
        "that may be watched; the limit of any bets on as many labels of each stratum, on one side and on "
        "both (`benchmarks/limit.py`); in relation to the Wald interval of the same estimate, which may not; "
        f"with a declared number of {DECLARED} labels, at {DECLARED}, and its relation to Wald's; "
        "and without deadlines, as it was before there were any. Ever wrong: the share of sessions in which "
        "the truth is excluded at any label, so whatever rule one stops by.",
        "",
        "| setting | truth | width | limit, one side | limit, both | to Wald's | declared "
        "| without deadlines | ever wrong |",
        "|" + "---|" * 9,
        *large,
        "",
        "## Adaptive draws: ever wrong on small pools that are hard",
        "",
        f"Pools of 250, {SMALL_DRAWS} draws, watched at every one, {given.small_sessions:,} seeded sessions "
        "of each. Chance: the probability of at least that many wrong sessions if the share were exactly "
        "5 %.",
        "",
        "| setting | truth | ever wrong | chance |",
        "|" + "---|" * 4,
        *small,
        "",
        *watched_papers.table(given.papers_sessions, given.seed),
    ]
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "watched.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
