"""The measure for a name and a class of interest, for given predictions."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, cast

import numpy as np

from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.measures.measure_names import (
    NamedMeasure,
    described,
    measure_named,
    named_measures,
)
from activeeval_widgets.stats.measures.side_by_side import is_of_systems
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.text import listed

_LOOKED_AT = 1_000_000


_POSITIVE_WORDS = ("1", "1.0", "true", "yes", "y", "pos", "positive")


@dataclass(frozen=True)
class Chosen:
    """A measure that was chosen by name."""

    measure: Measure
    named: NamedMeasure
    other: Any = None
    """The other class, if the class of interest was guessed among two."""
    is_rarer: bool = False
    """Whether it was guessed because it is predicted less often."""


def choose(
    models: Sequence[Predictions] | None,
    name: str,
    positive: Any = None,
    *,
    is_by_command: bool = False,
    guesses: bool = False,
) -> Chosen:
    """Return the measure of a name that suits the predictions."""
    add = "add --positive" if is_by_command else "give positive"
    if models is None:
        return _of_labels(name, positive, add)
    kind = models[0].kind
    if kind == "ranking" and str(name).strip().lower() == "ap":
        name = "map"
    named = described(name)
    are_systems = is_of_systems(models)
    if named.name == "pass-rate" and not are_systems:
        how = (
            "name two columns with --pair or --answer, and the labels with --classes A,B,both,neither"
            if is_by_command
            else "make their predictions by side_by_side()"
        )
        raise ValueError(
            "measure 'pass-rate' is of two systems whose answers stand side by side: "
            f"{how} (of one system: label-share)"
        )
    if are_systems and not named.needs_model:
        raise ValueError(
            f"measure {name!r} does not go with the labels {', '.join(map(str, _classes_of(models)))}, which "
            "say which of two systems pass: that is pass-rate. Which one is better is asked with "
            + ("--classes A,B,tie" if is_by_command else "the classes A, B and tie")
        )
    if named.predictions_kind != kind:
        fitting = ", ".join(other.name for other in named_measures(kind))
        raise ValueError(
            f"measure {name!r} does not fit these predictions. Those that do: {fitting}"
            + _instead_of_classes(models, named, is_by_command=is_by_command)
        )
    if not named.has_positive:
        return Chosen(measure_named(name, positive=positive), named)
    classes = _classes_of(models)
    other, is_rarer = None, False
    if positive is not None:
        label = _class_meant(classes, positive)
    elif not named.needs_model and named.default_positive in classes:
        label = named.default_positive
    else:
        classifiers = cast("Sequence[ClassPredictions]", models)
        label, is_rarer = _positive_class(classifiers, name, add, guesses=guesses)
        other = next(each for each in classes if each != label)
    return Chosen(measure_named(name, positive=label), named, other, is_rarer)


def _instead_of_classes(models: Sequence[Predictions], named: NamedMeasure, *, is_by_command: bool) -> str:
    """Return a remedy if a measure of numbers meets predicted classes: they may be meant as numbers."""
    if named.predictions_kind != "value" or models[0].label_kind != "class":
        return ""
    first = _classes_of(models)[0]
    if is_by_command and str(first).strip().lstrip("+-").replace(".", "", 1).isdecimal():
        return ". If the predictions are numbers, name their column with --mean"
    if not isinstance(first, str):
        return ". If the predictions are numbers, pass ValuePredictions(y_pred)"
    return f". The predictions are texts ({first!r:.40}): convert them to numbers if they mean numbers"


def as_measure(
    value: Any,
    positive: Any,
    models: Sequence[Predictions] | None,
    *,
    default_positive: Any = None,
    is_by_command: bool = False,
) -> Measure:
    """Return the measure that is given as such, or by its name and class of interest."""
    if isinstance(value, str):
        if positive is None and default_positive is not None and described(value).has_positive:
            positive = default_positive
        return choose(models, value, positive, is_by_command=is_by_command).measure
    if not isinstance(value, Measure):
        raise TypeError(
            "measure must be a Measure, such as ErrorRate(), or its name, such as 'error-rate', "
            f"got {value!r:.200}{_meant(value)}"
        )
    if positive is not None:
        raise ValueError(
            f"positive is {positive!r}, but the measure is given as {value!r}: leave positive out, or give "
            "the measure by its name, such as measure='f1'"
        )
    return value


def _meant(value: Any) -> str:
    """Return a hint for a class of measures, or a function of scikit-learn, given by mistake."""
    if isinstance(value, type) and issubclass(value, Measure):
        return f". Did you mean {value.__name__}(…)?"
    try:
        return f". Did you mean {described(value.__name__).name!r}?"
    except (AttributeError, ValueError):
        return ""


def _classes_of(models: Sequence[Predictions]) -> list[Any]:
    values = models[0].label_values
    return [] if values is None else list(values.tolist())


def _of_labels(name: str, positive: Any, add: str) -> Chosen:
    """Return the measure without predictions or given labels: it determines the labels itself."""
    known = ", ".join(named.name for named in named_measures() if not named.needs_model)
    named = described(name)
    if named.needs_model:
        raise ValueError(
            f"measure {name!r} needs a model's predictions, and there are none. Those that need none: {known}"
        )
    if named.has_positive and named.default_positive is None and positive is None:
        label = " LABEL" if add.endswith("--positive") else ", the label that counts"
        raise ValueError(f"measure {name!r} counts one class: {add}{label}")
    return Chosen(measure_named(name, positive=positive), named)


def _class_meant(classes: list[Any], positive: Any) -> Any:
    for label in classes:
        if label == positive and isinstance(label, bool) == isinstance(positive, bool):
            return label
    for label in classes:
        if str(label).casefold() == str(positive).casefold():
            return label
    near = get_close_matches(str(positive), [*map(str, classes)], n=1)
    hint = f"Did you mean {near[0]!r}? " if near else ""
    is_nameless = isinstance(positive, str) and classes == list(range(len(classes)))
    known = listed([*map(str, classes)])
    remedy = ". ClassPredictions(y_proba, classes=model.classes_) gives them names" if is_nameless else ""
    raise ValueError(
        f"positive is {positive!r}, and there is no such class. {hint}There are: {known}{remedy}"
    )


def _positive_class(
    models: Sequence[ClassPredictions], name: str, add: str, *, guesses: bool
) -> tuple[Any, bool]:
    """Return the class of interest among two, and whether it was guessed as the rarer one."""
    classes = models[0].classes.tolist()
    if len(classes) != 2:
        raise ValueError(f"measure {name!r} counts one class: {add}, one of {listed([*map(str, classes)])}")
    sounding = [label for label in classes if str(label).casefold() in _POSITIVE_WORDS]
    if len(sounding) == 1:
        return sounding[0], False
    if not (guesses and models[0].is_model):
        first, second = classes if add.endswith("--positive") else map(repr, classes)
        raise ValueError(f"measure {name!r} counts one class: {add}, {first} or {second}")
    # The first instances of a large pool are enough: it need not be in memory.
    predicted = np.concatenate([model.pred_codes[:_LOOKED_AT] for model in models])
    return classes[0 if np.mean(predicted == 0) < 0.5 else 1], True
