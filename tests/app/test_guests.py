"""Links for guests: each opens one session and nothing else, until it is revoked."""

import asyncio
import itertools
import json
import re
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

import comm
import ipywidgets
import pytest
from comm.base_comm import BaseComm
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from activeeval_widgets import LabelingApp, Pool, Session
from activeeval_widgets.app import cli, page, server
from activeeval_widgets.app.access import LINK_CLOSED, LINK_NEEDED, Access
from activeeval_widgets.app.guests import GUEST_VARIABLE, Guests, printed_token
from activeeval_widgets.app.hosting import Hosting
from activeeval_widgets.app.listening import open_socket
from activeeval_widgets.app.page_socket import PROTOCOL
from activeeval_widgets.session import SQLiteStore
from activeeval_widgets.stats import ClassPredictions, ErrorRate
from activeeval_widgets.widgets.messages import ANSWERS, FOR_GUESTS, FROM_PAGE, START_FROM_PAGE

from .conftest import Running, fetch, starting
from .test_access import COOKIE, PORT, TOKEN, asked
from .test_attacks import message

OWNER_ONLY = "This is for the owner of the session"


def example(hint: Any) -> Any:
    """A value of a type of the table of messages."""
    origin, args = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        hints = get_type_hints(hint)
        return {name: example(hints[name]) for name in sorted(hint.__required_keys__)}
    if origin is list:
        return []
    if origin is dict:
        return {}
    if args:
        return args[0] if origin is not None and not isinstance(args[0], type) else example(args[0])
    return {str: "x", int: 0, float: 0.0, bool: True, Any: 0}.get(hint, 0)


def as_answer(kind: str) -> tuple[str, dict[str, Any]]:
    return "answers", {"answers": [{"type": kind, **example(ANSWERS[kind])}], "ahead": 1}


ALL = [(kind, kind, example(hint)) for kind, hint in {**START_FROM_PAGE, **FROM_PAGE}.items()]
ALL += [(kind, *as_answer(kind)) for kind in ANSWERS]


# -- decisions --------------------------------------------------------------------------------------------


def test_every_message_and_every_address_has_a_decision(tmp_path: Path) -> None:
    assert {*FOR_GUESTS} == {*FROM_PAGE, *ANSWERS}
    with open_socket(Hosting(port=0)) as listening:
        built = server.build(listening, tmp_path)
        built.init_settings()
        assert {handler for _, handler, *_ in built.init_handlers()} == {*server.FOR_GUESTS}


class Kept(BaseComm):
    """Keeps what a widget sends."""

    sent: list[dict[str, Any]] = []  # noqa: RUF012 - of all widgets

    def publish_msg(self, msg_type: str, data: Any = None, **keys: Any) -> None:
        if data and data.get("method") == "custom":
            self.sent.append(data["content"])


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(comm, "create_comm", Kept)
    pool = Pool([f"text {i}" for i in range(30)], predictions=ClassPredictions([[0.9, 0.1], [0.2, 0.8]] * 15))
    session = Session(pool, ErrorRate(), name="mine")
    made = LabelingApp(session, sessions=["mine", "other"], new_session="b", start_page=True)
    yield made
    ipywidgets.Widget.close_all()


def say(app: LabelingApp, kind: str, content: dict[str, Any]) -> dict[str, Any]:
    Kept.sent.clear()
    data = {"method": "custom", "content": {**content, "type": kind, "client": "c", "seq": 1}}
    app._front_end._handle_msg({"content": {"data": data}, "buffers": []})
    [answer] = [each for each in Kept.sent if "seq" in each]
    return answer


