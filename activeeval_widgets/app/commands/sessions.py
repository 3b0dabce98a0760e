"""`sessions`: what there is in a store, handed on and brought back."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from activeeval_widgets.app.given_once import Commands
from activeeval_widgets.app.options import store_option

_NAME = click.argument("name", metavar="NAME")


def _output(ending: str = "") -> Callable[[Any], Any]:
    return click.option(
        "--output",
        "-o",
        required=True,
        type=click.Path(dir_okay=False, path_type=Path),
        help=f"The file to write{ending}.",
    )


_FROM = click.option(
    "--from",
    "source",
    metavar="FILE",
    help="What the session's pool is read from, where the store does not know: the file of predictions, an "
    "evaluation.toml, an exported JSON, a Python file.",
)
_EXPORTS = ("csv", "parquet", "jsonl", "json", "qrels", "label-studio", "prodigy", "inspect")
_SUFFIXES = {"py": "inspect"}
_TASKS = ("csv", "label-studio", "prodigy")
_ANSWERS = (*_TASKS, "inspect", "table")


@click.group("sessions", cls=Commands)
def command() -> None:
    """List, show, export, import and report sessions; hand out draws, take labels back."""


@command.command("list")
@click.option("--archived", is_flag=True, help="List those in the archive, too.")
@store_option
def list_(store: str | None, archived: bool) -> None:
    """List the sessions of a store: labels, estimate, when they were last used.

    Without --store: those of evaluations.sqlite in this folder, and those in your data folder.
    """
    from activeeval_widgets.app.stored_sessions.find_session import all_opened
    from activeeval_widgets.app.stored_sessions.listing import listed

    lines = listed(all_opened(store), archived=archived)
    click.echo("\n".join(lines) if lines else "No sessions yet.")


@command.command("compare")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write it to this file: .svg, the plot alone; .html or .md, with the numbers.",
)
@store_option
def compare(names: tuple[str, ...], output: Path | None, store: str | None) -> None:
    """Show many sessions of one question side by side, each with its interval (a forest plot).

    Those that are named, or all of a store. Pools and models may differ; the measure may not.
    """
    from activeeval_widgets.app.stored_sessions.comparison import compared
    from activeeval_widgets.app.stored_sessions.find_session import all_opened
    from activeeval_widgets.session.report.html import as_html
    from activeeval_widgets.session.report.markdown import as_markdown

    suffix = "" if output is None else output.suffix.lower()
    if output is not None and suffix not in (".svg", ".html", ".md"):
        raise click.BadParameter(f"{output.name} must end in .svg, .html or .md.", param_hint="--output")
    found = compared(all_opened(store), names)
    click.echo("\n".join(found.as_text()))
    if output is not None:
        written = {".svg": found.as_svg, ".html": lambda: as_html(found.report())}
        text = written.get(suffix, lambda: as_markdown(found.report()))()
        _or_exit(lambda: output.write_text(text, encoding="utf-8", errors="replace"))
        click.echo(f"Wrote {output}.")


@command.command("show")
@_NAME
@_FROM
@store_option
def show(name: str, store: str | None, source: str | None) -> None:
    """Show one session: what is measured, how far it is, what was found."""
    from activeeval_widgets.app.stored_sessions.find_session import open_existing, open_session
    from activeeval_widgets.app.stored_sessions.listing import shown
    from activeeval_widgets.session.stores.protocol import store_member

    there = open_existing(store, name)
    session = open_session(there, name, source)
    click.echo("\n".join(shown(session, store_member(there, "details")(name))))


@command.command("export")
@_NAME
@_output()
@click.option(
    "--format",
    "kind",
    type=click.Choice(_EXPORTS),
    help="What is written.  [default: as the file's name ends]",
)
@click.option(
    "--rows",
    type=click.Choice(("labels", "draws", "events")),
    default="labels",
    show_default=True,
    help="For a table: one row per labeled instance, answered draw, or log event.",
)
@click.option("--with-contents", is_flag=True, help="Also write what was shown: texts, records, images.")
@_FROM
@store_option
def export(
    name: str,
    output: Path,
    kind: str | None,
    rows: str,
    with_contents: bool,
    store: str | None,
    source: str | None,
) -> None:
    """Export labels as a table, or the whole session as one JSON file.

    \b
    FILE.csv, .parquet, .jsonl   a tidy table: one row per labeled instance
    FILE.json                    the whole session, which `verify` checks and `sessions import` opens again
    FILE.qrels                   the grades of rankings, as trec_eval and ir_measures take them
    --format label-studio        annotations as Label Studio has them
    --format prodigy             annotations as Prodigy has them
    FILE.py (--format inspect)   a scorer that gives the labels to a log of Inspect

    Predictions, costs and log are in the JSON; contents are only with --with-contents.
    """  # noqa: D301 - click's mark for a paragraph that is not rewrapped
    from activeeval_widgets.app.stored_sessions.export import write_export
    from activeeval_widgets.app.stored_sessions.find_session import open_existing, open_session
    from activeeval_widgets.app.stored_sessions.output_check import check_output

    ending = output.with_suffix("") if output.suffix.lower() == ".gz" else output
    suffix = ending.suffix.removeprefix(".").lower()
    chosen = kind or _SUFFIXES.get(suffix, suffix)
    if chosen not in _EXPORTS:
        raise click.BadParameter(
            f"{output.name} has an unknown ending. Known are csv, parquet, json, jsonl, qrels, py; or say "
            "--format.",
            param_hint="--output",
        )
    there = open_existing(store, name)
    session = open_session(there, name, source)
    _or_exit(lambda: check_output(output, there, name, source))
    sentence = _or_exit(lambda: write_export(session, output, chosen, rows, with_contents=with_contents))
    click.echo(f"Wrote {output}: {sentence}")


@command.command("import")
@click.argument("file", metavar="FILE.json", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--name", help="Another name for the session.")
@store_option
def import_(file: Path, name: str | None, store: str | None) -> None:
    """Import an exported session into a store, and go on: same labels, same draws to come.

    It is checked first, as `verify` does, and refused if anything doesn't follow from its log. Keep FILE
    where it is: the predictions are read from it. If it holds no contents, instances show their ids.
    """
    from activeeval_widgets.app.stored_sessions.imports import import_session

    click.echo(_or_exit(lambda: import_session(file, store, name)))


@command.command("copy")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--to", "target", required=True, metavar="PATH-OR-URL", help="The store to copy to.")
@store_option
def copy(names: tuple[str, ...], target: str, store: str | None) -> None:
    """Copy sessions to another store, from a file to PostgreSQL, say: all of them, or those named.

    Each goes along with its whole log. The store copied from stays as it is. Done again, it adds what is new.
    """
    from activeeval_widgets.app.printable import printable
    from activeeval_widgets.app.stored_sessions.find_session import check_there, open_existing, open_or_create
    from activeeval_widgets.session import copy_sessions

    source = open_existing(store)
    for name in names:
        check_there([source], name)
    there = open_or_create(target)
    copied = _or_exit(lambda: copy_sessions(source, there, names or None))
    click.echo("\n".join(map(printable, copied)) if copied else "Nothing new to copy.")


@command.command("draw")
@_NAME
@click.option("--n", "n", required=True, type=click.IntRange(1), help="How many draws to hand out.")
@_output()
@click.option(
    "--format",
    "kind",
    type=click.Choice(_TASKS),
    help="What it is for.  [default: .csv a spreadsheet, .json Label Studio, .jsonl Prodigy]",
)
@click.option(
    "--with-predictions",
    is_flag=True,
    help="Show what the model says. That draws labelers toward it, so it is hidden unless you ask.",
)
@click.option("--force", is_flag=True, help="Overwrite FILE, even if somebody has filled it in.")
@_FROM
@store_option
def draw(
    name: str,
    n: int,
    output: Path,
    kind: str | None,
    with_predictions: bool,
    force: bool,
    store: str | None,
    source: str | None,
) -> None:
    """Hand out the next draws as tasks, to be labeled in a spreadsheet or in another tool.

    They are drawn by what the labels say so far, and stored with their probabilities; the page skips them.
    Until they are answered, the same ones are handed out again, and more if N is larger. `sessions answer`
    takes the labels back.
    """
    from activeeval_widgets.app.stored_sessions.find_session import open_existing, open_session
    from activeeval_widgets.app.stored_sessions.output_check import check_output
    from activeeval_widgets.app.stored_sessions.tasks import check_not_filled_in, export_tasks
    from activeeval_widgets.formats.tasks import format_of
    from activeeval_widgets.session.stores.registry import hide_password

    chosen = kind or format_of(output)
    if chosen is None:
        raise click.BadParameter(
            f"{output.name} ends in neither .csv, .json nor .jsonl; or say --format.", param_hint="--output"
        )
    there = open_existing(store, name)
    session = open_session(there, name, source, writes=True)
    _or_exit(lambda: check_output(output, there, name, source))
    if not force:
        _or_exit(lambda: check_not_filled_in(session, output, chosen, with_predictions=with_predictions))
    sentence = _or_exit(lambda: export_tasks(session, n, output, chosen, with_predictions=with_predictions))
    shown = None if store is None else hide_password(store)
    rest = [option for pair in (("--store", shown), ("--from", source)) if pair[1] for option in pair]
    again = shlex.join(["activeeval-widgets", "sessions", "answer", name, str(output), *map(str, rest)])
    click.echo(f"{sentence} Once labeled, take them back with:\n{again}")


@command.command("answer")
@_NAME
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--format", "kind", type=click.Choice(_ANSWERS), help="[default: by what FILE holds]")
@click.option("--who", help="Who gave the labels, where FILE does not say.")
@click.option(
    "--on-conflict",
    type=click.Choice(("refuse", "keep", "replace")),
    default="refuse",
    show_default=True,
    help="What to do where another label is recorded already.",
)
@_FROM
@store_option
def answer(
    name: str,
    file: Path,
    kind: str | None,
    who: str | None,
    on_conflict: str,
    store: str | None,
    source: str | None,
) -> None:
    """Take back labels given elsewhere, and say what they show.

    FILE is what `sessions draw` wrote, filled in: the CSV, an export of Label Studio (JSON or JSON-MIN), or
    of Prodigy; or labels that `sessions export` wrote. Rows may be in any order; an empty label is none;
    other columns are ignored. Everything is checked before anything is recorded, and the same file can be
    given twice.
    """
    from activeeval_widgets.app.stored_sessions.find_session import open_existing, open_session
    from activeeval_widgets.app.stored_sessions.tasks import import_answers

    session = open_session(open_existing(store, name), name, source, writes=True)
    click.echo(_or_exit(lambda: import_answers(session, file, kind, who=who, on_conflict=on_conflict)))


@command.command("report")
@_NAME
@_output(": .html, which prints well, or .md")
@click.option("--title", help="The heading.  [default: the measure and the session's name]")
@_FROM
@store_option
def report(name: str, output: Path, title: str | None, store: str | None, source: str | None) -> None:
    """Write what the session found and how: a page of HTML that prints well, or Markdown."""
    from activeeval_widgets.app.stored_sessions.find_session import open_existing, open_session
    from activeeval_widgets.session.stores.protocol import store_member

    formats = {".html": "html", ".htm": "html", ".md": "markdown", ".markdown": "markdown"}
    kind = formats.get(output.suffix.lower())
    if kind is None:
        raise click.BadParameter(f"{output.name} must end in .html or .md.", param_hint="--output")
    there = open_existing(store, name)
    session = open_session(there, name, source)
    details = store_member(there, "details")(name)
    text = session.report(format=kind, title=title or details.get("title"), question=details.get("question"))
    _or_exit(lambda: output.write_text(text, encoding="utf-8", errors="replace"))
    click.echo(f"Wrote {output}.")


def _or_exit(do: Callable[[], Any]) -> Any:
    """Return the result of a call; print errors that the user can act on as one message."""
    from activeeval_widgets.app.printable import printable_lines

    try:
        return do()
    except OSError as error:
        raise click.ClickException(f"{error.filename} can't be written: {error.strerror}.") from error
    except (ValueError, TypeError) as error:
        raise click.ClickException(printable_lines(error)) from error
