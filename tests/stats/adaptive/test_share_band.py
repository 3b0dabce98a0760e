"""The interval of a share without a model: exact by all orders of small pools, exclusions among them."""

import itertools
import re
from math import comb, lgamma
from pathlib import Path

import numpy as np
import pytest
from scipy.special import betaln

from activeeval_widgets.stats import AdaptiveConfidenceSequence, LabelShare, UnpredictedClasses, uniform_q
from activeeval_widgets.stats.adaptive._share_band import share_ends


def log_likelihood(k: int, n: int, s: int, f: int) -> float:
    """Of s ones and f zeros in this order, by whole numbers alone."""
    if k < s or n - k < f:
        return -np.inf
    chances = [(k - i) / (n - i) for i in range(s)] + [(n - k - j) / (n - s - j) for j in range(f)]
    return float(np.sum(np.log(chances)))


@pytest.mark.parametrize("alpha", [0.05, 0.5])
def test_no_share_of_any_number_that_can_be_labeled_is_excluded_wrongly(alpha: float) -> None:
    """For the greatest number N, which stands for all smaller ones: what is outside is refuted for each."""
    most = 16
    for n_seen in range(1, most):
        for s in range(n_seen + 1):
            f = n_seen - s
            low, high = share_ends(s, f, most, alpha)
            mixture = betaln(0.5 + s, 0.5 + f) - betaln(0.5, 0.5)
            for n in range(n_seen, most + 1):
                for k in range(s, n - f + 1):
                    is_kept = log_likelihood(k, n, s, f) > np.log(alpha) + mixture
                    assert low - 1e-12 <= k / n <= high + 1e-12 or not is_kept


def test_the_ends_are_where_the_ratio_is_alpha() -> None:
    s, f, n, alpha = 7, 23, 400, 0.05
    mixture = betaln(0.5 + s, 0.5 + f) - betaln(0.5, 0.5)
    for end in share_ends(s, f, n, alpha):
        k = end * n
        found = lgamma(k + 1) - lgamma(k - s + 1) + lgamma(n - k + 1) - lgamma(n - k - f + 1)
        found -= lgamma(n + 1) - lgamma(n - s - f + 1)
        assert mixture - found == pytest.approx(-np.log(alpha), abs=1e-6)
    assert share_ends(0, 5, 5, alpha) == (0.0, 0.0)
    assert share_ends(5, 0, 5, alpha) == (1.0, 1.0)


def test_the_documentation_says_how_wide_it_is() -> None:
    page = (Path(__file__).parents[3] / "docs" / "reference" / "measures.md").read_text()
    text = re.search(
        r"if 10 of 100 labels count, it is ±([\d.]+) points wide at most, and ±([\d.]+) if 30 do", page
    )
    for n_ones, points in zip((10, 30), text.groups(), strict=True):
        low, high = share_ends(n_ones, 100 - n_ones, 2000, 0.05)
        assert f"{50 * (high - low):.1f}" == points


@pytest.mark.parametrize("n_excluded", [0, 2])
def test_it_is_ever_wrong_with_the_stated_probability_at_most_by_all_orders(n_excluded: int) -> None:
    m, alpha = 8 - n_excluded // 2, 0.5
    sequence = AdaptiveConfidenceSequence(
        LabelShare(1), UnpredictedClasses([0, 1], m), confidence_level=1 - alpha
    )
    q, chances = uniform_q(m), []
    for ones in range(m - n_excluded + 1):
        labels = [1] * ones + [0] * (m - n_excluded - ones) + [None] * n_excluded
        truth = ones / (m - n_excluded)
        wrong = n_orders = 0
        for order in distinct_orders(labels):
            n_orders += 1
            sequence.restart()
            ends = [sequence.update(t, q, y) for t, y in enumerate(order)]
            wrong += any(not low - 1e-12 <= truth <= high + 1e-12 for low, high in ends)
            assert ends[-1] == pytest.approx((truth, truth))
        chances.append(wrong / n_orders)
        assert n_orders == comb(m, n_excluded) * comb(m - n_excluded, ones)
    assert 0 < max(chances) <= alpha


