"""The measures, arranged by the questions that they answer."""

import re
from collections.abc import Collection
from typing import Any

from activeeval_widgets.formats.option_messages import MEASURES
from activeeval_widgets.stats.measures.measure_names import NamedMeasure, measure_named, named_measures
from activeeval_widgets.stats.predictions.class_labels import class_in_words

_QUESTIONS = {
    "How often is it wrong?": ("error-rate", "accuracy"),
    "How well does it find one class?": ("f1", "precision", "recall", "specificity"),
    "Is it equally good for every class?": ("macro-f1", "balanced-accuracy"),
    "How much better than chance is it?": ("cohen-kappa", "matthews-correlation"),
    "Are its probabilities right?": ("log-loss", "brier-score"),
    "How far off is it?": (
        "root-mean-squared-error",
        "absolute-error",
        "squared-error",
        "clipped-squared-error",
        "mean-absolute-percentage-error",
        "absolute-error-quantile",
    ),
    "How often is it near enough?": ("within-tolerance",),
    "What is the mean of the labels themselves?": ("mean-value",),
    "How common is a label?": ("label-share",),
    "How often is one of two preferred?": ("win-rate",),
    "How good are the first results?": ("ndcg", "dcg", "err", "reciprocal-rank", "precision"),
    "How much of what is relevant is found?": ("recall", "mean-average-precision"),
}
"""The questions that users may have, and the measures that answer them, the default first."""

_OF_LABELS = {
    "How common is a label?": ("label-share",),
    "What is the mean of the labels?": ("mean-value",),
    "How often is one of two preferred?": ("win-rate",),
}
"""The questions without a model."""

_OTHERS = "Something else?"

_OPTIONS = {
    ("ranking", "k"): ("How many results", "of the first", "results", "10"),
    ("ranking", "cutoff"): ("How many results", "of the first", "results (empty: all)", ""),
    ("value", "tolerance"): ("Tolerance", "off by at most", "", "1"),
    ("value", "smallest"): ("The smallest size of a label", "of labels of at least", "", "1"),
    ("value", "q"): ("The share of the errors", "of a share of", "of the errors", "0.9"),
    ("value", "clip"): ("The largest error that counts", "clipped at", "", "1"),
}
"""The numbers that measures take: a label, the texts before and after the field, and the default."""

_PROBABILITIES = ("log-loss", "brier-score")
"""Measures that need probabilities."""


def questions(
    predictions_kind: str, *, classes: Collection[str] = (), has_probabilities: bool = True
) -> list[dict[str, Any]]:
    """Return the questions about a model."""
    left = {
        _stem(named.name): named
        for named in named_measures(predictions_kind)
        if ("{" not in named.name or _option(named) is not None)
        and (has_probabilities or named.name not in _PROBABILITIES)
    }
    found = []
    for text, names in _QUESTIONS.items():
        measures = [left.pop(name) for name in names if name in left]
        if measures:
            found.append(_question(text, measures, classes))
    if left:
        found.append(_question(_OTHERS, list(left.values()), classes))
    return found


def questions_without_model(*, has_classes: bool) -> list[dict[str, Any]]:
    """Return the questions without a model, about the labels themselves."""
    known = {_stem(named.name): named for named in named_measures() if not named.needs_model}
    found = []
    for text, names in _OF_LABELS.items():
        question = _question(text, [known.pop(name) for name in names], ())
        for choice, name in zip(question["measures"], names, strict=True):
            choice["needs_class"] = choice["needs_class"] and (has_classes or name == "label-share")
        found.append(question)
    return found


def in_terms_of_page(text: str) -> str:
    """Replace measures in a message by the questions that ask for them; ranges are set in a file."""
    for name, measure in MEASURES:
        asked = (question for question, names in _QUESTIONS.items() if measure in names)
        text = re.sub(rf", {name}\([^()]*\)", f" (“{next(asked)}”)", text)
    return text.replace("give y_range,", "set y_range in evaluation.toml,")


def _question(text: str, measures: list[NamedMeasure], classes: Collection[str]) -> dict[str, Any]:
    choices: list[dict[str, Any]] = [
        {
            "name": _stem(named.name),
            "text": _words(named, classes),
            "sentence": named.summary,
            "needs_class": named.has_positive,
            "option": _option(named),
        }
        for named in measures
    ]
    return {"text": text, "note": ", ".join(choice["text"] for choice in choices[:3]), "measures": choices}


def _stem(name: str) -> str:
    """Return a measure's name without the part to fill in."""
    return name.partition("@")[0]


def _option(named: NamedMeasure) -> dict[str, Any] | None:
    asked = _OPTIONS.get((named.predictions_kind, named.option or ""))
    if asked is None:
        return None
    label, before, after, value = asked
    return {"label": label, "before": before, "after": after, "value": value, "is_needed": "{" in named.name}


def _words(named: NamedMeasure, classes: Collection[str]) -> str:
    """Return a measure's name without its class of interest."""
    if "{" in named.name:
        return _stem(named.name).replace("-", " ")
    if not named.has_positive:
        return measure_named(named.name).long_name
    positive = next(iter(classes), "…")
    name = measure_named(named.name, positive=positive).long_name
    return name.removesuffix(f" of {class_in_words(positive)}")
