"""Verify that every number in a session's file follows from its log."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import isclose
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from activeeval_widgets.formats.session_file.reading import SessionFile, naming_errors, read_session_file
from activeeval_widgets.formats.session_file.replay import replay
from activeeval_widgets.formats.session_file.summary import labels_of_session, summary_of
from activeeval_widgets.formats.session_file.writing import pool_items
from activeeval_widgets.session import Pool, Session
from activeeval_widgets.session.draws.deadlines import bets_identity
from activeeval_widgets.session.draws.make_draws import was_grouped
from activeeval_widgets.session.draws.rows import GroupedRows
from activeeval_widgets.session.pool.asked_items import judged_pool
from activeeval_widgets.session.pool.fingerprints import digest_of_strings, fingerprint
from activeeval_widgets.session.report.session_hash import (
    beginning_hash,
    event_hashes,
    next_hash,
    pool_digests,
)
from activeeval_widgets.session.stores.last_seen import n_labels_of
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats.measures.parse_repr import OF_FUNCTIONS

_ROUNDING = 1e-9
"""Numbers that differ by a smaller share count as equal: machines round differently."""

_LISTED = 20
"""At most this many labels that do not follow are reported one by one."""


class Finding(NamedTuple):
    """A value in a file that does not follow from the rest.

    Attributes
    ----------
    where : str
        The event, or the number that the file states.
    text : str
        The stated value, and the one that follows.

    See Also
    --------
    verify : Finds them.

    Examples
    --------
    >>> print(Finding("event 4", "its hash is not that of what it says"))
    event 4: its hash is not that of what it says
    """

    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text}"


@dataclass(frozen=True)
class Verification:
    """The result of verifying a file.

    Attributes
    ----------
    name : str
        The session's name.
    sha256 : str
        The session's hash, recomputed; its report states the same.
    n_events, n_labels : int
        The numbers of events and labels.
    findings : tuple of Finding
        The values that do not follow.
    hashes : tuple of str
        The hash before the first event and after each; an earlier report states one of these.

    See Also
    --------
    verify : Returns it.

    Examples
    --------
    >>> Verification("Ada", "0f", 0, 0).follows
    True
    """

    name: str
    sha256: str
    n_events: int
    n_labels: int
    findings: tuple[Finding, ...] = ()
    hashes: tuple[str, ...] = field(default=(), repr=False)

    @property
    def follows(self) -> bool:
        """Whether every number follows."""
        return not self.findings


def verify(
    path: str | Path | SessionFile, *, measure: Measure | None = None, pool: Pool | None = None
) -> Verification:
    """Recompute every number in a session's file from its predictions, settings and log.

    It checks the hashes of the events; that each event can follow those before; each block of draws, with its
    probabilities, from the seed and earlier labels; the labels' weights; and the estimate and its interval.

    Parameters
    ----------
    path : str, path-like or SessionFile
        A file that `write_session` wrote.
    measure : Measure, optional
        The session's measure, if it is a Python function (`Risk.from_loss` of values), which no file holds.
        Without it, only the hashes are checked, and a finding says so.
    pool : Pool, optional
        The session's pool, to check the file against it. For a pool that was streamed, the file holds only
        shared rows and drawn instances; this checks that they are the data set's.

    Returns
    -------
    Verification
        The result, with all findings.

    Raises
    ------
    ValueError
        If it is not such a file, so that nothing can be computed.
    OSError
        If it can't be read.

    See Also
    --------
    write_session : Writes such a file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.formats import verify, write_session
    >>> from activeeval_widgets.stats import ErrorRate
    >>> session = Session(Pool(["a", "b"], predictions=[[0.9, 0.1], [0.4, 0.6]]), ErrorRate())
    >>> labeled = session.label(1)
    >>> with TemporaryDirectory() as folder:
    ...     path = write_session(session, f"{folder}/session.json")
    ...     right = verify(path).follows
    ...     size = path.write_text(path.read_text().replace('"value":1', '"value":0'))
    ...     wrong = verify(path).findings
    >>> right, str(wrong[0])
    (True, 'event 2: what it says is not what was written (its hash is of something else)')
    """
    file = path if isinstance(path, SessionFile) else read_session_file(path)
    if measure is not None:
        file = replace(file, given_measure=measure)
    if pool is not None:
        file = replace(file, given_pool=pool)
    with naming_errors(file.path):
        return _verified(file)


def _verified(file: SessionFile) -> Verification:
    if file.given_measure is None and str(file.document["settings"]["measure"]).startswith(OF_FUNCTIONS):
        return _of_unknown_measure(file)
    # An invalid document is an error, not a finding: nothing can be computed.
    measure = file.measure
    pool = judged_pool(file.pool, measure)
    file = replace(file, given_pool=pool)
    parts = _parts(file)
    begun = beginning_hash(parts)
    findings = [*_beginning(file, parts, begun), *_chain(file)]
    hashes = event_hashes(begun, file.records)
    if file.sha256 != hashes[-1] and not findings:
        findings.append(Finding("sha256", f"it is {file.sha256}, but {hashes[-1]} follows from the log"))
    replayed = list(replay(file, pool, measure))
    findings += [Finding(*found) for found in replayed]
    findings += _numbers(file)
    n_labels = n_labels_of(file.records)
    return Verification(file.name, hashes[-1], len(file.records), n_labels, tuple(findings), tuple(hashes))


def _of_unknown_measure(file: SessionFile) -> Verification:
    """Verify a file without its measure: only that its contents were not changed."""
    hashes = event_hashes(file.document["begun"], file.records)
    text = (
        "it is a function of Python, which no file holds: draws, estimate and interval were not computed "
        "again, only the hashes of the events. In Python: verify(file, measure=…)"
    )
    findings = (*_chain(file), Finding("measure", text))
    n_labels = n_labels_of(file.records)
    return Verification(file.name, hashes[-1], len(file.records), n_labels, findings, tuple(hashes))


def _parts(file: SessionFile) -> dict[str, Any]:
    """Recompute the parts of the first hash from the file's contents."""
    settings = {name: value for name, value in file.document["settings"].items() if name != "budget"}
    if settings["q"] is not None:
        settings["q"] = fingerprint(np.array(settings["q"], dtype=np.float64))
    return {"settings": settings, **pool_digests(file.pool, file.measure.positive)}


