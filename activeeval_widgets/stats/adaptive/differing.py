"""Where two models can differ: elsewhere their difference is 0 whatever the label is."""

from activeeval_widgets.stats._typing import BoolArray
from activeeval_widgets.stats.measures.target import Target


def differ_in(target: Target) -> BoolArray | None:
    """Where two models can differ, (n_instances,); None: everywhere, as far as is known."""
    if not target.is_difference:
        return None
    found = target.measure.can_differ(*target.models)
    return None if found.all() or not found.any() else found
