"""What connects a session to a page: the answers to its messages, and what it is told.

The labeling app has one of its own; the parts of a session by themselves share one.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from time import perf_counter
from typing import Any, NamedTuple

from activeeval_widgets.session import Session, StoreError
from activeeval_widgets.session.log.events import AnyEvent
from activeeval_widgets.widgets.answers.answers import Answers, check_reasons, usual_reasons
from activeeval_widgets.widgets.answers.following import Following
from activeeval_widgets.widgets.answers.history import ReviewedAnswers
from activeeval_widgets.widgets.answers.people import People
from activeeval_widgets.widgets.answers.reviewing import Reviewing
from activeeval_widgets.widgets.answers.store_status import StoreStatus
from activeeval_widgets.widgets.elements.markdown import guidelines_tree
from activeeval_widgets.widgets.evaluator_view import EvaluatorView
from activeeval_widgets.widgets.front_end import FrontEnd, Reply
from activeeval_widgets.widgets.instances.instance_renderer import InstanceRenderer
from activeeval_widgets.widgets.instances.registered_views import View, view_modules
from activeeval_widgets.widgets.labeler_view import LabelerView
from activeeval_widgets.widgets.labels.keys import action_keys, key_scope
from activeeval_widgets.widgets.labels.numbers import Unit
from activeeval_widgets.widgets.labels.panel import LabelPanel, label_panel
from activeeval_widgets.widgets.labels.sides import Sides, SidesPanel
from activeeval_widgets.widgets.messages import FOR_GUESTS
from activeeval_widgets.widgets.result.counts import can_go_on
from activeeval_widgets.widgets.session_traits import SessionValues
from activeeval_widgets.widgets.wording.models import order_in_words
from activeeval_widgets.widgets.wording.progress import done_text, status_text
from activeeval_widgets.widgets.wording.sessions import introduction


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
    """The actions that are offered, by their names; all unless given."""


class SessionPage:
    """Answers what pages ask of a session, and tells them of each event."""

    def __init__(self, session: Session, options: PageOptions, told: Callable[[SessionValues], None]) -> None:
        self.session = session
        self._told = told
        self._news: SessionValues | None = None  # what the pages were told, and the traits are not yet
        self.sessions: Sequence[str] | None = None
        self.start_page = False
        self.new_session: str | None = None
        self._is_guest = False
        self._store_status = StoreStatus(session)
        self.front_end = FrontEnd({}, session.lock, on_repeat=self.tell, after=self._publish)
        self.configure(options)
        session.subscribe(self._follow)
        self.following = Following(session, self.tell)

    def configure(self, options: PageOptions) -> None:
        """Show the session in another way from now on."""
        session = self.session
        panel, renderer, is_blind = _panel_and_renderer(session, options)
        guidelines = None if options.guidelines is None else guidelines_tree(options.guidelines)
        reasons = usual_reasons(session, panel) if options.reasons is None else check_reasons(options.reasons)
        asked = session.measure.question or session.pool.question
        usual = asked or panel.question + order_in_words(session)
        self.options, self.panel, self.renderer = options, panel, renderer
        self._guidelines, self._reasons = guidelines, reasons
        self._question = usual if options.question is None else options.question
        self.answers = Answers(session, panel, self.state, self.tell)
        shows_estimate = options.shows_estimate
        reviewed = ReviewedAnswers(session, panel, renderer, is_own_only=not shows_estimate)
        self._people = People(
            session,
            panel,
            asks_name=options.asks_name and session.people.who is None,
            tells_all=shows_estimate,
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
                self.answers.told,
                {
                    "title": options.title,
                    "question": self._question,
                    "unit": unit[1] if isinstance(unit, tuple) else unit,  # of many
                },
                hides_predictions=is_blind,
                is_busy=lambda: self.answers.is_answering,
            )
        reviewing = Reviewing(reviewed, self.answers.told, tells_of_model=self.view.tells_of_model)
        handlers = {
            "hello": self._hello,
            "instances": self._instances,
            "more": self._more,
            **self.answers.handlers,
            **reviewing.handlers,
            **self._store_status.handlers,
            **self.view.handlers,
            "name": self._name,
            "go_on": self._go_on,
            "new_session": lambda _: ({"open_session": self.new_session}, []),
        }
        self.front_end.handle(handlers)

    def restrict_to_guest(self) -> None:
        """Show this one session alone, and refuse what is for its owner."""
        self._is_guest = True
        self.sessions, self.new_session = [self.session.name], None
        self.front_end.allow(FOR_GUESTS)

    def values(self) -> SessionValues:
        """The session's values for traits, before any page is told of them."""
        session = self.session
        content = self.view.content() if session.n_labels else {"n_draws": session.n_draws}
        with suppress(StoreError):  # of which pages tell
            coming = [{"id": drawn.instance_id} for drawn in session.upcoming(1)]
            content |= {"queue": coming, "is_done": not coming and session.is_done}
        return SessionValues.of(session, content)

    def close(self) -> None:
        """Tell nobody anything any more."""
        self.session.unsubscribe(self._follow)
        self.following.stop()
        self.view.close()
        self.front_end.close()

    def _follow(self, _event: AnyEvent) -> None:
        """Tell the page of an event, whether a key or a line of code brought it about."""
        if not (self.answers.is_answering or self.following.is_quiet):
            self.tell()

    def tell(self) -> None:
        """Tell the pages the session's state."""
        self.front_end.send({"state": self.state()})
        self._publish()

    def tell_all(self) -> None:
        """Tell the pages how the session is shown, too."""
        self.front_end.send({"config": self._config(), "state": self.state()})
        self._publish()

    def _publish(self) -> None:
        """Let the traits follow, once the pages were told."""
        news, self._news = self._news, None
        if news is not None:
            self._told(news)

    def _hello(self, _message: Mapping[str, Any]) -> Reply:
        with self.following.quietly():
            self._people.begin()
        return {"config": self._config(), "state": self.state()}, []

    def _config(self) -> dict[str, Any]:
        """What stays as it is while a page is shown."""
        labels = self.panel.config()
        choices = labels.get("choices", [])
        taken = self.panel.taken_keys()
        actions = [each for each in self.view.actions() if self._offers(each.name)]
        return {
            "title": self.options.title,
            "question": self._question,
            "labels": labels,
            "actions": [
                {"name": a.name, "text": a.text, "meaning": a.meaning, "is_rare": a.is_rare} for a in actions
            ],
            "keys": {
                "scope": key_scope(self.session.measure.name, labels),
                "labels": choices,
                "actions": {a.name: action_keys(taken)[a.name] for a in actions},
                "taken": sorted(taken - {key for choice in choices for key in choice["keys"]}),
            },
            "guidelines": self._guidelines,
            "reasons": self._reasons,
            "is_standalone": self.sessions is not None,
            "is_guest": self._is_guest,
            "has_new_session": self.sessions is not None and self.new_session is not None,
            "session": self.session.name,
            "session_text": self._store_status.where(),
            "sessions": list(self.sessions or []),
            **({"start_page": "./"} if self.start_page else {}),
            **self.view.config(),
            "instance_modules": view_modules(self.session.pool),
            **self._people.config(),
        }

    def _offers(self, action: str) -> bool:
        """Whether pages offer an action."""
        offered = self.options.actions
        return (offered is None or action in offered) and not (self._is_guest and action == "goal")

    def _name(self, message: Mapping[str, Any]) -> Reply:
        """Who labels from now on."""
        with self.following.quietly():
            reply = self._people.name(message)
        self.tell()
        return reply

    def _instances(self, message: Mapping[str, Any]) -> Reply:
        """The instances asked for, where the page was told of them."""
        indices = [index for index in message["indices"] if index in self.answers.told]
        begin = perf_counter()
        described, contents = self.renderer.described(indices)
        # By this the page knows how many it may ask for at once.
        ms_each = round(1000 * (perf_counter() - begin) / max(1, len(indices)), 3)
        return {"instances": described, "ms_each": ms_each}, contents

    def _more(self, message: Mapping[str, Any]) -> Reply:
        """A further part of a long text."""
        index, passage, start = message["index"], message["passage"], message["start"]
        if index not in self.answers.told:
            raise ValueError(f"index must be of an instance that was drawn, got {index!r}")
        part = self.renderer.more(index, passage, start)
        return {"more": {"index": index, "passage": passage}}, [part]

    def _go_on(self, _message: Mapping[str, Any]) -> Reply:
        """Ask for more labels than the budget."""
        self.session.revisions.lift_budget()  # the page is told as of any event
        return {}, []

    def state(self) -> dict[str, Any]:
        """What the page shows, but for the plots."""
        session = self.session
        queue = [] if self._people.is_name_missing else self.answers.queue()
        self.renderer.prepare([drawn["index"] for drawn in queue])
        state = {
            **self.view.content(),
            "queue": queue,
            "store": self._store_status.content(),
            "n_labels": session.n_labels,
            # Where nothing could be handed out, as the store is away, it is not the end.
            "is_done": not queue and session.is_done,
            "done_text": done_text(session),
            "can_undo": session.revisions.can_undo,
            "people": self._people.content(),
            "can_go_on": can_go_on(session) and not self._is_guest,
            "status": status_text(session, self.panel.text_of),
        }
        self._news = SessionValues.of(session, state)
        return state


def _panel_and_renderer(session: Session, options: PageOptions) -> tuple[LabelPanel, InstanceRenderer, bool]:
    """How labels are given, how instances look, and whether nobody may know whose answer is whose."""
    renderer = InstanceRenderer(session.pool, options.view, getattr(session.labels, "items", None))
    sides = Sides.of(session)
    is_blind = sides is not None and renderer.turn(sides.view)
    keys = None if is_blind else options.keys
    panel = label_panel(session.labels, keys=keys, unit=options.unit, grade_words=options.grade_words)
    if sides is not None and is_blind:
        panel = SidesPanel(sides, options.keys)
    return panel, renderer, is_blind
