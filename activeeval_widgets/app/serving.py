"""Serve a page from the command line, until Ctrl-C."""

from __future__ import annotations

import errno
import os
import shutil
import socket
import sys
import webbrowser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from activeeval_widgets.app.deferred_imports import defer_iri_grammars
from activeeval_widgets.app.guests import FOLDER_VARIABLE, Guests, printed_token
from activeeval_widgets.app.hosting import Hosting
from activeeval_widgets.app.pages import PAGE_VARIABLE, to_text
from activeeval_widgets.app.printable import printable
from activeeval_widgets.app.user_code import hand_over, is_served, python_spec
from activeeval_widgets.data_folder import data_folder

if TYPE_CHECKING:
    from activeeval_widgets.session import Session
    from activeeval_widgets.widgets import LabelingApp


def serve(app: LabelingApp | Session, *, open_browser: bool = True, **hosting: Any) -> None:
    """Serve an app as a page of its own: the last line of a Python file.

    The page runs the file again up to this line, in a process of its own, so the session needs a store:
    then the labels outlive both. The lines after it run when Ctrl-C has stopped the server,
    and find the labels in the app's session.

    Parameters
    ----------
    app : LabelingApp or Session
        The app, or its session.
    open_browser : bool
        Whether to open the page in the browser.
    **hosting
        The options of `activeeval-widgets serve`: `host`, `port`, `base_url`, `token`,
        `allowed_hosts`, `trust_header`, `trusted_proxies`, `max_pages`.

    Raises
    ------
    TypeError
        If `app` is neither an app nor a session, or an option is unknown.
    RuntimeError
        If this is no Python file: a notebook shows the app without it.

    See Also
    --------
    evaluate : Makes an app.

    Examples
    --------
    In a file `spam.py`, which `python spam.py` and `activeeval-widgets serve spam.py` both serve::

        from activeeval_widgets import evaluate, serve
        from activeeval_widgets.stats import FMeasure

        app = evaluate(texts, model, FMeasure(positive="spam"), store="labels.sqlite")
        serve(app)
        print(app.session.estimate())
    """
    if not is_served(app):
        raise TypeError(f"app must be a LabelingApp or a Session, got {app!r}")
    # Not at the top: --help need not wait for pandas.
    from activeeval_widgets.session.stores.protocol import store_member

    hand_over(app)
    chosen = Hosting(**hosting)
    file = getattr(sys.modules["__main__"], "__file__", None)
    if file is None or hasattr(sys, "ps1") or not Path(file).is_file():
        raise RuntimeError(
            "serve is for Python files, which it has the page run. In a notebook, end the cell with the app "
            "itself; or type: activeeval-widgets serve NOTEBOOK.ipynb"
        )
    session: Session = getattr(app, "session", app)
    if not store_member(session.store, "is_lasting"):
        click.echo(
            "The session is kept only in memory, so its labels are lost with the page: give it a store, "
            'as in store="labels.sqlite".',
            err=True,
        )
    serve_page(python_spec(Path(file).absolute()), hosting=chosen, no_browser=not open_browser)
    session.refresh()


def serve_page(
    spec: Mapping[str, Any],
    *,
    hosting: Hosting,
    no_browser: bool = False,
    guests: Sequence[str] = (),
) -> None:
    """Serve the page that `spec` describes, and print its address."""
    try:
        _serve(spec, hosting, guests, no_browser=no_browser)
    except KeyboardInterrupt:  # before the server handles it
        sys.exit(0)


def _serve(spec: Mapping[str, Any], hosting: Hosting, guests: Sequence[str], *, no_browser: bool) -> None:
    # Not at the top: --help and a refused option need not wait for Voilà.
    defer_iri_grammars()
    from activeeval_widgets.app import server

    listening = bound_socket(hosting)
    os.environ[PAGE_VARIABLE] = to_text(spec)  # kernels inherit it
    links = Guests.of_owner(hosting.token, data_folder() / "guests")
    os.environ[FOLDER_VARIABLE] = str(links.folder)

    def announce(link: str) -> None:
        announce_link(link)
        for session in guests:
            token = links.invite(session, printed_token(hosting.token, session))
            address = f"{link.replace(hosting.token, token)}&session={quote(session, safe='')}"
            click.echo(f"For guests, only {printable(session)}: {address}")
        if not no_browser:
            open_once(link, hosting)

    try:
        server.run(listening, hosting, announce, has_lessons=spec["kind"] == "lessons")
    finally:
        if not hosting.keeps_token:  # this token is not used again
            shutil.rmtree(links.folder, ignore_errors=True)


def serve_class(spec: Mapping[str, Any], *, hosting: Hosting, no_browser: bool = False) -> None:
    """Serve the class that `spec` describes, and print the address of its wall."""
    # Not at the top: --help and a refused option need not wait for it.
    from activeeval_widgets.app import class_server

    def announce(link: str) -> None:
        announce_link(link)
        if not no_browser:
            open_once(link, hosting)

    try:
        class_server.run(bound_socket(hosting), spec, hosting, announce)
    except KeyboardInterrupt:  # before the server handles it
        sys.exit(0)


def bound_socket(hosting: Hosting) -> socket.socket:
    """Return a socket to serve on, or say which option prevents it."""
    # Not at the top: --help need not wait for tornado.
    from activeeval_widgets.app.listening import open_socket

    try:
        return open_socket(hosting)
    except socket.gaierror as error:
        raise click.BadParameter(
            f"{hosting.host} is not an address of this machine: {error.strerror}.", param_hint="--host"
        ) from error
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            raise click.BadParameter(
                f"{hosting.host} is not an address of this machine.", param_hint="--host"
            ) from error
        raise click.BadParameter(
            f"Port {hosting.port} cannot be used: {error.strerror}. Leave --port out to take a free one.",
            param_hint="--port",
        ) from error


def announce_link(link: str) -> None:
    """Print the address of a server that is ready."""
    click.echo(f"Serving {link}  (Ctrl-C stops it)")


def open_once(link: str, hosting: Hosting) -> None:
    """Open the page in the browser by a one-time link, since others can read its command line."""
    webbrowser.open(link.replace(hosting.token, hosting.once))
