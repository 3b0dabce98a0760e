"""Plans against what sessions then took: adaptive draws until the watched interval is narrow enough.

Models that are right about themselves, too sure, and not sure enough.
"""

import argparse

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
"""The half-widths that are planned for are those that half of the sessions have after so many labels."""


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


def main():
    parser = argparse.ArgumentParser(description="The benchmark of plans.")
    parser.add_argument("--sessions", type=int, default=40)
    parser.add_argument("--seed", type=int, default=5)
    arguments = parser.parse_args()
    lines = [
        "# planning",
        "",
        f"{arguments.sessions} seeded sessions of adaptive draws each. A plan is made after so many labels, "
        "for the half-width that half of the sessions have after the number of labels in the second column. "
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
        rng = np.random.default_rng(arguments.seed)
        sessions = [session(setting, rng) for _ in range(arguments.sessions)]
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
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "planning.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
