"""Read and write TREC's run files (ranked lists of documents) and judgments (qrels)."""

import gzip
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import Any

from activeeval_widgets.formats.problems import (
    MAX_REPORTED,
    FileProblemsError,
    Problem,
    problem_error,
    shortened,
)
from activeeval_widgets.session.pool.runs import by_score
from activeeval_widgets.stats.text import counted

RUN_ENDINGS = (".run", ".trec", ".res")
"""The usual suffixes of run files; others are recognized by their first line."""

_LINE_OF_RUN = "query Q0 document rank score tag"
_LINE_OF_QRELS = "query iteration document grade"


def read_run(path: str | os.PathLike[str], *, depth: int | None = None) -> dict[str, dict[str, float]]:
    r"""Read a TREC run file: lines of query, "Q0", document, rank, score and tag, blanks or tabs between.

    Documents are ranked as trec_eval ranks them: by the score rounded to single precision, largest
    first; for equal scores, by the document's name, last in the alphabet first. The rank in the file does
    not count.

    Parameters
    ----------
    path : str or path-like
        The file, which may be gzipped.
    depth : int, optional
        Keep only the first `depth` documents of each query.

    Returns
    -------
    dict of str to dict of str to float
        By query, in the file's order, the documents' scores in ranked order, as `ir_measures` and pytrec_eval
        take them, too.

    Raises
    ------
    FileProblemsError
        If lines are not those of a run, or rank a document again; the error names each line.
    OSError
        If it can't be read.

    See Also
    --------
    write_run : Writes one.
    read_qrels : Reads judgments.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "bm25.run")
    ...     size = path.write_text("q1 Q0 d7 1 3.5 bm25\nq1\tQ0\td2\t2\t3.5\tbm25\nq1 Q0 d9 3 4 bm25\n")
    ...     read_run(path)
    {'q1': {'d9': 4.0, 'd7': 3.5, 'd2': 3.5}}
    """
    found = _read(Path(path), _LINE_OF_RUN, 4, _score)
    return {query: _ranked(scores, depth) for query, scores in found.items()}


def _ranked(scores: dict[str, float], depth: int | None) -> dict[str, float]:
    return {name: scores[name] for name in by_score(scores)[:depth]}


def write_run(
    path: str | os.PathLike[str],
    run: Mapping[Any, Mapping[Any, float] | Sequence[Any]],
    *,
    tag: str = "activeeval",
) -> None:
    r"""Write a TREC run file.

    Parameters
    ----------
    path : str or path-like
        The file; a name that ends in ".gz" means it is gzipped.
    run : mapping
        By query: documents in ranked order, or their scores. For a ranked order, the written scores
        fall by 1 from document to document, so that every reader restores the order.
    tag : str
        The ranker's name.

    Raises
    ------
    ValueError
        If a name is empty or has a blank in it, or a score is not a finite number.

    See Also
    --------
    read_run : Reads it.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "new.run")
    ...     write_run(path, {"q1": ["d2", "d7"]}, tag="new")
    ...     print(path.read_text(), end="")
    q1 Q0 d2 1 2 new
    q1 Q0 d7 2 1 new
    """
    lines = []
    _check_word("tag", tag)
    for query, given in run.items():
        _check_word("query", query)
        if isinstance(given, Mapping):
            scores = {str(document): float(score) for document, score in given.items()}
            if not all(map(isfinite, scores.values())):
                raise ValueError(f"run[{query!r}] has a score that is not a finite number")
            ranked = _ranked(scores, None)
        else:
            documents = [str(document) for document in given]
            if len(set(documents)) < len(documents):
                raise ValueError(f"run[{query!r}] ranks a document twice")
            ranked = {document: float(len(documents) - at) for at, document in enumerate(documents)}
        for rank, (document, score) in enumerate(ranked.items(), start=1):
            _check_word("document", document)
            lines.append(f"{query} Q0 {document} {rank} {_plain(score)} {tag}\n")
    _write(Path(path), lines)


def read_qrels(path: str | os.PathLike[str]) -> dict[str, dict[str, int]]:
    r"""Read judgments (qrels): lines of query, iteration, document and grade, with blanks or tabs between.

    Parameters
    ----------
    path : str or path-like
        The file, which may be gzipped.

    Returns
    -------
    dict of str to dict of str to int
        By query, the documents' grades, as `Pool` takes them as `judged`. Documents with a grade below 0, as
        some tracks mark documents that were not judged, are left out.

    Raises
    ------
    FileProblemsError
        If lines are not those of a qrels file, or grade a document again; the error names each line.
    OSError
        If it can't be read.

    See Also
    --------
    write_qrels : Writes them.
    SessionLog.judgments : The grades of a session.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "judged.qrels")
    ...     size = path.write_text("q1 0 d7 2\nq1 0 d2 0\nq1 0 d4 -1\n")
    ...     read_qrels(path)
    {'q1': {'d7': 2, 'd2': 0}}
    """
    found = _read(Path(path), _LINE_OF_QRELS, 3, _grade)
    judged = (
        (query, {document: int(grade) for document, grade in grades.items() if grade >= 0})
        for query, grades in found.items()
    )
    return {query: grades for query, grades in judged if grades}


