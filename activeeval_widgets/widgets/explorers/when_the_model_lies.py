"""Explorer: what becomes of the methods when the model's probabilities are wrong."""

from activeeval_widgets.widgets.explorers.explorer import Explorer, check_setting


class WhenTheModelLies(Explorer):
    """What a choice of instances saves, or costs, when the model's probabilities are wrong.

    They are spoiled by a power of their odds, and by a cluster of which the model is sure and wrong. The
    papers' q* turns from gain to loss; a uniform share, the control variate and recalibration by the labels
    mend what can be mended; the trial tells that the model lies.

    Parameters
    ----------
    power : float
        The power of the odds at first, from 0.25 (not sure enough) over 1 (honest) to 8 (too sure).
    cluster : float
        The cluster's share of the pool at first, from 0 to 0.1.

    Raises
    ------
    TypeError, ValueError
        If one of them is no number, or outside its range.

    See Also
    --------
    activeeval_widgets.stats.ModelTrial : the trial.

    Examples
    --------
    >>> WhenTheModelLies(power=2).title
    'When the model lies'
    """

    name = "when-the-model-lies"
    title = "When the model lies"
    data_file = "lies.json"

    def __init__(self, *, power: float = 4.0, cluster: float = 0.0) -> None:
        super().__init__(
            power=check_setting("power", power, 0.25, 8), cluster=check_setting("cluster", cluster, 0, 0.1)
        )
