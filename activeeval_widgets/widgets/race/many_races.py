"""The same race with many seeds: errors, widths and coverage of each method, run step by step or read."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.widgets.race.contest import Contest
from activeeval_widgets.widgets.race.racer import KINDS, interval_of

N_RACES = 200

DATA = Path(__file__).parent / "data"
"""The results of the demos, by name, written by tools/simulate_races.py."""

_N_LOOKS = 10

_ROUNDING = 1e-9
"""An interval may end at the truth, once all instances that matter are labeled."""

ByLook = list[float | None]


class Summary(TypedDict):
    """The results of one method: a number for each look; in `last`, for each race.

    Quantiles and root mean square of the errors; for each kind of interval, the median of the widths, and the
    share of intervals that include the truth. None where there is no number, or, for widths, no interval in
    half of the races.
    """

    median: ByLook
    low: ByLook
    high: ByLook
    rmse: ByLook
    widths: dict[str, ByLook]
    coverage: dict[str, ByLook]
    last: ByLook


class ManyRaces:
    """Races with the seeds 0, 1, …, each with the labels of the data.

    Parameters
    ----------
    contest : Contest
        The race.
    stored : mapping, optional
        Results from a file; ignored if they are for other numbers of labels.
    n_races : int
        The number of seeds.

    Attributes
    ----------
    at : list of int
        The numbers of labels at which races are looked at.
    """

    def __init__(
        self, contest: Contest, stored: Mapping[str, Any] | None = None, n_races: int = N_RACES
    ) -> None:
        self._contest, self.n_races = contest, n_races
        self.at = compared_counts(contest.budget)
        is_same = stored is not None and stored["at"] == self.at
        self._stored: Mapping[str, Summary] = stored["methods"] if stored is not None and is_same else {}
        self._found: dict[str, list[FloatArray]] = {}
        self._work: dict[str, Iterator[None]] = {}

    def n_done(self, methods: Sequence[str]) -> int:
        """Return the number of seeds with which all of the methods are finished."""
        return min(self._n_done(method) for method in methods)

    def _n_done(self, method: str) -> int:
        return self.n_races if method in self._stored else len(self._found.get(method, []))

    def advance(self, methods: Sequence[str]) -> None:
        """Run the method that is behind for some milliseconds."""
        method = min(methods, key=self._n_done)
        next(self._work.setdefault(method, self._run(method)), None)

    def summary(self, method: str, n_races: int) -> Summary:
        """Return the results of the first races."""
        if method in self._stored:
            return self._stored[method]
        return summary_of(np.array(self._found[method][:n_races]))

    def _run(self, method: str) -> Iterator[None]:
        found = self._found[method] = []
        for seed in range(self.n_races):
            rows: list[list[float]] = []
            yield from self.race(method, seed, rows)
            found.append(np.array(rows))

    def race(self, method: str, seed: int, rows: list[list[float]]) -> Iterator[None]:
        """Run one race, and append a row at each look: the error, and each interval's width and coverage."""
        contest = self._contest
        session = contest.begin(method, seed)
        for n_labels in self.at:
            while session.n_labels < n_labels and (asked := session.next()) is not None:
                session.label(contest.y_true[asked.index], seconds=0.0)
                yield
            estimate = session.estimate()
            row = [estimate.value - contest.truth]
            for kind in KINDS:
                interval = interval_of(estimate, kind)
                low, high = interval or (-np.inf, np.inf)
                covers = low - _ROUNDING <= contest.truth <= high + _ROUNDING
                row += [high - low, np.nan if interval is None else covers]
            rows.append(row)
            yield


def summary_of(found: FloatArray) -> Summary:
    """Summarize races; `found` has shape (n_races, n_looks, 1 + 2 · number of kinds)."""
    off, widths, covers = np.abs(found[:, :, 0]), found[:, :, 1::2], found[:, :, 2::2]
    return {
        "median": _by_look(off, np.median),
        "low": _by_look(off, lambda column: np.quantile(column, 0.1)),
        "high": _by_look(off, lambda column: np.quantile(column, 0.9)),
        "rmse": _by_look(off, lambda column: np.sqrt(np.mean(column**2))),
        # Without interpolation, as the width of an interval that is not there is infinite.
        "widths": {
            kind: _numbers(np.quantile(widths[:, :, i], 0.5, axis=0, method="higher"))
            for i, kind in enumerate(KINDS)
        },
        "coverage": {kind: _by_look(covers[:, :, i], np.mean) for i, kind in enumerate(KINDS)},
        "last": _numbers(off[:, -1]),
    }


def _by_look(values: FloatArray, summarize: Callable[[FloatArray], Any]) -> ByLook:
    columns = [column[np.isfinite(column)] for column in values.T]
    return [float(summarize(column)) if column.size else None for column in columns]


def _numbers(values: FloatArray) -> ByLook:
    return [float(value) if np.isfinite(value) else None for value in values]


def share_closer(first: Summary, second: Summary) -> float:
    """Return the share of races in which the first method ends closer; a tie counts half for each."""
    one, other = (
        np.array([np.inf if off is None else off for off in each["last"]]) for each in (first, second)
    )
    return float(np.mean((one < other) + 0.5 * (one == other)))


def compared_counts(budget: int) -> list[int]:
    """Return about ten numbers of labels at which races are compared; the budget is the last."""
    step = -(-budget // _N_LOOKS)
    return [*range(budget % step or step, budget + 1, step)]


def stored_races(name: str) -> dict[str, Any] | None:
    """Return the results that are stored for a demo's race, if there are any."""
    path = DATA / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
