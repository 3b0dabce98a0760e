"""That the demos' goals can be reached: a small part of `benchmarks/demo_goals.py`."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets.demos import DEMOS
from activeeval_widgets.session import Session, WatchedInterval
from activeeval_widgets.session.reading.goal_plan import GoalPlan

N_SESSIONS = 12
FEWEST = int(binom.ppf(0.001, N_SESSIONS, 0.9))
"""If nine in ten sessions reach the goal, fewer of these do once in a thousand."""


@pytest.fixture(scope="module")
def script() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "demo_goals.py"
    spec = importlib.util.spec_from_file_location("demo_goals", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["demo_goals"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("name", DEMOS)
def test_sessions_reach_the_goal_and_end_with_it(script: ModuleType, name: str) -> None:
    demo = DEMOS[name]()
    reached = 0
    for seed in range(N_SESSIONS):
        session: Session = script.labeled(demo, seed)
        assert session.n_labels == demo.budget
        watched = WatchedInterval(session)
        is_reached = script.is_reached(demo.goal, watched.low, watched.high)
        reached += is_reached
        if seed == 0:
            # What the page says is what is counted here.
            assert bool(GoalPlan(session, watched).standing(demo.goal).reached) == is_reached
    assert reached >= FEWEST


@pytest.mark.slow
@pytest.mark.parametrize("name", DEMOS)
def test_a_goal_is_not_reached_at_once(script: ModuleType, name: str) -> None:
    demo = DEMOS[name]()
    watched = WatchedInterval(Session(demo.pool, demo.measure, y_range=demo.y_range))
    assert not script.is_reached(demo.goal, *watched.whole)
    session: Session = script.labeled(demo, 0)
    low, high = WatchedInterval(session).at(np.arange(10))
    assert not any(script.is_reached(demo.goal, *ends) for ends in zip(low, high, strict=True))
