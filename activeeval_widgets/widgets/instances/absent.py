"""The view of instances whose contents are not available: by their ids."""

from activeeval_widgets.session.pool.instances import Ranking, Result
from activeeval_widgets.session.pool.kinds.absent import Absent
from activeeval_widgets.widgets.elements.tree import Element, element
from activeeval_widgets.widgets.instances.ranking import RankingView
from activeeval_widgets.widgets.instances.registered_views import register_view


class AbsentView:
    """Shows the id of an instance, for labelers who have its content; for a ranking, also its items' ids.

    See Also
    --------
    TextView : For a text that is available.

    Examples
    --------
    >>> AbsentView()(Absent("review-7", "text", "texts")).tag
    'div'
    """

    def __call__(self, instance: Absent) -> Element:
        """Return an instance's id as an element."""
        parts = [
            element("p", element("strong", "Instance ", element("bdi", instance.id))),
            element("p", "What it shows is not in the exported file: look it up by its id."),
        ]
        if instance.items is not None:
            results = tuple(Result(item) for item in instance.items)
            parts.append(RankingView()(Ranking(instance.id, results)))
        return element("div", *parts)


register_view("absent", lambda _: AbsentView(), reasons=("not found by its id", "a duplicate"))
