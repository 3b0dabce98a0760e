"""Chooses the protocol and makes the draws of a session."""

from collections.abc import Mapping, Sequence

from numpy.typing import ArrayLike

from activeeval_widgets.session.draws.adaptive import AdaptiveDraws
from activeeval_widgets.session.draws.fixed import FixedDraws
from activeeval_widgets.session.draws.protocol import Draws
from activeeval_widgets.session.draws.rows import GroupedRows, check_in_memory
from activeeval_widgets.session.log.state import State
from activeeval_widgets.session.pool.groups import group_codes
from activeeval_widgets.session.pool.label_kinds import Labels
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats import Measure, Predictions, optimal_q, uniform_q
from activeeval_widgets.stats._validation import check_option, check_q
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule
from activeeval_widgets.stats.drawing.groups import serve_groups
from activeeval_widgets.stats.drawing.without_probabilities import without_probabilities_q
from activeeval_widgets.stats.predictions.base import read_only
from activeeval_widgets.stats.questions.make import question_of
from activeeval_widgets.stats.questions.support import check_support

PROTOCOLS = ("papers", "adaptive")

LARGEST_UNGROUPED = 100_000
"""In larger pools, similar instances share a row; otherwise a new q would take seconds."""

DEFENSIVE, DEFENSIVE_COMPARED = 0.1, 0.2
"""The default share of uniform draws for one model, and for a comparison of several."""


def choose_protocol(protocol: str | None, q: ArrayLike | None) -> str:
    """Return the protocol that the arguments select; see `Session`."""
    if protocol is None:
        return "adaptive" if q is None else "papers"
    check_option("protocol", protocol, PROTOCOLS)
    if protocol == "adaptive" and q is not None:
        raise ValueError('q is for protocol="papers": adaptive draws choose their own')
    return protocol


def was_grouped(begun_with: str | None) -> bool | None:
    """Return whether a stored session draws shared rows; None for a new one, or one without blocks."""
    if begun_with is None or not begun_with.startswith("adaptive"):
        return None
    return begun_with.startswith(f"adaptive {GroupedRows.how},")


def rule_of(identity: Mapping[str, str], sheets: str | None = None) -> DrawRule:
    """Return the draw rule with the constants of a stored session; for a new one, the present rule."""
    begun = DrawRule.from_identity(identity.get("draw_rule", ""))
    return begun or (DRAW_RULE if identity or sheets is None else DRAW_RULE.with_sheets(sheets))


def make_draws(
    protocol: str,
    pool: Pool,
    measure: Measure,
    labels: Labels,
    state: State,
    *,
    seed: int,
    defensive: float | None = None,
    q: ArrayLike | None = None,
    is_grouped: bool | None = None,
    for_groups: bool = False,
    rule: DrawRule = DRAW_RULE,
) -> Draws:
    """Make the draws of a session, before the first one; see `BlockDraws` and `FixedDraws`."""
    if for_groups and q is not None:
        raise ValueError("for_groups is for draws that the session chooses, but q is given: leave one out")
    if for_groups and pool.is_streamed:
        raise ValueError(
            "for_groups needs the predictions for all instances in memory, and these are streamed: leave it "
            "out (there are results by group without it), or evaluate a smaller part of the data set"
        )
    if pool.known is not None and protocol != "adaptive":
        raise ValueError(
            f"labels are for adaptive draws, which are without replacement, but protocol is {protocol!r}: "
            "leave labels, or protocol and q, out"
        )
    groups = group_codes(pool.groups)[1] if for_groups else None
    check_in_memory(pool, measure)
    if pool.is_streamed and protocol != "adaptive":
        raise ValueError(
            f"protocol is {protocol!r}, which needs the predictions for all instances in memory: draws from "
            'a pool that is streamed are protocol="adaptive"'
        )
    if protocol == "adaptive":
        if is_grouped is None:
            is_large = pool.is_streamed or pool.n_instances > LARGEST_UNGROUPED
            is_grouped = is_large and not for_groups and pool.models[0].shares_rows and measure.shares_rows
        if is_grouped and pool.known is not None and pool.known.probabilities is not None:
            raise ValueError(
                f"drawn has probabilities, which are for at most {LARGEST_UNGROUPED:,} instances, and there "
                f"are {pool.n_instances:,}: evaluate a random part, or take drawn='unknown' (--drawn unknown)"
            )
        return AdaptiveDraws(
            pool, measure, labels, state, seed, defensive, is_grouped=is_grouped, groups=groups, rule=rule
        )
    is_by_disagreement = q is None and _lack_probabilities(pool.models)
    if is_by_disagreement:
        q, defensive = without_probabilities_q(measure, pool.models, pool.costs, defensive)
    elif q is None and not all(model.guides_draws for model in pool.models):
        defensive, q = 1.0, uniform_q(pool.n_instances)
    elif q is None:
        if defensive is None:
            defensive = DEFENSIVE_COMPARED if question_of(measure, pool.models).pairs else DEFENSIVE
        q = optimal_q(measure, list(pool.models), costs=pool.costs, defensive=defensive)
    distribution = read_only(check_q(q if groups is None else serve_groups(q, groups), pool.models[0]))
    check_support(measure, pool.models, distribution)
    return FixedDraws(
        pool.models, distribution, seed, defensive,
        is_by_disagreement=is_by_disagreement, generator=state.generator,
    )  # fmt: skip


def _lack_probabilities(models: Sequence[Predictions]) -> bool:
    """Return whether several classifiers are compared and at least one has no probabilities."""
    are_classifiers = all(model.is_model and model.kind == "class" for model in models)
    _, *others = models
    return bool(others) and are_classifiers and not all(model.promises for model in models)
