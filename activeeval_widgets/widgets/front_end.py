"""The browser side: one anywidget, and the messages between it and Python."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import anywidget
from traitlets import Unicode

from activeeval_widgets.platform import passes_none
from activeeval_widgets.widgets.messages.as_text import message_text
from activeeval_widgets.widgets.page_channel import Handler, PageChannel

STATIC = Path(__file__).parent / "static"


class FrontEnd(PageChannel, anywidget.AnyWidget):
    """Shows instances, labels and numbers, and sends what the person does."""

    _shows = Unicode("session").tag(sync=True)

    # Made from frontend/src by `make bundle`.
    _esm = (STATIC / "app.js").read_text(encoding="utf-8")
    _css = (STATIC / "app.css").read_text(encoding="utf-8")

    def __init__(
        self,
        handlers: Mapping[str, Handler],
        lock: AbstractContextManager[Any],
        on_repeat: Callable[[], None],
        after: Callable[[], None] = lambda: None,
    ) -> None:
        anywidget.AnyWidget.__init__(self)
        PageChannel.__init__(self, handlers, lock, on_repeat, after)
        self.on_msg(lambda _, message, buffers: self._answer(message, buffers))

    def send(self, content: Mapping[str, Any], buffers: Sequence[bytes] | None = None) -> None:
        """Send a message to all pages."""
        message = content if passes_none() else {"json": message_text(content)}
        anywidget.AnyWidget.send(self, message, buffers)
        PageChannel.send(self, content, buffers)

    def close(self) -> None:
        """Remove it from all pages."""
        PageChannel.close(self)
        anywidget.AnyWidget.close(self)
