"""The measure within each group of a pool, with simultaneous intervals."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from activeeval_widgets.session.draws.confidence_sequences import DrawnInterval
from activeeval_widgets.session.draws.labeled import Answered
from activeeval_widgets.session.draws.part import Part, PartOfRows
from activeeval_widgets.session.findings.incremental import Rewindable
from activeeval_widgets.session.findings.known_value import known_value
from activeeval_widgets.session.pool.groups import group_codes
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats import Estimate, Measure
from activeeval_widgets.stats._typing import IntArray
from activeeval_widgets.stats.intervals import at_once

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


@dataclass(frozen=True)
class GroupEstimate:
    """The estimate for one group.

    Attributes
    ----------
    group : str
        The name of the group.
    n_instances, n_labels, n_excluded : int
        The numbers of its instances, labels and exclusions.
    estimate : Estimate
        The value, with an anytime-valid interval that holds for all groups simultaneously.
    is_exact : bool
        Whether all its instances have an answer, so that the value is known.

    See Also
    --------
    Session.by_group : Estimates for all groups as a table.

    Examples
    --------
    >>> pool = Pool(["a", "b", "c"], predictions=[[0.9, 0.1]] * 3, groups=["en", "en", "de"])
    >>> session = Session(pool, ErrorRate())
    >>> while session.next() is not None:
    ...     event = session.label(0)
    >>> [(each.group, each.n_labels, each.is_exact) for each in session.group_estimates()]
    [('de', 1, True), ('en', 2, True)]
    """

    group: str
    n_instances: int
    n_labels: int
    n_excluded: int
    estimate: Estimate
    is_exact: bool


class ByGroup:
    """Estimates within each group, a pool of its own, each of level 1 − α/k for k groups (Bonferroni)."""

    def __init__(self, session: "Findings", measure: Measure, confidence_level: float) -> None:
        self._session, self._measure = session, measure
        self._names, self._codes = group_codes(session.pool.groups)
        self._level = at_once(confidence_level, len(self._names))
        self._shown_level = confidence_level
        self._begin(_parts(session, measure, self._codes, len(self._names)))

    def _begin(self, parts: Sequence[Part | PartOfRows]) -> None:
        """Set up the intervals before the first label."""
        self._parts = parts
        self._intervals = [self._interval(part) for part in self._parts]
        self._fed: IntArray = np.empty(0, dtype=np.intp)
        self._revision = -1
        self._kept: dict[int, tuple[Any, Estimate]] = {}

    def _interval(self, part: Part | PartOfRows) -> Rewindable[DrawnInterval]:
        session = self._session

        def begin() -> DrawnInterval:
            return session.draws.source.begin_interval_within(
                part, self._measure, self._level, session.y_range
            )

        return Rewindable(begin, every=16)

    def read(self, answered: Answered) -> list[GroupEstimate]:
        """Return the present estimates in the order of the groups' names."""
        self._feed()
        codes = self._codes[answered.draws]
        state = self._session.log.state
        of_all = [np.fromiter(each, dtype=np.intp) for each in (state.labels, state.answers)]
        n_labels, n_answers = (np.bincount(self._codes[each], minlength=len(self._names)) for each in of_all)
        return [
            self._of_group(
                code,
                _chosen(answered, np.flatnonzero(codes == code)),
                int(n_labels[code]),
                int(n_answers[code] - n_labels[code]),
            )
            for code in range(len(self._names))
        ]

    def _feed(self) -> None:
        if self._revision == self._session.log.revision:
            return
        n_same, rest = self._session.draws.answers.in_order_since(max(self._revision, 0), self._fed.size)
        fed = np.concatenate([self._fed[:n_same], self._codes[[draw for draw, _ in rest]]])
        for code, interval in enumerate(self._intervals):
            same = int(np.count_nonzero(fed[:n_same] == code))
            new = [(n_same + at + 1, y) for at, (draw, y) in enumerate(rest) if self._codes[draw] == code]
            if new or same < interval.n_fed:
                interval.update_to(same, new)
        self._fed, self._revision = fed, self._session.log.revision

    def _of_group(self, code: int, answered: Answered, n_labels: int, n_excluded: int) -> GroupEstimate:
        part, interval = self._parts[code], self._intervals[code]
        value = self._known(code) if n_labels + n_excluded == part.size else None
        found = self._estimated(code, answered)
        if value is not None:
            found = replace(found, value=value, standard_error=0.0, low=value, high=value)
        elif interval.results:
            low, high, _ = interval.results[-1]
            found = replace(found, low=float(low), high=float(high))
        else:
            begun = interval.begun.sequence
            found = replace(found, low=float(begun.low), high=float(begun.high))
        is_asymptotic = interval.begun.sequence.is_asymptotic and value is None
        found = replace(
            found,
            interval="confidence_sequence",
            confidence_level=self._shown_level,
            is_asymptotic=is_asymptotic,
            approximate_low=nan,
            approximate_high=nan,
        )
        return GroupEstimate(self._names[code], part.size, n_labels, n_excluded, found, value is not None)

    def _estimated(self, code: int, answered: Answered) -> Estimate:
        """Return the estimate, recomputed only if the group's answers have changed."""
        key = answered.draws.tobytes(), repr(list(answered.y_true))
        if code not in self._kept or self._kept[code][0] != key:
            found = self._session.draws.source.estimate_within(
                self._parts[code], self._measure, answered, confidence_level=self._level
            )
            self._kept[code] = key, found
        return self._kept[code][1]

    def _known(self, code: int) -> float | None:
        """Return the value of a group whose instances all have an answer."""
        state = self._session.log.state
        every = np.fromiter(sorted(state.labels), dtype=np.intp)
        indices = every[self._codes[every] == code].tolist()
        labels = self._session.labels.decode([state.labels[index] for index in indices], indices)
        models, positions = self._parts[code].predictions_of(np.array(indices, dtype=np.intp))
        return known_value(self._measure, models, positions.tolist(), labels, models[0].size)


def _parts(session: "Findings", measure: Measure, codes: IntArray, n_groups: int) -> list[Part | PartOfRows]:
    rows = session.draws.source.shared_rows(measure)
    if rows is not None:
        counts = rows.counts_by(codes, n_groups)
        return [PartOfRows(rows, codes, code, counts[code]) for code in range(n_groups)]
    return [_part(session.pool, codes, code) for code in range(n_groups)]


def _part(pool: Pool, codes: IntArray, code: int) -> Part:
    members = np.flatnonzero(codes == code)
    return Part(members, tuple(model.of_instances(members) for model in pool.models))


def _chosen(answered: Answered, at: IntArray) -> Answered:
    """Return the answered draws at some positions."""
    y_true: Any = answered.y_true
    chosen: Any = y_true[at] if isinstance(y_true, np.ndarray) else [y_true[i] for i in at.tolist()]
    return Answered(answered.draws[at], chosen, answered.is_excluded[at])
