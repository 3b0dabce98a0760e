"""In a browser there is no server, SQLite, Arrow, process or thread: labels are given even so."""

import subprocess
import sys

import pytest

ABSENT = (
    *("voila", "jupyter_server", "jupyter_client", "ipykernel", "tornado", "zmq", "click", "platformdirs"),
    *("sqlite3", "_sqlite3", "pyarrow", "fcntl", "multiprocessing", "_multiprocessing", "nh3", "sqlalchemy"),
)

SCRIPT = f"""
import sys, threading
from importlib.abc import MetaPathFinder

class Absent(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {ABSENT!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

def no_thread(self):
    raise RuntimeError("can't start new thread")

sys.meta_path.insert(0, Absent())
threading.Thread.start = no_thread

import numpy as np
from activeeval_widgets import LabelingApp, Pool, Session, explorers
from activeeval_widgets.session import StoreError
from activeeval_widgets.stats import ClassPredictions, ErrorRate

sure = np.random.default_rng(0).beta(5, 2, 40)
model = ClassPredictions(np.column_stack([1 - sure, sure]))
session = Session(Pool([f"text {{i}}" for i in range(40)], predictions=model), ErrorRate())
front_end = LabelingApp(session)._front_end
answers = []
front_end.send = lambda content, buffers=None: answers.append((content, buffers))

def ask(seq, **message):
    front_end._handle_custom_msg({{**message, "client": "page", "seq": seq}}, [])
    content, buffers = answers[-1]
    assert content["seq"] == seq and "error" not in content, content
    return content, buffers

content, _ = ask(0, type="hello")
for step in range(1, 11):
    drawn = session.next()
    assert ask(2 * step, type="instances", indices=[drawn.index])[1]
    ask(2 * step + 1, type="label", value=step % 2, draw=drawn.draw, seconds=1.0)
ask(100, type="plots")
ask(101, type="result", may_tell=True)
explorers.YourPool(model).fragment()
try:
    Session(session.pool, ErrorRate(), store="labels.sqlite")
except StoreError as error:
    assert "needs SQLite, which this Python is without" in str(error)
estimate = session.estimate()
print(session.n_labels, estimate.low < estimate.value < estimate.high)
"""


@pytest.mark.slow
def test_ten_instances_are_labeled_where_no_server_could_run() -> None:
    found = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert found.stdout == "10 True\n", found.stderr
    assert found.stderr == ""
