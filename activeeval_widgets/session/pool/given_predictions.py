"""Converts a model's predictions, given as an object, a table, or the fitted model itself.

Models are recognized by their methods, so any library with scikit-learn's conventions works.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from activeeval_widgets.session.pool.other_libraries import as_model
from activeeval_widgets.session.pool.row_order import RowOrder
from activeeval_widgets.stats import (
    ClassPredictions,
    PredictedClasses,
    Predictions,
    ScoredClasses,
    ValuePredictions,
)
from activeeval_widgets.stats._typing import AnyArray
from activeeval_widgets.stats._validation import refuse_masked
from activeeval_widgets.stats.predictions._probabilities import column_names


def as_predictions(
    value: Any, instances: Any, features: Any, classes: Any = None, order: RowOrder | None = None
) -> Any:
    """Convert the predictions of one or several models; return other values unchanged."""
    names = check_names(value) if isinstance(value, Mapping) else None
    if isinstance(value, Mapping):
        value = list(value.values())
    several = names is not None or (
        isinstance(value, list | tuple) and len(value) > 0 and all(map(_is_model, value))
    )
    rows = order or RowOrder(instances)
    for position, each in enumerate(value if several else [value]):
        rows.add(_called(position, names) if several else "predictions", each)
    given = [as_model(each) for each in value] if several else [as_model(value)]
    if features is not None:
        refuse_masked("features", features)
        rows.add("features", features)
        _check_features(features, given, instances)
    found = []
    for position, each in enumerate(given):
        with _errors_about(None if names is None else names[position]):
            refuse_masked("predictions", each)
            found.append(_without_probabilities(each, features, instances))
    found = _predicted_classes(found, names or [None] * len(found), classes)
    asked, where = (instances, "instances") if features is None else (features, "features")
    models = []
    for position, model in enumerate(found):
        with _errors_about(None if names is None else names[position]):
            models.append(_predictions(model, asked, where))
    if names is not None:
        return [_named(model, name) for model, name in zip(models, names, strict=True)]
    if len(models) > 1 and all(map(_is_estimator, given)) and len({m.name for m in models}) < len(models):
        for model in models:
            model.name = None  # equal names would not distinguish them
    return models if several else models[0]


def _called(position: int, names: Sequence[str] | None) -> str:
    return f"predictions[{position}]" if names is None else f"predictions of {names[position]!r}"


def _check_features(features: Any, given: Sequence[Any], instances: Any) -> None:
    if not any(map(_is_estimator, given)):
        raise ValueError(
            "features are what a fitted estimator is asked about, but the predictions are given already: "
            "leave features out"
        )
    n_features, n_instances = _length(features), len(instances)
    if n_features != n_instances:
        raise ValueError(f"features has {n_features} rows, expected one for each of {n_instances} instances")


def check_names(models: Mapping[Any, Any]) -> list[str]:
    """Return the names that a mapping gives to models."""
    for name in models:
        if not isinstance(name, str) or not name.strip():
            raise TypeError(
                f"models must be named by texts, as {{'old': …, 'new': …}}, got the name {name!r}"
            )
    if len(models) < 2:
        raise ValueError(f"models must be two or more, by their names, got {len(models)}: {list(models)}")
    return list(models)


def _named(model: Any, name: str) -> Any:
    """Return a copy of predictions with another name."""
    if not isinstance(model, Predictions):
        raise TypeError(
            f"predictions of {name!r} must be ClassPredictions, ValuePredictions or RankingPredictions, "
            f"class probabilities, predicted classes or a fitted model, got {model!r:.200}"
        )
    made = copy(model)
    made.name = name
    return made


@contextmanager
def _errors_about(name: str | None) -> Iterator[None]:
    """Add the model's name to errors about one of several models."""
    try:
        yield
    except (TypeError, ValueError) as error:
        if name is None:
            raise
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"predictions of {name!r}: {error}") from error


