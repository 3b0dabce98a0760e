"""The evaluated models' predictions, in words."""

import numpy as np

from activeeval_widgets.session import Session
from activeeval_widgets.session.findings.models import is_wrong_by, subject_of
from activeeval_widgets.session.findings.sentences import begun
from activeeval_widgets.stats._typing import AnyArray, BoolArray, IntArray

_LONGEST_NAME = 24  # letters, in a plot on a phone


def predictor_names(session: Session) -> tuple[str, ...]:
    """Return the names of the predictors; a majority of votes without a name is not called a model."""
    [first, *others] = session.models
    is_nameless = not others and not first.assists and not first.name
    return (subject_of(session.models),) if is_nameless else session.question.names


def abbreviated(name: str) -> str:
    """Return as much of a model's name as a plot has room for; names often differ only at the end."""
    return name if len(name) <= _LONGEST_NAME else f"{name[:10]}…{name[-13:]}"


def is_against(session: Session, draws: IntArray, y_true: AnyArray) -> BoolArray:
    """Return, for each labeled draw, whether the label contradicts the model or distinguishes models."""
    found = [is_wrong_by(session.measure, model, draws, y_true) for model in session.models]
    is_wrong = [each for each in found if each is not None]
    if not is_wrong:
        return np.empty(0, dtype=bool)
    return is_wrong[0] if len(is_wrong) == 1 else are_apart(np.array(is_wrong))


def are_apart(is_wrong: BoolArray) -> BoolArray:
    """Return where some models are wrong and some right, from an array (n_models, n_draws)."""
    return np.logical_and(is_wrong.any(axis=0), ~is_wrong.all(axis=0))


def allows_predictions(session: Session) -> bool:
    """Return whether the page may show the models' predictions for an instance."""
    is_blind = bool(session.question.pairs) and (
        session.labels.kind == "grades" or session.measure.is_of_systems
    )
    return session.question.has_model and not is_blind


def order_in_words(session: Session) -> str:
    """Return the remark on the order of results; "" unless several rankers' lists are merged."""
    is_merged = session.question.pairs and session.labels.kind == "grades"
    return " They are in random order." if is_merged else ""


def prediction_text(session: Session, index: int) -> str:
    """Return the models' predictions for an instance; "" if there are none, or if rankers are compared.

    Rankers' predictions would reveal who ranked a result, and where.
    """
    if not allows_predictions(session):
        return ""
    named = zip(predictor_names(session), session.models, strict=True)
    return ". ".join(
        f"{begun(who, [model.name or ''])} {model.describe(index).predicate}" for who, model in named
    )


def prediction_in_short(session: Session, index: int) -> str:
    """Return the models' predictions for an instance in a word or two; "" for rankings."""
    if not allows_predictions(session):
        return ""
    texts = [model.describe(index).in_short for model in session.models]
    if len(texts) == 1:
        return texts[0]
    return "; ".join(f"{name}: {text}" for name, text in zip(session.question.names, texts, strict=True))
