"""Make a table of an evaluation log."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.evaluation_logs.groupings import Groupings
from activeeval_widgets.formats.evaluation_logs.log_columns import LogColumns
from activeeval_widgets.formats.evaluation_logs.sample import RIGHT, Origin, Sample, Verdict
from activeeval_widgets.formats.evaluation_logs.scorers import scorer_of
from activeeval_widgets.formats.json_text import without_surrogates
from activeeval_widgets.formats.opening.table_on_disk import kept_table
from activeeval_widgets.formats.problems import problem_error
from activeeval_widgets.formats.table import FileTable

_ROWS_AT_ONCE = 1_000
_LONGEST = 80


def log_table(
    path: Path,
    tool: str,
    samples: Iterable[Sample],
    words: Verdict = RIGHT,
    *,
    about: Sequence[Any] = (),
    failed: Sequence[str] = (),
    merges: bool = False,
) -> FileTable:
    """Make a table of a log's samples, taken one after another; `failed` fills while they are read."""
    gathered = _Gathered(merges=merges)
    names = ("id", "prompt", "conversation", "answer", "reference", "group")
    schema = pa.schema([(name, pa.string()) for name in names])
    table = kept_table(schema, gathered.batches(samples, schema))
    if not table.num_rows:
        what = f"the log of {tool} holds no sample that was answered"
        remedy = "Give a log of an evaluation that has ended."
        if failed:
            what += f": {len(failed):,} ended with an error"
            remedy = "Run the evaluation again, and give its log."
        raise problem_error(path.name, what, remedy)
    shown = Columns(id="id")
    for name in names[1:]:
        if name not in gathered.filled_columns:
            table = table.drop_columns([name])
        else:
            shown = shown.with_(**{name: (name,) if name in ("conversation", "answer") else name})
    if "conversation" in gathered.filled_columns and "prompt" in gathered.filled_columns:
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
    made = FileTable(
        path,
        table,
        log=LogColumns(shown, scorers, groupings=gathered.groupings.whole(), origins=tuple(gathered.origins)),
        title=_title(about),
    )
    made.note(f"It is a log of {tool}.")
    return made


def _title(about: Sequence[Any]) -> str | None:
    parts = [" ".join(each.split())[:_LONGEST] for each in about if isinstance(each, str)]
    return without_surrogates(" · ".join(dict.fromkeys(filter(None, parts)))) or None


class _Gathered:
    """The contents of samples, collected in one pass."""

    def __init__(self, *, merges: bool) -> None:
        self._merges = merges
        self.filled_columns: set[str] = set()
        self.scores: dict[str, dict[int, Any]] = {}
        self.passed: dict[str, dict[int, bool]] = {}
        self.origins: list[Origin] = []
        self.groupings = Groupings()
        self._places: dict[str, int] = {}
        self._n_repeats: dict[str, int] = {}

    def batches(self, samples: Iterable[Sample], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        rows: list[dict[str, str]] = []
        for sample in samples:
            if sample.id in self._places and not self._merges:
                sample.id = self._unused_id(sample.id)
            is_new = sample.id not in self._places
            at = self._places.setdefault(sample.id, len(self._places))
            for name, value in sample.scores.items():
                self.scores.setdefault(name, {})[at] = value
            for name, ok in sample.passed.items():
                self.passed.setdefault(name, {})[at] = ok
            if not is_new:
                continue
            rows.append(_row(sample))
            self.groupings.add(sample.metadata, sample.answer_message or sample.answer or "")
            if sample.origin is not None:
                self.origins.append(sample.origin)
            self.filled_columns |= {name for name, cell in rows[-1].items() if cell}
            if len(rows) == _ROWS_AT_ONCE:
                yield pa.RecordBatch.from_pylist(rows, schema)
                rows = []
        yield pa.RecordBatch.from_pylist(rows, schema)

    def _unused_id(self, name: str) -> str:
        """Return a new id for a repeated one, such as "q1-2"."""
        n = self._n_repeats.get(name, 1) + 1
        while f"{name}-{n}" in self._places:
            n += 1
        self._n_repeats[name] = n
        return f"{name}-{n}"

    def whole(self, values: dict[int, Any], passed: dict[int, bool]) -> tuple[list[Any], list[bool | None]]:
        """Return a scorer's scores of all samples."""
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
    return {name: without_surrogates(cell) for name, cell in cells.items()}
