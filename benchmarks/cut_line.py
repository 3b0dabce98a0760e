"""A line between a browser and a server that can be cut, and of which one direction can be held back."""

import contextlib
import select
import socket
import time
from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import Any


class Line:
    """Between a browser and a server: passes everything on, until it is cut."""

    def __init__(self, port: int) -> None:
        self._server = port
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._is_cut = False
        self._answers = Event()  # set while the server's answers are passed on
        self._answers.set()
        self._lock = Lock()  # no connection is made while they are cut
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._threads: list[Thread] = []
        self._start(self._accept)

    def cut(self, seconds: float) -> None:
        """Cut all connections, and let none through for a while."""
        self._cut()
        time.sleep(seconds)
        self._is_cut = False

    def hold_answers(self) -> None:
        """Pass on only what the browser sends, until all connections are cut."""
        self._answers.clear()

    def close(self) -> None:
        """Cut all connections, for good."""
        self._cut()
        with self._listening:
            self._listening.shutdown(socket.SHUT_RDWR)  # ends the wait for the next connection
        for thread in self._threads:
            thread.join(10)
            assert not thread.is_alive(), "a connection was not cut"

    def _cut(self) -> None:
        with self._lock:
            self._is_cut = True
            for pair in self._pairs:
                for end in pair:
                    with contextlib.suppress(OSError):  # it has ended by itself
                        end.shutdown(socket.SHUT_RDWR)
            self._pairs.clear()
            self._answers.set()

    def _start(self, target: Callable[..., None], *args: Any) -> None:
        self._threads.append(Thread(target=target, args=args, daemon=True))
        self._threads[-1].start()

    def _accept(self) -> None:
        while True:
            try:
                browser, _ = self._listening.accept()
            except OSError:
                return
            with self._lock:
                if self._is_cut:
                    browser.close()
                    continue
                try:
                    server = socket.create_connection(("127.0.0.1", self._server))
                except OSError:  # there is no server at present
                    browser.close()
                    continue
                self._pairs.append((browser, server))
                self._start(self._pass_on, browser, server)

    def _pass_on(self, browser: socket.socket, server: socket.socket) -> None:
        with browser, server, contextlib.suppress(OSError):
            while True:
                for end in select.select([browser, server], [], [])[0]:
                    if end is server and not self._answers.is_set():
                        time.sleep(0.005)  # the browser's messages go on
                        continue
                    data = end.recv(65536)
                    if not data:
                        return
                    (server if end is browser else browser).sendall(data)
