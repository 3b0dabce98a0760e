"""How many votes and labels are cheapest for a margin of error, before the first label, in words."""

from math import inf
from typing import Any

from activeeval_widgets.session import Session
from activeeval_widgets.stats.planning.two_prices import Purchase, VotePlan, plan_votes
from activeeval_widgets.stats.text import two_digits
from activeeval_widgets.widgets.start.plans import labels_in_words

_WHOLE = 10
"""Prices from this one on are shown as whole numbers."""


def planned_votes(
    session: Session, half_width: float, *, price_of_vote: float, price_of_label: float
) -> VotePlan:
    """Plan votes and labels for a new session; labels that its file holds show how good votes are.

    If it goes on with the draws of an earlier one, forecasts are of further labels.

    Raises
    ------
    ValueError, TypeError
        If the session is not about votes, or draws or labels have other costs.
    """
    if session.draws.is_replaced:
        raise ValueError("prices are for adaptive draws: leave the prices, or protocol, out")
    if session.pool.costs is not None:
        raise ValueError("prices are for labels that all cost the same: leave the prices, or cost, out")
    if session.question.pairs:
        what = session.question.in_words
        raise ValueError(f"prices are for the votes of judges, not for {what}: leave them out")
    known = {} if session.pool.known is None else session.pool.known.values
    known |= {index: label.value for index, label in session.log.state.carried.items()}
    draws: Any = [*known]
    y_true: Any = [*known.values()]
    so_far: dict[str, Any] = {}
    if session.log.state.went_on:
        draws, y_true = session.draws.labeled()
        watched = session.watched()
        so_far = {"q_draws": session.draws.q_draws(), "current": (watched.low, watched.high)}
    return plan_votes(
        session.measure,
        session.pool.models[0],
        half_width,
        price_of_vote=price_of_vote,
        price_of_label=price_of_label,
        draws=draws,
        y_true=y_true,
        **so_far,
        confidence_level=session.watched().confidence_level,
        rule=session.draws.rule_of_q,
    )


def vote_plan_lines(session: Session, plan: VotePlan) -> list[str]:
    """Return a line for each purchase, and one that names the cheapest."""
    lines = [_line(session, _votes(session, plan.none), plan.none)]
    if 0 < plan.between.n_votes < plan.all.n_votes:
        lines.append(_line(session, _votes(session, plan.between), plan.between))
    lines.append(_line(session, f"{_votes(session, plan.all)}, all that are left", plan.all))
    if plan.cheapest.price < inf:
        lines.append(f"Cheapest: {_votes(session, plan.cheapest)}. Keep rows without votes in the file.")
    return lines


def _votes(session: Session, bought: Purchase) -> str:
    return f"votes for {bought.n_votes:,} more {session.pool.noun}" if bought.n_votes else "no more votes"


def _line(session: Session, votes: str, bought: Purchase) -> str:
    price = f", about {_rounded(bought.price)} for both" if bought.price < inf else ""
    return f"  {votes}: {labels_in_words(session, bought.labels)}{price}"


def _rounded(price: float) -> str:
    return f"{two_digits(price):,}" if price >= _WHOLE else f"{price:.2g}"
