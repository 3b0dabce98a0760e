"""The labeling app: all parts of a session in one page."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import ipywidgets

from activeeval_widgets.session import Session
from activeeval_widgets.session.keywords import knows_keywords
from activeeval_widgets.widgets.figures.plots import Plots
from activeeval_widgets.widgets.front_end import FrontEnd
from activeeval_widgets.widgets.instances.registered_views import View
from activeeval_widgets.widgets.labeler_view import LabelerView
from activeeval_widgets.widgets.labels.numbers import Unit
from activeeval_widgets.widgets.session_page import PageOptions, SessionPage
from activeeval_widgets.widgets.session_traits import SessionTraits


class LabelingApp(SessionTraits, ipywidgets.VBox):  # type: ignore[misc]
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
        options = PageOptions(
            title=title,
            intro=intro,
            question=question,
            keys=keys,
            unit=unit,
            grade_words=grade_words,
            guidelines=guidelines,
            reasons=reasons,
            shows_estimate=shows_estimate,
            asks_name=asks_name,
            view=view,
        )
        self._page = SessionPage(session, options, self._follow)
        self._page.sessions, self._page.start_page = sessions, start_page
        self._page.new_session = new_session
        grid = ipywidgets.Box([self._front_end])
        grid.add_class("aew-grid")
        super().__init__([grid])
        self.add_class("aew-app")
        self._follow(self._page.values())

    @property
    def title(self) -> str:
        """The heading."""
        return self._page.options.title

    @property
    def _front_end(self) -> FrontEnd:
        return self._page.front_end

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
        if isinstance(self._page.view, LabelerView):
            raise AttributeError(
                "this app was made with shows_estimate=False, so it has no plots; "
                "plots(app.session) makes them, for a notebook that the labeler does not see"
            )
        return self._page.view.plots

    def stand_alone(self, sessions: Sequence[str], *, start_page: bool = False) -> None:
        """Fill a page of its own from now on, as with `sessions`; the page has to be shown after that.

        Parameters
        ----------
        sessions : sequence of str
            Names of the sessions that its address can name.
        start_page : bool
            Whether its address without a session is the start page.
        """
        self._page.sessions, self._page.start_page = sessions, start_page

    def restrict_to_guest(self) -> None:
        """Be the page of this one session from now on, without exports, goal and other sessions.

        What is for its owner is refused, whatever the page sends. The page has to be shown after that.
        """
        self._page.restrict_to_guest()

    def close(self) -> None:
        """Take the app off the page, and stop following the session."""
        if hasattr(self, "_page"):  # not after a refused session: Python closes that app, too
            self._page.close()
        super().close()

    def _display_(self) -> FrontEnd:
        """What marimo shows: it knows no boxes, and the script makes its own there."""
        return self._front_end

    def _repr_mimebundle_(self, **options: Any) -> Any:
        # Colab has to be told where its widgets' manager is: anywidget does that, boxes do not.
        if "google.colab.output" in sys.modules:
            return self._front_end._repr_mimebundle_(**options)
        return super()._repr_mimebundle_(**options)
