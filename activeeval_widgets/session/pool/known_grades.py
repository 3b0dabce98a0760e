"""Grades that were known before a session, by query and item."""

from collections.abc import Mapping, Sequence
from typing import Any

from activeeval_widgets.stats import Predictions
from activeeval_widgets.stats._validation import is_number


def check_judged(
    judged: Any, ids: Sequence[str], models: Sequence[Predictions]
) -> dict[int, dict[str, float | None]]:
    """Return earlier grades by the queries' indices and the items' strings."""
    if not judged:
        return {}
    if models[0].label_kind != "grades":
        raise ValueError("judged is for rankings, whose items get grades: leave it out")
    if not isinstance(judged, Mapping):
        raise TypeError(f"judged must map queries to grades by item, got {judged!r:.80}")
    known = [float(grade) for grade in models[0].label_values if grade is not None]  # type: ignore[union-attr]
    given = {str(query): grades for query, grades in judged.items()}
    found: dict[int, dict[str, float | None]] = {}
    for index, name in enumerate(ids):
        grades = given.get(name)
        if not grades:
            continue
        if not isinstance(grades, Mapping):
            raise TypeError(f"judged[{name!r}] must map items to grades, got {grades!r:.80}")
        for item, grade in grades.items():
            if grade is not None and not (is_number(grade) and float(grade) in known):
                listed = ", ".join(f"{each:g}" for each in known)
                raise ValueError(
                    f"judged[{name!r}][{item!r}] is {grade!r}, expected one of the grades {listed}, or None"
                )
        found[index] = {str(item): None if grade is None else float(grade) for item, grade in grades.items()}
    return found
