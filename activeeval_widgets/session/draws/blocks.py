"""Draws without replacement in blocks, and the check of stored blocks against the log."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from activeeval_widgets.session.draws.known_sample import block_of_sample, q_of_sample
from activeeval_widgets.session.draws.protocol import Block
from activeeval_widgets.session.draws.rows import DrawnRows, rows_of
from activeeval_widgets.session.draws.vote_history import VoteHistory
from activeeval_widgets.session.log.draw import Draw
from activeeval_widgets.session.log.state import EXCLUDED, LABELED, State
from activeeval_widgets.session.pool.known_labels import n_sampled
from activeeval_widgets.session.pool.label_kinds import Labels
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.session.recent_cache import RecentCache
from activeeval_widgets.stats import Measure, adaptive_q
from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule
from activeeval_widgets.stats.adaptive.pairs_to_compare import Pairs, undecided_pairs
from activeeval_widgets.stats.drawing.groups import serve_groups
from activeeval_widgets.stats.predictions.base import left_sum
from activeeval_widgets.stats.questions.make import question_of

MIN_AHEAD = 8
"""A block is drawn when fewer draws than this are known ahead, so that the next question needs no wait."""

_FAST_AHEAD = 40
_FAST_SECONDS = 0.5
"""After four successive answers faster than this, more is drawn ahead."""

_FIRST_BLOCK = 16
_MIN_BLOCK = 8
_BLOCK_SHARE = 8
"""A block is an eighth of the earlier draws: later labels change q less."""

CARRIED_COST = 0.03
"""The cost of a label that is carried over, as a share of one that is asked for: these draws come early."""

_ROUNDING = 1e-7
"""The relative tolerance for probabilities that were computed on another machine."""

_KEPT_NUMBERS = 50_000_000
"""The maximum number of cached probabilities; older distributions are computed again when needed."""


class _Known(NamedTuple):
    """What was known when a block was drawn; it determines the block's distribution."""

    first: int
    least: float
    labeled: list[int]
    values: list[Any]
    excluded: list[int]
    pending: list[int]
    sheet_cost: float | None


