import json

import pytest

from activeeval_widgets.session.log.events import (
    AnyEvent,
    Deferred,
    Excluded,
    Labeled,
    Undone,
    from_record,
    to_record,
)

DRAWN = {
    "seq": 3,
    "time": "2026-01-01T00:00:00+00:00",
    "draw": 4,
    "instance": 7,
    "instance_id": "é",
    "q": 0.1,
}
EVENTS = [
    Labeled(value="Ωmega", seconds=1.25, **DRAWN),
    Labeled(value=3, **DRAWN),
    Labeled(value=0.1 + 0.2, **DRAWN),
    Labeled(value=True, **DRAWN),
    Deferred(**DRAWN),
    Excluded(reason="blank", **DRAWN),
    Excluded(**DRAWN),
    Undone(seq=5, time="2026-01-01T00:00:00+00:00", undone_seq=3),
]


@pytest.mark.parametrize("event", EVENTS, ids=repr)
def test_round_trip_through_json(event: AnyEvent) -> None:
    back = from_record(json.loads(json.dumps(to_record(event))))
    assert back == event
    assert type(back) is type(event)


def test_records_are_flat_and_name_their_kind() -> None:
    assert [to_record(event)["kind"] for event in EVENTS] == [
        *["label"] * 4,
        "defer",
        *["exclude"] * 2,
        "undo",
    ]
    assert to_record(EVENTS[-1]) == {
        "kind": "undo", "seq": 5, "time": "2026-01-01T00:00:00+00:00", "undone_seq": 3,
    }  # fmt: skip


@pytest.mark.parametrize("event", EVENTS[:1])
def test_events_are_frozen(event: AnyEvent) -> None:
    with pytest.raises(AttributeError, match="cannot assign to field 'seq'"):
        event.seq = 1


@pytest.mark.parametrize(
    "change",
    [{"kind": "relabel"}, {"kind": None}, {"colour": "red"}, {"undone_seq": 2}],
    ids=lambda change: next(iter(change)),
)
def test_an_unknown_record_is_refused(change: dict[str, object]) -> None:
    record = {**to_record(EVENTS[0]), **change}
    with pytest.raises(
        ValueError, match=r"^the log holds an event that this version does not know: \{"
    ) as error:
        from_record(record)
    assert repr(record) in str(error.value)


@pytest.mark.parametrize("missing", ["kind", "value", "draw", "seq", "time", "q"])
def test_an_incomplete_record_is_refused(missing: str) -> None:
    record = to_record(EVENTS[0])
    del record[missing]
    with pytest.raises(ValueError, match="the log holds an event that this version does not know"):
        from_record(record)