def _beginning(file: SessionFile, parts: Mapping[str, Any], begun: str) -> Iterator[Finding]:
    stated = file.document["digests"]
    for name in sorted((parts.keys() | stated.keys()) - {"settings"}):
        if stated.get(name) != parts.get(name):
            yield Finding(name, f"their digest is {parts.get(name)}, but the file states {stated.get(name)}")
    about = file.document["pool"]
    graded = pool_items(file.pool)
    for name, found in (("n_instances", file.pool.n_instances), ("items", graded)):
        if about[name] != found:
            shown = found if name == "n_instances" else "those that are ranked"
            yield Finding(f"pool, {name}", f"the file states {about[name]!r:.60}, but there are {shown}")
    if begun != file.document["begun"]:
        changed = (
            "the settings or what the digests are of"
            if stated == {name: part for name, part in parts.items() if name != "settings"}
            else "what they are of"
        )
        yield Finding("begun", f"the hash before the first event is not that of {changed}: they were changed")
    identity, settings = file.document["identity"], file.document["settings"]
    expected: dict[str, str | None] = {
        **file.pool.fingerprints,
        "measure": repr(file.measure),
        "seed": str(settings["seed"]),
        "protocol": settings["protocol"],
        "y_range": repr(None if settings["y_range"] is None else tuple(settings["y_range"])),
        "confidence_level": repr(settings["confidence_level"]),
        "bets": bets_identity(None if settings["deadlines"] is None else tuple(settings["deadlines"])),
    }
    if file.document["settings"]["q"] is not None or settings["protocol"] == "adaptive":
        # An optimal q is recomputed: on another machine its last bits may differ, and so its digest.
        expected["q"] = _q_of(settings, is_grouped=bool(was_grouped(identity.get("q"))))
    if settings["for_groups"]:
        expected["groups"] = digest_of_strings("group", list(file.pool.groups or ()))
    for name, value in expected.items():
        if identity.get(name) != value:
            yield Finding(f"identity, {name}", f"it is {identity.get(name)!r}, but {value!r} follows")


