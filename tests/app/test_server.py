import contextlib
import http.client
import importlib
import os
import re
import signal
import socket
import subprocess
import sys
import tomllib
import urllib.parse
import urllib.request
from pathlib import Path

import ipywidgets
import pytest

from activeeval_widgets.app import TEMPLATES, page, pages, server
from activeeval_widgets.app.access import Access
from activeeval_widgets.app.hosting import TOKEN_VARIABLE, Hosting
from activeeval_widgets.app.listening import open_socket
from activeeval_widgets.app.page_socket import PROTOCOL

from .conftest import fetch

ANY_PORT = Hosting(port=0)

# Names of namespaces, which nothing is loaded from.
NAMESPACES = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink", "http://www.w3.org/1999/xhtml"}


@pytest.fixture
def built(tmp_path):
    with open_socket(ANY_PORT) as listening:
        yield server.build(listening, tmp_path)


def outside(text):
    return set(re.findall(r"https?://[^\s\"'<>)\\]+", text)) - NAMESPACES


def test_socket_is_of_this_machine_alone():
    with open_socket(ANY_PORT) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"


def test_default_port_falls_back_to_a_free_one(monkeypatch):
    with open_socket(ANY_PORT) as taken:
        monkeypatch.setattr("activeeval_widgets.app.listening.DEFAULT_PORT", taken.getsockname()[1])
        with open_socket(Hosting()) as listening:
            assert listening.getsockname()[1] not in (0, taken.getsockname()[1])


def test_given_port_does_not_fall_back():
    with open_socket(ANY_PORT) as taken, pytest.raises(OSError, match="in use"):
        open_socket(Hosting(port=taken.getsockname()[1]))


def test_kernels_without_a_page_are_culled_and_no_others(built):
    culling = built.config.MappingKernelManager
    assert 0 < culling.cull_idle_timeout + culling.cull_interval <= 120
    assert culling.cull_connected is False


def test_nothing_of_the_users_configuration_is_read(built, tmp_path):
    assert built.config_file_paths == []
    assert built.template_paths == [str(TEMPLATES / name) for name in ("activeeval", "lessons")]
    assert [path.name for path in tmp_path.iterdir()] == ["app.ipynb"]


def test_template_names_nothing_outside():
    templates = list(TEMPLATES.glob("*/*"))
    assert {path.parent.name for path in templates} == {"activeeval", "lessons"}
    licenses = {path for path in templates if path.name.endswith("LICENSE.txt")}  # beside what they are of
    for path in set(templates) - licenses:
        assert outside(path.read_text()) == set(), path.name


def test_page_and_what_can_be_reached(shared):
    (shared.errors.parent / "secret.png").write_bytes(b"secret")  # beside the store
    status, text = shared.fetch("?session=" + urllib.parse.quote("a b"))
    assert status == 200
    assert outside(text) == set()
    assert '<html lang="en">' in text
    assert "<title>" in text
    assert "favicon.svg" in text
    assert "from activeeval_widgets" not in text, "the notebook's code is on the page"
    assert text.rstrip().endswith("</html>")

    for reach in (
        "voila/files/app.ipynb",
        "voila/files/secret.png",
        "voila/files/%2e%2e/secret.png",
        "voila/files/..%2f..%2fetc%2fpasswd",
        "voila/static/..%2f..%2f..%2fetc%2fpasswd",
        "voila/labextensions/..%2f..%2f..%2f..%2fetc%2fpasswd",
        "voila/tree",
        "voila/api/contents",
        "api/contents",
        "api/kernels",
        "app.ipynb",
        "login",
    ):
        assert shared.fetch(reach)[0] in (403, 404), reach


