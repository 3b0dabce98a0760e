"""Forecasts for two models: draws are where these differ, as `adaptive_q` has them."""

from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest

from activeeval_widgets.session import Goal, Pool, Session
from activeeval_widgets.session import session as session_module
from activeeval_widgets.session.findings.goal_plan import GoalPlan
from activeeval_widgets.stats import ClassPredictions, ErrorRate, FMeasure, MacroF, Planner, adaptive_q
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, informed_sizes
from activeeval_widgets.stats.adaptive.form_of_q import PartOfQ, beyond, coefficients, favored_in
from activeeval_widgets.stats.adaptive.recalibration import recalibrate
from activeeval_widgets.stats.drawing.sheets import SheetRule
from activeeval_widgets.stats.planning._expected_course import ExpectedCourse
from activeeval_widgets.stats.predictions.base import mixture
from activeeval_widgets.stats.questions.make import target_of

from ...labeling import give_labels


def pair(m=1000, n_differing=120, odds=0.85):
    rng = np.random.default_rng(4)
    p = rng.uniform(0.55, 0.95, m)
    first, second = np.column_stack([p, 1 - p]), np.column_stack([p, 1 - p])
    where = rng.choice(m, n_differing, replace=False)
    second[where] = second[where][:, ::-1]
    labels = (rng.random(m) < 0.2).astype(int)
    labels[where] = rng.random(n_differing) >= odds
    return [ClassPredictions(first, name="one"), ClassPredictions(second, name="other")], labels


MODELS, LABELS = pair()
DIFFER = MODELS[0].pred_codes != MODELS[1].pred_codes
EVERYWHERE = replace(DRAW_RULE, alike_share=None)
"""Draws for two models that are made as those for one."""


@pytest.mark.parametrize("rule", [EVERYWHERE, DRAW_RULE], ids=["everywhere", "where they differ"])
@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure(), MacroF()], ids=repr)
def test_draws_forecasts_and_weights_have_one_form(rule, measure):
    draws = np.random.default_rng(1).permutation(1000)[:60]
    q = adaptive_q(measure, MODELS, draws, LABELS[draws], rule=rule)
    target = target_of(measure, MODELS)
    belief = recalibrate(measure, MODELS, draws, LABELS[draws], with_labels=True)
    left = np.ones(1000)
    left[draws] = 0
    favored, share = favored_in(target, rule), rule.share(measure, 60)
    of_third = rule.favored_share(measure, 60.0)
    is_apart = rule is DRAW_RULE and isinstance(measure, ErrorRate)
    assert (favored is not None) == (is_apart or isinstance(measure, MacroF))
    assert (favored is not None and favored.is_apart) == is_apart
    informed = informed_sizes(target, belief) * left
    there, n_there = left, None
    if favored is not None:
        there = left * favored.sizes
        n_there = there.sum()
        if is_apart:
            informed = informed * there
        else:
            parts = PartOfQ(informed, informed.sum()), PartOfQ(left, 940)
            informed = beyond(*parts, share, PartOfQ(there, n_there), of_third)
    scale, floor, more = coefficients(share, informed.sum(), 940, n_there, favored, of_third)
    assert (scale * informed + floor + more * there) * left == pytest.approx(q, rel=1e-9)


@pytest.mark.parametrize("measure", [MacroF(), FMeasure()], ids=repr)
def test_a_course_favors_rare_predicted_classes(measure):
    """By hand, once the uniform share is as small as it gets."""
    target, belief, ones = target_of(measure, MODELS[1:]), mixture(MODELS[1:]), np.ones(1000)
    course = ExpectedCourse(target, belief, 0.95, None)
    stage = int(np.searchsorted(course._times, 120))
    drawn = course._drawn(stage, ones, ones, course._informed, course._favored, course._scale)
    share = settled = 0.2
    evened = np.where(DIFFER, 120, 880) ** -0.5
    if isinstance(measure, FMeasure):
        share, settled = 0.5 - 0.2 * (int(course._times[stage]) - 100) / 200, 0.3
        assert 0.4 < share < 0.5
        evened *= np.where(MODELS[1].pred_codes == 1, 3, 1) ** 0.5
    evened /= evened.sum()
    informed = informed_sizes(target, belief)
    others = (1 - settled) * 0.1 / 1000 + settled * evened
    beyond_all = np.maximum(informed / informed.sum() - others, 0)
    expected = (1 - share) * (0.9 * beyond_all / beyond_all.sum() + 0.1 / 1000) + share * evened
    assert drawn / drawn.sum() == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("measure", [MacroF(), FMeasure()], ids=repr)
