"""Betting strategies with deadlines: which there are, and what they stake.

A test that is used at one number of draws n* needs no more evidence than a fixed-n test: a strategy that aims
at 1/α at n*, and at no other time, gets there nearly as often as the best test for n* rejects. It stops if it
gets there earlier, so that looking at it costs nothing. The price comes after n*: a strategy that missed its
goal has lost its wealth. The wealth is therefore divided among several strategies, each with a first deadline
that is doubled whenever it is over.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_count

FIRST_DEADLINES = (25, 50, 100, 200, 400, 800, 1600)
"""For the papers' protocol: the first deadline of each component, doubled whenever it is over. With fewer
components all would lose at the same time: with 50 to 400 only, the interval is a tenth wider after 1,600
draws."""

EARLY_DEADLINES = (5, 10, 20, 50, 100, 200, 400, 800, 1600)
"""For adaptive draws. Without the first three, the interval excludes almost nothing before 15 draws."""

_SHARE = 0.63
"""The initial share of the wealth of all components with deadlines. At no number of draws up to 1,600 is the
interval then wider than without deadlines by more than 2 or 3 %."""

_DECLARED_SHARE = 0.4
"""The share of the total wealth for declared deadlines."""

_MARGIN = 1.1
"""Components aim slightly above 1/α: draws come one by one, so that the wealth does not stop exactly
there."""

_ROOT_OF_2_PI = np.sqrt(2 * np.pi)

_MIN_CHANCE = 1e-12
"""Components with a smaller chance stake no more than at this one."""


class Allocation(NamedTuple):
    """The division of the wealth between components with deadlines; the rest is for those without.

    The shares of all components sum to at most 1, so that the total wealth is a martingale that starts at 1.
    """

    usual: tuple[float, ...]
    """The share of each of `firsts` if no deadline is declared."""
    declared: float
    """The total share of declared deadlines."""
    beside: tuple[float, ...]
    """The share of each of `firsts` if deadlines are declared."""
    firsts: tuple[int, ...] = FIRST_DEADLINES
    """The first deadline of each of the default components."""
    early: tuple[float, ...] = ()
    """The share of each of the components that begin with a constant stake, whatever is declared."""
    early_stakes: tuple[float, ...] = ()
    early_draws: int = 0
    """As for `Deadlines`."""
    early_firsts: tuple[int, ...] = ()
    """The first deadline of each."""


_N_USUAL = len(FIRST_DEADLINES)

PAPERS_ALLOCATION = Allocation(
    (_SHARE / _N_USUAL,) * _N_USUAL, _DECLARED_SHARE, ((_SHARE - _DECLARED_SHARE) / _N_USUAL,) * _N_USUAL
)
"""Equal shares, for the papers' protocol."""

ADAPTIVE_ALLOCATION = Allocation(
    (0.06, 0.07, 0.08, 0.09, 0.12, 0.13, 0.1, 0.05, 0.04),
    0.45,
    (0.03, 0.03, 0.03, 0.04, 0.05, 0.05, 0.03, 0.02, 0.01),
    EARLY_DEADLINES,
    early=(0.1, 0.05),
    early_stakes=(0.3, 0.75),
    early_draws=40,
    early_firsts=(100, 100),
)
"""For adaptive draws: a third for the first 20 labels, where the interval is widest; two fifths for 50 to
400."""


class Deadlines(NamedTuple):
    """Components with deadlines.

    The last ones are for the first labels: many of these draws are uniform, and neither a variance nor the
    model's expectations are known to be right. At first these components stake a constant share of what can
    be lost at once, without the model.
    """

    firsts: FloatArray
    """The first deadline of each, a number of draws; later ones double it."""
    shares: FloatArray
    """The initial share of each in the wealth."""
    early_stakes: FloatArray = np.zeros(0)
    """The constant stakes of the last ones, as shares of the stake that can lose all the wealth on one
    draw."""
    early_draws: int = 0
    """The number of draws for which these stakes are constant."""

    def after(self, n_draws: int) -> FloatArray:
        """Return the next deadline of each after a number of draws."""
        doubled = np.ceil(np.log2(np.maximum((n_draws + 1) / self.firsts, 1)))
        after: FloatArray = self.firsts * 2**doubled
        return after


def deadlines_of(
    declared: Sequence[int] | None = None, allocation: Allocation = PAPERS_ALLOCATION
) -> Deadlines:
    """Return the components for declared deadlines, or the default ones."""
    if declared is None:
        own: list[int] = []
    else:
        own = [check_count("deadlines", n) for n in declared]
        if min(own, default=1) < 1:
            raise ValueError(f"deadlines holds {min(own)}, expected numbers of draws, at least 1")
        if not own:
            return Deadlines(np.zeros(0), np.zeros(0))
    of_declared = [allocation.declared / max(len(own), 1)] * len(own)
    others = allocation.beside if own else allocation.usual
    return Deadlines(
        np.array([*own, *allocation.firsts, *allocation.early_firsts], dtype=np.float64),
        np.array([*of_declared, *others, *allocation.early]),
        np.array(allocation.early_stakes),
        allocation.early_draws,
    )


def next_goal(capital: FloatArray, goal: float) -> FloatArray:
    """Return the wealth to reach: the goal, or its next power once the goal is reached."""
    n_reached = np.floor(np.log(np.maximum(capital, 1.0) / _MARGIN * (1 + 1e-12)) / np.log(goal))
    powers: FloatArray = _MARGIN * goal ** (1 + np.maximum(n_reached, 0.0))
    return powers


def chances(capital: FloatArray, others: FloatArray, share: FloatArray, goal: FloatArray) -> FloatArray:
    """Return each component's chance of making the total wealth reach a goal.

    A component with wealth K and share w needs K* = (goal − the others' wealth)/w. Its chance is at most
    K/K*, because its wealth is a martingale.
    """
    wanted = np.maximum((goal - others) / share, 1e-9)
    found: FloatArray = capital / wanted
    return found


def deadline_stakes(chance: FloatArray, variance: FloatArray, n_sides: int = 1) -> FloatArray:
    """Return the stakes that maximize the chance of winning by a deadline, from u and V.

    Suppose that the remaining terms are small and normal, with a sum S of variance V until the deadline. A
    bet that pays 1 if S is above c, and 0 otherwise, is now worth u = Φ((S_now − c)/sqrt(V)). This is a
    martingale, and no test for that number of draws rejects more often. Its stake, as a share of its worth,
    is φ(Φ⁻¹(u))/(u sqrt(V)).

    Koning & van Meer, *Sequentializing a test: anytime validity is free*, JRSS-B 2026; Taga, Oymak & Shekhar,
    2026.
    """
    is_there = chance >= 1
    likely = np.maximum(chance, _MIN_CHANCE)
    if any_there := bool(is_there.any()):
        likely[is_there] = 0.5
    density = np.exp(-(ndtri(likely) ** 2) / 2) / _ROOT_OF_2_PI
    root = np.concatenate([np.sqrt(variance)] * n_sides)
    stakes: FloatArray = density / (likely * root)
    return np.where(is_there, 0.0, stakes) if any_there else stakes
