"""Players who bet on having won by a deadline: who they are, and what they stake.

Watched at one number of draws n* alone, a test needs no more evidence than one that is looked at once: a
player who wants 1/α at n*, and nothing before or after, can stake so that he gets there nearly as often as
the best test for n* rejects. Whoever gets there earlier stops, so nothing is lost by looking. The price is
what comes after n*: a player who did not get there has nothing left. So there are several, who share the
capital: each has a first deadline, and once that is over he goes on for twice the number of draws.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_count

FIRST_DEADLINES = (25, 50, 100, 200, 400, 800, 1600)
"""Of draws by the papers' protocol: for each of these somebody watches, and then for its doubles. If there
were fewer, all of them would have lost at the same time: with 50 to 400 alone the interval is wider by a
tenth after 1,600 draws."""

EARLY_DEADLINES = (5, 10, 20, 50, 100, 200, 400, 800, 1600)
"""Of adaptive draws. Without the first three, the interval excludes next to nothing before 15 draws."""

_SHARE = 0.63
"""What all players with deadlines have of the capital in the beginning; the others never look at a clock. At
no number of draws up to 1,600 is the interval then wider than without deadlines by more than 2 or 3 %."""

_DECLARED_SHARE = 0.4
"""What those have of the whole capital whose deadlines were declared."""

_MARGIN = 1.1
"""They play for a little more than 1/α: draws come one by one, so a capital does not stop right there."""

_ROOT_OF_2_PI = np.sqrt(2 * np.pi)

_LEAST_CHANCE = 1e-12
"""Stakes of players who have less of a chance are no larger than theirs."""


class Allocation(NamedTuple):
    """How the capital is divided between players with deadlines; the rest is for those without.

    The shares of all players, with and without a declared deadline, sum to at most 1: then the whole capital
    is a martingale that begins at 1.

    Attributes
    ----------
    usual : tuple of float
        The share of each of `firsts` where no deadline is declared.
    declared : float
        What those have together whose deadlines were declared.
    beside : tuple of float
        The share of each of `firsts` then.
    firsts : tuple of int
        The first deadline of each of the usual players.
    """

    usual: tuple[float, ...]
    declared: float
    beside: tuple[float, ...]
    firsts: tuple[int, ...] = FIRST_DEADLINES


_N_USUAL = len(FIRST_DEADLINES)

PAPERS_ALLOCATION = Allocation(
    (_SHARE / _N_USUAL,) * _N_USUAL, _DECLARED_SHARE, ((_SHARE - _DECLARED_SHARE) / _N_USUAL,) * _N_USUAL
)
"""Equal shares: of draws by the papers' protocol."""

ADAPTIVE_ALLOCATION = Allocation(
    (0.09, 0.09, 0.08, 0.11, 0.14, 0.13, 0.11, 0.07, 0.06),
    0.45,
    (0.08, 0.07, 0.06, 0.06, 0.06, 0.05, 0.04, 0.03, 0.02),
    EARLY_DEADLINES,
)
"""Of adaptive draws: a quarter for the first 20 labels, where the interval is widest; half for 50 to 400."""


class Deadlines(NamedTuple):
    """Players with deadlines.

    Attributes
    ----------
    firsts : ndarray of shape (n_players,)
        The first deadline of each, a number of draws; the next ones are its doubles.
    shares : ndarray of shape (n_players,)
        What each has of the capital in the beginning.
    """

    firsts: FloatArray
    shares: FloatArray

    def after(self, n_draws: int) -> FloatArray:
        """The next deadline of each after a number of draws."""
        doubled = np.ceil(np.log2(np.maximum((n_draws + 1) / self.firsts, 1)))
        after: FloatArray = self.firsts * 2**doubled
        return after


def deadlines_of(
    declared: Sequence[int] | None = None, allocation: Allocation = PAPERS_ALLOCATION
) -> Deadlines:
    """Who has which deadline."""
    if declared is None:
        own: list[int] = []
    else:
        own = [check_count("deadlines", n) for n in declared]
        if min(own, default=1) < 1:
            raise ValueError(f"deadlines holds {min(own)}, expected numbers of draws, at least 1")
        if not own:
            return Deadlines(np.zeros(0), np.zeros(0))
    others = np.array(allocation.beside if own else allocation.usual)
    return Deadlines(
        np.array([*own, *allocation.firsts], dtype=np.float64),
        np.concatenate([np.full(len(own), (allocation.declared if own else 0.0) / max(len(own), 1)), others]),
    )


def next_goal(capital: FloatArray, goal: float) -> FloatArray:
    """What the whole capital is to reach: the goal, or the next of its powers where it is there already."""
    n_reached = np.floor(np.log(np.maximum(capital, 1.0) / _MARGIN * (1 + 1e-12)) / np.log(goal))
    powers: FloatArray = _MARGIN * goal ** (1 + np.maximum(n_reached, 0.0))
    return powers


def chances(capital: FloatArray, others: FloatArray, share: FloatArray, goal: FloatArray) -> FloatArray:
    """What is left of players' chances to make the whole capital reach a goal.

    A player with capital K whose share is w needs K* = (goal − what the others have)/w: he has a chance of
    K/K* at the most, for his capital is a martingale.

    Parameters
    ----------
    capital : ndarray of shape (n_players, …)
        K, 1 in the beginning.
    others : ndarray of the same shape
        What all others have together, each by its share.
    share : ndarray that goes with them
        w.
    goal : ndarray that goes with them
        What the whole capital has to reach.
    """
    wanted = np.maximum((goal - others) / share, 1e-9)
    found: FloatArray = capital / wanted
    return found


def deadline_stakes(chance: FloatArray, variance: FloatArray, n_sides: int = 1) -> FloatArray:
    """The stakes with which players are the most likely to win in time.

    If the terms to come were small and normal, with a sum S of variance V until the deadline, a bet that pays
    1 there where S is above c, and nothing else, would be worth u = Φ((S_now − c)/sqrt(V)) now: a martingale,
    and no test for that number of draws rejects more often. Its stake, as a share of what it is worth, is
    φ(Φ⁻¹(u))/(u sqrt(V)).

    Parameters
    ----------
    chance : ndarray of shape (n_sides * n_players, n)
        u.
    variance : ndarray of shape (n_players, n)
        V, the same on each side.
    n_sides : int
        How many sides there are.

    References
    ----------
    Koning & van Meer, *Sequentializing a test: anytime validity is free*, JRSS-B 2026; Taga, Oymak & Shekhar,
    2026.
    """
    is_there = chance >= 1
    likely = np.maximum(chance, _LEAST_CHANCE)
    likely[is_there] = 0.5
    density = np.exp(-(ndtri(likely) ** 2) / 2) / _ROOT_OF_2_PI
    root = np.concatenate([np.sqrt(variance)] * n_sides)
    return np.where(is_there, 0.0, density / (likely * root))
