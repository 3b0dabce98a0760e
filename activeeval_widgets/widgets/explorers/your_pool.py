"""Explorer: which instances of a pool of one's own q prefers."""

from base64 import b64encode
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.demos import DEMOS
from activeeval_widgets.session.pool.given_predictions import as_predictions
from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    FMeasure,
    Measure,
    Precision,
    Predictions,
    Recall,
)
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_costs
from activeeval_widgets.stats.measures.base import Term
from activeeval_widgets.stats.measures.chosen import as_measure
from activeeval_widgets.stats.predictions.beliefs import Belief
from activeeval_widgets.widgets.explorers.explorer import Explorer, check_setting


class YourPool(Explorer):
    """A model's own pool: who is in it, which instances the papers' q* prefers, and what that saves.

    All instances are shown in bins: by how sure the model is and by how often they are drawn. Sliders move
    what is believed of the measure, η and the uniform share; the script computes q anew for each instance.

    Parameters
    ----------
    predictions : Predictions or array-like of shape (n_instances, n_classes), optional
        One model's predictions, as `Pool` takes them. Those of the images demo unless given.
    measure : Measure or str, optional
        What will be estimated, or its name: a mean of losses or gains (the error rate, costs, log loss,
        squared error, DCG, …) or an F-measure, precision or recall. The error rate unless given.
    positive : class label, optional
        For a measure by its name: the class of interest.
    costs : array-like of shape (n_instances,), optional
        What each label costs, in any unit.
    defensive : float
        The uniform share at first, from 0 to 1.

    Raises
    ------
    TypeError, ValueError
        If the measure is none of these, or an argument does not fit the others.

    See Also
    --------
    activeeval_widgets.stats.optimal_q : the q that it shows at first.
    activeeval_widgets.stats.asymptotic_variance : by which it tells what q saves.
    WhatQPrefers : the same by formulas, without a pool.

    References
    ----------
    T, eq. 4.6, 4.18 and 4.25.

    Examples
    --------
    >>> import numpy as np
    >>> sure = np.random.default_rng(1).beta(8, 2, 1000)
    >>> YourPool(np.column_stack([sure, 1 - sure])).title
    'Your pool'
    """

    name = "your-pool"
    title = "Your pool"

    def __init__(
        self,
        predictions: Any = None,
        measure: Measure | str | None = None,
        *,
        positive: Any = None,
        costs: ArrayLike | None = None,
        defensive: float = 0.1,
    ) -> None:
        if predictions is None:
            predictions = DEMOS["images"]().pool.predictions
        is_fitted = callable(getattr(predictions, "predict", None))
        model = None if is_fitted else as_predictions(predictions, (), None)
        if not isinstance(model, Predictions):
            raise TypeError(
                "predictions must be one model's, as Predictions or a table of class probabilities, "
                f"got {type(predictions).__name__}"
            )
        given = ErrorRate() if measure is None else as_measure(measure, positive, [model])
        share = check_setting("defensive", defensive, 0, 1)
        super().__init__(pool_data(given, model, check_costs(costs, model.n_instances)), defensive=share)


def pool_data(measure: Measure, model: Predictions, costs: FloatArray | None = None) -> dict[str, Any]:
    """What the script is told of a pool: of each instance what q is computed from, in columns."""
    measure.check_models([model])
    belief = model.belief([])
    belief.check_known()
    n_instances = model.n_instances
    if isinstance(measure, FMeasure | Precision | Recall):
        told = _f_columns(measure, model)
    else:
        told = _risk_columns(measure, model, belief)
    return {
        "n_instances": n_instances,
        "measure": measure.name,
        "is_share": measure.is_share,
        "costs": None if costs is None else _bytes(costs),
        **told,
    }


def _risk_columns(measure: Measure, model: Predictions, belief: Belief) -> dict[str, Any]:
    if not measure.is_risk:
        raise TypeError(
            "measure must be a mean of losses or gains, or an F-measure, precision or recall, "
            f"got {measure!r}; stats.optimal_q computes the q of any"
        )
    first, second = measure.moments([Term(model, np.ones(1))], belief, 0.0)
    # Of what is 0 or 1 without cancellation.
    variance = first * (1 - first) if measure.is_binary else np.maximum(second - first**2, 0)
    certainty = model.certainty
    if certainty is None:
        axis = {"label": f"expected {measure.name}", "is_share": measure.is_share, "values": _bytes(first)}
    else:
        label = f"model\N{RIGHT SINGLE QUOTATION MARK}s {certainty.label}"
        axis = {"label": label, "is_share": certainty.is_share, "values": _bytes(certainty.values)}
    low, high = (float(end) for end in measure.value_range)
    expected = float(first.mean())
    if not np.isfinite(low):
        low = min(0.0, 3 * expected)
    if not np.isfinite(high):
        high = max(3 * expected, 0.0)
    columns = {"mean": _bytes(first), "variance": _bytes(variance)}
    return {"kind": "risk", "axis": axis, "range": [low, high], "columns": columns}


def _f_columns(measure: FMeasure | Precision | Recall, model: Predictions) -> dict[str, Any]:
    if not isinstance(model, ClassPredictions):
        raise TypeError(f"{measure!r} takes ClassPredictions, got {type(model).__name__}")
    code = model.code_of(measure.positive, name="positive")
    positive = np.asarray(model.y_proba[:, code], dtype=np.float64)
    axis = {"label": f"probability of {model.classes[code]}", "is_share": True, "values": _bytes(positive)}
    columns = {"positive": _bytes(positive), "predicted": _bytes(model.pred_codes == code)}
    return {"kind": "f", "axis": axis, "range": [0.0, 1.0], "eta": measure.eta, "columns": columns}


def _bytes(values: Any) -> str:
    """Numbers as the script takes them: eight bytes each, the least first, in base64."""
    return b64encode(np.asarray(values, dtype="<f8").tobytes()).decode("ascii")
