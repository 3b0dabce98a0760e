"""The functions that the page's notebook calls."""

from __future__ import annotations

import contextlib
import html
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from IPython.display import HTML, display
from traitlets.log import get_logger

from activeeval_widgets.app.guests import GUEST_VARIABLE
from activeeval_widgets.app.pages import PAGE_VARIABLE, Page, Query, from_text, page_of
from activeeval_widgets.app.user_code import UserCodeError

if TYPE_CHECKING:
    from ipywidgets import DOMWidget

WHO_VARIABLE = "ACTIVEEVAL_WIDGETS_WHO"
CONTROL = "jupyter.widget.control"  # a page opens it first, to ask for all widgets


def session_name(query_string: str) -> str | None:
    """Read the session's name from the query of an address."""
    names = parse_qs(query_string).get("session", [])
    return (names[-1].strip() or None) if names else None


def query() -> Query:
    """Return the query of the request for the page, from the environment of its kernel."""
    guest = os.environ.get(GUEST_VARIABLE)
    return {
        "session": session_name(os.environ.get("QUERY_STRING", "")) if guest is None else guest,
        "who": os.environ.get(WHO_VARIABLE) or None,
    }


def is_of_python() -> bool:
    """Return whether a user's Python file or notebook makes the page."""
    text = os.environ.get(PAGE_VARIABLE)
    return text is not None and from_text(text)["kind"] == "python"


def log_to_terminal() -> None:
    """Send log messages to the server's terminal, in one line each; a kernel would send them to the page."""
    ours = logging.getLogger("activeeval_widgets")
    if sys.__stderr__ is not None and not ours.handlers:
        handler = logging.StreamHandler(sys.__stderr__)
        handler.setFormatter(logging.Formatter("%(name)s: %(message)s"))
        ours.addHandler(handler)
    log: logging.Logger | logging.LoggerAdapter[Any] = get_logger()
    if isinstance(log, logging.Logger):
        log.addFilter(_in_one_line)
    logging.getLogger("Comm").setLevel(logging.ERROR)  # don't warn: each page closes its control comm twice


def _in_one_line(record: logging.LogRecord) -> bool:
    if record.msg == "Invalid message" and isinstance(record.exc_info, tuple):
        record.msg = f"a message was not read: {record.exc_info[1]!r:.200}"
        record.exc_info = record.exc_text = None
    return True


def show(page: Page | None = None) -> None:
    """Display the page, or an error message."""
    log_to_terminal()
    try:
        spec = from_text(os.environ[PAGE_VARIABLE])
        shown = page or page_of(spec)
        shown.prepare(spec)
        # Not at the top: the server imports this module, and needs no widgets.
        from ipywidgets import Box

        place = Box()
        place.add_class("aew-page")
    except Exception as error:  # any error must be shown on the page
        get_logger().exception("The page could not be prepared.")
        display(HTML(error_message(error)))  # type: ignore[no-untyped-call]
        return

    def fill() -> None:
        place.children = (_built(shown, spec),)

    when_connected(fill)  # a mere fetch of the address begins no session
    display(place)  # type: ignore[no-untyped-call]


def when_connected(call: Callable[[], None]) -> None:
    """Call a function once, when the page has connected and before it learns which widgets exist."""
    from comm import get_comm_manager
    from ipywidgets import Widget

    manager = get_comm_manager()
    waiting = [call]

    def on_open(comm: object, message: object) -> None:
        if waiting:
            with _unannounced():
                waiting.pop()()
        Widget.handle_control_comm_opened(comm, message)

    manager.register_target(CONTROL, on_open)


@contextlib.contextmanager
def _unannounced() -> Iterator[None]:
    """Make widgets without announcing them: the page is about to ask for all, and would make some twice."""
    from ipykernel.comm.comm import BaseComm
    from ipykernel.kernelbase import Kernel

    publish = BaseComm.publish_msg

    def keep_quiet(comm: BaseComm, *_args: Any, **_options: Any) -> None:
        comm.kernel = comm.kernel or Kernel.instance()  # without one it would never send anything

    setattr(BaseComm, "publish_msg", keep_quiet)  # noqa: B010 - temporarily
    try:
        yield
    finally:
        setattr(BaseComm, "publish_msg", publish)  # noqa: B010


def _built(page: Page, spec: Mapping[str, Any]) -> DOMWidget:
    try:
        made = page.build(spec, query())
        return made if GUEST_VARIABLE not in os.environ else _for_guest(made, os.environ[GUEST_VARIABLE])
    except Exception as error:  # as above
        import ipywidgets

        if not isinstance(error, UserCodeError):  # whose traceback was printed
            get_logger().exception("The page could not be built.")
        return ipywidgets.HTML(error_message(error))


def _for_guest(made: DOMWidget, session: str) -> DOMWidget:
    """Hide the owner's parts of a session's page from a guest; refuse other pages."""
    from activeeval_widgets.widgets import LabelingApp

    if not isinstance(made, LabelingApp) or made.session.name != session:
        made.close()
        raise ValueError("This link opens one session, and this page has none.")
    made.restrict_to_guest()
    return made


def error_message(error: Exception) -> str:
    """Return HTML that shows `error`, its text escaped."""
    reason = html.escape(str(error) or type(error).__name__)
    return (
        '<div class="aew-failure" role="alert"><h1>The app could not start</h1>'
        f"<p>{reason}</p><p>Details are in the terminal that the server runs in.</p></div>"
    )
