"""Labels imported from other tools, and the result of an import."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from activeeval_widgets.session.findings.estimation import Provisional
from activeeval_widgets.session.log.draw import Draw
from activeeval_widgets.session.pool.missing_values import is_missing
from activeeval_widgets.stats import Estimate


@dataclass(frozen=True)
class GivenLabel:
    """The answer for one instance that another tool returned.

    Attributes
    ----------
    id : str
        The instance's id.
    label : object
        Its label; None if it has none yet.
    is_excluded : bool
        Whether the instance can't be labeled.
    reason : str or None
        Why it can't be labeled.
    seconds : float or None
        How long labeling took, if known.
    who : str or None
        Who gave the label, if known.
    note : str or None
        The rater's note.
    where : str or None
        Its place in a file, such as "row 7", for error messages.

    See Also
    --------
    OfflineLabels.import_labels : Imports these.

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
    """The result of an import of labels.

    Attributes
    ----------
    n_new : int
        Instances that got a label.
    n_excluded : int
        Instances that were excluded.
    n_same : int
        Answers that were recorded already.
    n_changed : int
        Labels that replaced others.
    n_kept : int
        Answers that were ignored because another one is recorded.
    n_empty : int
        Instances without an answer.
    still_out : tuple of str
        The ids of exported instances that have no answer yet.
    estimate : Estimate
        The estimate from the draws before the first one without an answer.
    provisional : Provisional or None
        The value from all labels, if some wait for the answer to an earlier draw.

    See Also
    --------
    OfflineLabels.import_labels : Returns it.

    Examples
    --------
    >>> drawn = session.offline.export(2)
    >>> result = session.offline.import_labels({drawn[1].instance_id: 1})
    >>> result.n_new, len(result.still_out), result.estimate.n_labels, result.provisional.n_waiting
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
    """A checked answer, and how to record it."""

    given: GivenLabel
    index: int
    kind: str
    draw: Draw | None = None

    @property
    def order(self) -> tuple[float, int]:
        """Sort key: draw order, changes last."""
        return (float("inf") if self.draw is None else self.draw.number), self.index

    @property
    def words(self) -> str:
        """The answer in words."""
        return "one that can't be labeled" if self.given.is_excluded else repr(self.given.label)

    def agrees_with(self, other: "Answer") -> bool:
        """Return whether another answer has the same content."""
        ours, theirs = self.given, other.given
        return (ours.is_excluded, ours.label) == (theirs.is_excluded, theirs.label)


class AnsweredError(Exception):
    """Another process has recorded an answer meanwhile."""


def where_in_file(given: GivenLabel) -> str:
    """Return the place of an answer in its file, if known, and the id of its instance."""
    return f"{'' if given.where is None else f'{given.where}, '}id {given.id!r}"


def to_given_labels(labels: Any) -> list[GivenLabel]:
    """Convert a mapping, Series or iterable to a list of GivenLabel."""
    if hasattr(labels, "items") and not isinstance(labels, list | tuple):
        return [GivenLabel(str(name), None if is_missing(label) else label) for name, label in labels.items()]
    given = list(labels) if isinstance(labels, Iterable) and not isinstance(labels, str | bytes) else [labels]
    for each in given:
        if not isinstance(each, GivenLabel):
            raise TypeError(
                f"labels must be a mapping from id to label, or GivenLabels, got {each!r:.80}: "
                "of a table, table.set_index('id')['label']"
            )
    return given
