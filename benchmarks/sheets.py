"""Labels on sheets besides single ones, against single ones alone, at the same cost.

    python benchmarks/sheets.py [--sessions 40] [--processes 2]

writes results/sheets.md. A label on a sheet costs an eighth of a single one, so a sheet of 24 costs three.
People are taken to be right on sheets, too.
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
from common import RESULTS
from settings import load

from activeeval_widgets import Pool, Session
from activeeval_widgets.stats import pool_value
from activeeval_widgets.stats.drawing.sheets import SheetRule

COSTS = (50, 100, 200)
WAYS = {"single": False, "with sheets": True}
SETTINGS = (
    "digits error, calibrated",
    "digits error, over-confident",
    "spam error, probabilities cubed",
    "digits F1 of 3 %, calibrated",
    "digits F1 of 3 %, over-confident",
    "spam F1, probabilities cubed",
)


def run(name: str, has_sheets: bool, seed: int) -> list[tuple[float, float, float, int, int]]:
    """Error, ends of the interval, and numbers of single labels and of sheets, at each cost."""
    setting = load(name)
    pool = Pool(np.zeros((setting.y_true.size, 1, 1)), predictions=setting.predictions)
    session = Session(pool, setting.measure, sheets=has_sheets, seed=seed, budget=None)
    truth = pool_value(setting.measure, setting.predictions, setting.y_true)
    cost_on_sheet, cost, n_single, n_sheets = SheetRule().cost, 0.0, 0, 0
    found: list[tuple[float, float, float, int, int]] = []
    while len(found) < len(COSTS):
        # A sheet is taken once all labels count: those of the last one waited for single ones.
        is_waiting = session.n_labels > session.n_draws
        sheet = None if is_waiting or not has_sheets else session.sheets.take()
        if sheet is not None:
            answers = {drawn.draw: setting.y_true[drawn.index] for drawn in sheet.draws}
            session.sheets.answer(answers)
            cost, n_sheets = cost + cost_on_sheet * len(answers), n_sheets + 1
        else:
            asked = session.next()
            assert asked is not None
            session.label(setting.y_true[asked.index])
            cost, n_single = cost + 1, n_single + 1
        while len(found) < len(COSTS) and cost >= COSTS[len(found)]:
            now = session.estimate()
            found.append((now.value - truth, now.low - truth, now.high - truth, n_single, n_sheets))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sessions", type=int, default=40)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    costs = " / ".join(map(str, COSTS))
    lines = [
        "# Sheets",
        "",
        f"Written by `python benchmarks/sheets.py --sessions {options.sessions}`: sessions that stop at "
        f"a cost, of {options.sessions} seeds each. A single label costs 1, one on a sheet "
        f"{SheetRule().cost:g}. A sheet is taken as soon as it can be filled and no label waits for an "
        "earlier one. Width: of the interval that may be watched; error: root mean square. Wrong: sessions "
        "whose interval misses the truth at one of these costs.",
        "",
        f"| setting | labeled | labels at {COSTS[-1]} | width at {costs} | error ×10⁻³ at {costs} | wrong |",
        "|---|---|---|---|---|---|",
    ]
    with ProcessPoolExecutor(options.processes) as processes:
        for name in SETTINGS:
            for way, has_sheets in WAYS.items():
                one = partial(run, name, has_sheets)
                found = np.array(list(processes.map(one, range(options.sessions))))
                errors, lows, highs, n_single, n_sheets = np.moveaxis(found, 2, 0)
                n_labels = f"{n_single[:, -1].mean():.0f}"
                if has_sheets:
                    n_labels += f" and {n_sheets[:, -1].mean():.1f} sheets"
                widths = " / ".join(f"{width:.3f}" for width in np.nanmean(highs - lows, axis=0))
                rms = " / ".join(f"{1000 * each:.1f}" for each in np.sqrt(np.nanmean(errors**2, axis=0)))
                n_wrong = int(((lows > 1e-9) | (highs < -1e-9)).any(axis=1).sum())
                lines.append(f"| {name} | {way} | {n_labels} | {widths} | {rms} | {n_wrong} |")
                print(lines[-1], flush=True)
    (RESULTS / "sheets.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
