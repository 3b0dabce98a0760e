"""Serve a class: the teacher's wall and the students' pages, without kernels."""

from __future__ import annotations

import asyncio
import html
import ipaddress
import re
import secrets
import socket
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any, cast

import segno
import tornado.web

from activeeval_widgets.app import ICON, TEMPLATES
from activeeval_widgets.app.access import Access
from activeeval_widgets.app.gate import (
    Gate,
    is_https,
    set_lasting_cookie,
    set_page_headers,
    set_safe_headers,
)
from activeeval_widgets.app.guests import Guests, printed_token
from activeeval_widgets.app.hosting import Hosting
from activeeval_widgets.app.listening import end_tasks, serve_until, stop_event
from activeeval_widgets.app.page_line import LARGEST_MESSAGE, PageLineHandler
from activeeval_widgets.app.pages import classroom as page
from activeeval_widgets.app.server_folder import server_folder
from activeeval_widgets.widgets.front_end import STATIC

if TYPE_CHECKING:
    from activeeval_widgets.widgets.classroom.classroom import Classroom
    from activeeval_widgets.widgets.page_channel import PageChannel

JOIN = "join"
TYPED = 16  # hexadecimal digits of the link's token, which some people type
SESSION = "class"  # the students' link opens it, as a guest's link opens a session

_FILES = {
    "app.css": (STATIC / "app.css", "text/css"),
    "app.js": (STATIC / "app.js", "text/javascript"),
    "class.css": (STATIC / "class.css", "text/css"),
    "class.js": (STATIC / "class.js", "text/javascript"),
    "favicon.svg": (ICON, "image/svg+xml"),
}
_KEY = re.compile(r"[A-Za-z0-9_-]{32}")


class FileHandler(tornado.web.RequestHandler):
    """A script, a style sheet or the icon."""

    def get(self, name: str) -> None:
        """Send the file; a browser asks each time whether it has changed."""
        path, kind = _FILES[name]
        set_safe_headers(self)
        self.set_header("Content-Type", f"{kind}; charset=utf-8")
        self.set_header("Cache-Control", "no-cache")
        self.write(path.read_bytes())


class ClassPageHandler(tornado.web.RequestHandler):
    """A page that its script fills."""

    def send_page(self, shows: str, more: str = "") -> None:
        """Send the page of a student or of the wall."""
        nonce = secrets.token_urlsafe(16)
        set_page_headers(self, nonce)
        self.finish(_template().substitute(nonce=nonce, shows=shows, more=more))


class WallHandler(ClassPageHandler):
    """The teacher's page."""

    def get(self) -> None:
        """Send the page, with the students' link and its QR code."""
        link = self.settings["students_link"](self.request)
        is_loopback = _is_loopback(link)
        code = segno.make(link, error="m", micro=False).svg_inline(border=3, omitsize=True, light="#fff")
        self.send_page(
            "wall",
            f'<template id="aew-invitation" data-link="{html.escape(link)}" '
            f'data-is-local="{str(is_loopback).lower()}">{code}</template>',
        )


class StudentHandler(ClassPageHandler):
    """A student's page."""

    def get(self) -> None:
        """Send the page, and a key by which the browser is known."""
        if _key_of(self) is None:
            set_lasting_cookie(self, _cookie(self), secrets.token_urlsafe(24))
        self.send_page("student")


class WallLineHandler(PageLineHandler):
    """The wall's line."""

    def find_channel(self) -> PageChannel:
        """Return the wall."""
        return cast("Classroom", self.settings["classroom"]).wall


class StudentLineHandler(PageLineHandler):
    """A student's line."""

    def find_channel(self) -> PageChannel:
        """Return the front end of the student whose key the browser has."""
        key = _key_of(self)
        if key is None:
            raise ValueError("Open the class's link again; your browser has to allow its cookie.")
        return cast("Classroom", self.settings["classroom"]).admit(key)

    def may_use(self) -> bool:
        """Return whether the class's link still stands."""
        gate = cast("Gate", self.application)
        guest = gate.guest(self.request)
        return gate.may_use(self.request, None if guest is None else guest.link)


FOR_STUDENTS = (FileHandler, StudentHandler, StudentLineHandler)
"""The handlers that the students' link opens."""


def make_gate(classroom: Classroom, hosting: Hosting, port: int, folder: Path) -> Gate:
    """Return the application of a class, with a link for its students."""
    guests = Guests(folder / "guests")
    token = guests.invite(SESSION, printed_token(hosting.token, SESSION)[:TYPED])
    gate = Gate(
        Access(hosting, port, guests),
        hosting.base_url,
        for_guests=FOR_STUDENTS,
        classroom=classroom,
        students_link=lambda request: _link(request, hosting, port, token),
        compress_response=True,
        websocket_max_message_size=LARGEST_MESSAGE,
        websocket_ping_interval=20,
    )
    names = "|".join(re.escape(name) for name in _FILES)
    gate.add_handlers(
        r".*",
        [
            (r"/", WallHandler),
            (r"/wall", WallLineHandler),
            (rf"/{JOIN}", StudentHandler),
            (r"/student", StudentLineHandler),
            (rf"/({names})", FileHandler),
        ],
    )
    return gate


def run(
    listening: socket.socket, spec: Mapping[str, Any], hosting: Hosting, on_ready: Callable[[str], None]
) -> None:
    """Serve a class until SIGINT or SIGTERM."""
    with listening, server_folder() as folder:
        asyncio.run(_serve(listening, spec, hosting, folder, on_ready))


async def _serve(
    listening: socket.socket,
    spec: Mapping[str, Any],
    hosting: Hosting,
    folder: Path,
    on_ready: Callable[[str], None],
) -> None:
    stop = stop_event()
    port = listening.getsockname()[1]
    classroom = page.make(spec)
    try:
        gate = make_gate(classroom, hosting, port, folder)
        await serve_until(stop, gate, listening, lambda: on_ready(hosting.link(port)))
    finally:
        classroom.close()
        await end_tasks()


def _link(request: tornado.httputil.HTTPServerRequest, hosting: Hosting, port: int, token: str) -> str:
    """Return the students' link, by the address of the teacher's page; other devices need no loopback one."""
    scheme = "https" if is_https(request) else "http"
    host = request.host
    if hosting.listens_everywhere and _is_loopback(f"{scheme}://{host}"):
        own = _network_address()
        host = host if own is None else f"{own}:{port}"
    return f"{scheme}://{host}{hosting.base_url}{JOIN}?token={token}"


def _network_address() -> str | None:
    """Return this machine's address in its network; no packet is sent for that."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation
            found = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if ipaddress.ip_address(found).is_loopback else found


def _is_loopback(link: str) -> bool:
    return re.match(r"https?://(localhost|127\.[\d.]+|\[::1\])(:|/|$)", link) is not None


def _cookie(handler: tornado.web.RequestHandler) -> str:
    return f"{cast('Gate', handler.application).access.cookie_name}-student"


def _key_of(handler: tornado.web.RequestHandler) -> str | None:
    key = handler.get_cookie(_cookie(handler))
    return key if key is not None and _KEY.fullmatch(key) else None


@cache
def _template() -> Template:
    """Return the template of the page, with the common parts filled in."""
    shared = TEMPLATES / "activeeval"
    return Template(
        Template((TEMPLATES / "class.html").read_text(encoding="utf-8")).safe_substitute(
            css=(shared / "page.css").read_text(encoding="utf-8"),
            every_page=(shared / "every_page.js").read_text(encoding="utf-8"),
        )
    )
