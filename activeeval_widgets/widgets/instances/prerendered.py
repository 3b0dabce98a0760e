"""Rendering of instances in the background before the page asks for them."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

from activeeval_widgets.platform import has_threads
from activeeval_widgets.session.recent_cache import RecentCache

Rendered = TypeVar("Rendered")

N_AHEAD = 8
"""The number of upcoming instances that are rendered; photographs take about 4 MB in all."""

_N_THREADS = 2
_MAX_KEPT = 2 * N_AHEAD


class Prerendered(Generic[Rendered]):
    """Instances rendered by threads, each once, until it is taken."""

    def __init__(self, render: Callable[[int], Rendered]) -> None:
        self._render = render
        self._threads: ThreadPoolExecutor | None = None
        self._kept: RecentCache[int, Future[Rendered]] = RecentCache(_MAX_KEPT)
        self._taken: set[int] = set()

    def prepare(self, indices: Sequence[int]) -> None:
        """Start rendering the first of these that were neither started nor taken before."""
        if not has_threads():  # an instance is rendered when it is taken
            return
        for index in indices[:N_AHEAD]:
            if index in self._kept or index in self._taken:
                continue
            if self._threads is None:  # created late: a process may be forked, and threads do not survive
                self._threads = ThreadPoolExecutor(_N_THREADS, thread_name_prefix="aew-render")
            begun = self._threads.submit(self._render, index)
            for dropped in self._kept.put(index, begun):
                dropped.cancel()

    def take(self, index: int) -> Rendered:
        """Return a rendered instance, prepared or rendered now."""
        self._taken.add(index)
        found = self._kept.pop(index)
        if found is None or found.cancel():  # not started: rendering here is faster
            return self._render(index)
        return found.result()
