"""Explorer: the instances that q prefers."""

from activeeval_widgets.widgets.explorers.explorer import Explorer, check_setting


class WhatQPrefers(Explorer):
    """The instances that the papers' q* prefers for an error rate, F, squared errors and two models.

    Curves and heat maps show how often an instance is drawn, by the model's prediction, the believed value of
    the measure, and the cost of labels. Any point can be expanded into a worked example.

    Parameters
    ----------
    risk : float
        The initial believed error rate, from 0 to 1.
    f : float
        The initial believed F, from 0.02 to 1.
    eta : float
        The initial weight of precision, from 0 (recall) to 1 (precision).
    difference : float
        The initial believed difference of two error rates, from −0.5 to 0.5.
    squared_error : float
        The initial believed mean squared error, from 0 to 1, in units of the largest variance.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number, or outside its range.

    See Also
    --------
    activeeval_widgets.stats.optimal_q : The q of a pool.

    References
    ----------
    T, figures 4.1, 4.2 and 5.1; eq. 4.14, 4.18, 4.25, Corollaries 4.3 and 5.1, section 5.2.

    Examples
    --------
    >>> explorer = WhatQPrefers(risk=0.2)
    >>> explorer.title
    'What q prefers'
    """

    name = "what-q-prefers"
    title = "What q prefers"

    def __init__(
        self,
        *,
        risk: float = 0.1,
        f: float = 0.6,
        eta: float = 0.5,
        difference: float = 0.1,
        squared_error: float = 0.33,
    ) -> None:
        super().__init__(
            risk=check_setting("risk", risk, 0, 1),
            f=check_setting("f", f, 0.02, 1),
            eta=check_setting("eta", eta, 0, 1),
            difference=check_setting("difference", difference, -0.5, 0.5),
            squared_error=check_setting("squared_error", squared_error, 0, 1),
        )
