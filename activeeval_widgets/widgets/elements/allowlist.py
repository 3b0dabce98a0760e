"""The allowed tags, classes and attributes, with patterns for their values.

The page checks the same list again before it builds anything.
"""

import re
from collections.abc import Mapping
from typing import Any

TAGS = frozenset(
    {
        *("a", "b", "bdi", "blockquote", "br", "caption", "code", "dd", "del", "div", "dl", "dt", "em"),
        *("figcaption", "figure", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd", "li", "mark", "ol"),
        *("p", "pre", "q", "s", "samp", "section", "small", "span", "strong", "sub", "sup", "table"),
        *("tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul", "var"),
    }
)
EMPTY_TAGS = frozenset({"br", "hr", "img"})
"""Tags of elements without children."""

OWN_CLASSES = frozenset(
    {
        *("aew-passage", "aew-prose", "aew-code", "aew-block", "aew-cut", "aew-title"),
        *("aew-ranking", "aew-one-by-one", "aew-query", "aew-results", "aew-result", "aew-result-body"),
        *("aew-thumbnail", "aew-link"),
        *(
            "aew-record",
            "aew-missing",
            "aew-pair",
            "aew-half",
            "aew-answers",
            "aew-prompt",
            "aew-html",
            "aew-broken",
            *("aew-conversation", "aew-turn", "aew-aside", "aew-call", "aew-unseen", "aew-reference"),
            *("aew-markdown", "aew-pre", "aew-wide", "aew-long"),
        ),
    }
)
"""Classes of the package's own views."""

CLASSES = frozenset(
    {"aew-muted", "aew-small", "aew-large", "aew-center", "aew-row", "aew-column", "aew-card"}
)
"""Classes for custom views: quiet, small, large or centered text; children in a row or column; a frame."""

_CLASS = f"(?:{'|'.join(sorted(OWN_CLASSES | CLASSES))})"
_ANY = r"[\s\S]*"
_LINK = r"(?:[hH][tT]{2}[pP][sS]?://|[mM][aA][iI][lL][tT][oO]:)[^\u0000-\u0020\u007f-\u00a0]+"
_IMAGE = r"data:image/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}"
_CELL = {"colspan": r"[1-9][0-9]{0,2}", "rowspan": r"[1-9][0-9]{0,2}", "scope": r"row|col|rowgroup|colgroup"}

ATTRIBUTES: Mapping[str, Mapping[str, str]] = {
    "*": {
        "class": f"{_CLASS}(?: {_CLASS})*",
        "dir": "auto|ltr|rtl",
        "lang": r"[A-Za-z0-9-]{1,35}",
        "title": _ANY,
    },
    "a": {"href": _LINK},
    "img": {"src": _IMAGE, "alt": _ANY, "width": r"[0-9]{1,5}", "height": r"[0-9]{1,5}"},
    "li": {"data-item": _ANY},
    "ol": {"start": r"-?[0-9]{1,9}"},
    "p": {"data-passage": r"[0-9]{1,9}", "data-next": r"[0-9]{1,12}"},
    "td": _CELL,
    "th": _CELL,
}
"""The attributes of each tag ("*" stands for all), with patterns for their values; the page reads them,
too."""


def is_address(value: str) -> bool:
    """Return whether a link may lead to an address."""
    return re.fullmatch(_LINK, value) is not None


def is_allowed(tag: str, name: str, value: str) -> bool:
    """Return whether an element may have an attribute with a value."""
    pattern = ATTRIBUTES["*"].get(name) or ATTRIBUTES.get(tag, {}).get(name)
    return pattern is not None and re.fullmatch(pattern, value) is not None


def allowlist() -> dict[str, Any]:
    """Return everything that is allowed, in the form that the page reads."""
    return {"tags": sorted(TAGS), "attributes": {tag: dict(names) for tag, names in ATTRIBUTES.items()}}


def refusal(tag: str, name: str, value: str) -> str:
    """Return the error message for an attribute that is not allowed."""
    names = sorted({*ATTRIBUTES["*"], *ATTRIBUTES.get(tag, {})})
    if name not in names:
        return f"<{tag}> can have the attributes {', '.join(names)}; got {name!r}"
    if name == "class":
        return f"class must be one or more of {', '.join(sorted(CLASSES))}; got {value!r:.200}"
    expected = {
        "href": "an address that begins with http://, https:// or mailto:",
        "src": "made by image()",
    }
    pattern = {**ATTRIBUTES["*"], **ATTRIBUTES.get(tag, {})}[name]
    return f"{name} of <{tag}> must be {expected.get(name, pattern)}, got {value!r:.200}"
