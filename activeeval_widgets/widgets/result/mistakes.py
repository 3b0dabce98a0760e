"""The instances on which the models were wrong, the most informative ones first, for the page to show."""

from collections.abc import Callable
from typing import Any

import numpy as np

from activeeval_widgets.session import Session
from activeeval_widgets.session.findings.judge import judge_paragraphs
from activeeval_widgets.session.findings.models import is_wrong_by, subject_of
from activeeval_widgets.session.findings.pairs import best_two
from activeeval_widgets.session.report.model_pairs import differing_paragraphs
from activeeval_widgets.stats import Predictions
from activeeval_widgets.stats._typing import BoolArray, IntArray
from activeeval_widgets.stats.predictions.base import Certainty
from activeeval_widgets.stats.text import percent
from activeeval_widgets.widgets.instances.instance_renderer import InstanceRenderer
from activeeval_widgets.widgets.wording.models import are_apart

MAX_SHOWN = 24
"""The largest number that is sent."""

_MAX_CHARACTERS = 160


def mistakes_content(
    session: Session, view: InstanceRenderer, label_text: Callable[[Any], str]
) -> tuple[dict[str, Any], list[bytes]]:
    """Return the mistakes with the most confident predictions, or the largest ones, first."""
    heading, order, hint = _mistakes(session)
    thumbnails: list[bytes] = []
    rows = []
    for index, truth, predicted, confidence in order[:MAX_SHOWN]:
        row: dict[str, Any] = {
            "index": index,
            "id": session.pool.ids[index],
            "truth": label_text(session.log.label_of(index)) if truth is None else truth,
            "predicted": predicted,
            "confidence": confidence,
        }
        image = view.thumbnail(index)
        if image is None:
            words = view.words(index)
            row["content"] = words if len(words) <= _MAX_CHARACTERS else f"{words[:_MAX_CHARACTERS]}…"
        else:
            row |= {"thumbnail": len(thumbnails), "mime": image.mime, "is_pixelated": image.pixelated}
            thumbnails.append(image.content)
        rows.append(row)
    shown = f"the first {MAX_SHOWN} · " if len(order) > MAX_SHOWN else ""
    is_compared = session.question.pairs and session.n_labels > 0 and not session.measure.is_of_systems
    about = differing_paragraphs(session.findings) or judge_paragraphs(session.findings)[:1]
    content = {
        "heading": heading,
        "about": about,
        "pair": list(best_two(session.findings)) if is_compared else None,
        "hint": shown + hint,
        "rows": rows,
    }
    return content, thumbnails


_Mistake = tuple[int, str | None, str, str]
"""The instance; its label in words, or None for the stored one; the prediction; and the confidence."""


_LARGEST = {
    "ranking": ("The poorest rankings", "Where the rankings differ most"),
    "value": ("Where the model was furthest off", "Where the models differ most"),
}
"""Headings by the kind of predictions, for one model and for two."""


def _mistakes(session: Session) -> tuple[str, list[_Mistake], str]:
    look = "click one to check or change its label"
    is_compared = bool(session.question.pairs)
    if not session.question.has_model or session.measure.is_of_systems:
        return "", [], ""
    indices, y_true = _labeled(session)
    is_wrong = [is_wrong_by(session.measure, model, indices, y_true) for model in session.models]
    if is_wrong[0] is not None:
        found = _surest(session, indices, np.array(is_wrong))
        n = f"{len(found):,} of {session.n_labels:,}"
        what = f"Where {subject_of(session.models)} was wrong"
        if is_compared:
            what = "Where the models differed"
            if session.question.quantity.sides:
                what = "Where only one model was right"
        is_ordered = any(confidence for _, _, _, confidence in found)
        return f"{what}: {n}", found, f"surest first · {look}" if is_ordered else look
    what = _LARGEST.get(session.models[0].kind, _LARGEST["value"])[is_compared]
    what = what.replace("the model was", f"{subject_of(session.models)} was")
    return what, _largest(session, indices, y_true) if _has_losses(session) else [], look


def _has_losses(session: Session) -> bool:
    """Return whether each label contributes a loss or gain of the model to the measure."""
    return session.measure.is_risk and session.measure.needs_model


def _surest(session: Session, indices: IntArray, is_wrong: BoolArray) -> list[_Mistake]:
    """Return where the model, or some of several, was wrong, by the confidence of the first wrong one."""
    names = session.question.names
    at = np.flatnonzero(is_wrong[0] if len(names) == 1 else are_apart(is_wrong))
    which = np.argmax(is_wrong[:, at], axis=0)  # the first model that is wrong
    certainties = [_certainty(model, indices[at]) for model in session.models]
    is_known = all(c is not None and c.is_share for c in certainties)
    sure = np.ones((len(names), at.size))
    if is_known:
        sure = np.array([c.values for c in certainties if c is not None])
    confidence = sure[which, np.arange(at.size)]
    found: list[_Mistake] = []
    for i in np.argsort(-confidence, kind="stable").tolist():
        index, model = int(indices[at[i]]), int(which[i])
        predicted = session.models[model].describe(index).text
        by = f" by {names[model]}" if len(names) > 1 else ""
        found.append((index, None, f"{predicted}{by}", percent(confidence[i], 0) if is_known else ""))
    return found


def _certainty(model: Predictions, instances: IntArray) -> Certainty | None:
    """Return a model's certainty on some instances, computed from these only."""
    if model.shares_rows:
        return model.part(instances).certainty
    found = model.certainty
    return None if found is None else Certainty(found.values[instances], found.label, found.is_share)


def _largest(session: Session, indices: IntArray, y_true: Any) -> list[_Mistake]:
    """Order instances by their loss; for two models, by the difference of their losses."""
    if not indices.size:
        return []
    measure = session.measure
    each = [measure.statistics(model, y_true, indices)[:, 0] for model in session.models]
    is_compared = len(each) > 1
    sign = -1 if measure.greater_is_better else 1
    size = np.ptp(each, axis=0) if is_compared else sign * each[0]
    order = np.argsort(-size, kind="stable")
    if is_compared:
        order = order[size[order] > 0]
    found: list[_Mistake] = []
    for at in order[: None if is_compared else MAX_SHOWN].tolist():
        index = int(indices[at])
        predicted = " and ".join(filter(None, (model.describe(index).text for model in session.models)))
        if predicted:
            found.append((index, None, predicted, ""))
        else:  # labels such as grades need more than a few words: show the loss or gain
            values = " and ".join(f"{values[at]:.2f}" for values in each)
            found.append((index, "", f"{measure.name} {values}", ""))
    return found


def _labeled(session: Session) -> tuple[Any, Any]:
    """Return the distinct labeled instances in draw order, and their labels."""
    draws, _ = session.draws.labeled()
    order, first = np.unique(draws, return_index=True)
    indices = order[np.argsort(first)]
    values = [session.log.label_of(index) for index in indices.tolist()]
    return indices, session.labels.decode(values, indices.tolist())
