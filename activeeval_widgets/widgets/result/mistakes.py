"""Where the models were wrong: the labeled instances that tell most against them, for the page to show."""

from collections.abc import Callable
from typing import Any

import numpy as np

from activeeval_widgets.session import Session
from activeeval_widgets.stats import ClassPredictions, RankingPredictions, ValuePredictions
from activeeval_widgets.widgets.instances.instance_view import InstanceView
from activeeval_widgets.widgets.wording.models import model_names

MOST_SHOWN = 24
"""No more than this many are sent."""

_MOST_CHARACTERS = 160


def mistakes_content(
    session: Session, view: InstanceView, label_text: Callable[[Any], str]
) -> tuple[dict[str, Any], list[bytes]]:
    """The mistakes, those first of which the model was surest, or that are largest.

    Parameters
    ----------
    session : Session
        Whose labels.
    view : InstanceView
        Says what instances look like.
    label_text : callable
        What a stored label is in words.

    Returns
    -------
    content : dict
        "heading", "hint", and "rows": what each instance says or which of the thumbnails it is, and what was
        said of it.
    thumbnails : list of bytes
    """
    heading, order, hint = _mistakes(session)
    thumbnails: list[bytes] = []
    rows = []
    for index, truth, said, sureness in order[:MOST_SHOWN]:
        row: dict[str, Any] = {
            "index": index,
            "id": session.pool.ids[index],
            "truth": label_text(session.label_of(index)) if truth is None else truth,
            "said": said,
            "sureness": sureness,
        }
        image = view.thumbnail(index)
        if image is None:
            words = view.words(index)
            row["content"] = words if len(words) <= _MOST_CHARACTERS else f"{words[:_MOST_CHARACTERS]}…"
        else:
            row |= {"thumbnail": len(thumbnails), "mime": image.mime, "is_pixelated": image.pixelated}
            thumbnails.append(image.content)
        rows.append(row)
    shown = f" · the first {MOST_SHOWN} of {len(order):,}" if len(order) > MOST_SHOWN else ""
    return {"heading": heading, "hint": hint + shown, "rows": rows}, thumbnails


_Mistake = tuple[int, str | None, str, str]
"""The instance; its label in words, None for as it is; what was said of it; and how sure."""


def _mistakes(session: Session) -> tuple[str, list[_Mistake], str]:
    model = session.models[0]
    look = "click to look again or change the label"
    if isinstance(model, ClassPredictions):
        n = f"of {session.n_labels:,}"
        if len(session.models) == 2:
            found = _only_one_right(session)
            return f"Where only one model was right: {len(found):,} {n}", found, f"surest first · {look}"
        wrong = _wrong(session)
        return f"Where the model was wrong: {len(wrong):,} {n}", wrong, f"surest first · {look}"
    what = "Where the models differ most" if len(session.models) == 2 else "Where the model was furthest off"
    if isinstance(model, RankingPredictions):
        what = "Where the rankings differ most" if len(session.models) == 2 else "The poorest rankings"
    if not session.measure.is_risk:
        return what, [], look
    return what, _largest(session), look


def _wrong(session: Session) -> list[_Mistake]:
    [model] = session.models
    assert isinstance(model, ClassPredictions)  # noqa: S101 - for the type checker
    indices, y_true = _labeled(session)
    wrong = indices[model.pred_codes[indices] != model.encode(y_true)]
    surest = wrong[np.argsort(-model.confidence[wrong], kind="stable")]
    return [(i, None, str(model.y_pred[i]), _percent(model.confidence[i])) for i in surest.tolist()]


def _only_one_right(session: Session) -> list[_Mistake]:
    names = model_names(session)
    models = [model for model in session.models if isinstance(model, ClassPredictions)]
    indices, y_true = _labeled(session)
    is_right = np.array([model.pred_codes[indices] == model.encode(y_true) for model in models])
    differs = is_right[0] != is_right[1]
    wrong_one = np.where(is_right[0], 1, 0)
    confidence = np.array([model.confidence[indices] for model in models])[wrong_one, np.arange(indices.size)]
    order = np.flatnonzero(differs)
    order = order[np.argsort(-confidence[order], kind="stable")]
    found: list[_Mistake] = []
    for at in order.tolist():
        index, wrong = int(indices[at]), int(wrong_one[at])
        said = f"{models[wrong].y_pred[index]} by {names[wrong]}"
        found.append((index, None, said, _percent(confidence[at])))
    return found


def _largest(session: Session) -> list[_Mistake]:
    """By what each adds to the measure: of two models, by how much they differ in it."""
    measure = session.measure
    indices, y_true = _labeled(session)
    if not indices.size:
        return []
    each = [measure.statistics(model, y_true, indices)[:, 0] for model in session.models]
    sign = -1 if measure.greater_is_better else 1
    size = np.abs(each[0] - each[1]) if len(each) == 2 else sign * each[0]
    order = np.argsort(-size, kind="stable")
    values = [f"{value:.2f}" for value in each[0]]
    if len(each) == 2:
        values = [f"{first:.2f} and {second:.2f}" for first, second in zip(*each, strict=True)]
    found: list[_Mistake] = []
    for at in order.tolist():
        index = int(indices[at])
        if isinstance(session.models[0], ValuePredictions):
            said = " and ".join(
                f"{model.mean[index]:.2f}" for model in session.models if isinstance(model, ValuePredictions)
            )
            found.append((index, None, said.replace("-", "\N{MINUS SIGN}"), ""))
        else:
            found.append((index, "", f"{measure.name} {values[at]}", ""))
    return (
        found[:MOST_SHOWN]
        if len(each) == 1
        else [m for m, s in zip(found, size[order], strict=True) if s > 0]
    )


def _labeled(session: Session) -> tuple[Any, Any]:
    """The labeled instances, each once, in draw order, and their labels."""
    draws, _ = session.labeled_draws()
    order, first = np.unique(draws, return_index=True)
    indices = order[np.argsort(first)]
    values = [session.label_of(index) for index in indices.tolist()]
    return indices, session.labels.decode(values, indices.tolist())


def _percent(share: float) -> str:
    return f"{100 * share:.0f}\N{NO-BREAK SPACE}%"
