"""Load, memory, and the time to the next instance of a class that labels at once, on Linux.

    .venv/bin/python benchmarks/classroom.py [--students 30] [--labels 40] [--seconds 2] [--demo digits]
        [--browser]

It starts `activeeval-widgets class`, and a line for each student that sends and receives what a student's
page does: the instances that come, an answer after some seconds (50% to 150% of a number, at random), and the
plots after each. A wall asks for all intervals whenever there is news. Printed are the time from an answer to
its acknowledgment, during which the page shows the next instance already; the server's processor time by the
time that passed; and its memory before the first student and after the last label. No browser takes part.

With --browser the students are pages of one Chromium, as large as a phone, that press keys by turns as fast
as they can; printed is the time from a key to the moment at which the next one counts.
"""

import argparse
import asyncio
import json
import random
import re
import statistics
import subprocess
import sys
import time
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from common import browser_path
from labelers import processor_time, proportional_set_size
from playwright.sync_api import sync_playwright
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import websocket_connect

FILES = ("app.css", "class.css", "class.js", "app.js", "favicon.svg")
SHOWN = ["estimate", "interval"]


class Line:
    """A page's line to the server of a class."""

    def __init__(self, connection: Any, cookies: str) -> None:
        self.connection, self.cookies = connection, cookies
        self.seq = 0
        self.is_closed = False

    async def read(self) -> dict[str, Any] | None:
        """The next message with its bytes; None at the end."""
        text = None if self.is_closed else await self.connection.read_message()
        if text is None:
            self.is_closed = True
            return None
        head = json.loads(text)
        buffers = [await self.connection.read_message() for _ in range(head["n_buffers"])]
        return {**head["content"], "buffers": buffers}

    async def ask(self, type_: str, /, **content: Any) -> dict[str, Any]:
        """Send a message; return its reply."""
        self.seq += 1
        message = {"type": type_, "client": "c", "seq": self.seq, **content}
        await self.connection.write_message(json.dumps(message))
        while (told := await self.read()) is not None:
            if told.get("seq") == self.seq:
                return told
        raise AssertionError(f"closed: {self.connection.close_code} {self.connection.close_reason}")

    async def label(
        self, n: int, pause: float = 0.0, shown: list[str] | None = None, seconds: list[float] | None = None
    ) -> int:
        """Give n labels; return how many there are. `seconds` gets the time until each was acknowledged."""
        state, known = (await self.ask("hello"))["state"], set()
        for _ in range(n):
            coming = [drawn["index"] for drawn in state["queue"] if drawn["index"] not in known]
            if coming:
                assert (await self.ask("instances", indices=coming))["buffers"]
                known.update(coming)
            await asyncio.sleep(pause * (0.5 + random.random()))
            drawn = state["queue"][0]
            answer = {"type": "label", "draw": drawn["draw"], "value": drawn["index"] % 2, "seconds": 1.0}
            begin = time.perf_counter()
            reply = await self.ask("answers", answers=[{**answer, "first_key_seconds": None}], ahead=4)
            if seconds is not None:
                seconds.append(time.perf_counter() - begin)
            assert "error" not in reply, reply
            state = reply["state"]
            if shown:
                await self.ask("plots", shows_wald=False, shown=shown)
        return int(state["n_labels"])

    async def closed(self) -> tuple[int, str]:
        """Wait until it is closed; return the code and the reason."""
        while await self.read() is not None:
            pass
        return self.connection.close_code, self.connection.close_reason


class Visitor:
    """What a browser does that opens a link: it takes cookies, loads files and opens a line."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.client = AsyncHTTPClient(force_instance=True)
        self.lines: list[Line] = []

    async def fetch(self, path: str, **headers: str) -> Any:
        """The answer to an address."""
        request = HTTPRequest(f"http://{self.address}{path}", headers=headers, follow_redirects=False)
        return await self.client.fetch(request, raise_error=False)

    async def opened(self, path: str, cookies: str = "") -> tuple[Any, str]:
        """The answer to a page's address, and the cookies that a browser has afterwards."""
        answer = await self.fetch(path, Cookie=cookies)
        new = [each.split(";")[0] for each in answer.headers.get_list("Set-Cookie")]
        return answer, "; ".join([*filter(None, [cookies]), *new])

    async def line(self, path: str, cookies: str, **headers: str) -> Line:
        """A line at an address."""
        request = HTTPRequest(f"ws://{self.address}{path}", headers={"Cookie": cookies, **headers})
        line = Line(await websocket_connect(request), cookies)
        self.lines.append(line)
        return line

    async def student(self, join: str, name: str, cookies: str = "", *, loads: bool = False) -> Line:
        """Open the link of a class as a student, with a name."""
        answer, cookies = await self.opened(join, cookies)
        assert answer.code == 200
        for file in FILES if loads else ():
            assert (await self.fetch(f"/{file}", Cookie=cookies)).code == 200
        line = await self.line("/student", cookies)
        assert "state" in await line.ask("hello")
        if name:
            assert (await line.ask("join", name=name))["student"]["name"] == name
        return line

    async def leave(self) -> None:
        """Close all lines."""
        for line in self.lines:
            line.connection.close()
            await line.closed()
        self.client.close()