class BlockDraws:
    """The draws so far, in blocks from q given the labels of their time, and the distribution of the next."""

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
        self._given_rows = rows_of(pool, measure.positive, is_grouped=is_grouped)
        # Known labels are the first block, if they are a random sample; others only guide the draws.
        self._given = {} if pool.known is None else pool.known.stored(labels, pool.ids)
        self._sample = [*self._given][: n_sampled(pool.known)]
        may_change = not (is_grouped or pool.is_streamed or measure.needs_model)
        self.votes = VoteHistory(pool.models[0], pool.costs, may_change=may_change)
        self._draws: list[Draw] = []
        self._known: list[_Known] = []
        self._firsts: list[int] = []  # the number of the first draw of each block
        # The draws by order, and by instance (0: not drawn).
        self._instances: IntArray = np.empty(0, dtype=np.intp)
        self._number_of: IntArray = np.zeros(pool.n_instances, dtype=np.intp)
        self._q_of: FloatArray = np.zeros(pool.n_instances)
        self._kept: RecentCache[int, FloatArray] = RecentCache(
            max(4, _KEPT_NUMBERS // self._rows.models[0].n_instances)
        )
        self._least: dict[int, FloatArray] = {}
        self._mismatched: dict[int, int] = {}
        self._floors: dict[int, FloatArray] = {}
        # Computed at once, so that an unsuitable measure fails here.
        self._kept.put(0, self._compute(self._known_now()))

    @property
    def _rows(self) -> DrawnRows:
        """The rows that are drawn now."""
        return self.votes.rows or self._given_rows

    @property
    def is_grouped(self) -> bool:
        """Whether instances share rows."""
        return bool(self._rows.how)

    @property
    def n_draws(self) -> int:
        """The number of draws so far."""
        return len(self._draws)

    @property
    def q(self) -> FloatArray:
        """The distribution of the latest block, or of the first one if there is none."""
        return self._of_instances(max(len(self._known) - 1, 0))

    def _of_instances(self, block: int) -> FloatArray:
        """Return the distribution of a block by instance; 0 for instances drawn before."""
        q = self._rows.spread(self.distribution(block))
        if self.is_grouped:
            q[self._before(block)] = 0
        return q

    def _before(self, block: int) -> IntArray:
        """Return the instances that were drawn before a block."""
        return (
            self._instances[: self._known[block].first - 1] if block < len(self._known) else self._instances
        )

    def first(self, n_draws: int) -> IntArray:
        """Return the first draws as indices into the pool, shape (n_draws,)."""
        return self._instances[:n_draws]

    def distinct(self, position: int) -> Draw | None:
        """Return the draw at a position, from 0; None if it was not drawn (yet)."""
        return self._draws[position] if 0 <= position < len(self._draws) else None

    def distinct_from(self, position: int) -> Iterator[Draw]:
        """Yield the draws from a position on."""
        return islice(self._draws, position, None)

    def find(self, number: int, n_distinct: int, /) -> Draw | None:
        """Return the draw of a number if it is one of the first `n_distinct`, else None."""
        return self.distinct(number - 1) if number <= n_distinct else None

    def n_distinct_before(self, number: int) -> int:
        """Return the number of instances drawn before a draw."""
        return min(number - 1, len(self._draws))

    def probabilities(self, instances: Sequence[int]) -> FloatArray:
        """Return the probability with which each instance was drawn."""
        found: FloatArray = self._q_of[np.asarray(instances, dtype=np.intp)]
        return found

    def numbers_of(self, instances: IntArray) -> IntArray:
        """Return the number of each instance's draw; 0 if it was not drawn."""
        numbers: IntArray = self._number_of[instances]
        return numbers

    def block(self, position: int) -> IntArray:
        """Return the instances of a block in draw order."""
        return np.array([draw.instance for draw in self._own(position)], dtype=np.intp)

    def least_probabilities(self, instances: Sequence[int]) -> FloatArray:
        """Return for each draw the smallest probability of any remaining instance."""
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
        """Return for each draw of a block a lower bound of the remaining instances' probabilities."""
        own = self._own(block)
        if self.n_mismatched(block):
            stored = np.array([draw.q for draw in own])
            left = np.concatenate([[1.0], np.cumprod(1 - stored[:-1])])
            bounds: FloatArray = np.minimum(self._floor(block) / np.maximum(left, 1e-300), stored)
            return bounds
        instances = [draw.instance for draw in own]
        q = self.distribution(block)
        rest = self._rows.left([*self._before(block).tolist(), *instances])
        # From the last draw backward: the minimum and the sum of the rest.
        of_own = q[self._rows.of(instances)][::-1]
        least = np.minimum(np.minimum.accumulate(of_own), q[rest > 0].min(initial=np.inf))[::-1]
        left = (of_own.cumsum() + left_sum(q, rest))[::-1]
        probabilities: FloatArray = np.minimum(least / left, 1.0)
        return probabilities

    def block_of(self, number: int) -> int:
        """Return the position of a draw's block."""
        return bisect_right(self._firsts, number) - 1

    def distribution(self, block: int) -> FloatArray:
        """Return the distribution of a block, (n_rows,), per instance; 0 for exhausted rows."""
        return self._kept.get(block, lambda: self._compute(self._known[block]))

    def distribution_or_bound(self, number: int) -> tuple[FloatArray, float | None]:
        """Return a draw's distribution and None; if the stored draws differ, a bound and its probability."""
        block = self.block_of(number)
        if not self.n_mismatched(block):
            return self.distribution(block), None
        if block not in self._floors:
            self._floors[block] = np.full(self._rows.models[0].n_instances, self._floor(block))
        return self._floors[block], self._draws[number - 1].q

    def n_mismatched(self, block: int) -> int:
        """Return how many stored probabilities of a block differ from those recomputed from the log."""
        if block not in self._mismatched:
            own, q = self._own(block), self.distribution(block)
            of_own = q[self._rows.of([draw.instance for draw in own])]
            # Each without the draws before it; summed from the last one backward.
            everything = left_sum(q, self._rows.left(self._before(block).tolist()))
            rest = max(float(everything - of_own.sum()), 0.0)
            computed = of_own / (of_own[::-1].cumsum()[::-1] + rest)
            stored = np.array([draw.q for draw in own])
            n_mismatched = int(np.count_nonzero(~np.isclose(computed, stored, rtol=_ROUNDING, atol=0)))
            if not np.isclose(self._known[block].least, q[q > 0].min(), rtol=_ROUNDING, atol=0):
                n_mismatched = len(own)
            self._mismatched[block] = n_mismatched
        return self._mismatched[block]

    def n_mismatched_before(self, number: int) -> int:
        """Return `n_mismatched` of all blocks up to that of a draw."""
        return sum(map(self.n_mismatched, range(self.block_of(number) + 1))) if number else 0

    def _own(self, block: int) -> list[Draw]:
        first = self._known[block].first
        end = self._known[block + 1].first if block + 1 < len(self._known) else len(self._draws) + 1
        return self._draws[first - 1 : end - 1]

    def _floor(self, block: int) -> float:
        """Return a lower bound of the probabilities of a block's distribution, from what is stored."""
        stored = np.array([draw.q for draw in self._own(block)])
        left = np.concatenate([[1.0], np.cumprod(1 - stored[:-1])])
        return min(self._known[block].least, float((stored * left).min())) * (1 - _ROUNDING)

    @property
    def is_due(self) -> bool:
        """Whether another block has to be drawn."""
        return self._n_known_ahead < self._ahead and len(self._draws) < self._pool.n_instances

    @property
    def _n_known_ahead(self) -> int:
        # Leased draws are not available to others.
        n_asked = len(self._state.answers) + len(self._state.deferred) + len(self._state.assignments)
        return max(0, len(self._draws) - n_asked)

    @property
    def _ahead(self) -> int:
        """The number of draws to know ahead: more after fast answers."""
        seconds = [getattr(action, "seconds", None) for action in self._state.actions[-4:]]
        is_fast = len(seconds) == 4 and all(s is not None and s < _FAST_SECONDS for s in seconds)
        return _FAST_AHEAD if is_fast else MIN_AHEAD

    def next_block(self, size: int | None = None) -> Block:
        """Return the next block, of the due size by default, without changing anything."""
        sheets = self.rule.sheets
        sheet_cost = None if sheets is None else sheets.cost_by(*self._state.label_seconds())
        q = self._compute(self._known_now(sheet_cost=sheet_cost))
        self._kept.put(len(self._known), q)
        rng = self._state.generator(self.votes.seed(self._seed), len(self._known))
        if self._sample and not self._draws:
            return block_of_sample(self._pool, self._sample, q, rng)
        if size is None:
            least = _MIN_BLOCK if self._draws else _FIRST_BLOCK
            size = max(least, self._ahead - self._n_known_ahead, len(self._draws) // _BLOCK_SHARE)
        drawn = [draw.instance for draw in self._draws]
        size = min(size, self._pool.n_instances - len(drawn))
        draws, probabilities = self._rows.draw(q, drawn, size, rng)
        first = len(self._draws) + 1
        return Block(first, draws.tolist(), probabilities.tolist(), float(q[q > 0].min()), sheet_cost)

    def can_add(self, first: Any, instances: Any, q: Any, least: Any, sheet_cost: Any = None, /) -> bool:
        """Return whether a stored block can follow the draws so far."""
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
            and (sheet_cost is None or (isinstance(sheet_cost, float | int) and 0 < sheet_cost <= 1))
        )

    def add(
        self, instances: Sequence[int], q: Sequence[float], least: float, sheet_cost: float | None = None
    ) -> None:
        """Append a block of draws."""
        # The first q was computed before these were known.
        if (self._state.carried or self.votes.rows is not None) and not self._known:
            self._kept.put(0, self._compute(self._known_now()))
        self._known.append(self._known_now(least, sheet_cost))
        first = len(self._draws) + 1
        self._firsts.append(first)
        self._draws += map(Draw, range(first, first + len(instances)), instances, q)
        new = np.array(instances, dtype=np.intp)
        self._instances = np.concatenate([self._instances, new])
        self._number_of[new] = np.arange(first, first + new.size)
        self._q_of[new] = q

    @property
    def _sheet_cost(self) -> float | None:
        """The cost of a label on a sheet in the latest block; None if it is the rule's."""
        return self._known[-1].sheet_cost if self._known else None

    def _known_now(self, least: float = 0.0, sheet_cost: float | None = None) -> _Known:
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
            sheet_cost=sheet_cost,
        )

    def _compute(self, known: _Known) -> FloatArray:
        labels = self._labels.decode(known.values, known.labeled)
        answered = {*known.labeled, *known.excluded}
        given = self._given | {index: label.value for index, label in self._state.carried.items()}
        prior = [] if self._sample else [index for index in given if index not in answered]
        prior_labels = self._labels.decode([given[index] for index in prior], prior)
        q = adaptive_q(
            self._measure,
            self.votes.models_at(known.first) or self._rows.models,
            self._rows.of(known.labeled),
            self._rows.labels(known.labeled, labels),
            costs=self._costs(known.sheet_cost),
            drawn=self._rows.of(known.pending + known.excluded),
            defensive=self.defensive,
            pairs=self._pairs(known.labeled, labels),
            prior=(self._rows.of(prior), self._rows.labels(prior, prior_labels)),
            rule=self.rule,
        )
        if self._sample and known.first == 1:
            return q_of_sample(self._pool, q.size)
        return q if self._groups is None else serve_groups(q, self._groups)

    def _costs(self, sheet_cost: float | None) -> FloatArray | None:
        """Return the costs of labels, less on sheets; what is carried over costs next to nothing."""
        sheets, costs = self.rule.at_sheet_cost(sheet_cost).sheets, self._rows.costs
        if sheets is not None:
            costs = sheets.costs(self._rows.models, costs)
        carried = [*self._state.carried]
        if not carried or self.is_grouped:
            return costs
        costs = np.ones(self._pool.n_instances) if costs is None else costs.copy()
        costs[carried] *= CARRIED_COST
        return costs

    def _pairs(self, labeled: list[int], labels: Any) -> Pairs | None:
        """Return the pairs of more than two models that labels should distinguish, else None."""
        models = self._rows.models
        if not question_of(self._measure, models).is_of_leader:
            return None
        instances = np.array(labeled, dtype=np.intp)
        q, own = self.probabilities(labeled), self._rows.own_predictions(instances)
        return undecided_pairs(self._measure, models, self._rows.of(labeled), q, labels, own=own)
