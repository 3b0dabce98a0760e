"""Messages from the worker's Python to the page."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from activeeval_widgets.widgets.messages.as_text import message_text
from activeeval_widgets.widgets.page_channel import Line


def message_sender(post: Callable[[str, Sequence[bytes]], None]) -> Line:
    """Return what sends a message to the page by `post`, as JSON and buffers."""

    def send(content: Mapping[str, Any], buffers: Sequence[bytes]) -> None:
        post(message_text(content), [bytes(each) for each in buffers])

    return send
