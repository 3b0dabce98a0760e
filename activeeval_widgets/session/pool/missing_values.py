"""Values that are missing."""

from typing import Any

import pandas as pd


def is_missing(value: Any) -> bool:
    """Return whether a value is None, NaN, NaT or NA."""
    return bool(pd.api.types.is_scalar(value) and pd.isna(value))
