"""Draws without replacement in blocks: how each was made, and how stored ones are held against the log."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from activeeval_widgets.session.draws.protocol import Block
from activeeval_widgets.session.draws.rows import rows_of
from activeeval_widgets.session.log.draw import Draw
from activeeval_widgets.session.log.state import EXCLUDED, LABELED, State
from activeeval_widgets.session.pool.label_kinds import Labels
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.session.recent import Recent
from activeeval_widgets.stats import Measure, adaptive_q
from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.adaptive.contenders import Pairs, undecided_pairs
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule
from activeeval_widgets.stats.drawing.groups import serve_groups
from activeeval_widgets.stats.predictions.base import left_sum
from activeeval_widgets.stats.questions.make import question_of

LEAST_AHEAD = 8
"""A block is drawn when fewer instances than this are known ahead: the next is there before it is asked."""

_FAST_AHEAD = 40
_FAST_SECONDS = 0.5
"""After four answers in a row faster than this, more is drawn ahead: there is no time in between."""

_FIRST_BLOCK = 16
_LEAST_BLOCK = 8
_BLOCK_SHARE = 8
"""A block is an eighth of what was drawn before: later labels change q less."""

_ROUNDING = 1e-7
"""Probabilities that differ by a smaller share are the same, computed on another machine."""

_KEPT_NUMBERS = 50_000_000
"""At most this many numbers of past distributions are kept; older ones are computed again when needed."""


class _Known(NamedTuple):
    """What was known when a block was drawn: from it follows what the block was drawn from."""

    first: int
    least: float
    labeled: list[int]
    values: list[Any]
    excluded: list[int]
    pending: list[int]


class BlockDraws:
    """The draws of a session so far, and what the next ones come from.

    A block is drawn from q(labels so far), and stored with the probability of each draw; so that no draw
    depends on anything but the labels before it, and the next instance is always known ahead.

    Parameters
    ----------
    pool : Pool
        What is drawn from.
    measure : Measure
        What the draws are to be the best for.
    labels : Labels
        What a label is.
    state : State
        The answers so far.
    seed : int
        With it and the number of a block, `numpy.random.PCG64` is seeded for that block.
    defensive : float or None
        The share of uniform draws; `stats.defensive_share` of the number of labels if None.
    is_grouped : bool
        Whether what the predictions make alike shares a row: for pools of any size.
    groups : ndarray of int of shape (n_instances,), optional
        The number of each instance's group, where draws are to serve all groups.
    rule : DrawRule
        The constants of q: those that the session was begun with.
    """

    def __init__(
        self,
        pool: Pool,
        measure: Measure,
        labels: Labels,
        state: State,
        seed: int,
        defensive: float | None,
        *,
        is_grouped: bool = False,
        groups: IntArray | None = None,
        rule: DrawRule = DRAW_RULE,
    ) -> None:
        self._pool, self._measure, self._labels, self._state = pool, measure, labels, state
        self._groups = groups
        self._seed, self.defensive, self.rule = seed, defensive, rule
        self._rows = rows_of(pool, measure.positive, is_grouped=is_grouped)
        self._draws: list[Draw] = []
        self._known: list[_Known] = []
        self._firsts: list[int] = []  # the number of the first draw of each block
        # The same draws by their order, and by the instances they gave (0: not drawn).
        self._instances: IntArray = np.empty(0, dtype=np.intp)
        self._number_of: IntArray = np.zeros(pool.n_instances, dtype=np.intp)
        self._q_of: FloatArray = np.zeros(pool.n_instances)
        self._kept: Recent[int, FloatArray] = Recent(
            max(4, _KEPT_NUMBERS // self._rows.models[0].n_instances)
        )
        self._least: dict[int, FloatArray] = {}
        self._differing: dict[int, int] = {}
        self._floors: dict[int, FloatArray] = {}
        # Computed at once: a measure that does not suit the predictions is refused here.
        self._kept.put(0, self._compute(self._now()))

    @property
    def is_grouped(self) -> bool:
        """Whether instances share rows."""
        return bool(self._rows.how)

    @property
    def n_draws(self) -> int:
        """How many draws were made."""
        return len(self._draws)

    @property
    def q(self) -> FloatArray:
        """What the latest block came from; the first one's before any."""
        return self._of_instances(max(len(self._known) - 1, 0))

    def _of_instances(self, block: int) -> FloatArray:
        """What a block was drawn from, (n_instances,); 0 on what was drawn before it."""
        q = self._rows.spread(self.distribution(block))
        if self.is_grouped:
            q[self._before(block)] = 0
        return q

    def _before(self, block: int) -> IntArray:
        """The instances that were drawn before a block."""
        return (
            self._instances[: self._known[block].first - 1] if block < len(self._known) else self._instances
        )

    def first(self, n_draws: int) -> IntArray:
        """The first draws, as indices into the pool, shape (n_draws,)."""
        return self._instances[:n_draws]

    def distinct(self, position: int) -> Draw | None:
        """The draw at a position, from 0; None where it is not drawn yet, or there are no more."""
        return self._draws[position] if 0 <= position < len(self._draws) else None

    def find(self, number: int, n_distinct: int, /) -> Draw | None:
        """The draw of a number, if it is one of the first `n_distinct`."""
        return self.distinct(number - 1) if number <= n_distinct else None

    def n_distinct_before(self, number: int) -> int:
        """How many instances came before the draw of a number."""
        return min(number - 1, len(self._draws))

    def probabilities(self, instances: Sequence[int]) -> FloatArray:
        """Of each drawn instance, the probability with which it was drawn."""
        found: FloatArray = self._q_of[np.asarray(instances, dtype=np.intp)]
        return found

    def numbers_of(self, instances: IntArray) -> IntArray:
        """The number of the draw that gave each instance; 0 where none did."""
        numbers: IntArray = self._number_of[instances]
        return numbers

    def block(self, position: int) -> IntArray:
        """The instances that a block gave, in draw order."""
        return np.array([draw.instance for draw in self._own(position)], dtype=np.intp)

    def least_probabilities(self, instances: Sequence[int]) -> FloatArray:
        """Of each draw of these instances, the least probability of all that were left."""
        numbers = self._number_of[np.asarray(instances, dtype=np.intp)]
        blocks = np.searchsorted(self._firsts, numbers, side="right") - 1
        least = np.empty(numbers.size)
        for block in np.unique(blocks).tolist():
            if block not in self._least:
                self._least[block] = self._least_of(block)
            of_block = blocks == block
            least[of_block] = self._least[block][numbers[of_block] - self._firsts[block]]
        return least

    def _least_of(self, block: int) -> FloatArray:
        """For each draw of a block, what no instance left had less of."""
        own = self._own(block)
        if self.n_differing(block):
            stored = np.array([draw.q for draw in own])
            left = np.concatenate([[1.0], np.cumprod(1 - stored[:-1])])
            bounds: FloatArray = np.minimum(self._floor(block) / np.maximum(left, 1e-300), stored)
            return bounds
        instances = [draw.instance for draw in own]
        q = self.distribution(block)
        rest = self._rows.left([*self._before(block).tolist(), *instances])
        # From the last draw backward: the least of what stays, and the sum of what is left.
        of_own = q[self._rows.of(instances)][::-1]
        least = np.minimum(np.minimum.accumulate(of_own), q[rest > 0].min(initial=np.inf))[::-1]
        left = (of_own.cumsum() + left_sum(q, rest))[::-1]
        probabilities: FloatArray = np.minimum(least / left, 1.0)
        return probabilities

    def block_of(self, number: int) -> int:
        """The position of the block that the draw of a number belongs to."""
        return bisect_right(self._firsts, number) - 1

    def distribution(self, block: int) -> FloatArray:
        """What a block was drawn from, shape (n_rows,): each instance's of a row; 0 where none was left."""
        return self._kept.get(block, lambda: self._compute(self._known[block]))

    def law(self, number: int) -> tuple[FloatArray, float | None]:
        """What a draw was from, and None; where that is not sure, a lower bound and its probability.

        The distribution is computed again from the log. Draws that are stored with other
        probabilities keep those; of the rest it is known what no instance had less of.
        """
        block = self.block_of(number)
        if not self.n_differing(block):
            return self.distribution(block), None
        if block not in self._floors:
            self._floors[block] = np.full(self._rows.models[0].n_instances, self._floor(block))
        return self._floors[block], self._draws[number - 1].q

    def n_differing(self, block: int) -> int:
        """How many draws of a block are stored with another probability than is computed from the log."""
        if block not in self._differing:
            own, q = self._own(block), self.distribution(block)
            of_own = q[self._rows.of([draw.instance for draw in own])]
            # Without what was drawn before it, each; summed from the last one backward.
            everything = left_sum(q, self._rows.left(self._before(block).tolist()))
            rest = max(float(everything - of_own.sum()), 0.0)
            computed = of_own / (of_own[::-1].cumsum()[::-1] + rest)
            stored = np.array([draw.q for draw in own])
            n_differing = int(np.count_nonzero(~np.isclose(computed, stored, rtol=_ROUNDING, atol=0)))
            if not np.isclose(self._known[block].least, q[q > 0].min(), rtol=_ROUNDING, atol=0):
                n_differing = len(own)
            self._differing[block] = n_differing
        return self._differing[block]

    def n_differing_before(self, number: int) -> int:
        """The same of all blocks up to that of the draw of a number."""
        return sum(self.n_differing(block) for block in range(self.block_of(number) + 1)) if number else 0

    def _own(self, block: int) -> list[Draw]:
        first = self._known[block].first
        end = self._known[block + 1].first if block + 1 < len(self._known) else len(self._draws) + 1
        return self._draws[first - 1 : end - 1]

    def _floor(self, block: int) -> float:
        """What no instance left had less of when a block was drawn, as stored; nor more than was drawn."""
        stored = np.array([draw.q for draw in self._own(block)])
        left = np.concatenate([[1.0], np.cumprod(1 - stored[:-1])])
        return min(self._known[block].least, float((stored * left).min())) * (1 - _ROUNDING)

    @property
    def is_due(self) -> bool:
        """Whether a further block has to be drawn."""
        return self._n_known_ahead < self._ahead and len(self._draws) < self._pool.n_instances

    @property
    def _n_known_ahead(self) -> int:
        # What was handed to somebody is not there for others.
        n_asked = len(self._state.answers) + len(self._state.waiting) + len(self._state.handed_out)
        return max(0, len(self._draws) - n_asked)

    @property
    def _ahead(self) -> int:
        """How many have to be known ahead: more where the last answers came fast."""
        seconds = [getattr(action, "seconds", None) for action in self._state.actions[-4:]]
        is_fast = len(seconds) == 4 and all(s is not None and s < _FAST_SECONDS for s in seconds)
        return _FAST_AHEAD if is_fast else LEAST_AHEAD

    def next_block(self, size: int | None = None) -> Block:
        """The next draws, of as many as are due unless a `size` is given; nothing is changed."""
        q = self._compute(self._now())
        self._kept.put(len(self._known), q)
        if size is None:
            least = _LEAST_BLOCK if self._draws else _FIRST_BLOCK
            size = max(least, self._ahead - self._n_known_ahead, len(self._draws) // _BLOCK_SHARE)
        rng = np.random.Generator(np.random.PCG64([self._seed, len(self._known)]))
        drawn = [draw.instance for draw in self._draws]
        size = min(size, self._pool.n_instances - len(drawn))
        draws, probabilities = self._rows.draw(q, drawn, size, rng)
        first = len(self._draws) + 1
        return Block(first, draws.tolist(), probabilities.tolist(), float(q[q > 0].min()))

    def can_add(self, first: Any, instances: Any, q: Any, least: Any, /) -> bool:
        """Whether a stored block can follow the draws so far."""
        return (
            first == len(self._draws) + 1
            and isinstance(instances, Sequence)
            and isinstance(q, Sequence)
            and len(instances) == len(q) > 0
            and all(type(i) is int and 0 <= i < self._pool.n_instances for i in instances)
            and len(set(instances)) == len(instances)
            and not self._number_of[list(instances)].any()
            and all(isinstance(p, float | int) and 0 < p <= 1 for p in q)
            and isinstance(least, float | int)
            and 0 < least <= 1
        )

    def add(self, instances: Sequence[int], q: Sequence[float], least: float) -> None:
        """Take a block for drawn, now."""
        self._known.append(self._now(least))
        first = len(self._draws) + 1
        self._firsts.append(first)
        self._draws += map(Draw, range(first, first + len(instances)), instances, q)
        new = np.array(instances, dtype=np.intp)
        self._instances = np.concatenate([self._instances, new])
        self._number_of[new] = np.arange(first, first + new.size)
        self._q_of[new] = q

    def _now(self, least: float = 0.0) -> _Known:
        status = self._state.status
        drawn = [draw.instance for draw in self._draws]
        labeled = [index for index in drawn if status[index] == LABELED]
        excluded = [index for index in drawn if status[index] == EXCLUDED]
        answered = {*labeled, *excluded}
        return _Known(
            first=len(drawn) + 1,
            least=least,
            labeled=labeled,
            values=[self._state.labels[index] for index in labeled],
            excluded=excluded,
            pending=[index for index in drawn if index not in answered],
        )

    def _compute(self, known: _Known) -> FloatArray:
        labels = self._labels.decode(known.values, known.labeled)
        q = adaptive_q(
            self._measure,
            self._rows.models,
            self._rows.of(known.labeled),
            self._rows.labels(known.labeled, labels),
            costs=self._rows.costs,
            drawn=self._rows.of(known.pending + known.excluded),
            defensive=self.defensive,
            pairs=self._pairs(known.labeled, labels),
            rule=self.rule,
        )
        return q if self._groups is None else serve_groups(q, self._groups)

    def _pairs(self, labeled: list[int], labels: Any) -> Pairs | None:
        """Of more than two models, those that labels should tell apart."""
        models = self._rows.models
        if not question_of(self._measure, models).is_of_leader:
            return None
        instances = np.array(labeled, dtype=np.intp)
        q, own = self.probabilities(labeled), self._rows.own(instances)
        return undecided_pairs(self._measure, models, self._rows.of(labeled), q, labels, own=own)
