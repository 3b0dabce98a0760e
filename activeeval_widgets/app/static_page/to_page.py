"""Messages from the worker's Python to the page."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from activeeval_widgets.widgets.page_channel import Line


def message_sender(post: Callable[[str, Sequence[bytes]], None]) -> Line:
    """Return what sends a message to the page by `post`, as JSON and buffers."""

    def send(content: Mapping[str, Any], buffers: Sequence[bytes]) -> None:
        text = json.dumps(content, default=lambda value: value.item(), allow_nan=False)
        post(text, [bytes(each) for each in buffers])

    return send
