"""The command `class`, and its server: what the students' link opens, and what it does not."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from classroom import Line, Visitor, join_of
from click.testing import CliRunner
from tornado.httpclient import HTTPClientError

from activeeval_widgets.app import class_server, cli
from activeeval_widgets.app.commands import classroom as command
from activeeval_widgets.app.commands import race as race_command
from activeeval_widgets.app.gate import Gate
from activeeval_widgets.app.guests import Guests
from activeeval_widgets.app.hosting import Hosting
from activeeval_widgets.app.listening import open_socket, serve_until
from activeeval_widgets.app.page_line import LINES_PER_PAGE, REFUSED
from activeeval_widgets.app.pages import classroom as page
from activeeval_widgets.widgets.classroom.classroom import MAX_STUDENTS, Classroom

from .test_access import asked
from .test_race import ROWS

TOKEN = "the-token-of-the-teacher"
N_LABELS = 6


@pytest.fixture(autouse=True)
def _memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("class") / "mails.csv"
    path.write_text("\n".join(ROWS))
    settings = {"file": str(path), "measure": "error-rate", "columns": {"text": "body"}}
    return {"settings": settings, "label": "truth", "budget": N_LABELS, "seed": 0, "n_simulated": 0}


class Served(Visitor):
    """A class in this process, with what browsers do."""

    def __init__(self, port: int, room: Classroom, gate: Gate, folder: Path) -> None:
        super().__init__(f"127.0.0.1:{port}")
        self.room, self.gate = room, gate
        self.guests = Guests(folder / "guests")
        self.join = ""
        """The students' address, without the host."""

    async def wall(self) -> Line:
        self.join, cookies = await join_of(self, f"/?token={TOKEN}")
        return await self.line("/wall", cookies)

    async def sits(self, name: str, cookies: str = "") -> Line:
        return await self.student(self.join, name, cookies)


@asynccontextmanager
async def serving(spec: dict[str, Any], folder: Path, **options: Any) -> AsyncIterator[Served]:
    hosting = Hosting(port=0, token=TOKEN, **options)
    with open_socket(hosting) as listening:
        port = listening.getsockname()[1]
        room = page.make(spec)
        gate = class_server.make_gate(room, hosting, port, folder)
        stop, ready = asyncio.Event(), asyncio.Event()
        server = asyncio.create_task(serve_until(stop, gate, listening, ready.set))
        await ready.wait()
        served = Served(port, room, gate, folder)
        try:
            yield served
        finally:
            await served.leave()
            stop.set()
            await server
            room.close()


