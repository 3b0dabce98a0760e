"""Kernels that are forked from one process."""

import asyncio
import contextlib
import os
import select
import signal
import socket
import tempfile
from pathlib import Path

import pytest
from traitlets import Unicode
from traitlets.config import Config, LoggingConfigurable

from activeeval_widgets.app import page, pages
from activeeval_widgets.app.forked_kernels import provisioner
from activeeval_widgets.app.forked_kernels.parent import _Parent
from activeeval_widgets.app.forked_kernels.provisioner import KernelParent, can_fork
from activeeval_widgets.app.kernels import Kernels, OnlyThisPython, TooManyWaitError

from .conftest import children, wait_until

pytestmark = pytest.mark.skipif(not can_fork(), reason="kernels are started one by one here")


class Server(LoggingConfigurable):
    connection_dir = Unicode()


HELLO = {"type": "hello", "client": "a-page", "seq": 1}


@contextlib.asynccontextmanager
async def kernels(folder, *, prepares=True):
    """A manager of kernels, as the server has one."""
    config = Config()
    config.KernelManager.transport = "ipc"
    server = Server(config=config, connection_dir=str(folder))
    manager = Kernels(
        parent=server,
        connection_dir=str(folder),
        kernel_spec_manager=OnlyThisPython(parent=server),
        max_pages=10,
    )
    if prepares:
        manager.prepare()
    try:
        yield manager
    finally:
        await manager.close()


async def begin(manager, **env):
    kernel_id = await manager.start_kernel(kernel_name="python3", env={**os.environ, **env})
    return kernel_id, manager.get_kernel(kernel_id)


async def run(kernel, expression):
    """Evaluate an expression in a kernel, and return its value as text."""
    client = kernel.client()
    client.start_channels()
    try:
        await client.wait_for_ready(timeout=60)
        reply = await client.execute_interactive(
            "", user_expressions={"value": expression}, timeout=60, store_history=False
        )
        value = reply["content"]["user_expressions"]["value"]
        return value["data"]["text/plain"].strip("'") if value["status"] == "ok" else value
    finally:
        client.stop_channels()


@pytest.fixture
def folder():
    """A folder whose path is short enough for sockets."""
    with tempfile.TemporaryDirectory() as path:
        yield Path(path)


@pytest.fixture
def text_demo(monkeypatch):
    monkeypatch.setenv(pages.PAGE_VARIABLE, pages.to_text({"kind": "demo", "demo": "text", "store": "x"}))


@pytest.fixture
def no_page(monkeypatch):
    """A page that cannot be prepared, which its kernel would tell."""
    monkeypatch.setenv(pages.PAGE_VARIABLE, pages.to_text({"kind": "nonesuch"}))


def test_kernels_share_what_was_prepared_and_nothing_else(folder, text_demo):
    async def check():
        async with kernels(folder) as manager:
            began = [await begin(manager, QUERY_STRING=f"session={n}") for n in range(2)]
            parent = manager.kernel_parent.pid
            result = []
            for _, kernel in began:
                result.append(
                    {
                        expression: await run(kernel, f"__import__({module!r}, fromlist=['x']).{expression}")
                        for module, expression in (
                            ("activeeval_widgets.app.pages.demo", "load.cache_info().currsize"),
                            ("os", "getppid()"),
                            ("os", "environ['QUERY_STRING']"),
                            ("os", "getcwd()"),
                            ("numpy.random", "random()"),
                            ("random", "random()"),
                            ("uuid", "uuid4().hex"),
                            ("ipykernel.kernelapp", "IPKernelApp.instance().session.key.hex()"),
                            ("ipykernel.kernelapp", "IPKernelApp.instance().session.session"),
                            ("os", "getsid(0) - __import__('os').getpid()"),
                            ("os", "readlink('/proc/self/fd/0')"),
                            ("ipykernel.debugger", "_is_debugpy_available"),
                            ("debugpy", "__name__"),
                        )
                    }
                )
            one, other = result
            assert one["load.cache_info().currsize"] == other["load.cache_info().currsize"] == "1"
            assert one["getppid()"] == other["getppid()"] == str(parent)
            assert one["getsid(0) - __import__('os').getpid()"] == "0"
            assert one["readlink('/proc/self/fd/0')"] == os.devnull
            # The kernel has no debugger, but may import one.
            assert (one["_is_debugpy_available"], one["__name__"]) == ("False", "debugpy")
            assert [each["environ['QUERY_STRING']"] for each in result] == ["session=0", "session=1"]
            for own in ("random()", "uuid4().hex", "IPKernelApp.instance().session.key.hex()"):
                assert one[own] != other[own], own
            assert one["IPKernelApp.instance().session.key.hex()"] == began[0][1].session.key.hex()
            # No other user of the machine reaches the kernels' sockets.
            assert all(kernel.transport == "ipc" for _, kernel in began)
            for file in folder.glob("kernel-*.json"):
                assert file.stat().st_mode & 0o77 == 0
            names = {Path(f"/proc/{pid}/comm").read_text() for pid in children(parent)}
            assert names == {f"kernel {kernel_id[:8]}\n" for kernel_id, _ in began}

    asyncio.run(check())


