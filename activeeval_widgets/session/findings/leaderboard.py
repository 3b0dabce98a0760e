"""Several models by the same labels: each one's measure, and who may still be the best."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING

import pandas as pd

from activeeval_widgets.stats import Estimate, Measure

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
        Which of the session's models it is.
    name : str
        Its name.
    estimate : Estimate
        Of its own measure; its interval holds together with those of all other models.
    beaten_by : tuple of str
        The models that are better than it; with the confidence level that is true of none of them by mistake,
        if it is the best.

    See Also
    --------
    Leaderboard : all of them.

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
        """Whether no other one is known to be better."""
        return not self.beaten_by


@dataclass(frozen=True)
class Leaderboard:
    """Several models by the same labels: those that may be the best first, by their values.

    Attributes
    ----------
    models : tuple of Placed
        Each model; where the measure is not defined yet, in the order in which they were given.
    confidence_level : float
        With it no interval is ever wrong; and with it the best model is never among those that are out.

    See Also
    --------
    Session.leaderboard : gives it.

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
        first = self.leader.name if self.best is None else self.best
        left = len(self.contenders)
        known = f"the best so far, {left} may be the best" if self.best is None else "the best"
        return f"<Leaderboard of {len(self.models)} models: {first} is {known}. {self.leader.estimate}>"

    @property
    def leader(self) -> Placed:
        """The best so far."""
        return self.models[0]

    @property
    def best(self) -> str | None:
        """The best model, once all others are out; None until then."""
        return self.contenders[0].name if len(self.contenders) == 1 else None

    @property
    def pairwise_note(self) -> str:
        """Why a model is out whose interval overlaps that of one that is not; "" where none is."""
        left = [each.estimate for each in self.models if each.may_be_best]
        out = [each.estimate for each in self.models if not each.may_be_best]
        overlap = any(one.low <= other.high and other.low <= one.high for one in out for other in left)
        return _PAIRWISE if overlap else ""

    @property
    def contenders(self) -> tuple[Placed, ...]:
        """Those that may be the best; all, where by mistake each is called beaten by another."""
        return tuple(each for each in self.models if each.may_be_best) or self.models

    def to_frame(self) -> pd.DataFrame:
        """One row a model: name, value, low, high, standard_error, may_be_best, beaten_by."""
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
    """All models by the labels so far.

    That a model is out rests on the intervals of differences, each of level 1 − α/(K − 1): of the K − 1 that
    the best model takes part in, none is ever wrong with probability 1 − α.
    """
    found = _estimates(session, measure, confidence_level)
    level = session.question.level_of_rivals(confidence_level)
    sides = {}
    for i, j in session.question.pairs:
        watched = session.of(i, j).watched(measure, confidence_level=level)
        sides[i, j] = side_of(watched.low, watched.high)
    return placed(session.question.names, found, sides, measure, confidence_level)


def side_of(low: float, high: float) -> int:
    """1 where a difference is known to be above 0, −1 where below; 0 while neither is known.

    An interval that is withheld is the whole range, so it says neither.
    """
    return int(low > 0) - int(high < 0)


def better_of(side: int, measure: Measure) -> int | None:
    """Which of two is better by `side_of` their difference: 0 the first, 1 the second; None: not known."""
    return None if not side else int((side > 0) is not measure.greater_is_better)


def placed(
    names: Sequence[str],
    found: Sequence[Estimate],
    sides: Mapping[tuple[int, int], int],
    measure: Measure,
    confidence_level: float,
) -> Leaderboard:
    """The leaderboard."""
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
    """First those that may be the best: differences are known better than what each reaches by itself."""
    sign = -1 if measure.greater_is_better else 1

    def key(position: int) -> tuple[bool, bool, float]:
        value = found[position].value
        is_known = isfinite(value)
        return bool(beaten[position]), not is_known, sign * value if is_known else 0.0

    return sorted(range(len(found)), key=key)
