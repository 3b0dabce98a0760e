"""The pages there are, one module for each kind, and how the server's kernels hear which one to make.

The command line puts a *spec* into the environment variable `PAGE_VARIABLE`, as JSON: an object with "kind",
"store" (a path or an address; a race has none) and what a page of that kind needs besides. Each module has
two functions:

- `prepare(spec)` does the slow part (the pool, the imports), before the page's address is known;
- `build(spec, query)` makes the widget. `query` has "session", the name that the address gives or None, and
  "who", the log-in name that a trusted proxy gives or None.
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
    """The functions that a page's module has."""

    def prepare(self, spec: Spec) -> None:
        """Do slow preparations that need the spec only."""

    def build(self, spec: Spec, query: Query) -> "DOMWidget":
        """Make the widget."""


def to_text(spec: Spec) -> str:
    """A spec as it is in the environment variable."""
    return json.dumps(spec)


def from_text(text: str) -> dict[str, Any]:
    """The spec that an environment variable has."""
    return cast("dict[str, Any]", json.loads(text))


def page_of(spec: Spec) -> Page:
    """The module that makes the page of a spec."""
    return cast("Page", import_module(f"{__name__}.{KINDS[spec['kind']]}"))
