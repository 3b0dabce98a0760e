"""The connection of a session to a page: replies to its messages, and notifications.

The labeling app has its own; the separate parts of a session share one.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from time import perf_counter
from typing import Any, Generic, NamedTuple, TypeVar

from activeeval_widgets.session import Session, StoreError
from activeeval_widgets.session.log.events import AnyEvent
from activeeval_widgets.session.stores.protocol import store_member
from activeeval_widgets.widgets.answers.answer_review import AnswerReview
from activeeval_widgets.widgets.answers.answers import Answers, check_reasons, usual_reasons
from activeeval_widgets.widgets.answers.history import ReviewedAnswers
from activeeval_widgets.widgets.answers.people import People
from activeeval_widgets.widgets.answers.session_sync import SessionSync
from activeeval_widgets.widgets.answers.store_status import StoreStatus
from activeeval_widgets.widgets.elements.markdown import guidelines_tree
from activeeval_widgets.widgets.evaluator_view import EvaluatorView
from activeeval_widgets.widgets.instances.instance_renderer import InstanceRenderer
from activeeval_widgets.widgets.instances.registered_views import View, view_modules
from activeeval_widgets.widgets.labeler_view import LabelerView
from activeeval_widgets.widgets.labels.keys import keys_config
from activeeval_widgets.widgets.labels.numbers import Unit
from activeeval_widgets.widgets.labels.panel import LabelPanel, label_panel
from activeeval_widgets.widgets.labels.sides import Sides, SidesPanel
from activeeval_widgets.widgets.messages import FOR_GUESTS
from activeeval_widgets.widgets.page_channel import PageChannel, Reply
from activeeval_widgets.widgets.result.counts import can_lift_budget
from activeeval_widgets.widgets.result.session_details import details_kept
from activeeval_widgets.widgets.session_values import SessionValues
from activeeval_widgets.widgets.wording.models import order_in_words
from activeeval_widgets.widgets.wording.progress import done_text, status_text
from activeeval_widgets.widgets.wording.sessions import introduction

Channel = TypeVar("Channel", bound=PageChannel)


class PageOptions(NamedTuple):
    """How a session is shown; see `LabelingApp`."""

    title: str = "Active evaluation"
    intro: str | None = None
    question: str | None = None
    keys: Mapping[Any, str] | None = None
    unit: Unit | None = None
    grade_words: Sequence[str] | None = None
    guidelines: str | None = None
    reasons: Sequence[str] | None = None
    shows_estimate: bool = True
    asks_name: bool = False
    view: View | None = None
    actions: frozenset[str] | None = None
    """The names of the actions that are offered; all unless given."""

    panels: frozenset[str] | None = None
    """The names of the panels that are offered; all unless given."""

    computes_ahead: bool = True
    """Whether what the next answers may need is computed while the page waits for them."""


class SessionPage(Generic[Channel]):
    """Answers the requests of pages about a session, and notifies them of each event."""

    def __init__(
        self,
        session: Session,
        options: PageOptions,
        on_values: Callable[[SessionValues], None],
        front_end: Callable[..., Channel],
    ) -> None:
        self.session = session
        self._on_values = on_values
        self._unsent: SessionValues | None = None  # sent to the pages, but not yet to the traits
        self.sessions: Sequence[str] | None = None
        self.start_page = False
        self.new_session: str | None = None
        self._is_guest = False
        self._store_status = StoreStatus(session)
        self.front_end = front_end({}, session.lock, on_repeat=self.send_state, after=self._publish)
        if options.guidelines is not None and options.guidelines.strip():
            with suppress(StoreError):  # a page can be read without saving anything
                session.revisions.declare_guidelines(options.guidelines)
        self.configure(options)
        self._observers: list[Callable[[AnyEvent], None]] = [self._follow]
        if store_member(session.store, "is_lasting"):
            self._observers.append(details_kept(session))
        for each in self._observers:
            session.subscribe(each)
        self.sync = SessionSync(session, self.send_state)

    def configure(self, options: PageOptions) -> None:
        """Change how the session is shown."""
        session = self.session
        panel, renderer, is_blind = _panel_and_renderer(session, options)
        guidelines = None if options.guidelines is None else guidelines_tree(options.guidelines)
        reasons = usual_reasons(session, panel) if options.reasons is None else check_reasons(options.reasons)
        asked = session.measure.question or session.pool.question
        usual = asked or panel.question + order_in_words(session)
        self.options, self.panel, self.renderer = options, panel, renderer
        self._guidelines, self._reasons = guidelines, reasons
        self._question = usual if options.question is None else options.question
        self.answers = Answers(session, panel, self.state, self.send_state)
        shows_estimate = options.shows_estimate
        reviewed = ReviewedAnswers(session, panel, renderer, is_own_only=not shows_estimate)
        self._people = People(
            session,
            panel,
            asks_name=options.asks_name and session.people.who is None,
            shows_everyone=shows_estimate,
        )
        if hasattr(self, "view"):
            self.view.close()
        self.view: EvaluatorView | LabelerView = LabelerView(session)
        if shows_estimate:
            unit = options.unit
            self.view = EvaluatorView(
                session,
                introduction(session) if options.intro is None else options.intro,
                panel.text,
                renderer,
                self.answers.sent,
                {
                    "title": options.title,
                    "question": self._question,
                    "unit": unit[1] if isinstance(unit, tuple) else unit,  # the plural
                },
                hides_predictions=is_blind,
                panels=options.panels,
                computes_ahead=options.computes_ahead,
                is_busy=lambda: self.answers.is_answering,
            )
        may_show_predictions = self.view.may_show_predictions and session.question.has_model
        review = AnswerReview(reviewed, self.answers.sent, may_show_predictions=may_show_predictions)
        handlers = {
            "hello": self._hello,
            "instances": self._instances,
            "more": self._more,
            **self.answers.handlers,
            **review.handlers,
            **self._store_status.handlers,
            **self.view.handlers,
            "name": self._name,
            "go_on": self._go_on,
            "new_session": lambda _: ({"open_session": self.new_session}, []),
        }
        asks = session.sheets.asks
        # A page that hides the model has no sheets that show its predictions.
        self._has_sheets = asks == "positive" or (asks is not None and self.view.may_show_predictions)
        self.front_end.handle(handlers)

    def restrict_to_guest(self) -> None:
        """Show only this session, and refuse what is reserved for its owner."""
        self._is_guest, self.start_page = True, False
        self.sessions, self.new_session = [self.session.name], None
        self.front_end.allow(FOR_GUESTS)

    def values(self) -> SessionValues:
        """Return the session's values for traits, before any page has received them."""
        session = self.session
        n_labels = session.n_labels
        content: dict[str, Any] = {"n_labels": n_labels}
        content |= self.view.content() if n_labels else {"n_draws": session.n_draws}
        with suppress(StoreError):  # pages report it
            coming = [{"id": drawn.instance_id} for drawn in session.upcoming(1)]
            content |= {"queue": coming, "is_done": not coming and session.is_done}
        return SessionValues.of(session, content)

    def close(self) -> None:
        """Stop all notifications."""
        for each in self._observers:
            self.session.unsubscribe(each)
        self.sync.stop()
        self.view.close()
        self.front_end.close()

    def _follow(self, _event: AnyEvent) -> None:
        """Notify the pages of an event, whether it came from a key or from code."""
        if not (self.answers.is_answering or self.sync.is_quiet):
            self.send_state()

    def send_state(self) -> None:
        """Send the session's state to the pages."""
        self.front_end.send({"state": self.state()})
        self._publish()

    def send_config(self) -> None:
        """Send the state and the settings to the pages."""
        self.front_end.send({"config": self._config(), "state": self.state()})
        self._publish()

    def _publish(self) -> None:
        """Update the traits once the pages have been notified."""
        values, self._unsent = self._unsent, None
        if values is not None:
            self._on_values(values)

    def _hello(self, _message: Mapping[str, Any]) -> Reply:
        with self.sync.quietly():
            self._people.begin()
        return {"config": self._config(), "state": self.state()}, []

    def _config(self) -> dict[str, Any]:
        """Return the settings that do not change while a page is open."""
        labels = self.panel.config()
        actions = [each for each in self.view.actions() if self._offers(each.name)]
        return {
            "title": self.options.title,
            "question": self._question,
            "labels": labels,
            "actions": [
                {"name": a.name, "text": a.text, "meaning": a.meaning, "is_rare": a.is_rare} for a in actions
            ],
            "keys": keys_config(
                self.session.measure.name, labels, self.panel.reserved_keys(), [a.name for a in actions]
            ),
            "guidelines": self._guidelines,
            "reasons": self._reasons,
            "is_standalone": self.sessions is not None,
            "is_guest": self._is_guest,
            "has_new_session": self.sessions is not None and self.new_session is not None,
            "session": self.session.name,
            "session_text": self.session.storage.place,
            "sessions": list(self.sessions or []),
            **({"start_page": "./"} if self.start_page else {}),
            **self.view.config(),
            "instance_modules": view_modules(self.session.pool),
            **self._people.config(),
        }

    def _offers(self, action: str) -> bool:
        """Return whether pages offer an action."""
        if action == "sheet" and not self._has_sheets:
            return False
        offered = self.options.actions
        return (offered is None or action in offered) and not (self._is_guest and action == "goal")

    def _name(self, message: Mapping[str, Any]) -> Reply:
        """Set who labels from now on."""
        with self.sync.quietly():
            reply = self._people.name(message)
        self.send_state()
        return reply

    def _instances(self, message: Mapping[str, Any]) -> Reply:
        """Return the requested instances, as far as the page may ask for them."""
        indices = [index for index in message["indices"] if index in self.answers.sent]
        begin = perf_counter()
        described, contents = self.renderer.described(indices)
        # From this the page decides how many instances to request at once.
        ms_each = round(1000 * (perf_counter() - begin) / max(1, len(indices)), 3)
        return {"instances": described, "ms_each": ms_each}, contents

    def _more(self, message: Mapping[str, Any]) -> Reply:
        """Return a further part of a long text."""
        index, passage, start = message["index"], message["passage"], message["start"]
        if index not in self.answers.sent:
            raise ValueError(f"index must be of an instance that was drawn, got {index!r}")
        part = self.renderer.more(index, passage, start)
        return {"more": {"index": index, "passage": passage}}, [part]

    def _go_on(self, _message: Mapping[str, Any]) -> Reply:
        """Allow more labels than the budget."""
        self.session.revisions.lift_budget()  # pages are notified of the event
        return {}, []

    def state(self) -> dict[str, Any]:
        """Return what the page shows, except plots."""
        session = self.session
        queue = [] if self._people.is_name_missing else self.answers.queue()
        self.renderer.prepare([drawn["index"] for drawn in queue])
        # An empty queue is not the end if nothing could be leased because the store is unavailable.
        is_done = not queue and session.is_done
        state = {
            **self.view.content(),
            "queue": queue,
            "store": self._store_status.content(),
            "n_labels": session.n_labels,
            "is_done": is_done,
            "waits_for_others": is_done and session.people.n_with_others > 0,
            "done_text": done_text(session) if is_done else "",
            "can_undo": session.revisions.can_undo,
            "people": self._people.content(),
            "can_lift_budget": is_done and can_lift_budget(session) and not self._is_guest,
            "status": status_text(session, self.panel.text_of),
            **(self.answers.sheet() if self._has_sheets and not self._people.is_name_missing else {}),
        }
        self._unsent = SessionValues.of(session, state)
        return state


def _panel_and_renderer(session: Session, options: PageOptions) -> tuple[LabelPanel, InstanceRenderer, bool]:
    """Return the input panel, the renderer, and whether the systems behind answers are hidden."""
    renderer = InstanceRenderer(session.pool, options.view, getattr(session.labels, "items", None))
    sides = Sides.of(session)
    is_blind = sides is not None and renderer.turn(sides.view)
    keys = None if is_blind else options.keys
    panel = label_panel(session.labels, keys=keys, unit=options.unit, grade_words=options.grade_words)
    if sides is not None and is_blind:
        panel = SidesPanel(sides, options.keys)
    return panel, renderer, is_blind
