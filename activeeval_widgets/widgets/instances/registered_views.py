"""What a view is, and the one place where the views of the kinds of instances are registered.

A view is any callable from an instance to what the page shows: an element, a text, an image, or other content
with its type.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import pandas as pd

from activeeval_widgets.session import Pool
from activeeval_widgets.session.pool.instances import Text
from activeeval_widgets.session.pool.kinds import KINDS
from activeeval_widgets.stats._validation import check_option
from activeeval_widgets.widgets.elements.tree import Element
from activeeval_widgets.widgets.instances.image_encoding import ImageSource
from activeeval_widgets.widgets.instances.media import Media
from activeeval_widgets.widgets.page_modules import ModuleSource, module_text

Shown: TypeAlias = Element | Text | str | ImageSource | Media
View: TypeAlias = Callable[[Any], Shown]


@dataclass(frozen=True)
class KindOfView:
    """How instances of a kind look.

    Attributes
    ----------
    view : callable, or None
        Makes the view for a pool of such instances; None where each app has to say how they look.
    reasons : tuple of str
        Why such instances are excluded, usually: for the person to choose from.
    front_end : str, or None
        The ES module that builds them on the page.
    """

    view: Callable[[Pool], View] | None
    reasons: tuple[str, ...] = ()
    front_end: str | None = None


VIEWS: dict[str, KindOfView] = {}
"""The views of all kinds of instances, by the kind's name."""


def register_view(
    kind: str,
    view: Callable[[Pool], View] | None,
    *,
    reasons: Sequence[str] = (),
    front_end: ModuleSource | None = None,
) -> None:
    """Say how instances of a kind look in all apps that are made from now on.

    Parameters
    ----------
    kind : str
        The kind's name, as pools have it.
    view : callable, or None
        Makes the view for a pool of such instances; None where each app has to say how they look.
    reasons : sequence of str
        Why such instances are excluded, usually: for the person to choose from.
    front_end : str or Path, optional
        For `Media` that the page can't show by itself: an ES module, or the file that holds one. Its default
        export is `{ shows(mime), build(info, bytes, { element, addUrl }) }`, where `build` makes an element
        of the bytes, and `addUrl` an address of a `Blob` that is good as long as the instance is kept.

    Raises
    ------
    TypeError
        If the view can't be called, or the reasons are one string.
    ValueError
        If there is no such kind, or the front end is no ES module.

    See Also
    --------
    register_kind : Makes a kind known, first.
    LabelingApp : its `view` says it for one app.

    Examples
    --------
    >>> from activeeval_widgets.session import InstanceKind, register_kind
    >>> class Haiku(InstanceKind):
    ...     name, noun = "haiku", "haikus"
    >>> register_kind(Haiku())
    >>> register_view("haiku", lambda pool: str.title, reasons=["no haiku", "a duplicate"])
    >>> VIEWS["haiku"].reasons
    ('no haiku', 'a duplicate')
    """
    check_option("kind (give it to register_kind first)", kind, KINDS)
    if view is not None and not callable(view):
        raise TypeError(f"view must be a callable from a pool to a view, or None, got {view!r}")
    if isinstance(reasons, str):
        raise TypeError(f"reasons must be a sequence of strings, got {reasons!r}")
    module = None if front_end is None else module_text(front_end)
    VIEWS[kind] = KindOfView(view, tuple(reasons), module)


def view_of(pool: Pool, view: View | None) -> View:
    """The view for a pool: the one given, or the one for its kind."""
    if view is not None:
        if not callable(view) or isinstance(view, type):
            raise TypeError(f"view must be a callable from an instance to what is shown, got {view!r}")
        return view
    known = VIEWS.get(pool.kind)
    if known is None or known.view is None:
        raise ValueError(f"view must say how instances of kind {pool.kind!r} are shown, got None")
    return known.view(pool)


def instance_of(pool: Pool, index: int, items: Sequence[Hashable] | None = None) -> Any:
    """An instance of a pool, as a view takes it: a record as a series, with the columns as its index."""
    if isinstance(pool.instances, pd.DataFrame):
        frame = pool.instances
        # One cell at a time: a whole row would turn integers into floating-point numbers.
        values = [frame.iloc[index, column] for column in range(frame.shape[1])]
        return pd.Series(values, index=frame.columns, dtype=object, name=pool.ids[index])
    instance = pool.instances[index]
    if items is None:
        return instance
    return KINDS[pool.kind].with_items([instance], [items])[0]


def reasons_of(pool: Pool) -> tuple[str, ...]:
    """Why instances of a pool are excluded, usually."""
    known = VIEWS.get(pool.kind)
    return () if known is None else known.reasons


def view_modules(pool: Pool) -> list[str]:
    """The ES modules that build a pool's instances on the page, where it can't by itself."""
    known = VIEWS.get(pool.kind)
    return [] if known is None or known.front_end is None else [known.front_end]


register_view("custom", None, reasons=("broken or unreadable", "incomplete", "a duplicate"))
