"""`check`: a yes, no or not yet for a CI job, from a stored session."""

from __future__ import annotations

import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

import click

from activeeval_widgets.app.given_once import Command
from activeeval_widgets.app.options import store_option

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("check", cls=Command)
@click.argument("name", metavar="NAME")
@click.option("--at-least", metavar="X", help="The measure has to be X or more: 0.9 or 90%.")
@click.option("--at-most", metavar="X", help="The measure, a loss, has to be X or less: 0.1 or 10%.")
@click.option(
    "--better-than",
    metavar="OLD",
    help="The other model of the session has to be better than its model OLD; if the session has one model, "
    "better than the model of the session OLD, which has to be about the same pool.",
)
@click.option(
    "--since",
    metavar="OLD",
    help="The measure must not be worse than in the session OLD, which this one follows (serve --after).",
)
@click.option(
    "--margin",
    metavar="M",
    help="With --better-than: better by M or more, such as 0.01 or 1%. With --since: worse by more than M.",
)
@click.option("--measure", metavar="MEASURE", help="Another measure than the session's, as for `serve`.")
@click.option("--positive", metavar="LABEL", help="The class of interest of that measure.")
@click.option("--confidence", metavar="LEVEL", help="The level of the answer.  [default: the session's]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--junit", type=_FILE, metavar="FILE", help="Write a test report in JUnit's format, too.")
@click.option(
    "--summary", type=_FILE, metavar="FILE", help="Append Markdown, too: $GITHUB_STEP_SUMMARY, say."
)
@click.option(
    "--from",
    "sources",
    metavar="FILE",
    multiple=True,
    help="What the pool of NAME is read from, if it has moved; given twice, also that of the session OLD.",
)
@store_option
def command(
    name: str,
    store: str | None,
    sources: tuple[str, ...],
    confidence: str | None,
    as_json: bool,
    junit: Path | None,
    summary: Path | None,
    **asked: Any,
) -> None:
    """Say whether a model is good enough, or better than another one: yes, no, or not yet.

    The exit status is 0 for yes, 1 for no, 3 if the labels don't tell yet (with about how many more it
    takes), and 2 if nothing could be checked. The answer rests on the interval that may be watched: it is
    wrong with at most the probability that the confidence leaves, however often you ask. An approximate
    interval gives no answer.

    The store is only read, even while a page has the session open.
    """
    from activeeval_widgets.app.printable import printable_lines
    from activeeval_widgets.app.stored_sessions.checking import (
        FAILED,
        CheckAnswer,
        Condition,
        append_summary,
        check,
        write_junit,
    )
    from activeeval_widgets.formats.settings_text import confidence_level

    failure = ""
    try:
        if sum(asked[key] is not None for key in ("at_least", "at_most", "better_than", "since")) != 1:
            raise click.UsageError(
                "Ask one thing: --at-least X, --at-most X, --better-than OLD or --since OLD."
            )
        if asked["margin"] is not None and asked["better_than"] is None and asked["since"] is None:
            raise click.UsageError("--margin goes with --better-than or --since.")
        if asked["since"] is not None and (asked["measure"] is not None or confidence is not None):
            raise click.UsageError(
                "--since takes the measure and the confidence that the sessions were begun with: leave out "
                f"--{'confidence' if asked['measure'] is None else 'measure'}."
            )
        if asked["positive"] is not None and asked["measure"] is None:
            raise click.UsageError("--positive goes with --measure.")
        level = None if confidence is None else confidence_level(confidence)
        checked = check(name, store, sources, Condition(**asked, confidence_level=level))
    except click.ClickException as error:
        failure = error.format_message()
        if name.endswith(".json") and Path(name).is_file():
            failure += f" To check a file, bring it into a store: sessions import {name} --store FILE.sqlite"
    except (ValueError, TypeError, OSError) as error:
        failure = str(error)
    except Exception as error:  # Python would exit with 1, which means "no"
        traceback.print_exc()
        failure = f"{type(error).__name__}: {error}"
    if failure:
        checked = CheckAnswer.failed(name, printable_lines(failure))
    try:
        if junit is not None:
            write_junit(junit, checked)
        if summary is not None:
            append_summary(summary, checked)
    except OSError as error:
        failure = failure or f"{error.filename} can't be written: {error.strerror}."
    if failure:
        click.echo(f"Error: {printable_lines(failure)}", err=True)
        sys.exit(FAILED)
    text = "\n".join([checked.headline, *checked.lines])
    try:
        click.echo(json.dumps(checked.data, ensure_ascii=False, indent=2) if as_json else text)
    except BrokenPipeError:  # nobody reads it; the answer stands
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(checked.status)
