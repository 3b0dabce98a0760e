"""What the evaluated models think of instances, as plots and texts show it."""

import numpy as np

from activeeval_widgets.session import Session
from activeeval_widgets.stats import ClassPredictions, RankingPredictions, ValuePredictions
from activeeval_widgets.stats._typing import AnyArray, IntArray
from activeeval_widgets.stats.predictions.base import Predictions


def model_names(session: Session) -> tuple[str, ...]:
    """The models' names; letters where they have none, or the same."""
    names = tuple(model.name or "" for model in session.models)
    if len(set(names)) == len(names) and all(names):
        return names
    return ("the model",) if len(names) == 1 else ("model A", "model B")


def surprises(session: Session, draws: IntArray, y_true: AnyArray) -> AnyArray:
    """For each labeled draw, whether the label counts against the model, or sets two models apart.

    Returns
    -------
    ndarray of shape (n_draws,), bool
        Empty where labels are no classes.
    """
    is_right = [
        model.pred_codes[draws] == model.encode(y_true)
        for model in session.models
        if isinstance(model, ClassPredictions)
    ]
    if not is_right:
        return np.empty(0, dtype=bool)
    differs: AnyArray = ~is_right[0] if len(is_right) == 1 else is_right[0] != is_right[1]
    return differs


def prediction_text(session: Session, index: int) -> str:
    """What the models say of an instance."""
    said = [_says(model, index) for model in session.models]
    names = model_names(session)
    return ". ".join(f"{name[0].upper()}{name[1:]} {says}" for name, says in zip(names, said, strict=True))


def prediction_in_short(session: Session, index: int) -> str:
    """What the models predict for an instance, in a word or two; "" of rankings."""
    said = [_predicts(model, index) for model in session.models]
    if len(said) == 1:
        return said[0]
    return "; ".join(f"{name}: {text}" for name, text in zip(model_names(session), said, strict=True))


def _predicts(model: Predictions, index: int) -> str:
    return "" if isinstance(model, RankingPredictions) else _says(model, index).removeprefix("says ")


def _says(model: Predictions, index: int) -> str:
    if isinstance(model, ClassPredictions):
        # Of this instance alone: plots ask for hundreds, of pools of any size.
        code = model.pred_codes[index]
        return f"says {model.classes[code]} ({100 * model.y_proba[index, code]:.0f}\N{NO-BREAK SPACE}%)"
    if isinstance(model, ValuePredictions):
        spread = "" if model.variance is None else f" ± {np.sqrt(model.variance[index]):.2g}"
        return f"says {model.mean[index]:.3g}{spread}"
    assert isinstance(model, RankingPredictions)  # noqa: S101 - for the type checker: there is no other kind
    rows = [model.relevance.rows[index][item] for item in model.rankings[index][:5]]
    expected = model.relevance.proba[rows] @ model.grades
    return f"expects grades {', '.join(f'{grade:.1f}' for grade in expected)} from the top"
