"""`class`: students label a session each, and a wall shows whose intervals hold the truth."""

from __future__ import annotations

from typing import Any

import click

from activeeval_widgets.app.commands.race import OPTIONS, with_data
from activeeval_widgets.app.evaluation_options import options_named
from activeeval_widgets.app.given_once import Command
from activeeval_widgets.app.options import server_options
from activeeval_widgets.app.serving import serve_class

MAX_SIMULATED = 59
"""Named here so that --help need not wait for what the class imports; a test compares."""


@click.command("class", cls=Command)
@click.argument("data", metavar="[DEMO | FILE]", default="digits")
@click.option("--label", metavar="COL", help="Of a file: the column with the true label of each row.")
@click.option(
    "--n-labels",
    type=click.IntRange(1),
    default=40,
    show_default=True,
    metavar="N",
    help="How many labels each student gives.",
)
@click.option(
    "--simulate",
    "n_simulated",
    type=click.IntRange(0, MAX_SIMULATED),
    default=0,
    metavar="N",
    help="How many students to simulate: they label truly, and are marked as simulated.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Seed of the first student; the others have the next ones. Even: active draws, odd: uniform draws.",
)
@options_named(*OPTIONS)
@server_options
def command(data: str, label: str | None, n_labels: int, n_simulated: int, seed: int, **options: Any) -> None:
    """Let a class label, up to 60 students, and see how many of its intervals hold the truth.

    DEMO is one of digits (the default), text, ranking (one of its searches), images, regression, compare and
    judge. FILE is a table of predictions as for `serve`, with a column of true labels; rows without a label
    are left out.

    The page shows a link and a QR code for students, who label a session each on their own devices, and the
    wall: all of their intervals. Devices on the network reach it with --host 0.0.0.0. Nothing is kept after
    Ctrl-C but what was saved from the page.
    """
    about_file = {name: options.pop(name) for name in OPTIONS}
    spec = {"kind": "class", "methods": ["active", "uniform"], "budget": n_labels, "seed": seed}
    spec = with_data(spec, data, label, about_file)
    serve_class({**spec, "n_simulated": n_simulated}, **options)
