"""Request handlers: the page, its icon, and the page's good-bye."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

import tornado.web
from jupyter_server.base.handlers import JupyterHandler
from tornado.iostream import StreamClosedError
from voila.tornado.handler import TornadoVoilaHandler

TEMPLATE = Path(__file__).parent / "templates" / "activeeval"


class PageHandler(TornadoVoilaHandler):  # type: ignore[misc]
    """The page. It is visible at once, and filled when its kernel has run the notebook."""

    @tornado.web.authenticated
    async def get(self, path: str | None = None) -> None:  # noqa: ARG002
        """Send the loading page, then what Voilà renders; a failure is told on that same page."""
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "same-origin")
        try:
            self.write(self.get_template("loading.html").render(base_url=self.base_url))
            await self.flush()
            async for part in self.get_generator():
                self.write(part)
                await self.flush()
        except StreamClosedError:
            return  # the page was closed or reloaded meanwhile; its kernel is culled
        except Exception as error:
            self.log.exception("The page could not be made.")
            reason = html.escape(f"{type(error).__name__}: {error}")
            self.write(f'<template id="aew-failure">{reason}</template></body></html>')

    def set_header(self, name: str, value: Any) -> None:
        """Set a header, unless the loading page has gone out already (Voilà sets some later)."""
        if not self._headers_written:
            super().set_header(name, value)

    def should_use_rendered_notebook(self, *args: Any) -> bool:
        """Take the spare kernel only if it runs; while it waits for its start, a fresh one is sooner."""
        return bool(super().should_use_rendered_notebook(*args) and self.kernel_manager.take_spare())


class FaviconHandler(tornado.web.RequestHandler):
    """The page's icon."""

    def get(self) -> None:
        """Send the icon."""
        self.set_header("Content-Type", "image/svg+xml")
        self.write((TEMPLATE / "favicon.svg").read_bytes())


class LeaveHandler(JupyterHandler):
    """Takes the message Voilà's script sends when a page is left.

    Its kernel is not ended here: the same message comes when leaving was called off, and from a page that
    has no right to end it. A kernel whose page is gone is culled.
    """

    def check_xsrf_cookie(self) -> None:
        """Let the message pass: it changes nothing, and Voilà's script sends no token with it."""

    def post(self) -> None:
        """Do nothing."""
        self.set_status(204)
