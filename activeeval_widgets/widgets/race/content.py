"""What the page of a race receives: numbers for its script, and the same in words."""

from collections.abc import Callable, Sequence
from math import ceil, isfinite
from typing import Any, TypeAlias

import numpy as np

from activeeval_widgets.session.findings.estimated_interval import approximate_within
from activeeval_widgets.session.findings.plot_axes import nice_range, round_step
from activeeval_widgets.stats import Estimate, Measure
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.widgets.evaluation.pool_axis import PoolAxis, pool_axis
from activeeval_widgets.widgets.race.contest import Contest
from activeeval_widgets.widgets.race.many import ManyRaces
from activeeval_widgets.widgets.race.racer import Racer, Step
from activeeval_widgets.widgets.wording.measures import format_width, sides_text
from activeeval_widgets.widgets.wording.models import is_against, prediction_in_short

Interval: TypeAlias = tuple[float, float]

N_BINS = 20
"""The number of bins in histograms of each racer's draws."""

_PARTS = 6
"""The number of parts of the axis of errors, at the most."""


class RaceContent:
    """Describes a race to the page."""

    def __init__(self, contest: Contest, label_text: Callable[[Any], str]) -> None:
        self._contest, self._label_text = contest, label_text
        self._session = contest.begin("uniform", 0)  # for predictions only; nothing is labeled in it
        self.quantity = self._session.question.quantity
        picks = pool_axis(self._session)
        assert picks is not None  # noqa: S101 - a race has one model
        self._picks: PoolAxis = picks

    @property
    def measure(self) -> Measure:
        """The measure to estimate."""
        return self._contest.measure

    def text(self, value: float) -> str:
        """Return an estimate in words."""
        return Numbers(self.quantity).value(value)

    def _written(self, estimate: Estimate) -> str:
        return Numbers.of(self.quantity, estimate).value(estimate.value)

    def off_text(self, distance: float) -> str:
        """Return an error in words."""
        if self.measure.is_share:
            return f"{100 * distance:.2g} points"
        return f"{distance:.2g}"

    def heading(self) -> str:
        """Return the name of the estimated quantity."""
        return self.quantity.name

    def sides(self) -> list[str]:
        """Return, for two models, the meaning of values above and below zero."""
        return sides_text(self.quantity)

    def picks(self) -> dict[str, Any]:
        """Return the axis of drawn instances, and the pool's distribution over it."""
        picks = self._picks
        counts, _ = np.histogram(picks.values, bins=N_BINS, range=(picks.low, picks.high))
        return {
            "label": picks.label,
            "low": picks.low,
            "high": picks.high,
            "is_share": picks.is_share,
            "names": list(picks.names),
            "n_bins": N_BINS,
            "pool": (counts / counts.sum()).tolist(),
        }

    def racer(self, racer: Racer, start: int) -> dict[str, Any]:
        """Return a racer with its steps from `start` on."""
        coming = racer.coming
        return {
            "version": racer.version,
            "start": start,
            "steps": [self.step(step) for step in racer.steps[start:]],
            "n": len(racer.steps),
            "coming": coming,
            "coming_id": "" if coming is None else self._contest.pool.ids[coming],
            "is_ready": racer.is_ready,
            "is_done": racer.is_done,
        }

    def step(self, step: Step) -> dict[str, Any]:
        """Return one step."""
        estimate, session = step.estimate, self._session
        value = float(estimate.value) if estimate.is_defined else None
        off = None if value is None else abs(value - self._contest.truth)
        decoded = session.labels.decode([step.label], [step.index])
        against = is_against(session, np.array([step.index]), decoded)
        row = int(session.draws.rows.of([step.index])[0])
        guaranteed, approximate = both_intervals(estimate)
        return {
            "index": step.index,
            "id": self._contest.pool.ids[step.index],
            "draw": step.draw,
            "x": float(self._picks.values[row]),
            "weight": float(step.weight),
            "label": self._label_text(step.label),
            "prediction": prediction_in_short(session, step.index),
            "is_wrong": bool(against[0]) if len(against) else None,
            "is_by_hand": step.is_by_hand,
            "value": value,
            "text": "–" if value is None else self._written(estimate),
            "off": off,
            "off_text": "" if off is None else self.off_text(off),
            "guaranteed": None if guaranteed is None else self._interval(*guaranteed),
            "approximate": None if approximate is None else self._interval(*approximate),
        }

    def _interval(self, low: float, high: float) -> dict[str, Any]:
        numbers = Numbers(self.quantity, (high - low) / 2)
        margin = format_width(self.measure, (high - low) / 2)
        return {"low": float(low), "high": float(high), "text": numbers.interval(low, high), "margin": margin}

    # -- axes ----------------------------------------------------------------------------------------------

    def y(self, racers: Sequence[Racer]) -> dict[str, Any]:
        """Return the axis of estimates: it contains the truth, and both racers' results except early ones."""
        contest = self._contest
        settled = [step.estimate for racer in racers for step in racer.steps[contest.budget // 4 :]]
        ends = [end for each in settled for end in (each.low, each.high, each.value) if isfinite(end)]
        smallest, largest = self.quantity.range
        shown = (min([*ends, contest.truth]), max([*ends, contest.truth]))
        if not ends and isfinite(largest - smallest):
            shown = (smallest, largest)
        low, high = nice_range(shown, (smallest, largest))
        return {"low": low, "high": high}

    # -- many races ----------------------------------------------------------------------------------------

    def many(self, many: ManyRaces, methods: Sequence[str], run: int) -> dict[str, Any]:
        """Return the results of the completed races."""
        through = many.errors[:, : many.n_done]
        off = np.abs(through)
        curves = [self._curve(method, each) for method, each in zip(methods, off, strict=True)]
        shown = [value for curve in curves for value in curve["high"] if value is not None]
        most = 1.05 * max(shown, default=0.0) or 1.0
        step = round_step(most, _PARTS)
        return {
            "run": run,
            "n_done": many.n_done,
            "n_races": many.n_races,
            "at": many.at,
            "y": {"low": 0.0, "high": step * ceil(most / step - 1e-9)},
            "curves": curves,
            "share_closer": _share_closer(off),
            "is_complete": many.is_complete,
        }

    def _curve(self, method: str, off: FloatArray) -> dict[str, Any]:
        columns = [column[np.isfinite(column)] for column in off.T]
        low, median, high = (
            [float(np.quantile(column, share)) if column.size else None for column in columns]
            for share in (0.1, 0.5, 0.9)
        )
        rmse = [float(np.sqrt(np.mean(column**2))) if column.size else None for column in columns]
        texts = [
            "not defined"
            if middle is None or root is None
            else f"half of the races within {self.off_text(middle)} of the truth, nine in ten within "
            f"{self.off_text(end or 0.0)}; root mean square error {self.off_text(root)}"
            for middle, end, root in zip(median, high, rmse, strict=True)
        ]
        return {"method": method, "median": median, "low": low, "high": high, "rmse": rmse, "texts": texts}


def both_intervals(estimate: Estimate) -> tuple[Interval | None, Interval | None]:
    """Return the guaranteed and the approximate interval; None of one that is not there."""
    if not estimate.is_defined:
        return None, None
    both = (float(estimate.low), float(estimate.high))
    approximate = approximate_within(estimate)
    if estimate.is_asymptotic:
        return None, finite(approximate if estimate.withheld else both)
    return finite(both), finite(approximate)


def finite(interval: Interval | None) -> Interval | None:
    """Return an interval if both of its ends can be drawn."""
    return interval if interval is not None and all(map(isfinite, interval)) else None


def _share_closer(off: FloatArray) -> float | None:
    """Return the share of races in which the first racer ended closer; a tie counts half for each."""
    if off.shape[0] != 2 or not off.shape[1]:
        return None
    first, second = (np.where(np.isnan(each), np.inf, each) for each in off[:, :, -1])
    return float(np.mean((first < second) + 0.5 * (first == second)))
