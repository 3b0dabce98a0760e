"""Manage the kernels of open pages: limit their number, queue requests, end unused ones."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any, cast

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from traitlets import Int

from activeeval_widgets.app.forked_kernels.provisioner import PROVISIONER, KernelParent, can_fork, register

STARTING_AT_ONCE = 4  # more would delay all of them
WAITING_AT_MOST = 100
LOOK_EVERY = 0.25  # seconds between checks for a free place
MAY_BE_ENDED_AFTER = 20.0  # seconds without a page, if another page waits


class OnlyThisPython(KernelSpecManager):
    """Offers the running interpreter as the only kernel, not the user's ``python3``."""

    def _kernel_dirs_default(self) -> list[str]:
        return []

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return the kernel without the user's own IPython profile, history and start-up files."""
        spec = super().get_kernel_spec(kernel_name)
        spec.argv = [
            *spec.argv,
            f"--ipython-dir={cast('Any', self.parent).connection_dir}",
            "--HistoryManager.enabled=False",
            "--IPKernelApp.log_level=ERROR",
        ]
        if can_fork():
            spec.metadata = {**spec.metadata, "kernel_provisioner": {"provisioner_name": PROVISIONER}}
        return spec


class TooManyWaitError(RuntimeError):
    """Too many pages already wait for a kernel."""


class Kernels(AsyncMappingKernelManager):
    """A kernel manager with a limited number of places and a queue."""

    max_pages = Int(1, config=True, help="How many kernels may run at once.")
    kernel_parent: KernelParent | None = None  # what kernels are forked from

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)  # type: ignore[no-untyped-call]
        self._queue: list[object] = []
        self._taken: set[object] = set()
        self._loading: set[str] = set()
        self._pageless_since: dict[str, float] = {}
        self.guests: dict[str, str] = {}  # the links that guests' kernels were opened by
        self._is_closing = False
        register()
        self._starting: set[asyncio.Future[str]] = set()

    async def wait_for_place(self, ticket: object) -> AsyncIterator[int]:
        """Wait for a place for a kernel and take it; `start_for_page` fills it."""
        if len(self._queue) >= WAITING_AT_MOST:
            raise TooManyWaitError
        self._queue.append(ticket)
        announced = None
        try:
            while (ahead := self._queue.index(ticket)) or not await self._has_place():
                if ahead != announced:
                    announced = ahead
                    yield ahead
                await asyncio.sleep(LOOK_EVERY)
            self._taken.add(ticket)
        finally:
            self._queue.remove(ticket)

    async def _has_place(self) -> bool:
        if len(self._taken) >= STARTING_AT_ONCE:
            return False
        if len(self.list_kernel_ids()) + len(self._taken) < self.max_pages:
            return True
        now = time.monotonic()
        pageless = [
            (since, kernel_id)
            for kernel_id, since in self._pageless_since.items()
            if kernel_id in self and kernel_id not in self._loading and now - since >= MAY_BE_ENDED_AFTER
        ]
        if pageless:
            await self.end(min(pageless)[1])
        return len(self.list_kernel_ids()) + len(self._taken) < self.max_pages

    async def start_for_page(self, ticket: object, **kwargs: Any) -> str:
        """Start a kernel in the place that `wait_for_place` took; return its id. `loaded` has to follow."""
        try:
            kernel_id = await self.start_kernel(**kwargs)
        finally:
            self._taken.discard(ticket)
        self._loading.add(kernel_id)
        self._pageless_since[kernel_id] = time.monotonic()
        return kernel_id

    def loaded(self, kernel_id: str) -> None:
        """Record that a page was sent completely: from now on it may connect."""
        self._loading.discard(kernel_id)
        if kernel_id in self._pageless_since:
            self._pageless_since[kernel_id] = time.monotonic()

    def notify_connect(self, kernel_id: str) -> None:
        """Record that a page has connected to its kernel."""
        super().notify_connect(kernel_id)  # type: ignore[no-untyped-call]
        self._pageless_since.pop(kernel_id, None)

    def notify_disconnect(self, kernel_id: str) -> None:
        """Record that a page has disconnected, for now or for good."""
        super().notify_disconnect(kernel_id)  # type: ignore[no-untyped-call]
        if not self.n_connections(kernel_id):
            self._pageless_since[kernel_id] = time.monotonic()

    def n_connections(self, kernel_id: str) -> int:
        """Return the number of websockets connected to a kernel."""
        return int(self._kernel_connections.get(kernel_id, 0))

    async def start_kernel(self, **kwargs: Any) -> str:  # type: ignore[override]
        """Start a kernel, unless the server is closing."""
        if self.kernel_parent is not None:
            await self.kernel_parent.is_ready()
        if self._is_closing:
            raise RuntimeError("The server is closing.")
        starting: asyncio.Future[str] = asyncio.ensure_future(super().start_kernel(**kwargs))
        self._starting.add(starting)
        try:
            return await starting
        finally:
            self._starting.discard(starting)

    async def end(self, kernel_id: str) -> None:
        """End a kernel that is not used; labels are committed before the page is notified."""
        self._pageless_since.pop(kernel_id, None)
        self._loading.discard(kernel_id)
        self.guests.pop(kernel_id, None)
        if kernel_id in self:
            await self.shutdown_kernel(kernel_id, now=True)  # type: ignore[no-untyped-call]

    def prepare(self) -> None:
        """Start the process that kernels are forked from, if possible."""
        if can_fork():
            self.kernel_parent = KernelParent()
            self.kernel_parent.start()

    async def close(self) -> None:
        """End all kernels at once."""
        self._is_closing = True
        if self.kernel_parent is not None:
            self.kernel_parent.refuse()
        # A half-started kernel can't be ended yet, and would outlive the server.
        await asyncio.gather(*self._starting, return_exceptions=True)
        await self.shutdown_all(now=True)
        if self.kernel_parent is not None:
            await self.kernel_parent.close()
