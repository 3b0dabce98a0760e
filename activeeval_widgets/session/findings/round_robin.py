"""The leaderboard of many models in a large pool: the leader is up to date, the others round-robin."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from activeeval_widgets.session.findings.estimated_interval import with_both
from activeeval_widgets.session.findings.leaderboard import Leaderboard, make_leaderboard, side_of
from activeeval_widgets.stats import Estimate, Measure
from activeeval_widgets.stats.anytime.limit_conditions import ADAPTIVE, WITHOUT_END

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


PERIOD = 16
"""Each model and each pair of models is updated once in this many labels."""

_FEWEST = PERIOD
"""With fewer labels not all have been updated once, and the leader changes often."""

_N_NEXT = 2
"""For this many models behind the leader, updates are precomputed, too: one may be the next leader."""

_MIN_SHOWN = min(ADAPTIVE.n_labels, WITHOUT_END.n_labels)
"""The smallest number of labels with an asymptotic interval, which can distinguish two models."""


class RoundRobin:
    """Computes the leaderboard after each label.

    The cost of an interval grows with the pool, and K models have K(K + 1)/2 of them. So the leader and its
    differences from all others are updated at each label, and every other interval round-robin. An
    anytime-valid interval holds at that number of labels as at any other, so the guarantees are the same. The
    schedule depends only on the number of labels: the same log gives the same leaderboard.
    """

    def __init__(self, session: "Findings", measure: Measure, confidence_level: float) -> None:
        self._session, self._measure, self._level = session, measure, confidence_level
        question = session.question
        self._of_one = question.level_of_each(confidence_level)
        self._of_two = question.level_of_rivals(confidence_level)
        self._pairs = question.pairs
        self._known_sides: dict[tuple[int, int], tuple[int, int, int]] = {}
        self._first: list[int] = []

    def read(self) -> Leaderboard:
        """Return the leaderboard for the labels so far."""
        n = self._session.draws.answers.n_labeled()
        found = [self._estimate(k, turn(n, k)) for k, _ in enumerate(self._session.models)]
        sides = {pair: self._side(pair, turn(n, k)) for k, pair in enumerate(self._pairs)}
        names, is_up_to_date = self._session.question.names, set()
        while True:
            board = make_leaderboard(names, found, sides, self._measure, self._level)
            leader = board.leader.position
            if leader in is_up_to_date:
                self._first = [each.position for each in board.models[: 1 + _N_NEXT]]
                return board
            is_up_to_date.add(leader)
            found[leader] = self._estimate(leader, n)
            if n >= _FEWEST:
                # If another model turns out to be better, it becomes the leader.
                sides.update({pair: self._side(pair, n) for pair in self._pairs if leader in pair})

    def precompute(self) -> Iterator[None]:
        """Do what the next leaderboard needs of earlier labels, in steps; its result is the same."""
        n = self._session.draws.answers.n_labeled()
        source: Any = self._session.draws.source
        all_of = [
            *(((k,), k, self._of_one) for k, _ in enumerate(self._session.models)),
            *((pair, k, self._of_two) for k, pair in enumerate(self._pairs)),
        ]
        first = self._first[:1]
        for those in (first, None, self._first[1:]):
            for which, number, level in all_of:
                is_next = turn(n + 1, number) == n + 1 if those is None else bool(set(which) & set(those))
                if is_next:
                    view = self._session.of(*which)
                    watched = view._interval(self._measure, level, turn(n, number))
                    if watched.follows_estimate:
                        continue
                    # An approximate interval of one model has the reason as of its last update.
                    if len(which) == 2 or not watched.is_asymptotic:
                        watched.update(n)
                    watched.prepare(source.n_draws)
                    yield

    def _estimate(self, model: int, until: int) -> Estimate:
        """Return a model's estimate from all labels with its interval after `until` labels."""
        view = self._session.of(model)
        estimate: Estimate = view._estimate_now(self._measure, self._of_one)
        watched = view._interval(self._measure, self._of_one, until)
        n_then = estimate.n_draws if watched.follows_estimate else min(until, estimate.n_draws)
        [found] = with_both(watched, [replace(estimate, n_draws=n_then)])
        return replace(found, n_draws=estimate.n_draws, confidence_level=self._level)

    def _side(self, pair: tuple[int, int], until: int) -> int:
        """Return the side of a pair's difference after `until` labels; see `side_of`."""
        if not until:
            return 0
        revision, then, side = self._known_sides.get(pair, (-1, -1, 0))
        is_same = then == until and (
            revision == self._session.log.revision
            or self._session.draws.answers.n_unchanged(revision) >= until
        )
        if not is_same:
            watched = self._session.of(*pair)._interval(self._measure, self._of_two, until)
            side = 0
            if until >= _MIN_SHOWN or not watched.follows_estimate:
                [low], [high] = watched.at([until])
                side = side_of(low, high)
        self._known_sides[pair] = self._session.log.revision, until, side
        return side


def turn(n_labels: int, number: int) -> int:
    """Return the number of labels at the last update of an entry; 0 if there was none."""
    return max(n_labels - (n_labels - number) % PERIOD, 0)
