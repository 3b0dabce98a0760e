"""`race`: two ways to choose instances against each other, on data whose labels are all known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from activeeval_widgets.app.commands import demo
from activeeval_widgets.app.commands.export_page import pyodide_option, report_written
from activeeval_widgets.app.evaluation_options import given_settings, options_given, options_named
from activeeval_widgets.app.file_check import FileReport, apart, print_report
from activeeval_widgets.app.given_once import Command
from activeeval_widgets.app.options import server_options
from activeeval_widgets.app.serving import serve_page
from activeeval_widgets.formats.columns import COLUMN_OPTIONS
from activeeval_widgets.formats.options import flag

DEMOS = tuple(name for name in demo.DEMOS if name != "leaderboard")
"""The demos of one model or two."""

METHODS = ("active", "papers", "uniform")
"""The methods, named here so that --help need not wait for what they import; a test compares."""

OPTIONS = (
    *(name for name in COLUMN_OPTIONS if name not in ("labels", "drawn", "drawn_by")),
    "measure",
    "positive",
    "y_range",
    "title",
    "question",
)
"""The options of `serve` that say how a file is read."""


def _two(_context: click.Context, _parameter: click.Parameter, value: str) -> list[str]:
    names = [name.strip() for name in value.split(",")]
    if len(names) != 2 or names[0] == names[1] or not set(names) <= set(METHODS):
        raise click.BadParameter(f"{value!r} has to be two of {', '.join(METHODS)}, such as active,uniform.")
    return names


@click.command("race", cls=Command)
@click.argument("data", metavar="[DEMO | FILE]", default="digits")
@click.option("--label", metavar="COL", help="Of a file: the column with the true label of each row.")
@click.option(
    "--methods",
    metavar="A,B",
    default="active,uniform",
    show_default=True,
    callback=_two,
    help="Who races: two of active, papers (the papers' q*) and uniform.",
)
@click.option(
    "--budget",
    type=click.IntRange(1),
    metavar="N",
    help="How many labels each racer gets.  [default: the demo's, else 200]",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of both racers.")
@click.option(
    "--export-page",
    "folder",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a page of static files to FOLDER, whose Python runs in the browser, and serve nothing.",
)
@pyodide_option
@options_named(*OPTIONS)
@server_options
def command(
    data: str,
    label: str | None,
    methods: list[str],
    budget: int | None,
    seed: int,
    folder: Path | None,
    pyodide: str | None,
    **options: Any,
) -> None:
    """Hold a race in a lecture: active evaluation against uniform draws.

    DEMO is one of digits (the default: F1 of the eights), text, ranking (one of its searches), images,
    regression, compare and judge. FILE is a table of predictions as for `serve`, with a column of true
    labels; rows without a label are left out.

    A simulated expert labels for both racers at once. The page plays the race, shows both estimates with
    their intervals and what each racer picked, compares them over 200 races, and takes labels by hand.
    Nothing is kept. It is served on this machine only, until Ctrl-C; --export-page writes it as files for
    any web server.
    """
    about_file = {name: options.pop(name) for name in OPTIONS}
    if pyodide is not None and folder is None:
        raise click.UsageError(
            "--pyodide is for a page of static files: add --export-page FOLDER, or leave it out"
        )
    spec = {"kind": "race", "methods": methods, "budget": budget, "seed": seed}
    spec = with_data(spec, data, label, about_file)
    if folder is None:
        serve_page(spec, **options)
    else:
        report_written(lambda: _write(spec, folder, pyodide), folder, pyodide, or_later=True)


def _write(spec: dict[str, Any], folder: Path, pyodide: str | None) -> None:
    from activeeval_widgets.app.static_page.export import export_race

    export_race(spec, folder, pyodide)


def with_data(
    spec: dict[str, Any], data: str, label: str | None, about_file: dict[str, Any]
) -> dict[str, Any]:
    """Add the demo or the labeled file to a spec with a budget; print notes, or end with problems."""
    if data in DEMOS and not (label and Path(data).exists()):
        given = [*(["label"] if label else []), *options_given(about_file)]
        if given:
            named = ", ".join(map(flag, given))
            raise click.UsageError(f"{named}: not for a demo, which has its data and labels. Leave it out")
        return {**spec, "demo": data}
    if label is None:
        is_there = Path(data).exists()
        raise click.UsageError(
            f"{data} needs --label COL: the column with the true label of each row"
            if is_there
            else f"{data!r} is neither a demo ({', '.join(DEMOS)}) nor a file that is there"
        )
    settings = given_settings(Path(data), {**about_file, "budget": spec["budget"]})
    spec = {**spec, "settings": settings.to_dict(), "label": label}
    print_report(apart(_look_through, spec))
    return spec


def _look_through(spec: dict[str, Any]) -> FileReport:
    """Return the problems of a file, or else notes on it."""
    from activeeval_widgets.app.pages import race
    from activeeval_widgets.formats.problems import FileProblemsError

    try:
        return FileReport(notes=race.notes_of(spec))
    except FileProblemsError as error:
        return FileReport(tuple(map(str, error.problems)))
    except (ValueError, TypeError, OSError) as error:
        return FileReport((f"{Path(spec['settings']['file']).name}: {error}",))