@pytest.fixture
def in_class(spec: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    monkeypatch.setattr("faulthandler.dump_traceback_later", lambda *_, **__: None)  # the process goes on

    def run(test: Callable[[Served], Any], *, n_simulated: int = 0, **options: Any) -> None:
        async def whole() -> None:
            async with serving({**spec, "n_simulated": n_simulated}, tmp_path, **options) as served:
                await test(served)

        asyncio.run(whole())

    return run


# -- what the links open ----------------------------------------------------------------------------------


def test_every_handler_has_a_decision(spec: dict[str, Any], tmp_path: Path) -> None:
    gate = class_server.make_gate(page.make(spec), Hosting(token=TOKEN), 1, tmp_path)
    rules = [rule for router in gate.default_router.rules for rule in getattr(router.target, "rules", [])]
    handlers = {rule.target for rule in rules if isinstance(rule.target, type)}
    students = {class_server.FileHandler, class_server.StudentHandler, class_server.StudentLineHandler}
    assert {*class_server.FOR_STUDENTS} == students
    assert handlers - students == {class_server.WallHandler, class_server.WallLineHandler}


def test_the_students_link_opens_a_students_page_and_nothing_else(in_class: Any) -> None:
    async def test(served: Served) -> None:
        await served.wall()
        answer, cookies = await served.opened(served.join)
        assert answer.code == 200
        assert b'data-shows="student"' in answer.body
        assert TOKEN.encode() not in answer.body
        token = urlsplit(served.join).query
        assert (await served.fetch("/class.js", Cookie=cookies)).code == 200
        for path in ("/", f"/?{token}", "/wall", f"/wall?{token}", "/app.ipynb", "/voila/static/x", "/../x"):
            reply = await served.fetch(path, Cookie=cookies)
            assert reply.code == 403, path
            assert b"data-shows" not in reply.body
            assert b"data-link" not in reply.body
        with pytest.raises(HTTPClientError) as refused:
            await served.line("/wall", cookies)
        assert refused.value.code == 403
        # The wall's messages, over a line of a student
        line = await served.line("/student", cookies)
        for kind in ("wall", "table", "run"):
            reply = await line.ask(kind, kind="wald", stop="fixed", n=1, is_revealed=True)
            assert "error" in reply
            assert not {"wall", "file"} & reply.keys()

    in_class(test)


def test_without_a_link_nothing_opens(in_class: Any) -> None:
    async def test(served: Served) -> None:
        await served.wall()
        for path in ("/", "/join", "/wall", "/student", "/app.js", f"/join?token={'0' * 16}"):
            assert (await served.fetch(path)).code == 403, path
        for path in ("/wall", "/student"):
            with pytest.raises(HTTPClientError):
                await served.line(path, "")
        # Another site's page, in a browser that has the cookies
        _, cookies = await served.opened(served.join)
        _, owner = await served.opened(f"/?token={TOKEN}")
        for path, own in (("/student", cookies), ("/wall", owner)):
            with pytest.raises(HTTPClientError):
                await served.line(path, own, Origin="http://elsewhere.example")

    in_class(test)


def test_a_page_says_what_may_load_and_is_in_no_other_page(in_class: Any) -> None:
    async def test(served: Served) -> None:
        await served.wall()
        for path in (f"/?token={TOKEN}", served.join):
            answer, _ = await served.opened(path)
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "frame-ancestors 'self'" in policy
            assert answer.headers["Cache-Control"] == "no-store"
            cookies = answer.headers.get_list("Set-Cookie")
            assert cookies
            assert all("HttpOnly" in each and "SameSite=Strict" in each for each in cookies)

    in_class(test)


def test_a_revoked_link_closes_the_lines(in_class: Any) -> None:
    async def test(served: Served) -> None:
        await served.wall()
        line = await served.sits("Ada")
        served.guests.revoke(class_server.SESSION)
        await line.connection.write_message(json.dumps({"type": "hello", "client": "c", "seq": 9}))
        assert (await line.closed())[0] == REFUSED
        assert (await served.fetch("/join", Cookie=line.cookies)).code == 403

    in_class(test)


@pytest.mark.parametrize(
    "frame",
    ["", "x", "[]", "3", '"hello"', "{", '{"type": NaN}', "[" * 5000, b"\x00\x01", b"{}"],
    ids=repr,
)
def test_what_is_no_message_closes_one_line_alone(in_class: Any, frame: str | bytes) -> None:
    async def test(served: Served) -> None:
        await served.wall()
        ada, bob = await served.sits("Ada"), await served.sits("Bob")
        await ada.connection.write_message(frame, binary=isinstance(frame, bytes))
        assert (await ada.closed())[0] == 1007
        assert await bob.label(1) == 1
        assert await (await served.sits("", ada.cookies)).label(1) == 1

    in_class(test)


# -- students ---------------------------------------------------------------------------------------------


def test_a_student_goes_on_after_a_lost_line(in_class: Any) -> None:
    async def test(served: Served) -> None:
        wall = await served.wall()
        ada = await served.sits("Ada")
        assert await ada.label(2) == 2
        ada.connection.close()
        again = await served.sits("", ada.cookies)
        assert await again.label(1) == 3
        assert (await again.ask("student"))["student"]["name"] == "Ada"
        other = await served.sits("Bob")
        assert await other.label(1) == 1
        content = (await wall.ask("wall", kind="wald", stop="fixed", n=N_LABELS, is_revealed=False))["wall"]
        assert [(row["name"], row["n"]) for row in content["rows"]] == [("Ada", 3), ("Bob", 1)]

    in_class(test)


def test_a_line_needs_the_key_that_came_with_the_page(in_class: Any) -> None:
    async def test(served: Served) -> None:
        await served.wall()
        _, cookies = await served.opened(served.join)
        guest = next(each for each in cookies.split("; ") if "-guest-" in each)
        for key in ("", "; x-student=a", f"; {served.gate.access.cookie_name}-student=short"):
            line = await served.line("/student", guest + key)
            code, reason = await line.closed()
            assert (code, reason) == (
                REFUSED,
                "Open the class's link again; your browser has to allow its cookie.",
            )
        assert not served.room.students

    in_class(test)


def test_tabs_and_the_class_are_limited(in_class: Any) -> None:
    async def test(served: Served) -> None:
        await served.wall()
        ada = await served.sits("Ada")  # the only place
        lines = [await served.line("/student", ada.cookies) for _ in range(LINES_PER_PAGE)]
        assert (await lines[-1].closed())[1] == "This is open in too many tabs."
        assert await lines[0].label(1) == 1
        _, cookies = await served.opened(served.join)
        late = await served.line("/student", cookies)
        assert (await late.closed()) == (REFUSED, f"The class is full: it has {MAX_STUDENTS} students.")

    in_class(test, n_simulated=MAX_STUDENTS - 1)


def test_thirty_label_at_once_while_simulated_ones_keep_up(in_class: Any) -> None:
    async def test(served: Served) -> None:
        wall = await served.wall()
        lines = await asyncio.gather(*(served.sits(f"Student {i}") for i in range(30)))
        given = await asyncio.gather(*(line.label(N_LABELS) for line in lines))
        assert given == [N_LABELS] * 30
        while any(each.n_labels < N_LABELS for each in served.room.students):
            await asyncio.sleep(0)
        asked = {"kind": "guaranteed", "stop": "fixed", "n": N_LABELS, "is_revealed": True}
        content = (await wall.ask("wall", **asked))["wall"]
        assert content["headline"].partition(" of ")[2].startswith("34 miss")
        assert content["details"][-2].startswith("34 students (4 simulated), 204 labels")

    in_class(test, n_simulated=4)


# -- the link ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "options", "headers", "expected"),
    [
        ("127.0.0.1:80", {}, {}, "http://127.0.0.1:80/join?token=t"),
        (
            "labels.example.org",
            {"base_url": "/a"},
            {"X_Forwarded_Proto": "https"},
            "https://labels.example.org/a/join?token=t",
        ),
        ("10.1.2.3:99", {"host": "0.0.0.0"}, {}, "http://10.1.2.3:99/join?token=t"),
        ("localhost:99", {"host": "0.0.0.0"}, {}, "http://192.168.0.7:8866/join?token=t"),
    ],
)
def test_the_link_is_one_that_others_reach(
    host: str, options: Any, headers: Any, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_server, "_network_address", lambda: "192.168.0.7")
    request = asked("/", host=host, **headers)
    assert class_server._link(request, Hosting(**options), 8866, "t") == expected


