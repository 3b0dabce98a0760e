"""Which measure is meant, where a name, a class of interest, or both are left to be guessed."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from activeeval_widgets.formats.problems import listed
from activeeval_widgets.formats.side_by_side import is_of_systems
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats import ClassPredictions, Measure
from activeeval_widgets.stats.measures.by_name import (
    NamedMeasure,
    described,
    measure_named,
    named_measures,
)

DEFAULTS = {"class": "error-rate", "value": "absolute-error", "ranking": "dcg"}
"""What is estimated unless a measure is named, by the kind of predictions."""

_LOOKED_AT = 1_000_000

_POSITIVE_WORDS = ("1", "1.0", "true", "yes", "y", "pos", "positive")


@dataclass(frozen=True)
class ChosenMeasure:
    """A measure, and what was guessed of it.

    Attributes
    ----------
    measure : Measure
    named : NamedMeasure
        Its names, and what it tells.
    guessed : tuple of str
        What was not given, in sentences.
    """

    measure: Measure
    named: NamedMeasure
    guessed: tuple[str, ...]


def chosen_measure(pool: Pool, name: str | None = None, positive: Any = None) -> ChosenMeasure:
    """The measure that is meant.

    Parameters
    ----------
    pool : Pool
        What it is of.
    name : str, optional
        See `measure_named`; by the kind of predictions unless given.
    positive : str, number or bool, optional
        The class of interest; "1" means the class 1, too. Of two classes, the one that sounds like it, or the
        rarer one, unless given.

    Returns
    -------
    ChosenMeasure

    Raises
    ------
    ValueError
        If there is no such measure or class, the measure is of other predictions, or one of more than two
        classes has to be chosen.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions
    >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.8, 0.2]], classes=["ham", "spam"])
    >>> chosen = chosen_measure(Pool(["a", "b", "c"], predictions=model), "f1")
    >>> chosen.measure.name, chosen.guessed
    ('F1 of spam', ('class of interest: spam, the rarer one (--positive ham for the other)',))
    """
    if pool.is_open:
        return _without_predictions(name, positive)
    kind = pool.models[0].kind
    guessed = []
    are_systems = is_of_systems(pool.models)
    if name is None:
        name = "pass-rate" if are_systems else DEFAULTS[kind]
        if kind == "ranking" and pool.kind == "custom":
            name = "rubric-pass-rate"
        guessed.append(f"measure: {name} (--measure for another)")
    if kind == "ranking" and name.strip().lower() == "ap":
        name = "map"
    named = described(name)
    if named.name == "pass-rate" and not are_systems:
        raise ValueError(
            "measure 'pass-rate' is of two systems whose answers stand side by side: name two columns with "
            "--pair or --answer, and the labels with --classes A,B,both,neither (of one system: label-share)"
        )
    if are_systems and not named.needs_model:
        raise ValueError(
            f"measure {name!r} does not go with the labels {', '.join(map(str, _classes_of(pool)))}, which "
            "say which of two systems pass: that is pass-rate. Which one is better is asked with --classes "
            "A,B,tie"
        )
    if named.predictions_kind != kind:
        fitting = ", ".join(other.name for other in named_measures(kind))
        raise ValueError(f"measure {name!r} is of other predictions than these. There are: {fitting}")
    if not named.has_positive:
        return ChosenMeasure(measure_named(name, positive=positive), named, tuple(guessed))
    models = cast("tuple[ClassPredictions, ...]", pool.models)
    classes = models[0].classes.tolist()
    if positive is not None:
        label = _class_meant(classes, positive)
    elif not named.needs_model and named.default_positive in classes:
        label = named.default_positive
    else:
        label, how = _positive_class(models, name)
        other = next(each for each in classes if each != label)
        guessed.append(f"class of interest: {label}{how} (--positive {other} for the other)")
    return ChosenMeasure(measure_named(name, positive=label), named, tuple(guessed))


def _classes_of(pool: Pool) -> list[Any]:
    values = pool.models[0].label_values
    return [] if values is None else values.tolist()


def _without_predictions(name: str | None, positive: Any) -> ChosenMeasure:
    """The measure where there are no predictions, and nobody says what labels can be: it says it itself."""
    known = ", ".join(named.name for named in named_measures() if not named.needs_model)
    if name is None:
        raise ValueError(f"there are no predictions: name a measure of the labels themselves, one of {known}")
    named = described(name)
    if named.needs_model:
        raise ValueError(
            f"measure {name!r} is of a model's predictions, and there are none. There are: {known}"
        )
    if named.has_positive and named.default_positive is None and positive is None:
        raise ValueError(f"measure {name!r} is of one class: add --positive LABEL")
    return ChosenMeasure(measure_named(name, positive=positive), named, ())


def _class_meant(classes: list[Any], positive: Any) -> Any:
    for label in classes:
        if label == positive and isinstance(label, bool) == isinstance(positive, bool):
            return label
    for label in classes:
        if str(label).casefold() == str(positive).casefold():
            return label
    known = listed([*map(str, classes)])
    raise ValueError(f"positive is {positive!r}, and there is no such class. There are: {known}")


def _positive_class(models: tuple[ClassPredictions, ...], name: str) -> tuple[Any, str]:
    """The class of interest, of two, and how it was guessed."""
    classes = models[0].classes.tolist()
    if len(classes) != 2:
        known = listed([*map(str, classes)])
        raise ValueError(f"measure {name!r} is of one class of interest: add --positive, one of {known}")
    sounding = [label for label in classes if str(label).casefold() in _POSITIVE_WORDS]
    if len(sounding) == 1:
        return sounding[0], ""
    if not models[0].is_model:
        raise ValueError(f"measure {name!r} is of one class: add --positive, {classes[0]} or {classes[1]}")
    # The first of a large pool tell: it need not be in memory.
    predicted = np.concatenate([model.pred_codes[:_LOOKED_AT] for model in models])
    return classes[0 if np.mean(predicted == 0) < 0.5 else 1], ", the rarer one"