async def join_of(visitor: Visitor, wall: str) -> tuple[str, str]:
    """The students' address without its host, by the wall's address; and the cookies of the wall."""
    answer, cookies = await visitor.opened(wall)
    found = re.search(r'data-link="([^"]+)"', answer.body.decode())
    assert found, answer.code
    parts = urlsplit(found[1])
    return f"{parts.path}?{parts.query}", cookies


async def label_all(link: str, names: list[str], n_labels: int) -> None:
    """Let students open the link and label, all at once."""
    parts = urlsplit(link)
    visitor = Visitor(parts.netloc)
    join = f"{parts.path}?{parts.query}"
    lines = await asyncio.gather(*(visitor.student(join, name) for name in names))
    await asyncio.gather(*(line.label(n_labels) for line in lines))
    await visitor.leave()


async def look(line: Line, n_labels: int) -> None:
    """Ask for the wall whenever there is news."""
    while True:
        await line.ask("wall", kind="guaranteed", stop="fixed", n=n_labels, is_revealed=False)
        while (told := await line.read()) is not None and "news" not in told:
            pass


async def hold(link: str, pid: int, options: argparse.Namespace) -> None:
    """Hold the class, and print what was measured."""
    parts = urlsplit(link)
    visitor = Visitor(parts.netloc)
    join, cookies = await join_of(visitor, f"{parts.path}?{parts.query}")
    wall = asyncio.create_task(look(await visitor.line("/wall", cookies), options.labels))
    memory = proportional_set_size(pid)
    begin = time.perf_counter()
    names = [f"Student {i}" for i in range(options.students)]
    lines = await asyncio.gather(*(visitor.student(join, name, loads=True) for name in names))
    print(f"all {options.students} students are there after {time.perf_counter() - begin:.1f} s")
    seconds: list[float] = []
    begin, processor = time.perf_counter(), processor_time([pid])
    given = await asyncio.gather(
        *(line.label(options.labels, options.seconds, SHOWN, seconds) for line in lines)
    )
    assert given == [options.labels] * options.students
    passed = time.perf_counter() - begin
    ticks = processor_time([pid]) - processor
    wall.cancel()
    with suppress(asyncio.CancelledError):
        await wall
    report(seconds, passed, ticks)
    after = proportional_set_size(pid)
    print(f"memory: {memory:.0f} MiB before, {after:.0f} MiB after: ", end="")
    print(f"{(after - memory) / options.students:.1f} MiB a student")
    await visitor.leave()


def hold_in_browser(link: str, pid: int, options: argparse.Namespace) -> None:
    """Hold the class with real pages, and print what was measured."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        wall = browser.new_page()
        wall.goto(link)
        join = wall.locator("[data-aew=invitation]").get_attribute("data-link")
        assert join is not None
        pages = []
        for i in range(options.students):
            page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
            page.goto(join)
            page.locator("#aew-who").fill(f"Student {i}")
            page.keyboard.press("Enter")
            page.wait_for_selector("[data-aew=app][data-state=ready]")
            pages.append(page)
        seconds, processor, whole = [], processor_time([pid]), time.perf_counter()
        for n in range(1, options.labels + 1):
            for page in pages:
                begin = time.perf_counter()
                page.keyboard.press(str(n % 10))
                page.wait_for_selector(
                    f"[data-aew=app][data-state][data-n-labels='{n}']:not([data-state=saving])"
                )
                seconds.append(time.perf_counter() - begin)
        passed = time.perf_counter() - whole
        browser.close()
    report(seconds, passed, processor_time([pid]) - processor)
    print(f"memory: {proportional_set_size(pid):.0f} MiB")


def report(seconds: list[float], passed: float, ticks: int) -> None:
    """Print times and load."""
    seconds.sort()
    typical, late = 1000 * statistics.median(seconds), 1000 * seconds[int(0.95 * len(seconds))]
    print(f"{len(seconds)} labels in {passed:.0f} s, each after {typical:.0f} ms (median),")
    print(f"{late:.0f} ms (95%), {1000 * seconds[-1]:.0f} ms (most)")
    print(f"load: {ticks / 100 / passed:.2f} of a processor")


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--labels", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--demo", default="digits")
    parser.add_argument("--browser", action="store_true")
    options = parser.parse_args()
    command = [sys.executable, "-m", "activeeval_widgets.app.cli", "class", options.demo, "--no-browser"]
    server = subprocess.Popen(
        [*command, "--port", "0", "--n-labels", str(options.labels)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found
        if options.browser:
            hold_in_browser(found.group(), server.pid, options)
        else:
            asyncio.run(hold(found.group(), server.pid, options))
    finally:
        server.terminate()
        server.wait(30)


if __name__ == "__main__":
    main()
