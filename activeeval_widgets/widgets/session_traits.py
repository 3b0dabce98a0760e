"""Traits of session widgets, for `observe`, `link`, `jslink` and `interactive_output`."""

from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from math import isnan, nan
from typing import Any

from traitlets import All, Bool, Float, HasTraits, Int, Unicode
from traitlets import Any as AnyValue
from traitlets.utils.sentinel import Sentinel

from activeeval_widgets.widgets.session_values import SessionValues

_MEANT = {
    "answer": "label",
    "done": "is_done",
    "draws": "n_draws",
    "estimate": "value",
    "finished": "is_done",
    "id": "instance_id",
    "index": "instance_id",
    "instance": "instance_id",
    "labels": "n_labels",
    "lower": "low",
    "upper": "high",
}
"""Likely wrong names of traits, and the traits that they mean."""


def _number_to_json(value: float, _widget: Any) -> float | str:
    # JSON has no NaN. In JavaScript, arithmetic with this text gives NaN, whereas null counts as 0.
    return "NaN" if isnan(value) else value


def _label_to_json(value: Any, _widget: Any) -> Any:
    """Return a label in JSON: grades by their items' names, and other types as text."""
    if isinstance(value, Mapping):
        return {str(name): _label_to_json(grade, _widget) for name, grade in value.items()}
    value = value.item() if hasattr(value, "item") else value
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


_ESTIMATED = {"sync": True, "to_json": _number_to_json}


class SessionTraits(HasTraits):
    """The read-only traits of a session widget, which can be observed and linked.

    Attributes
    ----------
    n_labels : int
        The number of instances with a label.
    n_draws : int
        The number of draws in the estimate.
    value, low, high : float
        The estimate and its interval, as shown on the page. NaN while undefined, and in an app that does not
        show the estimate.
    is_done : bool
        Whether nothing is left to label.
    instance_id : str or None
        The id of the instance to label; None if there is none.
    label : object
        The latest label; None before the first.
    """

    n_labels = Int(0, read_only=True).tag(sync=True)
    n_draws = Int(0, read_only=True).tag(sync=True)
    value = Float(nan, read_only=True).tag(**_ESTIMATED)
    low = Float(nan, read_only=True).tag(**_ESTIMATED)
    high = Float(nan, read_only=True).tag(**_ESTIMATED)
    is_done = Bool(False, read_only=True).tag(sync=True)
    instance_id = Unicode(None, allow_none=True, read_only=True).tag(sync=True)
    label = AnyValue(None, read_only=True).tag(sync=True, to_json=_label_to_json)

    def observe(
        self,
        handler: Callable[..., Any],
        names: Sentinel | str | Collection[Sentinel | str] = All,
        type: Sentinel | str = "change",  # noqa: A002, as traitlets calls it
    ) -> None:
        """Call a function whenever a trait changes.

        Parameters
        ----------
        handler : callable
            Called with one argument: a mapping with "name", "old", "new" and "owner".
        names : str or sequence of str
            The traits; by default all of the widget's.
        type : str
            The type of notification; by default "change".

        Raises
        ------
        ValueError
            If the widget has no trait of that name.

        Examples
        --------
        >>> app = evaluate(["so good", "so bad"], [[0.1, 0.9], [0.7, 0.3]], ErrorRate())
        >>> app.observe(lambda change: print(change["new"], "labels"), "n_labels")
        >>> event = app.session.label(1)
        1 labels
        """
        asked = [names] if isinstance(names, str | Sentinel) else names
        for name in asked:
            if not isinstance(name, Sentinel):  # the sentinel stands for all traits
                self._check_trait(name)
        super().observe(handler, names, type)

    def set_state(self, sync_data: Mapping[str, Any]) -> None:
        """Apply changes from a front end; values of read-only traits are sent back."""
        kept = {name: value for name, value in sync_data.items() if name not in SessionValues._fields}
        super().set_state(kept)  # type: ignore[misc]
        refused = [name for name in sync_data if name not in kept]
        if refused:
            self.send_state(refused)  # type: ignore[attr-defined]

    def _follow(self, values: SessionValues) -> None:
        """Update the traits; observers are called after all of them are set."""
        changed = {name: new for name, new in values._asdict().items() if not _same(getattr(self, name), new)}
        if not changed:
            return
        # In this nesting, all changes go into one message.
        with self.hold_sync(), self.hold_trait_notifications():  # type: ignore[attr-defined]
            for name, new in changed.items():
                self.set_trait(name, new)

    def _check_trait(self, name: Any) -> None:
        if name not in self.trait_names():
            near = get_close_matches(str(name), [*SessionValues._fields, *self.trait_names()], n=1)
            meant = _MEANT.get(name) or next(iter(near), None)
            hint = f": did you mean {meant!r}?" if meant else f"; it has {', '.join(SessionValues._fields)}"
            raise ValueError(f"{type(self).__name__} has no trait {name!r}{hint}")


def _same(old: Any, new: Any) -> bool:
    is_nan = isinstance(old, float) and isinstance(new, float) and isnan(old) and isnan(new)
    return is_nan or (type(old) is type(new) and bool(old == new))
