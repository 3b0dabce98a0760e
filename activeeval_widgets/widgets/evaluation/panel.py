"""What a panel is, and the one place where panels are registered."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self, TypeVar

from activeeval_widgets.session import Session
from activeeval_widgets.stats.questions.question import Question
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot
from activeeval_widgets.widgets.page_modules import ModuleSource, module_text

Moment = Literal["answer", "rest"]


class Panel(ABC):
    """A part of the page that tells what the labels say.

    A panel is made for each app that shows one, so that it may remember what it showed last.

    Attributes
    ----------
    name : str
        The panel's name in messages. Its twin in the front end, which draws it, has the same.
    title : str
        What it is called on the page.
    moment : {"answer", "rest"}
        When it is told anew: with each answer, or as soon as the keys rest, for what takes longer to compute
        or to draw.
    is_optional : bool
        Whether its content is computed only while the page shows it.
    asked : type of Question
        What has to be asked for the panel to have something to say.
    front_end : str, Path or None
        For a panel from outside this package: its twin, an ES module or the file that holds one. Its default
        export is a function from `{ element, goTo }` to `{ node, show(content), close() }`; `close` may be
        left out.

    See Also
    --------
    register_panel : Makes a panel known to all apps.

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

    name: ClassVar[str]
    title: ClassVar[str]
    moment: ClassVar[Moment] = "rest"
    is_optional: ClassVar[bool] = False
    asked: ClassVar[type] = Question
    front_end: ClassVar[ModuleSource | None] = None

    @classmethod
    def of(cls, session: Session) -> Self | None:  # noqa: ARG003
        """The panel for a session; None where it has nothing to say of such a one."""
        return cls()

    @abstractmethod
    def content(self, snapshot: Snapshot, options: Mapping[str, Any]) -> Any:
        """What the twin in the front end draws: JSON, made from the snapshot alone.

        Parameters
        ----------
        snapshot : Snapshot
            The session now.
        options : mapping
            What the person chose: "shows_wald", a bool, in the dialog "View"; "pair", two of several models
            by their positions, or None.
        """


PANELS: dict[str, type[Panel]] = {}
"""All panels by name, in the order in which they were registered."""

_Kind = TypeVar("_Kind", bound=type[Panel])


def register_panel(panel: _Kind) -> _Kind:
    """Make a panel known to all apps that are made from now on. Can decorate its class.

    Parameters
    ----------
    panel : subclass of Panel
        What an app makes one of.

    Returns
    -------
    type
        The same class.

    Raises
    ------
    TypeError, ValueError
        If it is not a subclass of `Panel`, lacks a name or a title, or another one has its name; if its
        front end is no ES module.

    See Also
    --------
    Panel : What it provides.

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
            raise ValueError(
                f"{attribute} of {panel.__name__} must be a string that is not blank, got {given!r}"
            )
    if panel.front_end is not None:
        module_text(panel.front_end)
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", panel.name):
        raise ValueError(
            f"name of {panel.__name__} must be of small letters, digits, - and _, got {panel.name!r}"
        )
    known = PANELS.get(panel.name)
    if known is not None and known.__qualname__ != panel.__qualname__:
        raise ValueError(f"name of {panel.__name__} is {panel.name!r}, which is the name of {known.__name__}")
    PANELS[panel.name] = panel
    return panel
