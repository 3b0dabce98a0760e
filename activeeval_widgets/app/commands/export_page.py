"""`export-page`: a labeling page of static files, which needs no server of ours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shlex import quote
from typing import Any

import click

from activeeval_widgets.app.commands.demo import DEMOS
from activeeval_widgets.app.evaluation_options import (
    evaluation_options,
    given_settings,
    goals_given,
    options_given,
)
from activeeval_widgets.app.given_once import Command
from activeeval_widgets.app.printable import printable_lines
from activeeval_widgets.formats.options import flag

pyodide_option = click.option(
    "--pyodide",
    metavar="FOLDER-OR-URL",
    help="An unpacked Pyodide, of which what is needed is copied; or the address to load it from.  "
    "[default: the page looks for it in its folder pyodide]",
)

LESSONS = "lessons"


@click.command("export-page", cls=Command)
@click.argument("data", metavar="DEMO | FILE | lessons")
@click.option(
    "--output",
    "folder",
    required=True,
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the page is written.",
)
@pyodide_option
@evaluation_options
def command(data: str, folder: Path, pyodide: str | None, **options: Any) -> None:
    """Write a labeling page of static files, which any web server serves: Python runs in the browser.

    DEMO is one of those of `demo`; FILE and the options are those of `serve`. Labels stay in the browser of
    whoever gives them, who can save them as a file: `sessions import` and `verify` read it. All instances and
    predictions are in FOLDER, for everybody who can open the page. With "lessons", it is the page of all
    lessons, which needs the extra "lite".
    """
    if data == LESSONS and not Path(data).exists():
        _refuse_options(options, "lessons")
        report_written(lambda: _write_lessons(folder, pyodide), folder, pyodide)
        return
    spec = _spec(data, options)

    def write() -> None:
        from activeeval_widgets.app.static_page.export import export_page

        export_page(spec, folder, pyodide, is_seed_given=options["seed"] is not None)

    report_written(write, folder, pyodide, or_later=True)


def report_written(
    write: Callable[[], None], folder: Path, pyodide: str | None, *, or_later: bool = False
) -> None:
    """Write a page, and say how it is looked at and what it needs."""
    from activeeval_widgets.app.static_page.pyodide import VERSION

    try:
        write()
    except (ValueError, TypeError, OSError) as error:
        raise click.ClickException(printable_lines(error)) from error
    named = quote(str(folder))
    click.echo(f"Wrote {folder / 'index.html'}. To look at it: python -m http.server --directory {named}")
    if pyodide is None:
        click.echo(
            f"It needs Pyodide {VERSION}{' or later' * or_later} in {folder / 'pyodide'}: unpack a full "
            "release there, or name where it is with --pyodide.",
            err=True,
        )


def _write_lessons(folder: Path, pyodide: str | None) -> None:
    from activeeval_widgets.app.static_lessons.export import export_lessons

    export_lessons(folder, pyodide)


def _refuse_options(options: dict[str, Any], data: str) -> None:
    """Refuse options that are for a file."""
    given = [flag(name) for name in options_given(options)]
    if given:
        raise click.UsageError(f"{', '.join(given)}: not for {data}. Leave it out")


def _spec(data: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the spec of a demo, or of a checked file."""
    if data == "race" and not Path(data).exists():
        raise click.UsageError(
            "A race is written by its own command: activeeval-widgets race --export-page FOLDER"
        )
    if data in DEMOS and not Path(data).exists():
        _refuse_options(options, "a demo")
        return {"kind": "demo", "demo": data}
    from activeeval_widgets.app.file_check import check_file, print_report

    settings = given_settings(Path(data), options)
    print_report(check_file(settings, goals=goals_given(options)))
    return {"kind": "evaluation", "settings": settings.to_dict()}
