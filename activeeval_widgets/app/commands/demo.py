"""`demo`: try the package on data that it brings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from activeeval_widgets.app.given_once import Command
from activeeval_widgets.app.options import (
    guest_option,
    prepared_address,
    server_options,
    store_option,
    store_that_has,
)
from activeeval_widgets.app.serving import serve_page

DEMOS = ("digits", "text", "ranking", "images", "regression", "compare", "leaderboard", "judge")
"""The demos, named here so that --help need not wait for what they import; a test compares."""

WITH_SHEETS = ("digits", "images")
"""The demos with sheets of instances to judge at a glance; a test compares."""


@click.command("demo", cls=Command)
@click.argument("name", metavar="[DEMO]", type=click.Choice(DEMOS), default="digits")
@click.option("--sheets", is_flag=True, help="Label what the model is sure of 24 at a time, with the key B.")
@server_options
@guest_option
@store_option
def command(name: str, store: str | None, *, sheets: bool, **server: Any) -> None:
    """Label the instances of a demo, and watch what the labels say about its model.

    \b
    digits      handwritten digits; a classifier's error rate (the default)
    text        review sentences; the F-measure of the negative ones
    ranking     two searches of review sentences, blind, results graded from 0 to 3; the difference in nDCG
    images      product photos in ten classes; a classifier's error rate
    regression  review sentences rated from -4 to 4; a mean squared error
    compare     two classifiers of digits; the difference of their error rates
    leaderboard five classifiers of review sentences; which has the lowest error rate
    judge       answers that GPT-4 judged, and how often it is wrong; other judges' votes as guidance

    Serves the page on this machine only, until Ctrl-C. A session is kept: opening the page again, even
    after a restart, goes on where it was.
    """  # noqa: D301 - click's mark for a paragraph that is not rewrapped
    if sheets and name not in WITH_SHEETS:
        raise click.UsageError(
            f"The demo {name!r} has no sheets: leave --sheets out, or use {WITH_SHEETS[0]}."
        )
    spec = {
        "kind": "demo",
        "demo": name,
        "store": prepared_address(store or _default_store(name)),
        "sheets": sheets,
    }
    serve_page(spec, **server)


def _default_store(demo: str) -> Path:
    """Return the store of the demo's sessions if none is named."""
    from activeeval_widgets.formats.session_names import session_number

    return store_that_has(lambda store: any(session_number(name, demo) for name in store.names()))