def distinct_orders(labels):
    """All orders of labels, each once; all are equally likely."""
    where = range(len(labels))
    n_ones, n_none = labels.count(1), labels.count(None)
    for at_none in itertools.combinations(where, n_none):
        rest = [i for i in where if i not in at_none]
        for at_one in itertools.combinations(rest, n_ones):
            yield [None if i in at_none else int(i in at_one) for i in where]


def test_draws_that_are_not_uniform_are_bet_on() -> None:
    rng = np.random.default_rng(0)
    m = 40
    q = rng.uniform(1, 3, m)
    q /= q.sum()
    labels = (rng.random(m) < 0.3).astype(int)
    truth, wrong = labels.mean(), 0
    for _ in range(20):
        sequence = AdaptiveConfidenceSequence(LabelShare(1), UnpredictedClasses([0, 1], m))
        left = q.copy()
        ever = False
        for t in range(m):
            draw = int(rng.choice(m, p=left / left.sum()))
            left[draw] = 0
            # After some draws they are uniform: the interval goes on betting.
            low, high = sequence.update(draw, q if t < 30 else uniform_q(m), int(labels[draw]))
            left = left if t < 29 else np.where(left > 0, 1.0, 0.0)
            ever |= not low - 1e-12 <= truth <= high + 1e-12
        wrong += ever
        assert (low, high) == pytest.approx((truth, truth))
    assert wrong <= 4


def test_after_uniform_draws_others_only_count_for_what_is_possible() -> None:
    m = 12
    sequence = AdaptiveConfidenceSequence(LabelShare(1), UnpredictedClasses([0, 1], m))
    sequence.extend(range(6), uniform_q(m), [0] * 6)
    before = sequence.high
    other = np.arange(1.0, m + 1)
    copied = sequence.copy()
    low, high = sequence.update(6, other / other.sum(), 1)
    assert low == pytest.approx(1 / 12)
    assert high == before
    assert (copied.low, copied.high) == (0.0, before)
    sequence.extend(range(7, 12), other / other.sum(), [0] * 5)
    assert (sequence.low, sequence.high) == pytest.approx((1 / 12, 1 / 12))


def test_labels_of_draws_that_are_not_uniform_are_no_evidence() -> None:
    """Their law is another one, also if only a bound of it is known, which may be the same for all."""
    m = 40
    uniform, other = uniform_q(m), np.arange(1.0, m + 1) / np.arange(1.0, m + 1).sum()
    sequence = AdaptiveConfidenceSequence(LabelShare(1), UnpredictedClasses([0, 1], m))
    sequence.extend(range(10), uniform, [0] * 10)
    before, copied = sequence.high, sequence.copy()
    assert before < 0.4
    sequence.extend(range(10, 20), other, [0] * 10)
    assert sequence.high == before
    copied.extend(range(10, 20), uniform, [0] * 10)
    assert copied.high < before - 0.05
    bounded = AdaptiveConfidenceSequence(LabelShare(1), UnpredictedClasses([0, 1], m))
    for draw in range(10):
        bounded.update(draw, uniform / 2, 0, probability=1 / (m - draw))
    assert bounded.high > before + 0.05


def test_the_evidence_of_a_cell_is_against_all_of_its_shares() -> None:
    m, labels = 16, [0, 1, 0, 0, 0, 0]
    sequence = AdaptiveConfidenceSequence(LabelShare(1), UnpredictedClasses([0, 1], m))
    sequence.extend(range(6), uniform_q(m), labels)
    edges, won = sequence.wealth
    for k in range(2, 11):  # others are impossible, or the end of what is possible
        at = int(np.argmin(np.abs(edges - k / m)))
        assert edges[at] == pytest.approx(k / m)
        evidence = 1.0
        for n in range(1, 7):
            s, f = sum(labels[:n]), n - sum(labels[:n])
            mixture = betaln(0.5 + s, 0.5 + f) - betaln(0.5, 0.5)
            evidence = max(evidence, np.exp(mixture - log_likelihood(k, m, s, f)))
        assert (won[at - 1 : at + 1] <= evidence * (1 + 1e-9)).all()
    assert won[:-1].max() > 2
