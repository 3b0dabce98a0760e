"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from activeeval_widgets.app.hosting import hosting_options
from activeeval_widgets.data_folder import data_folder

if TYPE_CHECKING:
    from activeeval_widgets.session import Store

Command = Callable[..., Any]


IN_FOLDER = "evaluations.sqlite"
"""The name of a folder's own store."""


def default_store(folder: Path | None = None) -> Path:
    """Return the default store: the folder's own if it exists, else the user's."""
    own, of_user = _places(folder)
    return own if own.is_file() else of_user


def default_stores(folder: Path | None = None) -> list[Path]:
    """Return the default stores that exist."""
    return [path for path in _places(folder) if path.is_file()]


def _places(folder: Path | None) -> tuple[Path, Path]:
    """Return where a folder's own store is, the present folder's by default, and the user's."""
    return (folder or Path.cwd()).absolute() / IN_FOLDER, data_folder() / "sessions.sqlite"


def store_that_has(has: Callable[[Store], bool], folder: Path | None = None) -> Path:
    """Return the default store that has a session, where it stays, or else the one where it would begin."""
    # Not at the top: --help need not wait for pandas.
    from activeeval_widgets.session import SQLiteStore, StoreError

    there = default_stores(folder)
    for path in there if len(there) > 1 else ():
        with suppress(StoreError):  # reported when it is opened for use
            store = SQLiteStore(path)
            try:
                if has(store):
                    return path
            finally:
                store.close()
    return default_store(folder)


def prepared_address(store: str | Path) -> str:
    """Return the absolute address of a store; make the folder of a file."""
    # Not at the top: --help need not wait for pandas.
    from activeeval_widgets.session.stores.registry import absolute_address

    try:
        address = absolute_address(str(store))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--store") from error
    if isinstance(address, Path):
        try:
            address.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise click.BadParameter(
                f"The folder {address.parent} cannot be made: {error.strerror}.", param_hint="--store"
            ) from error
    return str(address)


def store_option(command: Command) -> Command:
    """Add `--store`; the command gets `store` as typed: see `prepared_address` and `default_store`."""
    return click.option(
        "--store",
        metavar="PATH-OR-URL",
        help="Where the sessions are kept: an SQLite file, or the address of a database.  "
        f"[default: {IN_FOLDER} in the folder if it is there, else sessions.sqlite in your data folder]",
    )(command)


def guest_option(command: Command) -> Command:
    """Add `--guest`; the command passes `guests` on to `serve_page`."""
    return click.option(
        "--guest",
        "guests",
        metavar="SESSION",
        multiple=True,
        help="Also print a link that opens only this session: no start page, no exports, no other sessions; "
        "may be repeated.",
    )(command)


def server_options(command: Command) -> Command:
    """Add the options of the server; the command passes `hosting` and `no_browser` on to `serve_page`."""
    with_browser = click.option("--no-browser", is_flag=True, help="Do not open the page in the browser.")
    return hosting_options(with_browser(command))
