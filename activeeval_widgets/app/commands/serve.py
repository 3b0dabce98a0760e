"""`serve`: a file of predictions as a labeling page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from activeeval_widgets.app.evaluation_options import (
    OPTIONS,
    evaluation_options,
    given_settings,
    goals_given,
    options_given,
)
from activeeval_widgets.app.file_check import check_file_apart, print_report
from activeeval_widgets.app.given_once import Command
from activeeval_widgets.app.options import (
    guest_option,
    prepared_address,
    server_options,
    store_option,
    store_that_has,
)
from activeeval_widgets.app.serving import serve_page
from activeeval_widgets.app.user_code import (
    SUFFIXES,
    UserCodeError,
    described,
    python_spec,
    read_code,
    run_code,
)
from activeeval_widgets.formats.options import flag

if TYPE_CHECKING:
    from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
    from activeeval_widgets.session import Store


@click.command("serve", cls=Command)
@click.argument("file", type=click.Path(path_type=Path))
@evaluation_options
@click.option("--check", is_flag=True, help="Check the file, say what is wrong, and serve nothing.")
@store_option
@server_options
@guest_option
def command(file: Path, check: bool, store: str | None, **options: Any) -> None:
    """Serve a file of predictions as a labeling page.

    FILE is a table (CSV, TSV, Parquet, JSON lines or Arrow; text also gzipped), the log of an evaluation tool
    (Inspect, lm-evaluation-harness, promptfoo, DeepEval), an evaluation.toml, or a Python file or notebook
    whose last value is an app or a session.

    Columns that you don't name are guessed, and it says how. Every row is checked: each problem is reported
    with its row and a remedy. The page is served until Ctrl-C. Run the same command again to go on where the
    session was.
    """
    server = {name: value for name, value in options.items() if name not in OPTIONS}
    if file.suffix.lower() in SUFFIXES:
        _serve_code(file.expanduser().absolute(), check, {"--store": store, **_typed(options)}, server)
        return
    settings = given_settings(file, options)
    address = None if check else prepared_address(store or default_store_of(settings))
    earlier = str(store or default_store_of(settings)) if check and settings.after is not None else None
    found = check_file_apart(
        settings, address, goals=goals_given(options), opens_images=check, earlier=earlier
    )
    # A served page prints one line to standard output: its address.
    print_report(found, err=not check)
    if check:
        click.echo("No problems.")
        return
    if settings.owner is not None and settings.hide_estimate and server["hosting"].trust_header is None:
        click.echo(
            f"owner: nobody sees the estimate, as {settings.owner} is a login, which only a proxy can tell "
            "(--trust-header, --trusted-proxy)",
            err=True,
        )
    serve_page({"kind": "evaluation", "settings": settings.to_dict(), "store": address}, **server)


def default_store_of(settings: EvaluationSettings) -> Path:
    """Return the store of the session if none is named."""

    def has(store: Store) -> bool:
        from activeeval_widgets.app.pages.evaluation import file_of

        file, names = file_of(store, settings.session_name), store.names()
        is_own = settings.session_name in names and file in (None, str(settings.file))
        return is_own or settings.after in names

    folder = settings.file if settings.file.is_dir() else settings.file.parent
    return store_that_has(has, folder)


def _typed(options: dict[str, Any]) -> dict[str, Any]:
    """Return the given options about a file of predictions, as typed."""
    return {flag(name): value for name, value in options_given(options).items()}


def _serve_code(file: Path, check: bool, given: dict[str, Any], server: dict[str, Any]) -> None:
    """Serve a Python file or a notebook; with `check`, only run it and print what it makes."""
    refused = [option for option, value in given.items() if value is not None]
    if refused:
        raise click.UsageError(
            f"{', '.join(refused)}: not for a Python file or a notebook, which says all this itself. "
            f"Leave it out, and say it in {file.name}"
        )
    spec = python_spec(file)
    try:
        if check:
            click.echo(f"{file.name} makes {described(run_code(file, Path(spec['folder'])))}.")
            click.echo("No problems.")
            return
        read_code(file)
    except UserCodeError as error:
        raise click.ClickException(str(error)) from error
    serve_page(spec, **server)
