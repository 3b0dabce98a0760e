"""Plans against what sessions then took: adaptive draws until the watched interval is narrow enough.

Models that are right about themselves, too sure, and not sure enough. And sessions about two models, until it
is known which is better: `--only decisions` and `--only widths` write only a part of results/planning.md.
"""

import argparse

import comparisons
import numpy as np
from common import RESULTS
from settings import load

from activeeval_widgets.stats import AdaptiveConfidenceSequence, Planner, adaptive_q, draw_without_replacement

NAMES = (
    "digits error, calibrated",
    "digits error, over-confident",
    "digits error, under-confident",
    "digits F1 of 3 %, calibrated",
    "digits F1 of 3 %, over-confident",
    "digits F1 of 3 %, under-confident",
    "squared error, sarcos",
)
N_LABELS = 450
BLOCK = 10
MADE_AT = (0, 10, 20, 50, 100, 200)
WANTED_AT = (100, 300)
"""The numbers of labels whose median half-widths are planned for."""


def session(setting, rng):
    """Draws, their probabilities, and the interval after each."""
    measure, model, y_true = setting.measure, setting.predictions, setting.y_true
    sequence = AdaptiveConfidenceSequence(measure, model, y_range=setting.y_range)
    draws, probabilities = np.empty(0, dtype=np.intp), np.empty(0)
    bounds = []
    while draws.size < N_LABELS:
        q = adaptive_q(measure, model, draws, y_true[draws])
        more, of_more = draw_without_replacement(q, min(BLOCK, N_LABELS - draws.size), rng)
        bounds.append(np.stack(sequence.extend(more, q, y_true[more])))
        draws, probabilities = np.concatenate([draws, more]), np.concatenate([probabilities, of_more])
    low, high = np.concatenate(bounds, axis=1)
    return draws, probabilities, low, high


def cells_of(setting, sessions, wanted):
    """For each moment: which plans hold, planned over taken labels, and how wide ranges are."""
    planner = Planner(setting.measure, setting.predictions, y_range=setting.y_range)
    for made_at in MADE_AT:
        held, ratios, ranges = [], [], []
        for draws, probabilities, low, high in sessions:
            narrow = (high - low) / 2 <= wanted
            at = int(np.argmax(narrow)) + 1 if narrow.any() else N_LABELS + 1
            if at <= made_at:
                continue
            seen = draws[:made_at]
            plan = planner.plan(
                wanted,
                draws=seen,
                y_true=setting.y_true[seen],
                q_draws=probabilities[:made_at],
                current=(low[made_at - 1], high[made_at - 1]) if made_at else None,
            )
            taken = at - made_at
            # Where it takes more than all labels, all that is known is that.
            held.append(plan.low <= taken <= plan.high or (not narrow.any() and plan.high >= taken))
            ratios.append(plan.n_labels / taken)
            ranges.append(plan.high / max(plan.low, 1))
        yield held, ratios, ranges


DECISIONS = ("digits, demo", "spam, logistic or Bayes", "spam, two logistic", "reviews, 2 or 3")
DECIDED_AT = (10, 20, 30)
TITLE = "## Which of two models is better"


def decision(name, seed, planner):
    """A session about two models: forecasts after some labels, and how many it took."""
    measure, models, y_true, _ = comparisons.load(name)
    session = comparisons.begun(name, models, measure, "adaptive", seed)
    forecasts = {}
    while (asked := session.next()) is not None and session.n_labels < comparisons.MOST:
        session.label(comparisons.plain(y_true[asked.index]))
        now = session.watched()
        if not now.low <= 0 <= now.high:
            break
        if session.n_labels in DECIDED_AT:
            draws, labels = session.draws.labeled()
            known = {
                "draws": session.draws.rows_of(draws)[1],
                "y_true": labels,
                "q_draws": session.draws.q_draws(),
                "current": (now.low, now.high),
            }
            forecasts[session.n_labels] = planner.plan_difference(**known)
    return forecasts, session.n_labels


