"""Read several models from one file; the ends of the columns' names distinguish them."""

from collections.abc import Sequence

from activeeval_widgets.formats.class_columns import distinct_values
from activeeval_widgets.formats.columns import MARKS, PREDICTIONS, Columns, columns_of_model
from activeeval_widgets.formats.guessed_columns import guess_predictions
from activeeval_widgets.formats.predictions import predictions_of
from activeeval_widgets.formats.problems import closest
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.stats import ClassPredictions, PredictedClasses, Predictions


def compared_predictions(
    table: FileTable, columns: Columns, models: Sequence[str]
) -> tuple[list[Predictions] | None, list[str]]:
    """Return the predictions of several models, None if there are problems, and notes on guessed columns."""
    made: list[Predictions] = []
    notes: list[str] = []
    given = columns.only((*PREDICTIONS, "classes"))
    if table.log is not None:
        return _compared_scorers(table, given, models), notes
    of_models = [columns_of_model(table.names, model) for model in models]
    if given.classes is None and all(set(own) == {"predicted"} for own in of_models):
        # A class may be one that some model never predicts.
        found = {value for own in of_models for value in distinct_values(table, own["predicted"])}
        given = given.with_(classes=tuple(sorted(found)))
    for model, own in zip(models, of_models, strict=True):
        if not own:
            table.report(
                f"no column is named {model!r}, nor begins or ends with it, as compare asks for",
                closest(model, table.names),
            )
            continue
        part = table.selected(own)
        of_model, guessed = guess_predictions(part, given)
        name = model.strip(MARKS)
        notes += [f"{name}: {each}" for each in guessed]
        predictions = predictions_of(part, of_model, name)
        if predictions is not None:
            made.append(predictions)
    if table.problems:
        return None, notes
    return _of_same_classes(table, made), notes


def _compared_scorers(table: FileTable, given: Columns, names: Sequence[str]) -> list[Predictions] | None:
    """Return the verdicts of a log's scorers, or numbers or probabilities if all scorers give these."""
    scorers = {} if table.log is None else table.log.scorers
    for name in names:
        if name not in scorers:
            table.report(
                f"no scorer is called {name!r}, as compare asks for",
                f"{closest(name, list(scorers))} Or give one other log: --compare with its file.",
            )
            return None
    columns = [scorers[name].roles for name in names]
    if len({frozenset(each.named_options()) for each in columns}) > 1:
        columns = [each if each.predicted is None else each.with_(score=None) for each in columns]
    table.note(f"Each scorer is compared as a model is: {', '.join(names)}.")
    made = [
        predictions_of(table, each.with_(classes=given.classes or each.classes), name)
        for name, each in zip(names, columns, strict=True)
    ]
    found = [each for each in made if each is not None]
    return _of_same_classes(table, found) if len(found) == len(names) else None


def _of_same_classes(table: FileTable, made: list[Predictions]) -> list[Predictions] | None:
    """Bring all models' classes into the order of the first model's."""
    first = made[0]
    if any(type(other) is not type(first) for other in made):
        table.report(
            f"the {'two ' if len(made) == 2 else ''}models do not give the same: "
            "one has probabilities or numbers, the other has not",
            "Give the same columns of all.",
        )
        return None
    if not isinstance(first, ClassPredictions):
        return made
    ours = first.classes.tolist()
    found: list[Predictions] = [first]
    for other in made[1:]:
        assert isinstance(other, ClassPredictions)  # noqa: S101 - all are of one type
        theirs = other.classes.tolist()
        if sorted(ours) != sorted(theirs):
            table.report(
                f"one model predicts the classes {', '.join(ours)}, the other {', '.join(theirs)}",
                "Name the columns alike, or name the classes with classes (--classes).",
            )
            return None
        order = [theirs.index(each) for each in ours]
        if order == list(range(len(order))):
            found.append(other)
        elif isinstance(other, PredictedClasses):
            found.append(PredictedClasses(other.y_pred, first.classes, other.name))
        else:
            found.append(ClassPredictions(other.y_proba[:, order], first.classes, other.y_pred, other.name))
    return found