def ask_for_widgets(client):
    """Ask a kernel for all of its widgets, as a page does first."""
    control = {"comm_id": "control", "target_name": page.CONTROL, "data": {}}
    ask = {"comm_id": "control", "data": {"method": "request_states"}}
    for kind, content in (("comm_open", control), ("comm_msg", ask)):
        client.shell_channel.send(client.session.msg(kind, content, metadata={"version": "1.0.0"}))


def test_a_notebook_that_does_not_show_the_page_tells_of_its_widgets(folder, no_page):
    """The parent imports ipywidgets outside a kernel; each kernel has to register the page's requests."""

    async def check():
        async with kernels(folder) as manager:
            _, kernel = await begin(manager)
            client = kernel.client()
            client.start_channels()
            await client.wait_for_ready(timeout=60)
            await client.execute_interactive("import ipywidgets; it = ipywidgets.HTML('kept')", timeout=60)
            ask_for_widgets(client)
            while (reply := await client.get_iopub_msg(timeout=60))["msg_type"] != "comm_msg":
                assert reply["msg_type"] != "comm_close"
            states = reply["content"]["data"]["states"]
            assert "kept" in [each["state"].get("value") for each in states.values()]
            client.stop_channels()

    asyncio.run(check())


def test_a_session_begins_when_a_page_connects_which_hears_of_its_widgets_once(folder, monkeypatch):
    store = folder / "sessions.sqlite"
    spec = {"kind": "demo", "demo": "text", "store": str(store)}
    monkeypatch.setenv(pages.PAGE_VARIABLE, pages.to_text(spec))

    async def check():
        async with kernels(folder) as manager:
            _, kernel = await begin(manager, QUERY_STRING="session=text-3")
            client = kernel.client()
            client.start_channels()
            await client.wait_for_ready(timeout=60)
            heard = []
            await client.execute_interactive(
                "from activeeval_widgets.app.page import show; show()", output_hook=heard.append, timeout=60
            )
            (shown,) = [each for each in heard if each["msg_type"] == "display_data"]
            place = shown["content"]["data"]["application/vnd.jupyter.widget-view+json"]["model_id"]
            assert not store.exists()

            ask_for_widgets(client)
            while True:
                reply = await client.get_iopub_msg(timeout=60)
                assert reply["msg_type"] != "comm_open"
                if reply["msg_type"] == "comm_msg":
                    break
            states = reply["content"]["data"]["states"]
            (app,) = states[place]["state"]["children"]
            assert app.removeprefix("IPY_MODEL_") in states
            assert store.exists()
            # It goes on to answer what the page says.
            data = {"method": "custom", "content": HELLO}
            for model, state in states.items():
                if "_esm" in state["state"]:
                    hello = {"comm_id": model, "data": data}
                    client.shell_channel.send(client.session.msg("comm_msg", hello))
            while (await client.get_iopub_msg(timeout=60))["msg_type"] != "comm_msg":
                pass
            client.stop_channels()

    asyncio.run(check())


def test_kernels_that_end_are_not_left_behind_and_others_outlive_what_they_were_forked_from(
    folder, no_page, caplog
):
    async def check():
        async with kernels(folder) as manager:
            (first, kernel), (second, _) = await begin(manager), await begin(manager)
            parent = manager.kernel_parent.pid
            await run(kernel, "1")
            await manager.shutdown_kernel(first)  # asked to
            await manager.end(second)  # killed
            assert manager.list_kernel_ids() == []
            for _ in range(100):
                # those that were not waited for would still be in the list, as zombies
                if not Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
                    break
                await asyncio.sleep(0.05)
            else:
                raise AssertionError("a kernel was left behind")
            _, kernel = await begin(manager)
            assert await run(kernel, "6 * 7") == "42"
            os.kill(parent, signal.SIGKILL)
            assert await run(kernel, "6 * 8") == "48"
            assert await kernel.is_alive()
            _, later = await begin(manager)
            assert manager.kernel_parent.pid != parent
            assert await run(later, "__import__('os').getppid()") == str(manager.kernel_parent.pid)
            pids = [each.provisioner.pid for each in (kernel, later)]
        for pid in pids:
            assert not provisioner._is_running(pid)

    asyncio.run(check())
    assert "has ended (-9)" in caplog.text


