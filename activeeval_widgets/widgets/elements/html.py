"""Sanitized HTML from a pool, for views that ask for it."""

from html.parser import HTMLParser

from activeeval_widgets.platform import has_html_sanitizer
from activeeval_widgets.widgets.elements.allowlist import EMPTY_TAGS, TAGS, is_allowed
from activeeval_widgets.widgets.elements.tree import Element, Node

_HEADINGS = {"h1": "h3", "h2": "h3"}
"""Headings of these levels belong to the page."""

_TAGS = TAGS | _HEADINGS.keys()

_DROPPED = {"script", "style"}
"""Elements whose content is no text."""

_CLOSED_BY_NEXT = {"dd", "dt", "li", "p", "td", "th", "tr"}
"""Elements that need not be closed before the next of their kind."""

_DEEPEST = 50
"""Deeper elements are shown at this depth."""

_LONG = 200_000
"""The largest number of characters of HTML that are shown."""

_NAMES = {
    "*": {"dir", "lang", "title"},
    "a": {"href"},
    "img": {"alt"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
}


def sanitized_html(html: str) -> Element:
    """Convert HTML to safe elements: without scripts, styles, forms, images, or anything loaded.

    Elsewhere strings are always text. Call this in a custom view of a pool whose instances are HTML.

    Parameters
    ----------
    html : str
        HTML from any source. Images are replaced by their alternative texts, since loading them would send
        requests to other servers.

    Returns
    -------
    Element
        A `div` with the safe content.

    Raises
    ------
    TypeError
        If the argument is not a string.

    See Also
    --------
    element : Create a single element.

    Examples
    --------
    >>> from activeeval_widgets.widgets.elements.tree import to_json
    >>> to_json(sanitized_html("<b onclick='steal()'>Hi</b><script>steal()</script>"))
    ['div', {'class': 'aew-html'}, [['b', {}, ['Hi']]]]
    """
    if not isinstance(html, str):
        raise TypeError(f"html must be a string, got {html!r:.200}")
    shown = html[:_LONG]
    if has_html_sanitizer():
        import nh3  # imported here because few pools need this compiled library

        # What the builder would drop anyway, and with browsers' rules for tags that are not closed.
        shown = nh3.clean(
            shown,
            tags=set(_TAGS),
            attributes=_NAMES,
            url_schemes={"http", "https", "mailto"},
            link_rel=None,  # the page sets it on all links
        )
    builder = _Builder()
    builder.feed(shown)
    builder.close()
    if len(html) > _LONG:
        builder.add_note(f"Shown: the first {_LONG:,} of {len(html):,} characters of HTML.")
    return builder.element()


class _Builder(HTMLParser):
    """Builds elements of the allowed tags and attributes; all else in the HTML is text, or dropped.

    Browsers never see the HTML itself, so that how they would read it does not matter.
    """

    def __init__(self) -> None:
        super().__init__()
        self._open: list[tuple[str, dict[str, str], list[Node]]] = [("div", {"class": "aew-html"}, [])]
        self._too_deep = 0
        self._dropped = 0

    def add_note(self, text: str) -> None:
        self._close_all()
        self._open[0][2].append(Element("p", {"class": "aew-cut"}, (text,)))

    def element(self) -> Element:
        self._close_all()
        tag, attributes, children = self._open[0]
        return Element(tag, attributes, tuple(children))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag in _DROPPED:
            self._dropped += 1
        elif tag not in _TAGS or self._dropped:
            return
        elif tag == "img":
            if values.get("alt"):
                self.handle_data(f"[image: {values['alt']}]")
        elif len(self._open) >= _DEEPEST and tag not in EMPTY_TAGS:
            self._too_deep += 1
        else:
            own = _HEADINGS.get(tag, tag)
            if own in _CLOSED_BY_NEXT and self._open[-1][0] == own:
                self._close()
            known = _NAMES["*"] | _NAMES.get(tag, set())
            allowed = {
                name: value
                for name, value in values.items()
                if name in known and is_allowed(own, name, value)
            }
            self._open.append((own, allowed, []))
            if tag in EMPTY_TAGS:
                self._close()

    def handle_endtag(self, tag: str) -> None:
        own = _HEADINGS.get(tag, tag)
        if tag in _DROPPED:
            self._dropped = max(0, self._dropped - 1)
        elif tag in EMPTY_TAGS or tag not in _TAGS or self._dropped:
            return
        elif self._too_deep:
            self._too_deep -= 1
        elif own in [each[0] for each in self._open[1:]]:
            while self._open[-1][0] != own:
                self._close()
            self._close()

    def handle_data(self, data: str) -> None:
        if not self._dropped:
            self._open[-1][2].append(data)

    def _close_all(self) -> None:
        while len(self._open) > 1:
            self._close()

    def _close(self) -> None:
        tag, attributes, children = self._open.pop()
        self._open[-1][2].append(Element(tag, attributes, tuple(children)))
