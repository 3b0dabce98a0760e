"""Make a pool of TREC run files, with files of queries, documents and judgments."""

import json
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from activeeval_widgets.formats.columns import COLUMN_OPTIONS, FILES, Columns
from activeeval_widgets.formats.predictions import NAME_GRADES, parse_grades
from activeeval_widgets.formats.problems import problem_error, shortened
from activeeval_widgets.formats.table_files import file_beside
from activeeval_widgets.formats.trec import is_run_file, read_qrels, read_run, text_lines
from activeeval_widgets.session.pool.runs import pool_of_runs
from activeeval_widgets.stats.text import counted, listed

_IDS = ("id", "_id", "qid", "query_id", "topic", "doc_id", "docid", "docno", "pid", "doc", "document")
_TEXTS = ("text", "query", "title", "body", "contents", "abstract")
_MAX_LISTED = 3


def check_no_runs(columns: Columns) -> None:
    """Refuse options for runs if the file is no run."""
    for name in FILES:
        if getattr(columns, name) is not None:
            raise ValueError(f"{name} is for TREC run files, and this is none: leave it out")


def arguments_of_runs(path: Path, columns: Columns) -> tuple[dict[str, Any], list[str]]:
    """Return the arguments for the pool of one or several runs, and notes on them."""
    for name, option in COLUMN_OPTIONS.items():
        is_of_tables = option.names == "columns" or name == "rubric"
        if is_of_tables and getattr(columns, name) is not None:
            raise ValueError(f"{name} names a column, and a TREC run has none: leave it out")
    paths = [path, *(file_beside(path, name) for name in columns.compare or ())]
    names = _names(paths)
    runs = {name: _read(each, read_run) for name, each in zip(names, paths, strict=True)}
    judged = None if columns.qrels is None else _read(file_beside(path, columns.qrels), _judgments)
    notes: list[str] = []
    asked = dict.fromkeys(query for run in runs.values() for query in run)
    texts: dict[str, str] = {query: query for query in asked}
    if columns.queries is None:
        notes.append("queries are shown by their ids (--queries FILE for their texts)")
    else:
        texts = _texts_of_queries(file_beside(path, columns.queries), asked, path)
    for name, run in runs.items():
        n_without = sum(query not in run for query in asked)
        if n_without:
            notes.append(f"{name} has no list for {n_without:,} of {len(asked):,} queries: it found nothing")
    found = dict.fromkeys(item for run in runs.values() for ranked in run.values() for item in ranked)
    documents: dict[str, dict[str, str]] = {}
    if columns.documents is None:
        notes.append("documents are shown by their ids (--documents FILE for their texts)")
    else:
        documents = _read(file_beside(path, columns.documents), lambda file: _entries(file, found))
        n_missing = len(found) - len(documents)
        if not documents:
            text = f"it has none of the {len(found):,} documents of the runs"
            raise problem_error(file_beside(path, columns.documents).name, text, _hint(found))
        if n_missing:
            notes.append(f"{n_missing:,} of {len(found):,} documents have no text and are shown by their ids")
    grades = _grades(columns, judged, path)
    if judged is not None:
        n_judged = sum(len(judged.get(query, {})) for query in asked)
        notes.append(f"{n_judged:,} earlier judgments of these queries, which are not asked again")
    arguments = pool_of_runs(texts, runs, documents=documents, grades=grades, judged=judged)
    notes.insert(0, f"runs: {', '.join(names)}")
    return arguments, notes


def _names(paths: list[Path]) -> list[str]:
    """Return the rankers' names: the files' names, with the folders' where files have the same name."""
    stems = [each.name.removesuffix(".gz").removesuffix(each.with_suffix("").suffix) for each in paths]
    stems = [Path(each).stem or each for each in stems]
    if len(set(stems)) < len(stems):
        stems = [f"{each.absolute().parent.name}/{stem}" for each, stem in zip(paths, stems, strict=True)]
    if len(set(stems)) < len(stems):
        twice = next(each for each in stems if stems.count(each) > 1)
        raise problem_error(paths[0].name, f"two runs are called {twice!r}", "Compare different files.")
    return stems


def _read(path: Path, read: Callable[[Path], Any]) -> Any:
    try:
        return read(path)
    except FileNotFoundError:
        raise problem_error(path.name, "there is no such file", "Check its name and its folder.") from None
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or error
        raise problem_error(
            path.name, f"the file can't be read: {reason}", "Check the file and its permissions."
        ) from None


