"""Rendering of instances of any kind, including broken ones."""

import logging
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from activeeval_widgets.session import Pool
from activeeval_widgets.session.pool.instances import Text
from activeeval_widgets.widgets.elements.tree import Element, encode, passages, words
from activeeval_widgets.widgets.instances.broken_instances import broken
from activeeval_widgets.widgets.instances.image_encoding import Picture, is_image, picture
from activeeval_widgets.widgets.instances.media import Media
from activeeval_widgets.widgets.instances.prerendered import Prerendered
from activeeval_widgets.widgets.instances.registered_views import View, instance_of, view_of
from activeeval_widgets.widgets.instances.text import TextView

ELEMENTS = "application/vnd.aew+json"
"""The MIME type of a tree of elements."""

_THUMBNAIL = 96
"""The longer side of a thumbnail, in pixels."""

_MAX_WORDS = 20_000
"""The number of characters of a text that are searched."""

_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class RenderedInstance:
    """An instance as the page shows it.

    Attributes
    ----------
    content : bytes
        The encoded image or other content, or a tree of elements as JSON.
    mime : str
        The MIME type.
    description : str
        A text alternative.
    pixelated : bool
        For an image, whether it is enlarged with sharp edges.
    note : str
        For an image, how it differs from the original, else empty.
    """

    content: bytes
    mime: str
    description: str
    pixelated: bool = False
    note: str = ""


class InstanceRenderer:
    """Renders the instances of a pool; one that can't be shown is replaced by a message."""

    def __init__(
        self, pool: Pool, view: View | None = None, items: Sequence[Sequence[Hashable]] | None = None
    ) -> None:
        self._pool = pool
        self._items = items
        self._view = view_of(pool, view)
        self._turned: Callable[[Any, int], Any] | None = None
        self._thumbnails: dict[int, Picture | None] = {}
        self._prerendered = Prerendered(self._rendered) if getattr(self._view, "runs_ahead", False) else None

    def turn(self, turned: Callable[[View], Callable[[Any, int], Any] | None]) -> bool:
        """Show instances by a modified view from now on; return whether the view has one."""
        self._turned = turned(self._view)
        return self._turned is not None

    def prepare(self, indices: Sequence[int]) -> None:
        """Render upcoming instances in the background if that takes long."""
        if self._prerendered is not None:
            self._prerendered.prepare(indices)

    def render(self, index: int) -> RenderedInstance:
        """Encode one instance for the page."""
        return self._rendered(index) if self._prerendered is None else self._prerendered.take(index)

    def described(self, indices: Sequence[int]) -> tuple[list[dict[str, Any]], list[bytes]]:
        """Render instances for a message: their descriptions, and the buffers with their contents."""
        rendered = [(index, self.render(index)) for index in indices]
        descriptions = [
            {
                "index": index,
                "mime": instance.mime,
                "description": instance.description,
                "pixelated": instance.pixelated,
                "note": instance.note,
            }
            for index, instance in rendered
        ]
        return descriptions, [instance.content for _, instance in rendered]

    def _rendered(self, index: int) -> RenderedInstance:
        description = f"Instance {self._pool.ids[index]}"
        try:
            shown = self._shown(index)
            if isinstance(shown, Media):
                return RenderedInstance(shown.content, shown.mime, description, shown.pixelated, shown.note)
            content = encode(shown)
        except Exception as error:
            # A broken instance, or an error in a view, must not stop a session. Self-explanatory errors are
            # logged in one line.
            is_explained = isinstance(error, ValueError | OSError)
            _logger.warning("%s can't be shown: %s", description, error, exc_info=not is_explained)
            content = encode(broken(self._pool.ids[index], error))
        return RenderedInstance(content, ELEMENTS, description)

    def more(self, index: int, passage: int, start: int) -> bytes:
        """Encode a further part of an instance's long text."""
        shown = self._shown(index)
        found = passages(shown) if isinstance(shown, Element) else []
        if not 0 <= passage < len(found):
            raise ValueError(f"passage must be one of {len(found)}, got {passage!r}")
        length = len(found[passage].text.text)
        if not 0 <= start < length:
            raise ValueError(f"start must be a character of {length:,}, got {start!r}")
        return encode(found[passage].shown(passage, start))

    def words(self, index: int) -> str:
        """Return an instance's text in one line; "" for images, other media, and what can't be shown."""
        try:
            shown = self._shown(index)
        except Exception:  # the page shows the error in the instance's place
            return ""
        return "" if isinstance(shown, Media) else " ".join(words(shown, _MAX_WORDS).split())

    def thumbnail(self, index: int) -> Picture | None:
        """Return an instance as a small image; None if it is not an image, or can't be shown."""
        if index not in self._thumbnails:
            try:
                self._thumbnails[index] = _small(self._shown(index))
            except Exception:  # the page shows the error in the instance's place
                self._thumbnails[index] = None
        return self._thumbnails[index]

    def _shown(self, index: int) -> Element | Media:
        items = None if self._items is None else self._items[index]
        instance = instance_of(self._pool, index, items)
        shown: Any = self._view(instance) if self._turned is None else self._turned(instance, index)
        if isinstance(shown, str | Text):
            shown = TextView()(shown)
        elif is_image(shown):
            shown = picture(shown)
        if not isinstance(shown, Element | Media):
            raise TypeError(
                "the view must return an Element, a string or Text, or an image as an array, bytes, a path "
                f"or a PIL image, or Media, got {type(shown).__name__}"
            )
        return shown


def _small(shown: Element | Media) -> Picture | None:
    if not isinstance(shown, Picture):
        return None
    return replace(picture(shown.content, max_side=_THUMBNAIL), pixelated=shown.pixelated)
