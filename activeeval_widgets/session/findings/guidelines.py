"""How many labels from before a change of the guidelines would be others by the new ones."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, floor
from typing import TYPE_CHECKING, Any

import numpy as np

from activeeval_widgets.session.findings.shown import Shown
from activeeval_widgets.session.log.state import State
from activeeval_widgets.stats.adaptive._share_band import share_ends
from activeeval_widgets.stats.intervals import at_once
from activeeval_widgets.stats.text import counted, percent

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings

_SHARE, _LEAST, _MOST = 0.2, 10, 40
"""The share of earlier labels that are asked again, within these numbers."""

_STREAM = 1_000_039
"""A random stream of its own, apart from that of the draws."""

_ROUNDING = 1e-6


@dataclass(frozen=True)
class GuidelinesCheck:
    """How many labels from before the present guidelines would be others by them.

    Attributes
    ----------
    n_labels : int
        The number of labels from before.
    n_asked, n_given, n_differing : int
        Of these, how many are asked again, how many have a new label, and how many have another one.
    low, high : int
        The interval of how many of the labels from before would be others, simultaneously valid at any number
        of answers.
    confidence_level : float
        Its level.

    See Also
    --------
    Findings.guidelines : Returns one.

    Examples
    --------
    >>> print(GuidelinesCheck(100, 20, 20, 3, 5, 44, 0.95).sentence)
    The guidelines changed after 100 labels. 20 of them were asked again, and 3 got another label: by these \
guidelines, 5 to 44 of the 100 would (95% interval, valid however often you look).
    """

    n_labels: int
    n_asked: int
    n_given: int
    n_differing: int
    low: int
    high: int
    confidence_level: float

    @property
    def sentence(self) -> str:
        """The result in words."""
        text = f"The guidelines changed after {counted(self.n_labels, 'labels')}."
        left = self.n_asked - self.n_given
        waiting = f" {left:,} {'more are' if self.n_given else 'of them are'} asked again among new ones."
        if not self.n_given:
            return text + waiting
        known = f"exactly {self.low:,} of the {self.n_labels:,} would"
        if self.low < self.high:
            known = (
                f"{self.low:,} to {self.high:,} of the {self.n_labels:,} would "
                f"({percent(self.confidence_level)} interval, valid however often you look)"
            )
        was = "was" if self.n_given == 1 else "were"
        text += (
            f" {self.n_given:,} of them {was} asked again, and {self.n_differing:,} got another label: by "
            f"these guidelines, {known}."
        )
        return text + (waiting if left else "")


def labels_to_ask_again(state: State, seed: int) -> list[int]:
    """Return a random sample of the labels so far, in random order."""
    given = list(state.raters())
    n = min(len(given), max(_LEAST, min(_MOST, ceil(_SHARE * len(given)))))
    rng = np.random.Generator(np.random.PCG64([seed, _STREAM, len(state.log)]))
    return [given[position] for position in rng.permutation(len(given))[:n].tolist()]


def guidelines(findings: "Findings", *, confidence_level: float | None = None) -> GuidelinesCheck | None:
    """Estimate how many labels from before the present guidelines would be others by them.

    Labels that were asked again, in random order, are a random sample of these. Where several people label,
    each is asked their own labels; a person's answers count up to the first that is put off, since what is
    put off tends to be difficult.

    Parameters
    ----------
    confidence_level : float, optional
        By default the session's.

    Returns
    -------
    GuidelinesCheck or None
        None if the guidelines have not changed since the first label.

    See Also
    --------
    Revisions.declare_guidelines : Declares the present guidelines.

    Examples
    --------
    >>> session = Session(Pool(["a", "b"], predictions=[[0.9, 0.1]] * 2), ErrorRate())
    >>> event = session.revisions.declare_guidelines("Irony is negative.")
    >>> first, event = session.label(1), session.revisions.declare_guidelines("Irony is positive.")
    >>> while session.findings.guidelines().n_given < 1:
    ...     event = session.label(0)
    >>> session.findings.guidelines().n_differing
    1
    """
    since = findings.log.state.guidelines
    if since is None or not since.earlier:
        return None
    level = findings._level(confidence_level)
    n_labels = Counter(since.earlier.values())
    alpha = 1 - at_once(level, len(n_labels))
    low, high = 0, 0
    for who, n in n_labels.items():
        sample: list[bool] = []
        for instance, is_other in since.again.items():
            if since.earlier[instance] != who:
                continue
            if is_other is None:
                break
            sample.append(is_other)
        least, greatest = (
            share_ends(sum(sample), len(sample) - sum(sample), n, alpha) if sample else (0.0, 1.0)
        )
        # The number is whole.
        low += ceil(least * n - _ROUNDING)
        high += floor(greatest * n + _ROUNDING)
    given = [is_other for is_other in since.again.values() if is_other is not None]
    return GuidelinesCheck(sum(n_labels.values()), len(since.again), len(given), sum(given), low, high, level)


# -- how it is shown


def _is_there(session: "Findings") -> bool:
    return session.guidelines() is not None


def _content(session: "Findings", options: Mapping[str, Any]) -> dict[str, Any]:
    del options
    return {"summary": " ".join(_paragraphs(session))}


def _paragraphs(session: "Findings") -> list[str]:
    found = session.guidelines()
    if found is None:
        return []
    rest = " What got another label counts with the new one." if found.n_differing else ""
    return [found.sentence + rest]


SHOWN = Shown(
    name="asked-again",
    title="Since the guidelines changed",
    kind="text",
    is_there=_is_there,
    content=_content,
    paragraphs=_paragraphs,
)
