"""The verdict on two models: which is better, or that they are equivalent."""

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from activeeval_widgets.session.findings.leaderboard import better_of, side_of
from activeeval_widgets.session.findings.sentences import begun
from activeeval_widgets.session.findings.watched_interval import WatchedInterval
from activeeval_widgets.session.log.is_valid_next import is_margin
from activeeval_widgets.session.log.state import DeclaredMargin
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats.numbers import Numbers, exact_text, formatted, outward
from activeeval_widgets.stats.quantities import Differences
from activeeval_widgets.stats.text import counted

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings

_ROUNDING = 1e-9

INFORMATIVE = 0.95
"""A bound above this share of the possible range, or an interval that covers more of it, is not stated."""


@dataclass(frozen=True)
class Verdict:
    r"""Which of two models is better according to the confidence sequence.

    With probability at least the confidence level no verdict is ever wrong, whatever margins are declared and
    when: all verdicts rest on one confidence sequence.

    Attributes
    ----------
    names : tuple of two str
        The names of the models.
    measure : Measure
        The measure by which they are compared.
    low, high : float
        The interval of the first model's measure minus the second's.
    better : str or None
        The better model: the one with the greater measure or the smaller loss. None if unknown or if both are
        equal.
    at_least : float or None
        The least difference, in the measure's unit; None if neither is known to be better.
    within : float
        The greatest absolute difference.
    margin : float or None
        The difference below which models are equivalent.
    is_equivalent : bool
        Whether they are known to differ by less than the margin. One of them may still be known to be better.
    is_exact : bool
        Whether the difference is known exactly, as all instances that affect it are labeled.
    is_asymptotic : bool
        Whether the interval is approximate.
    confidence_level : float
        The level of the interval.
    n_labels : int
        The number of labels.
    is_uninformative : bool
        Whether the interval is nearly as wide as before the first label.

    See Also
    --------
    Session.verdict : Returns it.
    Revisions.declare_margin : Declares which differences don't matter.

    Examples
    --------
    >>> models = {"old": [[0.9, 0.1]] * 3, "new": [[0.2, 0.8]] * 3}
    >>> session = Session(Pool(["a", "b", "c"], predictions=models), ErrorRate())
    >>> while session.next() is not None:
    ...     event = session.label(1)
    >>> verdict = session.verdict()
    >>> verdict.better, verdict.at_least, verdict.is_decided
    ('new', 1.0, True)
    >>> str(verdict)
    'Known: new is better by 100.0\xa0points.'
    """

    names: tuple[str, str]
    measure: Measure
    low: float
    high: float
    better: str | None
    at_least: float | None
    within: float
    margin: float | None
    is_equivalent: bool
    is_exact: bool
    is_asymptotic: bool
    confidence_level: float
    n_labels: int
    is_uninformative: bool = False

    @property
    def is_decided(self) -> bool:
        """Whether a model is better, both are equivalent, or their difference is known."""
        return self.better is not None or self.is_equivalent or self.is_exact

    def __str__(self) -> str:
        """See `text`."""
        return self.text()

    def __repr__(self) -> str:
        return f"<{self}>"

    def text(self, label_unit: str | None = None) -> str:
        """Return the verdict as a sentence. Bounds are rounded conservatively.

        Parameters
        ----------
        label_unit : str, optional
            The unit of labels that are numbers.
        """
        return f"{begun(self.claim(label_unit), self.names)}."

    def claim(self, label_unit: str | None = None) -> str:
        """Return the verdict as a clause, without capital and period."""
        quantity, margins = Differences(self.measure), () if self.margin is None else (self.margin,)
        if self.is_exact:
            return self._known(quantity.unit(label_unit))
        # With the digits of the interval, which stands beside it.
        numbers = Numbers(quantity, (self.high - self.low) / 2, unit=label_unit, apart=margins)
        most = numbers.with_unit(numbers.bound(self.within, up=True))
        if self.better is not None and self.at_least is not None:
            least = numbers.bound(self.at_least, up=False)
            if self.is_equivalent:
                margin = self.margin_text(label_unit)
                return f"{self.better} is better, but by less than {margin}: by {least} to {most}"
            if not float(least.replace(",", "")):
                return f"{self.better} is better"
            return f"{self.better} is better by at least {numbers.with_unit(least)}"
        if self.is_equivalent:
            return f"they differ by less than {self.margin_text(label_unit)}: by at most {most}"
        if self.is_uninformative or not isfinite(self.within):
            return "not decided yet"
        return f"not decided yet: they differ by at most {most}"

    def _known(self, unit: str) -> str:
        if self.better is None or self.at_least is None:
            return f"known: both models have the same {self.measure.name}"
        size = formatted(self.measure, self.at_least)
        if not float(size.replace(",", "")):
            size = outward(self.measure, self.at_least, up=False)
        less = f", less than the margin of {self.margin_text()}" if self.is_equivalent else ""
        return f"known: {self.better} is better by {size}{unit}{less}"

    def margin_text(self, label_unit: str | None = None) -> str:
        """Return the margin in words, such as "1 point"; "" if there is none."""
        return "" if self.margin is None else margin_text(self.measure, self.margin, label_unit)


def margin_text(measure: Measure, margin: float, label_unit: str | None = None) -> str:
    r"""Return a margin in words, with its own number of digits."""
    return exact_text(Differences(measure), margin, label_unit)


WITHOUT_TWO = "compare two (--compare A,B), or leave it out"
"""The remedy where a session that is not about two models is given a margin."""


def check_margin(value: Any) -> float | None:
    """Check a margin: a positive finite number, or None."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"margin must be a number or None, got {value!r}")
    if not is_margin(value):
        raise ValueError(
            f"margin is {value!r}, expected a positive finite number, such as 0.01 for one percentage point"
        )
    return float(value)


def read_verdict(
    session: "Findings", measure: Measure, watched: WatchedInterval, margin: float | None
) -> Verdict:
    """Compute the verdict from an up-to-date interval."""
    first, second = session.question.names
    low, high = watched.low, watched.high
    is_exact = low == high
    is_known = not watched.withheld
    better = better_of(side_of(low, high), measure) if is_known else None
    within = max(high, -low)
    extent = max(watched.whole[1], -watched.whole[0])
    return Verdict(
        names=(first, second),
        measure=measure,
        low=low,
        high=high,
        better=None if better is None else (first, second)[better],
        at_least=None if better is None else max(low, -high),
        within=within,
        margin=margin,
        # Less than the margin, not equal to it up to rounding: the sentence says "less".
        is_equivalent=is_known and margin is not None and within < margin * (1 - _ROUNDING),
        is_exact=is_exact,
        is_asymptotic=watched.is_asymptotic,
        confidence_level=watched.confidence_level,
        n_labels=session.n_labels,
        is_uninformative=not is_known or not within < INFORMATIVE * extent,
    )


def declared_text(measure: Measure, declared: DeclaredMargin, label_unit: str | None = None) -> str:
    """Return a declared margin in words, such as "1 point, set after 40 labels"."""
    what = "none" if declared.value is None else margin_text(measure, declared.value, label_unit)
    n = declared.n_labels
    when = "before the first label" if not n else f"after {counted(n, 'labels')}"
    return f"{what}, set {when}"
