"""Markdown in instances: emphasis, lists, tables, code. HTML stays text; nothing is loaded or opened."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from activeeval_widgets.session.pool.instances import Text
from activeeval_widgets.widgets.elements.tree import Element, Node, Passage

LONGEST = 40_000
"""Longer texts are shown unformatted."""

_MAX_BRACKETS = 2_000
"""Limit on opening brackets: the parser compares unclosed ones pairwise, and more would take seconds."""

_DEEPEST = 60
"""Texts with deeper nesting are shown unformatted, so that no part is lost."""

_TAGS = {
    **dict.fromkeys(("h1", "h2"), "h4"),
    **dict.fromkeys(("h3",), "h5"),
    **dict.fromkeys(("h4", "h5", "h6"), "h6"),
}
"""The page itself uses headings of three levels."""

_SAME = frozenset(
    "p em strong s blockquote ul ol li table thead tbody tr th td h4 h5 h6 hr br code".split()  # noqa: SIM905
)


def markdown_element(text: Text) -> Element:
    """Convert Markdown to an element: CommonMark with tables and strikethrough, and line breaks kept."""
    as_written = Passage(Text(text.text, direction=text.direction, title=text.title))
    if len(text.text) > LONGEST or text.text.count("[") > _MAX_BRACKETS:
        formatted = Element(
            "p", {"class": "aew-cut"}, ("Too long to be shown as Markdown: this is what is written.",)
        )
        return Element("div", {}, (formatted, as_written))
    found: dict[str, Any] = {}
    tokens = _parser().parse(text.text, found)
    if max((token.level for token in tokens), default=0) >= _DEEPEST:
        return Element("div", {}, (as_written,))
    builder = _Builder()
    builder.add(tokens)
    builder.add_definitions(found.get("references", {}))
    return Element("div", {"class": "aew-markdown", "dir": text.direction}, tuple(builder.finished()))


@cache
def _parser() -> Any:
    from markdown_it import MarkdownIt  # imported here because most pools have no Markdown

    options = {"html": False, "breaks": True, "maxNesting": _DEEPEST + 20}
    return MarkdownIt("commonmark", options).enable(["table", "strikethrough"])


class _Builder:
    """Builds elements from the parser's tokens; unknown tokens stay text."""

    def __init__(self) -> None:
        self._open: list[tuple[str, dict[str, str], list[Node]]] = [("div", {}, [])]
        self._links: list[str] = []

    def finished(self) -> list[Node]:
        while len(self._open) > 1:
            self._close()
        return self._open[0][2]

    def add(self, tokens: Sequence[Any]) -> None:
        for token in tokens:
            self._add(token)

    def add_definitions(self, references: dict[str, dict[str, Any]]) -> None:
        """Add the targets of reference links, which Markdown omits from its output."""
        for name, reference in references.items():
            line = f"[{name.lower()}]: {reference.get('href', '')} {reference.get('title', '')}".strip()
            self._put(Element("p", {"class": "aew-muted"}, (line,)))

    def _add(self, token: Any) -> None:
        match token.type:
            case "inline":
                self.add(token.children or [])
            case "text" | "html_block" | "html_inline" | "text_special":
                self._add_text(token.content)
            case "softbreak" | "hardbreak":
                self._put(Element("br"))
            case "code_inline":
                self._put(Element("code", {}, (token.content,)))
            case "fence" | "code_block":
                self._put(_code(token.content, token.info))
            case "image":
                words = token.content, str(token.attrGet("src") or "")[:200]
                self._add_text(f"[image: {' '.join(filter(None, words))}]")
            case "link_open":
                self._open.append(("span", {}, []))
                self._links.append(str(token.attrGet("href") or ""))
            case "link_close":
                self._close_link()
            case _ if token.hidden:  # the paragraphs of tight lists
                pass
            case _ if token.nesting == 1:
                self._begin(token)
            case _ if token.nesting == -1:
                self._end(token)
            case _ if token.tag in _SAME:
                self._put(Element(token.tag))
            case _:
                self._add_text(token.content)

    def _begin(self, token: Any) -> None:
        tag = _TAGS.get(token.tag, token.tag)
        if tag == "table":
            self._open.append(("div", {"class": "aew-wide"}, []))
        attributes = {}
        if tag == "ol" and token.attrGet("start") is not None:
            attributes["start"] = str(token.attrGet("start"))
        if tag == "th":
            attributes["scope"] = "col"
        self._open.append((tag if tag in _SAME else "span", attributes, []))

    def _end(self, token: Any) -> None:
        self._close()
        if token.tag == "table":
            self._close()

    def _close(self) -> None:
        tag, attributes, children = self._open.pop()
        self._open[-1][2].append(Element(tag, attributes, tuple(children)))

    def _close_link(self) -> None:
        """Replace a link by its text, followed by the address if it differs; it can't be opened."""
        _, _, children = self._open.pop()
        self._open[-1][2].extend(children)
        address = self._links.pop()
        if address and address.removeprefix("mailto:") != _plain(children):
            self._add_text(f" ({address})")

    def _put(self, element: Element) -> None:
        self._open[-1][2].append(element)

    def _add_text(self, text: str) -> None:
        if text:
            self._open[-1][2].append(text)


def _code(code: str, info: str) -> Element:
    """Return a block of code with its language as a title, without highlighting."""
    language = info.strip().split(maxsplit=1)[0][:40] if info.strip() else ""
    attributes = {"class": "aew-pre", **({"title": language} if language else {})}
    return Element("pre", attributes, (Element("code", {}, (code.removesuffix("\n"),)),))


def _plain(children: Sequence[Node]) -> str:
    return "".join(_texts(children))


def _texts(children: Sequence[Node]) -> Iterator[str]:
    for child in children:
        if isinstance(child, str):
            yield child
        elif isinstance(child, Element):
            yield from _texts(child.children)
