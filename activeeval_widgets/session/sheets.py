"""Sheets: many draws that the model is sure of, labeled at a glance."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from activeeval_widgets.session.answering import Answers
from activeeval_widgets.session.arguments import check_seconds
from activeeval_widgets.session.draws.opinions import chance
from activeeval_widgets.session.draws.scheduler import DrawnInstance
from activeeval_widgets.session.draws.session_draws import SessionDraws
from activeeval_widgets.session.findings.goals import Goal
from activeeval_widgets.session.findings.sheet_checks import MAX_DIFFERING, SheetChecks, sheet_checks
from activeeval_widgets.session.locking import one_thread_at_a_time
from activeeval_widgets.session.log.draw import Draw
from activeeval_widgets.session.log.events import (
    Action,
    AskedAgain,
    Deferred,
    GaveOpinion,
    HandedOut,
    Labeled,
)
from activeeval_widgets.session.log.people import Assignment
from activeeval_widgets.session.people import People
from activeeval_widgets.session.pool.kinds import KINDS
from activeeval_widgets.session.pool.label_kinds import ClassLabels, Labels
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.session.recent_cache import RecentCache
from activeeval_widgets.session.recorder import Recorder
from activeeval_widgets.session.revising import Revisions
from activeeval_widgets.stats import Measure, Plan
from activeeval_widgets.stats.drawing.sheets import SheetRule
from activeeval_widgets.stats.fixed_n.confusion_matrix import as_class_models

MAX_ON_SHEET, MIN_ON_SHEET = 24, 6
"""The largest number of instances on a sheet, and the smallest one that is offered."""

_LOOK_AHEAD, _BLOCK = 64, 16
"""A sheet is chosen from this many next draws at most; they are drawn in blocks of this size."""

CHECKED_SHARE = 1 / 12
"""The share of the instances on sheets, chosen at random by the seed, that are asked again by themselves."""

_SEVERAL = (
    "sheets are for one answer to each draw, but several people are asked about some: leave sheets out, or "
    "n_raters and second_opinions"
)

_CHECKED = 1_000_037
"""A random stream of its own, apart from that of the draws."""


def check_sheets(
    sheets: Any,
    pool: Pool,
    measure: Measure,
    labels: Labels,
    protocol: str,
    raters: tuple[int | None, float | None],
) -> str | None:
    """Return what sheets ask for; None if there are none."""
    if not isinstance(sheets, bool) and sheets != "positive":
        raise ValueError(f'sheets is {sheets!r}, expected True, False or "positive"')
    if sheets is False:
        return None
    if not all(model.kind == "class" and model.promises for model in pool.models):
        raise ValueError(
            f"sheets is {sheets!r}, but only class probabilities say what a model is sure of: leave it out"
        )
    if protocol != "adaptive":
        raise ValueError(f'sheets is {sheets!r}, which needs protocol="adaptive": leave protocol and q out')
    n_raters, share = raters
    if (n_raters or 1) > 1 or share:
        raise ValueError(_SEVERAL)
    if sheets is True:
        return "prediction"
    _negative(measure, labels)
    return "positive"


def _negative(measure: Measure, labels: Labels) -> Any:
    """Return the class of two that is not positive."""
    classes = labels.classes.tolist() if isinstance(labels, ClassLabels) else []
    if measure.positive is None or len(classes) != 2:
        raise ValueError(
            'sheets is "positive", which needs a measure of one of two classes, such as '
            f'FMeasure(positive="spam"), got {measure!r} and {len(classes)} classes: use sheets=True'
        )
    return next(each for each in classes if each != measure.positive)


@dataclass(frozen=True)
class Sheet:
    """Draws to be labeled at a glance.

    Attributes
    ----------
    asks : {"prediction", "positive"}
        Whether the sheet shows the predicted class of each instance, to mark the wrong ones; or asks for
        the positive instances, without predictions.
    draws : list of DrawnInstance
        In the order of their classes, then in draw order.
    expected : list
        The label of each that it gets if it is not marked.
    begun : str
        When it was begun, with its place in the log: no other sheet has the same.

    See Also
    --------
    Sheets.take : Returns one.

    Examples
    --------
    >>> Sheet("positive", [DrawnInstance(3, 7, "7", 0.5)], ["ham"]).draws[0].draw
    3
    """

    asks: str
    draws: list[DrawnInstance]
    expected: list[Any]
    begun: str = ""


def _sheet(asks: str, held: list[tuple[Any, Assignment]], pool: Pool, begun: str) -> Sheet:
    """Return a sheet of draws, each with the label that is expected."""
    held = sorted(held, key=lambda each: (str(each[0]), each[1].draw))
    draws = [DrawnInstance(each.draw, each.instance, pool.ids[each.instance], each.q) for _, each in held]
    return Sheet(asks, draws, [expected for expected, _ in held], begun)


@one_thread_at_a_time
class Sheets:
    """Draws that are labeled many at a time: `session.sheets`.

    A sheet gathers next draws of which the model is sure. Each has its own probability, event and place in
    the draw order, so estimates and intervals hold as without sheets. Labels on sheets cost less, so that q
    prefers such instances; how much less follows the seconds so far (`Drawn.sheet_cost`).
    One in twelve, chosen by the seed, is asked again later by itself, and that answer counts.

    Attributes
    ----------
    asks : {"prediction", "positive"} or None
        What sheets ask for; None if there are none.
    lock : threading.RLock
        The session's lock.

    See Also
    --------
    Answers : Answer the draws one by one.

    Examples
    --------
    >>> pool = Pool(["good"] * 90, predictions=[[0.02, 0.98]] * 90)
    >>> session = Session(pool, ErrorRate(), sheets=True)
    >>> sheet = session.sheets.take()
    >>> len(sheet.draws), set(sheet.expected)
    (24, {1})
    >>> events = session.sheets.answer({drawn.draw: 1 for drawn in sheet.draws})
    >>> len(events), session.n_labels + session.log.n_deferred, session.sheets.present()
    (24, 24, None)
    """

    def __init__(
        self,
        recorder: Recorder,
        measure: Measure,
        draws: SessionDraws,
        people: People,
        revisions: Revisions,
        asks: str | None,
        goal: Callable[[], Goal | None],
    ) -> None:
        rule = draws.rule_of_q.sheets
        if asks is None and rule is not None:
            asks = rule.asks
        if asks is not None and recorder.scheduler.opinions.are_asked:
            raise ValueError(_SEVERAL)
        if asks is not None and recorder.draws.is_replaced:
            raise ValueError(
                'sheets need adaptive draws, and this session was begun with "papers": leave them out'
            )
        self.lock = people.lock
        self.asks, self._goal = asks, goal
        self._recorder, self._draws, self._people = recorder, draws, people
        self._answers, self._revisions = Answers(recorder, people, people.lock), revisions
        self._scheduler, self._state, self._pool = recorder.scheduler, recorder.state, recorder.pool
        self._fitting_ones: dict[int, bool] = {}
        self._checks: RecentCache[tuple[int, float], SheetChecks] = RecentCache(1)  # by n_events and limit
        self._negative = _negative(measure, recorder.labels) if asks == "positive" else None
        self._sure = None if asks is None else (rule or SheetRule()).are_sure(draws.rows.models)

    @property
    def is_offered(self) -> bool:
        """Whether a sheet is open, or can probably be filled from the next draws."""
        if self.asks is None:
            return False
        if self._open():
            return True
        most = self._n_ahead
        if most < MIN_ON_SHEET or self.checks().is_too_hasty:
            return False
        due = self._scheduler.due(most)
        return len(self._fitting(due)) * most >= MIN_ON_SHEET * max(len(due), min(_BLOCK, most))

    def take(self) -> Sheet | None:
        """Return the open sheet, or put the next draws of which the model is sure on one.

        Draws ahead as far as needed: at most 64 draws, and as many as the budget allows. Those that are not
        on the sheet are asked one by one, before or after it. Labels count in draw order, so those after an
        open draw wait for it.

        Returns
        -------
        Sheet or None
            None if sheets are not offered, or fewer than 6 of the next draws fit.

        Raises
        ------
        StoreError
            If the event could not be stored.

        See Also
        --------
        answer : Label the instances of the sheet.

        Examples
        --------
        >>> pool = Pool(["good"] * 90, predictions=[[0.02, 0.98]] * 90)
        >>> session = Session(pool, ErrorRate(), sheets=True, budget=10)
        >>> sheet = session.sheets.take()
        >>> len(sheet.draws), session.sheets.take() == sheet
        (10, True)
        """
        self._recorder.refresh()
        if not self.is_offered:
            return None
        if not self._open() and len(self._fill()) >= MIN_ON_SHEET:
            self._recorder.record(self._event)
        return self.present()

    def present(self) -> Sheet | None:
        """Return the open sheet of the present rater, also after a restart; None if there is none.

        Answered draws, and those that were leased to others since, are no longer on it.

        See Also
        --------
        take : Begins one.

        Examples
        --------
        >>> session.sheets.present() is None
        True
        """
        if not (held := self._open()):
            return None
        event = self._state.log[held[0].sheet - 1]
        asks = event.sheet if isinstance(event, HandedOut) and event.sheet else "prediction"
        expected = [(self._label_expected(each.instance, asks), each) for each in held]
        return _sheet(asks, expected, self._pool, f"{event.seq} {event.time}")

    def answer(
        self, labels: Mapping[int, Any], *, seconds: float | None = None
    ) -> list[Labeled | AskedAgain | Deferred | GaveOpinion]:
        """Label instances of the open sheet, all of them or some.

        Parameters
        ----------
        labels : mapping from int to label
            By the number of the draw. None puts the draw aside, to be asked again by itself. Draws that were
            answered meanwhile keep their answers.
        seconds : float, optional
            How long the sheet was on screen, without idle time.

        Returns
        -------
        list of event
            In the order in which they are stored. One in twelve is a `Deferred` with its label as `on_sheet`:
            the instance is asked again by itself.

        Raises
        ------
        ValueError, TypeError
            If a draw is not on the sheet, or a label is not one of its instance. Nothing is stored.
        StoreError
            If an event could not be stored. Those before it are: answer with the same labels again.

        See Also
        --------
        undo : Take the answers back.
        checks : How often answers differ from those by themselves.

        Examples
        --------
        >>> pool = Pool(["good"] * 90, predictions=[[0.02, 0.98]] * 90)
        >>> session = Session(pool, ErrorRate(), sheets=True)
        >>> first, *others = session.sheets.take().draws
        >>> session.sheets.answer({first.draw: None})[0].kind, len(session.sheets.present().draws)
        ('defer', 23)
        """
        self._recorder.refresh()
        held = {each.draw: each.instance for each in self._open()}
        answered = {getattr(action, "draw", None) for action in self._state.actions}
        checked: dict[int, Any] = {}
        for draw, label in labels.items():
            # After its lease, a draw may be somebody else's: then this answer is kept beside theirs.
            late = self._people.lease_of(draw) if self._people.is_asked(draw) else None
            if draw in held or (late is not None and label is not None):
                index = held[draw] if late is None else late.instance
                checked[draw] = None if label is None else self._recorder.labels.check(label, index)
            elif draw not in answered and late is None:
                raise ValueError(f"draw is {draw!r}, which is not on the sheet: see session.sheets.present()")
        given = check_seconds("seconds", seconds)
        each = None if given is None or not labels else given / len(labels)

        def order(draw: int) -> int:
            # What was put aside is due soon, what is compared later.
            return 0 if checked[draw] is None else 2 if draw in held and self._is_checked(draw) else 1

        return [
            self._answers.label(checked[draw], draw=draw, seconds=each)
            if order(draw) == 1
            else self._answers.defer(draw=draw, seconds=each, on_sheet=checked[draw])
            for draw in sorted(checked, key=order)
        ]

    def undo(self) -> list[Action]:
        """Take back the answers to a sheet if the present rater's last answer belongs to it.

        Returns
        -------
        list of event
            The events that were undone, the last one first; empty if the last answer is not on a sheet.

        Raises
        ------
        ValueError
            If somebody else has changed a label since.
        StoreError
            If an event could not be stored.

        See Also
        --------
        Session.undo : Takes back one answer.

        Examples
        --------
        >>> pool = Pool(["good"] * 90, predictions=[[0.02, 0.98]] * 90)
        >>> session = Session(pool, ErrorRate(), sheets=True)
        >>> sheet = session.sheets.take()
        >>> events = session.sheets.answer({drawn.draw: 1 for drawn in sheet.draws})
        >>> len(session.sheets.undo()), session.sheets.present() == sheet
        (24, True)
        """
        found: list[Action] = []
        sheet = self._state.sheet_of(self._revisions.last_action)
        while sheet and self._state.sheet_of(self._revisions.last_action) == sheet:
            undone = self._revisions.undo()
            assert undone is not None and not isinstance(undone, GaveOpinion)  # noqa: S101, PT018 - it was on a sheet
            found.append(undone)
        return found

    def checks(self) -> SheetChecks:
        """Compare answers on sheets with the same person's answers to the same instances by themselves.

        Returns
        -------
        SheetChecks
            A changed label is compared as it is now.

        See Also
        --------
        answer : Chooses what is asked again.

        Examples
        --------
        >>> checks = session.sheets.checks()
        >>> checks.n_labels, checks.n_asked, checks.n_differing
        (0, 0, 0)
        """
        goal = self._goal()
        limit = min(MAX_DIFFERING, (goal and goal.half_width) or MAX_DIFFERING)
        return self._checks.get((len(self._state.log), limit), lambda: sheet_checks(self._state, limit))

    def split(self, plan: Plan) -> tuple[int, int]:
        """Return a forecast as labels one by one and full sheets.

        Parameters
        ----------
        plan : Plan
            A forecast for this session, such as `Planner.plan` returns for its draws.

        Returns
        -------
        n_one_by_one, n_sheets : int
            The labels that are given one by one, those that are asked again included; and the sheets, of 24
            instances each. Without sheets, or if no more are offered, all labels are one by one.

        See Also
        --------
        take : Begins a sheet.

        Examples
        --------
        >>> pool = Pool(["good"] * 900, predictions=[[0.05, 0.95]] * 900)
        >>> plan = Plan(n_labels=240.0, low=90.0, high=500.0, n_draws=240.0, n_on_sheets=168.0)
        >>> Session(pool, ErrorRate(), sheets=True).sheets.split(plan)
        (86, 7)
        """
        n_labels = int(plan.n_labels)
        if self.asks is None or self.checks().is_too_hasty:
            return n_labels, 0
        near = [*self._state.actions[-_LOOK_AHEAD:], *self._scheduler.due(_LOOK_AHEAD)]
        n_fitting = sum(self._is_short(each.instance) for each in near)
        n_sheets = round(plan.n_on_sheets * n_fitting / max(len(near), 1) / MAX_ON_SHEET)
        return n_labels - round(n_sheets * MAX_ON_SHEET * (1 - CHECKED_SHARE)), n_sheets

    def _open(self) -> list[Assignment]:
        """Return the draws of the present rater's latest sheet without an answer."""
        held = [
            each
            for each in self._state.assignments.values()
            if each.sheet and each.to in (None, self._scheduler.who)
        ]
        latest = max((each.sheet for each in held), default=0)
        return [each for each in held if each.sheet == latest]

    def _fill(self) -> list[Draw]:
        """Return the draws of a new sheet; draw ahead until there are enough."""
        while True:
            due = self._scheduler.due(self._n_ahead)
            found = self._fitting(due)[:MAX_ON_SHEET]
            n_more = min(_BLOCK, self._n_ahead - len(due))
            if len(found) == MAX_ON_SHEET or n_more <= 0 or not self._recorder.draw(n_more):
                return found

    @property
    def _n_ahead(self) -> int:
        """The number of next draws to choose from: the budget has to suffice for those between, too."""
        return max(0, int(min(_LOOK_AHEAD, self._scheduler.n_open)))

    def _fitting(self, due: list[Draw]) -> list[Draw]:
        """Return the draws that can be on a sheet; a draw that was put aside on one is asked by itself."""
        if self._sure is None or not due:
            return []
        instances = [draw.instance for draw in due]
        sure = self._sure[self._draws.rows.of(instances)].tolist()
        return [draw for draw, ok in zip(due, sure, strict=True) if ok and self._is_short(draw.instance)]

    def _is_short(self, instance: int) -> bool:
        """Return whether an instance can be judged at a glance; cached."""
        if instance not in self._fitting_ones:
            kind = KINDS[self._pool.kind]
            self._fitting_ones[instance] = kind.fits_sheet(self._pool.instances, instance)
        return self._fitting_ones[instance]

    def _event(self) -> HandedOut:
        draws, who = self._fill(), self._scheduler.who
        if len(draws) < MIN_ON_SHEET:
            raise self._recorder.conflict("the draws of the sheet were leased there")
        lease = None if who is None else self._scheduler.lease_seconds
        return self._recorder.handed_out(draws, lease=lease, to=who, sheet=self.asks)

    def _label_expected(self, instance: int, asks: str) -> Any:
        """Return the label of an instance that is not marked."""
        if asks == "positive":
            return self._negative
        models, [row] = self._draws.rows_of([instance])
        [model] = as_class_models(models[:1])
        return self._recorder.labels.check(model.y_pred[row], instance)

    def _is_checked(self, draw: int) -> bool:
        return chance(self._scheduler.opinions.seed, _CHECKED, draw) < CHECKED_SHARE
