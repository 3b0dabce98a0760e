"""The view of a ranked list."""

from activeeval_widgets.session.pool.instances import Ranking, Result, Text
from activeeval_widgets.widgets.elements.allowlist import is_address
from activeeval_widgets.widgets.elements.tree import Element, Node, Passage, element, link
from activeeval_widgets.widgets.instances.broken_instances import broken_part
from activeeval_widgets.widgets.instances.image_encoding import ImageSource, image
from activeeval_widgets.widgets.instances.record import SHORT_PASSAGE
from activeeval_widgets.widgets.instances.registered_views import register_view


class RankingView:
    """Shows a query with its results in order.

    Parameters
    ----------
    one_by_one : bool
        Whether only the result being graded is visible, instead of all.

    See Also
    --------
    TextView : For a single text.

    Examples
    --------
    >>> RankingView()(Ranking("jaguar", [Result("d7", title="A cat")])).tag
    'section'
    """

    def __init__(self, *, one_by_one: bool = False) -> None:
        self._class = "aew-ranking aew-one-by-one" if one_by_one else "aew-ranking"

    def __call__(self, instance: Ranking) -> Element:
        """Return a ranked list as an element."""
        results = [_result(result) for result in instance.results]
        return element(
            "section",
            element("h3", instance.query or "(empty query)", class_="aew-query", dir="auto"),
            element("ol", *results, class_="aew-results") if results else element("p", "No results."),
            class_=self._class,
        )


def _result(result: Result) -> Element:
    words: list[Node] = []
    if result.title or not (result.text or result.image is not None):
        words.append(element("h4", result.title or str(result.item), class_="aew-title", dir="auto"))
    if result.text:
        words.append(Passage(Text(result.text), SHORT_PASSAGE))
    if result.link:
        # An address that is not allowed in a link is shown as text.
        address = link(result.link) if is_address(result.link) else result.link
        words.append(element("p", address, class_="aew-link", dir="ltr"))
    body: list[Node] = [element("div", *words, class_="aew-result-body")] if words else []
    if result.image is not None:
        body.insert(0, element("div", _thumbnail(result, result.image), class_="aew-thumbnail"))
    return element("li", *body, class_="aew-result", data_item=str(result.item))


def _thumbnail(result: Result, source: ImageSource) -> Element:
    try:
        return image(source, f"Image of {result.title or result.item}")
    except Exception as error:  # the other results can still be graded
        return broken_part(error)


register_view(
    "ranking",
    lambda _: RankingView(),
    reasons=("the query is unclear", "the results are broken", "in a foreign language", "a duplicate"),
)
