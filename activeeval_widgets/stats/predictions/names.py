"""Names of models."""

from collections.abc import Sequence

from activeeval_widgets.stats.predictions.base import Predictions


def model_names(models: Sequence[Predictions]) -> tuple[str, ...]:
    """Return the models' names, or letters if names are missing or equal.

    Examples
    --------
    >>> model = ClassPredictions([[0.5, 0.5]])
    >>> model_names([model]), model_names([model, model])
    (('the model',), ('model A', 'model B'))
    """
    names = tuple(model.name or "" for model in models)
    if len(set(names)) == len(names) and all(names):
        return names
    if len(names) == 1:
        return (f"the {models[0].role}",)
    return tuple(f"model {chr(ord('A') + n) if n < 26 else n + 1}" for n in range(len(names)))
