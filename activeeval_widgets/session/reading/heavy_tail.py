"""What is advised where a few large errors make all the difference."""

import numpy as np

from activeeval_widgets.session.reading.evaluation import Evaluation
from activeeval_widgets.stats import Estimate

_FEWEST = 50
"""Nothing is advised with fewer labels."""

_CLIPPED = 0.9
"""Errors beyond this share of those that were seen are clipped."""


def better_measures(session: Evaluation, estimate: Estimate) -> str:
    """Measures that the same labels tell far better, with bounds that suit them; "" where none is needed.

    For means of losses that labels can make as large as they like, while no approximate interval holds: no
    number of labels rules out a rare error that is larger than all that were met.

    Parameters
    ----------
    session : Session
        Whose labels.
    estimate : Estimate
        Its estimate.
    """
    measure, model = session.measure, session.models[0]
    is_loose = measure.needs_range and not (estimate.has_approximate and not estimate.is_asymptotic)
    if not is_loose or estimate.n_labels < _FEWEST or estimate.standard_error == 0:
        return ""
    draws, y_true = session.labeled_draws()
    sizes = [model.distance(int(draw), y) for draw, y in zip(draws, y_true, strict=True)]
    near, far = (f"{float(f'{size:.2g}'):g}" for size in np.quantile(sizes, [0.5, _CLIPPED]))
    return (
        "A few large errors can make all the difference here. The same labels tell much more of "
        f"WithinTolerance({near}), the share of predictions that are off by no more than that, and of "
        f"ClippedSquaredError({far})."
    )
