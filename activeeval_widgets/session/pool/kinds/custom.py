"""Whatever else there is: instances that are kept as they are."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from activeeval_widgets.session.pool.fingerprints import fingerprint
from activeeval_widgets.session.pool.instances import Text
from activeeval_widgets.session.pool.kinds.base import KINDS, InstanceKind
from activeeval_widgets.stats import Predictions


class CustomKind(InstanceKind):
    """Any sequence, which may make its instances when they are asked for. It is never guessed."""

    name = "custom"
    noun = "instances"

    def guess(self, instances: Any, first: Any) -> bool:  # noqa: ARG002
        """Never."""
        return False

    def check(self, instances: Any) -> Any:
        """The instances as they are."""
        return instances.tolist() if isinstance(instances, pd.Series) else instances

    def fingerprint(self, instances: Any) -> str:
        """Their number: they count by their ids alone."""
        return (
            fingerprint(instances) if isinstance(instances, np.ndarray) else f"{self.name} {len(instances)}"
        )

    def words(self, instance: Any) -> str:
        """The words of the kind that the instance could be of, or of all its parts."""
        if isinstance(instance, tuple | list) and all(isinstance(part, str | Text) for part in instance):
            return " | ".join(map(self.words, instance))
        return next((kind.words(instance) for kind in _fitting(instance)), super().words(instance))

    def words_at(self, instances: Any, index: int) -> str:
        """The same of one of them; of a table, a row."""
        one = instances.iloc[index] if isinstance(instances, pd.DataFrame) else instances[index]
        return KINDS["record"].words(one) if isinstance(one, pd.Series) else self.words(one)

    def items(self, instance: Any) -> tuple[Hashable, ...] | None:
        """What is graded of an instance that is a `Ranking`, say."""
        return next((kind.items(instance) for kind in _fitting(instance)), None)

    def check_predictions(self, instances: Any, models: Sequence[Predictions]) -> None:
        """Refuse nothing: what such an instance shows is not known here."""


def _fitting(instance: Any) -> list[InstanceKind]:
    return [kind for kind in KINDS.values() if kind.name != "custom" and kind.fits(instance)]
