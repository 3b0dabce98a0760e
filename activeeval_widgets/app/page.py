"""What the notebook of the page calls."""

from __future__ import annotations

import html
import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from IPython.display import HTML, display
from traitlets.log import get_logger

if TYPE_CHECKING:
    from ipywidgets import DOMWidget

Builder = Callable[[str, str, str | None], "DOMWidget"]

DEMO_VARIABLE = "ACTIVEEVAL_WIDGETS_DEMO"
STORE_VARIABLE = "ACTIVEEVAL_WIDGETS_STORE"


def session_name(query_string: str) -> str | None:
    """Read the session's name from an address.

    Parameters
    ----------
    query_string : str
        What follows the question mark, such as ``"session=tuesday"``.

    Returns
    -------
    str or None
        The name, without surrounding blanks; the last one if there are several. None if there is none, or a
        blank one.
    """
    names = parse_qs(query_string).get("session", [])
    return (names[-1].strip() or None) if names else None


def show(builder: Builder | None = None) -> None:
    """Display the app, or say on the page why it cannot be.

    Parameters
    ----------
    builder : callable, optional
        Makes the widget from the demo's name, the store's path and the session's name (None if the address
        has none). The package's own unless a test brings another.
    """
    try:
        demo = os.environ[DEMO_VARIABLE]
        store = os.environ[STORE_VARIABLE]
        if builder is None:
            # Not at the top: the command line imports this module, and needs no widgets.
            from activeeval_widgets.app import demo_page

            # Before the wait: a spare kernel has the slow part behind it when its page is opened.
            demo_page.load(demo)
            builder = demo_page.build
        display(builder(demo, store, session_name(_wait_for_query_string())))  # type: ignore[no-untyped-call]
    except Exception as error:  # whatever it is, the person in front of the page must hear of it
        get_logger().exception("The page could not be built.")
        display(HTML(error_message(error)))  # type: ignore[no-untyped-call]


def error_message(error: Exception) -> str:
    """Return HTML that tells of `error`, with nothing of its text taken as markup."""
    reason = html.escape(str(error) or type(error).__name__)
    return (
        '<div class="aew-failure" role="alert"><h1>The app could not start</h1>'
        f"<p>{reason}</p><p>Details are in the terminal that the server runs in.</p></div>"
    )


def _wait_for_query_string() -> str:
    """Return the page's query string; in a spare kernel, only when a page has been opened with it."""
    if os.environ.get("VOILA_PREHEAT", "False") == "True":
        from voila.utils import wait_for_request

        # An inherited value would be another page's.
        os.environ.pop("QUERY_STRING", None)
        # The wait may be cut off (a laptop that slept). To go on without an answer would show one session
        # under another's address.
        while "QUERY_STRING" not in os.environ:
            wait_for_request()
            time.sleep(0.05)
    return os.environ.get("QUERY_STRING", "")
