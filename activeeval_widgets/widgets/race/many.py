"""The same race many times over, with other seeds, a little at a time."""

from collections.abc import Iterator, Sequence

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.widgets.race.contest import Contest

N_RACES = 200

_N_LOOKS = 10


class ManyRaces:
    """Races with the seeds `seed`, `seed + 1`, …: how far off their estimates are after some labels.

    Each racer is a session as in the race that is shown, without its intervals, which the errors don't need.

    Attributes
    ----------
    at : list of int
        The numbers of labels.
    n_done : int
        How many races are through.
    errors : ndarray of shape (n_methods, n_races, n_looks)
        Estimate minus truth; NaN where the estimate is not defined, and of races that are not through.
    """

    def __init__(self, contest: Contest, methods: Sequence[str], seed: int, n_races: int = N_RACES) -> None:
        self._contest, self._methods, self._seed, self.n_races = contest, methods, seed, n_races
        self.at = looks(contest.budget)
        self.n_done = 0
        self.errors: FloatArray = np.full((len(methods), n_races, len(self.at)), np.nan)
        self._work = self._run()

    @property
    def is_complete(self) -> bool:
        """Whether all are through."""
        return self.n_done == self.n_races

    def advance(self) -> None:
        """Do a little, some milliseconds long."""
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
            # The value is the same whatever the interval, and this one takes the least.
            errors[look] = session.estimate(interval="wald").value - contest.truth
            yield


def looks(budget: int) -> list[int]:
    """The numbers of labels after which estimates are looked at: about ten, the budget the last."""
    step = -(-budget // _N_LOOKS)
    return [*range(budget % step or step, budget + 1, step)]
