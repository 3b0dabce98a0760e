"""The parts of a session's page as separate widgets, for custom layouts."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import anywidget
import ipywidgets
from traitlets import Instance, Unicode

from activeeval_widgets.session import Session
from activeeval_widgets.session.keywords import knows_keywords
from activeeval_widgets.widgets.front_end import STATIC, FrontEnd
from activeeval_widgets.widgets.instances.registered_views import View
from activeeval_widgets.widgets.labels.numbers import Unit
from activeeval_widgets.widgets.session_page import PageOptions, SessionPage
from activeeval_widgets.widgets.session_traits import SessionTraits
from activeeval_widgets.widgets.session_values import SessionValues

ACTIONS = frozenset({"undo", "defer", "exclude", "exclude_because", "note", "flag", "settings", "help"})
"""The actions of keys in parts, besides labeling."""


class _SharedPage:
    """The page shared by the parts of a session, so that a label given in one part shows in all."""

    _of: ClassVar["WeakKeyDictionary[Session, _SharedPage]"] = WeakKeyDictionary()

    def __init__(self, session: Session, options: PageOptions) -> None:
        self._parts: list[SessionPart] = []
        self._page = SessionPage(session, options, self._follow, FrontEnd)

    @classmethod
    def join(cls, session: Session, part: "SessionPart", options: Mapping[str, Any]) -> "_SharedPage":
        """Return the page of a session, after applying a part's options."""
        given = {name: option for name, option in options.items() if option is not None}
        shared = cls._of.get(session)
        if shared is None:
            shared = cls(session, PageOptions(actions=ACTIONS)._replace(**given))
        elif given:
            shared._page.configure(shared._page.options._replace(**given))
            shared._page.send_config()
        cls._of[session] = shared
        shared._parts.append(part)
        return shared

    @property
    def front_end(self) -> FrontEnd:
        return self._page.front_end

    def values(self) -> SessionValues:
        return self._page.values()

    def leave(self, part: "SessionPart") -> None:
        """Remove a part; the last one closes the page."""
        if part in self._parts:
            self._parts.remove(part)
        if not self._parts:
            self._of.pop(self._page.session, None)
            self._page.close()

    def _follow(self, values: SessionValues) -> None:
        for part in list(self._parts):
            part._follow(values)


