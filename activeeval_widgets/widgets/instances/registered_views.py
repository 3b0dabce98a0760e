"""Views of instances, and their registry by kind.

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
    """The view of a kind of instances, with its options.

    Attributes
    ----------
    view : callable, or None
        Creates the view for a pool of such instances; None if each app has to provide a view.
    reasons : tuple of str
        Usual reasons for excluding such instances, for the person to choose from.
    front_end : str, or None
        The ES module that builds them on the page.
    """

    view: Callable[[Pool], View] | None
    reasons: tuple[str, ...] = ()
    front_end: str | None = None


VIEWS: dict[str, KindOfView] = {}
"""The views of all kinds of instances, by kind."""


def register_view(
    kind: str,
    view: Callable[[Pool], View] | None,
    *,
    reasons: Sequence[str] = (),
    front_end: ModuleSource | None = None,
) -> None:
    """Set the view of a kind of instances for all apps created from now on.

    Parameters
    ----------
    kind : str
        The kind's name, as in `Pool`.
    view : callable, or None
        Creates the view for a pool of such instances; None if each app has to provide a view.
    reasons : sequence of str
        Usual reasons for excluding such instances, for the person to choose from.
    front_end : str or Path, optional
        For `Media` that the page can't show by itself: an ES module, or the file that holds it. The default
        export is `{ shows(mime), build(info, bytes, { element, addUrl }) }`, where `build` creates an element
        from the bytes, and `addUrl` creates the address of a `Blob` that is valid as long as the instance is
        kept.

    Raises
    ------
    TypeError
        If the view is not callable, or the reasons are a single string.
    ValueError
        If there is no such kind, or the front end is not an ES module.

    See Also
    --------
    register_kind : Register the kind first.
    LabelingApp : Its `view` applies to one app.

    Examples
    --------
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
    """Return the view for a pool: the given one, or the registered one of its kind."""
    if view is not None:
        if not callable(view) or isinstance(view, type):
            raise TypeError(f"view must be a callable from an instance to what is shown, got {view!r}")
        _check_columns(pool, view)
        return view
    make = registered(pool).view
    if make is None:
        raise ValueError(f"view must say how instances of kind {pool.kind!r} are shown, got None")
    return make(pool)


def _check_columns(pool: Pool, view: View) -> None:
    """Refuse a view of columns that no record has: the page would say so of each of them."""
    named = getattr(view, "columns", None)
    if isinstance(pool.instances, pd.DataFrame) and isinstance(named, list):
        there = pool.instances.columns
        for column in named:
            if column not in there:
                known = ", ".join(map(repr, there[:20]))
                raise ValueError(f"view shows a column {column!r}, and the instances have {known}")


def registered(pool: Pool) -> KindOfView:
    """Return what is registered for the kind of a pool's instances; nothing if it has no entry."""
    return VIEWS.get(pool.kind, KindOfView(None))


def instance_of(pool: Pool, index: int, items: Sequence[Hashable] | None = None) -> Any:
    """Return an instance in the form that a view takes: a record is a series indexed by its columns."""
    if isinstance(pool.instances, pd.DataFrame):
        frame = pool.instances
        # Read cell by cell: a whole row would convert integers to floating-point numbers.
        values = [frame.iloc[index, column] for column in range(frame.shape[1])]
        return pd.Series(values, index=frame.columns, dtype=object, name=pool.ids[index])
    instance = pool.instances[index]
    if items is None:
        return instance
    return KINDS[pool.kind].with_items([instance], [items])[0]


def view_modules(pool: Pool) -> list[str]:
    """Return the ES modules that build a pool's instances on the page, if it needs any."""
    source = registered(pool).front_end
    return [] if source is None else [source]


register_view("custom", None, reasons=("broken or unreadable", "incomplete", "a duplicate"))
