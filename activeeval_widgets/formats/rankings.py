"""Read rankings: a row for each query with all items, or a row for each item."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.contents_on_disk import image_path
from activeeval_widgets.formats.guessed_columns import class_names
from activeeval_widgets.formats.predictions import check_probabilities, grades_of
from activeeval_widgets.formats.problems import MAX_REPORTED, shortened
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.formats.within_folder import is_within
from activeeval_widgets.session.pool.instances import Ranking, Result
from activeeval_widgets.stats import RankingPredictions
from activeeval_widgets.stats._typing import FloatArray

_RANKS = ("rank", "position", "pos")
_KNOWN = ("title", "text", "snippet", "description", "link", "url")
_PROBA = ("proba", "relevance_proba", "p", "probabilities", "relevance")
_NAMES = ("id", "item", "item_id", "doc_id", "docid", "document_id", "title", "text")


class _Rankings:
    """Queries with their results and each result's probabilities."""

    def __init__(self) -> None:
        self.rankings: list[Ranking] = []
        self.proba: list[list[FloatArray | None]] = []
        self.ids: list[str] | None = None


def rankings_of(table: FileTable, columns: Columns, folder: Path) -> dict[str, Any] | None:
    """Return the arguments for a pool of rankings; None if there are problems."""
    assert columns.query is not None  # noqa: S101 - checked by the caller
    assert columns.items is not None  # noqa: S101
    if columns.compare is not None:
        table.report(
            "rankings of two models can't be read from one file",
            "Make the pool in Python: Pool(rankings, predictions=[first, second]).",
        )
        return None
    n_before = len(table.problems)
    first = next((value for value in table.strings(columns.items).to_pylist() if value.strip()), "")
    found = _of_lists(table, columns, folder) if first.lstrip().startswith("[") else _of_rows(table, columns)
    if len(table.problems) > n_before:
        return None
    grades = _grades(table, columns, found)
    if grades is None or len(table.problems) > n_before:
        return None
    even = np.full(grades.size, 1 / grades.size)
    if any(each is None for row in found.proba for each in row):
        table.notes.append(
            f"There are no probabilities of relevance: the grades {', '.join(f'{g:g}' for g in grades)} "
            "are held to be equally likely."
        )
    predictions = RankingPredictions(
        [ranking.items for ranking in found.rankings],
        [
            np.array([even if each is None else each for each in row]).reshape(len(row), grades.size)
            for row in found.proba
        ],
        grades,
    )
    return {
        "instances": found.rankings,
        "predictions": predictions,
        "ids": found.ids,
        "kind": "ranking",
    }


def _of_rows(table: FileTable, columns: Columns) -> _Rankings:
    """Read a row for each item; the rows of a query may be apart."""
    query, items = str(columns.query), str(columns.items)
    names = table.strings(items).to_pylist()
    queries = table.strings(query).to_pylist()
    keys = queries if columns.id is None else table.strings(columns.id).to_pylist()
    texts = None if columns.text is None else table.strings(columns.text).to_pylist()
    titles = _also(table, columns, "title")
    links = _also(table, columns, "link", "url")
    proba = _proba_by_row(table, columns)
    rank = next((name for name in table.names if name.lower() in _RANKS), None)
    order = np.zeros(table.n_rows)
    if rank is not None:
        order, missing = table.numbers(rank)
        for index in missing[:MAX_REPORTED]:
            table.report(
                "the rank is missing", "Give a number, 1 being on top.", index=int(index), column=rank
            )
    table.notes.append(
        f"Items are ranked by {rank!r}." if rank else "Items are ranked in the order of their rows."
    )
    by_key: dict[str, list[int]] = {}
    for index, key in enumerate(keys):
        by_key.setdefault(key, []).append(index)
    found = _Rankings()
    for rows in by_key.values():
        seen: dict[str, int] = {}
        for index in rows:
            name = names[index]
            if name in seen:
                before = table.rows_of([seen[name]])[0]
                table.report(
                    f"the item {shortened(name)} of this query is in row {before:,} already",
                    "Remove one of the two.",
                    index=index,
                    column=items,
                )
            if not name.strip():
                table.report(
                    "the item is missing", "Fill the cell, or remove the row.", index=index, column=items
                )
            seen[name] = index
        ranked = sorted(rows, key=lambda index: order[index])
        if len(table.problems) >= MAX_REPORTED:
            break
        if len(seen) < len(rows):
            continue
        results = [
            Result(
                names[index],
                title=titles[index] if titles else None if texts else names[index],
                text=texts[index] if texts else None,
                link=links[index] if links else None,
            )
            for index in ranked
        ]
        found.rankings.append(Ranking(queries[rows[0]], tuple(results)))
        found.proba.append([None if proba is None else proba[index] for index in ranked])
    found.ids = None if columns.id is None else list(by_key)
    return found


def _also(table: FileTable, columns: Columns, *wanted: str) -> list[str] | None:
    """Return a further column of the items, found by name."""
    taken = (columns.items, columns.text, columns.query, columns.id)
    name = next((name for name in table.names if name.lower() in wanted and name not in taken), None)
    return None if name is None else table.strings(name).to_pylist()


