"""How narrow the best bets could make an interval with the same labels: the limit beside every width.

A pool is cut into strata. The best bettor knows how many instances of each stratum are errors (of F₁,
positive), and bets on every label by the likelihood ratio of that truth to a null. With n_h labels in stratum
h this is a ratio of hypergeometric probabilities, and its mean logarithm is a Kullback-Leibler divergence. A
value is excluded once the divergence of the nearest null with that value is log(1/α) (3.0 at 95 %), or
log(2/α) (3.7) if half of the wealth is for each side. On average, no bets on labels of these strata grow
faster.
"""

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaln

from activeeval_widgets.stats import ErrorRate

N_STRATA = 10
SIDES = {"one side": 1, "both sides": 2}


class Strata:
    """The strata of a pool, and the value that numbers of counting instances give.

    They are of about equal size, by the model's confidence; for F₁ predicted positives and negatives have
    strata of their own.
    """

    def __init__(self, measure, model, y_true):
        self.is_risk = isinstance(measure, ErrorRate)
        if self.is_risk:
            counts = np.asarray(y_true) != model.y_pred
            groups = [np.arange(model.n_instances)]
            score = model.y_proba.max(axis=1)
        else:
            counts = np.asarray(y_true) == measure.positive
            is_predicted = np.asarray(model.y_pred) == measure.positive
            groups = [np.flatnonzero(is_predicted), np.flatnonzero(~is_predicted)]
            score = model.y_proba[:, model.code_of(measure.positive, name="positive")]
        self.of = np.empty(model.n_instances, dtype=np.intp)
        self.predicted = []
        for number, group in enumerate(groups):
            n_strata = N_STRATA if len(groups) == 1 or number else N_STRATA // 3
            for part in np.array_split(group[np.argsort(score[group], kind="stable")], n_strata):
                self.of[part] = len(self.predicted)
                self.predicted.append(not self.is_risk and number == 0)
        self.predicted = np.array(self.predicted)
        self.sizes = np.bincount(self.of)
        self.true = np.bincount(self.of, counts).astype(int)

    def labels(self, draws):
        """The number of labels in each stratum."""
        return np.bincount(self.of[draws], minlength=self.sizes.size)

    def slopes(self, value):
        """w and c: Σ w_h K_h = c if the value is this one."""
        if self.is_risk:
            return np.ones(self.sizes.size), value * self.sizes.sum()
        return 2.0 * self.predicted - value, value * self.sizes[self.predicted].sum()

    @property
    def truth(self):
        if self.is_risk:
            return self.true.sum() / self.sizes.sum()
        found = self.true[self.predicted].sum()
        return 2 * found / (self.sizes[self.predicted].sum() + self.true.sum())


def divergences(size, true, n_labels):
    """The mean log-likelihood ratio of the truth to K = 0, …, `size`, after `n_labels` labels."""
    if not n_labels:
        return np.zeros(size + 1)
    possible = np.arange(max(0, n_labels - size + true), min(true, n_labels) + 1)

    def log_chance(count, k):
        with np.errstate(invalid="ignore", divide="ignore"):
            found = _choose(count, k) + _choose(size - count, n_labels - k) - _choose(size, n_labels)
        return np.where((k <= count) & (n_labels - k <= size - count), found, -np.inf)

    log_p = log_chance(np.array(true), possible)
    against = log_chance(np.arange(size + 1)[:, np.newaxis], possible)
    return np.exp(log_p) @ (log_p - against).T


def _choose(n, k):
    n, k = np.broadcast_arrays(np.asarray(n, dtype=float), np.asarray(k, dtype=float))
    inside = (k >= 0) & (k <= n)
    n, k = np.where(inside, n, 1.0), np.where(inside, k, 0.0)
    return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)


def limit(strata, n_labels, alpha, n_sides):
    """The width of the limit, given the number of labels in each stratum."""
    tables = [
        divergences(*each) for each in zip(strata.sizes.tolist(), strata.true.tolist(), n_labels, strict=True)
    ]
    enough = np.log(n_sides / alpha)

    def growth(value):
        """Of the null with this value that is nearest to the truth; infinite if there is none."""
        slopes, wanted = strata.slopes(value)

        def nearest(tilt):
            found = [
                int(np.argmin(table - tilt * slope * np.arange(table.size)))
                for table, slope in zip(tables, slopes, strict=True)
            ]
            return found, float(slopes @ found) - wanted

        ends = 1e6 * np.array([-1.0, 1.0])
        gaps = [nearest(tilt)[1] for tilt in ends]
        if gaps[0] > 1e-9 or gaps[1] < -1e-9:
            return np.inf
        for _ in range(60):
            middle = ends.mean()
            ends[int(nearest(middle)[1] >= 0)] = middle
        # Between the two nulls beside the value it is linear: as if one stratum had a part of an instance.
        (below, gap), (above, over) = (nearest(tilt) for tilt in ends)
        costs = [
            sum(table[count] for table, count in zip(tables, each, strict=True)) for each in (below, above)
        ]
        for cost, missed in zip(costs, (gap, over), strict=True):
            if abs(missed) < 1e-9:
                return cost
        return costs[0] - gap / (over - gap) * (costs[1] - costs[0])

    width = 0.0
    for end in (0.0, 1.0):
        if growth(end) <= enough:
            reached = end
        else:
            reached = brentq(lambda value: min(growth(value), 1e9) - enough, end, strata.truth, xtol=1e-4)
        width += abs(reached - strata.truth)
    return width
