"""All pairs of several models, with intervals of their differences that hold at once."""

from collections.abc import Sequence
from itertools import combinations

import pandas as pd

from activeeval_widgets.session.findings.leaderboard import better_of, side_of
from activeeval_widgets.stats import Estimate, Measure


def pairs_table(names: Sequence[str], found: Sequence[Estimate], measure: Measure) -> pd.DataFrame:
    """One row a pair; see `Session.pairs`."""
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
