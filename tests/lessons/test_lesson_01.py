"""Guess, then label: what the lesson says, by closed forms and by the pool's labels."""

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets import demos
from activeeval_widgets.stats import ErrorRate, asymptotic_variance, pool_value, uniform_q

from ..notebook_runner import Ran


def test_the_truth_is_that_of_the_pool(lesson: Ran) -> None:
    demo = demos.digits()
    assert lesson.value("float(truth)") == pool_value(ErrorRate(), demo.pool.predictions, demo.y_true)
    assert f"{lesson.value('float(truth)'):.1%}" in lesson.text


def test_24_labels_leave_a_wide_range(lesson: Ran) -> None:
    n_errors, low, high = lesson.value("(int(seen.sum()), float(low), float(high))")
    # Clopper and Pearson's bounds: with 1 − α/2 and with α/2 as many errors, or fewer, are seen.
    assert binom.sf(n_errors - 1, 24, low) == pytest.approx(0.025)
    assert binom.cdf(n_errors, 24, high) == pytest.approx(0.025)
    assert lesson.value("float(people.sum())") == pytest.approx(1000, abs=1)


def test_most_uniform_labels_go_where_nothing_is_in_doubt(lesson: Ran) -> None:
    shares = lesson.value("share_of_errors.tolist()")
    assert sum(shares) == pytest.approx(1)
    assert sum(shares[:5]) < 0.05
    assert sum(shares[8:]) > 0.7


def test_weights_put_it_right(lesson: Ran) -> None:
    q, is_wrong, truth = (lesson.value(name) for name in ("q", "is_wrong", "float(truth)"))
    # Without weights one estimates the mean under q, with weights that under p; 100 draws, 2,000 people.
    plain, spread = q @ is_wrong, np.sqrt(q @ is_wrong * (1 - q @ is_wrong) / 100)
    assert lesson.value("float(naive.mean())") == pytest.approx(plain, abs=4 * spread / np.sqrt(2000))
    variance = np.sum((is_wrong - truth) ** 2 / q) / q.size**2
    assert lesson.value("float(off['weighted'])") == pytest.approx(np.sqrt(variance / 100), rel=0.1)
    assert lesson.value("float(off['uniform'])") == pytest.approx(
        np.sqrt(truth * (1 - truth) / 100), rel=0.07
    )
    assert plain > 2 * truth


def test_sessions_of_the_app_need_fewer_labels(lesson: Ran) -> None:
    error = lesson.value("{name: list(map(float, each)) for name, each in error.items()}")
    assert all(a < p < u for a, p, u in zip(error["active"], error["papers"], error["uniform"], strict=True))
    assert 40 < lesson.value("float(same)") < 100
    truth, n_labels = lesson.value("(float(truth), n_labels)")
    by_formula = np.sqrt(truth * (1 - truth) / np.array(n_labels))
    assert np.allclose(error["uniform"], by_formula, rtol=0.08)


def test_the_made_up_q_is_better_than_uniform_by_the_model_too(lesson: Ran) -> None:
    model = demos.digits().pool.predictions
    promised = [
        asymptotic_variance(ErrorRate(), model, q) for q in (lesson.value("q"), uniform_q(model.n_instances))
    ]
    assert promised[0] < promised[1]


def test_labeling_is_left_to_the_reader(lesson: Ran) -> None:
    shown = [o for o in lesson.outputs if "application/vnd.jupyter.widget-view+json" in o.get("data", {})]
    own = [o for o in shown if "LabelingApp" in o.data.get("text/plain", "")]
    assert len(own) == 1
    assert lesson.value("session.n_labels") == 0
    lesson.run("for _ in range(20):\n    session.label(demo.y_true[session.next().index])")
    low, high = lesson.value("(session.estimate().low, session.estimate().high)")
    assert low <= lesson.value("float(truth)") <= high


def test_a_least_share_of_zero_is_worse_than_uniform(lesson: Ran) -> None:
    assert lesson.value("float(typical_error(0))") > 1.15 * lesson.value("float(off['uniform'])")
    assert lesson.value("float(typical_error(0.05))") < lesson.value("float(off['uniform'])")


def test_figures_follow_the_reader(lesson: Ran) -> None:
    changed = lesson.changed_by("my_guess.value = 0.31; least.value = 0")
    assert len(changed) == 4, "two inputs, a figure and a text"
    assert f"{lesson.value('float(typical_error(0))'):.2%}" in "".join(changed)
