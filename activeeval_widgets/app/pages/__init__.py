"""The kinds of pages, one module each, and the spec by which the server's kernels know which one to make.

The command line puts a *spec* into the environment variable `PAGE_VARIABLE`, as JSON: an object with "kind",
"store" (a path or an address; a race has none) and further values for the kind of page. Each module has
two functions:

- `prepare(spec)` does the slow part (the pool, the imports) before the page's address is known;
- `build(spec, query)` makes the widget. `query` has "session", the name in the address or None, and
  "who", the log-in name from a trusted proxy or None.
"""

import json
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, cast

if TYPE_CHECKING:
    from ipywidgets import DOMWidget

PAGE_VARIABLE = "ACTIVEEVAL_WIDGETS_PAGE"

KINDS = {
    "demo": "demo",
    "evaluation": "evaluation",
    "exported": "exported",
    "lessons": "lessons",
    "python": "python_file",
    "race": "race",
    "start": "start",
}
"""Each kind of page, and the module that makes it."""

Spec = Mapping[str, Any]


class Query(TypedDict):
    """The query of the request for a page."""

    session: str | None
    who: str | None


class Page(Protocol):
    """The functions of a page's module."""

    def prepare(self, spec: Spec) -> None:
        """Do slow preparations that need only the spec."""

    def build(self, spec: Spec, query: Query) -> "DOMWidget":
        """Make the widget."""


def to_text(spec: Spec) -> str:
    """Format a spec for the environment variable."""
    return json.dumps(spec)


def from_text(text: str) -> dict[str, Any]:
    """Parse a spec from the environment variable."""
    return cast("dict[str, Any]", json.loads(text))


def page_of(spec: Spec) -> Page:
    """Return the module that makes the page of a spec."""
    return cast("Page", import_module(f"{__name__}.{KINDS[spec['kind']]}"))
