"""What another user of the machine, another site and a broken client can do: nothing."""

import contextlib
import http.client
import json
import os
import re
import secrets
import shutil
import socket
import sqlite3
import struct
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

from activeeval_widgets.app.hosting import Hosting
from activeeval_widgets.app.page_socket import LARGEST_MESSAGE, PROTOCOL
from activeeval_widgets.app.serving import serve_page

from .conftest import fetch, wait_until

NOBODY = 65534


@pytest.fixture(scope="module")
def told(shared):
    """A demo with one page: it, the id of the page's kernel, and the name and value of the page's cookie."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(shared.link, timeout=60) as answer:
        cookie = answer.headers["Set-Cookie"]
        kernel = re.search(r'"kernelId": "([-0-9a-f]+)"', answer.read().decode()).group(1)
    return shared, kernel, cookie


def sessions(served):
    store = served.errors.parent / "sessions.sqlite"
    if not store.exists():
        return []
    with contextlib.closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master")]
        return connection.execute("SELECT * FROM sessions").fetchall() if "sessions" in tables else []


def test_the_cookie_is_out_of_reach_of_scripts_and_sites(told):
    served, _, cookie = told
    assert cookie.startswith(f"activeeval-widgets-{served.port}=")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(re.split("; ?", cookie))
    assert served.token not in cookie
    value = cookie.split(";")[0]
    assert fetch(served.address + "favicon.svg", Cookie=value)[0] == 200
    assert fetch(served.address + "favicon.svg", Cookie=value[:-1])[0] == 403


def test_without_the_token_nothing_starts_and_a_page_says_what_is_needed(told):
    served, kernel, _ = told
    before = served.kernels()
    for path in (
        "",
        "?token=",
        "?session=x",
        "favicon.svg",
        "voila/static/voila.js",
        f"api/kernels/{kernel}",
    ):
        status, text = fetch(served.address + path)
        assert status == 403, path
        assert "the link that the server printed" in text
        for told_nothing in (kernel, served.token, "voila", "jupyter", "tornado", "python"):
            assert told_nothing not in text.lower()
    assert served.kernels() == before


def test_five_requests_of_another_site_start_and_store_nothing(told):
    served, _, cookie = told
    before = served.kernels(), sessions(served)
    for n in range(5):
        headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image", "Cookie": cookie.split(";")[0]}
        assert fetch(f"{served.address}?session=evil-{n}", **headers)[0] == 403
        assert fetch(f"{served.link}&session=evil-{n}", **headers)[0] == 403
    assert (served.kernels(), sessions(served)) == before


def test_a_page_that_is_only_fetched_stores_nothing(told):
    served, _, _ = told
    assert served.fetch("?session=looked-ahead")[0] == 200
    time.sleep(1)
    assert sessions(served) == []


def test_the_page_says_what_may_be_loaded(told):
    served, _, _ = told
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(served.link, timeout=60) as answer:
        headers, text = answer.headers, answer.read().decode()
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    own = {"'self'", "'none'", "blob:", "data:", "'unsafe-inline'", "'unsafe-eval'"}
    for name, sources in policy.items():
        foreign = {source for source in sources.split() if source not in own}
        allowed = {f"ws://127.0.0.1:{served.port}", f"wss://127.0.0.1:{served.port}"}
        assert all(source in allowed or source.startswith("'nonce-") for source in foreign), name
    assert policy["frame-ancestors"] == "'self'"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cache-Control"] == "no-store"
    nonces = set(re.findall(r'<script nonce="([^"]+)"', text))
    assert len(nonces) == 1
    assert nonces.pop() in policy["script-src"]
    assert served.token not in text
    assert nonces != set(re.findall(r'<script nonce="([^"]+)"', served.fetch()[1])), "used twice"


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="needs to become another user")
def test_another_user_of_the_machine_reads_and_does_nothing(told):
    served, kernel, _ = told
    folders = {
        Path(arg).parent for pid in served.kernels() for arg in _arguments(pid) if arg.endswith(".json")
    }
    pids = [served.process.pid, *served.kernels()]
    temporary = [str(path) for path in Path("/tmp").glob("activeeval-widgets-*")]
    assert temporary
    script = f"""
import json, os, pathlib, urllib.request, urllib.error
told = {{}}
def ask(path, method="GET"):
    request = urllib.request.Request({served.address!r} + path, method=method)
    try:
        return urllib.request.urlopen(request, timeout=60).status
    except urllib.error.HTTPError as error:
        return error.code
told["asked"] = [ask(*each) for each in (
    ("",), ("?session=x",), ("api/kernels/{kernel}",), ("api/kernels/{kernel}", "DELETE"),
    ("api/kernels/{kernel}/channels",), ("voila/api/shutdown/{kernel}", "POST"), ("api/shutdown", "POST"))]
