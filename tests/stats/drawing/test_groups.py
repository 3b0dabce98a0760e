"""Draws that serve all groups, against loops."""

import numpy as np
import pytest

from activeeval_widgets.stats import serve_groups

Q = np.array([0.1, 0.3, 0.0, 0.2, 0.05, 0.0, 0.35])
GROUPS = np.array([0, 0, 0, 3, 3, 2, 1])  # nothing is left of group 2


@pytest.mark.parametrize("counts", [None, np.array([2, 0, 5, 1, 3, 4, 1])])
@pytest.mark.parametrize("scale", [1.0, 7.0])
def test_half_of_it_goes_to_the_groups_in_equal_parts(counts, scale):
    weights = np.ones(7) if counts is None else counts
    total = sum(w * q for w, q in zip(weights, Q, strict=True))
    expected = []
    for q, group in zip(Q, GROUPS, strict=True):
        own = sum(w * x for w, x, g in zip(weights, Q, GROUPS, strict=True) if g == group)
        expected.append(0.5 * q / total + (0.5 * q / own / 3 if own else 0.0))
    found = serve_groups(scale * Q, GROUPS, counts=counts)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert weights @ found == pytest.approx(1)


def test_what_is_no_q_or_no_group_is_refused():
    assert serve_groups(np.zeros(2), [0, 1]).tolist() == [0, 0]
    assert serve_groups([0.5, 0.0], [0, 1]).tolist() == [1, 0]
    with pytest.raises(ValueError, match=r"q\[1\] is -0.5, expected a probability >= 0"):
        serve_groups([1.5, -0.5], [0, 0])
    with pytest.raises(ValueError, match="one entry for each of 2 instances, got shape"):
        serve_groups([0.5, 0.5], [0])
    with pytest.raises(TypeError, match="groups must be integers"):
        serve_groups([0.5, 0.5], [0.0, 1.0])
    with pytest.raises(ValueError, match="groups must be numbers from 0, got -1"):
        serve_groups([0.5, 0.5], [0, -1])
