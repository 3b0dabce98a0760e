"""Safe elements: all that a view can put on the page.

What a view returns is data until the page builds it: a tree of elements whose tags, classes and attributes
are those of `allowlist`. There are no scripts, styles, event handlers or addresses that load anything. The
page builds the tree with `createElement` and text nodes alone.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from activeeval_widgets.session.pool.instances import Text
from activeeval_widgets.widgets.elements.allowlist import EMPTY_TAGS, TAGS, is_allowed, refusal


@dataclass(frozen=True)
class Element:
    """An element of the page. `element` makes one from Python's names.

    Attributes
    ----------
    tag : str
        One of `TAGS`.
    attributes : mapping of str to str
        As in HTML; which ones, and their values, is listed in `ATTRIBUTES`.
    children : tuple of Element, Passage or str
        What it holds. Strings are text, whatever they look like.

    Raises
    ------
    ValueError, TypeError
        If a tag, an attribute, a value or a child is not among those listed.

    See Also
    --------
    element : Makes one from Python's names.
    link, image : Make special ones.

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
    """A text of any length, with its line breaks kept: the page shows the beginning, and more on demand.

    Attributes
    ----------
    text : Text
        The text, with its highlighted spans.
    limit : int
        How many characters are shown at once.
    """

    text: Text
    limit: int = 100_000

    def shown(self, number: int, start: int = 0) -> Element:
        """The passage from a character on, up to the limit."""
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
            told = f"Shown: the first {stop:,} of {len(text):,} characters."
            further = {"data-passage": str(number), "data-next": str(stop)} if stop < len(text) else {}
            children.append(Element("p", {"class": "aew-cut", **further}, (told,)))
        return Element("div", {"class": "aew-passage"}, tuple(children))


Node: TypeAlias = Element | Passage | str


def element(tag: str, *children: Node | float, class_: str | None = None, **attributes: str) -> Element:
    """Make an element.

    Parameters
    ----------
    tag : str
        One of `TAGS`, for example "p", "strong", "ul", "table".
    *children : Element, Passage, str or number
        What it holds.
    class_ : str, optional
        One or more of `CLASSES`, separated by spaces.
    **attributes : str
        By their names, with underscores for hyphens.

    Returns
    -------
    Element

    Raises
    ------
    ValueError, TypeError
        If a tag, an attribute, a value or a child is not among those listed in `Element`.

    See Also
    --------
    link : A link.
    image : An image.

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
    """A link, which opens in a new tab.

    Parameters
    ----------
    address : str
        It must begin with http://, https:// or mailto:.
    *children : Element or str
        What is shown; the address unless given.

    Raises
    ------
    ValueError
        If the address begins with anything else.

    See Also
    --------
    element : Makes other elements.

    Examples
    --------
    >>> link("https://example.org", "An example").attributes
    {'href': 'https://example.org'}
    """
    return Element("a", {"href": address}, children or (address,))


def passages(node: Node) -> list[Passage]:
    """All passages of a tree, in their order on the page."""
    if isinstance(node, Passage):
        return [node]
    return [] if isinstance(node, str) else [found for child in node.children for found in passages(child)]


_TITLES = frozenset({"h3", "h4", "dt", "th"})
"""Tags of what stands over or before something else."""


def words(node: Node, limit: int) -> str:
    """The texts of a tree, one after the other, up to about `limit` characters; no reference answer."""
    found: list[str] = []
    left = limit
    is_title = False  # whether the last text is

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
    """A tree as the page reads it: `[tag, {attributes}, [children]]`, and strings."""
    return _to_json(node, iter(range(len(passages(node)))))


def encode(node: Node) -> bytes:
    """A tree as it is sent to the page."""
    written = json.dumps(to_json(node), ensure_ascii=False, separators=(",", ":"))
    try:
        return written.encode()
    except UnicodeEncodeError:  # halves of characters, as a file read with "surrogateescape" has them
        return written.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def _to_json(node: Node, numbers: Iterator[int]) -> Any:
    if isinstance(node, str):
        return node
    if isinstance(node, Passage):
        node = node.shown(next(numbers))
    return [node.tag, dict(node.attributes), [_to_json(child, numbers) for child in node.children]]


def _marked(text: str, spans: list[tuple[int, int]], start: int, stop: int) -> Iterator["Node"]:
    """The characters from start to stop, the highlighted ones as elements."""
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
    """Where to cut: behind a line or a word, if one ends soon before the limit."""
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
    """Cut at line breaks into blocks, of which the page lays out only the ones in sight.

    The line break between two blocks is in neither: blocks begin on lines of their own.
    """
    while stop - start > _BLOCK:
        end = text.find("\n", start + _BLOCK, stop)
        if end < 0:
            break
        yield start, end
        start = end + 1
    yield start, stop
