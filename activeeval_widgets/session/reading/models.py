"""The models of a session: their names, and what the same labels say of some of them alone."""

from collections.abc import Sequence
from typing import Any

from activeeval_widgets.stats import Predictions


def model_names(models: Sequence[Predictions]) -> tuple[str, ...]:
    """The models' names; letters where they have none, or the same.

    Parameters
    ----------
    models : sequence of Predictions

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions
    >>> model = ClassPredictions([[0.5, 0.5]])
    >>> model_names([model]), model_names([model, model])
    (('the model',), ('model A', 'model B'))
    """
    names = tuple(model.name or "" for model in models)
    if len(set(names)) == len(names) and all(names):
        return names
    if len(names) == 1:
        return ("the model",)
    return tuple(f"model {chr(ord('A') + n) if n < 26 else n + 1}" for n in range(len(names)))


def positions_of(models: Sequence[Predictions], asked: Sequence[Any]) -> tuple[int, ...]:
    """The positions of one model, or of two, that are asked for by name or position.

    Raises
    ------
    TypeError, ValueError
        If there is no such model, or there are not one or two of them, different ones.
    """
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