def test_scripts_with_their_contents_hash_in_the_address_are_kept_by_browsers(shared):
    def caching(path):
        asked = urllib.request.Request(
            f"{shared.address}voila/labextensions/{path}", headers={"Authorization": f"Bearer {shared.token}"}
        )
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return answer.headers["Cache-Control"]

    folder = Path(sys.prefix, "share", "jupyter", "labextensions")
    script = next(folder.glob("bqplot/static/[0-9]*.*.js"))
    address = script.relative_to(folder).as_posix()
    assert caching(address) == "no-cache"
    assert int(caching(f"{address}?v={script.name.split('.')[1]}").removeprefix("max-age=")) > 10**7


@contextlib.contextmanager
def open_websocket(port, path, **headers):
    """Try to open a websocket, and keep it: the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Protocol": PROTOCOL,
    }
    with contextlib.closing(connection):
        connection.request("GET", path, headers=upgrade | headers)
        with connection.getresponse() as answer:
            yield answer


def handshake(port, path, **headers):
    """Return the status that answers an attempt to open a websocket."""
    with open_websocket(port, path, **headers) as answer:
        return answer.status


def test_foreign_names_and_pages_are_refused(shared):
    # A name that someone else's DNS resolves to this machine.
    for path in ("", "favicon.svg", "voila/static/voila.js"):
        link = f"{shared.address}{path}?token={shared.token}"
        assert fetch(link, Host="rebound.example")[0] in (403, 404), path

    kernel = re.search(r'"kernelId": "([-0-9a-f]+)"', shared.fetch()[1]).group(1)
    channels = f"/api/kernels/{kernel}/channels"
    own = f"127.0.0.1:{shared.port}"
    access = Access(Hosting(token=shared.token), shared.port)
    with_token = {"Cookie": f"{access.cookie_name}={access.cookie_value}"}  # as a browser has it
    assert handshake(shared.port, channels, Host=own, Origin=f"http://{own}", **with_token) == 101
    # Another page in the same browser, and one under a foreign name that leads here.
    assert handshake(shared.port, channels, Host=own, Origin="http://other.example", **with_token) == 403
    rebound = f"rebound.example:{shared.port}"
    assert handshake(shared.port, channels, Host=rebound, Origin=f"http://{rebound}", **with_token) in (
        403,
        404,
    )
    # A form on another page cannot end the kernel.
    connection = http.client.HTTPConnection("127.0.0.1", shared.port, timeout=60)
    with contextlib.closing(connection):
        connection.request(
            "DELETE", f"/api/kernels/{kernel}", headers={"Origin": "http://other.example", **with_token}
        )
        with connection.getresponse() as answer:
            assert answer.status in (403, 404)
    assert len(shared.kernels()) >= 1


def test_ends_though_a_page_is_being_connected(start):
    demo = start()
    kernel = re.search(r'"kernelId": "([-0-9a-f]+)"', demo.fetch()[1]).group(1)
    own = f"127.0.0.1:{demo.port}"
    channels = f"/api/kernels/{kernel}/channels?session_id="
    headers = {"Host": own, "Origin": f"http://{own}", "Authorization": f"Bearer {demo.token}"}
    with open_websocket(demo.port, channels + "1", **headers) as first:
        assert first.status == 101
        for pid in demo.kernels():
            os.kill(pid, signal.SIGSTOP)  # it answers nothing from here on
        with open_websocket(demo.port, channels + "2", **headers) as second:
            assert second.status == 101
            assert demo.stop() == 0
    assert demo.errors.read_text() == ""


def test_jupyter_is_shown_how_to_start_it_and_nobody_else_how_to_reach_it():
    (entry,) = [
        each
        for each in tomllib.loads(Path("pyproject.toml").read_text())["project"]["entry-points"].items()
        if each[0] == "jupyter_serverproxy_servers"
    ]
    module, _, name = entry[1]["activeeval"].partition(":")
    setup = getattr(importlib.import_module(module), name)
    result, again = setup(), setup()
    token = result["environment"][TOKEN_VARIABLE]
    assert result["request_headers_override"] == {"Authorization": f"Bearer {token}"}
    assert token not in " ".join(result["command"])
    assert token != again["environment"][TOKEN_VARIABLE]
    assert Path(result["launcher_entry"]["icon_path"]).exists()
    command = [part.format(port=0) for part in result["command"]]
    done = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True)
    assert "--port" in done.stdout


def test_not_reachable_from_other_addresses(shared):
    try:
        others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    except OSError:
        others = set()
    for other in {*others, "127.0.0.2"} - {"127.0.0.1"}:
        with socket.socket() as client:
            client.settimeout(2)
            assert client.connect_ex((other, shared.port)) != 0


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("", None),
        ("session=", None),
        ("session=%20", None),
        ("other=1", None),
        ("session=tuesday", "tuesday"),
        ("session=a%20b%26c", "a b&c"),
        ("session=a+b", "a b"),
        ("session=one&session=two", "two"),
        ("session=%C3%A9", "é"),
    ],
)
def test_session_name(query, name):
    assert page.session_name(query) == name


def test_error_message_takes_nothing_for_markup():
    text = page.error_message(ValueError("<script>alert(1)</script> & more"))
    assert "<script>" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; more" in text
    assert 'role="alert"' in text


def test_error_without_text_is_reported_by_its_kind():
    assert "KeyError" in page.error_message(KeyError())


@pytest.fixture
def spec(monkeypatch):
    spec = {"kind": "demo", "demo": "digits", "store": "/tmp/s.sqlite"}
    monkeypatch.setenv(pages.PAGE_VARIABLE, pages.to_text(spec))
    return spec


class Told:
    """A page that keeps what it was told."""

    prepared = built = None

    def prepare(self, spec):
        self.prepared = spec

    def build(self, spec, query):
        self.built = (spec, query)
        return ipywidgets.HTML("told")


@pytest.fixture
def connections(monkeypatch):
    """What waits for the page to connect."""
    waiting = []
    monkeypatch.setattr(page, "when_connected", waiting.append)
    return waiting


def test_show_prepares_at_once_and_builds_when_the_page_connects(monkeypatch, spec, connections):
    shown = []
    monkeypatch.setattr(page, "display", shown.append)
    monkeypatch.setenv("QUERY_STRING", "session=mine")
    monkeypatch.setenv(page.WHO_VARIABLE, "Ada")
    result = Told()
    page.show(result)
    (place,) = shown
    assert (result.prepared, result.built, place.children) == (spec, None, ())
    connections.pop()()
    assert result.built == (spec, {"session": "mine", "who": "Ada"})
    assert place.children[0].value == "told"


def test_show_shows_an_error_while_building(monkeypatch, spec, connections):
    shown = []
    monkeypatch.setattr(page, "display", shown.append)

    class Failing(Told):
        def build(self, spec, query):
            raise ValueError("no such <session>")

    page.show(Failing())
    connections.pop()()
    assert "no such &lt;session&gt;" in shown[0].children[0].value


def test_show_shows_an_error_while_preparing(monkeypatch, spec):
    shown = []
    monkeypatch.setattr(page, "display", shown.append)

    class Failing(Told):
        def prepare(self, spec):
            raise ValueError("no such <file>")

    page.show(Failing())
    assert "no such &lt;file&gt;" in shown[0].data


def test_a_page_is_built_once_however_often_it_connects(monkeypatch):
    targets = {}

    class Manager:
        def register_target(self, name, function):
            targets[name] = function

    calls = []
    monkeypatch.setattr("comm.get_comm_manager", Manager)
    monkeypatch.setattr(
        ipywidgets.Widget, "handle_control_comm_opened", lambda comm, message: calls.append((comm, message))
    )
    page.when_connected(lambda: calls.append("built"))
    targets[page.CONTROL](1, "open")
    targets[page.CONTROL](2, "open")
    assert calls == ["built", (1, "open"), (2, "open")]


def test_every_kind_of_page_names_a_module_of_its_own():
    assert len(set(pages.KINDS.values())) == len(pages.KINDS)
    found = pages.page_of({"kind": "demo"})
    assert callable(found.prepare)
    assert callable(found.build)
