"""What the panel of a kind of label provides, and the one place where such panels are registered."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from activeeval_widgets.session import Labels


class LabelChoice(NamedTuple):
    """A label's button: what it stands for, its text, and the keys that press it, the shown one first."""

    value: str
    text: str
    keys: tuple[str, ...]


class LabelPanel(ABC):
    """How one kind of label is given.

    Attributes
    ----------
    kind : str
        The kind of label, as `session.Labels` name it. The panel's twin in the front end, which builds the
        controls, goes by the same name.
    options : tuple of str
        Which of the app's options it takes: "keys", "unit", "grade_words".
    question : str
        What is asked, unless the person says otherwise.
    reasons : tuple of str
        Why an instance may have no such label, usually: for the person to choose from.

    See Also
    --------
    register_label_panel : Makes a panel known.
    """

    kind: ClassVar[str]
    options: ClassVar[tuple[str, ...]] = ()
    question: ClassVar[str]
    reasons: ClassVar[tuple[str, ...]] = ()

    @classmethod
    @abstractmethod
    def of(cls, labels: Any, **options: Any) -> Self:
        """The panel for what a session takes as labels.

        Raises
        ------
        ValueError, TypeError
            If an option does not fit.
        """

    @abstractmethod
    def config(self) -> dict[str, Any]:
        """What the page builds its controls of; "kind" says which."""

    @abstractmethod
    def taken_keys(self) -> frozenset[str]:
        """Keys that actions can't have."""

    @abstractmethod
    def decode(self, value: Any) -> Any:
        """The label that the page's `value` means.

        Raises
        ------
        ValueError
            If it can't mean one.
        """

    @abstractmethod
    def encode(self, label: Any) -> Any:
        """The page's value of a stored label."""

    @abstractmethod
    def text(self, label: Any) -> str:
        """A stored label in words."""

    def given(self, value: Any, index: int) -> Any:  # noqa: ARG002
        """The label that the page's `value` means for an instance; the same for all but for `SidesPanel`."""
        return self.decode(value)

    def value_of(self, label: Any, index: int) -> Any:  # noqa: ARG002
        """The page's value of the label of an instance."""
        return self.encode(label)

    def text_of(self, label: Any, index: int) -> str:  # noqa: ARG002
        """The label of an instance in words."""
        return self.text(label)


LABEL_PANELS: dict[str, type[LabelPanel]] = {}
"""All panels by the kind of label."""

_Kind = TypeVar("_Kind", bound=type[LabelPanel])


def register_label_panel(panel: _Kind) -> _Kind:
    """Make a panel known to all apps that are made from now on. Can decorate its class.

    Raises
    ------
    ValueError
        If another panel has its kind.
    """
    known = LABEL_PANELS.get(panel.kind)
    if known is not None and known.__qualname__ != panel.__qualname__:
        raise ValueError(f"kind of {panel.__name__} is {panel.kind!r}, which is that of {known.__name__}")
    LABEL_PANELS[panel.kind] = panel
    return panel


_MEANT_FOR = {
    "keys": "classes and grades",
    "unit": "labels that are numbers",
    "grade_words": "grades",
}
"""What the app's options are for."""


def label_panel(labels: Labels, **options: Any) -> LabelPanel:
    """The panel for a kind of label.

    Parameters
    ----------
    labels : Labels
        What a session takes.
    **options
        "keys": mapping, for classes and grades: the key of each that is not to have its usual one.
        "unit": str or tuple of two str, for numbers: the unit, or its singular and plural.
        "grade_words": sequence of str, for grades: what each means, from the lowest on.

    Raises
    ------
    ValueError, TypeError
        If an option does not fit, or is for another kind of label.
    """
    panel = LABEL_PANELS.get(getattr(labels, "kind", ""))
    if panel is None:
        known = ", ".join(sorted(LABEL_PANELS))
        raise TypeError(f"labels must be of one of the kinds {known}; got {labels!r}")
    given = {name: option for name, option in options.items() if option is not None}
    for name, option in given.items():
        if name not in panel.options:
            meant = _MEANT_FOR.get(name, "another kind of label")
            raise ValueError(f"{name} is for {meant}, got {option!r} for labels of kind {labels.kind!r}")
    return panel.of(labels, **given)


def keys_of(choices: Sequence[LabelChoice]) -> frozenset[str]:
    """All keys that press a button."""
    return frozenset(key for choice in choices for key in choice.keys)
