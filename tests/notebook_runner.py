"""Runs notebooks, each once, in kernels forked from one process which has imported what they need."""

import base64
import json
import os
import pickle
import socket
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.connect import write_connection_file
from nbformat import NotebookNode

from activeeval_widgets.app.forked_kernels.provisioner import command
from activeeval_widgets.app.pages import PAGE_VARIABLE, to_text

LONGEST_CELL = 120  # seconds


class KernelFork:
    """The process that kernels are forked from."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._alive = os.pipe()
        ours, its = socket.socketpair()
        self._env = {**os.environ, PAGE_VARIABLE: to_text({"kind": "lessons"})}
        with its:
            self._process = subprocess.Popen(
                command(its.fileno(), self._alive[0]),
                env=self._env,
                pass_fds=(its.fileno(), self._alive[0]),
                start_new_session=True,
            )
        self._socket = ours
        self._lines = ours.makefile("r")
        assert "ready" in json.loads(self._lines.readline())

    @contextmanager
    def kernel(self, cwd: Path) -> Iterator[BlockingKernelClient]:
        """A client of a kernel of its own, which ends with it."""
        name = uuid.uuid4().hex[:8]
        path = str(self._folder / f"{name}.json")
        write_connection_file(path, transport="ipc", ip=str(self._folder / name))
        argv = ["-f", path, f"--ipython-dir={self._folder}", "--HistoryManager.enabled=False"]
        asked = {"id": name, "argv": argv, "env": self._env, "cwd": str(cwd)}
        self._socket.sendall(json.dumps(asked).encode() + b"\n")
        while "pid" not in (content := json.loads(self._lines.readline())):
            assert "ended" in content, content
        client = BlockingKernelClient(connection_file=path)
        client.load_connection_file()
        client.start_channels()
        try:
            client.wait_for_ready(timeout=LONGEST_CELL)
            yield client
        finally:
            client.shutdown()
            client.stop_channels()

    def close(self) -> None:
        """End it, and the kernels that are left."""
        self._lines.close()
        self._socket.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for end in self._alive:
            os.close(end)


@dataclass
class Ran:
    """A notebook that has been run, with its kernel."""

    notebook: NotebookNode
    client: BlockingKernelClient

    @property
    def outputs(self) -> list[Any]:
        """What all cells have put out, in their order."""
        return [output for cell in self.notebook.cells for output in cell.get("outputs", [])]

    @property
    def text(self) -> str:
        """What a reader reads below the cells: what was printed, told and asked; as Markdown where it is."""
        parts = []
        for output in self.outputs:
            data = output.get("data", {})
            parts.append(output.get("text") or data.get("text/markdown") or data.get("text/plain") or "")
        return "\n".join(parts)

    def value(self, expression: str) -> Any:
        """What an expression is in the notebook, after its last cell."""
        pickled = f"__import__('pickle').dumps({expression})"
        outputs = self.run(f"print(__import__('base64').b64encode({pickled}).decode())")
        return pickle.loads(base64.b64decode("".join(output["text"] for output in outputs)))

    def run(self, source: str) -> list[Any]:
        """Run a piece of code after the notebook's last cell: what it puts out."""
        return run_code(self.client, source)

    def changed_by(self, source: str) -> list[str]:
        """Run code that sets what a reader would: the new values of all widgets that have changed."""
        self.run("from ipywidgets.widgets.widget import _instances")
        values = "[each.value for each in _instances.values() if hasattr(each, 'value')]"
        before = self.value(values)
        self.run(source)
        return [str(b) for a, b in zip(before, self.value(values), strict=True) if a != b]


def run_code(client: BlockingKernelClient, source: str) -> list[Any]:
    """Run code; an error in it fails the test, with its traceback."""
    outputs: list[Any] = []

    def hear(message: dict[str, Any]) -> None:
        if message["msg_type"] not in ("stream", "display_data", "execute_result", "error"):
            return
        output = nbformat.v4.output_from_msg(message)
        # What is printed comes in as many pieces as the kernel's clock makes of it.
        if output.output_type == "stream" and outputs and outputs[-1].get("name") == output.name:
            outputs[-1].text += output.text
        else:
            outputs.append(output)

    client.execute_interactive(source, allow_stdin=False, timeout=LONGEST_CELL, output_hook=hear)
    for output in outputs:
        assert output.output_type != "error", "\n".join([source, "", *output.traceback])
    return outputs


@contextmanager
def run_notebook(fork: KernelFork, path: Path, folder: Path) -> Iterator[Ran]:
    """Run a notebook that is kept without outputs, from top to bottom; nothing may be warned of."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    with fork.kernel(folder) as client:
        for cell in notebook.cells:
            if cell.cell_type == "code":
                assert not cell.outputs, "notebooks are kept without outputs"
                cell.outputs = run_code(client, cell.source)
        ran = Ran(notebook, client)
        warned = [o.text for o in ran.outputs if o.output_type == "stream" and o.name == "stderr"]
        assert not warned, warned
        yield ran
