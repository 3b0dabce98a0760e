"""Labels on sheets besides single ones: what they save, how many a forecast says, and what seconds do.

    python benchmarks/sheets.py [--sessions 40] [--processes 2] [--only saved forecasts seconds]

writes results/sheets.md, or the parts that are named. A label on a sheet costs an eighth of a single one, so
a sheet of 24 costs three, unless said otherwise. People are taken to be right on sheets, too.
"""

import argparse
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np
from common import RESULTS
from settings import Setting, load

from activeeval_widgets import Goal, Pool, Session
from activeeval_widgets.session.findings.goal_plan import plan_of
from activeeval_widgets.stats.adaptive.draw_rule import DrawRule
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

GOALS = dict(zip(SETTINGS, (0.03, 0.03, 0.02, 0.15, 0.06, 0.04), strict=True))
"""The half-widths that forecasts are about."""

PLANNED_AT = (0, 50, 100, 200)
MOST = 900
"""Numbers of labels."""

TIMED = SETTINGS[0], SETTINGS[3]
RATIOS = 1 / 24, 1 / 3
"""What a label on a sheet takes, as a share of a single one."""

SINGLE_SECONDS = 4.0

Answer = tuple[int, int]
"""The number of labels that were given at once, by themselves and on a sheet."""


def session_of(setting: Setting, seed: int, *, sheets: bool = True, **options: Any) -> Session:
    pool = Pool(np.zeros((setting.y_true.size, 1, 1)), predictions=setting.predictions)
    return Session(pool, setting.measure, sheets=sheets, seed=seed, **options)


def answer(session: Session, setting: Setting, ratio: float | None = None) -> Answer:
    """Answer a sheet if all labels count so far and it can be filled, else the present instance.

    With a ratio, labels take seconds.
    """
    # A sheet is taken once all labels count: those of the last one waited for single ones.
    is_waiting = session.n_labels > session.n_draws
    sheet = None if is_waiting or session.sheets.asks is None else session.sheets.take()
    if sheet is None:
        asked = session.next()
        assert asked is not None
        session.label(setting.y_true[asked.index], seconds=None if ratio is None else SINGLE_SECONDS)
        return 1, 0
    answers = {drawn.draw: setting.y_true[drawn.index] for drawn in sheet.draws}
    seconds = None if ratio is None else SINGLE_SECONDS * ratio * len(answers)
    session.sheets.answer(answers, seconds=seconds)
    return 0, len(answers)


def at_costs(
    session: Session, setting: Setting, cost_on_sheet: float, seconds: float | None = None
) -> list[tuple[float, float, float, int, int]]:
    """Error, ends of the interval, and numbers of single labels and of sheets, at each cost."""
    n_single, n_on_sheets, n_sheets = 0, 0, 0
    found: list[tuple[float, float, float, int, int]] = []
    while len(found) < len(COSTS):
        by_itself, on_sheet = answer(session, setting, seconds)
        n_single, n_on_sheets, n_sheets = (
            n_single + by_itself,
            n_on_sheets + on_sheet,
            n_sheets + (on_sheet > 0),
        )
        while len(found) < len(COSTS) and n_single + cost_on_sheet * n_on_sheets >= COSTS[len(found)]:
            now, truth = session.estimate(), setting.truth
            found.append((now.value - truth, now.low - truth, now.high - truth, n_single, n_sheets))
    return found


def saved(name: str, has_sheets: bool, seed: int) -> list[tuple[float, float, float, int, int]]:
    setting = load(name)
    return at_costs(session_of(setting, seed, sheets=has_sheets), setting, SheetRule().cost)


def of_saved(each: Callable[..., list[Any]]) -> Iterator[str]:
    costs = " / ".join(map(str, COSTS))
    yield (
        f"Sessions that stop at a cost. A single label costs 1, one on a sheet {SheetRule().cost:g}. A sheet "
        "is taken as soon as it can be filled and no label waits for an earlier one. Width: of the interval "
        "that may be watched; error: root mean square. Wrong: sessions whose interval misses the truth at "
        "one of these costs."
    )
    yield ""
    yield f"| setting | labeled | labels at {COSTS[-1]} | width at {costs} | error ×10⁻³ at {costs} | wrong |"
    yield "|---|---|---|---|---|---|"
    for name in SETTINGS:
        for way, has_sheets in WAYS.items():
            found = np.array(each(partial(saved, name, has_sheets)))
            errors, lows, highs, n_single, n_sheets = np.moveaxis(found, 2, 0)
            n_labels = f"{n_single[:, -1].mean():.0f}"
            if has_sheets:
                n_labels += f" and {n_sheets[:, -1].mean():.1f} sheets"
            widths = " / ".join(f"{width:.3f}" for width in np.nanmean(highs - lows, axis=0))
            rms = " / ".join(f"{1000 * one:.1f}" for one in np.sqrt(np.nanmean(errors**2, axis=0)))
            n_wrong = int(((lows > 1e-9) | (highs < -1e-9)).any(axis=1).sum())
            yield f"| {name} | {way} | {n_labels} | {widths} | {rms} | {n_wrong} |"