def _judgments(path: Path) -> dict[str, dict[str, int]]:
    if path.exists() and is_run_file(path):
        remedy = "Lines of judgments are: query iteration document grade."
        raise problem_error(path.name, "it is a run, where judgments are expected", remedy)
    return read_qrels(path)


def _texts_of_queries(path: Path, asked: Collection[str], run: Path) -> dict[str, str]:
    entries = _read(path, lambda file: _entries(file, asked))
    missing = [query for query in asked if query not in entries]
    if missing:
        ids = listed([*map(repr, missing)], _MAX_LISTED)
        what = f"{len(missing):,} of {len(asked):,} queries of {run.name} and what it is compared with"
        remedy = f"Missing are {ids}: add a line for each, or leave --queries out to show ids."
        raise problem_error(path.name, f"it has no text for {what}", remedy)
    # In the runs' order.
    return {query: entries[query].get("text") or entries[query].get("title") or query for query in asked}


def _entries(path: Path, wanted: Collection[str]) -> dict[str, dict[str, str]]:
    """Return the fields of the wanted ids, from JSON lines or lines with tabs."""
    found: dict[str, dict[str, str]] = {}
    header: list[str] | None = None
    is_json = None
    for number, line in text_lines(path):
        if is_json is None:
            is_json = line.lstrip().startswith("{")
            if not is_json and line.split("\t")[0].strip().lower() in _IDS:
                header = [each.strip().lower() for each in line.rstrip("\r\n").split("\t")]
                continue
        entry = _of_object(path, number, line) if is_json else _of_cells(path, number, line, header)
        name = _id(entry)
        if name is None:
            raise problem_error(path.name, "it has no id", 'Give each an "id" and a "text".', number)
        if name in wanted:
            if name in found:
                text = f"the id {shortened(name)} is there already"
                raise problem_error(path.name, text, "Remove one of the two.", number)
            found[name] = _shown(entry)
    if is_json is None:
        remedy = "Write one each: id, tab, text; or JSON lines."
        raise problem_error(path.name, "it holds no lines", remedy)
    return found


def _of_object(path: Path, number: int, line: str) -> Mapping[str, Any]:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        entry = None
    if not isinstance(entry, Mapping):
        remedy = 'Write {"id": …, "text": …}.'
        raise problem_error(path.name, "the line is not a JSON object", remedy, number)
    return {str(key).lower(): value for key, value in entry.items()}


def _of_cells(path: Path, number: int, line: str, header: list[str] | None) -> Mapping[str, Any]:
    cells = line.rstrip("\r\n").split("\t")
    names = header or {2: ["id", "text"], 3: ["id", "title", "text"]}.get(len(cells))
    if names is None or len(names) != len(cells):
        n = f"{counted(len(cells), 'cells')} between tabs"
        expected = f"expected {len(header)}" if header else "expected id and text, or id, title and text"
        remedy = "Separate them by tabs, and name further columns in a first line; or write JSON lines."
        raise problem_error(path.name, f"it has {n}, {expected}", remedy, number)
    return dict(zip(names, cells, strict=True))


def _id(entry: Mapping[str, Any]) -> str | None:
    name = next((entry[key] for key in _IDS if entry.get(key) not in (None, "")), None)
    return None if name is None else str(name).strip()


def _shown(entry: Mapping[str, Any]) -> dict[str, str]:
    given = {key: str(value) for key, value in entry.items() if value not in (None, "")}
    text = next((given[key] for key in _TEXTS if key in given and key != "title"), None)
    link = given.get("link", given.get("url"))
    shown = {"title": given.get("title"), "text": text, "link": link}
    return {key: value for key, value in shown.items() if value is not None}


def _hint(found: Collection[str]) -> str:
    listed = ", ".join(map(repr, list(found)[:_MAX_LISTED]))
    return f"Name the file with their texts; their ids are {listed}, …"


def _grades(columns: Columns, judged: Mapping[str, Any] | None, path: Path) -> list[float] | None:
    if columns.classes is None:
        return None
    try:
        grades = sorted(parse_grades(columns.classes).tolist())
    except ValueError as error:
        raise problem_error(path.name, str(error), NAME_GRADES) from error
    most = max((grade for each in (judged or {}).values() for grade in each.values()), default=0)
    if most > grades[-1]:
        text = f"a document was judged {most:g} before, and the largest grade is {grades[-1]:g}"
        raise problem_error(path.name, text, "Name all grades with classes (--classes 0,1,2,3).")
    return grades
