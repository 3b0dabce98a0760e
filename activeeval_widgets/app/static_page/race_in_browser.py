"""A race on a static page: what runs in the page's worker, whose Python is WebAssembly."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from activeeval_widgets.app.static_page.race_content import race_from_dict
from activeeval_widgets.app.static_page.to_page import message_sender
from activeeval_widgets.formats import read_session_file
from activeeval_widgets.widgets.race.race_page import RaceChannel


class StaticRace:
    """A race, and the messages between it and its page, JSON and buffers. Nothing of it is kept."""

    def __init__(self, folder: str, post: Callable[[str, Sequence[bytes]], None]) -> None:
        file = read_session_file(Path(folder) / "session.json")
        content = json.loads((Path(folder) / "page.json").read_text(encoding="utf-8"))
        page = race_from_dict(content, file, lambda message: self._channel.send(message))
        self._channel = RaceChannel(page.handlers, page.lock, on_repeat=lambda: None)
        self._channel.join(message_sender(post))

    def receive(self, message: str, buffers: Sequence[Any]) -> None:  # noqa: ARG002 - a race's have none
        """Answer a message of the page."""
        self._channel.receive(json.loads(message))
