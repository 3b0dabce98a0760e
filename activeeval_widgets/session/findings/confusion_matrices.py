"""The confusion matrices of two models, side by side: of more models, of the chosen or the best two."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtri

from activeeval_widgets.session.findings.confusion_matrix import MAX_CLASSES
from activeeval_widgets.session.findings.fixed_n import draws_everywhere, is_known
from activeeval_widgets.session.findings.pairs import chosen_pair
from activeeval_widgets.session.findings.shown import Shown
from activeeval_widgets.stats import ConfusionPair
from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.intervals import normal_quantile
from activeeval_widgets.stats.questions.question import Comparison
from activeeval_widgets.stats.text import percent, with_minus

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings

_LISTED = 6

_MAX_WIDE = 6
"""With more classes, larger numbers lose their decimals so that two matrices fit side by side."""

_MIN_SEEN = 5
"""The least number of labels in a cell of both models together for it to be marked; fewer give no error."""

_MIN_SHOWN = 0.0005
"""The smallest expected share of a cell without labels that is shown."""


def _is_there(session: "Findings") -> bool:
    has_classes = session.models[0].is_model and session.labels.kind == "class"
    is_compared = isinstance(session.question, Comparison) and not session.measure.is_of_systems
    return is_compared and has_classes and draws_everywhere(session)


def _content(session: "Findings", options: Mapping[str, Any]) -> dict[str, Any]:
    pair = chosen_pair(session, options)
    first, second = (session.question.names[position] for position in pair)
    return matrices_content(
        session.of(*pair).confusions(),
        (first, second),
        is_exact=is_known(session),
        level=session.confidence_level,
    )


def matrices_content(
    found: ConfusionPair, names: tuple[str, str], *, is_exact: bool = False, level: float = 0.95
) -> dict[str, Any]:
    """Return what the page shows of two confusion matrices."""
    content: dict[str, Any] = {
        "heading": "Confusion matrices, in percent of all instances",
        "summary": "No labels yet.",
        "classes": [],
        "matrices": [],
        "columns": ["True", "Predicted", *names, "Difference"],
        "rows": [],
    }
    differences, errors = found.differences, found.errors_of_difference
    if not np.isfinite(differences).all():
        return content
    seen = found.first.n_seen + found.second.n_seen
    is_apart = _significant_cells(differences, errors, seen, level, is_exact=is_exact)
    classes = [str(label) for label in found.classes.tolist()]
    is_small = len(classes) <= MAX_CLASSES
    quantile = normal_quantile(level)
    how = (
        "Exact: all that can be labeled has a label."
        if is_exact
        else "Estimated shares of all instances, from the same labels. ± is valid for a number of labels "
        "fixed in advance."
    )
    marks = " ▲ is more and ▼ less than for the other model"
    beyond = "." if is_exact else f", beyond chance ({percent(level)} for all cells at once)."
    return content | {
        "summary": how + (marks + beyond if is_apart.any() else ""),
        "classes": classes if is_small else [],
        "matrices": [
            {"name": name, "cells": _cells(found, classes, names, which, is_apart, quantile)}
            for which, name in enumerate(names)
        ]
        if is_small
        else [],
        "rows": _largest(found, classes, quantile),
    }


def _significant_cells(
    differences: FloatArray, errors: FloatArray, seen: IntArray, level: float, *, is_exact: bool
) -> Any:
    """Return where cells differ significantly."""
    if is_exact:
        return np.abs(differences) > 1e-12
    bound = ndtri(1 - (1 - level) / 2 / differences.size)  # Bonferroni, for all cells jointly
    return (np.abs(differences) > bound * errors) & (seen >= _MIN_SEEN)


def _cells(
    found: ConfusionPair,
    classes: list[str],
    names: tuple[str, str],
    which: int,
    is_apart: Any,
    quantile: float,
) -> list[list[dict[str, Any]]]:
    """Return a row for each true class; the estimates have these in columns."""
    matrix = (found.first, found.second)[which]
    sign = 1 - 2 * which
    rows = []
    for j, true in enumerate(classes):
        row = []
        for i, predicted in enumerate(classes):
            share, n = float(matrix.shares[i, j]), int(matrix.n_seen[i, j])
            difference = float(found.differences[i, j])
            mark = "" if not is_apart[i, j] else "more" if sign * difference > 0 else "less"
            between = _difference(difference, quantile * float(found.errors_of_difference[i, j]))
            own = quantile * float(matrix.standard_errors[i, j])
            title = (
                f"True {true}, predicted {predicted}. {names[which]}: {percent(max(share, 0.0), 1)} "
                f"± {100 * own:.1f}, {n:,} labels. {names[0]} minus {names[1]}: {between} points"
            )
            text = _cell_text(share, len(classes)) if n or share >= _MIN_SHOWN else ""
            row.append({"text": text, "title": title, "share": round(max(share, 0.0), 4), "mark": mark})
        rows.append(row)
    return rows


def _cell_text(share: float, n_classes: int) -> str:
    percent = 100 * max(share, 0.0)
    return f"{percent:.0f}" if n_classes > _MAX_WIDE and percent >= 9.95 else f"{percent:.1f}"


def _largest(found: ConfusionPair, classes: list[str], quantile: float) -> list[list[str]]:
    """Return the cells with the largest differences."""
    order = np.argsort(-np.abs(found.differences), axis=None, kind="stable")[:_LISTED]
    return [
        [
            classes[j],
            classes[i],
            percent(max(float(found.first.shares[i, j]), 0.0), 1),
            percent(max(float(found.second.shares[i, j]), 0.0), 1),
            _difference(float(found.differences[i, j]), quantile * float(found.errors_of_difference[i, j])),
        ]
        for i, j in zip(
            *(at.tolist() for at in np.unravel_index(order, found.differences.shape)), strict=True
        )
        if abs(found.differences[i, j]) >= _MIN_SHOWN
    ]


def _difference(value: float, half_width: float) -> str:
    text = with_minus(f"{100 * value:+.1f}")
    return f"{text} ± {100 * half_width:.1f}" if half_width > 0 else text


SHOWN = Shown(
    name="matrices",
    title="Confusion matrices side by side",
    kind="matrices",
    is_there=_is_there,
    content=_content,
    is_hidden_at_first=True,
)