def _without_probabilities(value: Any, features: Any, instances: Any) -> Any:
    """Ask a fitted classifier without probabilities for classes and scores; return other values unchanged."""
    is_estimator = not isinstance(value, type) and _is_estimator(value)
    if not is_estimator or callable(getattr(value, "predict_proba", None)):
        return value
    kind = _estimator_type(value)
    # CatBoost's regressors have classes_, without any in it.
    if kind == "regressor" or (kind != "classifier" and not hasattr(value, "classes_")):
        return value
    asked, where = (instances, "instances") if features is None else (features, "features")
    name, classes = _name(value), getattr(value, "classes_", None)
    y_pred = _predicted(value, name, asked, where)
    _check_length(len(y_pred), asked, f"{name}.predict({where})")
    if classes is not None and callable(getattr(value, "decision_function", None)):
        scores = np.asarray(_asked(value.decision_function, name, asked, where))
        if _are_one_against_the_rest(value, scores, len(classes)):
            try:
                return ScoredClasses(scores, classes, y_pred, name)
            except (TypeError, ValueError) as error:
                raise type(error)(f"{name}.decision_function({where}): {error}") from error
    return PredictedClasses(y_pred, classes, name=name)


def _are_one_against_the_rest(model: Any, scores: AnyArray, n_classes: int) -> bool:
    """Return whether scores are one per class, or one for two classes, and not one per pair of classes."""
    last = getattr(model, "best_estimator_", model)
    last = _last_step(last)
    if getattr(last, "decision_function_shape", None) == "ovo" and n_classes > 2:
        return False
    return scores.shape[1:] == ((n_classes,) if scores.ndim == 2 else ()) and (
        scores.ndim == 2 or n_classes == 2
    )


def _predicted_classes(given: list[Any], names: Sequence[str | None], known: Any) -> list[Any]:
    """Convert predicted labels to `PredictedClasses` with another model's own classes, or those of all."""
    labels = [_labels_alone(each) for each in given]
    found = [each for each in labels if each is not None]
    if known is not None and len(found) < len(labels):
        raise ValueError(
            "classes are for a pool without predictions, or with predicted labels only: leave them out, "
            "these have their own"
        )
    if not found:
        return given
    by_name = {
        name: _classes_of(each) for name, each, own in zip(names, given, labels, strict=True) if own is None
    }
    whose = next((name for name, each in by_name.items() if each is not None), None)
    classes: Any = known
    if whose is not None:
        classes = by_name[whose]
    elif known is None:
        classes = np.unique(np.concatenate(found))
    made = []
    for name, model, own in zip(names, given, labels, strict=True):
        with _errors_about(name):
            try:
                made.append(model if own is None else PredictedClasses(own, classes))
            except ValueError as error:
                if whose is None:
                    raise
                other = given[names.index(whose)]
                has_names = isinstance(other, Predictions) or _is_estimator(other) or column_names(other)
                raise ValueError(f"{error}, as of {whose!r}{'' if has_names else _UNNAMED}") from error
    return made


_UNNAMED = (
    ", whose columns have no names: name them by ClassPredictions(p, classes=[…]), or give a DataFrame "
    "with the classes as its columns"
)


def _classes_of(value: Any) -> AnyArray | None:
    """Return the classes of predictions, of a fitted classifier or of a table; None if unknown."""
    if isinstance(value, ClassPredictions):
        return value.classes
    if _is_estimator(value):
        known = getattr(value, "classes_", None)
        return None if known is None else np.asarray(known)
    try:
        return ClassPredictions(value).classes if _is_table(value) else None
    except (TypeError, ValueError):
        return None  # reported when it is converted to probabilities


def _labels_alone(value: Any) -> AnyArray | None:
    """Return a list of labels as an array; None if the value is not one, such as probabilities."""
    if not (isinstance(value, list | tuple | np.ndarray | pd.Series | pd.Categorical)):
        return None
    try:
        labels = np.asarray(value)
    except ValueError:  # lists of different lengths
        return None
    if labels.ndim != 1 or not labels.size:
        return None
    if labels.dtype.kind == "O":
        labels = np.array(labels.tolist()) if all(isinstance(y, str) for y in labels) else labels
    return labels if labels.dtype.kind in "iubU" else None


def _is_estimator(value: Any) -> bool:
    return any(callable(getattr(value, name, None)) for name in ("fit", "predict", "predict_proba"))


def _is_model(value: Any) -> bool:
    is_table = column_names(value) is not None or (isinstance(value, np.ndarray) and value.ndim == 2)
    return isinstance(value, Predictions) or is_table or _is_estimator(value)


def _predictions(value: Any, features: Any, where: str) -> Any:
    if isinstance(value, Predictions):
        return value
    if _is_estimator(value):
        return _of_estimator(value, features, where)
    if not _is_table(value):
        return value
    try:
        return ClassPredictions(value)
    except (TypeError, ValueError) as error:
        text = f"predictions, taken as class probabilities: {error}"
        if isinstance(error, TypeError) and _holds_lists(value):
            text = f"{text.rstrip('.')}. {_OTHER_LISTS}"
        raise type(error)(text) from error


