"""Read rubrics from a table: criteria, grades in words, and a column for each judge's grades."""

from collections.abc import Sequence

from activeeval_widgets.formats.columns import Columns, columns_of_model
from activeeval_widgets.formats.problems import MAX_REPORTED, closest, shortened
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.stats import RankingPredictions, rubric_predictions


def rubric_of(table: FileTable, columns: Columns) -> RankingPredictions | None:
    """Return judges' grades, words or their numbers, on several criteria; None if there are problems."""
    criteria, words = columns.rubric or (), columns.classes or ()
    if len(words) < 2:
        table.report(
            "a rubric has grades, and there are no words for them",
            "Name them with classes, from the lowest on (--classes bad,fair,good).",
        )
        return None
    given = {criterion: _columns_of(table, columns, criterion) for criterion in criteria}
    for name in columns.votes or ():
        if not any(name in of_criterion for of_criterion in given.values()):
            table.report(
                f"votes names {name!r}, which neither begins nor ends with a criterion",
                closest(name, [each for of_criterion in given.values() for each in of_criterion]),
            )
    votes = {}
    for criterion, names in given.items():
        if names:
            judges = [_grades(table, name, words) for name in names]
            votes[criterion] = [list(row) for row in zip(*judges, strict=True)]
    if table.problems:
        return None
    judged = ", ".join(name for names in given.values() for name in names)
    without = ", ".join(criterion for criterion, names in given.items() if not names)
    table.note(
        f"grades of judges: {judged}{f' (none on {without})' if without else ''}"
        if judged
        else "No column has grades of judges, so draws are uniform."
    )
    made = rubric_predictions(criteria, range(len(words)), table.n_rows, votes=votes or None)
    made.grade_words = tuple(words)
    return made


def _columns_of(table: FileTable, columns: Columns, criterion: str) -> list[str]:
    """Return the columns with a criterion's grades."""
    shown = {
        name
        for role in ("text", "pair", "record", "conversation", "prompt", "answer", "reference", "id", "group")
        for value in [getattr(columns, role)]
        for name in ((value,) if isinstance(value, str) else value or ())
    }
    found = [name for name in columns_of_model(table.names, criterion).values() if name not in shown]
    return [name for name in found if columns.votes is None or name in columns.votes]


def _grades(table: FileTable, name: str, words: Sequence[str]) -> list[int | None]:
    """Return a judge's grades as numbers; report cells that are not grades."""
    known = {word.casefold(): grade for grade, word in enumerate(words)}
    known |= {str(grade): grade for grade in range(len(words))}
    found: list[int | None] = []
    n_reported = 0
    for index, cell in enumerate(table.strings(name).to_pylist()):
        word = cell.strip().casefold()
        if word and word not in known and n_reported < MAX_REPORTED:
            what = f"{shortened(cell)} is not a grade: neither {', '.join(words)} nor 0 to {len(words) - 1}"
            table.report(what, closest(cell, words), index=index, column=name)
            n_reported += 1
        found.append(known.get(word))
    return found
