"""Make models of two systems with answers side by side, where a label says which of them pass."""

from typing import Any

from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.stats import ClassPredictions, side_by_side
from activeeval_widgets.stats.predictions.side_by_side import in_order

BOTH = ("both", "neither")


def are_systems(columns: Columns) -> bool:
    """Return whether the classes are two labels, "both" and "neither"."""
    classes = columns.classes or ()
    return set(BOTH) <= set(classes) and len(set(classes)) == len(BOTH) + 2


def systems_of(table: FileTable, columns: Columns, judged: ClassPredictions | None) -> dict[str, Any] | None:
    """Return two systems, predicted by judges' votes if there are any; None if a judge is given, too."""
    if columns.predicted is not None:
        table.report(
            f"predicted names {columns.predicted!r}, but here two systems are evaluated, and no judge",
            "Leave it out; votes (--votes) names the judges.",
        )
        return None
    own = [each for each in columns.classes or () if each not in BOTH]
    classes = [*(in_order(own) or own), *BOTH]
    shown = next((each for each in (columns.answer, columns.pair, columns.conversation) if each), ())
    names = table.systems or (tuple(shown) if len(shown) == 2 else tuple(classes[:2]))
    made = side_by_side(names, n_instances=table.n_rows, classes=classes)
    if judged is None:
        return made
    order = [judged.classes.tolist().index(each) for each in classes]
    for name, system in made.items():
        given = ClassPredictions(judged.y_proba[:, order], classes, system.y_pred, name)
        given.assists = judged.assists
        made[name] = given
    return made
