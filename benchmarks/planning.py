"""Plans against what sessions then took: labels until the watched interval is narrow enough."""

import argparse

import numpy as np
from common import RESULTS
from watched import make_settings

from activeeval_widgets.stats import ConfidenceSequence, Planner, draw

N_DRAWS = 1200
MADE_AT = (0, 50, 100, 200)
WANTED_AT = (250, 600)
"""The widths that are planned for are those that half of the sessions have after so many draws."""


def main():
    parser = argparse.ArgumentParser(description="The benchmark of plans.")
    parser.add_argument("--sessions", type=int, default=40)
    parser.add_argument("--seed", type=int, default=5)
    arguments = parser.parse_args()
    lines = [
        "# planning",
        "",
        f"{arguments.sessions} seeded sessions each. A plan is made after so many draws, for the half-width "
        "that half of the sessions have at the draw named in the second column. Each cell: the share of "
        "plans whose range holds what it took (they say four of five), and the median of planned over taken "
        "labels. Sessions that were there before the plan are left out. Written by `benchmarks/planning.py`.",
        "",
        "| setting | half-width (at draw) | " + " | ".join(f"made at {n}" for n in MADE_AT) + " |",
        "|" + "---|" * (2 + len(MADE_AT)),
    ]
    everything = {n: [] for n in MADE_AT}
    for name, measure, models, labels, q, y_range in make_settings():
        predictions = models if len(models) == 2 else models[0]
        planner = Planner(measure, predictions, q, y_range=y_range)
        sequence = ConfidenceSequence(measure, predictions, q, y_range=y_range)
        sessions = draw(q, arguments.sessions * N_DRAWS, np.random.default_rng(arguments.seed))
        sessions = sessions.reshape(-1, N_DRAWS)
        bounds = [np.stack(sequence.restart().extend(draws, labels[draws])) for draws in sessions]
        halves = [(high - low) / 2 for low, high in bounds]
        middle = np.median(halves, axis=0)
        for wanted_at in WANTED_AT:
            wanted = float(middle[wanted_at - 1])
            cells = []
            for made_at in MADE_AT:
                held, ratios = [], []
                for draws, (low, high), half in zip(sessions, bounds, halves, strict=True):
                    at = int(np.argmax(half <= wanted)) + 1 if half[-1] <= wanted else N_DRAWS
                    seen = draws[:made_at]
                    if at <= made_at:
                        continue
                    plan = planner.plan(
                        wanted,
                        draws=seen,
                        y_true=labels[seen],
                        current=(low[made_at - 1], high[made_at - 1]) if made_at else None,
                    )
                    taken = np.unique(draws[:at]).size - np.unique(seen).size
                    # Where it takes more than all draws, all that is known is that.
                    above = half[-1] > wanted
                    held.append(plan.low <= taken <= plan.high or (above and plan.high >= taken))
                    if taken and not above:
                        ratios.append(plan.n_labels / taken)
                everything[made_at] += held
                cells.append(f"{np.mean(held):.2f}, {np.median(ratios):.2f}")
            lines.append(f"| {name} | {wanted:.3g} ({wanted_at}) | " + " | ".join(cells) + " |")
            print(lines[-1], flush=True)
    lines.append(
        "| all | | " + " | ".join(f"{np.mean(everything[made_at]):.2f}" for made_at in MADE_AT) + " |"
    )
    print(lines[-1])
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "planning.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