@pytest.mark.parametrize("costs", [None, np.linspace(1, 3, 1000)], ids=["equal costs", "costs"])
def test_a_course_draws_what_costs_less_as_it_is_drawn(measure, costs):
    """With sheets, and with shares of q that don't change with the number of labels."""
    sheets = SheetRule(sure=float(np.median(MODELS[0].certainty.values)))
    of_ratios = (100.0, 300.0), (0.3, 0.3)
    rule = replace(DRAW_RULE, least=0.5, evened_for_ratios=of_ratios, sheets=sheets)
    q = adaptive_q(measure, MODELS[0], costs=sheets.costs(MODELS[:1], costs), rule=rule)
    belief = recalibrate(measure, MODELS[:1], [], [], with_labels=True)
    course = ExpectedCourse(target_of(measure, MODELS[:1]), belief, 0.95, None, rule=rule, costs=costs)
    ones = np.ones(1000)
    drawn = course._drawn(0, ones, ones, course._informed, course._favored, course._scale)
    assert drawn / drawn.sum() == pytest.approx(q, rel=1e-9)
    # Ten draws are expected in the first stage, and what is sure gets its share of them.
    of_stage = 10 * q[sheets.are_sure(MODELS[:1])].sum()
    assert course.n_on_sheets(10) == pytest.approx(of_stage, rel=0.05)
    assert course.n_on_sheets(5) == pytest.approx(of_stage / 2, rel=0.05)


def test_the_first_draws_of_a_course_are_those_that_are_made():
    course = ExpectedCourse(target_of(ErrorRate(), MODELS), mixture(MODELS), 0.95, None)
    ones = np.ones(1000)
    drawn = course._drawn(0, ones, ones, course._informed, course._favored, course._scale)
    assert drawn / drawn.sum() == pytest.approx(adaptive_q(ErrorRate(), MODELS), rel=1e-9)
    # Where hardly anything is left that differs, as many are drawn all the same.
    left = np.where(DIFFER, 0.02, 1.0)
    drawn = course._drawn(3, left, ones, course._informed, course._favored, course._scale)
    n_draws = course._times[4] - course._times[3]
    assert left @ -np.expm1(-drawn) == pytest.approx(n_draws, rel=1e-3)


def test_it_takes_fewer_labels_where_models_differ_than_everywhere():
    draws = np.flatnonzero(DIFFER)[:10]
    known = {"draws": draws, "y_true": LABELS[draws], "q_draws": np.full(10, 0.9 / 120)}
    before, now = (
        Planner(ErrorRate(), MODELS, rule=rule).plan_difference(**known).n_labels
        for rule in (EVERYWHERE, DRAW_RULE)
    )
    assert now < 0.7 * before
    # Where they can differ everywhere, or there is one model, nothing changes.
    for measure, models in ((FMeasure(), MODELS), (ErrorRate(), MODELS[0])):
        one, other = (Planner(measure, models, rule=rule).plan(0.05) for rule in (EVERYWHERE, DRAW_RULE))
        assert one == other


def begun(rule, models, **options):
    pool = Pool(["x"] * 1000, predictions=models)
    with patch.object(session_module, "rule_of", lambda *_: rule):
        session = Session(pool, ErrorRate(), **options)
    give_labels(session, LABELS, 12)
    return session


