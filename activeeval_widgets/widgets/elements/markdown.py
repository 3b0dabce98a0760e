"""Guidelines for labelers, written in Markdown."""

from typing import Any

from markdown_it import MarkdownIt

from activeeval_widgets.widgets.elements.html import sanitized_html
from activeeval_widgets.widgets.elements.tree import to_json


def guidelines_tree(markdown: Any) -> Any:
    """Convert Markdown to a tree of elements for the page; HTML in it is shown as text."""
    if not isinstance(markdown, str):
        raise TypeError(f"guidelines must be a string of Markdown, got {markdown!r:.200}")
    if not markdown.strip():
        raise ValueError(f"guidelines must not be blank, got {markdown!r:.200}")
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    return to_json(sanitized_html(parser.render(markdown)))
