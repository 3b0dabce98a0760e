"""Request handlers: the page, its icon, its kernel's state, and the message when it closes."""

from __future__ import annotations

import asyncio
import html
import os
import secrets
from collections.abc import AsyncIterator
from typing import Any, cast

import tornado.web
from jupyter_server.auth import IdentityProvider, User
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.services.kernels.handlers import KernelHandler
from tornado.iostream import StreamClosedError
from voila.notebook_renderer import NotebookRenderer
from voila.tornado.handler import TornadoVoilaHandler
from voila.utils import get_page_config

from activeeval_widgets.app import ICON
from activeeval_widgets.app.gate import Gate, set_page_headers
from activeeval_widgets.app.guests import FOLDER_VARIABLE, GUEST_VARIABLE
from activeeval_widgets.app.hosting import TOKEN_VARIABLE
from activeeval_widgets.app.kernels import Kernels, TooManyWaitError
from activeeval_widgets.app.page import WHO_VARIABLE

SIGN_OF_LIFE = 10.0  # seconds; proxies end an answer that is silent for a minute


class NobodyInParticular(IdentityProvider):
    """Replaces Jupyter's log-in: the gate has already checked the request."""

    def get_user(self, handler: Any) -> User:  # noqa: ARG002
        """Return the one user."""
        return User(username="labeler")


class PageHandler(TornadoVoilaHandler):  # type: ignore[misc]
    """The page, which is visible at once and filled when its kernel has run the notebook."""

    kernel_manager: Kernels

    @tornado.web.authenticated
    async def get(self, path: str | None = None) -> None:  # noqa: ARG002
        """Send the loading page, then the page that Voilà renders; show a failure on the same page."""
        nonce = secrets.token_urlsafe(16)
        set_page_headers(self, nonce)
        kernel_id = None
        try:
            await self._send(self.first_part(nonce))
            async for ahead in self.kernel_manager.wait_for_place(self):
                await self._send(f'<template class="aew-queue" data-ahead="{ahead}"></template>\n')
            renderer = await self.renderer()
            kernel_id = await self.kernel_manager.start_for_page(
                self, kernel_name=renderer.notebook.metadata.kernelspec.name, path="", env=self._environment()
            )
            guest = self._gate.guest(self.request)
            if guest is not None:
                self.kernel_manager.guests[kernel_id] = guest.link
            kernel = self.kernel_manager.get_kernel(kernel_id)
            async for part in _with_signs_of_life(renderer.generate_content_generator(kernel_id, kernel)):
                await self._send(part)
        except StreamClosedError:  # the page was closed or reloaded meanwhile
            if kernel_id is not None:
                await self.kernel_manager.end(kernel_id)
        except TooManyWaitError:
            self._write_failure("Too many pages wait for a free place already. Please come back later.")
        except Exception as error:
            self.log.exception("The page could not be made.")
            self._write_failure(f"{type(error).__name__}: {error}")
        finally:
            if kernel_id is not None:
                self.kernel_manager.loaded(kernel_id)

    @property
    def _gate(self) -> Gate:
        return cast("Gate", self.application)

    def first_part(self, nonce: str) -> str:
        """Return the part of the page that needs no kernel."""
        return str(self.get_template("loading.html").render(nonce=nonce))

    async def _send(self, part: str) -> None:
        self.write(part)
        await self.flush()

    def _write_failure(self, reason: str) -> None:
        self.write(f'<template id="aew-failure">{html.escape(reason)}</template></body></html>')

    async def renderer(self) -> NotebookRenderer:
        """Return Voilà's renderer for the page; its addresses are relative, for proxies with a prefix."""
        page_config = get_page_config(
            base_url="./",
            settings=self.settings,
            log=self.log,
            voila_configuration=self.voila_configuration,
        )
        page_config.update(
            fullStaticUrl="voila/static",
            fullLabextensionsUrl="voila/labextensions",
            themesUrl="voila/api/themes",
            fullMathjaxUrl=None,
            mathjaxConfig=None,
        )
        renderer = NotebookRenderer(
            request_handler=self,
            voila_configuration=self.voila_configuration,
            traitlet_config=self.traitlet_config,
            notebook_path=self.notebook_path,
            template_paths=self.template_paths,
            config_manager=self.config_manager,
            contents_manager=self.contents_manager,
            base_url="./",
            kernel_spec_manager=self.kernel_spec_manager,
            page_config=page_config,
            mathjax_config="",
            mathjax_url="",
        )
        await renderer.initialize(template=None, theme=None)
        return renderer

    def _environment(self) -> dict[str, str]:
        guest = self._gate.guest(self.request)
        without = {TOKEN_VARIABLE, WHO_VARIABLE, GUEST_VARIABLE}
        without |= set() if guest is None else {FOLDER_VARIABLE}
        kept = {name: value for name, value in os.environ.items() if name not in without}
        who = self._gate.access.user_name(self.request)
        return {
            **kept,
            "QUERY_STRING": self.request.query,
            **({} if who is None else {WHO_VARIABLE: who}),
            **({} if guest is None else {GUEST_VARIABLE: guest.session}),
        }

    def set_header(self, name: str, value: Any) -> None:
        """Set a header, unless the loading page was already sent (Voilà sets some later)."""
        if not self._headers_written:
            super().set_header(name, value)


async def _with_signs_of_life(parts: Any) -> AsyncIterator[str]:
    """Yield the parts of the page, and a comment whenever the next one takes long."""
    while True:
        following = asyncio.ensure_future(anext(parts, None))
        try:
            while not (await asyncio.wait([following], timeout=SIGN_OF_LIFE))[0]:
                yield "<!-- still starting -->\n"
        finally:
            if not following.done():
                following.cancel()
        part = following.result()
        if part is None:
            return
        yield part[0]


class FaviconHandler(tornado.web.RequestHandler):
    """The page's icon."""

    def get(self) -> None:
        """Send the icon."""
        self.set_header("Content-Type", "image/svg+xml")
        self.write(ICON.read_bytes())


class KernelStateHandler(KernelHandler):
    """Answers questions about the page's kernel; it can't end or restart one."""

    SUPPORTED_METHODS = ("GET",)

    async def prepare(self) -> None:  # type: ignore[override]
        """Refuse to describe another page's kernel."""
        await super().prepare()
        link = cast("Kernels", self.kernel_manager).guests.get(self.path_kwargs.get("kernel_id", ""))
        if not cast("Gate", self.application).may_use(self.request, link):
            raise tornado.web.HTTPError(404)


class LeaveHandler(JupyterHandler):
    """Takes the message that a page is left; leaving may be canceled, so culling ends the kernel later."""

    def check_xsrf_cookie(self) -> None:
        """Accept the message: it changes nothing, and Voilà's script sends no token with it."""

    def post(self) -> None:
        """Do nothing."""
        self.set_status(204)
