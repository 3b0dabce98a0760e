"""What a stranger does first, on a machine that has Python and nothing else of ours.

The wheel is installed alone into an environment of its own, and what the README shows is run as it stands
there.
"""

import csv
import re
import shlex
import socket
import subprocess
import sys
import textwrap
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Page, expect

from activeeval_widgets.app.commands.demo import DEMOS

from .stranger import APP, READY, ROOT, Machine, label_three, n_labels

START = "[data-aew=start][data-state=ready]"

IMPORT_ALL = """
import importlib, pkgutil, activeeval_widgets
for module in pkgutil.walk_packages(activeeval_widgets.__path__, "activeeval_widgets."):
    try:
        importlib.import_module(module.name)
    except ModuleNotFoundError as error:
        print(module.name, error.name)
"""

# What only the extra "postgresql" brings, and nothing else imports.
WITHOUT_DATABASE = {
    f"activeeval_widgets.session.stores.{name} sqlalchemy"
    for name in ("postgresql", "postgresql_connection", "postgresql_tables")
}

# What only the extra "lessons" brings.
WITHOUT_LESSONS = {"activeeval_widgets.lessons.figures matplotlib"}

# What the README takes as given: a model that learned from a column of strings, as scikit-learn leaves it.
SETUP = """
import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

mails = pd.DataFrame({
    "text": ["win a prize now", "meet me at noon", "your prize money is waiting", "lunch today?"] * 5,
    "label": ["spam", "ham", "spam", "ham"] * 5,
}).astype({"label": object})
model = make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(mails["text"], mails["label"])
assert model.classes_.dtype == object
texts = X = pd.DataFrame({"text": [f"prize at noon, mail {n}" for n in range(60)]})["text"]
"""

# What its other snippets take as given.
MORE = """
from activeeval_widgets.stats import ClassPredictions, ErrorRate

posts = [{"author": "Ada", "text": "1 < 2", "photo": np.zeros((4, 4)), "url": "https://example.org/1"},
         {"author": "Bob", "text": "No!", "photo": np.ones((4, 4)), "url": "https://example.org/2"}]
measure = ErrorRate()
predictions = ClassPredictions([[0.9, 0.1], [0.4, 0.6]])
p = model.predict_proba(X)


def ask_an_expert(index):
    return 0
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution, which is built from this folder."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--installer", "uv", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (source,) = folder.glob("*.tar.gz")
    (built,) = folder.glob("*.whl")
    assert source.name.removesuffix(".tar.gz") == "-".join(built.name.split("-")[:2])
    return built


@pytest.fixture(scope="module")
def with_wheel(machine: Machine, wheel: Path) -> Machine:
    """An environment that has the wheel and what it asks for, nothing else."""
    machine.make_environment()
    machine.install(wheel)
    return machine


def test_the_wheel_has_every_file(wheel: Path) -> None:
    package = ROOT / "activeeval_widgets"
    files = [f for f in package.rglob("*") if f.is_file() and "__pycache__" not in f.parts]
    with zipfile.ZipFile(wheel) as packed:
        for file in files:
            assert packed.read(str(file.relative_to(ROOT))) == file.read_bytes()
        for page in (ROOT / "docs").glob("*/*.md"):  # the lessons' pages link to them
            assert packed.read(f"activeeval_widgets/{page.relative_to(ROOT)}") == page.read_bytes()


def test_the_wheel_alone(with_wheel: Machine) -> None:
    failed = with_wheel.run(with_wheel.bin / "python", "-c", IMPORT_ALL)
    assert set(failed.splitlines()) == WITHOUT_DATABASE | WITHOUT_LESSONS
    sessions = ("activeeval-widgets", "sessions", "list", "--store", "postgresql://ada@localhost/labels")
    refused = subprocess.run(sessions, env=with_wheel.variables, capture_output=True, text=True, check=False)
    assert refused.returncode
    assert "pip install 'activeeval-widgets[postgresql]'" in refused.stderr


BUILD_ALL = f"""
from activeeval_widgets.app.pages import demo, race
query = {{"session": None, "who": None}}
for name in {DEMOS}:
    print(type(demo.build({{"demo": name, "store": f"{{name}}.sqlite"}}, query)).__name__)