def _proba_by_row(table: FileTable, columns: Columns) -> FloatArray | None:
    if columns.proba is not None:
        y_proba, _ = check_probabilities(table, columns.proba)
        return y_proba
    if columns.score is not None:
        scores, _ = check_probabilities(table, [columns.score])
        return np.column_stack([1 - scores[:, 0], scores[:, 0]])
    return None


def _of_lists(table: FileTable, columns: Columns, folder: Path) -> _Rankings:
    """Read cells of JSON: lists of names, or of objects with "id", "title", "text", "link", "proba"."""
    items = str(columns.items)
    root = Path(os.path.realpath(folder))
    queries = table.strings(str(columns.query)).to_pylist()
    name_beside, beside = items, None
    if columns.proba is not None and len(columns.proba) == 1:
        [name_beside] = columns.proba
        beside = table.strings(name_beside).to_pylist()
    found = _Rankings()
    for index, cell in enumerate(table.strings(items).to_pylist()):
        if len(table.problems) >= MAX_REPORTED:
            break
        entries = _json_list(table, cell, index, items)
        of_row = _json_list(table, beside[index], index, name_beside) if beside else None
        if entries is None or (beside and of_row is None):
            continue
        if of_row is not None and len(of_row) != len(entries):
            table.report(
                f"there are probabilities of {len(of_row)} items, but {len(entries)} items",
                "Give a list for each item, in their order.",
                index=index,
                column=name_beside,
            )
            continue
        results: list[Result] = []
        proba: list[FloatArray | None] = []
        for at, entry in enumerate(entries):
            result, own = _result(table, entry, index, items, root, folder)
            if result is None:
                break
            if any(str(other.item) == str(result.item) for other in results):
                table.report(
                    f"the item {shortened(str(result.item))} is twice in the list", "Remove one of the two.",
                    index=index, column=items,
                )  # fmt: skip
                break
            results.append(result)
            proba.append(_distribution(table, own if of_row is None else of_row[at], index, items))
        found.rankings.append(Ranking(queries[index], tuple(results)))
        found.proba.append(proba)
    if columns.id is not None:
        found.ids = table.strings(columns.id).to_pylist()
    return found


def _json_list(table: FileTable, cell: str, index: int, column: str) -> list[Any] | None:
    try:
        value = json.loads(cell) if cell.strip() else []
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, list):
        return value
    table.report(
        f"{shortened(cell)} is not a list",
        'Write JSON: ["first item", "second item"].',
        index=index,
        column=column,
    )
    return None


def _result(
    table: FileTable, entry: Any, index: int, column: str, root: Path, folder: Path
) -> tuple[Result | None, Any]:
    if isinstance(entry, str | int | float) and not isinstance(entry, bool):
        return Result(str(entry), title=str(entry)), None
    if isinstance(entry, Mapping):
        name = next((str(entry[key]) for key in _NAMES if entry.get(key) not in (None, "")), None)
        if name is not None:
            words = {key: str(entry[key]) for key in _KNOWN if entry.get(key) is not None}
            text = words.get("text", words.get("snippet", words.get("description")))
            image = entry.get("image")
            if image is not None and not (
                isinstance(image, str) and is_within(root, image_path(root, image))
            ):
                table.report(
                    f"the image {shortened(image)} is outside the folder {root.name!r}",
                    "Put it into that folder.", index=index, column=column,
                )  # fmt: skip
                return None, None
            title = words.get("title", None if text else name)
            link = words.get("link", words.get("url"))
            own = next((entry[key] for key in _PROBA if entry.get(key) is not None), None)
            return Result(name, title, text, None if image is None else folder / image, link), own
    table.report(
        f"{shortened(entry)} is not an item", 'Give its name, or an object with "id" and "title".',
        index=index, column=column,
    )  # fmt: skip
    return None, None


def _distribution(table: FileTable, given: Any, index: int, column: str) -> FloatArray | None:
    """Return the probability of each grade, from a list or from the probability of being relevant."""
    if given is None:
        return None
    try:
        values = np.asarray([1 - given, given] if isinstance(given, int | float) else given, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.empty(0)
    if values.ndim != 1 or values.size < 2 or not (values >= 0).all() or abs(values.sum() - 1) > 0.01:
        table.report(
            f"{shortened(given)} is not a distribution over grades",
            "Give a probability for each grade, which sum to 1; or one number, that of being relevant.",
            index=index,
            column=column,
        )
        return None
    normalized: FloatArray = values / values.sum()
    return normalized


def _grades(table: FileTable, columns: Columns, found: _Rankings) -> FloatArray | None:
    """Return the grades as named, or 0, 1, … by the number of probabilities."""
    counts = {each.size for row in found.proba for each in row if each is not None}
    if len(counts) > 1:
        table.report(
            f"items have {' or '.join(map(str, sorted(counts)))} probabilities", "Give one for each grade."
        )
        return None
    names: Sequence[str] | None = columns.classes
    if names is None and columns.proba is not None and len(columns.proba) > 1:
        names = class_names(columns.proba)
    if names is None:
        return np.arange(counts.pop() if counts else 4, dtype=np.float64)
    return grades_of(table, names, counts.pop() if counts else None)
