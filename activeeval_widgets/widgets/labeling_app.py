"""The labeling app: a session in one page."""

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
    """Label the instances that a session draws, and watch the estimate become more precise.

    Parameters
    ----------
    session : Session
        The session to label.
    title : str, optional
        The heading.
    intro : str, optional
        One or two sentences of introduction, shown until the first label; by default from the measure and the
        pool.
    question : str, optional
        The question about each instance; by default from the kind of label.
    keys : mapping from label to str, optional
        For classes and grades, the key of each label that should not have its default one. Users can change
        keys, too.
    unit : str or tuple of two str, optional
        For numbers, the unit, or its singular and plural: ("point", "points").
    grade_words : sequence of str, optional
        For grades, the meaning of each, lowest first.
    guidelines : str, optional
        Instructions for labelers in Markdown, shown beside the instance on request.
    reasons : sequence of str, optional
        Reasons for excluding an instance, to choose from; by default from the kind of instance.
    sessions : sequence of str, optional
        For a page of its own, the names of sessions that its address may name (`?session=NAME`); none in a
        notebook.
    new_session : str, optional
        For a page of its own, the name of the next new session.
    start_page : bool
        For a page of its own, whether its address without a session is the start page, with a link to it.
    shows_estimate : bool
        Whether the page shows the estimate. If not, neither the estimate nor anything about the model is sent
        to the page, so that it can't bias the labels.
    asks_name : bool
        Whether the page asks once for the labeler's name and remembers it, for several labelers. A session
        with a `who` (from a login, for example) does not ask.
    view : callable, optional
        The view: a callable from an instance to an `Element`, a string or `Text`, or an image (array, encoded
        bytes, path or PIL image). By default the view of the pool's kind. Errors in it are shown in place of
        the instance, which can be excluded.

    Raises
    ------
    TypeError, ValueError
        If an argument does not fit the session, or the pool's instances need a view.

    See Also
    --------
    evaluate : Create pool, session and app in one call.
    register_view : Set the view of a kind for all apps.
    register_panel : Add a panel to all apps.

    Examples
    --------
    A custom view works for instances of any type. All strings are text, whatever they look like:

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
        self._page = SessionPage(session, options, self._follow, FrontEnd)
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
        """The live plots, as bqplot figures for any place in a notebook.

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

    def make_standalone(self, sessions: Sequence[str], *, start_page: bool = False) -> None:
        """Turn the app into a page of its own, as with `sessions`; call this before displaying it.

        Parameters
        ----------
        sessions : sequence of str
            The names of sessions that its address may name.
        start_page : bool
            Whether its address without a session is the start page.
        """
        self._page.sessions, self._page.start_page = sessions, start_page

    def restrict_to_guest(self) -> None:
        """Restrict the page to this one session, without exports, goal and other sessions.

        Messages that are reserved for the owner are refused. Call this before displaying the app.
        """
        self._page.restrict_to_guest()

    def close(self) -> None:
        """Remove the app from the page, and stop following the session."""
        if hasattr(self, "_page"):  # missing after a refused session, whose app Python closes as well
            self._page.close()
        super().close()

    def _display_(self) -> FrontEnd:
        """Return what marimo displays: it has no boxes, and the script creates its own there."""
        return self._front_end

    def _repr_mimebundle_(self, **options: Any) -> Any:
        # Colab needs to know the location of its widget manager: anywidget says it, boxes do not.
        if "google.colab.output" in sys.modules:
            return self._front_end._repr_mimebundle_(**options)
        return super()._repr_mimebundle_(**options)
