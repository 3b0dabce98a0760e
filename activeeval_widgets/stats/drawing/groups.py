"""Instrumental distributions that serve every group of a pool, small ones included."""

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import (
    check_float_array,
    check_not_negative,
    check_order,
    refuse_masked,
)

SHARE = 0.5
"""The share of draws that is divided equally among the groups; the rest serves the whole pool."""


def serve_groups(q: ArrayLike, groups: ArrayLike, *, counts: ArrayLike | None = None) -> FloatArray:
    """Adapt an instrumental distribution so that it serves each group of the pool as well.

    The result is half q, and half the equal mixture of q restricted to each group. Each of k groups thus gets
    at least 1/(2k) of the draws, distributed within it as before, and no weight of the pool's own estimate
    more than doubles.

    Parameters
    ----------
    q : array-like of shape (n_instances,)
        Nonnegative; 0 on what can no longer be drawn. Groups that are used up are left out.
    groups : array-like of int of shape (n_instances,)
        The number of each instance's group, from 0.
    counts : array-like of int of shape (n_instances,), optional
        The number of instances left of each row, if rows stand for several instances.

    Returns
    -------
    ndarray of shape (n_instances,)
        Sums to 1 over all instances; all 0 if `q` is.

    Raises
    ------
    ValueError, TypeError
        If there is not one group for each instance, or an entry is negative.

    See Also
    --------
    optimal_q : The analogous mixture for several models.
    adaptive_q : Takes `groups` as well.

    References
    ----------
    T, eq. 5.16: the equal mixture of the optimal distributions of all pairs of models.

    Examples
    --------
    >>> serve_groups([0.25, 0.25, 0.25, 0.25], [0, 0, 0, 1]).round(3)
    array([0.208, 0.208, 0.208, 0.375])
    """
    values = check_float_array("q", q, ndim=1, shape="(n_instances,)")
    check_order("groups", groups, "q", q)
    codes = check_groups(groups, values.size)
    check_not_negative(values)
    weights = np.ones(values.size) if counts is None else np.asarray(counts, dtype=np.float64)
    total = float(weights @ values)
    if not total > 0:
        return np.zeros_like(values)
    sums = np.bincount(codes, weights=weights * values)
    n_groups = int(np.count_nonzero(sums > 0))
    scale = np.divide(SHARE / n_groups, sums, out=np.zeros_like(sums), where=sums > 0)
    found: FloatArray = values * ((1 - SHARE) / total + scale[codes])
    return found


def check_groups(value: ArrayLike, n_instances: int) -> IntArray:
    """Validate group numbers, one for each instance, from 0."""
    refuse_masked("groups", value)
    codes = np.asarray(value)
    if codes.shape != (n_instances,):
        raise ValueError(
            f"groups must have one entry for each of {n_instances} instances, got shape {codes.shape}"
        )
    if codes.dtype.kind not in "iu":
        raise TypeError(f"groups must be integers, a number for each group, got dtype {codes.dtype}")
    if codes.size and codes.min() < 0:
        raise ValueError(f"groups must be numbers from 0, got {int(codes.min())}")
    return codes.astype(np.intp, copy=False)