_OTHER_LISTS = (
    "If these are the predicted labels of several models, name the models, as {'old': …, 'new': …}; if they "
    "are probabilities and their classes, pass ClassPredictions(y_proba, classes=[…]); if they are ranked "
    "items, pass RankingPredictions"
)


def _holds_lists(value: Any) -> bool:
    return isinstance(value, list | tuple) and any(
        isinstance(each, list | tuple | np.ndarray) for each in value
    )


def _is_table(value: Any) -> bool:
    """Return whether a value is meant as class probabilities: a table, or one number per instance."""
    if column_names(value) is not None or hasattr(value, "__array__"):
        return True
    is_list = isinstance(value, list | tuple) and len(value) > 0
    return is_list and isinstance(value[0], list | tuple | str | Real | np.ndarray)


def _of_estimator(model: Any, features: Any, where: str) -> Predictions:
    if isinstance(model, type):
        raise TypeError(f"predictions is the class {model.__name__}, expected a fitted {model.__name__}(…)")
    name = _name(model)
    if callable(getattr(model, "predict_proba", None)):
        y_proba = _asked(model.predict_proba, name, features, where)
        if isinstance(y_proba, list):
            raise ValueError(
                f"{name} predicts {len(y_proba)} labels for each instance; evaluate one at a time, the first "
                "by ClassPredictions(model.predict_proba(X)[0], classes=model.classes_[0])"
            )
        can_predict = callable(getattr(model, "predict", None))
        # `predict` need not return the most probable class, for example with a tuned threshold.
        y_pred = _predicted(model, name, features, where) if can_predict else None
        _check_length(len(y_proba), features, f"{name}.predict_proba({where})")
        return ClassPredictions(y_proba, classes=getattr(model, "classes_", None), y_pred=y_pred, name=name)
    if _estimator_type(model) == "regressor":
        return ValuePredictions(_predicted(model, name, features, where), name=name)
    raise TypeError(
        f"{name} is neither a classifier nor a regressor; "
        "give its predictions as ClassPredictions or ValuePredictions"
    )


def _check_length(n_answers: int, features: Any, call: str) -> None:
    """Reject one answer per column: a model of texts iterates over the column names of a table."""
    columns = getattr(features, "columns", None)
    if columns is not None and n_answers == len(columns) != len(features):
        raise ValueError(
            f"{call} returned {n_answers} results for {len(features)} rows, one for each column. If it "
            "reads one column of texts, pass only that: data['text'] instead of data"
        )


def _predicted(model: Any, name: str, features: Any, where: str) -> AnyArray:
    """Return one prediction per instance, also of models that return a column, as CatBoost's do."""
    found = np.asarray(_asked(model.predict, name, features, where))
    return found[:, 0] if found.ndim == 2 and found.shape[1] == 1 else found


def _asked(method: Callable[[Any], Any], name: str, features: Any, where: str) -> Any:
    """Call a model's method, and add a remedy to its errors."""
    try:
        return method(features)
    except Exception as error:
        if any(cls.__name__ == "NotFittedError" for cls in type(error).__mro__):
            raise ValueError(f"{name} is not fitted: call its fit(X_train, y_train) first") from error
        reason = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
        remedy = (
            "If it needs other input than what is shown, pass that as features=X"
            if where == "instances"
            else "features must be what it was fitted on, one row for each instance"
        )
        raise ValueError(f"{name}.{method.__name__}({where}) failed: {reason}. {remedy}") from error


def _name(model: Any) -> str:
    """Return the name of the model's class; for a pipeline, that of its last step."""
    return type(_last_step(model)).__name__


def _last_step(model: Any) -> Any:
    steps = getattr(model, "steps", None)
    return steps[-1][1] if isinstance(steps, list) and steps else model


def _estimator_type(model: Any) -> str | None:
    if hasattr(model, "__sklearn_tags__"):
        return getattr(model.__sklearn_tags__(), "estimator_type", None)
    return getattr(model, "_estimator_type", None)


def _length(features: Any) -> int:
    shape = getattr(features, "shape", None)  # a sparse matrix has no len
    if shape:
        return int(shape[0])
    try:
        return len(features)
    except TypeError:
        raise TypeError(f"features must have one row for each instance, got {features!r}") from None
