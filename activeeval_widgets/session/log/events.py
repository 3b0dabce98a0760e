"""The events of a session's log, as frozen records."""

from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, TypeAlias

SHEETS = ("prediction", "positive")
"""What a sheet asks for: what the model predicted wrongly, or the positive instances."""


@dataclass(frozen=True, kw_only=True)
class Event:
    """An event of a session.

    Attributes
    ----------
    seq : int
        The event's number in its session's log, from 1.
    time : str
        When it happened: ISO 8601, UTC.
    who : str or None
        Who did it; None if the session has no `who`.
    """

    kind: ClassVar[str]
    seq: int
    time: str
    who: str | None = None


@dataclass(frozen=True, kw_only=True)
class _InstanceEvent(Event):
    """An event about an instance.

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
    """An event about a draw.

    Attributes
    ----------
    draw : int
        The number of the draw, from 1.
    q : float
        The probability with which the instance was drawn.
    seconds : float or None
        How long the instance was on screen before the answer, without idle time, if known.
    first_key_seconds : float or None
        How long it took until the first key was pressed.
    """

    draw: int
    q: float
    seconds: float | None = None
    first_key_seconds: float | None = None


@dataclass(frozen=True, kw_only=True)
class Labeled(_DrawEvent):
    """An instance was labeled.

    Attributes
    ----------
    value : object
        The label.
    from_session, rater : str or None
        The earlier session that the label was carried over from, and who gave it there.
    """

    kind = "label"
    value: Any
    from_session: str | None = None
    rater: str | None = None


@dataclass(frozen=True, kw_only=True)
class Deferred(_DrawEvent):
    """An instance was deferred, to be asked again.

    Attributes
    ----------
    on_sheet : object
        The label that it got on a sheet, if it is asked again by itself to compare; else None.
    """

    kind = "defer"
    on_sheet: Any = None


@dataclass(frozen=True, kw_only=True)
class Excluded(_DrawEvent):
    """An instance was excluded because it can't be labeled."""

    kind = "exclude"
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Changed(_InstanceEvent):
    """The label of an instance was replaced.

    Attributes
    ----------
    value : object
        The new label.
    changed_seq : int
        The number of the event that labeled the instance.
    """

    kind = "change"
    value: Any
    changed_seq: int


@dataclass(frozen=True, kw_only=True)
class Undone(Event):
    """An earlier event was undone.

    Attributes
    ----------
    undone_seq : int
        The number of that event.
    """

    kind = "undo"
    undone_seq: int


@dataclass(frozen=True, kw_only=True)
class Noted(_InstanceEvent):
    """A note was attached to an instance.

    Attributes
    ----------
    text : str
        The note, which replaces an earlier one. An empty note removes it.
    """

    kind = "note"
    text: str


@dataclass(frozen=True, kw_only=True)
class Flagged(_InstanceEvent):
    """An instance was flagged, or its flag was removed.

    Attributes
    ----------
    flagged : bool
        Whether the instance is flagged now.
    """

    kind = "flag"
    flagged: bool


@dataclass(frozen=True, kw_only=True)
class Drawn(Event):
    """A block of instances was drawn from a distribution that depends on the earlier labels.

    Attributes
    ----------
    first : int
        The number of the first of these draws, from 1.
    instances : sequence of int
        Indices into the pool, in draw order.
    q : sequence of float
        The probability of each draw, given those before it.
    least : float
        The smallest positive probability in that distribution.
    sheet_cost : float, optional
        The cost of a label on a sheet in that distribution, if it is by the seconds of earlier labels.
    """

    kind = "draw"
    first: int
    instances: list[int]
    q: list[float]
    least: float
    sheet_cost: float | None = None


@dataclass(frozen=True, kw_only=True)
class CarriedOver(Event):
    """Labels of earlier sessions were carried over to instances of the same content, before the first draw.

    Attributes
    ----------
    session : str
        The session that this one follows.
    instances : sequence of int
        Indices into the pool.
    values : sequence of object
        The label of each.
    sessions, raters : sequence of str, sequence of (str or None)
        The session in which each label was given, and by whom.
    n_before : int
        The number of sessions that this one follows, each after the other; it goes into the seed.
    stream : int
        A digest of the session's name and pool, which goes into the seed as well.
    course : sequence of sequence
        The sessions before with the same measure, oldest first: name, estimate (None if undefined), interval
        and number of labels at this time; see `Course`.
    """

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
    """A session went on under another name, with other votes for the same instances.

    All events before are those of the earlier session. Its draws, also those without a label yet, are by the
    votes of that time.

    Attributes
    ----------
    session : str
        The earlier session.
    before : dict
        What was predicted there: "y_proba" and "predicted", the position of the predicted class, of each
        different prediction; and in "rows" the number of each instance's, from 0.
    seed : int
        The seed of the draws there.
    stream : int
        A digest of the session's name and pool, which goes into the seed of later draws.
    """

    kind = "votes"
    session: str
    before: dict[str, list[Any]]
    seed: int
    stream: int


@dataclass(frozen=True, kw_only=True)
class HandedOut(Event):
    """Draws were leased to a person or exported.

    Attributes
    ----------
    draws : sequence of int
        The numbers of the draws, from 1.
    instances : sequence of int
        The index of each draw's instance.
    q : sequence of float
        The probability of each draw.
    to : str or None
        The person they are leased to; None if they are exported, so that anybody can answer.
    until : str or None
        The end of the lease unless the person acts before: ISO 8601, UTC. None: no end.
    is_opinion : bool
        Whether an opinion is asked for rather than the label.
    sheet : str or None
        If they are labeled together on a sheet, whether it shows the model's "prediction" or asks for the
        "positive" ones.
    """

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
    """A person gave an opinion on an instance. The label that counts stays.

    Attributes
    ----------
    value : object
        The label they would give; None if they said that it can't be labeled.
    reason : str or None
        Why it can't be labeled.
    is_asked : bool
        Whether the opinion was asked for; if not, it is a label that came too late.
    """

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
    """The guidelines for labels were set or changed, and some of the labels so far are asked again.

    Attributes
    ----------
    text : str
        The guidelines.
    instances : sequence of int
        The instances that are asked again, in random order.
    """

    kind = "guidelines"
    text: str
    instances: list[int]


@dataclass(frozen=True, kw_only=True)
class AskedAgain(Changed):
    """A label from before the present guidelines was asked for again; the new one counts, maybe the same.

    Attributes
    ----------
    seconds : float or None
        How long the instance was on screen, without idle time, if known.
    """

    kind = "ask_again"
    seconds: float | None = None


@dataclass(frozen=True, kw_only=True)
class BudgetLifted(Event):
    """The budget was lifted.

    Attributes
    ----------
    budget : int
        The budget that was lifted. A session that is opened again with at most this one has none.
    """

    kind = "go_on"
    budget: int


@dataclass(frozen=True, kw_only=True)
class MarginSet(Event):
    """A margin was declared: a difference of two models that is too small to matter.

    Attributes
    ----------
    margin : float or None
        In the measure's unit. None: every difference matters.
    """

    kind = "margin"
    margin: float | None


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
