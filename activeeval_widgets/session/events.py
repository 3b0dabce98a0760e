"""What happened, as frozen records: a session's log is a list of these, and everything follows from it."""

from dataclasses import MISSING, asdict, dataclass, fields
from typing import Any, ClassVar, TypeAlias


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened.

    Attributes
    ----------
    seq : int
        The event's number in its session's log, from 1.
    time : str
        When it happened: ISO 8601, UTC.
    """

    kind: ClassVar[str]
    seq: int
    time: str


@dataclass(frozen=True, kw_only=True)
class _DrawEvent(Event):
    """Something that happened to a drawn instance.

    Attributes
    ----------
    draw : int
        The number of the draw, from 1.
    instance : int
        The instance's index in the pool.
    instance_id : str
        Its id.
    q : float
        The probability with which this draw gave this instance.
    seconds : float or None
        How long the instance was on screen, where that is known.
    """

    draw: int
    instance: int
    instance_id: str
    q: float
    seconds: float | None = None


@dataclass(frozen=True, kw_only=True)
class Labeled(_DrawEvent):
    """The instance got a label."""

    kind = "label"
    value: Any


@dataclass(frozen=True, kw_only=True)
class Deferred(_DrawEvent):
    """The instance was put aside, to be asked again."""

    kind = "defer"


@dataclass(frozen=True, kw_only=True)
class Excluded(_DrawEvent):
    """The instance can't be labeled; the measure is one of what can be."""

    kind = "exclude"
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Undone(Event):
    """An earlier event was taken back.

    Attributes
    ----------
    undone_seq : int
        Its number.
    """

    kind = "undo"
    undone_seq: int


Action: TypeAlias = Labeled | Deferred | Excluded
AnyEvent: TypeAlias = Action | Undone

_KINDS: dict[str, type[AnyEvent]] = {cls.kind: cls for cls in (Labeled, Deferred, Excluded, Undone)}


def to_record(event: AnyEvent) -> dict[str, Any]:
    """An event as a flat dictionary of JSON values."""
    return {"kind": event.kind, **asdict(event)}


def from_record(record: dict[str, Any]) -> AnyEvent:
    """The event that `to_record` made a record of.

    Raises
    ------
    ValueError
        If the record is no event that this version knows.
    """
    values = dict(record)
    cls = _KINDS.get(values.pop("kind", ""))
    known = {} if cls is None else {field.name: field.default for field in fields(cls)}
    required = {name for name, default in known.items() if default is MISSING}
    if cls is None or not required <= values.keys() <= known.keys():
        raise ValueError(f"the log holds an event that this version does not know: {record!r}")
    return cls(**values)
