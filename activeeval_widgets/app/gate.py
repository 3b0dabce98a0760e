"""The gate: every request passes it, whatever it asks for, before anything else sees it."""

from __future__ import annotations

import html
import logging
from typing import Any
from urllib.parse import parse_qsl, urlencode
from weakref import WeakSet

import tornado.web
from tornado.httputil import HTTPServerRequest

from activeeval_widgets.app.access import Access, Refusal

TOKEN_ARGUMENT = "token"  # noqa: S105 - the argument's name

# Nothing is loaded from elsewhere, sent elsewhere, or shown inside of another site's page. Widgets bring
# their modules as blobs and their styles inline. Who can make a blob can evaluate a string as well, so that
# 'unsafe-eval' gives no more away; tools that watch a page from outside (Playwright's waits) depend on it.
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
    """The application behind the gate.

    Parameters
    ----------
    access : Access
        Says who may pass.
    prefix : str
        The path that the page has in the browser. A proxy may pass it on or take it away.
    **settings
        As tornado's Application takes them. Routes are added below ``/``.
    """

    def __init__(self, access: Access, prefix: str, **settings: Any) -> None:
        self.access = access
        self._prefix = prefix
        self._by_link: WeakSet[HTTPServerRequest] = WeakSet()
        super().__init__(**{"log_function": _log_failure, **settings})

    def find_handler(self, request: HTTPServerRequest, **kwargs: Any) -> Any:
        """Find what answers a request: a refusal, where it may not pass."""
        refusal = self.access.refusal(request)
        if refusal is not None:
            return self.get_handler_delegate(request, RefusalHandler, {"refusal": refusal})
        if request.path == self._prefix.rstrip("/") and request.path:
            query = f"?{request.query}" if request.query else ""
            return self.get_handler_delegate(
                request, tornado.web.RedirectHandler, {"url": self._prefix + query, "permanent": False}
            )
        if self.access.has_link(request):
            self._by_link.add(request)
            self.access.use_up(request)
        _forget_token(request)
        if request.path.startswith(self._prefix):
            request.path = request.path[len(self._prefix) - 1 :]
        return super().find_handler(request, **kwargs)

    def came_by_link(self, request: HTTPServerRequest) -> bool:
        """Whether the token was in the address of a request, and a cookie is to follow."""
        return request in self._by_link


class RefusalHandler(tornado.web.RequestHandler):
    """Says in a few words why nothing is shown, and nothing else."""

    def initialize(self, refusal: Refusal) -> None:
        """Take what is to be said."""
        self._refusal = refusal

    def check_xsrf_cookie(self) -> None:
        """Change nothing, so that there is nothing to protect."""

    def prepare(self) -> None:
        """Answer, whatever the method is."""
        self.set_status(self._refusal.status)
        for name, value in HEADERS.items():
            self.set_header(name, value)
        self.clear_header("Server")
        self.set_header("Content-Security-Policy", NO_CONTENT_POLICY)
        self.set_header("Cache-Control", "no-store")
        self.set_header("Content-Type", "text/html; charset=utf-8")
        title, reason = html.escape(self._refusal.title), html.escape(self._refusal.reason)
        self.finish(_REFUSED.format(title=title, reason=reason))


def _forget_token(request: HTTPServerRequest) -> None:
    # Libraries write addresses into logs.
    request.query = without_token(request.query)
    request.uri = request.path + (f"?{request.query}" if request.query else "")
    for arguments in (request.arguments, request.query_arguments):
        arguments.pop(TOKEN_ARGUMENT, None)


def without_token(query: str) -> str:
    """Return a query string without the token, which nothing behind the gate needs to know."""
    pairs = parse_qsl(query, keep_blank_values=True)
    return urlencode([pair for pair in pairs if pair[0] != TOKEN_ARGUMENT])


def _log_failure(handler: tornado.web.RequestHandler) -> None:
    # Without the query, which may hold the token; and only what is our fault.
    if handler.get_status() >= 500:
        _log.error("%d for %s %s", handler.get_status(), handler.request.method, handler.request.path)
