"""The labeling app: the only place that connects a session to what a person sees."""

import sys
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

import ipywidgets

from activeeval_widgets.session import Session
from activeeval_widgets.session.keywords import knows_keywords
from activeeval_widgets.session.log.events import AnyEvent
from activeeval_widgets.widgets.answers.answers import Answers, check_reasons, usual_reasons
from activeeval_widgets.widgets.answers.following import Following
from activeeval_widgets.widgets.answers.history import ReviewedAnswers
from activeeval_widgets.widgets.answers.people import People
from activeeval_widgets.widgets.answers.reviewing import Reviewing
from activeeval_widgets.widgets.answers.store_status import StoreStatus
from activeeval_widgets.widgets.elements.markdown import guidelines_tree
from activeeval_widgets.widgets.evaluator_view import EvaluatorView
from activeeval_widgets.widgets.figures.plots import Plots
from activeeval_widgets.widgets.front_end import FrontEnd, Reply
from activeeval_widgets.widgets.instances.instance_view import InstanceView
from activeeval_widgets.widgets.instances.registered_views import View, view_modules
from activeeval_widgets.widgets.labeler_view import LabelerView
from activeeval_widgets.widgets.labels.keys import action_keys, key_scope
from activeeval_widgets.widgets.labels.numbers import Unit
from activeeval_widgets.widgets.labels.panel import LabelPanel, label_panel
from activeeval_widgets.widgets.labels.sides import Sides, SidesPanel
from activeeval_widgets.widgets.messages import FOR_GUESTS
from activeeval_widgets.widgets.result.counts import can_go_on
from activeeval_widgets.widgets.wording.models import order_in_words
from activeeval_widgets.widgets.wording.progress import done_text, status_text
from activeeval_widgets.widgets.wording.sessions import introduction


