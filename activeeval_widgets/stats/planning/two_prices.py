"""How many votes and how many labels are cheapest where votes have a price as well."""

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._equality import EqualByFields
from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import check_float_array, check_positive
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule
from activeeval_widgets.stats.adaptive.recalibration import recalibrate
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.planning.plan import Plan
from activeeval_widgets.stats.planning.planner import Planner
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import ClassBelief
from activeeval_widgets.stats.predictions.classes import ClassPredictions


@dataclass(frozen=True, eq=False)
class Purchase(EqualByFields):
    """Votes and labels for an interval of a given width.

    Attributes
    ----------
    n_votes : int
        The number of instances to buy votes for, besides those that have some.
    labels : Plan
        The forecast of the labels that a session takes with them, from its first draw.
    price : float
        The price of both; infinite if the pool is too small.

    See Also
    --------
    plan_votes : Make such purchases.

    Examples
    --------
    >>> labels = Plan(n_labels=120.0, low=90.0, high=160.0, n_draws=120.0)
    >>> Purchase(n_votes=400, labels=labels, price=400 * 0.05 + 120).price
    140.0
    """

    n_votes: int
    labels: Plan
    price: float


@dataclass(frozen=True, eq=False)
class VotePlan(EqualByFields):
    """What an interval of a given width costs with few, many and all votes.

    Attributes
    ----------
    none, between, all : Purchase
        No further votes; as many as make both prices together the lowest by the closed form; and all.

    See Also
    --------
    plan_votes : Make such a plan.

    Examples
    --------
    >>> labels = Plan(n_labels=120.0, low=90.0, high=160.0, n_draws=120.0)
    >>> few, many = Purchase(0, labels, price=120.0), Purchase(400, labels, price=140.0)
    >>> VotePlan(none=few, between=few, all=many).cheapest.n_votes
    0
    """

    none: Purchase
    between: Purchase
    all: Purchase

    @property
    def cheapest(self) -> Purchase:
        """The purchase with the lowest price, of several the one with the fewest votes."""
        return min((self.none, self.between, self.all), key=lambda each: (each.price, each.n_votes))


def plan_votes(
    measure: Measure,
    predictions: Predictions,
    half_width: float,
    *,
    price_of_vote: float,
    price_of_label: float,
    draws: ArrayLike = (),
    y_true: Any = (),
    q_draws: ArrayLike | None = None,
    current: tuple[float, float] | None = None,
    confidence_level: float = 0.95,
    rule: DrawRule = DRAW_RULE,
) -> VotePlan:
    """Plan how many votes and how many labels to buy for an interval of half-width `half_width`.

    An instance without a vote is predicted by the votes' average. This changes how many labels it takes,
    not whether the interval holds: draws have known probabilities on the whole pool, whatever guides them.
    Votes are taken to be on a random part of the instances without one, and to be as those that there are.

    Parameters
    ----------
    measure : Measure
        A measure of the labels themselves, such as `LabelShare` or `WinRate`.
    predictions : ClassPredictions
        The votes that there are, by `ClassPredictions.from_votes`, for some of the instances.
    half_width : float
        The target half-width, in the measure's unit.
    price_of_vote : float
        The price of an instance's votes, at least 0.
    price_of_label : float
        The price of a label, above 0.
    draws : array-like of shape (n_draws,)
        Labeled instances, whichever way they were chosen.
    y_true : array-like of shape (n_draws,)
        Their labels, which show how far votes can be trusted. Without `q_draws`, they don't count as draws.
    q_draws : array-like of shape (n_draws,), optional
        The probability of each draw of a session that goes on: forecasts are then of further labels, and no
        votes are bought for what is drawn.
    current : tuple of two floats, optional
        The session's present interval.
    confidence_level, rule
        As for `Planner`.

    Returns
    -------
    VotePlan

    Raises
    ------
    ValueError, TypeError
        If the measure needs predictions, there are no votes or no instance without one, or a price is not
        possible.

    See Also
    --------
    Planner : Forecast labels where votes are free, or there already.

    Notes
    -----
    With votes on a share s of the pool, draws in proportion to the labels' standard deviations σ take
    n(s) ∝ ((1 − s) σ_without + s σ_with)² labels, so that √n is linear in s. Its two ends are forecasts of
    `Planner`, and s minimizes `price_of_vote` · s m + `price_of_label` · n(s), for the m instances without a
    vote.

    References
    ----------
    Angelopoulos et al., *Cost-optimal active AI model evaluation*, 2025 (arXiv 2506.07949), for one
    asymptotic interval and instances that all have a vote.

    Examples
    --------
    >>> votes = [["pass"], ["pass"], ["fail"], [None]] * 300
    >>> judged = ClassPredictions.from_votes(votes)
    >>> plan = plan_votes(LabelShare("pass"), judged, 0.08, price_of_vote=10, price_of_label=1)
    >>> plan.all.n_votes, plan.cheapest.n_votes
    (300, 0)
    """
    pilot = _check_votes(measure, predictions)
    for_vote = float(check_float_array("price_of_vote", price_of_vote, ndim=0, shape="()"))
    if for_vote < 0:
        raise ValueError(f"price_of_vote must be at least 0, got {price_of_vote!r}")
    for_label = check_positive("price_of_label", price_of_label)
    drawn = np.asarray(draws, dtype=np.intp)
    labels = pilot.check_labels(y_true, drawn.size, f"{drawn.size} draws")
    assert pilot.voted is not None  # noqa: S101 - checked
    y_proba, gone = pilot.y_proba, np.zeros(0, dtype=np.intp)
    so_far: dict[str, Any] = {}
    if q_draws is None:
        belief = recalibrate(measure, [pilot], drawn, labels)
        assert isinstance(belief, ClassBelief)  # noqa: S101 - of classes
        y_proba = belief.y_proba
    else:
        gone = drawn
        so_far = {"draws": drawn, "y_true": labels, "q_draws": q_draws, "current": current}
    n_left = np.setdiff1d(np.flatnonzero(~pilot.voted), gone).size

    def bought(n_votes: int) -> Purchase:
        planner = Planner(
            measure,
            _with_votes(pilot, y_proba, n_votes, gone),
            confidence_level=confidence_level,
            rule=rule,
            n_calibrated=0 if so_far else drawn.size,
        )
        plan = planner.plan(half_width, **so_far)
        return Purchase(n_votes, plan, for_vote * n_votes + for_label * plan.n_labels)

    none, everything = bought(0), bought(n_left)
    n_without, n_with = (min(each.labels.n_labels, pilot.n_instances) for each in (none, everything))
    share = best_share(n_without, n_with, for_vote * n_left, for_label)
    return VotePlan(none, bought(round(share * n_left)), everything)


