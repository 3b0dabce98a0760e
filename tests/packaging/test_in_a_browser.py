"""In a browser there is no server, SQLite, Arrow, process or thread, and on a page of its own no Jupyter."""

import subprocess
import sys

import pytest

ABSENT = (
    *("voila", "jupyter_server", "jupyter_client", "ipykernel", "tornado", "zmq", "click", "platformdirs"),
    *("sqlite3", "_sqlite3", "pyarrow", "fcntl", "multiprocessing", "_multiprocessing", "nh3", "sqlalchemy"),
)

JUPYTER = ("IPython", "anywidget", "bqplot", "comm", "ipywidgets", "traitlets")

IN_NOTEBOOK = """
from activeeval_widgets import LabelingApp, explorers
front_end = LabelingApp(session)._front_end
explorers.YourPool(model).fragment()
"""

ON_PAGE = """
from activeeval_widgets.widgets.page_channel import PageChannel
from activeeval_widgets.widgets.session_page import PageOptions, SessionPage
front_end = SessionPage(session, PageOptions(), lambda _: None, PageChannel).front_end
"""

SCRIPT = """
import sys, threading
from importlib.abc import MetaPathFinder

class Absent(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

def no_thread(self):
    raise RuntimeError("can't start new thread")

sys.meta_path.insert(0, Absent())
threading.Thread.start = no_thread

import numpy as np
import activeeval_widgets.platform
activeeval_widgets.platform.has_threads = lambda: False
from activeeval_widgets import Pool, Session
from activeeval_widgets.session import StoreError
from activeeval_widgets.stats import ClassPredictions, ErrorRate

sure = np.random.default_rng(0).beta(5, 2, 40)
model = ClassPredictions(np.column_stack([1 - sure, sure]))
session = Session(Pool([f"text {{i}}" for i in range(40)], predictions=model), ErrorRate())
{made}
answers = []
front_end.send = lambda content, buffers=None: answers.append((content, buffers))

def ask(seq, **message):
    front_end.receive({{**message, "client": "page", "seq": seq}})
    content, buffers = answers[-1]
    assert content["seq"] == seq and "error" not in content, content
    return content, buffers

content, _ = ask(0, type="hello")
for step in range(1, 11):
    drawn = session.next()
    assert ask(2 * step, type="instances", indices=[drawn.index])[1]
    ask(2 * step + 1, type="label", value=step % 2, draw=drawn.draw, seconds=1.0)
ask(100, type="plots")
ask(101, type="result", shows_results=True)
try:
    Session(session.pool, ErrorRate(), store="labels.sqlite")
except StoreError as error:
    assert "needs SQLite, which this Python is without" in str(error)
estimate = session.estimate()
print(session.n_labels, estimate.low < estimate.value < estimate.high)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("absent", "made"), [(ABSENT, IN_NOTEBOOK), ((*ABSENT, *JUPYTER), ON_PAGE)], ids=["notebook", "page"]
)
def test_ten_instances_are_labeled_where_no_server_could_run(absent: tuple[str, ...], made: str) -> None:
    script = SCRIPT.format(absent=absent, made=made)
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert found.stdout == "10 True\n", found.stderr
    assert found.stderr == ""
