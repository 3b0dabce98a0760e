"""Labels that were known before a session, and how their instances were chosen."""

from collections.abc import Mapping, Sequence
from math import log
from typing import Any, NamedTuple, Protocol

import numpy as np

from activeeval_widgets.session.pool.fingerprints import as_json, digest_of_parts
from activeeval_widgets.session.pool.missing_values import is_missing
from activeeval_widgets.session.pool.other_libraries import as_column
from activeeval_widgets.stats import Predictions
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_float_array, refuse_masked
from activeeval_widgets.stats.predictions.base import read_only
from activeeval_widgets.stats.predictions.class_labels import plain_label

DRAWN = ("uniformly", "unknown")
"""How labeled instances were chosen: a uniform random sample of the pool, or it is not known how."""

_UNLIKELY = 1e-9
"""Inclusion probabilities are refused if as many labels, or as few, have at most this probability by them."""


class KnownLabels(NamedTuple):
    """Labels that were known before a session, by ascending index, and how they were drawn."""

    values: dict[int, Any]
    drawn: str | FloatArray  # one of `DRAWN`, or each instance's probability

    @property
    def is_sample(self) -> bool:
        """Whether the instances are a random sample of the pool."""
        return self.probabilities is not None or self.drawn == "uniformly"

    @property
    def probabilities(self) -> FloatArray | None:
        """Each instance's probability of being in the sample, if they differ."""
        return None if isinstance(self.drawn, str) else self.drawn

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
        drawn = (
            self.drawn
            if isinstance(self.drawn, str)
            else f"by {digest_of_parts('drawn', map(repr, self.drawn.tolist()))}"
        )
        return f"{drawn}/{digest_of_parts('labels', parts)}"


class CheckedLabels(Protocol):
    """What checks a label; see `Labels`."""

    def check(self, value: Any, index: int, /) -> Any:
        """Check a label and return it as it is stored."""


def n_sampled(known: KnownLabels | None) -> int:
    """Return the number of known labels that are a session's first draws."""
    return len(known.values) if known is not None and known.is_sample else 0


def check_known(
    labels: Any, drawn: Any, ids: Sequence[str], models: Sequence[Predictions], *, is_streamed: bool
) -> KnownLabels | None:
    """Return the labels by index; None if there are none. Sessions check whether they are possible ones."""
    how = "unknown" if drawn is None else drawn
    if isinstance(how, str) and how not in DRAWN:
        raise ValueError(
            f"drawn must be one of {', '.join(map(repr, sorted(DRAWN)))}, got {how!r}: a sample with other "
            "probabilities has one for each instance (--drawn-by)"
        )
    if labels is None:
        if not isinstance(how, str) or how == "uniformly":
            text = repr(how) if isinstance(how, str) else "given"
            raise ValueError(f"drawn is {text}, but there are no labels: name them with labels (--labels)")
        return None
    if models[0].label_kind == "grades":
        raise ValueError("labels are for classes and numbers: earlier grades of rankings are judged (qrels)")
    if is_streamed:
        raise ValueError("labels need all instances in memory, and these are streamed: leave labels out")
    values = _by_index(labels, ids)
    if not values:
        raise ValueError(f"labels has no label for any of {len(ids):,} instances: leave it out")
    known = KnownLabels(values, how if isinstance(how, str) else _inclusion(how, ids, values))
    if known.is_sample and len(values) == len(ids):
        raise ValueError(
            f"labels has a label for each of {len(ids):,} instances, so that nothing is left to ask: compute "
            "the measure with pool_value, or check these labels with drawn='unknown' (--drawn unknown)"
        )
    return known


def _inclusion(drawn: Any, ids: Sequence[str], values: Mapping[int, Any]) -> FloatArray:
    """Return the probability of each instance to be in the sample, after checking that they can be these."""
    remedy = "drawn='unknown' (--drawn unknown) uses the labels without probabilities"
    given = check_float_array("drawn", drawn, ndim=1, shape="(n_instances,)")
    if given.size != len(ids):
        raise ValueError(
            f"drawn has {given.size} probabilities, expected one for each of {len(ids)} instances, in the "
            f"sample or not; {remedy}"
        )
    outside = (given <= 0) | (given > 1)
    if outside.any():
        at = int(np.argmax(outside))
        raise ValueError(
            f"drawn is {given[at]:g} for id {ids[at]!r}, expected the probability with which it got into the "
            f"sample, above 0 and at most 1: take what could not be drawn out of the pool; {remedy}"
        )
    missed = next((at for at in np.flatnonzero(given == 1).tolist() if at not in values), None)
    if missed is not None:
        raise ValueError(
            f"drawn is 1 for id {ids[missed]!r}, which has no label, though it was certain to be in the "
            f"sample: {remedy}"
        )
    expected, variance = float(given.sum()), float((given * (1 - given)).sum())
    # Bernstein's inequality, for both sides.
    away = abs(len(values) - expected)
    if away**2 / 2 > (variance + away / 3) * -log(_UNLIKELY / 2):
        raise ValueError(
            f"drawn expects {expected:,.4g} labels, the sum of the probabilities, but there are "
            f"{len(values):,}: give each instance's probability of being drawn, not a weight; {remedy}"
        )
    found: FloatArray = read_only(given)
    return found


def _by_index(labels: Any, ids: Sequence[str]) -> dict[int, Any]:
    refuse_masked("labels", labels)
    labels = as_column("labels", labels)
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
    return {index: plain_label(value) for index, value in pairs if not is_missing(value)}
