"""HTML from a pool, if one asks for it: what is harmless of it."""

from html.parser import HTMLParser

from activeeval_widgets.widgets.elements.allowlist import EMPTY_TAGS, TAGS, is_allowed
from activeeval_widgets.widgets.elements.tree import Element, Node

_HEADINGS = {"h1": "h3", "h2": "h3"}
"""The page has headings of these levels of its own."""

_DEEPEST = 50
"""What is nested deeper is shown at this depth."""

_LONG = 200_000
"""Of longer HTML, only this many characters are shown."""

_NAMES = {
    "*": {"dir", "lang", "title"},
    "a": {"href"},
    "img": {"alt"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
}


def sanitized_html(html: str) -> Element:
    """Make elements of HTML: without scripts, styles, forms, images, and all that would load something.

    Strings are text everywhere else: call this in a view of your own for pools whose instances are HTML.

    Parameters
    ----------
    html : str
        Any HTML, whatever its source. Of images only the text alternatives are shown: the images
        would be requested from elsewhere.

    Returns
    -------
    Element
        A `div` that holds the rest.

    Raises
    ------
    TypeError
        If it is not a string.

    See Also
    --------
    element : Makes an element of your own.

    Examples
    --------
    >>> from activeeval_widgets.widgets.elements.tree import to_json
    >>> to_json(sanitized_html("<b onclick='steal()'>Hi</b><script>steal()</script>"))
    ['div', {'class': 'aew-html'}, [['b', {}, ['Hi']]]]
    """
    if not isinstance(html, str):
        raise TypeError(f"html must be a string, got {html!r:.200}")
    import nh3  # only here: it is a compiled library, which few pools need

    harmless = nh3.clean(
        html[:_LONG],
        tags=set(TAGS | _HEADINGS.keys()),
        attributes=_NAMES,
        url_schemes={"http", "https", "mailto"},
        link_rel=None,  # set for all links where the page builds them
    )
    builder = _Builder()
    builder.feed(harmless)
    builder.close()
    if len(html) > _LONG:
        builder.add_note(f"Shown: the first {_LONG:,} of {len(html):,} characters of HTML.")
    return builder.element()


class _Builder(HTMLParser):
    """Builds elements from HTML in which all tags are closed."""

    def __init__(self) -> None:
        super().__init__()
        self._open: list[tuple[str, dict[str, str], list[Node]]] = [("div", {"class": "aew-html"}, [])]
        self._too_deep = 0

    def add_note(self, text: str) -> None:
        self._close_all()
        self._open[0][2].append(Element("p", {"class": "aew-cut"}, (text,)))

    def element(self) -> Element:
        self._close_all()
        tag, attributes, children = self._open[0]
        return Element(tag, attributes, tuple(children))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "img":
            if values.get("alt"):
                self.handle_data(f"[image: {values['alt']}]")
        elif len(self._open) >= _DEEPEST and tag not in EMPTY_TAGS:
            self._too_deep += 1
        else:
            own = _HEADINGS.get(tag, tag)
            allowed = {name: value for name, value in values.items() if is_allowed(own, name, value)}
            self._open.append((own, allowed, []))
            if tag in EMPTY_TAGS:
                self._close()

    def handle_endtag(self, tag: str) -> None:
        if tag in EMPTY_TAGS:
            return
        if self._too_deep:
            self._too_deep -= 1
        elif len(self._open) > 1:
            self._close()

    def handle_data(self, data: str) -> None:
        self._open[-1][2].append(data)

    def _close_all(self) -> None:
        while len(self._open) > 1:
            self._close()

    def _close(self) -> None:
        tag, attributes, children = self._open.pop()
        self._open[-1][2].append(Element(tag, attributes, tuple(children)))
