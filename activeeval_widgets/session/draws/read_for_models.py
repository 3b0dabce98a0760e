"""A session's draws, restricted to some of its models."""

from collections.abc import Sequence
from typing import Any

from activeeval_widgets.session.draws.confidence_sequences import DrawnInterval
from activeeval_widgets.session.draws.labeled import Answered, LabeledDraws
from activeeval_widgets.session.draws.protocol import Draws
from activeeval_widgets.stats import ConfusionEstimate, ConfusionPair, Estimate, Measure, Predictions
from activeeval_widgets.stats._typing import IntArray


class DrawsOfModels:
    """Draws made for several models, with estimates for some of these; see `Draws`."""

    def __init__(self, draws: Draws, which: tuple[int, ...]) -> None:
        self._of_all, self._which = draws, which

    def __getattr__(self, name: str) -> Any:
        """Delegate to the draws, which don't depend on the chosen models."""
        return getattr(self._of_all, name)

    def rows_of(self, instances: Sequence[int] | IntArray) -> tuple[list[Predictions], IntArray]:
        """See `Draws.rows_of`."""
        return self._of_all.rows_of(instances, self._which)

    def check(self, measure: Measure) -> None:
        """See `Draws.check`."""
        self._of_all.check(measure, self._which)

    def estimate(self, measure: Measure, answered: Answered, **options: Any) -> list[Estimate]:
        """See `Draws.estimate`."""
        return self._of_all.estimate(measure, answered, which=self._which, **options)

    def confusion(
        self, measure: Measure, labeled: LabeledDraws, *, is_known: bool
    ) -> ConfusionEstimate | ConfusionPair:
        """See `Draws.confusion`."""
        return self._of_all.confusion(measure, labeled, is_known=is_known, which=self._which)

    def begin_interval(
        self,
        measure: Measure,
        confidence_level: float,
        y_range: tuple[float, float] | None,
        deadlines: tuple[int, ...] | None,
        which: tuple[int, ...] | None = None,
        filled: str | None = None,
    ) -> DrawnInterval:
        """See `Draws.begin_interval`."""
        return self._of_all.begin_interval(
            measure, confidence_level, y_range, deadlines, self._which if which is None else which, filled
        )

    def shared_rows(self, measure: Measure) -> None:
        """Return None, as estimates for some models use instances."""
