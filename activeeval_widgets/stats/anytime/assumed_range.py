"""How large labels that are values may be taken to be where nobody has said: what predictions let assume."""

from bisect import insort
from collections.abc import Sequence
from copy import copy
from typing import Any, Self

from activeeval_widgets.stats.anytime.limit_conditions import WITH_REPLACEMENT
from activeeval_widgets.stats.predictions.base import Predictions

_FAR = 10
"""An error this many times as large as the median one is a sign of a heavy tail: of 400 Gaussian errors the
largest is some 5 times the median, of Laplace's 9 times."""


def assumed_range(models: Sequence[Predictions]) -> tuple[float, float] | None:
    """The smallest and the largest label that predictions let assume; None where they tell nothing.

    See `ValuePredictions.assumed_range`. It is a guess: rare labels outside of it, of
    which none was seen, are not ruled out by anything.
    """
    first, *others = models
    return first.assumed_range(others)


class Assumption:
    """That labels lie within the range that predictions suggest, held against the labels as they come.

    Attributes
    ----------
    bounds : tuple of two floats, or None
        The range; None where predictions suggest none.
    """

    def __init__(self, models: Sequence[Predictions]) -> None:
        self.bounds = assumed_range(models)
        self._models = models
        self.restart()

    def restart(self) -> None:
        """Forget all labels."""
        self._sizes: list[float] = []
        self._is_outside = False

    def copy(self) -> Self:
        """Another one that has seen the same labels."""
        made = copy(self)
        made._sizes = self._sizes.copy()
        return made

    def add(self, draw: int, y: Any, own: Sequence[Predictions] | None = None) -> None:
        """Take in a label; None is none. `own`: what is predicted for the drawn instance itself, one row."""
        if y is None:
            return
        value = float(y)
        models, at = (self._models, draw) if own is None else (own, 0)
        insort(self._sizes, max(model.distance(at, value) for model in models))
        if self.bounds is not None:
            self._is_outside |= not self.bounds[0] <= value <= self.bounds[1]

    @property
    def is_refuted(self) -> bool:
        """Whether a label was outside, or no range is suggested; it stays so until `restart`."""
        return self._is_outside or self.bounds is None

    @property
    def reason_withheld(self) -> str | None:
        """Why there is no interval; None where there is one."""
        remedy = "Give y_range, the smallest and the largest possible label, for an interval."
        if self.bounds is None:
            return f"No interval: nothing limits how large an error can be. {remedy}"
        if self._is_outside:
            return (
                f"No interval: a label was outside {self.bounds[0]:.4g} to {self.bounds[1]:.4g}, which the "
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


def reason_assumed(bounds: tuple[float, float]) -> str:
    """What an interval rests on that takes the range for granted."""
    return (
        f"Approximate: it assumes that no label lies outside {bounds[0]:.4g} to {bounds[1]:.4g}, "
        "which the predictions suggest. If larger errors can happen, even rarely, do not rely on it. "
        "Give y_range, the smallest and the largest possible label, for an interval that holds."
    )
