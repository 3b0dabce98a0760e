"""`verify`: whether every number in an exported session follows from its log."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from activeeval_widgets.app.given_once import Command

if TYPE_CHECKING:
    from activeeval_widgets.formats.session_file.reading import SessionFile


@click.command("verify", cls=Command)
@click.argument("file", metavar="FILE.json", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--report",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A report, HTML or Markdown: whether it is of this session, and how far that was then.",
)
@click.option(
    "--from",
    "source",
    metavar="FILE",
    help="The data set, or an evaluation.toml: compare the session with it. The export of "
    "a streamed one has only what was drawn.",
)
def command(file: Path, report: Path | None, source: str | None) -> None:
    """Recompute every number in an exported session, and report any that doesn't follow.

    From the predictions, the settings and the log in the file: the hash of each event, that each follows from
    those before, the draws and their probabilities, the labels' weights, estimate and interval. Exit status 0
    if all of them follow, 1 if one does not, or FILE is no exported session.
    """
    from activeeval_widgets.app.printable import printable
    from activeeval_widgets.app.stored_sessions.find_session import pool_named
    from activeeval_widgets.formats import read_session_file, verify
    from activeeval_widgets.stats.text import counted

    try:
        read = read_session_file(file)
        found = verify(read, pool=None if source is None else pool_named(source))
    except (ValueError, OSError) as error:
        raise click.ClickException(printable(error)) from error
    click.echo(
        f"Session {printable(found.name)}: {counted(found.n_events, 'events')}, "
        f"{counted(found.n_labels, 'labels')}"
    )
    click.echo(f"SHA-256 {found.sha256}")
    is_right = found.follows
    for finding in found.findings:
        click.echo(f"- {printable(finding)}")
    if found.follows:
        click.echo("Every number follows from the log.")
        if source is None and read.document["pool"].get("streamed") is not None:
            click.echo("The data set was not looked at; verify FILE.json --from DATA does.")
    else:
        n = len(found.findings)
        click.echo(f"{n:,} {'thing does' if n == 1 else 'things do'} not follow.")
    if report is not None:
        is_right &= _check_report(report, found.hashes, read)
    sys.exit(0 if is_right else 1)


def _check_report(report: Path, hashes: tuple[str, ...], file: SessionFile) -> bool:
    text = report.read_text(encoding="utf-8", errors="replace")
    known = [n for n, each in enumerate(hashes) if each in text]
    if not known and _has_pool_and_seed(text, file):
        click.echo(
            f"{report.name} is of this pool and seed, but after events that the file does not have: it is "
            "newer, or the log was another one. Export the session again, and verify that."
        )
        return False
    if not known:
        click.echo(f"{report.name} is not of this session: it names none of its hashes.")
        return False
    after = known[-1]
    if after == len(hashes) - 1:
        click.echo(f"{report.name} is of this session, as it is in the file.")
    else:
        click.echo(f"{report.name} is of this session after event {after:,} of {len(hashes) - 1:,}.")
    return True


def _has_pool_and_seed(report: str, file: SessionFile) -> bool:
    """Return whether a report states the seed and the fingerprints of a session's pool."""
    digests = re.findall(r"[0-9a-f]{64}", " ".join(file.pool.fingerprints.values()))
    has_seed = re.search(rf"\bseed {file.document['settings']['seed']}\b", report) is not None
    return has_seed and all(each[:16] in report for each in digests)