# -- the command ------------------------------------------------------------------------------------------


def run(*arguments: object) -> Any:
    return CliRunner().invoke(cli.main, ["class", *map(str, arguments)])


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, Any]]:
    """What would be served."""
    found: list[tuple[Any, Any]] = []
    monkeypatch.setattr(command, "serve_class", lambda spec, **options: found.append((spec, options)))
    monkeypatch.setattr(race_command, "apart", lambda function, *arguments: function(*arguments))
    return found


def test_a_labeled_file_is_labeled_by_a_class(tmp_path: Path, served: list[tuple[Any, Any]]) -> None:
    mails = tmp_path / "mails.csv"
    mails.write_text("\n".join(ROWS))
    result = run(mails, "--label", "truth", "--n-labels", 5, "--simulate", 3, "--seed", 7, "--no-browser")
    assert result.exit_code == 0, result.output
    assert "1 of 41 rows has no label in 'truth' and is left out." in result.output
    [(spec, options)] = served
    assert options["no_browser"]
    room = page.make(spec)
    assert [each.seed for each in room.students] == [7, 8, 9]
    assert (room.contest.budget, room.contest.pool.n_instances) == (5, 40)
    room.close()


def test_a_demo_is_labeled_by_a_class(served: list[tuple[Any, Any]]) -> None:
    assert run("text", "--no-browser").exit_code == 0
    [(spec, _)] = served
    room = page.make(spec)
    assert (room.contest.budget, room.students) == (40, [])
    room.close()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such"], "'no-such' is neither a demo"),
        (["digits", "--label", "y"], "--label: not for a demo"),
        (["--simulate", str(MAX_STUDENTS)], "is not in the range 0<=x<=59"),
        (["--n-labels", "0"], "is not in the range x>=1"),
    ],
)
def test_bad_arguments_are_refused(arguments: list[str], message: str, served: list[tuple[Any, Any]]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.output
    assert not served


def test_the_limits_are_those_of_the_class() -> None:
    assert command.MAX_SIMULATED == MAX_STUDENTS - 1


def test_it_serves_until_ctrl_c(tmp_path: Path) -> None:
    errors = tmp_path / "errors"
    with errors.open("w") as log:
        process = subprocess.Popen(
            [*(sys.executable, "-m", "activeeval_widgets.app.cli", "class"), "--no-browser", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
        )
    assert process.stdout is not None
    with process.stdout:
        line = process.stdout.readline()
        assert re.fullmatch(r"Serving http://127\.0\.0\.1:\d+/\?token=\S+  \(Ctrl-C stops it\)\n", line)
        process.send_signal(2)
        assert process.wait(60) == 0
    assert errors.read_text() == ""
