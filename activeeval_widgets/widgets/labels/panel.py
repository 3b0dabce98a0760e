"""The base class of input panels, and their registry."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, TypeVar

from activeeval_widgets.session import Labels


class LabelChoice(NamedTuple):
    """A label's button: its text, and its keys, the displayed one first."""

    text: str
    keys: tuple[str, ...]


class LabelPanel(ABC):
    """The input of one kind of label.

    Attributes
    ----------
    kind : str
        The kind of label, as in `session.Labels`. The counterpart in the front end, which builds the
        controls, has the same name.
    options : tuple of str
        The app's options that it takes: "keys", "unit", "grade_words".
    question : str
        The default question.
    reasons : tuple of str
        Usual reasons for giving no such label, for the person to choose from.

    See Also
    --------
    register_label_panel : Register a panel.
    """

    kind: ClassVar[str]
    options: ClassVar[tuple[str, ...]] = ()
    question: ClassVar[str]
    reasons: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def __init__(self, labels: Any, **options: Any) -> None:
        """Make the panel for the labels of a session, with those of `options` that are given.

        Raises
        ------
        ValueError, TypeError
            If an option does not fit.
        """

    @abstractmethod
    def config(self) -> dict[str, Any]:
        """Return the settings from which the page builds its controls, with their "kind"."""

    @abstractmethod
    def reserved_keys(self) -> frozenset[str]:
        """Return the keys that actions can't have."""

    @abstractmethod
    def decode(self, value: Any) -> Any:
        """Return the label for the page's `value`.

        Raises
        ------
        ValueError
            If it is not valid.
        """

    @abstractmethod
    def encode(self, label: Any) -> Any:
        """Return the page's value of a stored label."""

    @abstractmethod
    def text(self, label: Any) -> str:
        """Return a stored label in words."""

    def given(self, value: Any, index: int) -> Any:  # noqa: ARG002
        """Return an instance's label for the page's `value`; it depends on the instance in `SidesPanel`."""
        return self.decode(value)

    def value_of(self, label: Any, index: int) -> Any:  # noqa: ARG002
        """Return the page's value of an instance's label."""
        return self.encode(label)

    def text_of(self, label: Any, index: int) -> str:  # noqa: ARG002
        """Return an instance's label in words."""
        return self.text(label)


LABEL_PANELS: dict[str, type[LabelPanel]] = {}
"""All panels, by kind of label."""

_Kind = TypeVar("_Kind", bound=type[LabelPanel])


def register_label_panel(panel: _Kind) -> _Kind:
    """Register a panel for all apps created from now on. Can be used as a class decorator.

    Raises
    ------
    ValueError
        If another panel has the same kind.
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
"""The labels for which the app's options are meant."""


def label_panel(labels: Labels, **options: Any) -> LabelPanel:
    """Return the panel for a kind of label.

    Parameters
    ----------
    labels : Labels
        The labels of a session.
    **options
        "keys": mapping, for classes and grades, of labels to keys that replace the default ones.
        "unit": str or tuple of two str, for numbers, the unit, or its singular and plural.
        "grade_words": sequence of str, for grades, the meaning of each, lowest first.

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
    return panel(labels, **given)


def label_choices(texts: Sequence[str], keys: Sequence[tuple[str, ...]]) -> list[LabelChoice]:
    """Return a button for each text."""
    return [LabelChoice(text, own) for text, own in zip(texts, keys, strict=True)]


def keys_of(choices: Sequence[LabelChoice]) -> frozenset[str]:
    """Return all keys that press a button."""
    return frozenset(key for choice in choices for key in choice.keys)
