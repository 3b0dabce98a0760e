"""All pairs of several models, with simultaneous intervals of their differences."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pandas as pd

from activeeval_widgets.session.findings.leaderboard import better_of, side_of
from activeeval_widgets.stats import Estimate, Measure

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings

Pair = tuple[int, int]
"""Two models, by position."""


def pairs_table(names: Sequence[str], found: Sequence[Estimate], measure: Measure) -> pd.DataFrame:
    """Return a table with one row per pair; see `Session.pairs`."""
    rows = []
    for (first, second), each in zip(combinations(names, 2), found, strict=True):
        better = better_of(side_of(each.low, each.high), measure)
        rows.append(
            {
                "first": first,
                "second": second,
                "difference": each.value,
                "low": each.low,
                "high": each.high,
                "standard_error": each.standard_error,
                "better": "" if better is None else (first, second)[better],
                "is_asymptotic": each.is_asymptotic,
            }
        )
    return pd.DataFrame(rows)


def best_two(findings: "Findings") -> Pair:
    """Return the positions of two models, or of the best two so far."""
    if not findings.question.is_of_leader:
        [two] = findings.question.pairs
        return two
    one, other, *_ = findings.leaderboard().models
    return one.position, other.position


def chosen_pair(findings: "Findings", options: Mapping[str, Any]) -> Pair:
    """Return the pair that the person chose; by default, the current best two or the only two."""
    asked = options.get("pair")
    return best_two(findings) if asked is None else check_pair(asked, findings.question.names)


def check_pair(asked: Any, names: Sequence[str]) -> Pair:
    """Validate the positions of two distinct models."""
    is_pair = isinstance(asked, list | tuple) and len(asked) == 2 and len(set(map(repr, asked))) == 2
    if not is_pair or not all(type(each) is int and 0 <= each < len(names) for each in asked):
        raise ValueError(f"pair must be two different models, from 0 to {len(names) - 1}, got {asked!r}")
    first, second = asked
    return first, second
