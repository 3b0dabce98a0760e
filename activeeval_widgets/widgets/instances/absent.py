"""How instances look whose contents are elsewhere: by their ids."""

from activeeval_widgets.session.pool.instances import Ranking, Result
from activeeval_widgets.session.pool.kinds.absent import Absent
from activeeval_widgets.widgets.elements.tree import Element, element
from activeeval_widgets.widgets.instances.ranking import RankingView
from activeeval_widgets.widgets.instances.registered_views import register_view


class AbsentView:
    """Shows which instance is meant, for whoever has its content at hand; of a ranking, its items' ids, too.

    See Also
    --------
    TextView : A text that is here.

    Examples
    --------
    >>> AbsentView()(Absent("review-7", "text", "texts")).tag
    'div'
    """

    def __call__(self, instance: Absent) -> Element:
        """An instance by its id, as the page shows it."""
        parts = [
            element("p", element("strong", "Instance ", element("bdi", instance.id))),
            element("p", "What it shows is not in the exported file: look it up by its id."),
        ]
        if instance.items is not None:
            results = tuple(Result(item) for item in instance.items)
            parts.append(RankingView()(Ranking(instance.id, results)))
        return element("div", *parts)


register_view("absent", lambda _: AbsentView(), reasons=("not found by its id", "a duplicate"))