spec = {{"kind": "race", "demo": "digits", "methods": ["active", "uniform"], "seed": 0, "budget": 10}}
print(type(race.build(spec, query)).__name__)
"""


def test_every_demo_with_the_wheel_alone(with_wheel: Machine, page: Page) -> None:
    """The start page leads to them, all can be made, and a race; one is labeled."""
    program = with_wheel.bin / "activeeval-widgets"
    options = ("--no-browser", "--port", "0")
    with with_wheel.serving(program, "open", with_wheel.folder, *options) as url:
        page.goto(url)
        page.wait_for_selector(START)
        cards = page.locator("[data-demo]").evaluate_all(
            "cards => cards.map(card => [card.dataset.demo, card.href])"
        )
        assert [name for name, _ in cards] == list(DEMOS)
        label_three(page, dict(cards)["images"])
    made = with_wheel.run(with_wheel.bin / "python", "-c", BUILD_ALL)
    assert made.split() == [*["LabelingApp"] * len(DEMOS), "Race"]


def test_a_file_as_the_readme_serves_it(with_wheel: Machine, page: Page) -> None:
    readme = (ROOT / "README.md").read_text()
    folder = with_wheel.folder / "own data"
    folder.mkdir()
    (name,) = re.findall(r"This is `(\S+\.csv)`", readme)
    rows = re.search(r"^    id,text.*\n(    .*\n)+", readme, flags=re.MULTILINE)
    (folder / name).write_text(textwrap.dedent(rows[0]))
    (serve,) = re.findall(rf"^    (activeeval-widgets serve {name}.*)$", readme, flags=re.MULTILINE)
    command = (*serve.split(), "--no-browser", "--port", "0")
    with with_wheel.serving(*command, cwd=folder) as url:
        page.goto(url)
        page.wait_for_selector(READY)
        page.locator(APP).focus()
        for n in (1, 2):
            page.keyboard.press("1")
            expect(page.locator(APP)).to_have_attribute("data-n-labels", str(n))
            expect(page.locator(APP)).to_have_attribute("data-state", "ready")

    # Labels from elsewhere, and what is handed on.
    draw, answer = (
        shlex.split(c) for c in re.findall(r"`(?:\S+ )?(sessions (?:draw|answer) [^`]*)`", readme)
    )
    with_wheel.run("activeeval-widgets", *draw, cwd=folder)
    tasks = folder / draw[-1]
    with tasks.open(newline="", encoding="utf-8-sig") as file:
        table = list(csv.DictReader(file))
    assert len(table) == 2
    with tasks.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(table[0]))
        writer.writeheader()
        writer.writerows([{**row, "label": "billing"} for row in table])
    with_wheel.run("activeeval-widgets", *answer, cwd=folder)
    session = draw[2]
    with_wheel.run("activeeval-widgets", "sessions", "export", session, "--output", "all.json", cwd=folder)
    content = with_wheel.run("activeeval-widgets", "verify", "all.json", cwd=folder)
    assert "4 labels" in content


def test_the_readme_as_it_stands(with_wheel: Machine, clone: Path, page: Page) -> None:
    readme = (ROOT / "README.md").read_text()
    (install,) = re.findall(r"^    (pip install .*)$", readme, flags=re.MULTILINE)
    with_wheel.run("sh", "-c", f"{install} --quiet", cwd=clone)
    # The reader has the model, and so the library that it is of.
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    (library,) = (each for each in extras["lessons"] if each.startswith("scikit-learn"))
    with_wheel.install(library)

    snippets = re.findall(r"```python\n(.*?)```", readme, flags=re.DOTALL)
    with_store = [snippet for snippet in snippets if "store=" in snippet]
    assert with_store
    folder = with_wheel.folder / "notebooks"
    folder.mkdir()
    everything = [SETUP, *with_store, MORE, *(s for s in snippets if s not in with_store), *with_store]
    write_notebook(folder / "readme.ipynb", everything)
    with_wheel.run("python", "-m", "jupyter", "execute", "--kernel_name=python3", "readme.ipynb", cwd=folder)

    # Its page, by the README's own command; the store is there.
    (command,) = re.findall(r"^    (voila \S+\.ipynb)$", readme, flags=re.MULTILINE)
    notebook = folder / command.split()[1]
    write_notebook(notebook, [SETUP, with_store[0]])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ("--no-browser", f"--port={port}")
    with with_wheel.serving(*command.split(), *options, cwd=folder, url=f"http://127.0.0.1:{port}/") as url:
        label_three(page, url)
    assert n_labels(folder / "labels.sqlite") == 3


def write_notebook(path: Path, sources: list[str]) -> None:
    cells: list[Any] = [nbformat.v4.new_code_cell(source) for source in sources]
    spec = {"display_name": "Python 3", "language": "python", "name": "python3"}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": spec}), path)
