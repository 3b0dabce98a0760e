"""Explorer: how many labels an evaluation takes."""

from activeeval_widgets.widgets.explorers.explorer import Explorer, check_setting


class HowManyLabels(Explorer):
    """The labels that an interval width takes with uniform draws, the papers' q* and adaptive draws.

    Parameters
    ----------
    error_rate : float
        The initial error rate, from 0.01 to 0.5.
    half_width : float
        The initial target half-width, from 0.005 to 0.2.
    knowledge : float
        The model's initial knowledge of its errors: the spread of an error's log-odds, from 0 (none) to 5.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number, or outside its range.

    See Also
    --------
    activeeval_widgets.stats.labels_needed : The same for a model and a pool.

    Examples
    --------
    >>> HowManyLabels(error_rate=0.05).title
    'How many labels'
    """

    name = "how-many-labels"
    title = "How many labels"

    def __init__(self, *, error_rate: float = 0.1, half_width: float = 0.03, knowledge: float = 2.0) -> None:
        super().__init__(
            error_rate=check_setting("error_rate", error_rate, 0.01, 0.5),
            half_width=check_setting("half_width", half_width, 0.005, 0.2),
            knowledge=check_setting("knowledge", knowledge, 0, 5),
        )
