"""The view of an answer that is graded on several criteria."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from activeeval_widgets.session.pool.instances import Text
from activeeval_widgets.widgets.elements.tree import Element, element
from activeeval_widgets.widgets.instances.text import TextView


class RubricView:
    """Shows an instance with its criteria below.

    Parameters
    ----------
    criteria : sequence of str, or mapping from str to str
        The criteria, as in `rubric_predictions`; a mapping gives their meanings.
    view : callable, optional
        The view of the instance itself, such as `AnswersView("prompt", ["answer"])`; by default, a text.

    Raises
    ------
    TypeError, ValueError
        If `criteria` is a string, or empty; if the view returns neither an element nor a text.

    See Also
    --------
    AnswersView : For a prompt and its answer.
    RankingView : For a list of results.

    Examples
    --------
    >>> view = RubricView({"correct": "Is all of it true?", "polite": "Would you say it to a guest?"})
    >>> view("Paris is the capital of France.").attributes
    {'class': 'aew-answers'}
    """

    def __init__(
        self, criteria: Sequence[str] | Mapping[str, str], view: Callable[[Any], Any] | None = None
    ) -> None:
        if isinstance(criteria, str) or not len(criteria):
            raise ValueError(f"criteria must be one or more names, got {criteria!r}")
        self.criteria = criteria if isinstance(criteria, Mapping) else dict.fromkeys(criteria, "")
        self._view = TextView() if view is None else view

    @property
    def columns(self) -> Any:
        """The columns that the instance's own view names, if it names any."""
        return getattr(self._view, "columns", None)

    def __call__(self, instance: Any) -> Element:
        """Return an instance and its criteria as an element."""
        shown = self._view(instance)
        if isinstance(shown, str | Text):
            shown = TextView()(shown)
        if not isinstance(shown, Element):
            raise TypeError(f"the view must return an Element or a text, got {type(shown).__name__}")
        criteria = [_criterion(name, meaning) for name, meaning in self.criteria.items()]
        graded = element("ol", *criteria, class_="aew-results")
        return element("div", shown, element("section", graded, class_="aew-ranking"), class_="aew-answers")


def _criterion(name: str, meaning: str) -> Element:
    parts = [element("h4", str(name), class_="aew-title", dir="auto")]
    if meaning:
        parts.append(element("p", meaning, class_="aew-muted", dir="auto"))
    body = element("div", *parts, class_="aew-result-body")
    return element("li", body, class_="aew-result", data_item=str(name))
