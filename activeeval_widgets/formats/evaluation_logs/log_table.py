"""An evaluation log as a table, with what is known of its columns."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.evaluation_logs.sample import RIGHT, Sample, Verdict
from activeeval_widgets.formats.evaluation_logs.scorers import Scorer, scorer_of
from activeeval_widgets.formats.opening.table_on_disk import kept_table
from activeeval_widgets.formats.problems import FileProblemsError, Problem, closest
from activeeval_widgets.formats.table import FileTable

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS_AT_ONCE = 1_000
_PREDICTIVE = ("proba", "votes", "score", "predicted", "mean", "variance", "compare")
_SHOWN = ("text", "image", "record", "pair", "conversation", "prompt", "answer", "query", "items")


@dataclass(frozen=True)
class LogColumns:
    """What the columns of an evaluation log are.

    Attributes
    ----------
    shown : Columns
        Id, prompt or conversation, answer, reference, group.
    scorers : dict of str to Scorer
        By name, those that said something.
    left_out : frozenset of str
        The ids of samples that ended with an error.
    """

    shown: Columns
    scorers: dict[str, Scorer]
    left_out: frozenset[str] = frozenset()

    def filled(self, table: FileTable, given: Columns, *, needs_predictions: bool) -> Columns:
        """The columns as given, the others from the log; a choice that is missing is reported."""
        found = given
        if not any(getattr(given, role) is not None for role in _SHOWN):
            found = found.with_(**{role: getattr(self.shown, role) for role in _SHOWN})
        for role in ("id", "reference", "group"):
            if getattr(given, role) is None:
                found = found.with_(**{role: getattr(self.shown, role)})
        if given.votes is not None:
            voting = [self.scorers[name].roles.classes for name in given.votes if name in self.scorers]
            if given.classes is None and len(set(voting)) == 1:
                found = found.with_(classes=voting[0])
            found = found.with_(votes=tuple(self._verdicts(name) for name in given.votes))
        for role in ("predicted", "score"):
            name = getattr(given, role)
            if name in self.scorers and (role == "score" or given.votes is not None or given.score is None):
                if role == "predicted" and given.votes is not None:
                    return found.with_(predicted=self._verdicts(name))
                return self._with_scorer(found, self.scorers[name])
        if given.score is not None and given.score not in table.names:
            table.tell(f"no scorer is called {given.score!r}", closest(given.score, list(self.scorers)))
            return found.with_(score=None)
        if any(getattr(given, role) is not None for role in _PREDICTIVE):
            return found
        if len(self.scorers) == 1:
            return self._with_scorer(found, next(iter(self.scorers.values())))
        if self.scorers and needs_predictions:
            first = next(iter(self.scorers))
            table.tell(
                f"it holds the scores of {len(self.scorers)} scorers: {', '.join(self.scorers)}",
                f"Choose the one that is evaluated with score (--score {_quoted(first)}); the others may "
                "vote (--votes, with --predicted).",
            )
        return found

    def scorer_of(self, columns: Columns) -> str | None:
        """The scorer that is evaluated; None where no single one is."""
        used = {columns.score, columns.predicted, columns.mean}
        return next((name for name, each in self.scorers.items() if used & set(each.columns)), None)

    def _verdicts(self, name: str) -> str:
        scorer = self.scorers.get(name)
        return name if scorer is None or scorer.verdicts is None else scorer.verdicts

    @staticmethod
    def _with_scorer(columns: Columns, scorer: Scorer) -> Columns:
        roles = scorer.roles.given()
        if columns.classes is not None:
            roles.pop("classes", None)
        return columns.with_(**{"score": None, "predicted": None, **roles})


def log_table(
    path: Path, tool: str, samples: Iterable[Sample], words: Verdict = RIGHT, *, merges: bool = False
) -> FileTable:
    """A log's samples as a table: they are asked for one after another, and kept on disk if they are many."""
    import pyarrow as pa

    gathered = _Gathered(merges=merges)
    names = ("id", "prompt", "conversation", "answer", "reference", "group")
    schema = pa.schema([(name, pa.string()) for name in names])
    table = kept_table(schema, gathered.batches(samples, schema))
    if not table.num_rows:
        what = f"the log of {tool} holds no sample that was answered"
        raise FileProblemsError([Problem(path.name, what, "Give a log of an evaluation that has ended.")])
    shown = Columns(id="id")
    for name in names[1:]:
        if name not in gathered.used:
            table = table.drop_columns([name])
        else:
            shown = shown.with_(**{name: (name,) if name in ("conversation", "answer") else name})
    if "conversation" in gathered.used and "prompt" in gathered.used:
        shown = shown.with_(prompt=None)
    scorers = {}
    for name, values in gathered.scores.items():
        scorer = scorer_of(name, *gathered.whole(values, gathered.passed.get(name, {})), words)
        if scorer is None:
            continue
        scorers[name] = scorer
        for column, cells in scorer.columns.items():
            kind = pa.float64() if isinstance(next(c for c in cells if c is not None), float) else pa.string()
            table = table.append_column(column, pa.array(list(cells), kind))
    made = FileTable(path, table, _rows_of, log=LogColumns(shown, scorers))
    made.note(f"It is a log of {tool}.")
    return made


