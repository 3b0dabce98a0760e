"""Which two models panels tell of, and how their intervals hold."""

from collections.abc import Mapping, Sequence
from typing import Any

from activeeval_widgets.session import Session
from activeeval_widgets.session.report.differing import best_two

Pair = tuple[int, int]
"""Two models, by their positions."""

LEVEL = 0.95
"""Of all that a panel shows of pairs at once."""


def chosen_pair(session: Session, options: Mapping[str, Any]) -> Pair:
    """The pair that the person chose; unless he has, the best two so far, or all two that there are."""
    asked = options.get("pair")
    return best_two(session.findings) if asked is None else check_pair(asked, session.question.names)


def check_pair(asked: Any, names: Sequence[str]) -> Pair:
    """Two different models' positions."""
    is_pair = isinstance(asked, list | tuple) and len(asked) == 2 and len(set(map(repr, asked))) == 2
    if not is_pair or not all(type(each) is int and 0 <= each < len(names) for each in asked):
        raise ValueError(f"pair must be two different models, from 0 to {len(names) - 1}, got {asked!r}")
    first, second = asked
    return first, second
