"""The gate that every request passes before anything else sees it."""

from __future__ import annotations

import html
import logging
from http.client import responses
from types import TracebackType
from typing import Any, cast
from urllib.parse import parse_qsl, urlencode
from weakref import WeakKeyDictionary, WeakSet

import tornado.web
from tornado.httputil import HTTPServerRequest

from activeeval_widgets.app.access import FOR_THE_OWNER, Access, Refusal
from activeeval_widgets.app.guests import Guest

TOKEN_ARGUMENT = "token"  # noqa: S105 - the argument's name

# Nothing is loaded from or sent to another site, or shown inside another site's page. Widgets bring
# their modules as blobs and their styles inline. Code that can make a blob can also evaluate a string, so
# 'unsafe-eval' adds no risk; tools that watch a page from outside (Playwright's waits) need it.
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self' blob: 'unsafe-eval' 'nonce-{nonce}'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "media-src 'self' data: blob:; connect-src 'self'{sockets}; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'"
)
NO_CONTENT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}

_REFUSED = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
body {{ max-width: 34em; margin: 14vh auto 0; padding: 0 24px; font: 16px/1.5 system-ui, sans-serif; }}
h1 {{ font-size: 20px; }}
</style>
</head>
<body><main><h1>{title}</h1><p>{reason}</p></main></body>
</html>
"""

_log = logging.getLogger("activeeval_widgets.app")


class Gate(tornado.web.Application):
    """The application behind the gate."""

    def __init__(
        self, access: Access, prefix: str, *, for_guests: tuple[type, ...] = (), **settings: Any
    ) -> None:
        self.access = access
        self._prefix, self._for_guests = prefix, for_guests
        self._guests: WeakKeyDictionary[HTTPServerRequest, Guest] = WeakKeyDictionary()
        self._short: dict[type, type] = {}  # handlers with `ShortErrors`
        self._by_link: WeakSet[HTTPServerRequest] = WeakSet()
        super().__init__(**{"log_function": _log_failure, **settings})

    def find_handler(self, request: HTTPServerRequest, **kwargs: Any) -> Any:
        """Find the handler of a request: a refusal if it may not pass."""
        refusal = self.access.refusal(request)
        if refusal is not None:
            return self.get_handler_delegate(request, RefusalHandler, {"refusal": refusal})
        if request.path == self._prefix.rstrip("/") and request.path:
            query = f"?{request.query}" if request.query else ""
            return self.get_handler_delegate(
                request, tornado.web.RedirectHandler, {"url": self._prefix + query, "permanent": False}
            )
        guest = self.access.guest(request)
        if guest is not None:
            self._guests[request] = guest
        if self.access.has_link(request):
            self._by_link.add(request)
            self.access.invalidate_link(request)
        _forget_token(request)
        if request.path.startswith(self._prefix):
            request.path = request.path[len(self._prefix) - 1 :]
        found = super().find_handler(request, **kwargs)
        if guest is not None and getattr(found, "handler_class", None) not in self._for_guests:
            return self.get_handler_delegate(request, RefusalHandler, {"refusal": FOR_THE_OWNER})
        if hasattr(found, "handler_class"):
            handler = found.handler_class
            if handler not in self._short:
                self._short[handler] = type(handler.__name__, (ShortErrors, handler), {})
            found.handler_class = self._short[handler]
        return found

    def guest(self, request: HTTPServerRequest) -> Guest | None:
        """Return the guest who made the request, if any."""
        return self._guests.get(request)

    def may_use(self, request: HTTPServerRequest, link: str | None) -> bool:
        """Return whether a request may use a kernel: the owner's (None), or one of the guest's own link."""
        guest = self.guest(request)
        if guest is None:
            return True
        return link == guest.link and self.access.guests is not None and self.access.guests.is_open(link)

    def has_token_in_address(self, request: HTTPServerRequest) -> bool:
        """Return whether a request's address held the token, so that a cookie has to follow."""
        return request in self._by_link


