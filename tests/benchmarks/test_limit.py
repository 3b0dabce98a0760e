"""The limit of any bets: where hypergeometric likelihood ratios say, and narrower with more labels."""

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import hypergeom

from activeeval_widgets.stats import ClassPredictions, ErrorRate, FMeasure

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
import limit as benchmark

rng = np.random.default_rng(3)
P = rng.random(200)
Y = (rng.random(200) < P).astype(int)
MODEL = ClassPredictions(np.column_stack([1 - P, P]))


def test_a_divergence_is_the_sum_of_its_definition():
    size, true, n_labels = 12, 4, 5
    counts = np.arange(n_labels + 1)
    found = benchmark.divergences(size, true, n_labels)
    for null in range(size + 1):
        pairs = [
            (hypergeom.pmf(k, size, true, n_labels), hypergeom.pmf(k, size, null, n_labels)) for k in counts
        ]
        if any(p > 0 and q == 0 for p, q in pairs):
            assert np.isinf(found[null])
        else:
            expected = sum(p * np.log(p / q) for p, q in pairs if p > 0)
            assert found[null] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure(positive=1)])
def test_it_is_narrower_with_more_labels_and_with_all_wealth_on_one_side(measure):
    strata = benchmark.Strata(measure, MODEL, Y)
    few, half, most = (benchmark.limit(strata, strata.sizes * k // 4, 0.05, 1) for k in (1, 2, 3))
    assert 1 > few > half > most > 0
    assert benchmark.limit(strata, strata.sizes // 4, 0.05, 2) > few
