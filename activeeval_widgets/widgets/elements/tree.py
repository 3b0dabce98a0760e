"""Safe elements: the only content that a view can put on the page.

The result of a view is data until the page builds it: a tree of elements whose tags, classes and attributes
are in `allowlist`. Scripts, styles, event handlers and addresses that load something are not among them. The
page builds the tree only with `createElement` and text nodes.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from activeeval_widgets.session.pool.instances import Text
from activeeval_widgets.widgets.elements.allowlist import EMPTY_TAGS, TAGS, is_allowed, refusal


@dataclass(frozen=True)
class Element:
    """An element of the page; `element` creates one with Python's naming.

    Attributes
    ----------
    tag : str
        One of `TAGS`.
    attributes : mapping of str to str
        As in HTML; `ATTRIBUTES` lists the names and the patterns of values.
    children : tuple of Element, Passage or str
        The content. Strings are text, whatever they look like.

    Raises
    ------
    ValueError, TypeError
        If a tag, an attribute, a value or a child is not allowed.

    See Also
    --------
    element : Create an element with Python's naming.
    link, image : Create special elements.

    Examples
    --------
    >>> to_json(Element("p", {"class": "aew-muted"}, ("1 < 2",)))
    ['p', {'class': 'aew-muted'}, ['1 < 2']]
    """

    tag: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: tuple["Node", ...] = ()

    def __post_init__(self) -> None:
        if self.tag not in TAGS:
            raise ValueError(f"tag must be one of {', '.join(sorted(TAGS))}; got {self.tag!r}")
        if self.children and self.tag in EMPTY_TAGS:
            raise ValueError(f"<{self.tag}> can't have children, got {len(self.children)}")
        for child in self.children:
            if not isinstance(child, str | Element | Passage):
                raise TypeError(
                    f"the children of <{self.tag}> must be elements or strings, got {child!r:.200}"
                )
        for name, value in self.attributes.items():
            if not isinstance(value, str):
                raise TypeError(f"{name} of <{self.tag}> must be a string, got {value!r:.200}")
            if not is_allowed(self.tag, name, value):
                raise ValueError(refusal(self.tag, name, value))


@dataclass(frozen=True)
class Passage:
    """A text of any length with its line breaks, of which the page shows the beginning, and more on demand.

    Attributes
    ----------
    text : Text
        The text with its highlighted spans.
    limit : int
        The number of characters shown at once.
    """

    text: Text
    limit: int = 100_000

    def shown(self, number: int, start: int = 0) -> Element:
        """Return the passage from a character on, up to the limit."""
        text = self.text.text
        stop = _good_cut(text, start, self.limit)
        kind = "aew-prose aew-code" if self.text.monospace else "aew-prose"
        spans = sorted(span for span in self.text.spans if span[0] < stop and start < span[1])
        blocks = [
            Element(
                "div", {"class": "aew-block", "dir": self.text.direction}, tuple(_marked(text, spans, *block))
            )
            for block in _blocks(text, start, stop)
        ]
        children: list[Node] = [Element("div", {"class": kind}, tuple(blocks))]
        if start or stop < len(text):
            notice = f"Shown: the first {stop:,} of {len(text):,} characters."
            further = {"data-passage": str(number), "data-next": str(stop)} if stop < len(text) else {}
            children.append(Element("p", {"class": "aew-cut", **further}, (notice,)))
        return Element("div", {"class": "aew-passage"}, tuple(children))


Node: TypeAlias = Element | Passage | str


def element(tag: str, *children: Node | float, class_: str | None = None, **attributes: str) -> Element:
    """Create an element.

    Parameters
    ----------
    tag : str
        One of `TAGS`, for example "p", "strong", "ul", "table".
    *children : Element, Passage, str or number
        The content.
    class_ : str, optional
        One or more of `CLASSES`, separated by spaces.
    **attributes : str
        Attributes by name, with underscores for hyphens.

    Returns
    -------
    Element

    Raises
    ------
    ValueError, TypeError
        If a tag, an attribute, a value or a child is not allowed in an `Element`.

    See Also
    --------
    link : Create a link.
    image : Create an image.

    Examples
    --------
    >>> post = {"author": "Ada", "text": "1 < 2", "likes": 3}
    >>> shown = element("p", element("strong", post["author"]), ": ", post["text"])
    >>> to_json(shown)
    ['p', {}, [['strong', {}, ['Ada']], ': ', '1 < 2']]
    """
    named = {name.replace("_", "-"): value for name, value in attributes.items()}
    if class_ is not None:
        named["class"] = class_
    return Element(tag, named, tuple(str(c) if isinstance(c, int | float) else c for c in children))


def link(address: str, *children: Node) -> Element:
    """Create a link, which opens in a new tab.

    Parameters
    ----------
    address : str
        An address that begins with http://, https:// or mailto:.
    *children : Element or str
        The content; by default the address.

    Raises
    ------
    ValueError
        If the address begins with anything else.

    See Also
    --------
    element : Create other elements.

    Examples
    --------
    >>> link("https://example.org", "An example").attributes
    {'href': 'https://example.org'}
    """
    return Element("a", {"href": address}, children or (address,))


def passages(node: Node) -> list[Passage]:
    """Return all passages of a tree, in their order on the page."""
    if isinstance(node, Passage):
        return [node]
    return [] if isinstance(node, str) else [found for child in node.children for found in passages(child)]


_TITLES = frozenset({"h3", "h4", "dt", "th"})
"""Tags of headings, terms and header cells, whose text introduces what follows."""


def words(node: Node, limit: int) -> str:
    """Return the texts of a tree, joined, up to about `limit` characters; a reference answer is left out."""
    found: list[str] = []
    left = limit
    is_title = False  # whether the last text is a title

    def collect(part: Node) -> None:
        nonlocal left, is_title
        if left <= 0:
            return
        text = part if isinstance(part, str) else part.text.text if isinstance(part, Passage) else None
        if text is not None:
            if is_title and found and text.strip() and found[-1][-1:].isalnum():
                found[-1] += ":"
            is_title = False
            found.append(text[:left])
            left -= len(text)
        elif isinstance(part, Element) and "aew-reference" not in part.attributes.get("class", ""):
            for child in part.children:
                collect(child)
            is_title = part.tag in _TITLES

    collect(node)
    return " ".join(found)


def to_json(node: Node) -> Any:
    """Return a tree in the form that the page reads: `[tag, {attributes}, [children]]`, and strings."""
    return _to_json(node, iter(range(len(passages(node)))))


def encode(node: Node) -> bytes:
    """Return a tree as the bytes that are sent to the page."""
    written = json.dumps(to_json(node), ensure_ascii=False, separators=(",", ":"))
    try:
        return written.encode()
    except UnicodeEncodeError:  # lone surrogates, as from a file read with "surrogateescape"
        return written.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def _to_json(node: Node, numbers: Iterator[int]) -> Any:
    if isinstance(node, str):
        return node
    if isinstance(node, Passage):
        node = node.shown(next(numbers))
    return [node.tag, dict(node.attributes), [_to_json(child, numbers) for child in node.children]]


def _marked(text: str, spans: list[tuple[int, int]], start: int, stop: int) -> Iterator["Node"]:
    """Yield the characters from start to stop, with highlighted ones as elements."""
    done = start
    for low, high in spans:
        if low >= stop:
            break
        low, high = max(low, done), min(high, stop)
        if low >= high:
            continue
        if done < low:
            yield text[done:low]
        yield Element("mark", {}, (text[low:high],))
        done = high
    if done < stop:
        yield text[done:stop]


def _good_cut(text: str, start: int, limit: int) -> int:
    """Return where to cut: after a line or word that ends shortly before the limit, if any."""
    stop = start + limit
    if stop >= len(text):
        return len(text)
    earliest = stop - limit // 20
    for end in ("\n", " "):
        found = text.rfind(end, earliest, stop)
        if found >= 0:
            return found + 1
    return stop


_BLOCK = 2000


def _blocks(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield blocks that begin at line breaks, of which the page lays out only the visible ones.

    The line break between two blocks belongs to neither.
    """
    while stop - start > _BLOCK:
        end = text.find("\n", start + _BLOCK, stop)
        if end < 0:
            break
        yield start, end
        start = end + 1
    yield start, stop