def best_share(n_without: float, n_with: float, price_of_votes: float, price_of_label: float) -> float:
    """Return the share s of votes that minimizes `price_of_votes` s + `price_of_label` n(s), from 0 to 1.

    √n(s) is linear in s, from `n_without` labels for s = 0 to `n_with` for s = 1.
    """
    saved = sqrt(n_without) - sqrt(n_with)
    if not saved > 0:
        return 0.0
    return min(max((sqrt(n_without) - price_of_votes / (2 * price_of_label * saved)) / saved, 0.0), 1.0)


def _check_votes(measure: Measure, predictions: Predictions) -> ClassPredictions:
    """Return votes on some instances, after checking that there are some and that more can be bought."""
    if not isinstance(predictions, ClassPredictions) or predictions.voted is None:
        raise TypeError(
            f"predictions are {predictions!r}, but votes are planned for one set of classes: make them with "
            "ClassPredictions.from_votes (--votes)"
        )
    if measure.needs_model:
        raise ValueError(
            f"measure is {measure.name!r}, which evaluates a verdict for each instance, and without a vote "
            "there is none: take one of the labels themselves, such as label-share or win-rate"
        )
    n_voted = int(np.count_nonzero(predictions.voted))
    if n_voted == predictions.n_instances:
        raise ValueError(
            f"each of the {n_voted:,} instances has a vote already, so there is none to buy: leave the "
            "prices out"
        )
    return predictions


def _with_votes(
    pilot: ClassPredictions, y_proba: FloatArray, n_votes: int, drawn: ArrayLike = ()
) -> ClassPredictions:
    """Return predictions as if further votes were there, evenly spread; the others expect the average."""
    assert pilot.voted is not None  # noqa: S101 - checked
    voted, silent = np.flatnonzero(pilot.voted), np.flatnonzero(~pilot.voted)
    made = y_proba.copy()
    made[silent] = y_proba[voted].mean(axis=0)
    left = np.setdiff1d(silent, drawn)
    made[left[_evenly(n_votes, left.size)]] = y_proba[voted[_evenly(n_votes, voted.size)]]
    found = ClassPredictions(made, pilot.classes, name=pilot.name, normalize=True)
    found.assists = pilot.assists
    return found


def _evenly(n: int, size: int) -> IntArray:
    """Return n positions below `size`, evenly spread."""
    return np.asarray(np.arange(n) * size // max(n, 1), dtype=np.intp)