class LabelingApp(ipywidgets.VBox):  # type: ignore[misc]
    """Label the instances that a session draws, and watch the estimate get sharper.

    Parameters
    ----------
    session : Session
        What is labeled, and where the labels go.
    title : str, optional
        The heading.
    intro : str, optional
        A sentence or two on what this is, shown until the first label. By the measure and the pool unless
        given.
    question : str, optional
        What is asked about each instance. By the kind of label unless given.
    keys : mapping from label to str, optional
        For classes and grades: the key of each label that is not to have its usual one. The person can
        change them, too.
    unit : str or tuple of two str, optional
        For numbers: the unit, or its singular and plural: ("point", "points").
    grade_words : sequence of str, optional
        For grades: what each means, from the lowest on.
    guidelines : str, optional
        How to decide, in Markdown; shown beside the instance when wanted.
    reasons : sequence of str, optional
        Why an instance can be excluded, for the person to choose from. By the kind of instance unless given.
    sessions : sequence of str, optional
        For a page of its own: names of the sessions that its address can name (`?session=NAME`). A notebook
        has none.
    new_session : str, optional
        For a page of its own: the name that a new session will get.
    start_page : bool
        For a page of its own: whether its address without a session is the start page, to which a link leads.
    shows_estimate : bool
        Whether the page tells of the estimate. If not, it is never sent there, nor is anything that tells of
        the model, so that it can't influence the labels.
    asks_name : bool
        Whether the page asks who labels, once, and remembers it: where several people label. A session that
        has its `who` already, by a log-in, say, is not asked.
    view : callable, optional
        How an instance looks: a callable from an instance to an `Element`, a string or `Text`, or an image
        (array, encoded bytes, path or PIL image). The pool's kind decides unless given. What goes wrong in it
        is shown in the place of that instance, which can be excluded.

    Raises
    ------
    TypeError, ValueError
        If an argument does not fit the session, or the pool's instances need a view.

    See Also
    --------
    evaluate : Makes pool, session and app in one call.
    register_view : Says how instances of a kind look in all apps.
    register_panel : Adds a panel to all apps.

    Examples
    --------
    A view of one's own, for instances of any type. All strings are text, whatever they look like:

    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
    >>> from activeeval_widgets.widgets import element
    >>> def show_post(post):
    ...     return element(
    ...         "div",
    ...         element("h3", post["author"]),
    ...         element("p", post["text"]),
    ...         element("p", post["likes"], " likes", class_="aew-muted"),
    ...     )
    >>> posts = [{"author": "Ada", "text": "1 < 2", "likes": 3}, {"author": "Bob", "text": "No!", "likes": 0}]
    >>> predictions = ClassPredictions([[0.9, 0.1], [0.4, 0.6]], classes=["fine", "rude"])
    >>> pool = Pool(posts, predictions=predictions, kind="custom")
    >>> app = LabelingApp(Session(pool, ErrorRate()), view=show_post)
    """

    @knows_keywords("LabelingApp")
    def __init__(
        self,
        session: Session,
        *,
        title: str = "Active evaluation",
        intro: str | None = None,
        question: str | None = None,
        keys: Mapping[Any, str] | None = None,
        unit: Unit | None = None,
        grade_words: Sequence[str] | None = None,
        guidelines: str | None = None,
        reasons: Sequence[str] | None = None,
        sessions: Sequence[str] | None = None,
        new_session: str | None = None,
        start_page: bool = False,
        shows_estimate: bool = True,
        asks_name: bool = False,
        view: View | None = None,
    ) -> None:
        if not isinstance(session, Session):
            raise TypeError(f"session must be a Session, got {session!r}")
        self.session = session
        self._title = title
        self._instance_view = InstanceView(session.pool, view, getattr(session.labels, "items", None))
        sides = Sides.of(session)
        is_blind = sides is not None and self._instance_view.turn(sides.view)
        self._panel: LabelPanel = label_panel(
            session.labels, keys=None if is_blind else keys, unit=unit, grade_words=grade_words
        )
        if sides is not None and is_blind:
            self._panel = SidesPanel(sides, keys)
        asked = session.measure.question or session.pool.question
        usual = asked or self._panel.question + order_in_words(session)
        self._question = usual if question is None else question
        self._guidelines = None if guidelines is None else guidelines_tree(guidelines)
        self._reasons = usual_reasons(session, self._panel) if reasons is None else check_reasons(reasons)
        self._store_status = StoreStatus(session)
        self._answers = Answers(session, self._panel, self._state, self._tell)
        self._sessions = sessions
        self._is_guest = False
        self._new_session, self._start_page = new_session, start_page
        reviewed = ReviewedAnswers(session, self._panel, self._instance_view, is_own_only=not shows_estimate)
        self._people = People(
            session, self._panel, asks_name=asks_name and session.who is None, tells_all=shows_estimate
        )
        self._view: EvaluatorView | LabelerView = LabelerView(session)
        if shows_estimate:
            self._view = EvaluatorView(
                session,
                introduction(session) if intro is None else intro,
                self._panel.text,
                self._instance_view,
                self._answers.told,
                {
                    "title": title,
                    "question": self._question,
                    "unit": unit[1] if isinstance(unit, tuple) else unit,  # of many
                },
                hides_predictions=is_blind,
                is_busy=lambda: self._answers.is_answering,
            )
        reviewing = Reviewing(reviewed, self._answers.told, tells_of_model=self._view.tells_of_model)
        self._front_end = FrontEnd(
            {
                "hello": self._hello,
                "instances": self._instances,
                "more": self._more,
                **self._answers.handlers,
                **reviewing.handlers,
                **self._store_status.handlers,
                **self._view.handlers,
                "name": self._name,
                "go_on": self._go_on,
                "new_session": lambda _: ({"open_session": self._new_session}, []),
            },
            session.lock,
            on_repeat=self._tell,
        )
        grid = ipywidgets.Box([self._front_end])
        grid.add_class("aew-grid")
        super().__init__([grid])
        self.add_class("aew-app")
        session.subscribe(self._follow)
        self._following = Following(session, self._tell)

    @property
    def title(self) -> str:
        """The heading."""
        return self._title

    @property
    def plots(self) -> Plots:
        """The live plots, as bqplot figures to put anywhere in a notebook.

        Raises
        ------
        AttributeError
            If the app does not show the estimate.

        See Also
        --------
        activeeval_widgets.plots : The plots of a session without an app.
        """
        if isinstance(self._view, LabelerView):
            raise AttributeError(
                "this app was made with shows_estimate=False, so it has no plots; "
                "plots(app.session) makes them, for a notebook that the labeler does not see"
            )
        return self._view.plots

    def stand_alone(self, sessions: Sequence[str], *, start_page: bool = False) -> None:
        """Fill a page of its own from now on, as with `sessions`; the page has to be shown after that.

        Parameters
        ----------
        sessions : sequence of str
            Names of the sessions that its address can name.
        start_page : bool
            Whether its address without a session is the start page.
        """
        self._sessions, self._start_page = sessions, start_page

    def restrict_to_guest(self) -> None:
        """Be the page of this one session from now on, without exports, goal and other sessions.

        What is for its owner is refused, whatever the page sends. The page has to be shown after that.
        """
        self._is_guest = True
        self.stand_alone([self.session.name])
        self._new_session = None
        self._front_end.allow(FOR_GUESTS)

    def close(self) -> None:
        """Take the app off the page, and stop following the session."""
        if hasattr(self, "_front_end"):  # not after a refused session: Python closes that app, too
            self.session.unsubscribe(self._follow)
            self._following.stop()
            self._view.close()
            self._front_end.close()
        super().close()

    def _display_(self) -> FrontEnd:
        """What marimo shows: it knows no boxes, and the script makes its own there."""
        return self._front_end

    def _repr_mimebundle_(self, **options: Any) -> Any:
        # Colab has to be told where its widgets' manager is: anywidget does that, boxes do not.
        if "google.colab.output" in sys.modules:
            return self._front_end._repr_mimebundle_(**options)
        return super()._repr_mimebundle_(**options)

    def _follow(self, _event: AnyEvent) -> None:
        """Tell the page of an event, whether a key or a line of code brought it about."""
        if not (self._answers.is_answering or self._following.is_quiet):
            self._tell()

    def _tell(self) -> None:
        self._front_end.send({"state": self._state()})

    def _hello(self, _message: Mapping[str, Any]) -> Reply:
        labels = self._panel.config()
        choices = labels.get("choices", [])
        taken = self._panel.taken_keys()
        actions = [each for each in self._view.actions() if not self._is_guest or each.name != "goal"]
        config = {
            "title": self._title,
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
            "is_standalone": self._sessions is not None,
            "is_guest": self._is_guest,
            "has_new_session": self._sessions is not None and self._new_session is not None,
            "session": self.session.name,
            "session_text": self._store_status.where(),
            "sessions": list(self._sessions or []),
            **({"start_page": "./"} if self._start_page else {}),
            **self._view.config(),
            "instance_modules": view_modules(self.session.pool),
            **self._people.config(),
        }
        with self._following.quietly():
            self._people.begin()
        return {"config": config, "state": self._state()}, []

    def _name(self, message: Mapping[str, Any]) -> Reply:
        """Who labels from now on."""
        with self._following.quietly():
            reply = self._people.name(message)
        self._tell()
        return reply

    def _instances(self, message: Mapping[str, Any]) -> Reply:
        """The instances asked for, where the page was told of them."""
        indices = [index for index in message["indices"] if index in self._answers.told]
        begin = perf_counter()
        rendered = [(index, self._instance_view.render(index)) for index in indices]
        # By this the page knows how many it may ask for at once.
        ms_each = round(1000 * (perf_counter() - begin) / max(1, len(indices)), 3)
        described = [
            {
                "index": index,
                "mime": instance.mime,
                "description": instance.description,
                "pixelated": instance.pixelated,
                "note": instance.note,
            }
            for index, instance in rendered
        ]
        return {"instances": described, "ms_each": ms_each}, [instance.content for _, instance in rendered]

    def _more(self, message: Mapping[str, Any]) -> Reply:
        """A further part of a long text."""
        index, passage, start = message["index"], message["passage"], message["start"]
        if index not in self._answers.told:
            raise ValueError(f"index must be of an instance that was drawn, got {index!r}")
        part = self._instance_view.more(index, passage, start)
        return {"more": {"index": index, "passage": passage}}, [part]

    def _go_on(self, _message: Mapping[str, Any]) -> Reply:
        """Ask for more labels than the budget."""
        self.session.go_on()  # the page is told as of any event
        return {}, []

    def _state(self) -> dict[str, Any]:
        """What the page shows, but for the plots."""
        session = self.session
        queue = self._answers.queue()
        self._instance_view.prepare([drawn["index"] for drawn in queue])
        return {
            **self._view.content(),
            "queue": queue,
            "store": self._store_status.content(),
            "n_labels": session.n_labels,
            # Where nothing could be handed out, as the store is away, it is not the end.
            "is_done": not queue and session.is_done,
            "done_text": done_text(session),
            "can_undo": session.can_undo,
            "people": self._people.content(),
            "can_go_on": can_go_on(session) and not self._is_guest,
            "status": status_text(session, self._panel.text_of),
        }
