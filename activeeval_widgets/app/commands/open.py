"""`open`: the start page, also without a command."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from activeeval_widgets.app.given_once import Command
from activeeval_widgets.app.options import (
    IN_FOLDER,
    default_store,
    default_stores,
    guest_option,
    prepared_address,
    server_options,
    store_option,
)
from activeeval_widgets.app.serving import serve_page
from activeeval_widgets.data_folder import data_folder


@click.command("open", cls=Command)
@click.argument(
    "folder",
    metavar="[FOLDER]",
    required=False,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@server_options
@guest_option
@store_option
def command(folder: Path | None, store: str | None, guests: tuple[str, ...], **server: Any) -> None:
    """Open the start page: your evaluations, a new one from a file, the demos.

    Offers the files in FOLDER, or in the current folder. If you name FOLDER, new evaluations are kept in
    FOLDER/evaluations.sqlite, where `serve` and `demo` find them too; otherwise, in your data folder. It
    lists both.

    Serves the page on this machine only, until Ctrl-C.
    """
    here = (folder or Path()).absolute()
    can_write = os.access(here, os.W_OK)
    notices = []
    if not can_write:
        notices.append(f"{here} can't be written to: new evaluations are kept in {data_folder()}.")
    others: list[Path] = []
    if store is None:
        own = here / IN_FOLDER if folder is not None and can_write else default_store(here)
        others = [path for path in default_stores(here) if path != own]
        store = str(own)
    spec: dict[str, Any] = {
        "kind": "start",
        "store": prepared_address(store),
        "other_stores": [str(path) for path in others],
        "folder": str(here),
        "upload_folder": str(here if can_write else data_folder() / "files"),
        "notices": notices,
    }
    _check_guests(guests, [spec["store"], *spec["other_stores"]])
    serve_page(spec, guests=guests, **server)


def _check_guests(guests: Sequence[str], stores: Sequence[str]) -> None:
    """Refuse a link for a session that does not exist."""
    if guests:
        from activeeval_widgets.app.stored_sessions.find_session import check_there
        from activeeval_widgets.session import open_store

        there = list(map(open_store, stores))
        for name in guests:
            check_there(there, name)
