"""Compute the numbers that a session's file states, all of which follow from its log."""

from dataclasses import fields
from math import inf, isfinite
from typing import Any

import numpy as np

from activeeval_widgets.session.draws.weighted_labels import weighted_labels
from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.stats import Estimate


def summary_of(session: Findings) -> dict[str, Any]:
    """Return a session's results as JSON values: undefined numbers as None, infinite ones in words."""
    found = {
        "n_labels": session.n_labels,
        "n_draws": session.n_draws,
        "n_excluded": session.log.n_excluded,
        "n_deferred": session.log.n_deferred,
        "estimate": estimate_to_dict(session.estimate()),
    }
    if "wald" in session.intervals():
        found["wald"] = estimate_to_dict(session.estimate(interval="wald"))
    return found


def estimate_to_dict(estimate: Estimate) -> dict[str, Any]:
    """Return an estimate as JSON values."""
    # Fields that are not compared repeat what a session's file has elsewhere.
    return {field.name: _plain(getattr(estimate, field.name)) for field in fields(estimate) if field.compare}


def labels_of_session(session: Findings) -> list[dict[str, Any]]:
    """Return the labels in draw order, with their weights: one entry per instance."""
    given = session.log.state.answers
    return [
        {
            "id": session.pool.ids[index],
            "instance": index,
            "label": session.log.label_of(index),
            "draw": given[index].draw,
            "q": given[index].q,
            "weight": weight,
            "n_draws": n,
        }
        for index, weight, n in weighted_labels(session.draws)
    ]


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not isfinite(value):
        return None if value != value else "infinite" if value == inf else "-infinite"
    return value
