"""Many repetitions of the same race with other seeds, run step by step."""

from collections.abc import Iterator, Sequence

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.widgets.race.contest import Contest

N_RACES = 200

_N_LOOKS = 10


class ManyRaces:
    """Races with the seeds `seed`, `seed + 1`, …, and the errors of their estimates after some labels.

    Each racer is a session as in the displayed race, without intervals, which errors do not need.

    Attributes
    ----------
    at : list of int
        The numbers of labels.
    n_done : int
        The number of completed races.
    errors : ndarray of shape (n_methods, n_races, n_looks)
        Estimate minus truth; NaN where the estimate is not defined, and for races that are not completed.
    """

    def __init__(self, contest: Contest, methods: Sequence[str], seed: int, n_races: int = N_RACES) -> None:
        self._contest, self._methods, self._seed, self.n_races = contest, methods, seed, n_races
        self.at = looks(contest.budget)
        self.n_done = 0
        self.errors: FloatArray = np.full((len(methods), n_races, len(self.at)), np.nan)
        self._work = self._run()

    @property
    def is_complete(self) -> bool:
        """Whether all races are completed."""
        return self.n_done == self.n_races

    def advance(self) -> None:
        """Run for some milliseconds."""
        next(self._work, None)

    def _run(self) -> Iterator[None]:
        for race in range(self.n_races):
            found = np.full((len(self._methods), len(self.at)), np.nan)
            for of_method, method in zip(found, self._methods, strict=True):
                yield from self._race(method, self._seed + race, of_method)
            self.errors[:, race] = found
            self.n_done += 1
            yield

    def _race(self, method: str, seed: int, errors: FloatArray) -> Iterator[None]:
        contest = self._contest
        session = contest.begin(method, seed)
        for look, n_labels in enumerate(self.at):
            while session.n_labels < n_labels and (asked := session.next()) is not None:
                session.label(contest.y_true[asked.index], seconds=0.0)
                yield
            # The value does not depend on the interval, and this one is the fastest.
            errors[look] = session.estimate(interval="wald").value - contest.truth
            yield


def looks(budget: int) -> list[int]:
    """Return about ten numbers of labels at which estimates are compared; the budget is the last."""
    step = -(-budget // _N_LOOKS)
    return [*range(budget % step or step, budget + 1, step)]
