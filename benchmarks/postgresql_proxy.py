"""Stands between a program and a server of PostgreSQL, and breaks a connection at a chosen moment."""

import socket
import time
from contextlib import suppress
from pathlib import Path
from threading import Thread

COMMITS = (b"COMMIT\0", b"WITH changed AS")
"""What ends a transaction, or is one by itself."""


class Proxy:
    """Passes on what it is given.

    Attributes
    ----------
    cut : {None, "before", "after", "late"}
        At the next commit the client's connection is closed, and the commit does not reach the server,
        reaches it, or reaches it half a second later.
    is_refusing : bool
        Whether new connections are closed at once.
    is_stalled : bool
        Whether nothing is passed on for now.
    """

    def __init__(self, folder: Path, server: Path) -> None:
        self.cut: str | None = None
        self.is_refusing = self.is_stalled = False
        self.n_cut = 0
        self._server = str(server / ".s.PGSQL.5432")
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / ".s.PGSQL.5432"))
        self._listening.listen()
        self._open: list[socket.socket] = [self._listening]
        Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self.is_refusing = True
        for each in self._open:
            _close(each)

    def break_all(self) -> None:
        """Close the connections there are."""
        for each in self._open[1:]:
            _close(each)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                if self.is_refusing:
                    client.close()
                    continue
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._server)
                self._open += [client, server]
                Thread(target=self._ask, args=(client, server), daemon=True).start()
                Thread(target=self._answer, args=(client, server), daemon=True).start()

    def _ask(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(65536):
                while self.is_stalled:
                    time.sleep(0.01)
                if self.cut is None or not any(each in data for each in COMMITS):
                    server.sendall(data)
                    continue
                how, self.cut = self.cut, None
                self.n_cut += 1
                # From here on nothing that the server says arrives.
                _close(client)
                if how == "late":
                    time.sleep(0.5)
                if how != "before":
                    server.sendall(data)
                    time.sleep(0.2)
                break
        _close(client)
        _close(server)

    def _answer(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := server.recv(65536):
                client.sendall(data)
        _close(client)


def _close(each: socket.socket) -> None:
    with suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)
    each.close()
