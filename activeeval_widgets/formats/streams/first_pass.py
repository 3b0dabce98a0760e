"""Survey a data set in one pass: compute digests, check that ids are distinct, collect groups."""

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

import numpy as np

from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.distinct_strings import hashes_of
from activeeval_widgets.formats.id_column import present_ids
from activeeval_widgets.formats.problems import (
    MAX_REPORTED,
    FileProblemsError,
    Problem,
    problem_error,
    shortened,
)
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.session.pool.fingerprints import fingerprint, fingerprint_predictions
from activeeval_widgets.session.pool.groups import MAX_GROUPS, NO_GROUP
from activeeval_widgets.stats import Predictions
from activeeval_widgets.stats._typing import AnyArray, FloatArray

_MAX_TWICE = 1_000
_NAME_GROUPS = "Name another column with group (--group), or leave this one out with ignore (--ignore)."


class Seen(NamedTuple):
    """The survey of one part: digests, hashes of ids, and the rows' groups as codes."""

    n_rows: int
    digests: dict[str, str]
    ids: AnyArray | None
    groups: list[str]
    codes: AnyArray | None


def survey_part(
    table: FileTable, columns: Columns, models: Sequence[Predictions], costs: FloatArray | None
) -> Seen:
    """Survey one part."""
    digests = {"predictions": fingerprint_predictions(models)}
    if costs is not None:
        digests["costs"] = fingerprint(costs)
    ids = codes = None
    groups: list[str] = []
    if columns.id is not None:
        ids = hashes_of(present_ids(table, columns.id))
        digests["ids"] = fingerprint(ids)
    if columns.group is not None:
        groups, codes = _coded(table, columns.group)
    if table.problems:
        raise FileProblemsError(table.problems)
    return Seen(table.n_rows, digests, ids, groups, codes)


def _coded(table: FileTable, column: str) -> tuple[list[str], AnyArray]:
    encoded = table.strings(column).combine_chunks().dictionary_encode()
    names = [value.strip() or NO_GROUP for value in encoded.dictionary.to_pylist()]
    found = sorted(set(names))
    if len(found) > MAX_GROUPS:
        table.report(
            f"it holds more than {MAX_GROUPS:,} different values, which are hardly groups",
            _NAME_GROUPS,
            column=column,
        )
        return [], np.empty(0, dtype=np.uint16)
    code = {name: at for at, name in enumerate(found)}
    of_name = np.array([code[name] for name in names], dtype=np.uint16)
    return found, of_name[np.asarray(encoded.indices.to_numpy(), dtype=np.intp)]


class Survey:
    """The findings of the pass over all parts: digests, the groups' names, and each row's group."""

    def __init__(self, n_rows: int, columns: Columns) -> None:
        self._n_rows, self._columns, self._at = n_rows, columns, 0
        self._digests = {name: sha256() for name in ("predictions", "ids", "costs")}
        self._hashes: AnyArray | None = None if columns.id is None else np.empty(n_rows, dtype=np.uint64)
        self.codes: AnyArray | None = None if columns.group is None else np.empty(n_rows, dtype=np.uint16)
        self.groups: list[str] = []
        self.digests: dict[str, str] = {}

    def add(self, seen: Seen) -> None:
        """Add the next part."""
        here = slice(self._at, self._at + seen.n_rows)
        for name, digest in seen.digests.items():
            self._digests[name].update(digest.encode())
        if self._hashes is not None and seen.ids is not None:
            self._hashes[here] = seen.ids
        if self.codes is not None and seen.codes is not None:
            number = {name: at for at, name in enumerate(self.groups)}
            self.groups += [name for name in seen.groups if name not in number]
            number = {name: at for at, name in enumerate(self.groups)}
            of_part = np.array([number[name] for name in seen.groups], dtype=np.uint16)
            self.codes[here] = of_part[seen.codes]
        self._at += seen.n_rows

    def finish(self, name: str, strings: Callable[[AnyArray], Iterable["Ids"]], place: "Place") -> None:
        """Check what needs all parts: the number of groups, and distinct ids."""
        columns = self._columns
        if len(self.groups) > MAX_GROUPS:
            what = f"it holds {len(self.groups):,} different values, which are hardly groups"
            raise problem_error(name, what, _NAME_GROUPS, None, columns.group)
        if self._hashes is not None:
            hashes, self._hashes = self._hashes, None
            hashes.sort()
            twice = np.unique(hashes[1:][hashes[1:] == hashes[:-1]][:_MAX_TWICE])
            del hashes
            if twice.size:
                self._report_repeated(strings(twice), place)
        order = np.argsort(self.groups)
        if self.codes is not None:
            rank = np.empty(len(self.groups), dtype=np.uint16)
            rank[order] = np.arange(len(self.groups))
            self.codes = rank[self.codes]
            self.groups = sorted(self.groups)
        self.digests = {name: self._digests[name].hexdigest() for name in self.read}
        self.digests = {"ids": f"0 to {self._n_rows - 1}", "costs": "equal"} | self.digests

    @property
    def read(self) -> tuple[str, ...]:
        """The names of the digests: "predictions", and "ids" and "costs" where columns hold them."""
        beside = {"ids": self._columns.id, "costs": self._columns.cost}
        return "predictions", *(name for name, column in beside.items() if column is not None)

    def _report_repeated(self, parts: Iterable["Ids"], place: "Place") -> None:
        """Report rows that repeat an id; two different ids may have the same hash."""
        first: dict[str, int] = {}
        problems: list[Problem] = []
        start = 0
        for part in parts:
            for at, name in zip(part.positions.tolist(), part.names, strict=True):
                if name not in first:
                    first[name] = start + at
                    continue
                file, row = place(start + at)
                before = place(first[name])
                where = f"row {before[1]:,}" + (f" of {before[0]}" if before[0] != file else "")
                problems.append(
                    Problem(
                        file,
                        f"the id {shortened(name)} is in {where} already",
                        "Give each row an id of its own; name another column with id (--id); or leave this "
                        "one out with ignore (--ignore): rows are numbered then.",
                        row,
                        self._columns.id,
                    )
                )
                if len(problems) == MAX_REPORTED:
                    raise FileProblemsError(problems)
            start += part.n_rows
        if problems:
            raise FileProblemsError(problems)


class Ids(NamedTuple):
    """Some ids of a part: their positions and names."""

    n_rows: int
    positions: AnyArray
    names: list[str]


Place = Callable[[int], tuple[str, int]]


def ids_with(column: str, hashes: AnyArray, table: FileTable) -> Ids:
    """Return the ids of a part that have one of some ascending hashes."""
    names = table.strings(column)
    positions = np.flatnonzero(np.isin(hashes_of(names), hashes))
    return Ids(table.n_rows, positions, [names[at].as_py() for at in positions.tolist()])