def _q_of(settings: Mapping[str, Any], *, is_grouped: bool) -> str:
    if settings["protocol"] == "adaptive":
        # Whether rows were shared is taken as stated: if it is wrong, the draws do not follow.
        return f"adaptive{f' {GroupedRows.how}' if is_grouped else ''}, defensive={settings['defensive']}"
    return fingerprint(np.array(settings["q"], dtype=np.float64))


def _chain(file: SessionFile) -> Iterator[Finding]:
    """Check each event's hash with the stated hash before it, so that one change is one finding."""
    before = file.document["begun"]
    numbers = [record.get("seq") for record in file.document["log"]]
    there = {number for number in numbers if type(number) is int}
    expected = 1
    for record, seq in zip(file.document["log"], numbers, strict=True):
        if seq != expected:
            yield Finding(f"event {seq}", _misplaced(seq, expected, there))
        if next_hash(before, {name: value for name, value in record.items() if name != "hash"}) != record.get(
            "hash"
        ):
            text = "what it says is not what was written (its hash is of something else)"
            yield Finding(
                f"event {seq}", text if seq == expected else "its hash is not over the event before it"
            )
        before = str(record.get("hash"))
        expected = seq + 1 if type(seq) is int else expected + 1
    if before != file.sha256:
        text = "it is not the hash of the last event: events are missing at the end, or it was changed"
        yield Finding("sha256", text)


def _misplaced(seq: Any, expected: int, there: set[int]) -> str:
    if type(seq) is not int:
        return f"it has no number, expected {expected}"
    if seq < expected:
        return f"it is out of order, or twice: expected event {expected} here"
    return f"it is before event {expected}" if expected in there else f"event {expected} is missing before it"


def _numbers(file: SessionFile) -> Iterator[Finding]:
    """Check the summary and the labels against the log."""
    try:
        session = file.open()
    except ValueError as error:
        yield Finding("summary", f"it can't be computed: {error}")
        return
    yield from _differences("summary", file.document["summary"], summary_of(session.findings))
    yield from _labels(file.document["labels"], session)


def _labels(stated: list[dict[str, Any]], session: Session) -> Iterator[Finding]:
    found = labels_of_session(session.findings)
    if len(stated) != len(found):
        yield Finding("labels", f"there are {len(stated)}, but {len(found)} follow from the log")
    n_reported = 0
    for position, (theirs, ours) in enumerate(zip(stated, found, strict=False), start=1):
        for finding in _differences(f"labels, row {position} (id {ours['id']!r})", theirs, ours):
            n_reported += 1
            if n_reported <= _LISTED:
                yield finding
    if n_reported > _LISTED:
        yield Finding("labels", f"{n_reported - _LISTED} more numbers do not follow")


def _differences(where: str, stated: Any, found: Any) -> Iterator[Finding]:
    """Yield a finding for each value that differs."""
    if isinstance(found, dict) and isinstance(stated, dict):
        for name in [*found, *sorted(stated.keys() - found.keys())]:
            if name not in found:
                yield Finding(f"{where}, {name}", "nothing of that name follows from the log")
            else:
                yield from _differences(f"{where}, {name}", stated.get(name), found[name])
    elif not _is_same(stated, found):
        yield Finding(where, f"it is {stated!r}, but {found!r} follows from the log")


def _is_same(stated: Any, found: Any) -> bool:
    if isinstance(found, float) and isinstance(stated, int | float) and not isinstance(stated, bool):
        return isclose(stated, found, rel_tol=_ROUNDING, abs_tol=1e-12)
    return type(stated) is type(found) and bool(stated == found)
