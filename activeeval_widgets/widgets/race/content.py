"""What the page of a race receives: numbers for its script, and the same in words."""

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any

import numpy as np

from activeeval_widgets.session.findings.plot_axes import nice_range
from activeeval_widgets.stats import Estimate
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.widgets.evaluation.pool_axis import PoolAxis, pool_axis
from activeeval_widgets.widgets.race.contest import Contest
from activeeval_widgets.widgets.race.many_races import ManyRaces, share_closer
from activeeval_widgets.widgets.race.racer import Racer, Step, both_intervals
from activeeval_widgets.widgets.wording.measures import format_width
from activeeval_widgets.widgets.wording.models import is_against, prediction_in_short

N_BINS = 20
"""The number of bins in histograms of each racer's draws."""


class RaceContent:
    """Describes a race to the page."""

    def __init__(self, contest: Contest, label_text: Callable[[Any], str]) -> None:
        self._contest, self._label_text = contest, label_text
        self._session = contest.begin("uniform", 0)  # for predictions only; nothing is labeled in it
        self.quantity = self._session.question.quantity
        picks = pool_axis(self._session)
        assert picks is not None  # noqa: S101 - a race has one model
        self._picks: PoolAxis = picks

    def _written(self, estimate: Estimate) -> str:
        return Numbers.of(self.quantity, estimate).value(estimate.value)

    def whole(self) -> float | None:
        """Return the width of the range of possible values; None if it is unbounded."""
        low, high = self.quantity.range
        return high - low if isfinite(high - low) else None

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
        next_index = racer.next_index
        return {
            "version": racer.version,
            "start": start,
            "steps": [self.step(step) for step in racer.steps[start:]],
            "n": len(racer.steps),
            "next_index": next_index,
            "next_id": "" if next_index is None else self._contest.pool.ids[next_index],
            "next_weight": racer.next_weight,
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
            "guaranteed": None if guaranteed is None else self._interval(*guaranteed),
            "approximate": None if approximate is None else self._interval(*approximate),
        }

    def _interval(self, low: float, high: float) -> dict[str, Any]:
        numbers = Numbers(self.quantity, (high - low) / 2)
        margin = format_width(self._contest.measure, (high - low) / 2)
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

    def many(self, many: ManyRaces, methods: Sequence[str]) -> dict[str, Any]:
        """Return the results of the completed races."""
        n_done = many.n_done(methods)
        found = [many.summary(method, n_done) for method in methods] if n_done else []
        return {
            "methods": list(methods),
            "n_done": n_done,
            "n_races": many.n_races,
            "at": many.at,
            "curves": [{name: part for name, part in each.items() if name != "last"} for each in found],
            "share_closer": share_closer(*found) if found else None,
        }
