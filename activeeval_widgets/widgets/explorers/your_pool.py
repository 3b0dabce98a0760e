"""Explorer: the instances of your own pool that q prefers."""

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
from activeeval_widgets.stats.measures.chosen_measure import as_measure
from activeeval_widgets.stats.predictions.beliefs import Belief
from activeeval_widgets.stats.questions.question import check_models
from activeeval_widgets.widgets.explorers.explorer import Explorer, check_setting


class YourPool(Explorer):
    """A pool with a model's predictions: its instances, which of them q* prefers, and the savings.

    Instances are binned by the model's confidence and by how often they are drawn. Sliders change the
    believed value of the measure, η and the uniform share; the script recomputes q for every instance.

    Parameters
    ----------
    predictions : Predictions or array-like of shape (n_instances, n_classes), optional
        One model's predictions, in any form that `Pool` takes; by default those of the images demo.
    measure : Measure or str, optional
        The measure to estimate, or its name: a mean of losses or gains (error rate, costs, log loss, squared
        error, DCG, …) or an F-measure, precision or recall. By default the error rate.
    positive : class label, optional
        The class of interest, for a measure given by name.
    costs : array-like of shape (n_instances,), optional
        The cost of each label, in any unit.
    defensive : float
        The initial uniform share, from 0 to 1.

    Raises
    ------
    TypeError, ValueError
        If the measure is none of these, or an argument does not fit the others.

    See Also
    --------
    activeeval_widgets.stats.optimal_q : The q that is shown initially.
    activeeval_widgets.stats.asymptotic_variance : The measure of savings.
    WhatQPrefers : The same from formulas, without a pool.

    References
    ----------
    T, eq. 4.6, 4.18 and 4.25.

    Examples
    --------
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
        super().__init__(
            pool_data(given, model, check_costs(costs, model.n_instances, model)), defensive=share
        )


def pool_data(measure: Measure, model: Predictions, costs: FloatArray | None = None) -> dict[str, Any]:
    """Return the script's data on a pool: the inputs of q for each instance, in columns."""
    check_models(measure, [model])
    belief = model.belief([])
    belief.check_known()
    n_instances = model.n_instances
    if isinstance(measure, FMeasure | Precision | Recall):
        columns = _f_columns(measure, model)
    else:
        columns = _risk_columns(measure, model, belief)
    return {
        "n_instances": n_instances,
        "measure": measure.name,
        "is_share": measure.is_share,
        "costs": None if costs is None else _bytes(costs),
        **columns,
    }


def _risk_columns(measure: Measure, model: Predictions, belief: Belief) -> dict[str, Any]:
    if not measure.is_risk:
        raise TypeError(
            "measure must be a mean of losses or gains, or an F-measure, precision or recall, "
            f"got {measure!r}; stats.optimal_q computes the q of any"
        )
    first, second = measure.moments([Term(model, np.ones(1))], belief, 0.0)
    # For values 0 and 1, without cancellation.
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
    """Return numbers in the script's format: little-endian doubles in base64."""
    return b64encode(np.asarray(values, dtype="<f8").tobytes()).decode("ascii")
