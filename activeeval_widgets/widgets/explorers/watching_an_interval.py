"""Explorer: the effect of watching an interval."""

import json
from typing import Any

from activeeval_widgets.widgets.explorers.explorer import DATA, Explorer, check_setting


class WatchingAnInterval(Explorer):
    """The effect of looking at an interval after every label, and the cost of an interval that allows it.

    Sessions are simulated. The reader steps through one, beside the long run of many, in which the Wald
    interval is caught without the truth and the confidence sequence is not. Further parts show coverage at a
    single look, the benefit of deadlines, and adaptive draws with a watched interval.

    Parameters
    ----------
    truth : float
        The initial true error rate, from 0.01 to 0.5.

    Raises
    ------
    TypeError, ValueError
        If it is not a number, or outside its range.

    See Also
    --------
    activeeval_widgets.stats.confidence_sequence : The anytime-valid interval.
    activeeval_widgets.lessons.coverage.binomial_coverage : The coverage of other intervals at one look.

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
        """Return the results of simulations: widths by deadlines, and sessions of adaptive draws."""
        watched = json.loads((DATA / "adaptive.json").read_text(encoding="utf-8"))
        return {**super().data(), "adaptive": watched}

    def __init__(self, *, truth: float = 0.1) -> None:
        super().__init__(truth=check_setting("truth", truth, 0.01, 0.5))