def write_qrels(path: str | os.PathLike[str], judged: Mapping[Any, Mapping[Any, float | None]]) -> int:
    r"""Write judgments (qrels).

    Parameters
    ----------
    path : str or path-like
        The file; a name that ends in ".gz" means it is gzipped.
    judged : mapping
        By query, the documents' grades. Documents without a grade (None) are left out.

    Returns
    -------
    int
        The number of lines written.

    Raises
    ------
    ValueError
        If a grade is not a whole number, or a name is empty or has a blank in it.

    See Also
    --------
    read_qrels : Reads them.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "judged.qrels")
    ...     n_lines = write_qrels(path, {"q1": {"d7": 2, "d2": None}})
    ...     n_lines, path.read_text()
    (1, 'q1 0 d7 2\n')
    """
    lines = []
    for query, grades in judged.items():
        _check_word("query", query)
        for document, grade in grades.items():
            if grade is None:
                continue
            _check_word("document", document)
            if not isfinite(grade) or grade != int(grade):
                raise ValueError(
                    f"judged[{query!r}][{document!r}] is {grade!r}: qrels hold only whole numbers"
                )
            lines.append(f"{query} 0 {document} {int(grade)}\n")
    _write(Path(path), lines)
    return len(lines)


def is_run_file(path: Path) -> bool:
    """Return whether a file is a TREC run, by its name's suffix or its first line."""
    name = path.name.lower().removesuffix(".gz")
    if name.endswith(RUN_ENDINGS):
        return True
    if ("." in name and not name.endswith((".txt", ".dat", ".out", ".results"))) or not path.is_file():
        return False
    try:
        words = next((text for _, text in text_lines(path)), "").split()
    except (OSError, FileProblemsError, EOFError):
        return False
    return len(words) == 6 and words[1].upper() == "Q0"


def _read(
    place: Path, expected: str, at: int, value_of: Callable[[Path, int, str], float | Problem]
) -> dict[str, dict[str, float]]:
    """Return each document's number, part `at` of a line, by query; report wrong lines and repetitions."""
    problems: list[Problem] = []
    found: dict[str, dict[str, float]] = {}
    line_of: dict[tuple[str, str], int] = {}
    n_parts = len(expected.split())
    for number, text in text_lines(place):
        words = text.split()
        if len(words) != n_parts:
            problems.append(_not_a_line(place, number, words, expected, n_parts))
        else:
            query, document, value = words[0], words[2], value_of(place, number, words[at])
            if isinstance(value, Problem):
                problems.append(value)
            elif (query, document) in line_of:
                problems.append(_repeated_document(place, number, query, document, line_of[query, document]))
            else:
                line_of[query, document] = number
                found.setdefault(query, {})[document] = value
        if len(problems) >= MAX_REPORTED:
            break
    if not problems and not found:
        problems.append(Problem(place.name, "it holds no lines", f"Write one a document: {expected}."))
    if problems:
        raise FileProblemsError(problems)
    return found


def _score(place: Path, number: int, written: str) -> float | Problem:
    value = _number(written)
    if value is not None:
        return value
    return Problem(place.name, f"the score {shortened(written)} is not a number", "Write one.", number)


def _grade(place: Path, number: int, written: str) -> float | Problem:
    value = _number(written)
    if value is not None and value == int(value):
        return value
    text = f"the grade {shortened(written)} is not a whole number"
    return Problem(place.name, text, "Write one, such as 0, 1 or 2.", number)


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each non-empty line of a file, which may be gzipped."""
    with path.open("rb") as file:
        is_compressed = file.read(2) == b"\x1f\x8b"
    with gzip.open(path, "rb") if is_compressed else path.open("rb") as opened:
        for number, line in enumerate(opened, start=1):
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                raise problem_error(path.name, "it is not UTF-8 text", "Save it as UTF-8.", number) from None
            if text.strip():
                yield number, text


def _write(path: Path, lines: Iterable[str]) -> None:
    content = "".join(lines).encode()
    if path.name.lower().endswith(".gz"):
        packed = BytesIO()
        with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0, filename="") as file:
            file.write(content)
        content = packed.getvalue()
    path.write_bytes(content)


def _number(written: str) -> float | None:
    try:
        value = float(written)
    except ValueError:
        return None
    return value if isfinite(value) else None


def _plain(score: float) -> str:
    return f"{score:.0f}" if score == int(score) and abs(score) < 1e15 else repr(score)


def _check_word(what: str, value: Any) -> None:
    if str(value).split() != [str(value)]:
        raise ValueError(f"{what} {value!r} has a blank in it, or is empty: TREC's files can't hold that")


def _not_a_line(path: Path, number: int, words: list[str], expected: str, n: int) -> Problem:
    text = f"it has {counted(len(words), 'parts')}, expected {n}: {expected}"
    return Problem(path.name, text, "Names can't have blanks in them.", number)


def _repeated_document(path: Path, number: int, query: str, document: str, before: int) -> Problem:
    text = f"the document {shortened(document)} of the query {shortened(query)} is in row {before:,} already"
    return Problem(path.name, text, "Remove one of the two.", number)
