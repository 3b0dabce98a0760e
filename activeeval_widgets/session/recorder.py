"""Records events: each is stored, then applied to the state, then passed to observers."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias, TypeVar

from activeeval_widgets.session import clock
from activeeval_widgets.session.draws.protocol import Draws
from activeeval_widgets.session.draws.scheduler import Scheduler
from activeeval_widgets.session.errors import SessionConflictError, SessionMismatchError, StoreError
from activeeval_widgets.session.log.carried_over import EarlierSession, carried_over
from activeeval_widgets.session.log.continuation import can_go_on, check_same, continued, earlier_votes
from activeeval_widgets.session.log.draw import Draw
from activeeval_widgets.session.log.events import (
    AnyEvent,
    BudgetLifted,
    CarriedOver,
    Changed,
    Drawn,
    Excluded,
    HandedOut,
    Labeled,
    Undone,
    VotesChanged,
    from_record,
    to_record,
)
from activeeval_widgets.session.log.is_valid_next import is_same_q, is_valid_next
from activeeval_widgets.session.log.people import BEFORE
from activeeval_widgets.session.log.state import EarlierInterval, State
from activeeval_widgets.session.pool.label_kinds import Labels
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.session.stores.protocol import Record, Store, store_member
from activeeval_widgets.stats._validation import check_count

_logger = logging.getLogger(__name__)

Observer: TypeAlias = Callable[[AnyEvent], None]

_AnyEvent = TypeVar("_AnyEvent", bound=AnyEvent)
_Change = TypeVar("_Change", bound=Changed)


class Recorder:
    """Keeps a session's stored log and its state in agreement: only stored events count."""

    def __init__(
        self,
        store: Store,
        name: str,
        identity: Mapping[str, str],
        *,
        pool: Pool,
        labels: Labels,
        state: State,
        draws: Draws,
        scheduler: Scheduler,
    ) -> None:
        self.store = store
        self.identity = dict(identity)
        self.name = name
        self.pool, self.labels = pool, labels
        self.state, self.draws, self.scheduler = state, draws, scheduler
        self._observers: list[Observer] = []

    def begin(
        self,
        *,
        is_q_given: bool,
        after: EarlierSession | None = None,
        course: Callable[[], list[EarlierInterval]] = list,
    ) -> None:
        """Begin or resume the session in the store, and replay its log; a new one may follow another one."""
        if self.store.identity(self.name) is None:
            if after is not None and can_go_on(after, self.pool, self.identity["measure"]):
                check_same(after.storage.identity, self.identity, after.name)
                self._begin_with(*continued(after, self.name, self.pool, self.stamp()))
            elif after is not None:
                carried = carried_over(after, self.name, self.pool, self.labels)
                so_far = [list(each) for each in course()]
                self._begin_with(CarriedOver(**carried, course=so_far, **self.stamp()))
            elif self.pool.known is not None and self.pool.known.is_sample:
                self._begin_with(*self._sample())
        try:
            records = self.store.begin(self.name, self.identity)
        except SessionMismatchError:
            begun_with = (self.store.identity(self.name) or {}).get("q")
            if begun_with in (None, self.identity["q"]) or is_q_given or not self.draws.is_replaced:
                raise
            records = []
            other = {**self.identity, "q": begun_with}
            with suppress(SessionMismatchError):  # the first error names other differences
                records = self.store.begin(self.name, other)
            if not self._are_of_these_draws(records):
                raise
            self.identity = other
        self.draws.votes.foresee(earlier_votes(records))
        self._replay(records)
        if after is not None and self.state.after != after.name:
            begun = "without after" if self.state.after is None else f"after {self.state.after!r}"
            raise SessionMismatchError(
                f"the session {self.name!r} was begun {begun}, and now it is after {after.name!r}: "
                "begin another one, with another name"
            )
        self.advance()

    def _sample(self) -> list[AnyEvent]:
        """Return the events of first draws that are a random sample, with their labels."""
        known = self.pool.known
        assert known is not None  # noqa: S101 - the caller has looked
        block, stamp, labels = self.draws.next_block(), self.stamp(), known.stored(self.labels, self.pool.ids)
        events: list[AnyEvent] = [Drawn(**block._asdict(), **stamp)]
        for draw in map(Draw, range(1, len(block.q) + 1), block.instances, block.q):
            stamp["seq"] += 1
            events.append(self._known_label(draw, labels[draw.instance], stamp))
        return events

    def _begin_with(self, *events: AnyEvent) -> None:
        """Store a new session with its first events: all or nothing."""
        begin_with = store_member(self.store, "begin_with")
        try:
            begin_with(self.name, self.identity, [*map(to_record, events)])
        except StoreError:
            if self.store.identity(self.name) is None:  # else another process has begun it
                raise

    def _known_label(self, draw: Draw, value: Any, stamp: Mapping[str, Any]) -> Labeled:
        """Return the event of a label that was known before the session."""
        about = {**stamp, "who": BEFORE, "instance": draw.instance, "q": draw.q}
        if draw.instance in self.state.carried:
            value, about["from_session"], about["rater"] = value
        return Labeled(draw=draw.number, instance_id=self.pool.ids[draw.instance], value=value, **about)

    def _are_of_these_draws(self, records: list[Record]) -> bool:
        drawn = [(record["instance"], record["q"]) for record in records if "draw" in record]
        computed = self.draws.q
        return bool(drawn) and all(is_same_q(q, float(computed[index])) for index, q in drawn)

    def stamp(self) -> dict[str, Any]:
        """Return number, time and person of the next event."""
        return {
            "seq": len(self.state.log) + 1,
            "time": clock.as_text(clock.now()),
            "who": self.scheduler.who,
        }

    def record(self, build: Callable[[], _AnyEvent]) -> _AnyEvent:
        """Store an event, then apply it."""
        if self.scheduler.who is not None:
            self.refresh()
        event = self._add(build)
        try:
            self.advance()
        except StoreError:  # the event is stored; the next event draws again
            _logger.exception("the next draws of the session %r could not be stored", self.name)
        if not isinstance(event, HandedOut):
            self._notify(event)
        return event

    def refresh(self) -> int:
        """Apply the events that others have stored; return their number."""
        records = store_member(self.store, "events_since")(self.name, len(self.state.log))
        n_known = len(self.state.log)
        self._replay(records)
        for event in self.state.log[n_known:]:
            if not isinstance(event, Drawn | HandedOut):
                self._notify(event)
        return len(records)

    def advance(self) -> None:
        """Draw ahead, and record labels known before, unless another process does so at the same moment."""
        while (event := self._next_event()) is not None:
            try:
                self._append(event)
            except SessionConflictError:
                if not self.refresh():
                    raise
            except StoreError:  # a damaged or full store can still be read
                if self.problem is None:
                    raise
                return

    def _next_event(self) -> Drawn | Labeled | None:
        """Return the next draws if they are due, or a label that is known already; else None."""
        if self.draws.is_due:
            return Drawn(**self.draws.next_block()._asdict(), **self.stamp())
        known = self.scheduler.known_next()
        if known is None:
            return None
        return self._known_label(*known, self.stamp())

    def handed_out(self, draws: Sequence[Draw], *, lease: float | None = None, **about: Any) -> HandedOut:
        """Return the event by which draws are leased for some seconds, or exported."""
        stamp = self.stamp()
        return HandedOut(
            draws=[draw.number for draw in draws],
            instances=[draw.instance for draw in draws],
            q=[draw.q for draw in draws],
            until=None if lease is None else clock.as_text(clock.now(), later=lease),
            **about,
            **stamp,
        )

    def changed(self, kind: type[_Change], where: Mapping[str, Any], known: Any, value: Any) -> _Change:
        """Return the event that changes a known label; refuse it if another one has changed it."""
        answer = self.label_event(where)
        if self.state.labels[where["instance"]] != known:
            raise self.conflict(f"the label of {where['instance_id']!r} has changed")
        return kind(value=value, changed_seq=answer.seq, **where, **self.stamp())

    def conflict(self, what: str) -> SessionConflictError:
        """Return the error for a call that another tab or process has made impossible."""
        return SessionConflictError(
            f"the session {self.name!r} was continued elsewhere (in another tab or program): {what}"
        )

    def answered_already(self, draw: int) -> SessionConflictError:
        """Return the error for a draw that has an answer."""
        return self.conflict(f"draw {draw} is answered there, and that answer stays")

    def where(self, instance: int) -> dict[str, Any]:
        """Return the fields of an event about an instance."""
        index = check_count("instance", instance)
        if index >= self.pool.n_instances:
            raise ValueError(f"instance is {index}, expected an index from 0 to {self.pool.n_instances - 1}")
        return {"instance": index, "instance_id": self.pool.ids[index]}

    def label_event(self, where: Mapping[str, Any]) -> Labeled:
        """Return the event that labeled an instance."""
        answer = self.state.answers.get(where["instance"])
        if isinstance(answer, Labeled):
            return answer
        state = "is excluded" if isinstance(answer, Excluded) else "has no label"
        shown = f"{where['instance']} ({where['instance_id']!r})"
        raise ValueError(f"instance {shown} {state}: only a label can be changed")

    def draw(self, size: int) -> bool:
        """Draw and store a block now; return False if the pool is exhausted."""
        if self.draws.is_replaced or self.draws.distinct(self.draws.n_drawable - 1) is not None:
            return False
        try:
            self._append(Drawn(**self.draws.next_block(size)._asdict(), **self.stamp()))
        except SessionConflictError:
            if not self.refresh():
                raise
        return True

    def _add(self, build: Callable[[], _AnyEvent]) -> _AnyEvent:
        while True:
            event = build()
            try:
                self._append(event)
            except SessionConflictError:
                if not self.refresh():
                    raise
            else:
                return event

    def _notify(self, event: AnyEvent) -> None:
        """Call the observers with an event."""
        for observer in tuple(self._observers):
            try:
                observer(event)
            except Exception:  # the event is stored: its caller must not fail
                _logger.exception("an observer of the session %r failed", self.name)

    @property
    def problem(self) -> str | None:
        """Why the store can't save now, as far as known without trying; None if it can."""
        found: str | None = store_member(self.store, "problem")
        return found

    def subscribe(self, observer: Observer) -> None:
        """Call `observer` with each further event once it is stored and applied."""
        self._observers.append(observer)

    def unsubscribe(self, observer: Observer) -> None:
        """Stop calling `observer`; do nothing if it is not subscribed."""
        if observer in self._observers:
            self._observers.remove(observer)

    def _append(self, event: AnyEvent) -> None:
        self.store.append(self.name, to_record(event))
        self._apply(event)

    def _replay(self, records: list[Record]) -> None:
        """Apply stored events after checking that each can follow those before it."""
        self.pool.fetch(_instances_of(records, self.pool.n_instances))
        for record in records:
            event = from_record(record)
            if not is_valid_next(
                event, state=self.state, draws=self.draws, ids=self.pool.ids, labels=self.labels
            ):
                raise SessionMismatchError(
                    f"event {event.seq} in the log of the session {self.name!r} does not follow from its "
                    f"draws: {event}"
                )
            self._apply(event)

    def _apply(self, event: AnyEvent) -> None:
        if isinstance(event, Drawn):
            self.draws.add(event.instances, event.q, event.least, event.sheet_cost)
        if isinstance(event, VotesChanged):
            self.draws.votes.replace(self.draws.first(self.draws.n_drawable))
        budget = self.scheduler.budget
        if isinstance(event, BudgetLifted) and budget is not None and budget <= event.budget:
            self.scheduler.budget = None
        undone = self.state.undoable_action(event.who) if isinstance(event, Undone) else None
        self.state.apply(event)
        if undone is not None and not isinstance(undone, Changed):
            self.scheduler.rewind(undone.draw, undone.instance)


def _instances_of(records: list[Record], n_instances: int) -> list[int]:
    """Return the drawn instances of records that are not checked yet."""
    drawn = [record.get("instances") for record in records if record.get("kind") == "draw"]
    every = [index for each in drawn if isinstance(each, list) for index in each]
    return [index for index in every if type(index) is int and 0 <= index < n_instances]
