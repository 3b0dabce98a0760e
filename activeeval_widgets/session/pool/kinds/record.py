"""Rows of a table."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from activeeval_widgets.session.pool.fingerprints import digest_of_parts, frame_parts
from activeeval_widgets.session.pool.kinds.base import InstanceKind, check_each


class RecordKind(InstanceKind):
    """A DataFrame, or mappings from column to value."""

    name = "record"
    noun = "records"

    def fits(self, instance: Any) -> bool:
        """Whether it is a mapping."""
        return isinstance(instance, Mapping)

    def guess(self, instances: Any, first: Any) -> bool:
        """Whether it is a table, or begins with a mapping."""
        return isinstance(instances, pd.DataFrame) or self.fits(first)

    def check(self, instances: Any) -> pd.DataFrame:
        """The records as a table."""
        if isinstance(instances, pd.DataFrame):
            return instances
        return pd.DataFrame(check_each(instances, self.fits, "a mapping, column to value"))

    def fingerprint(self, instances: Any) -> str:
        """A digest of all columns."""
        return digest_of_parts(self.name, frame_parts(instances))

    def words(self, instance: Any) -> str:
        """All values, with the columns' names."""
        return "; ".join(f"{name}: {value}" for name, value in instance.items())

    def words_at(self, instances: Any, index: int) -> str:
        """The same of a row."""
        return self.words(instances.iloc[index])
