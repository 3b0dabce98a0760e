"""Replay a log: check that each event can follow, and that each draw is as stated."""

from collections.abc import Iterator
from math import isclose
from typing import Any, TypeAlias

from activeeval_widgets.formats.session_file.reading import SessionFile
from activeeval_widgets.session.draws.make_draws import make_draws, rule_of, was_grouped
from activeeval_widgets.session.draws.protocol import Draws
from activeeval_widgets.session.log.continuation import earlier_votes
from activeeval_widgets.session.log.events import AnyEvent, Drawn, VotesChanged, from_record
from activeeval_widgets.session.log.is_valid_next import is_valid_next
from activeeval_widgets.session.log.state import State
from activeeval_widgets.session.pool.asked_items import asked_items
from activeeval_widgets.session.pool.drawn_rows import NotDrawnError
from activeeval_widgets.session.pool.label_kinds import Labels, labels_of
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats.adaptive.draw_rule import DrawRule

_ROUNDING = 1e-7
"""Probabilities that differ by a smaller share count as equal: machines round differently."""

Found: TypeAlias = tuple[str, str]


def replay(file: SessionFile, pool: Pool, measure: Measure) -> Iterator[Found]:
    """Yield each event that does not follow from the log, with the reason; stop where it can't be applied."""
    settings, identity = file.document["settings"], file.document["identity"]
    y_range = None if settings["y_range"] is None else tuple(settings["y_range"])
    labels = labels_of(pool, y_range, items=asked_items(pool, settings["seed"]))
    state = State(pool.n_instances)
    draws = make_draws(
        settings["protocol"], pool, measure, labels, state,
        seed=settings["seed"],
        defensive=None if settings["q"] is not None else settings["defensive"],
        q=settings["q"],
        is_grouped=was_grouped(identity.get("q")),
        for_groups=bool(settings["for_groups"]),
        rule=rule_of(identity),
    )  # fmt: skip
    rule = identity.get("draw_rule", "none")
    if draws.protocol == "adaptive" and DrawRule.from_identity(rule) is None:
        yield (
            "identity, draw_rule",
            f"the draws are by a rule that this version does not know, {rule}: verify them with the version "
            "that made them",
        )
    draws.votes.foresee(earlier_votes(file.records))
    for position, record in enumerate(file.records, start=1):
        where = f"event {record.get('seq', position)}"
        try:
            event = from_record(record)
        except (ValueError, TypeError) as error:
            yield where, f"{error}; the events after it were not looked at"
            return
        try:
            reason = _why_not(event, state=state, draws=draws, pool=pool, labels=labels)
        except (TypeError, ValueError, KeyError, IndexError) as error:
            reason = f"it can't be understood ({error})"
        if reason is not None:
            yield where, f"it does not follow: {reason}; the events after it were not looked at"
            return
        if isinstance(event, Drawn):
            for text in _differences(event, draws, pool):
                yield where, text
            draws.add(event.instances, event.q, event.least, event.sheet_cost)
        if isinstance(event, VotesChanged):
            draws.votes.replace(draws.first(draws.n_drawable))
        state.apply(event)


def _why_not(event: AnyEvent, *, state: State, draws: Draws, pool: Pool, labels: Labels) -> str | None:
    """Return why an event can't follow; None if it can."""
    if is_valid_next(event, state=state, draws=draws, ids=pool.ids, labels=labels):
        return None
    expected = len(state.log) + 1
    if event.seq != expected:
        return f"its number is {event.seq}, expected {expected}"
    about = {name: getattr(event, name, None) for name in ("draw", "instance", "instance_id", "q", "value")}
    index = about["instance"]
    if type(index) is int and 0 <= index < pool.n_instances and pool.ids[index] != about["instance_id"]:
        return f"its instance {index} has the id {pool.ids[index]!r}, not {about['instance_id']!r}"
    number = about["draw"]
    made = _draw_of(draws, number)
    if made is not None and made["instance"] != index:
        return f"draw {number} gave instance {made['instance']}, not {index}"
    if made is not None and about["q"] is not None and not _is_close(about["q"], made["q"]):
        return f"its q is {about['q']!r}, but draw {number} was made with {made['q']!r}"
    if event.kind in ("label", "change", "ask_again") and type(index) is int:
        try:
            labels.check(about["value"], index)
        except (ValueError, TypeError) as error:
            return str(error)
    if event.kind == "label" and index in state.answers:
        return f"instance {about['instance_id']!r} has an answer already"
    return f"nothing before it leads to this {event.kind!r}"


def _draw_of(draws: Draws, number: Any) -> dict[str, Any] | None:
    if type(number) is not int or number < 1:
        return None
    position = draws.n_distinct_before(number)
    found = draws.distinct(position)
    return None if found is None or found.number != number else found._asdict()


def _differences(event: Drawn, draws: Draws, pool: Pool) -> Iterator[str]:
    """Yield the differences of a block of draws from the one that the seed and earlier labels give."""
    try:
        made = draws.next_block(len(event.instances))
    except NotDrawnError:
        yield "by the seed and the labels before it, another instance would have been drawn"
        return
    for number, theirs, ours in zip(
        range(event.first, event.first + len(event.instances)), event.instances, made.instances, strict=False
    ):
        if theirs != ours:
            yield (
                f"draw {number} gave {pool.ids[theirs]!r}, but by the seed and the labels before it would "
                f"give {pool.ids[ours]!r}"
            )
            break
    else:
        for position, (stated, found) in enumerate(zip(event.q, made.q, strict=True)):
            if not _is_close(stated, found):
                yield f"the probability of draw {event.first + position} is {stated!r}, but {found!r} follows"
    if not _is_close(event.least, made.least):
        yield f"the least probability is {event.least!r}, but {made.least!r} follows"
    if event.sheet_cost != made.sheet_cost:
        yield f"the cost of a label on a sheet is {event.sheet_cost!r}, but {made.sheet_cost!r} follows"


def _is_close(stated: Any, found: float) -> bool:
    return isinstance(stated, int | float) and isclose(stated, found, rel_tol=_ROUNDING)
