"""Instances without contents, known by their ids, their number and a digest."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from activeeval_widgets.session.pool.kinds.base import InstanceKind
from activeeval_widgets.stats import Predictions


@dataclass(frozen=True)
class Absent:
    """An instance without content."""

    id: str
    kind: str
    noun: str
    items: tuple[Hashable, ...] | None = None


class AbsentInstances:
    """A sequence of a pool's instances without their contents."""

    def __init__(
        self,
        ids: Sequence[str],
        *,
        kind: str,
        noun: str,
        digest: str,
        items: Sequence[Sequence[Hashable]] | None = None,
    ) -> None:
        self.ids, self.kind, self.noun, self.digest, self.items = ids, kind, noun, digest, items

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, index: int) -> Absent:
        items = None if self.items is None else tuple(self.items[index])
        return Absent(self.ids[index], self.kind, self.noun, items)


class AbsentKind(InstanceKind):
    """`AbsentInstances`, for sessions that were written to a file without contents."""

    name = "absent"
    noun = "instances"
    types = (Absent,)
    is_named = False

    def guess(self, instances: Any, first: Any) -> bool:  # noqa: ARG002
        """Return whether the instances have no contents."""
        return isinstance(instances, AbsentInstances)

    def check(self, instances: Any) -> AbsentInstances:
        """Return the instances unchanged."""
        if not isinstance(instances, AbsentInstances):
            raise TypeError(f"instances must be AbsentInstances, got {instances!r:.80}")
        return instances

    def fingerprint(self, instances: Any) -> str:
        """Return the digest of the missing contents."""
        return str(instances.digest)

    def content(self, instances: Any, index: int) -> None:
        """Return None."""

    def called(self, instances: Any) -> tuple[str, str]:
        """Return the original kind and its noun."""
        return instances.kind, instances.noun

    def fields(self, instances: Any, index: int) -> dict[str, Any]:  # noqa: ARG002
        """Return no fields."""
        return {}

    def items(self, instance: Any) -> tuple[Hashable, ...] | None:
        """Return the items to grade."""
        found: tuple[Hashable, ...] | None = instance.items
        return found

    def with_items(self, instances: Any, items: Sequence[Sequence[Hashable]]) -> Any:
        """Return the instances with the given items; see the base class."""
        if isinstance(instances, AbsentInstances):
            return AbsentInstances(
                instances.ids, kind=instances.kind, noun=instances.noun, digest=instances.digest, items=items
            )
        return [replace(each, items=tuple(wanted)) for each, wanted in zip(instances, items, strict=True)]

    def check_predictions(self, instances: Any, models: Sequence[Predictions]) -> None:
        """Reject rankings of unknown items."""
        if models[0].label_kind != "grades":
            return
        for position in range(len(instances)):
            shown = set(instances[position].items or ())
            missing = [item for model in models for item in model.items(position) if item not in shown]
            if missing:
                raise ValueError(f"instances[{position}] has no item {missing[0]!r}, which is ranked")
