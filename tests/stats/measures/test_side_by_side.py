"""Two systems side by side: both pass rates and their difference, in closed form and over all orders."""

import itertools
from math import sqrt

import numpy as np
import pytest

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClassPredictions,
    PassRate,
    WinRate,
    adaptive_q,
    optimal_q,
    pool_value,
    side_by_side,
)
from activeeval_widgets.stats.measures.measure_names import measure_named
from activeeval_widgets.stats.measures.parse_repr import measure_from_repr

LABELS = ["A", "B", "both", "neither"]


def test_the_difference_is_that_of_only_the_one_and_only_the_other():
    systems = side_by_side(["new", "old"], n_instances=3)
    new, old = systems.values()
    win_rate = WinRate(tie=["both", "neither"])
    for labels in itertools.product(LABELS, repeat=3):
        of_new, of_old = (pool_value(PassRate(), each, list(labels)) for each in (new, old))
        assert of_new == pytest.approx(sum(y in ("A", "both") for y in labels) / 3)
        assert of_old == pytest.approx(sum(y in ("B", "both") for y in labels) / 3)
        assert of_new - of_old == pytest.approx((labels.count("A") - labels.count("B")) / 3)
        assert of_new - of_old == pytest.approx(2 * pool_value(win_rate, new, list(labels)) - 1)


def test_the_best_draws_are_where_judges_tell_them_apart():
    proba = np.array([[0.4, 0.4, 0.1, 0.1], [0.05, 0.05, 0.8, 0.1], [0.0, 0.0, 0.5, 0.5]])
    both = [ClassPredictions(proba, LABELS, [label] * 3) for label in ("A", "B")]
    apart = np.sqrt([0.8, 0.1, 0.0])  # E[(1_A − 1_B)²]; the difference itself is 0
    np.testing.assert_allclose(optimal_q(PassRate(), both), apart / apart.sum(), atol=1e-12)


@pytest.mark.parametrize(
    "labels", [["A", "both", "B", "A"], ["A", "A", "A", "neither"], ["B", "A", "both", "B"]]
)
def test_the_interval_of_the_difference_holds_by_enumeration(labels):
    """Over all 24 orders of draws that learn from the labels: how probable it is that it ever misses."""
    votes = [["A", "A"], ["both", "A"], ["neither", "B"], ["B", None]]
    systems = [*side_by_side(["new", "old"], votes).values()]
    truth = (labels.count("A") - labels.count("B")) / 4
    level, missed, total = 0.8, 0.0, 0.0
    for order in itertools.permutations(range(4)):
        sequence = AdaptiveConfidenceSequence(PassRate(), systems, confidence_level=level)
        probability, misses = 1.0, False
        for n, draw in enumerate(order):
            q = adaptive_q(PassRate(), systems, order[:n], [labels[i] for i in order[:n]])
            probability *= q[draw]
            low, high = sequence.update(draw, q, labels[draw])
            misses |= not low - 1e-9 <= truth <= high + 1e-9
        total += probability
        missed += probability * misses
        assert (low, high) == pytest.approx((truth, truth))
    assert total == pytest.approx(1)
    assert missed <= 1 - level


def test_a_label_of_both_is_needed_and_names_are_two():
    new = side_by_side(["new", "old"], n_instances=1)["new"]
    with pytest.raises(ValueError, match="both is 'all', expected one of the classes"):
        pool_value(PassRate("all"), new, ["A"])
    for names in ("new", ["new"], ["new", "new"]):
        with pytest.raises(ValueError, match="names must be two distinct names"):
            side_by_side(names, n_instances=1)
    with pytest.raises(ValueError, match="n_instances must be given if there are no votes"):
        side_by_side(["new", "old"])
    with pytest.raises(ValueError, match="votes holds 1 pairs, but n_instances is 2"):
        side_by_side(["new", "old"], [["A"]], 2)
    with pytest.raises(ValueError, match="classes must hold labels of each system and of both"):
        side_by_side(["new", "old"], n_instances=1, classes=["A", "B"])


def test_votes_guide_and_nothing_leans_on_them():
    systems = side_by_side(["new", "old"], [["A", "both"], [None, "neither"]])
    assert not any(system.assists for system in systems.values())
    assert systems["new"].y_pred.tolist() == ["A", "A"]
    assert systems["old"].y_proba[1].tolist() == pytest.approx([0.2, 0.2, 0.2, 0.4])
    assert PassRate().sides([*systems.values()]) == ("A", "B")
    assert PassRate().sides([systems["new"]]) is None
    assert PassRate().sides([ClassPredictions([[0.1, 0.9], [0.9, 0.1]])] * 2) is None
    assert repr(measure_from_repr(repr(PassRate()))) == "PassRate('both')" == repr(measure_named("pass-rate"))


def test_side_by_side_has_a_smaller_variance_than_apart():
    """The reason for asking of both at once: with labels that go together, by the closed forms."""
    rng = np.random.default_rng(0)
    labels = rng.choice(LABELS, 4000, p=[0.12, 0.08, 0.6, 0.2])
    z = (labels == "A").astype(float) - (labels == "B")
    a, b = (np.isin(labels, [one, "both"]) for one in "AB")
    together, apart = z.var(), a.var() + b.var()
    assert sqrt(together) < 0.75 * sqrt(apart)
