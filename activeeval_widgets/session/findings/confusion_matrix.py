"""The confusion matrix, estimated for the whole pool."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from activeeval_widgets.session.findings.fixed_n import draws_everywhere, is_known
from activeeval_widgets.session.findings.models import is_scorer, subject_of
from activeeval_widgets.session.findings.shown import Shown
from activeeval_widgets.stats import ConfusionEstimate
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.intervals import normal_quantile
from activeeval_widgets.stats.predictions.names import model_names
from activeeval_widgets.stats.text import percent

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings

MAX_CLASSES = 12
"""With more classes, the most frequent confusions are listed and no table is shown."""

_LISTED = 6

_MIN_SHOWN = 0.0005
"""Cells without labels are shown if their expected share is at least this, since they affect the estimate."""

_EXACT = "Exact: all that can be labeled has a label."


def has_confusion(session: "Findings") -> bool:
    """Return whether a single confusion matrix can be estimated."""
    question = session.question
    is_one = question.has_model and not question.pairs and session.labels.kind == "class"
    return is_one and draws_everywhere(session) and not session.log.state.went_on


def confusion_content(
    estimated: ConfusionEstimate, *, is_exact: bool = False, judge: str = "", level: float = 0.95
) -> dict[str, Any]:
    """Return what the page shows of the confusion matrix."""
    classes = [str(label) for label in estimated.classes.tolist()]
    names = {"rows": "True label", "columns": "Predicted by the model"}
    if judge:
        names = {"rows": "Label", "columns": f"Verdict of {judge}"}
    if not np.isfinite(estimated.shares).all():
        return {"summary": "No labels yet.", **names, "classes": [], "cells": [], "confusions": []}
    is_small = len(classes) <= MAX_CLASSES
    half_widths = normal_quantile(level) * estimated.standard_errors
    return {
        "summary": _EXACT
        if is_exact
        else "Estimated shares of all instances. ± is valid for a number of labels fixed in advance.",
        **names,
        "classes": classes if is_small else [],
        "cells": _cells(estimated, half_widths, classes, is_judge=bool(judge)) if is_small else [],
        "confusions": _confusions(estimated, half_widths, classes),
    }


def _cells(
    estimated: ConfusionEstimate, half_widths: FloatArray, classes: list[str], *, is_judge: bool
) -> list[list[dict[str, Any]]]:
    """Return a row for each true class; the estimate has these in columns."""
    row, column = ("Label", "verdict") if is_judge else ("True", "predicted")
    return [
        [
            {
                "text": f"{100 * share:.1f}" if seen or share >= _MIN_SHOWN else "",
                "title": f"{row} {true}, {column} {predicted}: {_with_half_width(share, half_width, seen)}",
                "share": round(share, 4),
            }
            for predicted, share, half_width, seen in zip(classes, *rows, strict=True)
        ]
        for true, *rows in zip(
            classes,
            np.maximum(estimated.shares, 0).T.tolist(),
            half_widths.T.tolist(),
            estimated.n_seen.T.tolist(),
            strict=True,
        )
    ]


def _confusions(estimated: ConfusionEstimate, half_widths: FloatArray, classes: list[str]) -> list[list[str]]:
    """Return the largest cells off the diagonal: true, predicted, share with ±, number of labels."""
    shares = estimated.shares.copy()
    np.fill_diagonal(shares, 0)
    largest = np.argsort(-shares, axis=None, kind="stable")[:_LISTED]
    return [
        [
            classes[j],
            classes[i],
            _share(shares[i, j], half_widths[i, j]),
            f"{estimated.n_seen[i, j]:,}",
        ]
        for i, j in zip(*(at.tolist() for at in np.unravel_index(largest, shares.shape)), strict=True)
        if shares[i, j] > 0
    ]


def _with_half_width(share: float, half_width: float, seen: int) -> str:
    if not seen:
        return f"not seen yet, {percent(share, 1)} expected" if share >= _MIN_SHOWN else "not seen yet"
    return (
        f"{_share(share, half_width)}, seen {seen} times" if seen > 1 else f"{percent(share, 1)}, seen once"
    )


def _share(share: float, half_width: float) -> str:
    return f"{percent(share, 1)} ± {percent(half_width, 1)}" if half_width > 0 else percent(share, 1)


def _content(session: "Findings", options: Mapping[str, Any]) -> dict[str, Any]:
    del options
    models = session.models
    is_verdict = is_scorer(models) or not models[0].assists
    judge = model_names(models)[0] if is_scorer(models) else subject_of(models)
    return confusion_content(
        session.confusion(),
        is_exact=is_known(session),
        judge=judge if is_verdict else "",
        level=session.confidence_level,
    )


SHOWN = Shown(
    name="confusion",
    title="Confusion matrix",
    kind="matrix",
    is_there=has_confusion,
    content=_content,
    is_hidden_at_first=True,
)
