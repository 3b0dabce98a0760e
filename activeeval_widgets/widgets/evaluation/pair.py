"""Which two models panels tell of, and how their intervals hold."""

from collections.abc import Mapping
from typing import Any

from activeeval_widgets.session import Session

Pair = tuple[int, int]
"""Two models, by their positions."""

LEVEL = 0.95
"""Of all that a panel shows of pairs at once."""


def chosen_pair(session: Session, options: Mapping[str, Any]) -> Pair:
    """The pair that the person chose; unless he has, the best two so far, or all two that there are."""
    n = len(session.models)
    asked = options.get("pair")
    if asked is None:
        if n == 2:
            return 0, 1
        first, second, *_ = session.leaderboard().models
        return first.position, second.position
    return check_pair(asked, n)


def check_pair(asked: Any, n_models: int) -> Pair:
    """Two different models' positions."""
    is_pair = isinstance(asked, list | tuple) and len(asked) == 2 and len(set(map(repr, asked))) == 2
    if not is_pair or not all(type(each) is int and 0 <= each < n_models for each in asked):
        raise ValueError(f"pair must be two different models, from 0 to {n_models - 1}, got {asked!r}")
    first, second = asked
    return first, second
