"""Problems of a file, each with its place and a remedy."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

MAX_REPORTED = 20
"""The largest number of rows that are reported for one kind of problem."""


@dataclass(frozen=True)
class Problem:
    """A problem of a file.

    Attributes
    ----------
    file : str
        The file's name.
    message : str
        What is wrong.
    remedy : str
        How to mend it.
    row : int or None
        The row's number in a spreadsheet, where the header is row 1; for JSON lines, the line's number.
    column : str or None
        The column.

    See Also
    --------
    examine : Finds them.

    Examples
    --------
    >>> print(Problem("mails.csv", "the id 'a7' is in row 3 already", "Give each row its own id.", 9, "id"))
    mails.csv, row 9, column 'id': the id 'a7' is in row 3 already. Give each row its own id.
    """

    file: str
    message: str
    remedy: str
    row: int | None = None
    column: str | None = None

    def __str__(self) -> str:
        where = [self.file]
        if self.row is not None:
            where.append(f"row {self.row:,}")
        if self.column is not None:
            where.append(f"column {self.column!r}")
        return f"{', '.join(where)}: {self.message}. {self.remedy}"


class FileProblemsError(ValueError):
    """A file can't be read into a pool.

    Attributes
    ----------
    problems : tuple of Problem
        All problems that were found.

    See Also
    --------
    examine : Returns the problems instead of raising them.

    Examples
    --------
    >>> from activeeval_widgets import Pool
    >>> from activeeval_widgets.formats import FileProblemsError
    >>> try:
    ...     Pool.read("nowhere.csv")
    ... except FileProblemsError as error:
    ...     print(error)
    nowhere.csv: there is no such file. Check its name and its folder.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = in_order(problems)
        first, *others = map(str, self.problems)
        more = "" if not others else f" (and {len(others)} more: {' | '.join(others[:4])})"
        super().__init__(f"{first}{more}")

    def __reduce__(self) -> tuple[Any, ...]:
        # Workers of a cluster send it pickled: the message does not suffice to restore it.
        return type(self), (self.problems,)


def problem_error(
    file: str, message: str, remedy: str, row: int | None = None, column: str | None = None
) -> FileProblemsError:
    """Return the error for a single problem."""
    return FileProblemsError([Problem(file, message, remedy, row, column)])


def repeated_columns(file: str, names: Sequence[str], row: int | None = None) -> list[Problem]:
    """Return a problem for each name that several columns have."""
    return [
        Problem(file, "two columns have this name", "Rename one of them.", row, name)
        for name, count in Counter(names).items()
        if count > 1
    ]


def in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Sort problems by file and row; those of a whole file come first."""
    found = list(problems)
    files = list(dict.fromkeys(each.file for each in found))
    return tuple(sorted(found, key=lambda each: (files.index(each.file), each.row or 0)))


def closest(name: str, known: Sequence[str]) -> str:
    """Return a sentence that suggests a similar name."""
    by_lower = {each.lower(): each for each in known}
    found = get_close_matches(name.lower(), list(by_lower), n=1, cutoff=0.6)
    if found:
        return f"Did you mean {by_lower[found[0]]!r}?"
    from activeeval_widgets.stats.text import listed  # not at the top: --help need not wait

    return f"There are {listed([*map(repr, known)]) or 'none'}."


def typed(name: str) -> str:
    """Quote a name for the command line."""
    return f'"{name}"' if " " in name else name


def shortened(value: object) -> str:
    """Format a value for a message: in one line, shortened."""
    from activeeval_widgets.stats.text import cut

    return repr(cut(str(value), 60))
