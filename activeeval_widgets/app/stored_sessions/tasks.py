"""Hand out draws as tasks, and import their labels, with sentences on both."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from activeeval_widgets.formats.tasks import FORMATS, read_answers, write_tasks
from activeeval_widgets.session import ImportedLabels, Session
from activeeval_widgets.session.pool.kinds.absent import AbsentInstances
from activeeval_widgets.session.report.result import result_of
from activeeval_widgets.stats.text import counted
from activeeval_widgets.widgets.result.session_details import keep_details

_NOT_BLIND = (
    "The two answers are in the same order in every task, so whoever labels them can find out whose is "
    "whose; only the page hides it."
)
_ONLY_IDS = (
    "They have ids only, as the pool is read from an export without contents: --from FILE names the file of "
    "predictions."
)


def export_tasks(session: Session, n: int, output: Path, kind: str, *, with_predictions: bool) -> str:
    """Hand out draws, write them as tasks, and return a sentence about them."""
    if session.labels.kind == "grades" and kind != "csv":
        raise ValueError("Grades of rankings can be handed out only as CSV: --format csv")
    drawn = session.offline.export(n)
    if not drawn:
        raise ValueError(f"The session {session.name!r} has nothing left to hand out")
    written = write_tasks(session, drawn, output, kind, with_predictions=with_predictions)
    files = " and ".join(str(each) for each in written)
    few = "" if len(drawn) == n else f" (the pool has no more than {len(drawn):,} left)"
    sentence = f"Wrote {files}: {counted(len(drawn), 'draws')}{few}."
    notes = (
        (isinstance(session.pool.instances, AbsentInstances), _ONLY_IDS),
        (session.measure.sides(session.models) is not None, _NOT_BLIND),
    )
    return " ".join([sentence, *(note for holds, note in notes if holds)])


def check_not_filled_in(session: Session, output: Path, kind: str, *, with_predictions: bool) -> None:
    """Refuse to overwrite a file, unless it holds the open tasks unchanged."""
    if not output.exists():
        return
    out = session.offline.exported()
    if out:
        written = FORMATS[kind].write(session, out, with_predictions=with_predictions)
        if output.read_bytes().removeprefix(b"\xef\xbb\xbf") == written.encode("utf-8", "replace"):
            return
    raise ValueError(
        f"{output} is there already, and is not what was handed out last: somebody may have filled it in. "
        "Name another file, or overwrite it with --force"
    )


def import_answers(
    session: Session, path: Path, kind: str | None, *, who: str | None, on_conflict: str
) -> str:
    """Import labels from a file, and return sentences about them and the estimate."""
    given = read_answers(session, path, kind)
    if who is not None:
        given = [each if each.who is not None else replace(each, who=who) for each in given]
    imported = session.offline.import_labels(given, on_conflict=on_conflict)
    keep_details(session)
    return "\n".join([_import_sentence(imported), *_estimate_sentences(session, imported)])


def _import_sentence(imported: ImportedLabels) -> str:
    parts = [f"{counted(imported.n_new, 'labels')} taken in"]
    for n, words in (
        (imported.n_excluded, "can't be labeled"),
        (imported.n_changed, "changed"),
        (imported.n_same, "recorded already"),
        (imported.n_kept, "left out: another label is recorded"),
        (imported.n_empty, "without a label"),
        (len(imported.still_out), "still out"),
    ):
        if n:
            parts.append(f"{n:,} {words}")
    return f"{'; '.join(parts)}."


def _estimate_sentences(session: Session, imported: ImportedLabels) -> list[str]:
    result = result_of(session.findings, session.watched(), goal=session.goal)
    lines = [" ".join(filter(None, [result.answer, result.confidence]))]
    if imported.provisional is not None:
        n = imported.provisional.n_waiting
        # Later draws count once the earlier ones are answered: quick labels must not weigh more.
        value = result.numbers.value(imported.provisional.value)
        lines.append(
            f"{counted(n, 'labels')} {'waits' if n == 1 else 'wait'} for earlier draws that are still out. "
            f"With {'it' if n == 1 else 'them'} the value is provisionally {value}."
        )
    return lines
