"""Views of an answer, or of several side by side, below the prompt."""

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from activeeval_widgets.session.pool.instances import Text
from activeeval_widgets.session.pool.missing_values import is_missing
from activeeval_widgets.widgets.elements.tree import Element, Passage, element

if TYPE_CHECKING:
    from activeeval_widgets.widgets.instances.record import Record


class AnswersView:
    """Shows a record as a prompt with one answer below, or several side by side.

    Texts are shown as they are: Markdown is not rendered. Long texts are shown in parts.

    Parameters
    ----------
    prompt : column
        The column of the prompt.
    answers : sequence of columns
        The columns of the answers, in order; their names are the headings.

    Raises
    ------
    TypeError, ValueError
        If `answers` is a string, or empty. When called, if the record lacks a column.

    See Also
    --------
    PairView : Two texts side by side, without a prompt.
    RecordView : All columns, one below the other.

    Examples
    --------
    >>> view = AnswersView("prompt", ["A", "B"])
    >>> view({"prompt": "What is 1 + 1?", "A": "2", "B": "Two."}).attributes
    {'class': 'aew-answers'}
    """

    def __init__(self, prompt: Hashable, answers: Sequence[Hashable]) -> None:
        if isinstance(answers, str):
            raise TypeError(f"answers must be a sequence of columns, got the string {answers!r}")
        if not len(answers):
            raise ValueError("answers must name one column or more, got none")
        self._prompt, self._answers = prompt, list(answers)

    @property
    def columns(self) -> list[Hashable]:
        """The columns of the prompt and of the answers."""
        return [self._prompt, *self._answers]

    def __call__(self, instance: "Record") -> Element:
        """Return a prompt and its answers as an element."""
        return self._shown(instance, [(str(column), column) for column in self._answers])

    @property
    def turned(self) -> Callable[["Record", bool], Element] | None:
        """Shows two answers without names, in reverse order on request; see `PairView.turned`."""
        if len(self._answers) != 2:
            return None

        def turned(instance: "Record", is_swapped: bool) -> Element:
            columns = self._answers[::-1] if is_swapped else self._answers
            return self._shown(instance, list(zip(("First", "Second"), columns, strict=True)))

        return turned

    def _shown(self, instance: "Record", headed: Sequence[tuple[str, Hashable]]) -> Element:
        cells: dict[Hashable, Any] = dict(instance.items())
        for column in (self._prompt, *self._answers):
            if column not in cells:
                raise ValueError(f"there is no column {column!r} among {', '.join(map(repr, cells))}")
        prompt = _part(str(self._prompt), cells[self._prompt], "aew-prompt")
        answers = [_part(heading, cells[column], "aew-half") for heading, column in headed]
        if len(answers) > 1:
            answers = [element("div", *answers, class_="aew-pair")]
        return element("div", prompt, *answers, class_="aew-answers")


def _part(heading: str, value: Any, class_: str) -> Element:
    text = "" if is_missing(value) else str(value)
    shown = Passage(Text(text)) if text.strip() else element("em", "empty", class_="aew-missing")
    return element("section", element("h3", heading, class_="aew-title", dir="auto"), shown, class_=class_)