@pytest.mark.parametrize(("decided", "kind", "content"), ALL, ids=[each[0] for each in ALL])
def test_a_guest_sends_what_is_allowed_alone(
    app: LabelingApp, decided: str, kind: str, content: dict[str, Any]
) -> None:
    app.restrict_to_guest()
    log = len(app.session.log)
    answer = say(app, kind, content)
    if FOR_GUESTS.get(decided):
        assert "no message" not in answer.get("error", "")
        assert OWNER_ONLY not in answer.get("error", "")
        return
    assert answer.keys() == {"error", "client", "seq"}
    assert OWNER_ONLY in answer["error"] or f"there is no type {decided!r}" in answer["error"]
    assert len(app.session.log) == log


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("flag", {"index": 29, "flagged": True}),
        ("note", {"index": 29, "text": "x"}),
        ("flag", {"index": -1, "flagged": True}),
        ("label", {"draw": None, "seconds": 1.0, "first_key_seconds": None, "value": 0}),
        ("history", {**example(FROM_PAGE["history"]), "pair": []}),
        ("witness", {"n_events": -5, "time": "x", "n_labels": 1}),
        ("witness", {"n_events": -(10**30), "time": "x", "n_labels": 1}),
    ],
)
def test_what_the_page_was_not_told_of_stays_unknown(
    app: LabelingApp, kind: str, content: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    known = [drawn.index for drawn in app.session.upcoming(1)]
    app._page.answers.ahead = 1
    unknown = next(index for index in range(30) if index not in known)
    content = {**content, "index": unknown} if content.get("index") == 29 else content
    log = len(app.session.log)
    answer = (
        say(app, "answers", {"answers": [{"type": kind, **content}], "ahead": 1})
        if (kind in ANSWERS)
        else say(app, kind, content)
    )
    assert ("error" in answer) is (kind != "witness")
    assert "Internal" not in answer.get("error", "")
    assert len(app.session.log) == log
    assert not any(record.exc_info for record in caplog.records)


def test_a_guest_sees_no_other_session(app: LabelingApp) -> None:
    app.restrict_to_guest()
    config = say(app, "hello", {})["config"]
    assert (config["sessions"], config["has_new_session"], config["is_guest"]) == (["mine"], False, True)
    assert "start_page" not in config
    assert "goal" not in [action["name"] for action in config["actions"]]


def test_a_page_of_another_session_is_not_shown(app: LabelingApp, monkeypatch: pytest.MonkeyPatch) -> None:
    class Other:
        @staticmethod
        def build(_spec: Any, _query: Any) -> LabelingApp:
            return app

    monkeypatch.setenv(GUEST_VARIABLE, "other")
    assert "This link opens one session" in page._built(Other, {}).value
    monkeypatch.setenv(GUEST_VARIABLE, "mine")
    assert page.query()["session"] == "mine"


# -- links ------------------------------------------------------------------------------------------------


def test_links_are_made_found_and_revoked(tmp_path: Path) -> None:
    guests = Guests.of_owner(TOKEN, tmp_path)
    tokens = [guests.invite(name) for name in ("a", "a", "b/../c\0")]
    assert guests.counts() == {"a": 2, "b/../c\0": 1}
    assert guests.folder.stat().st_mode & 0o777 == 0o700
    kept = "".join(path.name + path.read_text() for path in guests.folder.iterdir())
    found = [guests.with_token(token) for token in tokens]
    for token, guest in zip(tokens, found, strict=True):
        assert guests.with_cookie(guest.cookie) == guest
        assert token not in kept + guest.cookie
        assert guest.cookie not in kept
    assert guests.with_token("") is guests.with_token("../x\ud800\0") is None
    guests.revoke("a")
    assert [guests.with_token(token) is None for token in tokens] == [True, True, False]
    assert Guests.of_owner("another-token-of-an-owner", tmp_path).counts() == {}


def test_who_is_a_guest(tmp_path: Path) -> None:
    guests = Guests(tmp_path / "links")
    access = Access(Hosting(token=TOKEN), PORT, guests)
    tokens = {name: guests.invite(name) for name in ("a", "b")}

    def session(uri: str, **headers: str) -> str | None:
        request = asked(uri, **headers)
        assert access.refusal(request) is None
        guest = access.guest(request)
        return None if guest is None else guest.session

    cookies = []
    for name, token in tokens.items():
        assert session(f"/?token={token}&session=other") == name
        cookies.append("=".join(access.cookie_of(guests.with_token(token))))
    both = "; ".join(cookies)
    assert session("/?session=b", Cookie=both) == "b"
    assert session("/?session=c", Cookie=both) in ("a", "b")
    # The owner's link stays as it is, in a browser that has opened a guest's as well.
    assert session(f"/?token={TOKEN}", Cookie=both) is None
    assert session("/?session=b", Cookie=f"{both}; {COOKIE}") is None
    assert session(f"/?token={tokens['a']}", Cookie=COOKIE) == "a"
    guests.revoke("a")
    assert access.refusal(asked(f"/?token={tokens['a']}")) is LINK_NEEDED
    assert access.refusal(asked("/", Cookie=cookies[0])) is LINK_CLOSED
    assert access.refusal(asked("/", Authorization=f"Bearer {tokens['b']}")) is LINK_NEEDED


def test_a_session_that_there_is_not_has_no_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    run = CliRunner().invoke(cli.main, ["open", str(tmp_path), "--guest", "tickets"])
    assert run.exit_code == 1
    assert "There is no session 'tickets' in " in run.output
    assert "It holds no session yet." in run.output
    SQLiteStore(tmp_path / "evaluations.sqlite").begin("ticket\x1b[31m", {})
    run = CliRunner().invoke(cli.main, ["open", str(tmp_path), "--guest", "tickets"])
    assert "Did you mean 'ticket" in run.output
    assert "\x1b" not in run.output


# -- a server ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server with a link for a guest: it, the folder of the links, and the link."""
    folder = tmp_path_factory.mktemp("hosted")
    with pytest.MonkeyPatch.context() as patch, starting(folder) as start:
        patch.setenv("XDG_DATA_HOME", str(folder))
        served = start("text", "--port", "0", "--guest", "text-2")
        link = re.search(r"http://\S+", served.process.stdout.readline())
        yield served, Guests.of_owner(served.token, folder / "activeeval-widgets" / "guests"), link[0]


def opened(link: str, **headers: str) -> tuple[str, str]:
    """The kernel of a page, and the cookie that came with it."""
    import urllib.request

    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(urllib.request.Request(link, headers=headers), timeout=60) as answer:
        cookie = (answer.headers["Set-Cookie"] or "").split(";")[0]
        found = re.search(r'"kernelId": "([-0-9a-f]+)"', answer.read().decode())
    return found[1], cookie


class Page:
    """What a page says to its kernel, and hears."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.seq = 0
        self.told: set[str] = set()

    @classmethod
    async def connect(cls, served: Running, kernel: str, **headers: str) -> "Page":
        address = f"ws://127.0.0.1:{served.port}/api/kernels/{kernel}/channels?session_id=x"
        request = HTTPRequest(address, headers=headers)
        return cls(await websocket_connect(request, subprotocols=[PROTOCOL]))

    async def heard(self, wanted: str) -> Any:
        while True:
            frame = await asyncio.wait_for(self.connection.read_message(), 120)
            if frame is None:
                return None
            n = int.from_bytes(frame[:8], "little")
            ends = [int.from_bytes(frame[8 * (i + 1) : 8 * (i + 2)], "little") for i in range(n)]
            parts = [frame[a:b] for a, b in itertools.pairwise(ends)]
            self.told.add(json.loads(parts[1])["msg_type"])
            if json.loads(parts[1])["msg_type"] == wanted:
                return json.loads(parts[4])

    async def open_widgets(self) -> None:
        """Have the page filled, and find the widget that answers."""
        opening = {"comm_id": "c", "target_name": "jupyter.widget.control", "data": {}}
        await self.connection.write_message(
            message("shell", "comm_open", opening, {"version": "1.0.0"}), binary=True
        )
        asking = {"comm_id": "c", "data": {"method": "request_states"}}
        await self.connection.write_message(message("shell", "comm_msg", asking), binary=True)
        states = None
        while states is None:  # others may be told something meanwhile
            states = (await self.heard("comm_msg"))["data"].get("states")
        [self.widget] = [key for key, each in states.items() if each["model_module"] == "anywidget"]

    async def send(self, method: str, **content: Any) -> None:
        result = {"comm_id": self.widget, "data": {"method": method, **content}}
        await self.connection.write_message(message("shell", "comm_msg", result), binary=True)

    async def ask(self, kind: str, content: dict[str, Any]) -> Any:
        self.seq += 1
        result = {**content, "type": kind, "client": "c", "seq": self.seq}
        outcome = {"comm_id": self.widget, "data": {"method": "custom", "content": result}}
        await self.connection.write_message(message("shell", "comm_msg", outcome), binary=True)
        while True:
            data = (await self.heard("comm_msg"))["data"]
            if data.get("method") == "custom" and data["content"].get("seq") == self.seq:
                return data["content"]


def test_a_guest_has_one_session_of_a_server(hosted: Any) -> None:
    served, guests, link = hosted
    owners, _ = opened(served.link)
    kernel, cookie = opened(link.replace("session=text-2", "session=text"))
    assert cookie.startswith(f"activeeval-widgets-{served.port}-guest-")
    reloaded, _ = opened(served.address, Cookie=cookie)
    for path, status in (
        (f"api/kernels/{kernel}", 200),
        (f"api/kernels/{reloaded}", 200),
        (f"api/kernels/{owners}", 404),
        (f"api/kernels/{owners}/channels", 404),
        ("api/kernels", 403),
        ("api/contents", 403),
        ("lessons/", 403),
        ("voila/files/app.ipynb", 403),
        ("voila/render/app.ipynb", 403),
        ("..%2f..%2fetc/passwd", 403),
        ("voila/static/..%2f..%2f..%2fetc%2fpasswd", 403),
        ("%2e%2e/api/kernels", 403),
        ("favicon.svg", 200),
    ):
        headers = {"Cookie": cookie}
        if path.endswith("channels"):
            headers |= {
                "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": PROTOCOL,
            }  # fmt: skip
        assert fetch(served.address + path, **headers)[0] == status, path

    async def talk() -> None:
        own = await Page.connect(served, kernel, Cookie=cookie)
        await own.open_widgets()
        config = (await own.ask("hello", {}))["config"]
        assert (config["session"], config["sessions"]) == ("text-2", ["text-2"])
        for decided, kind, content in ALL:
            error = (await own.ask(kind, content)).get("error", "")
            assert ("no message" in error or OWNER_ONLY in error) is not FOR_GUESTS.get(decided, False), kind
        # What libraries make of odd messages is the log's, not the page's: it has paths of this machine.
        await own.send("update", state={"layout": "IPY_MODEL_none"}, buffer_paths=[])
        await own.send("custom", content=[])
        deep = message("shell", "comm_msg", {"comm_id": "c", "data": "[" * 50_000 + "]" * 50_000})
        await own.connection.write_message(deep.replace(b'"[', b" [").replace(b']"', b"] "), binary=True)
        assert "error" not in await own.ask("ping", {})
        assert not own.told & {"error", "stream"}
        # Who says nothing does not go on hearing, either.
        silent = await Page.connect(served, kernel, Cookie=cookie)
        await silent.open_widgets()
        owners_own = await Page.connect(
            served, opened(f"{served.link}&session=text-2")[0], Authorization=f"Bearer {served.token}"
        )
        await owners_own.open_widgets()
        draw = (await owners_own.ask("hello", {}))["state"]["queue"][0]["draw"]
        guests.revoke("text-2")
        heard = [asyncio.create_task(each.heard("nothing")) for each in (silent, own)]
        answer = {"type": "label", "draw": draw, "value": 0, "seconds": 1.0, "first_key_seconds": None}
        reply = await owners_own.ask("answers", {"answers": [answer], "ahead": 1})
        assert reply["state"]["n_labels"] == 1
        assert [await task for task in heard] == [None, None]
        assert silent.connection.close_code == 1008
        for each in (own, silent, owners_own):
            each.connection.close()

    asyncio.run(asyncio.wait_for(talk(), 300))
    assert fetch(link)[0] == fetch(served.address, Cookie=cookie)[0] == 403
    assert served.fetch(f"api/kernels/{owners}")[0] == 200  # the owner's goes on
    log = served.errors.read_text()
    assert "Traceback" not in log
    assert "a message was not read: RecursionError" in log


def test_links_end_with_a_token_that_nobody_keeps(hosted: Any) -> None:
    served, guests, _ = hosted
    guests.invite("text-2", printed_token(served.token, "text-2"))
    assert served.stop() == 0
    assert not guests.folder.exists()