def read(path):
    try:
        return pathlib.Path(path).read_bytes().decode("latin-1")
    except OSError:
        return None
told["environ"] = [read(f"/proc/{{pid}}/environ") for pid in {pids}]
told["cmdline"] = [read(f"/proc/{{pid}}/cmdline") for pid in {pids}]
listed = []
for folder in {temporary} + {[str(folder) for folder in folders]}:
    try:
        listed += os.listdir(folder)
    except OSError:
        pass
told["listed"] = listed
print(json.dumps(told))
"""
    as_nobody = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "/usr/bin/env", "-i"]
    done = subprocess.run(
        [*as_nobody, _system_python(), "-"], input=script, capture_output=True, text=True, check=True, cwd="/"
    )
    found = json.loads(done.stdout)
    assert found["asked"] == [403] * 7
    assert found["environ"] == [None] * len(pids)
    assert found["listed"] == []
    assert served.token not in done.stdout
    assert kernel not in "".join(found["cmdline"])


def _arguments(pid):
    return Path(f"/proc/{pid}/cmdline").read_text().split("\0")


def _system_python():
    """A Python that another user may run."""
    for path in ("/usr/bin/python3", "/usr/local/bin/python3"):
        if Path(path).exists():
            return path
    pytest.skip("no Python that another user may run")


def test_kernels_listen_on_no_port(told):
    served, _, _ = told
    inodes = {
        match[1]
        for pid in served.kernels()
        for end in Path(f"/proc/{pid}/fd").iterdir()
        if (match := re.match(r"socket:\[(\d+)\]", _target(end)))
    }
    listening = [
        line.split()
        for file in ("tcp", "tcp6")
        for line in Path(f"/proc/net/{file}").read_text().splitlines()[1:]
    ]
    assert [each[1] for each in listening if each[3] == "0A" and each[9] in inodes] == []


def _target(link):
    try:
        return str(link.readlink())
    except OSError:
        return ""


def test_the_token_is_in_no_log_and_no_list_of_processes(told):
    served, _, _ = told
    for path in ("nonesuch", "api/kernels/%00", "voila/static/nonesuch.js", "voila/static/../../x"):
        assert fetch(f"{served.address}{path}?token={served.token}")[0] in (400, 403, 404)
    assert served.token not in served.errors.read_text()
    for pid in [served.process.pid, *served.kernels()]:
        assert served.token not in Path(f"/proc/{pid}/cmdline").read_text()


def test_the_browser_is_started_with_what_opens_the_page_one_time(monkeypatch):
    opened = []

    def run(listening, hosting, announce, **_):
        with listening:
            announce(hosting.link(1))

    monkeypatch.setattr("activeeval_widgets.app.server.run", run)
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setenv("ACTIVEEVAL_WIDGETS_PAGE", "")
    hosting = Hosting(port=0)
    serve_page({"kind": "demo"}, hosting=hosting)
    assert opened == [hosting.link(1, once=True)]
    assert hosting.token not in opened[0]


# -- websockets -------------------------------------------------------------------------------------------


class Socket:
    """A websocket of a client that may say anything."""

    def __init__(self, served, kernel, *, protocol=PROTOCOL, **headers):
        self.connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
        asked = {
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            "Authorization": f"Bearer {served.token}",
            **({} if protocol is None else {"Sec-WebSocket-Protocol": protocol}),
            **headers,
        }
        self.connection.request(
            "GET", f"/api/kernels/{kernel}/channels?session_id={os.urandom(4).hex()}", headers=asked
        )
        self.sock = self.connection.sock
        answer = self.connection.getresponse()
        self.status = answer.status

    def send(self, payload, *, opcode=2, mask=True, length=None):
        length = len(payload) if length is None else length
        size = bytes([length]) if length < 126 else b"\x7f" + struct.pack("!Q", length)
        head = bytes([0x80 | opcode, size[0] | (0x80 if mask else 0), *size[1:]])
        # Masked with zeros, which changes nothing.
        self.sock.sendall(head + (bytes(4) if mask else b"") + payload)

    def is_closed(self):
        """Whether the server ends the connection, or says that it does, whatever it has sent before."""
        received = b""
        with contextlib.suppress(ConnectionResetError):
            while part := self.sock.recv(65536):
                received += part
                if (1007).to_bytes(2, "big") + b"no message" in received:
                    return True
        return True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()


def answers(served):
    """The server is not blocked."""
    return served.fetch("favicon.svg")[0] == 200


@pytest.mark.parametrize("protocol", [None, "", "nonesuch", "v1.kernel.websocket.jupyter.org.example"])
def test_a_websocket_of_another_protocol_is_refused(told, protocol):
    served, kernel, _ = told
    with Socket(served, kernel, protocol=protocol) as opened:
        assert opened.status == 400
    assert answers(served)


def test_a_websocket_without_the_token_or_of_another_site_is_refused(told):
    served, kernel, cookie = told
    value = cookie.split(";")[0]
    own = {"Origin": f"http://127.0.0.1:{served.port}"}
    for status, headers in (
        (403, {"Authorization": ""}),
        (403, {"Authorization": "", "Cookie": value, "Origin": "http://other.example"}),
        (403, {"Authorization": "", "Cookie": value, "Origin": "http://127.0.0.1:1"}),
        (403, {"Authorization": "", "Cookie": value, "Origin": "null"}),
        (403, {"Authorization": "", "Cookie": value, "Host": "rebound.example"}),
        (101, {"Authorization": "", "Cookie": value, **own}),
    ):
        with Socket(served, kernel, **headers) as opened:
            assert opened.status == status, headers
    with Socket(served, "00000000-0000-0000-0000-000000000000") as opened:
        assert opened.status == 404


@pytest.mark.parametrize(
    ("payload", "options"),
    [
        (b"", {}),
        (b"\xff" * 100, {}),
        ((2**64 - 1).to_bytes(8, "little") * 20, {}),
        (b"text that is none \xff", {"opcode": 1}),
        (b"{}", {"opcode": 1}),
        (b"x", {"opcode": 3}),
        (b"x", {"mask": False}),
        (b"x", {"length": 2**63 - 1}),
        (b"x" * 100, {"length": LARGEST_MESSAGE + 1}),
    ],
    ids=["empty", "ones", "many offsets", "no text", "json", "no opcode", "unmasked", "endless", "huge"],
)
def test_what_is_no_message_closes_the_connection_and_nothing_else(told, payload, options):
    served, kernel, _ = told
    with Socket(served, kernel) as opened:
        assert opened.status == 101
        opened.send(payload, **options)
        assert opened.is_closed()
    assert answers(served)


def message(channel, kind, content, metadata=None):
    # A kernel refuses a message that it had already.
    header = {"msg_id": secrets.token_hex(8), "session": "1", "username": "", "date": "", "version": "5.3"}
    header["msg_type"] = kind
    parts = [channel.encode(), *(json.dumps(part).encode() for part in (header, {}, metadata or {}, content))]
    offsets = [8 * 7]
    for part in parts:
        offsets.append(offsets[-1] + len(part))
    return b"".join(n.to_bytes(8, "little") for n in [6, *offsets]) + b"".join(parts)


def test_no_code_runs_and_no_kernel_ends_by_a_message(told, tmp_path):
    served, kernel, _ = told
    written = tmp_path / "written"
    before = served.kernels()
    with Socket(served, kernel) as opened:
        for channel in ("shell", "control"):
            code = {"code": f"open({str(written)!r}, 'w')", "silent": False, "user_expressions": {}}
            opened.send(message(channel, "execute_request", code))
            opened.send(message(channel, "shutdown_request", {"restart": False}))
        opened.send(message("shell", "kernel_info_request", {}))
        wait_until(lambda: b"kernel_info_reply" in opened.sock.recv(65536))
    assert not written.exists()
    assert set(before) <= set(served.kernels())


def test_a_flood_of_connections_does_not_block_it(told):
    served, kernel, _ = told
    with contextlib.ExitStack() as opened:
        for _ in range(300):
            opened.enter_context(socket.create_connection(("127.0.0.1", served.port)))
        assert answers(served)
        statuses = [opened.enter_context(Socket(served, kernel)).status for _ in range(12)]
        assert 429 in statuses
        assert answers(served)


# -- places -----------------------------------------------------------------------------------------------


def test_a_page_waits_for_a_place_and_says_so(start):
    served = start("text", "--port", "0", "--max-pages", "1")
    first = re.search(r'"kernelId": "([-0-9a-f]+)"', served.fetch()[1]).group(1)
    with Socket(served, first) as page, contextlib.ExitStack() as waiting:
        assert page.status == 101
        for ahead in range(2):
            other = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
            waiting.enter_context(contextlib.closing(other))
            other.request("GET", f"/?token={served.token}")
            answer = waiting.enter_context(other.getresponse())
            result = b""
            while b"</template>" not in result:
                result += answer.read1()
            assert f'<template class="aew-queue" data-ahead="{ahead}">'.encode() in result
        assert len(served.kernels()) == 2  # the page's, and the one that it is forked from
        assert fetch(served.address)[0] == 403  # who has no link is not even queued
    assert served.errors.read_text() == ""
