"""Instances with structure: formatted texts and ranked lists."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from activeeval_widgets.stats._typing import AnyArray
from activeeval_widgets.stats._validation import check_option

DIRECTIONS = ("auto", "ltr", "rtl")

Image: TypeAlias = AnyArray | bytes | Path


@dataclass(frozen=True)
class Text:
    """A text and its formatting. Plain strings can be instances, too.

    Attributes
    ----------
    text : str
        The text, with line breaks. An empty text is shown as broken and can be excluded.
    spans : tuple of (int, int)
        Parts to highlight, as start and end positions in `text`.
    monospace : bool
        Whether to use a fixed-width font, for code.
    direction : {"auto", "ltr", "rtl"}
        The direction of reading; by default that of the first letters.
    title : str or None
        A heading.
    markdown : bool
        Whether the text is Markdown, shown with emphasis, lists, tables and code. HTML in it stays text, and
        links and images are named but not opened or loaded. Can't be combined with `spans` or `monospace`.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid.

    See Also
    --------
    Pool : Accepts texts as instances.

    Examples
    --------
    >>> Text("x = f(y)", spans=[(4, 8)], monospace=True).spans
    ((4, 8),)
    """

    text: str
    spans: tuple[tuple[int, int], ...] = ()
    monospace: bool = False
    direction: Literal["auto", "ltr", "rtl"] = "auto"
    title: str | None = None
    markdown: bool = False

    def __post_init__(self) -> None:
        _check_string("text", self.text)
        _check_string("title", self.title, optional=True)
        check_option("direction", self.direction, DIRECTIONS)
        for name in ("monospace", "markdown"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name} must be True or False, got {getattr(self, name)!r}")
        object.__setattr__(self, "spans", _check_spans(self.spans, len(self.text)))
        if self.markdown and (self.spans or self.monospace):
            raise ValueError("markdown can't be combined with spans or monospace: leave these out")


@dataclass(frozen=True, eq=False)
class Result:
    """One result of a ranked list.

    Attributes
    ----------
    item : hashable
        The item's id, as in the predictions' rankings. `str(item)` names it on the page and in the log.
    title, text : str or None
        The content that is shown.
    image : array, bytes, path or None
        An image as pixels, the bytes of a file, or a path.
    link : str or None
        An address, shown as a link.

    Raises
    ------
    TypeError
        If an argument is invalid.

    See Also
    --------
    Ranking : A query with its results.

    Examples
    --------
    >>> Result("d7", title="The animal", link="https://example.org/jaguar").item
    'd7'
    """

    item: Hashable
    title: str | None = None
    text: str | None = None
    image: Image | None = None
    link: str | None = None

    def __post_init__(self) -> None:
        try:
            hash(self.item)
        except TypeError:
            expected = "hashable, such as a string or a number"
            raise TypeError(f"item must be {expected}, got {self.item!r}") from None
        _check_string("title", self.title, optional=True)
        _check_string("text", self.text, optional=True)
        _check_string("link", self.link, optional=True)
        if self.image is not None and not isinstance(self.image, np.ndarray | bytes | Path):
            raise TypeError(f"image must be an array, bytes, a path or None, got {self.image!r}")

    def __eq__(self, other: object) -> bool:
        # Arrays have no truth value: they are only equal if they are the same object.
        if not isinstance(other, Result):
            return NotImplemented
        same_image = self.image is other.image or (
            isinstance(self.image, bytes | Path) and self.image == other.image
        )
        return same_image and self._words == other._words

    def __hash__(self) -> int:
        return hash(self._words)

    @property
    def _words(self) -> tuple[Any, ...]:
        return self.item, self.title, self.text, self.link


@dataclass(frozen=True)
class Ranking:
    """A query with the results to grade.

    Attributes
    ----------
    query : str
        The query.
    results : tuple of Result
        The results to grade, which have to include the items that the models rank. With one ranker they are
        shown in this order. With several they are shuffled, so that neither the ranker nor the rank of a
        result is revealed. Items below the measure's cutoff in all lists are left out.

    Raises
    ------
    ValueError, TypeError
        If the items are not distinct, or an entry is not a `Result`.

    See Also
    --------
    Result : One result.
    Pool : Accepts rankings as instances.

    Examples
    --------
    >>> ranking = Ranking("jaguar", [Result("d7", title="The animal"), Result("d2", title="The car")])
    >>> ranking.items
    ('d7', 'd2')
    """

    query: str
    results: tuple[Result, ...]

    def __post_init__(self) -> None:
        _check_string("query", self.query)
        if not isinstance(self.results, Iterable):
            raise TypeError(f"results must be a sequence of Results, got {self.results!r}")
        results = tuple(self.results)
        seen: set[str] = set()
        for position, result in enumerate(results):
            if not isinstance(result, Result):
                raise TypeError(f"results[{position}] must be a Result, got {result!r}")
            if str(result.item) in seen:
                raise ValueError(f"results must be of distinct items, but {str(result.item)!r} occurs twice")
            seen.add(str(result.item))
        object.__setattr__(self, "results", results)

    @property
    def items(self) -> tuple[Hashable, ...]:
        """The results' items, in their order."""
        return tuple(result.item for result in self.results)


def _check_string(name: str, value: Any, *, optional: bool = False) -> None:
    if not isinstance(value, str) and not (optional and value is None):
        raise TypeError(f"{name} must be a string{' or None' if optional else ''}, got {value!r}")


def _check_spans(value: Any, length: int) -> tuple[tuple[int, int], ...]:
    if not isinstance(value, list | tuple):
        raise TypeError(f"spans must be pairs of positions in the text, got {value!r}")
    spans = []
    for position, span in enumerate(value):
        ends = tuple(span) if isinstance(span, list | tuple) else ()
        if len(ends) != 2 or not all(isinstance(end, Integral) for end in ends):
            raise TypeError(f"spans[{position}] must be two positions in the text, got {span!r}")
        start, end = int(ends[0]), int(ends[1])
        if not 0 <= start < end <= length:
            raise ValueError(
                f"spans[{position}] is ({start}, {end}), expected 0 <= start < end <= {length}, "
                "the text's length"
            )
        spans.append((start, end))
    return tuple(spans)
