"""What was predicted at each draw of a session whose votes have changed."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from activeeval_widgets.session.draws.part import Part, PartOfRows
from activeeval_widgets.session.draws.rows import OwnRows
from activeeval_widgets.session.pool.earlier_votes import from_record, with_rows_of
from activeeval_widgets.stats import ClassPredictions, Predictions
from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.adaptive.revised import Earlier


class VoteHistory:
    """Replaced predictions, each with the draws by them: later votes may copy labels given meanwhile."""

    def __init__(
        self, given: Predictions, costs: FloatArray | None = None, *, may_change: bool = False
    ) -> None:
        self._given = self.present = given
        self._costs, self._may_change = costs, may_change
        self.rows: OwnRows | None = None
        self._seeds: list[Any] = []
        self._coming: list[Predictions] = []
        self.replaced: list[Earlier] = []

    def foresee(self, earlier: Sequence[tuple[Any, Any]]) -> None:
        """Take what was predicted, and the seed, before each change in a log; before its first event."""
        found = [from_record(each, self._given) for each, _ in earlier] if self._may_change else []
        if found and None not in found:
            self._seeds = [seed for _, seed in earlier]
            first, *self._coming = [*(each for each in found if each is not None), self._given]
            self._predict(first)

    @property
    def can_replace(self) -> bool:
        """Whether the next change in the log is one that was foreseen."""
        return bool(self._coming)

    def replace(self, drawn: IntArray) -> None:
        """Replace what is predicted, after these draws."""
        before, now = self.present, self._coming.pop(0)
        assert isinstance(before, ClassPredictions)  # noqa: S101 - both are of a record, or like one
        assert isinstance(now, ClassPredictions)  # noqa: S101
        self.replaced.append(Earlier(drawn.size, before))
        # What was drawn before an earlier change has the rows of that time already.
        self._predict(with_rows_of(now, before, drawn))

    def _predict(self, present: Predictions) -> None:
        self.present, self.rows = present, OwnRows([present], self._costs)

    def seed(self, own: int) -> int:
        """Return the seed of the next draws, for a session with this one."""
        found: int = [*self._seeds, own][len(self.replaced)]
        return found

    def at(self, number: int) -> Predictions:
        """Return what was predicted at a draw."""
        then = (known for n_draws, known in self.replaced if number <= n_draws)
        return next(then, self.present)

    def models_at(self, number: int) -> list[Predictions]:
        """Return `at` as the models of a session; empty if predictions have not changed."""
        return [self.at(number)] if self.replaced else []

    def as_drawn(self, models: Sequence[Predictions]) -> list[Predictions]:
        """Return predictions for each instance as they were at its draw, or are now if it is not drawn."""
        return [self.present] if self.replaced else list(models)

    def of_draws(self, numbers: IntArray) -> list[Earlier]:
        """Return the replaced predictions with how many of some draws, ascending, are by them."""
        return [
            Earlier(int(np.searchsorted(numbers, n_draws, side="right")), known)
            for n_draws, known in self.replaced
        ]

    def within(self, part: Part | PartOfRows) -> "VoteHistory":
        """Return the history of a part of the pool."""
        if not self.replaced:
            [model] = part.models[:1]
            return VoteHistory(model)
        assert isinstance(part, Part)  # noqa: S101 - rows are not shared where votes change
        made = VoteHistory(self.present.part(part.members))
        made.replaced = [Earlier(n_draws, known.part(part.members)) for n_draws, known in self.replaced]
        return made