def test_without_a_parent_they_are_started_one_by_one(folder, no_page, monkeypatch):
    monkeypatch.setattr(provisioner, "command", lambda *_: ["/bin/false"])

    async def check():
        async with kernels(folder) as manager:
            _, kernel = await begin(manager)
            assert await run(kernel, "6 * 7") == "42"
            assert await run(kernel, "__import__('os').getppid()") == str(os.getpid())

    asyncio.run(check())


def test_a_page_that_leaves_a_thread_is_not_forked(tmp_path, monkeypatch):
    # What is forked while another thread holds a lock waits for it for good.
    (tmp_path / "sitecustomize.py").write_text(
        "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,), daemon=True).start()\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")

    async def check():
        parent = KernelParent()
        parent.start()
        assert await asyncio.wait_for(parent.fork([], {}, "/"), 60) is None
        await parent.close()

    asyncio.run(check())


def test_a_server_that_closes_waits_for_no_page(folder, text_demo, monkeypatch):
    # as one that prepares a large pool
    monkeypatch.setattr(provisioner, "command", lambda *_: ["/bin/sleep", "1000"])

    async def check():
        async with kernels(folder) as manager:
            waiting = asyncio.ensure_future(begin(manager))
            await asyncio.sleep(0.2)
            await asyncio.wait_for(manager.close(), 60)
            with pytest.raises(RuntimeError, match="closing"):
                await waiting
            assert manager.kernel_parent.pid is not None
            assert not provisioner._is_running(manager.kernel_parent.pid)

    asyncio.run(check())


async def queued(manager, ticket, message):
    async for ahead in manager.wait_for_place(ticket):
        message.append(ahead)


def test_places_are_given_in_turn_and_taken_from_who_has_no_page(folder, no_page, monkeypatch):
    monkeypatch.setattr("activeeval_widgets.app.kernels.LOOK_EVERY", 0.01)
    monkeypatch.setattr("activeeval_widgets.app.kernels.WAITING_AT_MOST", 3)

    async def check():
        async with kernels(folder) as manager:
            manager.max_pages = 1
            waits = {name: [] for name in "abcd"}
            await queued(manager, "a", waits["a"])
            first = await manager.start_for_page("a", kernel_name="python3")
            waiting = {name: asyncio.ensure_future(queued(manager, name, waits[name])) for name in "bcd"}
            await asyncio.sleep(0.1)
            assert waits == {"a": [], "b": [0], "c": [1], "d": [2]}
            with pytest.raises(TooManyWaitError):
                await queued(manager, "e", [])
            waiting["c"].cancel()  # gave up
            await asyncio.sleep(0.1)
            assert waits["d"] == [2, 1]

            # One that is loading, or has a page, keeps its place, however long it takes.
            monkeypatch.setattr("activeeval_widgets.app.kernels.MAY_BE_ENDED_AFTER", 0.2)
            await asyncio.sleep(0.4)
            assert not waiting["b"].done()
            manager.loaded(first)
            manager.notify_connect(first)
            await asyncio.sleep(0.4)
            assert not waiting["b"].done()
            manager.notify_disconnect(first)
            await asyncio.wait_for(waiting["b"], 20)
            assert first not in manager
            second = await manager.start_for_page("b", kernel_name="python3")
            await asyncio.sleep(0.1)
            assert waits["d"] == [2, 1, 0]
            await manager.end(second)
            await asyncio.wait_for(waiting["d"], 20)

    asyncio.run(check())


def test_the_parent_ends_with_a_server_that_has_not_read_its_last_message():
    ours, its = socket.socketpair()
    parent = os.fork()
    if parent == 0:
        status = 1
        with contextlib.suppress(ConnectionResetError):
            ours.close()
            _Parent(its, -1).run()
            status = 0
        os._exit(status)
    its.close()
    select.select([ours], [], [], 60)  # it says that it is ready
    ours.close()
    assert os.waitstatus_to_exitcode(os.waitpid(parent, 0)[1]) == 0


def test_kernels_end_with_a_server_that_is_killed(start):
    served = start("text", "--port", "0")
    assert served.fetch()[0] == 200
    begun = served.kernels()
    assert len(begun) == 2
    served.process.kill()
    served.process.wait(60)
    for pid in begun:
        wait_until(lambda pid=pid: not provisioner._is_running(pid))


def test_kernels_end_with_a_server_that_is_killed_after_their_parent(start):
    served = start("text", "--port", "0")
    assert served.fetch()[0] == 200
    parent, kernel = served.kernels()
    os.kill(parent, signal.SIGKILL)
    assert provisioner._is_running(kernel)
    served.process.kill()
    served.process.wait(60)
    wait_until(lambda: not provisioner._is_running(kernel))
