"""The page behind a proxy that puts it below a prefix, and from a link on another site."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from .prefix_proxy import proxied

APP = "[data-aew=app]"
READY = f"{APP}[data-state=ready] [data-aew=instance][data-instance-id]"
OPTIONS = ("--base-url", "/labels/", "--trust-header", "X-Remote-User", "--trusted-proxy", "127.0.0.1")


def label_one(page: Page, url: str, n_before: int) -> None:
    page.goto(url, wait_until="commit")
    page.wait_for_selector(READY)
    expect(page.locator(APP)).to_have_attribute("data-n-labels", str(n_before))
    page.keyboard.press("1")
    expect(page.locator(APP)).to_have_attribute("data-n-labels", str(n_before + 1))
    expect(page.locator(APP)).to_have_attribute("data-state", "ready")


def test_below_a_prefix_by_log_in_and_by_link(
    page: Page, traffic: Any, start_demo: Callable[..., Any], tmp_path: Path
) -> None:
    # A page that was left says good-bye; the proxy ends with it under way.
    traffic.expect("ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|WebSocket")
    server = start_demo(name="text", options=OPTIONS)
    address = urlsplit(server.url)
    assert address.path == "/labels/"
    token = address.query.removeprefix("token=")
    port = address.port or 0

    # One that passes the prefix on; the link is opened from another site.
    with proxied(port, "/labels/", takes_away=False) as url:
        page.goto(f"http://localhost:{port}/")  # which refuses it, under another name
        traffic.errors.clear()
        traffic.requests.clear()
        with page.expect_navigation(wait_until="commit"):
            page.evaluate("(url) => { location.href = url; }", f"{url}?token={token}")
        page.wait_for_selector(READY)
        assert page.url == url, "the token is gone from the address"
        page.keyboard.press("1")
        expect(page.locator(APP)).to_have_attribute("data-n-labels", "1")
        page.reload()
        page.wait_for_selector(READY)
        label_one(page, f"{url.removesuffix('/')}?token={token}", 1)
        assert page.url == url
        page.goto("about:blank")

    # One that takes it away, and says who has logged in.
    headers = {"X-Remote-User": "ada", "Authorization": f"Bearer {token}"}
    page.context.clear_cookies()
    with proxied(port, "/elsewhere/deep/", takes_away=True, headers=headers) as url:
        label_one(page, url, 2)
        assert page.url == url
        assert page.context.cookies() == []
        page.goto("about:blank")

    with closing(sqlite3.connect(f"file:{server.store}?mode=ro", uri=True)) as connection:
        records = [json.loads(r) for (r,) in connection.execute("SELECT record FROM events ORDER BY seq")]
    assert [each.get("who") for each in records if each["kind"] == "label"][-1] == "ada"
    assert token not in server.errors.read_text()
