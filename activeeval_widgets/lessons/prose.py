"""Conversion of Markdown to HTML for pages without JupyterLab, with formulas as MathML."""

from __future__ import annotations

import html
import re

from markdown_it import MarkdownIt

_CODE_OR_FORMULA = re.compile(
    r"(?P<code>(?P<ticks>`+).+?(?P=ticks))"
    r"|\$\$(?P<block>.+?)\$\$"
    r"|(?<![\\\w$])\$(?P<inline>[^\s$](?:[^$\n]*[^\s$])?)\$(?![\w$])",
    re.DOTALL,
)
_NO_HEADING = re.compile(r"<th([^>]*)></th>")  # the corner of a table, which heads nothing
# White space, as control characters are, would be stripped at the ends of a paragraph.
_PLACE = "\N{OBJECT REPLACEMENT CHARACTER}{}\N{OBJECT REPLACEMENT CHARACTER}"
_PLACES = re.compile("\N{OBJECT REPLACEMENT CHARACTER}([0-9]+)\N{OBJECT REPLACEMENT CHARACTER}")


def to_html(markdown: str, *, is_inline: bool = False) -> str:
    """Convert Markdown to HTML. Markup in it is escaped: content of a pool stays text."""
    formulas: list[str] = []

    def set_aside(found: re.Match[str]) -> str:
        if found["code"] is not None:
            return found[0]
        formulas.append(formula(found["block"] or found["inline"], is_block=found["block"] is not None))
        return _PLACE.format(len(formulas) - 1)

    parser = MarkdownIt("js-default", {"linkify": False})
    text = _CODE_OR_FORMULA.sub(set_aside, markdown)
    made = parser.renderInline(text) if is_inline else parser.render(text)
    made = _NO_HEADING.sub(r"<td\1></td>", made)
    return _PLACES.sub(lambda found: formulas[int(found[1])], made)


def formula(latex: str, *, is_block: bool = False) -> str:
    """Convert a formula to MathML, or to its source without `latex2mathml`."""
    try:
        from latex2mathml.converter import convert
    except ImportError:
        return f"<code>{html.escape(latex.strip())}</code>"
    return str(convert(latex.strip(), display="block" if is_block else "inline"))
