"""Several models: the measure of each, and which may be the best."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from activeeval_widgets.session.findings.interval_table import Scale, hold_at_once
from activeeval_widgets.session.findings.leaderboard import Leaderboard, Placed, better_of, side_of
from activeeval_widgets.session.findings.pairs import check_pair
from activeeval_widgets.session.findings.plot_axes import MAX_MODELS, model_kinds
from activeeval_widgets.session.findings.sentences import capitalized
from activeeval_widgets.session.findings.shown import Shown
from activeeval_widgets.stats import Estimate, Measure
from activeeval_widgets.stats.quantities import Differences, Quantity
from activeeval_widgets.stats.questions.best_of import BestOf

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


def _is_there(session: "Findings") -> bool:
    return isinstance(session.question, BestOf)


def _content(session: "Findings", options: Mapping[str, Any]) -> dict[str, Any]:
    pair = pair_content(session, options.get("pair"))
    return {**models_content(session.leaderboard(), session.measure), "pair": pair}


def pair_content(session: "Findings", chosen: Any) -> dict[str, Any]:
    """Return two of the models with their difference, which is computed once they are chosen."""
    names = list(session.question.names)
    if chosen is None:
        return {"names": names, "chosen": None, "difference": None}
    pair = check_pair(chosen, names)
    found = session.pair_estimate(*pair)
    two = (names[pair[0]], names[pair[1]])
    scale = Scale([found] if found.n_labels else [], Differences(session.measure))
    has_interval = found.n_labels > 0 and found.is_defined
    row = scale.row(
        "first \N{MINUS SIGN} second",
        found,
        note=_better(found, two, session.measure) if has_interval else "",
        interval=scale.interval(found) if has_interval else "no labels yet",
        has_interval=has_interval,
    )
    summary = hold_at_once(
        found.confidence_level,
        is_approximate=found.is_asymptotic,
        what=f"all {len(session.question.pairs)} pairs",
    )
    return {
        "names": names,
        "chosen": list(pair),
        "difference": {
            "summary": summary,
            "columns": ["Pair", "Better", "Difference"],
            "rows": [row],
            "whole": None,
            "zero": scale.at(0.0) if has_interval else None,
            "scale": scale.content(shows_ends=has_interval),
        },
    }


def _better(found: Estimate, names: tuple[str, str], measure: Measure) -> str:
    """Return which of two models is better by the interval of their difference."""
    better = None if found.withheld else better_of(side_of(found.low, found.high), measure)
    if better is None:
        return "as good" if found.low == found.high == 0 else "not known"
    return names[better]


def models_content(board: Leaderboard, measure: Measure) -> dict[str, Any]:
    """Return what the page shows of the models."""
    found = [each.estimate for each in board.models]
    has_labels = any(each.n_labels for each in found)
    scale = Scale(found if has_labels else [], Quantity(measure))
    rows = [
        scale.row(
            each.name,
            each.estimate,
            note=_standing(board, each) if has_labels else "",
            interval="; ".join(filter(None, [scale.interval(each.estimate), each.verdict]))
            if has_labels
            else "no labels yet",
            has_interval=has_labels,
            is_out=not each.may_be_best,
        )
        for each in board.models
    ]
    is_approximate = any(each.is_asymptotic for each in found)
    at_once = hold_at_once(board.confidence_level, is_approximate=is_approximate)
    leader = board.leader.estimate
    kinds = model_kinds([each.position for each in board.models[:MAX_MODELS]])
    for row, each in zip(rows, board.models, strict=True):
        if each.position in kinds:
            row["color"] = kinds[each.position]
    return {
        "summary": f"{at_once} {board.pairwise_note}".strip() if has_labels else "",
        "columns": ["Model", "Standing", capitalized(measure.name)],
        "rows": rows,
        "whole": scale.at(leader.value) if has_labels else None,
        "scale": scale.content(shows_ends=has_labels),
    }


def _standing(board: Leaderboard, model: Placed) -> str:
    """Return a model's status in a word or two."""
    if model.name == board.best:
        return "best"
    return "may be best" if model.may_be_best else "out"


SHOWN = Shown(
    name="models", title="Models", kind="models", is_there=_is_there, content=_content, comes_first=True
)
