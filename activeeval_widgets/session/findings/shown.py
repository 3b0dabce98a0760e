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
"""Rows of a table: names and values."""


def _no_paragraphs(findings: "Findings") -> list[str]:  # noqa: ARG001
    return []


def _no_rows(findings: "Findings", unit: str | None) -> Rows:  # noqa: ARG001
    return []


@dataclass(frozen=True, kw_only=True)
class Shown:
    """How a finding is shown. Modules of this folder define one as `SHOWN`.

    Attributes
    ----------
    name : str
        The name in messages and in the page's attributes: lower-case letters, digits, - and _.
    title : str
        The heading on the page.
    kind : {"text", "table", "intervals", "plot", "matrix", "models", "matrices"}
        The part of the front end that draws it; the first five are generic.
    is_there : callable
        Returns whether a session has the finding, given its `Findings`.
    content : callable
        Returns what the panel draws, given the `Findings` and the choices on the page: a mapping with the
        text "summary". A table also has "columns" and "rows" of texts; intervals are made by
        `interval_table.Scale`, plots by `plot_axes`; a matrix has the fields of `ConfusionContent`.
    heading : str
        The heading in the report; by default that of the page.
    paragraphs, rows : callable
        Return the content of the report's section, given the `Findings`, and for rows the unit of labels.
        Empty sections are left out.
    is_hidden_at_first : bool
        Whether the page hides it until a person chooses it in the dialog "View".
    comes_first : bool
        Whether it is above the plots, next to what each answer changes.

    See Also
    --------
    Panel : A panel of its own, if no generic panel is suitable.
    """

    name: str
    title: str
    kind: Literal["text", "table", "intervals", "plot", "matrix", "models", "matrices"]
    is_there: Callable[["Findings"], bool]
    content: Callable[["Findings", Mapping[str, Any]], dict[str, Any]]
    heading: str = ""
    paragraphs: Callable[["Findings"], list[str]] = _no_paragraphs
    rows: Callable[["Findings", str | None], Rows] = _no_rows
    is_hidden_at_first: bool = False
    comes_first: bool = False


@cache
def shown_findings() -> dict[str, Shown]:
    """Return all findings that define how they are shown, by name."""
    modules = [import_module(each.name) for each in iter_modules(folder.__path__, f"{folder.__name__}.")]
    found = [module.SHOWN for module in modules if hasattr(module, "SHOWN")]
    return {shown.name: shown for shown in found}
