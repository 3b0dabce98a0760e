"""Instances of any other kind, stored unchanged."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from activeeval_widgets.session.pool.fingerprints import fingerprint
from activeeval_widgets.session.pool.instances import Text
from activeeval_widgets.session.pool.kinds.base import KINDS, InstanceKind
from activeeval_widgets.stats import Predictions


class CustomKind(InstanceKind):
    """Any sequence, which may create its instances on demand. This kind is never guessed."""

    name = "custom"
    noun = "instances"

    def guess(self, instances: Any, first: Any) -> bool:  # noqa: ARG002
        """Return False."""
        return False

    def check(self, instances: Any) -> Any:
        """Return the instances unchanged."""
        return instances.tolist() if isinstance(instances, pd.Series) else instances

    def fingerprint(self, instances: Any) -> str:
        """Return their number, as custom instances are identified by their ids."""
        return (
            fingerprint(instances) if isinstance(instances, np.ndarray) else f"{self.name} {len(instances)}"
        )

    def content(self, instances: Any, index: int) -> Iterable[str | bytes] | None:
        """Return the content by a kind that fits the instance."""
        if isinstance(instances, pd.DataFrame):
            return KINDS["record"].content(instances, index)
        return next((kind.content(instances, index) for kind in _fitting(instances[index])), None)

    def words(self, instance: Any) -> str:
        """Return the words of a kind that fits the instance, or its parts."""
        if isinstance(instance, tuple | list) and all(isinstance(part, str | Text) for part in instance):
            return " | ".join(map(self.words, instance))
        return next((kind.words(instance) for kind in _fitting(instance)), super().words(instance))

    def words_at(self, instances: Any, index: int) -> str:
        """Return `words` of one of the instances, or of a row of a table."""
        one = instances.iloc[index] if isinstance(instances, pd.DataFrame) else instances[index]
        return KINDS["record"].words(one) if isinstance(one, pd.Series) else self.words(one)

    def items(self, instance: Any) -> tuple[Hashable, ...] | None:
        """Return the items of a kind that fits the instance, such as a `Ranking`."""
        return next((kind.items(instance) for kind in _fitting(instance)), None)

    def check_predictions(self, instances: Any, models: Sequence[Predictions]) -> None:
        """Accept all predictions, as the content of instances is unknown."""


def _fitting(instance: Any) -> list[InstanceKind]:
    return [kind for kind in KINDS.values() if kind.name != "custom" and kind.fits(instance)]
