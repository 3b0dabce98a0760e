"""The range of labels that predictions suggest, for values whose range was not given."""

from bisect import insort
from collections.abc import Sequence
from copy import copy
from typing import Any, Self

from activeeval_widgets.stats.anytime.limit_conditions import WITH_REPLACEMENT
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.text import significant

_FAR = 10
"""An error this many times the median error suggests a heavy tail: the largest of 400 Gaussian errors is
about 5 times the median, of 400 Laplace errors about 9 times."""


def assumed_range(models: Sequence[Predictions]) -> tuple[float, float] | None:
    """Return the range of labels that predictions suggest, a guess; None if they suggest none."""
    first, *others = models
    return first.assumed_range(others)


class Assumption:
    """The assumption that labels lie in the range that predictions suggest, checked against each label."""

    def __init__(self, models: Sequence[Predictions]) -> None:
        self.bounds = assumed_range(models)
        self._models = models
        self.restart()

    def restart(self) -> None:
        """Forget all labels."""
        self._sizes: list[float] = []
        self._is_outside = False

    def copy(self) -> Self:
        """Return a copy that has seen the same labels."""
        made = copy(self)
        made._sizes = self._sizes.copy()
        return made

    def add(self, draw: int, y: Any, own: Sequence[Predictions] | None = None) -> None:
        """Add a label or None; `own` is the drawn instance's predictions, one row."""
        if y is None:
            return
        value = float(y)
        models, at = (self._models, draw) if own is None else (own, 0)
        insort(self._sizes, max(model.distance(at, value) for model in models))
        if self.bounds is not None:
            self._is_outside |= not self.bounds[0] <= value <= self.bounds[1]

    @property
    def is_refuted(self) -> bool:
        """Whether a label was outside, or no range is suggested; this holds until `restart`."""
        return self._is_outside or self.bounds is None

    @property
    def reason_withheld(self) -> str | None:
        """Why there is no interval; None if there is one."""
        remedy = "Give y_range, the smallest and the largest possible label, for an interval."
        if self.bounds is None:
            return f"No interval: nothing limits how large an error can be. {remedy}"
        if self._is_outside:
            return (
                f"No interval: a label was outside {_in_words(self.bounds)}, which the "
                f"predictions suggest, so nothing limits how large an error can be. {remedy}"
            )
        if len(self._sizes) < WITH_REPLACEMENT.n_labels:
            n = WITH_REPLACEMENT.n_labels
            return f"No interval before {n} labels, as there is no y_range. {remedy}"
        if self._sizes[-1] > _FAR * self._sizes[len(self._sizes) // 2]:
            return (
                f"No interval: the largest error is more than {_FAR} times the median one, so rare errors "
                f"may be larger still. {remedy}"
            )
        return None


def _in_words(bounds: tuple[float, float]) -> str:
    return " to ".join(significant(each, 4) for each in bounds)


def reason_assumed(bounds: tuple[float, float]) -> str:
    """Return the caveat of an interval that assumes the range."""
    return (
        f"Approximate: it assumes that no label lies outside {_in_words(bounds)}, which "
        "the predictions suggest. If larger errors can happen, even rarely, do not rely on it. "
        "Give y_range, the smallest and the largest possible label, for an interval that holds."
    )
