"""`lessons`: learn from notebooks that come with the package."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import click

from activeeval_widgets.app.given_once import Command
from activeeval_widgets.app.options import server_options
from activeeval_widgets.app.serving import serve_page

NEEDED = {"latex2mathml": "latex2mathml", "matplotlib": "matplotlib", "sklearn": "scikit-learn"}
"""The modules of the extra "lessons", and the packages that install them."""


@click.command("lessons", cls=Command)
@click.option(
    "--copy",
    "folder",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Copy the notebooks to FOLDER, to be edited in JupyterLab, and serve nothing.",
)
@server_options
def command(folder: Path | None, **server: Any) -> None:
    """Learn active evaluation from lessons: notebooks that run when you open them.

    Serves a page of all lessons, with figures to look at and explorers to play with, on this machine only,
    until Ctrl-C. Each lesson that is opened runs by itself; labels given in it last as long as its page.
    """
    if folder is not None:
        from activeeval_widgets.lessons.catalog import NOTEBOOKS, copy_notebooks

        try:
            copy_notebooks(folder)
        except OSError as error:
            raise click.ClickException(str(error)) from error
        click.echo(f"{len(NOTEBOOKS)} notebooks are in {folder}.")
        return
    missing = [name for module, name in NEEDED.items() if importlib.util.find_spec(module) is None]
    if missing:
        from activeeval_widgets.stats.text import joined_by_and

        raise click.ClickException(
            f"The lessons need {joined_by_and(missing)}, which aren't installed. Install them with: "
            "pip install 'activeeval-widgets[lessons]'"
        )
    serve_page({"kind": "lessons"}, **server)
