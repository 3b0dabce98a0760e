"""Comparisons of models without probabilities: what guides draws, and at which cost."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from activeeval_widgets.stats import ScoredClasses
from activeeval_widgets.stats.predictions.names import model_names
from activeeval_widgets.stats.text import joined_by_and, percent

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


_COST = "It may take more labels than with {what}; the guarantee is the same."
_UNEQUAL, _FAR_APART = "active\N{NOT EQUAL TO}", "active\N{INFINITY}"


def guidance(session: "Findings") -> list[str]:
    """Return sentences about draws if a compared model has no probabilities or variances."""
    models, share = session.models, session.draws.defensive
    is_given = session.draws.is_replaced and share is None
    if not session.question.pairs or is_given or not all(model.is_model for model in models):
        return []
    names = model_names(models)
    unsure = [n for n, model in enumerate(models) if not model.promises]
    if not unsure:
        return []
    if models[0].kind != "class":
        how = (
            f"draws are in proportion to how far the predictions are apart ({_FAR_APART})"
            if session.draws.is_replaced
            else "the labels teach them, and draws go to where the predictions are far apart"
        )
        return [_sentence([names[n] for n in unsure], "No variances", how), _COST.format(what="variances")]
    if session.draws.is_by_disagreement:
        how = f"draws are uniform where the predictions differ ({_UNEQUAL})"
        if share:
            how += f", and {percent(share)} of them everywhere"
        found = [_sentence([names[n] for n in unsure], "No probabilities", how)]
    else:
        scored = [names[n] for n in unsure if isinstance(models[n], ScoredClasses)]
        alone = [names[n] for n in unsure if not isinstance(models[n], ScoredClasses)]
        found = []
        if scored:
            how = "draws go by them, corrected by the labels"
            found.append(_sentence(scored, "Decision scores, no probabilities,", how))
        if alone:
            how = f"draws go to where the predictions differ ({_UNEQUAL}), as the labels correct it"
            found.append(_sentence(alone, "Predicted classes alone", how))
    return [*found, _COST.format(what="probabilities")]


def _sentence(names: Sequence[str], what: str, how: str) -> str:
    return f"{what} of {joined_by_and(names)}: {how}."
