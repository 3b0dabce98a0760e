"""Draws that serve all groups of a pool, small ones, too."""

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import check_float_array

SHARE = 0.5
"""Of the draws, this share is for the groups, in equal parts, and the rest for the pool as a whole."""


def serve_groups(q: ArrayLike, groups: ArrayLike, *, counts: ArrayLike | None = None) -> FloatArray:
    """An instrumental distribution for the pool, made one for each of its groups as well.

    Half of it is as it was; the other half is the equal mixture of what it is within each group. So each
    of k groups gets a share of at least 1/(2k) of the draws, drawn within it as before, and no weight of
    the pool's own estimate more than doubles.

    Parameters
    ----------
    q : array-like of shape (n_instances,)
        Not negative; 0 on what can't be drawn any more. Groups that have nothing left are left out.
    groups : array-like of int of shape (n_instances,)
        The number of each instance's group, from 0.
    counts : array-like of int of shape (n_instances,), optional
        How many instances are left of each row, where rows stand for several.

    Returns
    -------
    ndarray of shape (n_instances,)
        Sums to 1, over all that rows stand for; all 0 where `q` is.

    Raises
    ------
    ValueError, TypeError
        If there is not one group for each instance, or an entry is negative.

    See Also
    --------
    optimal_q : for several models, whose mixture this one is like.
    adaptive_q : takes `groups`, too.

    References
    ----------
    T, eq. 5.16: the equal mixture of what is optimal for each pair of models.

    Examples
    --------
    >>> serve_groups([0.25, 0.25, 0.25, 0.25], [0, 0, 0, 1]).round(3)
    array([0.208, 0.208, 0.208, 0.375])
    """
    values = check_float_array("q", q, ndim=1, shape="(n_instances,)")
    codes = check_groups(groups, values.size)
    if values.size and values.min() < 0:
        where = int(np.argmax(values < 0))
        raise ValueError(f"q[{where}] is {values[where]}, expected a probability >= 0")
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
    """Return the numbers of groups, one for each instance, from 0."""
    codes = np.asarray(value)
    if codes.shape != (n_instances,):
        raise ValueError(
            f"groups must have one entry for each of {n_instances} instances, got shape {codes.shape}"
        )
    if codes.dtype.kind not in "iu":
        raise TypeError(f"groups must be integers, the number of each group, got dtype {codes.dtype}")
    if codes.size and codes.min() < 0:
        raise ValueError(f"groups must be numbers from 0, got {int(codes.min())}")
    return codes.astype(np.intp, copy=False)
