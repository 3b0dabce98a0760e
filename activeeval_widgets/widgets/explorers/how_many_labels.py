"""Explorer: how many labels it takes."""

from activeeval_widgets.widgets.explorers.explorer import Explorer, check_setting


class HowManyLabels(Explorer):
    """How many labels an interval of some width takes: by uniform draws, the papers' q* and adaptive draws.

    Parameters
    ----------
    error_rate : float
        The error rate at first, from 0.01 to 0.5.
    half_width : float
        Half the width that is wanted at first, from 0.005 to 0.2.
    knowledge : float
        What the model knows of its errors at first: the spread of its log-odds of an error, from 0 (nothing)
        to 5.

    Raises
    ------
    TypeError, ValueError
        If one of them is no number, or outside its range.

    See Also
    --------
    activeeval_widgets.stats.labels_needed : for a model and a pool.

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
