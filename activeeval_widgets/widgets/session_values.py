"""The values of a session that widgets have as traits."""

from collections.abc import Mapping
from math import nan
from typing import Any, NamedTuple

from activeeval_widgets.session import Session
from activeeval_widgets.session.log.events import Changed, Labeled


class SessionValues(NamedTuple):
    """The values of the traits."""

    n_labels: int
    n_draws: int
    value: float
    low: float
    high: float
    is_done: bool
    instance_id: str | None
    label: Any

    @classmethod
    def of(cls, session: Session, state: Mapping[str, Any]) -> "SessionValues":
        """Return the values in a page's state, which may lack an estimate and a queue."""
        estimate, queue = state.get("estimate", {}), state.get("queue", [])
        return cls(
            n_labels=state["n_labels"],
            n_draws=state["n_draws"],
            value=_number(estimate.get("value")),
            low=_number(estimate.get("low")),
            high=_number(estimate.get("high")),
            is_done=bool(state.get("is_done", False)),
            instance_id=queue[0]["id"] if queue else None,
            label=_latest_label(session),
        )


def _number(value: float | None) -> float:
    return nan if value is None else float(value)


def _latest_label(session: Session) -> Any:
    given = (event for event in reversed(session.log.actions) if isinstance(event, Labeled | Changed))
    latest = next(given, None)
    return None if latest is None else session.log.label_of(latest.instance)
