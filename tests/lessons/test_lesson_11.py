"""Lesson 11: when to stop, against enumerations and `stats`."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets.demos import DEMOS
from activeeval_widgets.lessons import simulated
from activeeval_widgets.stats import (
    ErrorRate,
    clopper_pearson_interval,
    decide,
    pool_value,
    wald_interval,
    wilson_interval,
)


def test_the_walk_is_the_enumeration_of_all_sequences(lesson):
    rate, first, most, enough = 0.3, 4, 10, 0.7
    found = {}
    for labels in product((0, 1), repeat=most):
        for n in range(first, most + 1):
            k = sum(labels[:n])
            share = k / n
            low, high = wald_interval(share, max(np.sqrt(share * (1 - share) / n), 1e-12), 0.95)
            if high - low <= enough:
                chance = rate ** sum(labels) * (1 - rate) ** (most - sum(labels))
                found[n, k] = found.get((n, k), 0) + chance
                break
    n, k, chance = lesson.value(
        f"ends({rate}, wald, lambda low, high: high - low <= {enough}, first={first}, most={most})"
    )
    assert len(found) > 5
    assert dict(zip(zip(n, k, strict=True), chance, strict=True)) == pytest.approx(found)


def test_the_intervals_are_those_of_the_package(lesson):
    for k, n in ((0, 30), (3, 40), (40, 40)):
        low, high = lesson.value(f"wilson({k}, {n})")
        assert (low, high) == pytest.approx(wilson_interval(k, n, 0.95), abs=1e-5)
    share = 3 / 40
    expected = wald_interval(share, np.sqrt(share * (1 - share) / 40), 0.95)
    assert lesson.value("wald(3, 40)") == pytest.approx(expected, abs=1e-5)


def test_wald_stops_when_it_is_wrong_and_no_textbook_interval_may_decide(lesson):
    assert lesson.value("no_error") == pytest.approx(0.95**30)
    assert lesson.value("wald_holds") < 0.75 < 0.93 < lesson.value("wilson_holds")
    assert lesson.value("chance.sum()") == pytest.approx(1, abs=1e-6)
    decides = lesson.value("decides")
    assert decides[30] < 0.07 < decides[100] < decides[300] < decides[1000]
    assert decides[1000] > 0.3
    # The first look, at 30 labels: Wilson's interval excludes the truth from some number of errors on.
    low, high = np.array([wilson_interval(k, 30, 0.95) for k in range(31)]).T
    least = np.flatnonzero((high < 0.05) | (low > 0.05)).min()
    assert decides[30] == pytest.approx(binom.sf(least - 1, 30, 0.05))


def test_the_goal_is_reached_and_a_threshold_sooner(lesson):
    low, high, reached = lesson.value("(low, high, int(reached))")
    width = (high - low) / 2
    assert width[reached - 1] <= 0.05 < width[reached - 2]
    demo = DEMOS["digits"]()
    truth = pool_value(ErrorRate(), demo.pool.predictions, demo.y_true)
    assert lesson.value("truth") == pytest.approx(truth)
    assert (low <= truth).all()
    assert (high >= truth).all()
    n = lesson.value("int(needed_for)")
    assert n < reached
    assert (decide(low[n - 1], high[n - 1], 0.2), decide(low[n - 2], high[n - 2], 0.2)) == ("below", None)
    assert "| 0 | about" in lesson.text


def test_what_many_sessions_show(lesson):
    found = simulated("stopping")
    sessions, n = found["sessions"], found["n_sessions"]
    assert len(sessions) == n
    ever_wrong = {name: sum(each[f"{name}_ever_wrong"] for each in sessions) for name in ("watched", "wald")}
    assert clopper_pearson_interval(ever_wrong["watched"], n, 0.95)[0] < 0.05
    assert clopper_pearson_interval(ever_wrong["wald"], n, 0.95)[0] > 0.05
    inside = lesson.value("is_inside")
    assert (inside > 0.7).all()
    assert all(gain > 0.02 for gain in lesson.value("gains"))
