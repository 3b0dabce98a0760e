"""Labels as they come back from other tools, and what came of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from typing import Any

from activeeval_widgets.session.findings.estimation import Provisional
from activeeval_widgets.session.log.draw import Draw
from activeeval_widgets.stats import Estimate


@dataclass(frozen=True)
class GivenLabel:
    """What came back of one instance.

    Attributes
    ----------
    id : str
        The instance's id.
    label : object
        Its label; None: there is none yet.
    is_excluded : bool
        Whether it can't be labeled.
    reason : str or None
        Why not.
    seconds : float or None
        How long it took, where that is known.
    who : str or None
        Who gave the label, where that is known.
    note : str or None
        What was written down about it.
    where : str or None
        Where that is in a file: "row 7", say, for messages.

    See Also
    --------
    OfflineLabels.import_labels : Takes these.

    Examples
    --------
    >>> GivenLabel("review-7", "spam", seconds=4.5).label
    'spam'
    """

    id: str
    label: Any = None
    is_excluded: bool = False
    reason: str | None = None
    seconds: float | None = None
    who: str | None = None
    note: str | None = None
    where: str | None = None


@dataclass(frozen=True)
class ImportedLabels:
    """What came of labels that were imported.

    Attributes
    ----------
    n_new : int
        Instances that have a label now.
    n_excluded : int
        Instances that can't be labeled, as is known now.
    n_same : int
        Answers that were recorded already.
    n_changed : int
        Labels that took the place of others.
    n_kept : int
        Answers that were left out, as another one is recorded.
    n_empty : int
        Instances without an answer.
    still_out : tuple of str
        The ids of what was exported and has no answer yet.
    estimate : Estimate
        What the labels tell: of the draws up to the first one without an answer.
    provisional : Provisional or None
        The value from all labels, where some wait for an earlier draw.

    See Also
    --------
    OfflineLabels.import_labels : Gives it.

    Examples
    --------
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.stats import ErrorRate
    >>> session = Session(Pool(["a", "b", "c"], predictions=[[0.9, 0.1]] * 3), ErrorRate())
    >>> drawn = session.offline.export(2)
    >>> told = session.offline.import_labels({drawn[1].instance_id: 1})
    >>> told.n_new, len(told.still_out), told.estimate.n_labels, told.provisional.n_waiting
    (1, 1, 0, 1)
    """

    n_new: int
    n_excluded: int
    n_same: int
    n_changed: int
    n_kept: int
    n_empty: int
    still_out: tuple[str, ...]
    estimate: Estimate
    provisional: Provisional | None


@dataclass(frozen=True)
class Answer:
    """An answer that makes sense, and what is to be done with it."""

    given: GivenLabel
    index: int
    kind: str
    draw: Draw | None = None

    @property
    def order(self) -> tuple[float, int]:
        """In draw order; changes last."""
        return (float("inf") if self.draw is None else self.draw.number), self.index

    @property
    def words(self) -> str:
        """The answer in words."""
        return "one that can't be labeled" if self.given.is_excluded else repr(self.given.label)

    def says_as(self, other: "Answer") -> bool:
        """Whether another one says the same."""
        ours, theirs = self.given, other.given
        return (ours.is_excluded, ours.label) == (theirs.is_excluded, theirs.label)


class AnsweredError(Exception):
    """Another program has recorded an answer meanwhile."""


def where_in_file(given: GivenLabel) -> str:
    """Where an answer is in a file, if that is known, and which instance it is about."""
    return f"{'' if given.where is None else f'{given.where}, '}id {given.id!r}"


def as_given(labels: Any) -> list[GivenLabel]:
    """Labels in the one form in which they are checked."""
    if hasattr(labels, "items") and not isinstance(labels, list | tuple):
        return [
            GivenLabel(str(name), None if _is_missing(label) else label) for name, label in labels.items()
        ]
    given = list(labels) if isinstance(labels, Iterable) and not isinstance(labels, str | bytes) else [labels]
    for each in given:
        if not isinstance(each, GivenLabel):
            raise TypeError(
                f"labels must be a mapping from id to label, or GivenLabels, got {each!r:.80}: "
                "of a table, table.set_index('id')['label']"
            )
    return given


def _is_missing(label: Any) -> bool:
    return label is None or (isinstance(label, float) and not isfinite(label) and label != label)
