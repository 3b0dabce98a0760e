"""Text that code has made: no number in a lesson is typed."""

from __future__ import annotations

from typing import Any

from activeeval_widgets.lessons.prose import to_html


def tell(markdown: str) -> None:
    """Show Markdown below the cell: sentences with numbers that the lesson has computed.

    Parameters
    ----------
    markdown : str
        CommonMark with tables and formulas; indentation that all lines share is taken away.

    See Also
    --------
    answer : A question with a hidden answer.

    Examples
    --------
    >>> from activeeval_widgets.lessons import tell
    >>> share = 3 / 40
    >>> tell(f"The classifier is wrong in **{share:.1%}** of all cases.")  # doctest: +SKIP
    """
    told = _cleaned(markdown)
    _show(told, f'<div class="aew-told">{to_html(told)}</div>')


def answer(markdown: str, *, question: str) -> None:
    """Ask the reader something; the answer shows when the question is opened, by a click or by the keyboard.

    Parameters
    ----------
    markdown : str
        The answer, as for `tell`.
    question : str
        The question: one line of Markdown.

    See Also
    --------
    tell : Text with nothing hidden.

    Examples
    --------
    >>> from activeeval_widgets.lessons import answer
    >>> answer("Twice as wide.", question="What does a quarter of the labels give?")  # doctest: +SKIP
    """
    told = _cleaned(markdown)
    summary = to_html(question.strip(), is_inline=True)
    opened = f"<div>{to_html(told)}</div>"
    _show(
        f"**{question.strip()}**\n\n{told}",
        f'<details class="aew-answer"><summary><strong>{summary}</strong></summary>{opened}</details>',
    )


def _cleaned(markdown: str) -> str:
    from inspect import cleandoc

    return cleandoc(markdown)


def _show(markdown: str, made: str) -> None:
    from IPython.display import display

    bundle: dict[str, Any] = {"text/plain": markdown, "text/markdown": markdown, "text/html": made}
    display(bundle, raw=True)  # type: ignore[no-untyped-call]
