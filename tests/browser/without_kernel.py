"""Apps in a browser without a kernel: the real script and handlers, in one process."""

import base64
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from comm.base_comm import BaseComm
from playwright.sync_api import Page, Route

from ..message_types import check_from_page

BASE = "http://127.0.0.1:9151"

HTML = """<!doctype html><html lang="en"><meta charset="utf-8"><title>App</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/app.css"><style>body { margin: 0; }</style>
<body data-jp-theme-light="true">
<div class="aew-app"><div class="aew-grid"><div id="el"></div></div></div>
<script type="module">
  import app from "/app.js";
  const listeners = [];
  const decode = (text) => new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  const model = {
    on: (name, listener) => listeners.push(listener),
    off() {},
    get() {},  // a page of a session says nothing of itself
    async send(content) {
      for (const [answer, buffers] of JSON.parse(await window.askPython(JSON.stringify(content)))) {
        for (const listener of listeners) listener(answer, buffers.map(decode));
      }
    },
  };
  app.render({ model, el: document.querySelector("#el") });
</script>"""


class RecordingComm(BaseComm):
    """Keeps what a widget sends; stands in for `comm.create_comm`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.sent: list[tuple[dict[str, Any], list[Any]]] = []
        super().__init__(*args, **kwargs)

    def publish_msg(self, msg_type: str, data: Any = None, buffers: Any = None, **keys: Any) -> None:
        self.sent.append((data or {}, list(buffers or [])))


def answerer(front_end: Any) -> Callable[[str], str]:
    """Return what answers the page's messages, as JSON to JSON, by the widget's own handlers."""

    def answer(content: str) -> str:
        before = len(front_end.comm.sent)
        asked = json.loads(content)
        check_from_page(asked)
        message = {"content": {"data": {"method": "custom", "content": asked}}, "buffers": []}
        front_end._handle_msg(message)
        result = [
            (data["content"], [base64.b64encode(buffer).decode() for buffer in buffers])
            for data, buffers in front_end.comm.sent[before:]
            if data["method"] == "custom"
        ]
        return json.dumps(result)

    return answer


def show_app(page: Page, app: Any) -> None:
    """Show an app, made with `RecordingComm`, on a page; returns once an instance is there, or the end."""
    front_end = app._front_end
    page.expose_function("askPython", answerer(front_end))
    contents = {
        "/": (HTML, "text/html"),
        "/app.js": (front_end._esm, "text/javascript"),
        "/app.css": (front_end._css, "text/css"),
    }

    def serve(route: Route) -> None:
        body, mime = contents[urlsplit(route.request.url).path]
        route.fulfill(body=body, content_type=mime)

    for path in contents:
        page.route(BASE + path, serve)
    page.goto(BASE + "/")
    page.wait_for_selector("[data-aew=app]:is([data-state=ready], [data-state=done])")
