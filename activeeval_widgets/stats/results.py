"""Frozen results."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from math import floor, inf, isfinite, log10, nan

from activeeval_widgets.stats._equality import EqualByFields
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.quantities import Quantity
from activeeval_widgets.stats.text import counted, percent


@dataclass(frozen=True, eq=False)
class Estimate(EqualByFields):
    """An estimate of a measure, with its interval.

    Attributes
    ----------
    value : float
        The estimate; for two models, the first's measure minus the second's. NaN while it is not defined (no
        draws, or no positive for a recall).
    standard_error : float
        The value's standard error at this number of draws, whatever the interval; NaN if it can't be
        estimated, because no draw deviates from the estimate.
    low, high : float
        The interval, within the measure's range.
    n_draws : int
        The draws in the estimate, including repeats.
    n_labels : int
        The distinct instances among them, that is, the labels that were paid for.
    n_excluded : int
        The distinct instances that were drawn and excluded; they do not count in `n_draws`.
    effective_sample_size : float
        (Σ v)² / Σ v², the number of equally weighted draws with the same total weight and sum of squares.
    confidence_level : float
        The interval's nominal level.
    estimator, interval : str
        The methods that computed the estimate and the interval.
    statistic, pvalue : float
        For two models, the Wald statistic and the two-sided p-value of "no difference" that belongs to the
        interval: the smallest α whose interval excludes 0. With a confidence sequence the p-value is
        anytime-valid and there is no statistic; otherwise they are for one fixed number of draws. NaN for one
        model.
    is_asymptotic : bool
        Whether the interval is approximate: valid only in the limit of many draws, or under an assumed range
        of labels. False for "clopper_pearson", and for an exact confidence sequence.
    withheld : bool
        Whether the interval is the whole range because a narrower one might not be valid.
    reason : str, or None
        Why it is withheld, what it assumes, or why it is not to be relied on, in a sentence.
    approximate_low, approximate_high : float
        An approximate interval that holds at all numbers of labels, in the limit of many: mostly narrower
        than a guaranteed one. NaN if it is withheld.
    approximate_error : float
        The standard error used for it, at least `standard_error`; NaN if it is withheld.
    approximate_skew : float
        The size of the influences that widen it on one side, signed by that side; NaN if it is withheld. See
        `docs/explanations/intervals.md`.
    approximate_reason : str, or None
        Why the approximate interval is withheld, in a sentence.
    quantity : Quantity, or None
        The estimated quantity, for the text form.

    See Also
    --------
    estimate, estimate_adaptive : Compute it.

    Examples
    --------
    >>> result = estimate(ErrorRate(), model, uniform_q(3), [], [])
    >>> result.is_defined, result.low, result.high
    (False, 0.0, 1.0)
    >>> estimate(ErrorRate(), model, uniform_q(3), [0, 1, 2], [0, 0, 1], interval="wilson")
    <Error rate: 33% (approximately 6%–80%) after 3 labels>
    """

    value: float
    standard_error: float
    low: float
    high: float
    n_draws: int
    n_labels: int
    effective_sample_size: float
    confidence_level: float
    estimator: str
    interval: str
    statistic: float = nan
    pvalue: float = nan
    is_asymptotic: bool = True
    n_excluded: int = 0
    withheld: bool = False
    reason: str | None = None
    approximate_low: float = nan
    approximate_high: float = nan
    approximate_reason: str | None = None
    approximate_error: float = nan
    approximate_skew: float = nan
    quantity: Quantity | None = field(default=None, compare=False)

    def __str__(self) -> str:
        """Return the estimate in words: "F1 of spam: 0.62 (0.55–0.69) after 120 labels"."""
        labels = counted(self.n_labels, "labels")
        return f"{self._name()}{self._in_numbers()} after {labels}"

    def __repr__(self) -> str:
        return f"<{self}>"

    def _name(self) -> str:
        if self.quantity is None:
            return ""
        name = self.quantity.name
        return f"{name if name[1:2].isupper() else name[:1].upper() + name[1:]}: "

    def _in_numbers(self) -> str:
        if not self.is_defined:
            return "not defined," if self.standard_error == 0 else "not known yet,"
        if self.quantity is not None:
            numbers = Numbers.of(self.quantity, self)
            if self.withheld:
                return f"{numbers.value(self.value)}, without an interval yet,"
            return numbers.with_interval(self, "approximately " if self.is_asymptotic else "")
        decimals = _decimals(self.high - self.low)
        return f"{self.value:.{decimals}f} ({self.low:.{decimals}f} to {self.high:.{decimals}f})"

    def _repr_html_(self) -> str:
        kind = "approximate" if self.is_asymptotic else "guaranteed"
        return f"<div>{escape(str(self))}, {percent(self.confidence_level)}, {kind}</div>"

    @property
    def has_approximate(self) -> bool:
        """Whether there is an approximate interval."""
        return isfinite(self.approximate_low)

    @property
    def is_defined(self) -> bool:
        """Whether there is an estimate."""
        return isfinite(self.value)


def _decimals(width: float) -> int:
    """Return the decimals that show two digits of an interval's width; three if it has none."""
    if not 0 < width < inf:
        return 3
    return min(max(1 - floor(log10(width)), 0), 12)


@dataclass(frozen=True, eq=False)
class PairwiseComparison(EqualByFields):
    """The comparison of two out of several models.

    Attributes
    ----------
    first, second : int
        The models' positions.
    value : float
        The first's measure minus the second's.
    standard_error : float
        NaN if the draws do not determine it.
    statistic : float
        |value| / standard error; for Tukey's test, the pair's studentized range.
    pvalue : float
        Adjusted for all pairs: if it is below α, the two differ at family-wise level α.

    See Also
    --------
    compare_all : Compute a table of comparisons.

    Examples
    --------
    >>> row = PairwiseComparison(0, 1, value=0.1, standard_error=0.05, statistic=2.0, pvalue=0.09)
    >>> row.pvalue < 0.05
    False
    """

    first: int
    second: int
    value: float
    standard_error: float
    statistic: float
    pvalue: float


@dataclass(frozen=True)
class PairwiseTable:
    """All pairwise comparisons of several models.

    Attributes
    ----------
    rows : tuple of PairwiseComparison
        In the order (0, 1), (0, 2), …, (1, 2), …
    values : tuple of float
        The estimate of each model.
    correction : str
        The adjustment of p-values.
    n_draws : int
        The number of draws.

    See Also
    --------
    compare_all : Compute the table.

    Examples
    --------
    >>> row = PairwiseComparison(0, 1, value=0.1, standard_error=0.05, statistic=2.0, pvalue=0.09)
    >>> table = PairwiseTable((row,), values=(0.3, 0.2), correction="holm", n_draws=50)
    >>> table[0, 1].value, table.pvalue
    (0.1, 0.09)
    """

    rows: tuple[PairwiseComparison, ...]
    values: tuple[float, ...]
    correction: str
    n_draws: int

    @property
    def pvalue(self) -> float:
        """The p-value of "no two models differ": the smallest adjusted one."""
        defined = [row.pvalue for row in self.rows if row.pvalue == row.pvalue]
        return min(defined, default=nan)

    def __iter__(self) -> Iterator[PairwiseComparison]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, pair: int | tuple[int, int]) -> PairwiseComparison:
        """Return a row by its position, or by a pair of models with the smaller position first."""
        if isinstance(pair, tuple):
            found = [row for row in self.rows if (row.first, row.second) == pair]
            if not found:
                raise KeyError(pair)
            return found[0]
        return self.rows[pair]
