"""Explorer: the methods under wrong probabilities of the model."""

from activeeval_widgets.widgets.explorers.explorer import Explorer, check_setting


class WhenTheModelLies(Explorer):
    """The savings, or the cost, of choosing instances when the model's probabilities are wrong.

    The probabilities are distorted by a power of their odds, and by a cluster on which the model is sure and
    wrong. The papers' q* then loses its advantage; a uniform share, the control variate and recalibration by
    labels repair what can be repaired; a test detects the distortion.

    Parameters
    ----------
    power : float
        The initial power of the odds, from 0.25 (underconfident) over 1 (honest) to 8 (overconfident).
    cluster : float
        The cluster's initial share of the pool, from 0 to 0.1.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number, or outside its range.

    See Also
    --------
    activeeval_widgets.stats.ModelTrial : The test.

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