def forecast(name: str, seed: int) -> list[tuple[float, ...]]:
    """Forecasts, and what it then took: labels, single ones, and sheets; NaN where it was over before."""
    setting, goal = load(name), Goal(half_width=GOALS[name])
    session, so_far = session_of(setting, seed), np.zeros(2)
    made: list[tuple[float, ...]] = []
    before = []
    while session.n_labels < MOST:
        watched = session.watched()
        if len(made) < len(PLANNED_AT) and session.n_labels >= PLANNED_AT[len(made)]:
            plan = plan_of(session.findings).progress(goal).to_half_width
            assert plan is not None
            made.append((plan.n_labels, plan.low, plan.high, *session.sheets.split(plan)))
            before.append([session.n_labels, *so_far])
        if (watched.high - watched.low) / 2 <= GOALS[name]:
            break
        by_itself, on_sheet = answer(session, setting)
        so_far += by_itself, on_sheet > 0
    took = np.array([session.n_labels, *so_far])
    rows = [(*plan, *(took - then)) for plan, then in zip(made, before, strict=True)]
    return [row if row[5] > 0 else (np.nan,) * 8 for row in rows] + [(np.nan,) * 8] * (
        len(PLANNED_AT) - len(rows)
    )


def of_forecasts(each: Callable[..., list[Any]]) -> Iterator[str]:
    yield (
        f"Forecasts of the labels until the interval is narrow, against what it took (at most {MOST}): the "
        "median of forecast over taken labels; how often the range held (it says four of five); and labels "
        "one by one and sheets, as taken and as forecast, on average."
    )
    yield ""
    yield "| setting, goal | made at | forecast / taken | held | taken | forecast |"
    yield "|---|---|---|---|---|---|"
    for name in SETTINGS:
        found = np.array(each(partial(forecast, name)))
        for k, made_at in enumerate(PLANNED_AT):
            rows = found[:, k][~np.isnan(found[:, k, 0])]
            if not len(rows):
                continue
            planned, low, high, n_single, n_sheets, taken, single, sheets = rows.T
            held = np.mean((low <= taken) & (taken <= high))
            says = f"{n_single.mean():.0f} and {n_sheets.mean():.1f}"
            yield (
                f"| {name}, ± {GOALS[name]:g} | {made_at} | {np.median(planned / taken):.2f} | {held:.0%} | "
                f"{single.mean():.0f} and {sheets.mean():.1f} | {says} |"
            )


def timed(
    name: str, ratio: float, least: float | None, seed: int
) -> list[tuple[float, float, float, int, int]]:
    """A session whose draws go by seconds, from a least cost on; by an eighth if it is None."""
    setting = load(name)
    if least is None:
        return at_costs(session_of(setting, seed), setting, ratio)

    def with_sheets(rule: DrawRule, asks: str) -> DrawRule:
        return replace(rule, sheets=SheetRule(cost_range=(least, 1 / 2), asks=asks))

    with patch.object(DrawRule, "with_sheets", with_sheets):
        session = session_of(setting, seed)
    return at_costs(session, setting, ratio, ratio)


def of_seconds(each: Callable[..., list[Any]]) -> Iterator[str]:
    yield (
        f"The same at a cost of {COSTS[-1]}, where a label on a sheet really takes another share of a single "
        "one than an eighth: with draws by an eighth, and by seconds, for which a least cost is set. The "
        "ratio of widths is to that by an eighth, of the same seeds, with its standard error."
    )
    yield ""
    yield "| setting | a label on a sheet takes | draws by | width | ratio | error ×10⁻³ |"
    yield "|---|---|---|---|---|---|"
    for name in TIMED:
        for ratio in RATIOS:
            usual = None
            for least in (None, 1 / 8, 1 / 16):
                if ratio > 1 / 8 and least == 1 / 16:
                    continue  # as from 1/8 on
                errors, lows, highs, *_ = np.moveaxis(
                    np.array(each(partial(timed, name, ratio, least))), 2, 0
                )
                widths = (highs - lows)[:, -1]
                usual = widths if usual is None else usual
                times = widths / usual
                by = "an eighth" if least is None else f"seconds, at least 1/{1 / least:.0f}"
                spread = f"{times.mean():.2f} ± {times.std() / np.sqrt(times.size):.2f}"
                rms = 1000 * np.sqrt(np.mean(errors[:, -1] ** 2))
                yield f"| {name} | 1/{1 / ratio:.0f} | {by} | {widths.mean():.3f} | {spread} | {rms:.1f} |"


PARTS = {
    "saved": ("What they save", of_saved),
    "forecasts": ("How many it takes", of_forecasts),
    "seconds": ("Costs by seconds", of_seconds),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sessions", type=int, default=40)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", nargs="+", choices=[*PARTS], default=[*PARTS])
    options = parser.parse_args()
    path = RESULTS / "sheets.md"
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    there = dict(re.findall(r"^## ([^\n]+)\n\n(.*?)(?=\n## |\Z)", before, re.MULTILINE | re.DOTALL))
    texts = [
        "# Sheets\n\nWritten by `python benchmarks/sheets.py`; each part says of how many sessions it is.\n"
    ]
    with ProcessPoolExecutor(options.processes) as processes:
        for part, (title, make) in PARTS.items():
            if part in options.only:
                lines = [
                    f"Of {options.sessions} sessions each (`--only {part} --sessions {options.sessions}`)."
                ]
                for line in make(lambda one: list(processes.map(one, range(options.sessions)))):
                    lines.append(line)
                    print(line, flush=True)
                there[title] = "\n".join(lines) + "\n"
            if title in there:
                texts.append(f"## {title}\n\n{there[title]}")
    path.write_text("\n".join(texts), encoding="utf-8")


if __name__ == "__main__":
    main()