def of_decisions(n_sessions):
    """The second part: forecasts of labels until a decision."""
    lines = [
        TITLE,
        "",
        f"{n_sessions} sessions each through `Session`, adaptive draws, labeled by the true labels until the "
        "interval leaves out 0 (or 300). Each cell: the median of forecast over taken labels, and the "
        "share of sessions in whose range it was (they say four of five). Sessions that were decided before "
        "are left out; cells of fewer than ten are empty.",
        "",
        "| setting | labels, median | " + " | ".join(f"made at {n}" for n in DECIDED_AT) + " |",
        "|" + "---|" * (2 + len(DECIDED_AT)),
    ]
    comparisons.KEPT.mkdir(parents=True, exist_ok=True)
    for name in DECISIONS:
        measure, models, *_ = comparisons.load(name)
        planner = Planner(measure, models)
        sessions = [decision(name, seed, planner) for seed in range(n_sessions)]
        took = np.median([taken for _, taken in sessions])
        cells = []
        for made_at in DECIDED_AT:
            plans = [(each[made_at], taken - made_at) for each, taken in sessions if made_at in each]
            ratio = np.median([plan.n_labels / taken for plan, taken in plans]) if plans else 0
            held = np.mean([plan.low <= taken <= plan.high for plan, taken in plans]) if plans else 0
            cells.append(f"{ratio:.2f}, {held:.2f}" if len(plans) >= 10 else "–")
        lines.append(f"| {name} | {took:g} | " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    return lines


def of_widths(n_sessions, seed):
    """The first part: plans for half-widths."""
    lines = [
        "# planning",
        "",
        f"{n_sessions} seeded sessions of adaptive draws each. A plan is made at the numbers of labels in "
        "the head of the table, for the half-width that half of the sessions have after the number of labels "
        "in the second column. "
        "Each cell: the share of plans whose range holds what it took (they say four of five), the median of "
        "planned over taken labels, and the median of the range's end over its beginning. Sessions that were "
        "there before the plan are left out. Written by `benchmarks/planning.py`.",
        "",
        "| setting | half-width (at label) | " + " | ".join(f"made at {n}" for n in MADE_AT) + " |",
        "|" + "---|" * (2 + len(MADE_AT)),
    ]
    everything = [[] for _ in MADE_AT]
    for name in NAMES:
        setting = load(name)
        rng = np.random.default_rng(seed)
        sessions = [session(setting, rng) for _ in range(n_sessions)]
        middle = np.median([(high - low) / 2 for *_, low, high in sessions], axis=0)
        for wanted_at in WANTED_AT:
            wanted = float(middle[wanted_at - 1])
            cells, plans = [], cells_of(setting, sessions, wanted)
            for kept, (held, ratios, ranges) in zip(everything, plans, strict=True):
                kept += held
                cells.append(
                    f"{np.mean(held):.2f}, {np.median(ratios):.2f}, {np.median(ranges):.1f}" if held else "–"
                )
            lines.append(f"| {name} | {wanted:.3g} ({wanted_at}) | " + " | ".join(cells) + " |")
            print(lines[-1], flush=True)
    lines.append("| all | | " + " | ".join(f"{np.mean(held):.2f}" for held in everything) + " |")
    print(lines[-1])
    return lines


def main():
    parser = argparse.ArgumentParser(description="The benchmark of plans.")
    parser.add_argument("--sessions", type=int, default=40)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--only", choices=["widths", "decisions"])
    arguments = parser.parse_args()
    path = RESULTS / "planning.md"
    widths, _, decisions = (path.read_text() if path.exists() else "").partition(f"{TITLE}\n")
    decisions = f"{TITLE}\n{decisions}"
    if arguments.only != "decisions":
        widths = "\n".join(of_widths(arguments.sessions, arguments.seed)) + "\n\n"
    if arguments.only != "widths":
        decisions = "\n".join(of_decisions(arguments.sessions)) + "\n"
    RESULTS.mkdir(exist_ok=True)
    path.write_text(f"{widths.rstrip()}\n\n{decisions}")


if __name__ == "__main__":
    main()
