"""The events of a session's log, as frozen records; docs/reference/event-log.md explains the fields."""

from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, TypeAlias

SHEETS = ("prediction", "positive")
"""What a sheet asks for: what the model predicted wrongly, or the positive instances."""


@dataclass(frozen=True, kw_only=True)
class Event:
    """An event of a session."""

    kind: ClassVar[str]
    seq: int
    time: str
    who: str | None = None


@dataclass(frozen=True, kw_only=True)
class _InstanceEvent(Event):
    """An event about an instance."""

    instance: int
    instance_id: str


@dataclass(frozen=True, kw_only=True)
class _DrawEvent(_InstanceEvent):
    """An event about a draw."""

    draw: int
    q: float
    seconds: float | None = None
    first_key_seconds: float | None = None


@dataclass(frozen=True, kw_only=True)
class Labeled(_DrawEvent):
    """An instance was labeled."""

    kind = "label"
    value: Any
    from_session: str | None = None
    rater: str | None = None


@dataclass(frozen=True, kw_only=True)
class Deferred(_DrawEvent):
    """An instance was deferred, to be asked again."""

    kind = "defer"
    on_sheet: Any = None


@dataclass(frozen=True, kw_only=True)
class Excluded(_DrawEvent):
    """An instance was excluded because it can't be labeled."""

    kind = "exclude"
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Changed(_InstanceEvent):
    """The label of an instance was replaced."""

    kind = "change"
    was_asked: ClassVar[bool] = False  # for another label
    value: Any
    changed_seq: int


@dataclass(frozen=True, kw_only=True)
class Undone(Event):
    """An earlier event was undone."""

    kind = "undo"
    undone_seq: int


@dataclass(frozen=True, kw_only=True)
class Noted(_InstanceEvent):
    """A note was attached to an instance."""

    kind = "note"
    text: str


@dataclass(frozen=True, kw_only=True)
class Flagged(_InstanceEvent):
    """An instance was flagged, or its flag was removed."""

    kind = "flag"
    flagged: bool


@dataclass(frozen=True, kw_only=True)
class Drawn(Event):
    """A block of instances was drawn from a distribution that depends on the earlier labels."""

    kind = "draw"
    first: int
    instances: list[int]
    q: list[float]
    least: float
    sheet_cost: float | None = None


@dataclass(frozen=True, kw_only=True)
class CarriedOver(Event):
    """Labels of earlier sessions were carried over to instances of the same content, before any draw."""

    kind = "carry_over"
    session: str
    instances: list[int]
    values: list[Any]
    sessions: list[str]
    raters: list[str | None]
    n_before: int
    stream: int
    course: list[list[Any]]


@dataclass(frozen=True, kw_only=True)
class VotesChanged(Event):
    """A session went on under another name: all events before are by the earlier session's votes."""

    kind = "votes"
    session: str
    before: dict[str, list[Any]]  # see `earlier_votes.as_record`
    seed: int
    stream: int


@dataclass(frozen=True, kw_only=True)
class HandedOut(Event):
    """Draws were leased to a person or exported."""

    kind = "hand_out"
    draws: list[int]
    instances: list[int]
    q: list[float]
    to: str | None = None
    until: str | None = None
    is_opinion: bool = False
    sheet: str | None = None


@dataclass(frozen=True, kw_only=True)
class GaveOpinion(_DrawEvent):
    """A person gave an opinion on an instance. The label that counts stays."""

    kind = "opinion"
    value: Any = None
    reason: str | None = None
    is_asked: bool = True


@dataclass(frozen=True, kw_only=True)
class Adjudicated(Changed):
    """Somebody decided which label counts where opinions differ."""

    kind = "adjudicate"


@dataclass(frozen=True, kw_only=True)
class GuidelinesSet(Event):
    """The guidelines for labels were set or changed, and some of the labels so far are asked again."""

    kind = "guidelines"
    text: str
    instances: list[int]


@dataclass(frozen=True, kw_only=True)
class AskedAgain(Changed):
    """A label from before the present guidelines was asked for again; the new one counts, maybe the same."""

    kind = "ask_again"
    was_asked = True
    seconds: float | None = None


@dataclass(frozen=True, kw_only=True)
class BudgetLifted(Event):
    """The budget was lifted."""

    kind = "go_on"
    budget: int  # a session that is opened again with at most this one has none


@dataclass(frozen=True, kw_only=True)
class MarginSet(Event):
    """A margin was declared: a difference of two models that is too small to matter."""

    kind = "margin"
    margin: float | None  # None: every difference matters


Answer: TypeAlias = Labeled | Excluded
Action: TypeAlias = Labeled | Deferred | Excluded | Changed
AnyEvent: TypeAlias = (
    Action
    | GaveOpinion
    | Undone
    | Noted
    | Flagged
    | Drawn
    | CarriedOver
    | VotesChanged
    | HandedOut
    | BudgetLifted
    | MarginSet
    | GuidelinesSet
)

_KINDS: dict[str, type[AnyEvent]] = {
    cls.kind: cls
    for cls in (
        *(Labeled, Deferred, Excluded, Changed, Adjudicated, GaveOpinion, Undone, Noted, Flagged, Drawn),
        *(CarriedOver, VotesChanged, HandedOut, BudgetLifted, MarginSet, GuidelinesSet, AskedAgain),
    )
}


_RARE = frozenset({"who", "on_sheet", "sheet", "from_session", "rater", "sheet_cost"})
"""Fields that a record leaves out if they are None."""


def to_record(event: AnyEvent) -> dict[str, Any]:
    """Convert an event to a flat dictionary of JSON values, without what most events lack."""
    # `asdict` would copy lists element by element.
    values = [(name, value) for name, value in vars(event).items() if value is not None or name not in _RARE]
    return {
        "kind": event.kind,
        **{name: value.copy() if isinstance(value, dict | list) else value for name, value in values},
    }


def from_record(record: dict[str, Any]) -> AnyEvent:
    """Convert a record of `to_record` back to an event."""
    values = dict(record)
    cls = _KINDS.get(values.pop("kind", ""))
    known = {} if cls is None else {field.name: field.default for field in fields(cls)}
    required = {name for name, default in known.items() if default is MISSING}
    if cls is None or not required <= values.keys() <= known.keys():
        raise ValueError(f"the log holds an event that this version does not know: {record!r}")
    return cls(**values)
