"""How findings are shown: on the page by a generic panel, in the report by a section."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Literal

from activeeval_widgets.session import findings as folder

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings

Rows = list[tuple[str, str]]
"""What is known, each with its name."""


def _no_paragraphs(findings: "Findings", level: float) -> list[str]:  # noqa: ARG001
    return []


def _no_rows(findings: "Findings", level: float, unit: str | None) -> Rows:  # noqa: ARG001
    return []


@dataclass(frozen=True, kw_only=True)
class Shown:
    """How a finding is shown: a module of this folder that defines one as `SHOWN` is found by it.

    Attributes
    ----------
    name : str
        Its name in messages and in the page's attributes: small letters, digits, - and _.
    title : str
        What it is called on the page.
    kind : {"text", "table", "intervals", "plot", "matrix"}
        Which generic panel draws it.
    is_there : callable
        Whether a session has it, by its `Findings`.
    content : callable
        What the panel draws, by the `Findings` and what the person chose on the page: a mapping with
        "summary", a text. A table has "columns" and "rows" of texts besides; intervals are made by
        `interval_table.Scale`, plots by `plot_axes`; a matrix is as `ConfusionContent` has it.
    heading : str
        What the report calls it; as the page, unless given.
    paragraphs, rows : callable
        What the report says of it, by the `Findings` and the level of its intervals; rows also by the unit
        of labels. The report leaves out what has neither.
    has_place : bool
        Whether the front end has a place for it among its own panels; else it comes after these.

    See Also
    --------
    Panel : What a finding is drawn by that none of the generic panels suits.
    """

    name: str
    title: str
    kind: Literal["text", "table", "intervals", "plot", "matrix"]
    is_there: Callable[["Findings"], bool]
    content: Callable[["Findings", Mapping[str, Any]], dict[str, Any]]
    heading: str = ""
    paragraphs: Callable[["Findings", float], list[str]] = _no_paragraphs
    rows: Callable[["Findings", float, str | None], Rows] = _no_rows
    has_place: bool = False


@cache
def shown_findings() -> dict[str, Shown]:
    """All findings that say how they are shown, by name."""
    modules = [import_module(each.name) for each in iter_modules(folder.__path__, f"{folder.__name__}.")]
    found = [module.SHOWN for module in modules if hasattr(module, "SHOWN")]
    return {shown.name: shown for shown in found}
