"""The pair of models that panels compare, and the joint level of their intervals."""

from collections.abc import Mapping, Sequence
from typing import Any

from activeeval_widgets.session import Session
from activeeval_widgets.session.report.differing import best_two

Pair = tuple[int, int]
"""Two models, by position."""

LEVEL = 0.95
"""The joint level of everything that a panel shows about pairs."""


def chosen_pair(session: Session, options: Mapping[str, Any]) -> Pair:
    """Return the pair that the person chose; by default, the current best two or the only two."""
    asked = options.get("pair")
    return best_two(session.findings) if asked is None else check_pair(asked, session.question.names)


def check_pair(asked: Any, names: Sequence[str]) -> Pair:
    """Validate the positions of two distinct models."""
    is_pair = isinstance(asked, list | tuple) and len(asked) == 2 and len(set(map(repr, asked))) == 2
    if not is_pair or not all(type(each) is int and 0 <= each < len(names) for each in asked):
        raise ValueError(f"pair must be two different models, from 0 to {len(names) - 1}, got {asked!r}")
    first, second = asked
    return first, second
