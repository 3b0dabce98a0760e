"""What happened, as frozen records: a session's log is a list of these, and everything follows from it."""

from dataclasses import MISSING, dataclass, fields
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
    who : str or None
        Who did it; None in a session that does not say.
    """

    kind: ClassVar[str]
    seq: int
    time: str
    who: str | None = None


@dataclass(frozen=True, kw_only=True)
class _InstanceEvent(Event):
    """Something that happened to an instance.

    Attributes
    ----------
    instance : int
        The instance's index in the pool.
    instance_id : str
        Its id.
    """

    instance: int
    instance_id: str


@dataclass(frozen=True, kw_only=True)
class _DrawEvent(_InstanceEvent):
    """Something that happened to a drawn instance.

    Attributes
    ----------
    draw : int
        The number of the draw, from 1.
    q : float
        The probability with which this draw gave this instance.
    seconds : float or None
        How long the instance was on screen until it was answered, idle time left out, where that is known.
    first_key_seconds : float or None
        How long until the first key was pressed.
    """

    draw: int
    q: float
    seconds: float | None = None
    first_key_seconds: float | None = None


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
class Changed(_InstanceEvent):
    """An instance that has a label got another one.

    Attributes
    ----------
    value : object
        The later label.
    changed_seq : int
        The number of the event that labeled the instance.
    """

    kind = "change"
    value: Any
    changed_seq: int


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


@dataclass(frozen=True, kw_only=True)
class Noted(_InstanceEvent):
    """Something was written down about an instance.

    Attributes
    ----------
    text : str
        What; it takes the place of an earlier note. Empty: there is none any more.
    """

    kind = "note"
    text: str


@dataclass(frozen=True, kw_only=True)
class Flagged(_InstanceEvent):
    """An instance was marked, to be looked at again; or the mark was removed.

    Attributes
    ----------
    flagged : bool
        Which of them.
    """

    kind = "flag"
    flagged: bool


@dataclass(frozen=True, kw_only=True)
class Drawn(Event):
    """Instances were drawn, one after another, from a distribution that the labels before have shaped.

    Attributes
    ----------
    first : int
        The number of the first of these draws, from 1.
    instances : sequence of int
        Indices into the pool, in draw order.
    q : sequence of float
        The probability of each draw, given those before it.
    least : float
        What no instance that was left had less of in that distribution.
    """

    kind = "draw"
    first: int
    instances: list[int]
    q: list[float]
    least: float


@dataclass(frozen=True, kw_only=True)
class HandedOut(Event):
    """Draws were handed to somebody, to be answered by him alone.

    Attributes
    ----------
    draws : sequence of int
        The numbers of the draws, from 1.
    instances : sequence of int
        Indices into the pool, one for each.
    q : sequence of float
        The probability of each draw.
    to : str or None
        Who gets them; None: whoever brings the answers.
    until : str or None
        Until when, if nothing is heard of him before: ISO 8601, UTC. None: until they are answered.
    is_opinion : bool
        Whether an opinion is asked for besides the label, rather than the label itself.
    """

    kind = "hand_out"
    draws: list[int]
    instances: list[int]
    q: list[float]
    to: str | None = None
    until: str | None = None
    is_opinion: bool = False


@dataclass(frozen=True, kw_only=True)
class GaveOpinion(_DrawEvent):
    """Somebody else said what the instance's label is; the label that counts stays.

    Attributes
    ----------
    value : object
        The label he would give; None where he says that it can't be labeled.
    reason : str or None
        Why it can't be.
    is_asked : bool
        Whether it was asked for; else it was meant as the label, but came too late.
    """

    kind = "opinion"
    value: Any = None
    reason: str | None = None
    is_asked: bool = True


@dataclass(frozen=True, kw_only=True)
class Adjudicated(Changed):
    """Where opinions differ, somebody decided which label counts: the one it had, or another."""

    kind = "adjudicate"


@dataclass(frozen=True, kw_only=True)
class WentOn(Event):
    """More labels were asked for than the session's budget.

    Attributes
    ----------
    budget : int
        The budget that was passed: a session that is opened again with no more than this asks on, too.
    """

    kind = "go_on"
    budget: int


@dataclass(frozen=True, kw_only=True)
class MarginSet(Event):
    """It was said which difference of two models is too small to matter.

    Attributes
    ----------
    margin : float or None
        Smaller differences don't matter; in the measure's unit. None: every difference matters again.
    """

    kind = "margin"
    margin: float | None


Answer: TypeAlias = Labeled | Excluded
Action: TypeAlias = Labeled | Deferred | Excluded | Changed
AnyEvent: TypeAlias = Action | GaveOpinion | Undone | Noted | Flagged | Drawn | HandedOut | WentOn | MarginSet

_KINDS: dict[str, type[AnyEvent]] = {
    cls.kind: cls
    for cls in (
        *(Labeled, Deferred, Excluded, Changed, Adjudicated, GaveOpinion, Undone, Noted, Flagged, Drawn),
        *(HandedOut, WentOn, MarginSet),
    )
}


def to_record(event: AnyEvent) -> dict[str, Any]:
    """An event as a flat dictionary of JSON values; "who" is left out where nobody is named."""
    # Not by `asdict`, which goes through every list number by number.
    values = [item for item in vars(event).items() if item != ("who", None)]
    return {
        "kind": event.kind,
        **{name: value.copy() if isinstance(value, dict | list) else value for name, value in values},
    }


def from_record(record: dict[str, Any]) -> AnyEvent:
    """The event that `to_record` made a record of."""
    values = dict(record)
    cls = _KINDS.get(values.pop("kind", ""))
    known = {} if cls is None else {field.name: field.default for field in fields(cls)}
    required = {name for name, default in known.items() if default is MISSING}
    if cls is None or not required <= values.keys() <= known.keys():
        raise ValueError(f"the log holds an event that this version does not know: {record!r}")
    return cls(**values)