class SessionPart(SessionTraits, anywidget.AnyWidget):
    """A part of a session's page as a widget; all parts of a session stay in step."""

    _part = Unicode().tag(sync=True)
    _page = Instance(FrontEnd).tag(sync=True, **ipywidgets.widget_serialization)

    # Made from frontend/src/parts by `make bundle`; it loads the page's script.
    _esm: ClassVar[Any] = (STATIC / "part.js").read_text(encoding="utf-8")

    def __init__(
        self,
        session: Session,
        layout: ipywidgets.Layout | Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        if not isinstance(session, Session):
            raise TypeError(f"session must be a Session, got {session!r}")
        self.session = session
        self._shared = _SharedPage.join(session, self, options)
        given = {} if layout is None else {"layout": layout}
        super().__init__(_page=self._shared.front_end, **given)
        self._follow(self._shared.values())

    def close(self) -> None:
        """Remove the part from the page; the last part of a session stops following it."""
        if hasattr(self, "_shared"):  # missing after a refused session, whose part Python closes as well
            self._shared.leave(self)
        super().close()


class InstanceView(SessionPart):
    """The instance to label, with keys.

    Several parts of one session stay in step: an action in one of them shows in the others at once. Numbers,
    grades and long lists of classes need `LabelButtons` on the same page to receive the keys.

    Parameters
    ----------
    session : Session
        The session.
    view : callable, optional
        The view of an instance; see `LabelingApp`.
    layout : Layout or mapping, optional
        The size of the widget, such as ``{"height": "300px"}``.

    Raises
    ------
    TypeError, ValueError
        If `session` is not a session, or the pool's instances need a view.

    See Also
    --------
    LabelButtons : Buttons to label it.
    LabelingApp : All parts in one page.

    Examples
    --------
    >>> from activeeval_widgets import InstanceView, LabelButtons
    >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6]], classes=["fine", "rude"])
    >>> session = Session(Pool(["Thank you.", "No!"], predictions=model), ErrorRate())
    >>> shown, labels = InstanceView(session), LabelButtons(session)
    >>> event = session.label("fine")
    >>> shown.n_labels, labels.n_labels, labels.label
    (1, 1, 'fine')
    """

    _part = Unicode("instance").tag(sync=True)

    @knows_keywords("InstanceView")
    def __init__(
        self,
        session: Session,
        *,
        view: View | None = None,
        layout: ipywidgets.Layout | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(session, layout, view=view)


class LabelButtons(SessionPart):
    """The question, a button and a key for each label, and buttons to undo, defer and exclude.

    For ranked lists it also shows the list, in which grades are given.

    Parameters
    ----------
    session : Session
        The session.
    question, keys, unit, grade_words, reasons
        As for `LabelingApp`.
    layout : Layout or mapping, optional
        The size of the widget.

    Raises
    ------
    TypeError, ValueError
        If `session` is not a session, or an argument does not fit it.

    See Also
    --------
    InstanceView : Shows the instance to label.

    Notes
    -----
    While an `InstanceView` of the session is on the same page, the next instance can be labeled before the
    last label is saved. Without one, each label is saved first, so that other widgets can follow
    `instance_id`.

    Examples
    --------
    >>> from activeeval_widgets import LabelButtons
    >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6]], classes=["fine", "rude"])
    >>> session = Session(Pool(["Thank you.", "No!"], predictions=model), ErrorRate())
    >>> labels = LabelButtons(session, question="How polite is it?", keys={"fine": "f", "rude": "r"})
    >>> labels.instance_id in ("0", "1")
    True
    """

    _part = Unicode("labels").tag(sync=True)

    @knows_keywords("LabelButtons")
    def __init__(
        self,
        session: Session,
        *,
        question: str | None = None,
        keys: Mapping[Any, str] | None = None,
        unit: Unit | None = None,
        grade_words: Sequence[str] | None = None,
        reasons: Sequence[str] | None = None,
        layout: ipywidgets.Layout | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            session,
            layout,
            question=question,
            keys=keys,
            unit=unit,
            grade_words=grade_words,
            reasons=reasons,
        )


class EstimateView(SessionPart):
    """The estimate with its interval, in words and as a bar, and the distance to the goal.

    Parameters
    ----------
    session : Session
        The session.
    intro : str, optional
        The text before the first label; see `LabelingApp`.
    layout : Layout or mapping, optional
        The size of the widget.

    Raises
    ------
    TypeError
        If `session` is not a session.

    See Also
    --------
    ProgressView : The number of labels.

    Examples
    --------
    >>> from activeeval_widgets import EstimateView
    >>> shown = EstimateView(session)
    >>> shown.value
    nan
    >>> events = [session.label(1) for _ in range(3)]
    >>> shown.low <= shown.value <= shown.high
    True
    """

    _part = Unicode("estimate").tag(sync=True)

    @knows_keywords("EstimateView")
    def __init__(
        self,
        session: Session,
        *,
        intro: str | None = None,
        layout: ipywidgets.Layout | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(session, layout, intro=intro)


class ProgressView(SessionPart):
    """The number of labels, in words and, with a budget, as a bar.

    Parameters
    ----------
    session : Session
        The session.
    layout : Layout or mapping, optional
        The size of the widget.

    Raises
    ------
    TypeError
        If `session` is not a session.

    See Also
    --------
    EstimateView : The estimate from the labels.

    Examples
    --------
    >>> from activeeval_widgets import ProgressView
    >>> session = Session(pool, ErrorRate(), budget=2)
    >>> shown = ProgressView(session)
    >>> events = [session.label(1) for _ in range(2)]
    >>> shown.n_labels, shown.is_done
    (2, True)
    """

    _part = Unicode("progress").tag(sync=True)

    @knows_keywords("ProgressView")
    def __init__(
        self, session: Session, *, layout: ipywidgets.Layout | Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(session, layout)


class HistoryView(SessionPart):
    """The answers so far, with search and filters.

    A row opens its instance, to change the label, if an `InstanceView` or `LabelButtons` of the session is on
    the same page.

    Parameters
    ----------
    session : Session
        The session.
    layout : Layout or mapping, optional
        The size of the widget.

    Raises
    ------
    TypeError
        If `session` is not a session.

    See Also
    --------
    Session.labels_table : The labels as a DataFrame.

    Examples
    --------
    >>> from activeeval_widgets import HistoryView
    >>> shown = HistoryView(session)
    >>> event = session.label(1)
    >>> shown.label
    1
    """

    _part = Unicode("history").tag(sync=True)

    @knows_keywords("HistoryView")
    def __init__(
        self, session: Session, *, layout: ipywidgets.Layout | Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(session, layout)
