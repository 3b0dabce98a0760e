"""Explorer: an interval that is watched."""

import json
from typing import Any

from activeeval_widgets.widgets.explorers.explorer import DATA, Explorer, check_setting


class WatchingAnInterval(Explorer):
    """What comes of looking at an interval after every label, and what an interval costs that allows it.

    Sessions are simulated: one is stepped through beside the long run of many, in which the Wald interval is
    caught without the truth and the one that may be watched is not. How often intervals hold at a single
    look; what a number of labels that is declared beforehand buys; and adaptive draws, watched.

    Parameters
    ----------
    truth : float
        The true error rate at first, from 0.01 to 0.5.

    Raises
    ------
    TypeError, ValueError
        If it is no number, or outside its range.

    See Also
    --------
    activeeval_widgets.stats.confidence_sequence : the interval that may be watched.
    activeeval_widgets.lessons.coverage.binomial_coverage : how often others hold at one look.

    References
    ----------
    T, figure 3.2. Waudby-Smith & Ramdas, *Estimating means of bounded random variables by betting*, JRSS-B
    2024.

    Examples
    --------
    >>> WatchingAnInterval(truth=0.05).title
    'Watching an interval'
    """

    name = "watching-an-interval"
    title = "Watching an interval"
    data_file = "deadlines.json"

    @classmethod
    def data(cls) -> Any:
        """What was simulated: widths by deadlines, and sessions of adaptive draws."""
        watched = json.loads((DATA / "adaptive.json").read_text(encoding="utf-8"))
        return {**super().data(), "adaptive": watched}

    def __init__(self, *, truth: float = 0.1) -> None:
        super().__init__(truth=check_setting("truth", truth, 0.01, 0.5))
