"""The base class of panels, and their registry."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self, TypeVar

from activeeval_widgets.session import Session
from activeeval_widgets.stats.questions.question import Question
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot
from activeeval_widgets.widgets.messages.from_python import PanelConfig, PanelKind
from activeeval_widgets.widgets.page_modules import ModuleSource, module_text

Moment = Literal["answer", "rest"]


class Panel(ABC):
    """A part of the page that presents results.

    Each app creates its own panels, so that a panel may remember what it showed last.

    Attributes
    ----------
    name : str
        The panel's name in messages, shared by its counterpart in the front end, which draws it.
    title : str
        The panel's heading on the page.
    moment : {"answer", "rest"}
        When the panel is updated: with each answer, or once no key has been pressed for a while, for what
        takes longer to compute or draw.
    is_optional : bool
        Whether the content is computed only while the page shows it.
    asked : type of Question
        The class of questions for which the panel has content.
    kind : str or None
        The part of the front end that draws it, such as "plot", if it has no module of its own.
    is_hidden_at_first : bool
        Whether the page hides it until a person chooses it in the dialog "View".
    comes_first : bool
        Whether it is above the plots, next to what each answer changes.
    front_end : str, Path or None
        For a panel from outside this package, its counterpart: an ES module or the file that holds it. The
        default export is a function from `{ element, goTo }` to `{ node, show(content), close() }`; `close`
        is optional.

    See Also
    --------
    register_panel : Make a panel known to all apps.

    Examples
    --------
    >>> class Seconds(Panel):
    ...     name = "seconds"
    ...     title = "Time for each label"
    ...
    ...     def content(self, snapshot, options):
    ...         times = [action.seconds for action in snapshot.session.log.actions if action.kind == "label"]
    ...         return {"seconds": [time for time in times if time is not None]}
    """

    name: str
    title: str
    moment: ClassVar[Moment] = "rest"
    is_optional: ClassVar[bool] = False
    asked: ClassVar[type] = Question
    kind: ClassVar[PanelKind | None] = None
    is_hidden_at_first: ClassVar[bool] = False
    comes_first: bool = False
    front_end: ClassVar[ModuleSource | None] = None

    @classmethod
    def of(cls, session: Session) -> Self | None:  # noqa: ARG003
        """Return the panel for a session; None if it does not apply to it."""
        return cls()

    def config(self) -> PanelConfig | None:
        """Return how the page draws it; None if its content is shown in another panel, or nowhere."""
        kind = self.kind if self.front_end is None else "module"
        if kind is None:
            return None
        return {
            "name": self.name,
            "title": self.title,
            "kind": kind,
            "source": "" if self.front_end is None else module_text(self.front_end),
            "is_hidden_at_first": self.is_hidden_at_first,
        }

    @abstractmethod
    def content(self, snapshot: Snapshot, options: Mapping[str, Any]) -> Any:
        """Return what the counterpart in the front end draws: JSON, made only from the snapshot.

        Parameters
        ----------
        snapshot : Snapshot
            The current state of the session.
        options : mapping
            The person's choices: "shows_wald", a bool, from the dialog "View"; "pair", the positions of two
            of several models, or None.
        """


PANELS: dict[str, type[Panel]] = {}
"""All panels by name, in order of registration."""

_Kind = TypeVar("_Kind", bound=type[Panel])


def register_panel(panel: _Kind) -> _Kind:
    """Make a panel known to all apps created from now on. Can be used as a class decorator.

    Parameters
    ----------
    panel : subclass of Panel
        The class from which apps create panels.

    Returns
    -------
    type
        The same class.

    Raises
    ------
    TypeError, ValueError
        If it is not a subclass of `Panel`, or lacks a name or a title; if another panel has its name; if its
        front end is not an ES module.

    See Also
    --------
    Panel : The base class.

    Examples
    --------
    >>> @register_panel
    ... class NumberOfLabels(Panel):
    ...     name = "number_of_labels"
    ...     title = "Number of labels"
    ...
    ...     def content(self, snapshot, options):
    ...         return {"n_labels": snapshot.session.n_labels}
    >>> del PANELS["number_of_labels"]
    """
    if not (isinstance(panel, type) and issubclass(panel, Panel)):
        raise TypeError(f"panel must be a subclass of Panel, got {panel!r}")
    for attribute in ("name", "title"):
        given = getattr(panel, attribute, None)
        if not isinstance(given, str) or not given.strip():
            raise ValueError(f"{attribute} of {panel.__name__} must be a nonblank string, got {given!r}")
    if panel.front_end is not None:
        module_text(panel.front_end)
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", panel.name):
        raise ValueError(f"name of {panel.__name__} must consist of a-z, 0-9, - and _, got {panel.name!r}")
    known = PANELS.get(panel.name)
    if known is not None and known.__qualname__ != panel.__qualname__:
        raise ValueError(f"name of {panel.__name__} is {panel.name!r}, which is the name of {known.__name__}")
    PANELS[panel.name] = panel
    return panel