@pytest.mark.parametrize("rule", [EVERYWHERE, DRAW_RULE], ids=["everywhere", "where they differ"])
def test_sessions_are_forecast_by_the_rule_that_they_draw_by(rule):
    session = begun(rule, MODELS)
    watched = session.watched()
    draws, labels = session.draws.labeled()
    known = {
        "draws": draws,
        "y_true": labels,
        "q_draws": session.draws.q_draws(),
        "current": (watched.low, watched.high),
    }
    result = GoalPlan(session, watched).progress(Goal(threshold=0.0)).to_decision
    assert result == Planner(ErrorRate(), MODELS, rule=rule).plan_difference(**known)
    other = DRAW_RULE if rule is EVERYWHERE else EVERYWHERE
    assert result != Planner(ErrorRate(), MODELS, rule=other).plan_difference(**known)


def test_draws_that_are_not_made_apart_are_not_forecast_so():
    third = ClassPredictions(MODELS[1].y_proba[::-1], name="third")
    assert begun(DRAW_RULE, [*MODELS, third]).of("one", "other").draws.rule_of_q.alike_share is None
    assert begun(DRAW_RULE, MODELS, defensive=0.5).draws.rule_of_q.alike_share is None
    assert begun(DRAW_RULE, MODELS).draws.rule_of_q is DRAW_RULE


def test_what_draws_come_close_to_is_mostly_where_models_differ():
    q = begun(DRAW_RULE, MODELS).draws.expected_q()
    assert q.sum() == pytest.approx(1)
    assert q[DIFFER].sum() == pytest.approx(0.9 + 0.1 * 0.12)


@pytest.mark.slow
def test_forecasts_are_near_what_sessions_then_take():
    """Those for other draws say two to three times as many."""
    ratios = {EVERYWHERE: [], DRAW_RULE: []}
    planners = [Planner(ErrorRate(), MODELS, rule=rule) for rule in (EVERYWHERE, DRAW_RULE)]
    for seed in range(9):
        session, plans = begun(DRAW_RULE, MODELS, seed=seed), None
        while (now := session.watched()).low <= 0 <= now.high:
            if session.n_labels == 15:
                draws, labels = session.draws.labeled()
                known = {"draws": draws, "y_true": labels, "q_draws": session.draws.q_draws()}
                plans = [each.plan_difference(**known, current=(now.low, now.high)) for each in planners]
            session.label(int(LABELS[session.next().index]))
        if plans is not None:
            for plan, kept in zip(plans, ratios.values(), strict=True):
                kept.append(plan.n_labels / (session.n_labels - 15))
    before, present = (float(np.median(each)) for each in ratios.values())
    assert len(ratios[DRAW_RULE]) >= 5
    assert 0.4 < present < 2.2
    assert before > 1.5 * present


def test_a_course_begins_with_what_the_interval_is_before_the_first_label():
    # The pool allows ±0.12; while any instance may turn out not to be labelable, the interval is ±1.
    now = Session(Pool([str(i) for i in range(1000)], predictions=MODELS), ErrorRate()).watched()
    course = ExpectedCourse(target_of(ErrorRate(), MODELS), mixture(MODELS), 0.95, None)
    assert course.whole == (now.high - now.low) / 2 == 1.0


def test_widths_are_forecast_from_the_first_labels_on():
    """How long it takes to three widths is in the ranges of four of five forecasts."""
    held = []
    for seed in range(10):
        session = begun(DRAW_RULE, MODELS, seed=seed)
        planner, plans, halves = Planner(ErrorRate(), MODELS, rule=DRAW_RULE), [], []
        for n in range(100):
            now = session.watched()
            halves.append((now.high - now.low) / 2)
            if n in (10, 25):
                draws, labels = session.draws.labeled()
                known = {"draws": draws, "y_true": labels, "q_draws": session.draws.q_draws()}
                plans += [
                    (n, wanted, planner.plan(wanted, **known, current=(now.low, now.high)))
                    for wanted in (0.12, 0.08, 0.05)
                    if halves[n] > wanted
                ]
            session.label(int(LABELS[session.next().index]))
        for n, wanted, plan in plans:
            took = int(np.argmax(np.array(halves) <= wanted)) - n
            assert took > 0
            assert plan.n_labels > 2
            held.append(plan.low <= took <= plan.high)
    assert np.mean(held) >= 0.8
