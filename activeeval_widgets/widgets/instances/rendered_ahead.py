"""Instances that are rendered in the background before the page asks for them."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

Rendered = TypeVar("Rendered")

N_AHEAD = 8
"""How many coming instances are rendered ahead: of photographs about 4 MB in all."""

_N_THREADS = 2
_MOST_KEPT = 2 * N_AHEAD


class RenderedAhead(Generic[Rendered]):
    """What was rendered by threads, each instance once, until it is taken."""

    def __init__(self, render: Callable[[int], Rendered]) -> None:
        self._render = render
        self._threads: ThreadPoolExecutor | None = None
        self._kept: OrderedDict[int, Future[Rendered]] = OrderedDict()
        self._taken: set[int] = set()

    def prepare(self, indices: Sequence[int]) -> None:
        """Begin to render the first of these that were neither begun nor taken before."""
        for index in indices[:N_AHEAD]:
            if index in self._kept or index in self._taken:
                continue
            if self._threads is None:  # not before: a process may be forked, and threads stay behind
                self._threads = ThreadPoolExecutor(_N_THREADS, thread_name_prefix="aew-render")
            try:
                self._kept[index] = self._threads.submit(self._render, index)
            except RuntimeError:  # no threads, as in a browser: it is rendered when it is taken
                return
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)[1].cancel()

    def take(self, index: int) -> Rendered:
        """What is shown of an instance: as it was prepared, or rendered now."""
        self._taken.add(index)
        found = self._kept.pop(index, None)
        if found is None or found.cancel():  # not begun yet: here it is there sooner
            return self._render(index)
        return found.result()
