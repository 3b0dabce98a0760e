"""The command line."""

from __future__ import annotations

import importlib.util
import os
import sys
import webbrowser
from pathlib import Path

import click
import platformdirs

from activeeval_widgets._version import __version__
from activeeval_widgets.app.page import DEMO_VARIABLE, STORE_VARIABLE


def default_store() -> Path:
    """Return where sessions are kept unless told otherwise: in the user's data folder."""
    return Path(platformdirs.user_data_dir("activeeval-widgets", appauthor=False)) / "sessions.sqlite"


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="activeeval-widgets")
def main() -> None:
    """How good is a predictive model? Find out with as few human labels as possible."""


DEMOS = ("digits", "text", "ranking", "images", "regression", "compare")
"""The demos, named here so that --help need not wait for what they import; a test compares."""

NEED_SCIKIT_LEARN = ("digits", "compare")


@main.command()
@click.argument("name", metavar="[DEMO]", type=click.Choice(DEMOS), default="digits")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="Port to serve on, 0 for any free one.  [default: 8866, or a free one if it is taken]",
)
@click.option("--no-browser", is_flag=True, help="Do not open the page in the browser.")
@click.option(
    "--store",
    type=click.Path(dir_okay=False, path_type=Path),
    help="SQLite file that keeps the sessions.  [default: sessions.sqlite in your data folder]",
)
def demo(name: str, port: int | None, no_browser: bool, store: Path | None) -> None:
    """Label the instances of a demo, and watch what the labels say about its model.

    \b
    digits      handwritten digits; a classifier's error rate (this one unless named)
    text        review sentences; the F-measure of the negative ones
    ranking     a search of review sentences, results graded from 0 to 3; its ERR
    images      product photos in ten classes; a classifier's error rate
    regression  review sentences rated from -4 to 4; a mean squared error
    compare     two classifiers of digits; the difference of their error rates

    Serves the page on this machine only, until Ctrl-C. A session is kept: opening the page again, even
    after a restart, goes on where it was.
    """  # noqa: D301 - click's mark for a paragraph that is not rewrapped
    if name in NEED_SCIKIT_LEARN and importlib.util.find_spec("sklearn") is None:
        raise click.ClickException(
            f"The demo {name} needs scikit-learn; install it with: pip install scikit-learn. "
            f"These do not: {', '.join(other for other in DEMOS if other not in NEED_SCIKIT_LEARN)}."
        )
    path = (store or default_store()).expanduser().absolute()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.BadParameter(
            f"The folder {path.parent} cannot be made: {error.strerror}.", param_hint="--store"
        ) from error
    try:
        _serve(name, port, path, open_browser=not no_browser)
    except KeyboardInterrupt:  # before the server had its own way of hearing it
        sys.exit(0)


def _serve(name: str, port: int | None, store: Path, *, open_browser: bool) -> None:
    # Voilà takes a second to import, which --help and a refused option need not wait for.
    from activeeval_widgets.app import server

    try:
        listening = server.open_socket(port)
    except OSError as error:
        raise click.BadParameter(
            f"Port {port} cannot be used: {error.strerror}. Leave --port out to take a free one.",
            param_hint="--port",
        ) from error
    # Kernels inherit these.
    os.environ[DEMO_VARIABLE] = name
    os.environ[STORE_VARIABLE] = str(store)

    def announce(address: str) -> None:
        click.echo(f"Serving {address}  (Ctrl-C stops it)")
        if open_browser:
            webbrowser.open(address)

    server.run(listening, announce)


if __name__ == "__main__":
    main()