class _Gathered:
    """The contents of samples, collected in one pass."""

    def __init__(self, *, merges: bool) -> None:
        self._merges = merges
        self.used: set[str] = set()
        self.scores: dict[str, dict[int, Any]] = {}
        self.passed: dict[str, dict[int, bool]] = {}
        self._places: dict[str, int] = {}
        self._again: dict[str, int] = {}

    def batches(self, samples: Iterable[Sample], schema: "pa.Schema") -> Iterator["pa.RecordBatch"]:
        import pyarrow as pa

        rows: list[dict[str, str]] = []
        for sample in samples:
            if sample.id in self._places and not self._merges:
                sample.id = self._another(sample.id)
            is_new = sample.id not in self._places
            at = self._places.setdefault(sample.id, len(self._places))
            for name, value in sample.scores.items():
                self.scores.setdefault(name, {})[at] = value
            for name, ok in sample.passed.items():
                self.passed.setdefault(name, {})[at] = ok
            if not is_new:
                continue
            rows.append(_row(sample))
            self.used |= {name for name, cell in rows[-1].items() if cell}
            if len(rows) == _ROWS_AT_ONCE:
                yield pa.RecordBatch.from_pylist(rows, schema)
                rows = []
        yield pa.RecordBatch.from_pylist(rows, schema)

    def _another(self, name: str) -> str:
        """An id that no other sample has: "q1-2"."""
        n = self._again.get(name, 1) + 1
        while f"{name}-{n}" in self._places:
            n += 1
        self._again[name] = n
        return f"{name}-{n}"

    def whole(self, values: dict[int, Any], passed: dict[int, bool]) -> tuple[list[Any], list[bool | None]]:
        """A scorer's scores of all samples."""
        n = len(self._places)
        return [values.get(at) for at in range(n)], [passed.get(at) for at in range(n)]


def _row(sample: Sample) -> dict[str, str]:
    is_text = isinstance(sample.asked, str)
    asked = (
        sample.asked if isinstance(sample.asked, str) else json.dumps(list(sample.asked), ensure_ascii=False)
    )
    cells = {
        "id": sample.id,
        "prompt" if is_text else "conversation": asked,
        "answer": sample.answer or "",
        "reference": sample.reference,
        "group": sample.group,
    }
    # Half of a surrogate pair is no character: no encoding has it.
    return {name: cell.encode("utf-8", "replace").decode() for name, cell in cells.items()}


def _rows_of(positions: Sequence[int]) -> list[int]:
    return [position + 1 for position in positions]


def _quoted(name: str) -> str:
    return f'"{name}"' if " " in name else name
