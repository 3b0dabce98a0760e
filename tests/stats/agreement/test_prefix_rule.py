"""Who answers fast must not weigh more: a small part of `benchmarks/prefix.py`."""

from importlib import import_module
from types import ModuleType

import numpy as np
import pytest


@pytest.fixture(scope="module")
def prefix() -> ModuleType:
    return import_module("prefix")


def test_what_is_put_aside_makes_all_answered_labels_lean(prefix: ModuleType) -> None:
    value, found = prefix.run(prefix.HABITS[-1], 20, seed=5, when=(240,))
    everything, until = (found[240, rule] for rule in ("all answered", "up to the first unanswered"))
    error = everything[:, 0].std() / np.sqrt(20)
    assert everything[:, 0].mean() - value < -4 * error
    assert everything[:, 2].mean() < 0.8  # Wald's interval
    assert until[:, 3].mean() >= 0.9  # the sequence at the first gap
    assert (until[:, 1] <= 240).all()


def test_nothing_leans_where_difficult_ones_take_no_longer(prefix: ModuleType) -> None:
    value, found = prefix.run(prefix.HABITS[0], 10, seed=6, when=(240,))
    for rows in found.values():
        error = rows[:, 0].std() / np.sqrt(10)
        assert abs(rows[:, 0].mean() - value) < 4 * error
        assert rows[:, 3].mean() >= 0.8
    assert np.mean(found[240, "up to the first unanswered"][:, 1]) > 230


def test_draws_up_to_the_first_unanswered_one(prefix: ModuleType) -> None:
    assert prefix.up_to_the_first_unanswered(np.array([0, 1, 2])) == 3
    assert prefix.up_to_the_first_unanswered(np.array([0, 2, 3])) == 1
    assert prefix.up_to_the_first_unanswered(np.array([1, 2])) == 0


def test_everybody_answers_what_he_was_handed_once(prefix: ModuleType) -> None:
    rng = np.random.default_rng(0)
    difficulty = rng.random(500)
    draws = rng.integers(500, size=300)
    for habit in prefix.HABITS:
        order = prefix.answers(habit, difficulty, draws, rng)
        assert sorted(order.tolist()) == list(range(300))
