"""Instances that are more than a string or an array: a text to be shown in its own way, a ranked list."""

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
    """A text, and how it is to be shown. Where a plain string says it all, that is an instance, too.

    Attributes
    ----------
    text : str
        Line breaks are kept. An empty one is shown as broken and can be excluded.
    spans : tuple of (int, int)
        Parts to highlight: from and to, as positions in `text`.
    monospace : bool
        Whether all characters are equally wide: for code.
    direction : {"auto", "ltr", "rtl"}
        Which way it is read; by its first letters unless given.
    title : str or None
        A heading.
    markdown : bool
        Whether it is Markdown: shown with its emphasis, lists, tables and code. HTML in it stays text, and
        links and images are named, not opened or loaded. Spans are of what is written, and do not go with it.

    Raises
    ------
    ValueError, TypeError
        If one of them is not what it should be.

    See Also
    --------
    Pool : Takes texts as instances.

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
            raise ValueError("markdown can't go with spans or monospace, which are of what is written")


@dataclass(frozen=True, eq=False)
class Result:
    """One result of a ranked list.

    Attributes
    ----------
    item : hashable
        The item's id, as in the predictions' rankings. `str(item)` names it on the page and in the log.
    title, text : str or None
        What is shown of it.
    image : array, bytes, path or None
        An image: pixels, the bytes of a file, or the file.
    link : str or None
        An address, shown as a link.

    Raises
    ------
    TypeError
        If one of them is not what it should be.

    See Also
    --------
    Ranking : Holds results.

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
        # Written out, since arrays have no truth value; an array is the same only if it is the same object.
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
    """A query with the results that the labeler grades.

    Attributes
    ----------
    query : str
        What was searched for.
    results : tuple of Result
        Each is graded, so these are the items that the predictions rank: for two models, those of both. The
        labeler sees them in this order where one ranker is evaluated. Where several are compared, it is
        shuffled, so that neither who found a result nor its rank is told; what is below the measure's cutoff
        in all lists is left out.

    Raises
    ------
    ValueError, TypeError
        If the results are not of distinct items, or one of them is no `Result`.

    See Also
    --------
    Result : What it holds.
    Pool : Takes rankings as instances.

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
