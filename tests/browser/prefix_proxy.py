"""A reverse proxy below a prefix, which it passes on or takes away; websockets pass as they are."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator


class PrefixProxy:
    """Passes requests on to a port of this machine, from a thread of its own.

    Parameters
    ----------
    port : int
        The server's port.
    prefix : str
        What addresses begin with, such as ``/labels/``; nothing else is passed on.
    takes_away : bool
        Whether the server sees addresses without the prefix.
    headers : dict
        What it sets in each request.
    """

    def __init__(self, port: int, prefix: str, *, takes_away: bool, headers: dict[str, str]) -> None:
        self._server, self._prefix, self._takes_away, self._headers = port, prefix, takes_away, headers
        self.port = 0
        self._writers: list[asyncio.StreamWriter] = []

    async def _serve(self, started: threading.Event) -> None:
        self._stopped = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        listening = await asyncio.start_server(self._pass, "127.0.0.1", 0)
        self.port = listening.sockets[0].getsockname()[1]
        started.set()
        await self._stopped.wait()
        listening.close()
        for writer in self._writers:
            writer.transport.abort()
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others, timeout=1)
        await asyncio.gather(*(writer.wait_closed() for writer in self._writers), return_exceptions=True)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # One request a connection: what follows its head is passed on as it is, websockets too.
        self._writers.append(writer)
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            (method, path, version), *lines = [line.split(" ", 2) for line in head.strip().split("\r\n")]
            if not f"{path.split('?')[0]}/".startswith(self._prefix):
                writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                writer.close()
                return
            if self._takes_away:
                path = path[len(self._prefix) - 1 :]
            fields = {line[0].rstrip(":"): " ".join(line[1:]) for line in lines} | self._headers
            if "upgrade" not in fields.get("Connection", "").lower():
                fields["Connection"] = "close"
            passed = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
            server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self._server)
            self._writers.append(server_writer)
            server_writer.write(f"{method} {path} {version}\r\n{passed}\r\n".encode("latin-1"))
            await asyncio.gather(_pump(reader, server_writer), _pump(server_reader, writer))

    def stop(self) -> None:
        """Stop it."""
        self._loop.call_soon_threadsafe(self._stopped.set)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    with contextlib.suppress(OSError):
        writer.close()


@contextlib.contextmanager
def proxied(
    port: int, prefix: str, *, takes_away: bool, headers: dict[str, str] | None = None
) -> Iterator[str]:
    """Run such a proxy: the address of the server behind it."""
    proxy = PrefixProxy(port, prefix, takes_away=takes_away, headers=headers or {})
    started = threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(proxy._serve(started)), daemon=True)
    thread.start()
    assert started.wait(10)
    try:
        yield f"http://127.0.0.1:{proxy.port}{prefix}"
    finally:
        proxy.stop()
        thread.join(10)
