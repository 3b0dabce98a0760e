"""How each kind of instance looks.

A view is any callable from an instance to what the page shows: an element, a text, or an image. These are the
ones for the kinds that a pool knows; their options are the arguments of their constructors.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from activeeval_widgets.session import Pool
from activeeval_widgets.session.pool.instances import Ranking, Result, Text
from activeeval_widgets.stats._typing import AnyArray
from activeeval_widgets.widgets.elements.allowlist import is_address
from activeeval_widgets.widgets.elements.tree import Element, Node, Passage, element, link
from activeeval_widgets.widgets.instances.broken import broken_part
from activeeval_widgets.widgets.instances.images import (
    MAX_SIDE,
    ImageSource,
    Picture,
    brightness_range,
    image,
    picture,
)
from activeeval_widgets.widgets.instances.record import SHORT_PASSAGE, RecordView

Shown: TypeAlias = Element | Text | str | ImageSource | Picture
View: TypeAlias = Callable[[Any], Shown]


class TextView:
    """Shows a text: paragraphs and line breaks kept, spans highlighted.

    Parameters
    ----------
    monospace : bool
        Whether all characters of plain strings are equally wide: for code.
    """

    def __init__(self, *, monospace: bool = False) -> None:
        self._monospace = monospace

    def __call__(self, instance: Text | str) -> Element:
        """A text as the page shows it."""
        text = _text(instance, self._monospace)
        if not text.text.strip():
            raise ValueError("the text is empty")
        title = [element("h3", text.title, class_="aew-title", dir="auto")] if text.title else []
        passage = Passage(text)
        # Said at the beginning, for the end of what is shown is far away.
        length = f"A text of {len(text.text):,} characters, shown in parts."
        told = [element("p", length, class_="aew-cut")] if len(text.text) > passage.limit else []
        return element("div", *title, *told, passage)


class ImageView:
    """Shows an image: an array, a file or its content.

    Parameters
    ----------
    black, white : float, optional
        The numbers of an array that are shown black and white. Unless given, 0 and 255 for `uint8`, 0 and
        1 for floating-point numbers within, else the least and the greatest number of the image.
    pixelated : bool
        Whether images are enlarged with sharp edges.
    max_side : int
        Larger images are shown with at most so many pixels a side, and the page says so.
    """

    def __init__(
        self,
        *,
        black: float | None = None,
        white: float | None = None,
        pixelated: bool = False,
        max_side: int = MAX_SIDE,
    ) -> None:
        if (black is None) != (white is None) or (black is not None and white is not None and black >= white):
            raise ValueError(f"black must be less than white, got black={black!r} and white={white!r}")
        if not isinstance(max_side, int) or max_side < 1:
            raise ValueError(f"max_side must be a positive number of pixels, got {max_side!r}")
        self._black, self._white = black, white
        self._pixelated = pixelated
        self._max_side = max_side

    @classmethod
    def of_pool(cls, images: AnyArray | Sequence[Any]) -> "ImageView":
        """Make a view with one brightness range for all arrays of a pool, so that they compare."""
        every = [images] if isinstance(images, np.ndarray) else images
        arrays = [each for each in every if isinstance(each, np.ndarray) and each.size]
        if not arrays:
            return cls()
        black, white = brightness_range(arrays)
        return cls(black=black, white=white)

    def __call__(self, instance: ImageSource) -> Picture:
        """An image as the page shows it."""
        return picture(
            instance,
            black=self._black,
            white=self._white,
            max_side=self._max_side,
            pixelated=self._pixelated,
        )


class RankingView:
    """Shows a query with its results, in their order.

    Parameters
    ----------
    one_by_one : bool
        Whether only the result that is graded is seen. Else all are.
    """

    def __init__(self, *, one_by_one: bool = False) -> None:
        self._class = "aew-ranking aew-one-by-one" if one_by_one else "aew-ranking"

    def __call__(self, instance: Ranking) -> Element:
        """A ranked list as the page shows it."""
        results = [_result(result) for result in instance.results]
        return element(
            "section",
            element("h3", instance.query or "(empty query)", class_="aew-query", dir="auto"),
            element("ol", *results, class_="aew-results") if results else element("p", "No results."),
            class_=self._class,
        )


class PairView:
    """Shows two texts side by side, or one above the other where there is no room.

    Parameters
    ----------
    headings : pair of str
        What stands above them, where they have no titles of their own.
    monospace : bool
        Whether all characters of plain strings are equally wide: for code.
    """

    def __init__(self, headings: Sequence[str] = ("First", "Second"), *, monospace: bool = False) -> None:
        if isinstance(headings, str) or len(headings) != 2:
            raise ValueError(f"headings must be two strings, got {headings!r}")
        self._headings = tuple(headings)
        self._monospace = monospace

    def __call__(self, instance: Sequence[Text | str]) -> Element:
        """A pair of texts as the page shows it."""
        texts = [_text(each, self._monospace) for each in instance]
        halves = [
            element(
                "section",
                element("h3", text.title or heading, class_="aew-title", dir="auto"),
                Passage(text) if text.text.strip() else element("em", "empty", class_="aew-missing"),
                class_="aew-half",
            )
            for heading, text in zip(self._headings, texts, strict=True)
        ]
        return element("div", *halves, class_="aew-pair")


def view_of(pool: Pool, view: View | None) -> View:
    """The view for a pool: the one given, or the one for its kind.

    Raises
    ------
    TypeError
        If the view can't be called.
    ValueError
        If the pool's instances are of a kind of their own, and no view is given.
    """
    if view is not None:
        if not callable(view) or isinstance(view, type):
            raise TypeError(f"view must be a callable from an instance to what is shown, got {view!r}")
        return view
    if pool.kind == "image":
        return ImageView.of_pool(pool.instances)
    views: dict[str, View] = {
        "text": TextView(),
        "ranking": RankingView(),
        "record": RecordView(),
        "pair": PairView(),
    }
    if pool.kind not in views:
        raise ValueError(f"view must say how instances of kind {pool.kind!r} are shown, got None")
    return views[pool.kind]


def instance_of(pool: Pool, index: int) -> Any:
    """An instance of a pool, as a view takes it: a record as a series, with the columns as its index."""
    if isinstance(pool.instances, pd.DataFrame):
        frame = pool.instances
        # One cell at a time: a whole row would turn integers into floating-point numbers.
        values = [frame.iloc[index, column] for column in range(frame.shape[1])]
        return pd.Series(values, index=frame.columns, dtype=object, name=pool.ids[index])
    return pool.instances[index]


def _text(instance: Text | str, monospace: bool) -> Text:
    return instance if isinstance(instance, Text) else Text(instance, monospace=monospace)


def _result(result: Result) -> Element:
    words: list[Node] = []
    if result.title or not (result.text or result.image is not None):
        words.append(element("h4", result.title or str(result.item), class_="aew-title", dir="auto"))
    if result.text:
        words.append(Passage(Text(result.text), SHORT_PASSAGE))
    if result.link:
        # An address that no link may lead to is shown all the same.
        address = link(result.link) if is_address(result.link) else result.link
        words.append(element("p", address, class_="aew-link", dir="ltr"))
    body: list[Node] = [element("div", *words, class_="aew-result-body")] if words else []
    if result.image is not None:
        body.insert(0, element("div", _thumbnail(result, result.image), class_="aew-thumbnail"))
    return element("li", *body, class_="aew-result", data_item=str(result.item))


def _thumbnail(result: Result, source: ImageSource) -> Element:
    try:
        return image(source, f"Image of {result.title or result.item}")
    except Exception as error:  # the others can still be graded
        return broken_part(error)
