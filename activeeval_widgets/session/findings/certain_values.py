"""Values that the predictions determine before any label."""

import numpy as np

from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.findings.models import subject_of
from activeeval_widgets.session.findings.sentences import begun
from activeeval_widgets.stats import ClassPredictions, Measure, Predictions
from activeeval_widgets.stats.predictions.class_labels import class_in_words


def certain_value_sentences(session: Findings) -> list[str]:
    """Return sentences about values that are certain before the first label."""
    models, measure = session.models, session.measure
    if session.pool.is_streamed or not all(model.is_model for model in models):
        return []
    names = session.question.names if session.question.pairs else (subject_of(models),)
    ratios = [_ratio(measure, model, name) for model, name in zip(models, names, strict=True)]
    found = [begun(text, names) for text in ratios if text]
    differ = session.question.can_differ()
    if differ is not None and not differ.any():
        same = f"{names[0]} and {names[1]} predict the same for all {session.pool.noun}: "
        found.append(begun(f"{same}whatever the labels are, they have the same {measure.name}.", names))
    return found


def _ratio(measure: Measure, model: Predictions, name: str) -> str:
    """Return a sentence about a ratio that is fixed because its class is predicted never or always."""
    positive = getattr(measure, "positive", None)
    if not (measure.is_ratio and measure.is_alike_in_rows and isinstance(model, ClassPredictions)):
        return ""
    if positive is None or positive not in model.classes:
        return ""
    predicted, first = np.unique(model.pred_codes, return_index=True)
    is_positive = predicted == model.code_of(positive, name="positive")
    if is_positive.any() and not is_positive.all():
        return ""
    does = "always" if is_positive.any() else "never"
    labels = np.repeat(model.classes, first.size)
    parts = measure.statistics(model, labels, np.tile(first, len(model.classes)))
    if not parts[:, 1].any():
        what = "is not defined, whatever the labels are"
    elif not parts[:, 0].any():
        what = f"is 0{measure.unit()}"
    elif np.array_equal(parts[:, 0], parts[:, 1]):
        what = f"is {100 if measure.is_share else 1}{measure.unit()}"
    else:
        return ""
    return f"{name} {does} predicts {class_in_words(positive)}, so its {measure.name} {what}."
