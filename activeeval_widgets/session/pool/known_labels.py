"""Labels that were known before a session, and how their instances were chosen."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from activeeval_widgets.session.pool.fingerprints import as_json, digest_of_parts
from activeeval_widgets.session.pool.missing import is_missing
from activeeval_widgets.stats import Predictions

DRAWN = ("uniformly", "unknown")
"""How labeled instances were chosen: a uniform random sample of the pool, or it is not known how."""


class KnownLabels(NamedTuple):
    """Labels that were known before a session.

    Attributes
    ----------
    values : dict of int to object
        The labels by index, ascending.
    drawn : {"uniformly", "unknown"}
        How the instances were chosen.
    """

    values: dict[int, Any]
    drawn: str

    @property
    def is_sample(self) -> bool:
        """Whether the instances are a uniform random sample of the pool."""
        return self.drawn == "uniformly"

    def stored(self, labels: "CheckedLabels", ids: Sequence[str]) -> dict[int, Any]:
        """Return the labels by index as a session stores them, after checking that they are possible ones."""
        found = {}
        for index, value in self.values.items():
            try:
                found[index] = labels.check(value, index)
            except (ValueError, TypeError) as error:
                raise type(error)(f"labels, id {ids[index]!r}: {error}") from error
        return found

    @property
    def fingerprint(self) -> str:
        """A digest of the labels, and of how they were chosen."""
        parts = (as_json(index, repr(value)) for index, value in self.values.items())
        return f"{self.drawn}/{digest_of_parts('labels', parts)}"


class CheckedLabels(Protocol):
    """What checks a label; see `Labels`."""

    def check(self, value: Any, index: int, /) -> Any:
        """Check a label and return it as it is stored."""


def n_sampled(known: KnownLabels | None) -> int:
    """Return the number of known labels that are a session's first draws."""
    return len(known.values) if known is not None and known.is_sample else 0


def check_known(
    labels: Any, drawn: str | None, ids: Sequence[str], models: Sequence[Predictions], *, is_streamed: bool
) -> KnownLabels | None:
    """Return the labels by index; None if there are none. Sessions check whether they are possible ones."""
    if drawn is not None and drawn not in DRAWN:
        raise ValueError(
            f"drawn must be one of {', '.join(map(repr, sorted(DRAWN)))}, got {drawn!r}: a sample with other "
            "probabilities is 'unknown', and only guides the draws"
        )
    if labels is None:
        if drawn == "uniformly":
            raise ValueError(f"drawn is {drawn!r}, but there are no labels: name them with labels (--labels)")
        return None
    if models[0].label_kind == "grades":
        raise ValueError("labels are for classes and numbers: earlier grades of rankings are judged (qrels)")
    if is_streamed:
        raise ValueError("labels need all instances in memory, and these are streamed: leave labels out")
    values = _by_index(labels, ids)
    if not values:
        raise ValueError(f"labels has no label for any of {len(ids):,} instances: leave it out")
    known = KnownLabels(values, "unknown" if drawn is None else drawn)
    if known.is_sample and len(values) == len(ids):
        raise ValueError(
            f"labels has a label for each of {len(ids):,} instances, so that nothing is left to ask: compute "
            "the measure with pool_value, or check these labels with drawn='unknown' (--drawn unknown)"
        )
    return known


def _by_index(labels: Any, ids: Sequence[str]) -> dict[int, Any]:
    if isinstance(labels, Mapping):
        index_of = {name: index for index, name in enumerate(ids)}
        given = {str(name): value for name, value in labels.items()}
        unknown = next((name for name in given if name not in index_of), None)
        if unknown is not None:
            raise ValueError(f"labels has the id {unknown!r}, which is not in the pool")
        pairs = sorted(((index_of[name], value) for name, value in given.items()), key=lambda pair: pair[0])
    elif isinstance(labels, str) or not hasattr(labels, "__len__"):
        raise TypeError(f"labels must be a sequence or a mapping from id to label, got {labels!r:.80}")
    elif len(labels) != len(ids):
        raise ValueError(
            f"labels has {len(labels)} entries, expected one for each of {len(ids)} instances; None without "
            "a label"
        )
    else:
        pairs = list(enumerate(labels))
    return {
        index: value.item() if isinstance(value, np.generic) else value
        for index, value in pairs
        if not is_missing(value)
    }
