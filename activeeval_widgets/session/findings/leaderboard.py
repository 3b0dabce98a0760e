"""The leaderboard: estimates for several models, and which may still be the best."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING

import pandas as pd

from activeeval_widgets.stats import Estimate, Measure
from activeeval_widgets.stats.text import joined_by_and

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


_PAIRWISE = (
    "Models are compared in pairs on the same instances, so one can be out although its interval "
    "overlaps others."
)


@dataclass(frozen=True)
class Placed:
    """A model on the leaderboard.

    Attributes
    ----------
    position : int
        The model's position in the session.
    name : str
        The name of the model.
    estimate : Estimate
        The estimate, with an interval that holds simultaneously with those of the other models.
    beaten_by : tuple of str
        The models that are known to be better. If this model is the best, it is empty with probability at
        least the confidence level.

    See Also
    --------
    Leaderboard : All models.

    Examples
    --------
    >>> models = {"old": [[0.9, 0.1]] * 3, "new": [[0.2, 0.8]] * 3}
    >>> session = Session(Pool(["a", "b", "c"], predictions=models), ErrorRate())
    >>> while session.next() is not None:
    ...     event = session.label(1)
    >>> session.leaderboard().models[1].beaten_by
    ('new',)
    """

    position: int
    name: str
    estimate: Estimate
    beaten_by: tuple[str, ...]

    @property
    def may_be_best(self) -> bool:
        """Whether no other model is known to be better."""
        return not self.beaten_by

    @property
    def verdict(self) -> str:
        """The models that are known to be better, as in "A and B are better"; "" if there is none."""
        if not self.beaten_by:
            return ""
        return f"{joined_by_and(self.beaten_by)} {'is' if len(self.beaten_by) == 1 else 'are'} better"


@dataclass(frozen=True)
class Leaderboard:
    """Several models, evaluated with the same labels; those that may be the best come first.

    Attributes
    ----------
    models : tuple of Placed
        The models, ordered by value; models without a value stay in the session's order.
    confidence_level : float
        The level at which no interval is ever wrong, and at which the best model is never ruled out.

    See Also
    --------
    Session.leaderboard : Returns it.

    Examples
    --------
    >>> models = {"old": [[0.9, 0.1]] * 3, "new": [[0.2, 0.8]] * 3}
    >>> session = Session(Pool(["a", "b", "c"], predictions=models), ErrorRate())
    >>> while session.next() is not None:
    ...     event = session.label(1)
    >>> board = session.leaderboard()
    >>> [each.name for each in board.models], board.best
    (['new', 'old'], 'new')
    """

    models: tuple[Placed, ...]
    confidence_level: float

    def __repr__(self) -> str:
        left = f"; {len(self.contenders)} may be the best" if self.best is None else ""
        return f"<Leaderboard of {len(self.models)} models: {self.leading}{left}. {self.leader.estimate}>"

    @property
    def leader(self) -> Placed:
        """The best model so far."""
        return self.models[0]

    @property
    def leading(self) -> str:
        """The first model in words: "A, the best so far", or "A, the best" once all others are ruled out."""
        return f"{self.leader.name}, the best{' so far' if self.best is None else ''}"

    @property
    def best(self) -> str | None:
        """The best model once all others are ruled out; None until then."""
        return self.contenders[0].name if len(self.contenders) == 1 else None

    @property
    def pairwise_note(self) -> str:
        """An explanation if a model is ruled out although its interval overlaps a contender's, else ""."""
        left = [each.estimate for each in self.models if each.may_be_best]
        out = [each.estimate for each in self.models if not each.may_be_best]
        overlap = any(one.low <= other.high and other.low <= one.high for one in out for other in left)
        return _PAIRWISE if overlap else ""

    @property
    def contenders(self) -> tuple[Placed, ...]:
        """The models that may be the best; all of them if, by error, each is called beaten."""
        return tuple(each for each in self.models if each.may_be_best) or self.models

    def to_frame(self) -> pd.DataFrame:
        """Return a table, one row per model: model, value, interval, standard error, and who beats it."""
        return pd.DataFrame(
            [
                {
                    "model": each.name,
                    "value": each.estimate.value,
                    "low": each.estimate.low,
                    "high": each.estimate.high,
                    "standard_error": each.estimate.standard_error,
                    "may_be_best": each.may_be_best,
                    "beaten_by": ", ".join(each.beaten_by),
                }
                for each in self.models
            ]
        )


def read_leaderboard(session: "Findings", measure: Measure, confidence_level: float) -> Leaderboard:
    """Compute the leaderboard from all labels; each difference of K models has level 1 − α/(K − 1)."""
    found = _estimates(session, measure, confidence_level)
    level = session.question.level_of_rivals(confidence_level)
    sides = {}
    for i, j in session.question.pairs:
        watched = session.of(i, j).watched(measure, confidence_level=level)
        sides[i, j] = side_of(watched.low, watched.high)
    return make_leaderboard(session.question.names, found, sides, measure, confidence_level)


def side_of(low: float, high: float) -> int:
    """Return 1 if a difference is known to be positive, −1 if negative, 0 if unknown or withheld."""
    return int(low > 0) - int(high < 0)


def better_of(side: int, measure: Measure) -> int | None:
    """Return which model is better given `side_of` their difference: 0, 1, or None if unknown."""
    return None if not side else int((side > 0) is not measure.greater_is_better)


def make_leaderboard(
    names: Sequence[str],
    found: Sequence[Estimate],
    sides: Mapping[tuple[int, int], int],
    measure: Measure,
    confidence_level: float,
) -> Leaderboard:
    """Assemble the leaderboard from estimates and sides of differences."""
    beaten: list[list[str]] = [[] for _ in names]
    for pair, side in sides.items():
        better = better_of(side, measure)
        if better is not None:
            beaten[pair[1 - better]].append(names[pair[better]])
    return Leaderboard(
        tuple(
            Placed(position, names[position], found[position], tuple(beaten[position]))
            for position in _ordered(found, beaten, measure)
        ),
        confidence_level,
    )


def _estimates(session: "Findings", measure: Measure, confidence_level: float) -> list[Estimate]:
    level = session.question.level_of_each(confidence_level)
    return [
        replace(
            session.of(position).estimate(measure, confidence_level=level), confidence_level=confidence_level
        )
        for position in range(len(session.models))
    ]


def _ordered(found: Sequence[Estimate], beaten: Sequence[Sequence[str]], measure: Measure) -> list[int]:
    """Order models: contenders first, as differences are known better than values."""
    sign = -1 if measure.greater_is_better else 1

    def key(position: int) -> tuple[bool, bool, float]:
        value = found[position].value
        is_known = isfinite(value)
        return bool(beaten[position]), not is_known, sign * value if is_known else 0.0

    return sorted(range(len(found)), key=key)
