"""The definition of a race, and the methods that can take part."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from activeeval_widgets.session import Pool, Session
from activeeval_widgets.session.arguments import check_budget
from activeeval_widgets.session.pool.other_libraries import as_column
from activeeval_widgets.stats import Measure, pool_value, uniform_q
from activeeval_widgets.stats._validation import check_count

MAX_LABELS = 200
"""The default budget, unless the pool is smaller."""


@dataclass(frozen=True)
class Method:
    """A method of choosing instances and of estimating from their labels.

    Attributes
    ----------
    title : str
        The name on the page.
    draws, estimate : str
        Its draws, and its estimate, in words.
    """

    title: str
    draws: str
    estimate: str


METHODS: dict[str, Method] = {
    "active": Method(
        "Active",
        "draws without replacement, from a distribution that learns from the labels",
        "the model's expectation, corrected by the labels (control variate)",
    ),
    "papers": Method(
        "Papers\N{RIGHT SINGLE QUOTATION MARK} q*",
        "draws with replacement, from the papers' optimal distribution, fixed beforehand",
        "weighted average (self-normalized)",
    ),
    "uniform": Method(
        "Uniform", "draws with replacement, all instances alike", "the measure of what was drawn"
    ),
}
"""All methods by name; "active" is a session's default."""


class Contest:
    """A pool with all its labels, the measure to estimate, and the number of labels for each racer.

    Attributes
    ----------
    truth : float
        The measure on the whole pool; for two models, the difference of the first and the second.
    """

    def __init__(
        self,
        pool: Pool,
        measure: Measure,
        y_true: Any,
        *,
        budget: int | None = None,
        y_range: tuple[float, float] | None = None,
    ) -> None:
        n = pool.n_instances
        wanted = check_budget(budget)
        self.budget = min(MAX_LABELS if wanted is None else wanted, n)
        y_true = as_column("y_true", y_true)
        if isinstance(y_true, Mapping | str | set) or not hasattr(y_true, "__len__"):
            raise TypeError(f"y_true must be a sequence with the label of every instance, got {y_true!r:.80}")
        pool.row_order.check("y_true", y_true)
        if len(y_true) != n:
            raise ValueError(f"y_true has {len(y_true):,} labels, but there are {n:,} instances")
        self._measure, self._y_range = measure, y_range
        self.pool = pool
        session = self.begin("uniform", 0)
        self.measure, self.models, self.labels = session.measure, session.models, session.labels
        self.y_true: list[Any] = [self._checked(value, index) for index, value in enumerate(y_true)]
        decoded = session.labels.decode(self.y_true, range(n))
        values = [pool_value(self.measure, model, decoded) for model in session.models]
        self.truth = values[0] if len(values) == 1 else values[0] - values[1]
        if not np.isfinite(self.truth):
            raise ValueError(
                f"{self.measure.name} is not defined on this pool: with the labels in y_true there is "
                "nothing that it counts. Choose another measure"
            )

    def begin(self, method: str, seed: int, **options: Any) -> Session:
        """Return a new session by one of the methods, with further options of a session."""
        pool = self.pool
        how: dict[str, Any] = {"protocol": "adaptive"}
        if method != "active":
            how = {"protocol": "papers"}
        if method == "uniform":
            how = {"q": uniform_q(pool.n_instances)}
        how |= {"budget": self.budget, "seed": seed, "y_range": self._y_range, **options}
        return Session(pool, self._measure, **how)

    def _checked(self, value: Any, index: int) -> Any:
        name = f"y_true[{index}] (instance {self.pool.ids[index]})"
        if value is None or (isinstance(value, float | np.floating) and np.isnan(value)):
            raise ValueError(
                f"{name} is missing: a race needs the label of every instance. Leave out those that have none"
            )
        try:
            return self.labels.check(value, index)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{name}: {error}") from error


def check_methods(methods: Any) -> tuple[str, str]:
    """Validate the names of the two methods in a race."""
    if isinstance(methods, str) or not isinstance(methods, Sequence):
        raise TypeError(f"methods must be two names, such as ('active', 'uniform'), got {methods!r}")
    known = ", ".join(map(repr, METHODS))
    for method in methods:
        if method not in METHODS:
            raise ValueError(f"methods names {method!r}, expected two of {known}")
    if len(methods) != 2 or methods[0] == methods[1]:
        raise ValueError(f"methods must be two distinct ones of {known}, got {list(methods)!r}")
    return methods[0], methods[1]


def check_seed(seed: Any) -> int:
    """Validate the seed of a race, which must be exact as a number in JavaScript."""
    checked = check_count("seed", seed)
    if checked >= 2**52:
        raise ValueError(f"seed must be below 2**52, got {seed!r}")
    return checked