def set_safe_headers(handler: tornado.web.RequestHandler) -> None:
    """Set the headers that every answer has."""
    for name, value in HEADERS.items():
        handler.set_header(name, value)


def is_https(request: HTTPServerRequest) -> bool:
    """Return whether a proxy says that the browser used https."""
    return request.headers.get("X-Forwarded-Proto") == "https"


def set_page_headers(handler: tornado.web.RequestHandler, nonce: str) -> None:
    """Set the headers of every page, and the cookie if the request came by the link."""
    gate = cast("Gate", handler.application)
    set_safe_headers(handler)
    handler.set_header("Content-Type", "text/html; charset=utf-8")
    handler.set_header("Cache-Control", "no-store")
    handler.set_header("Content-Security-Policy", content_policy(nonce, handler.request.host))
    if gate.has_token_in_address(handler.request):
        set_lasting_cookie(handler, *gate.access.cookie_of(gate.guest(handler.request)))


def set_lasting_cookie(handler: tornado.web.RequestHandler, name: str, value: str) -> None:
    """Set a cookie that is hidden from scripts and other sites."""
    secure = is_https(handler.request)
    handler.set_cookie(name, value, path="/", httponly=True, samesite="Strict", secure=secure)


def content_policy(nonce: str, host: str) -> str:
    """Return the content security policy: the page loads from its own server only."""
    is_plain = all(letter.isalnum() or letter in ".-:[]_" for letter in host)
    return CONTENT_POLICY.format(nonce=nonce, sockets=f" ws://{host} wss://{host}" if is_plain else "")


class ShortErrors(tornado.web.RequestHandler):
    """Shows errors as short texts and logs a line each; Jupyter's pages need templates that are not there."""

    def write_error(self, status_code: int, **_details: Any) -> None:
        """Write the meaning of the status, without details of the failure."""
        if self._headers_written:
            self.finish()
            return
        set_safe_headers(self)
        self.clear_header("Server")
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(responses.get(status_code, "Error"))

    def log_exception(
        self,
        typ: type[BaseException] | None,
        value: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        """Log one line for a bad request, and a traceback for an error of the server."""
        if not isinstance(value, tornado.web.HTTPError):
            super().log_exception(typ, value, tb)
        elif value.status_code < 500:
            _log.warning("%d for %s %.200r", value.status_code, self.request.method, self.request.path)


class RefusalHandler(tornado.web.RequestHandler):
    """Refuses a request with a short reason."""

    def initialize(self, refusal: Refusal) -> None:
        """Keep the reason."""
        self._refusal = refusal

    def check_xsrf_cookie(self) -> None:
        """Skip the check against forged requests: a refusal changes nothing."""

    def prepare(self) -> None:
        """Answer requests of any method."""
        self.set_status(403)
        set_safe_headers(self)
        self.clear_header("Server")
        self.set_header("Content-Security-Policy", NO_CONTENT_POLICY)
        self.set_header("Cache-Control", "no-store")
        self.set_header("Content-Type", "text/html; charset=utf-8")
        title, reason = html.escape(self._refusal.title), html.escape(self._refusal.reason)
        self.finish(_REFUSED.format(title=title, reason=reason))


def _forget_token(request: HTTPServerRequest) -> None:
    # Libraries log addresses.
    request.query = without_token(request.query)
    request.uri = request.path + (f"?{request.query}" if request.query else "")
    for arguments in (request.arguments, request.query_arguments):
        arguments.pop(TOKEN_ARGUMENT, None)


def without_token(query: str) -> str:
    """Return a query string without the token, which no handler behind the gate needs."""
    pairs = parse_qsl(query, keep_blank_values=True)
    return urlencode([pair for pair in pairs if pair[0] != TOKEN_ARGUMENT])


def _log_failure(handler: tornado.web.RequestHandler) -> None:
    # Only errors of the server, and without the query, which may hold the token.
    if handler.get_status() >= 500:
        _log.error("%d for %s %s", handler.get_status(), handler.request.method, handler.request.path)
