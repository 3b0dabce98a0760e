"""Views of texts: a single one, or two side by side."""

from collections.abc import Sequence
from dataclasses import replace

from activeeval_widgets.session.pool.instances import Text
from activeeval_widgets.widgets.elements.markdown_text import markdown_element
from activeeval_widgets.widgets.elements.tree import Element, Passage, element
from activeeval_widgets.widgets.instances.registered_views import register_view


class TextView:
    """Shows a text with its paragraphs and line breaks, and with highlighted spans.

    Parameters
    ----------
    monospace : bool
        Whether plain strings are shown in a monospaced font, for code.

    Raises
    ------
    ValueError
        When called, if the text is blank; the page then shows the error in its place.

    See Also
    --------
    PairView : For two texts side by side.

    Examples
    --------
    >>> TextView(monospace=True)("print(1)").tag
    'div'
    """

    def __init__(self, *, monospace: bool = False) -> None:
        self._monospace = monospace

    def __call__(self, instance: Text | str) -> Element:
        """Return a text as an element."""
        text = as_text(instance, self._monospace)
        if not text.text.strip():
            raise ValueError("the text is empty")
        title = [element("h3", text.title, class_="aew-title", dir="auto")] if text.title else []
        if text.markdown:
            return element("div", *title, body(text))
        passage = Passage(text)
        # PredictionDescription at the beginning, since the end of the part is far away.
        length = f"A text of {len(text.text):,} characters, shown in parts."
        notices = [element("p", length, class_="aew-cut")] if len(text.text) > passage.limit else []
        return element("div", *title, *notices, passage)


class PairView:
    """Shows two texts side by side, or one above the other on narrow pages.

    Parameters
    ----------
    headings : pair of str
        The headings of texts without a title.
    monospace : bool
        Whether plain strings are shown in a monospaced font, for code.

    Raises
    ------
    ValueError
        If there are not two headings.

    See Also
    --------
    TextView : For a single text.

    Examples
    --------
    >>> PairView(["Question", "Answer"])(("What is 1 + 1?", "2")).attributes
    {'class': 'aew-pair'}
    """

    def __init__(self, headings: Sequence[str] = ("First", "Second"), *, monospace: bool = False) -> None:
        if isinstance(headings, str) or len(headings) != 2:
            raise ValueError(f"headings must be two strings, got {headings!r}")
        self._headings = tuple(headings)
        self._monospace = monospace

    def __call__(self, instance: Sequence[Text | str]) -> Element:
        """Return a pair of texts as an element."""
        return self._shown([as_text(each, self._monospace) for each in instance])

    def turned(self, instance: Sequence[Text | str], is_swapped: bool) -> Element:
        """Return the pair without titles, which would reveal the systems, and in reverse if `is_swapped`."""
        texts = [replace(as_text(each, self._monospace), title=None) for each in instance]
        return PairView(monospace=self._monospace)._shown(texts[::-1] if is_swapped else texts)

    def _shown(self, texts: Sequence[Text]) -> Element:
        halves = [
            element(
                "section",
                element("h3", text.title or heading, class_="aew-title", dir="auto"),
                body(text) if text.text.strip() else element("em", "empty", class_="aew-missing"),
                class_="aew-half",
            )
            for heading, text in zip(self._headings, texts, strict=True)
        ]
        return element("div", *halves, class_="aew-pair")


def body(text: Text) -> Element | Passage:
    """Return a text as rendered Markdown, or as a passage."""
    return markdown_element(text) if text.markdown else Passage(text)


def as_text(instance: Text | str, monospace: bool) -> Text:
    """Return a string as a text."""
    return instance if isinstance(instance, Text) else Text(instance, monospace=monospace)


register_view(
    "text",
    lambda _: TextView(),
    reasons=("unreadable", "incomplete", "in a foreign language", "a duplicate"),
)
register_view(
    "pair",
    lambda _: PairView(),
    reasons=("one of them is broken", "incomplete", "in a foreign language", "a duplicate"),
)
