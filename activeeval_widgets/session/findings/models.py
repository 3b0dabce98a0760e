"""The models of a session: how texts name them, and how arguments select them."""

from collections.abc import Sequence
from typing import Any

from activeeval_widgets.stats import Measure, Predictions
from activeeval_widgets.stats._typing import AnyArray, BoolArray, IntArray
from activeeval_widgets.stats.predictions.names import model_names


def subject_of(models: Sequence[Predictions]) -> str:
    """Return the subject of sentences about one model, or about the judges whose votes guide draws."""
    first, *others = models
    if others or first.assists:
        return f"the {first.role}"
    return first.name or "the majority of votes"


def predictions_in_words(models: Sequence[Predictions]) -> str:
    """Return what guides draws and estimates: predictions, a scorer's verdicts or judges' votes."""
    first, *others = models
    if not first.assists:
        return "the judges' votes"
    if is_scorer(models):
        return "the scorer's verdicts"
    return "the models' predictions" if others else "the model's predictions"


def is_scorer(models: Sequence[Predictions]) -> bool:
    """Return whether a log's scorer is evaluated rather than the model that it scored."""
    return models[0].role == "scorer"


def evaluated_in_words(models: Sequence[Predictions]) -> str:
    """Return the name of the single evaluated model, marked as a scorer if it is one."""
    [name] = model_names(models[:1])
    return f"the scorer {name}" if is_scorer(models) and name != "the scorer" else name


def positions_of(models: Sequence[Predictions], asked: Sequence[Any]) -> tuple[int, ...]:
    """Return the positions of one or two models given by name or position."""
    names = model_names(models)
    if not 1 <= len(asked) <= 2:
        raise ValueError(f"of() takes one model, or two for their difference, got {len(asked)}")
    found = []
    for each in asked:
        if isinstance(each, str):
            if each not in names:
                raise ValueError(f"there is no model {each!r}; there are {', '.join(map(repr, names))}")
            found.append(names.index(each))
        elif isinstance(each, int) and not isinstance(each, bool):
            if not 0 <= each < len(names):
                raise ValueError(f"there is no model {each}; they are numbered from 0 to {len(names) - 1}")
            found.append(each)
        else:
            raise TypeError(f"a model is named by its name or its position, got {each!r}")
    if len(set(found)) < len(found):
        raise ValueError(f"a model is not compared with itself: {names[found[0]]!r} is named twice")
    return tuple(found)


def is_wrong_by(measure: Measure, model: Predictions, draws: IntArray, y_true: AnyArray) -> BoolArray | None:
    """Return where a prediction is an error, by the measure if its losses are 0 or 1; None without errors."""
    is_wrong = model.is_wrong(draws, y_true)
    if is_wrong is None or not (measure.is_binary and measure.needs_model):
        return is_wrong
    found: BoolArray = measure.statistics(model, y_true, draws)[:, 0] == (
        0 if measure.greater_is_better else 1
    )
    return found
