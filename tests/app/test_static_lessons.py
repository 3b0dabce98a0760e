"""The page of all lessons: its wheels, notebooks and pages. `make test-wasm` runs the lessons themselves."""

import base64
import csv
import json
import re
import subprocess
import sys
from hashlib import sha256
from importlib.metadata import distribution
from pathlib import Path
from posixpath import normpath
from zipfile import ZipFile

import pytest
from click.testing import CliRunner
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from activeeval_widgets.app.cli import main
from activeeval_widgets.app.static_lessons import jupyterlite, wheels
from activeeval_widgets.app.static_lessons.notebooks import runnable, write_notebooks
from activeeval_widgets.app.static_lessons.pages import write_pages
from activeeval_widgets.app.static_page.pyodide import copy_pyodide
from activeeval_widgets.lessons.catalog import NOTEBOOKS

LESSONS = "jupyterlite/notebooks/index.html?path="
STANDS_IN = {"widgetsnbextension"}  # JupyterLite has one of its own


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheels, by their packages."""
    folder = tmp_path_factory.mktemp("wheels")
    wheels.write_wheels(folder)
    return {canonicalize_name(each.name.partition("-")[0]): each for each in folder.iterdir()}


def contents(wheel: Path) -> dict[str, bytes]:
    with ZipFile(wheel) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def requirements(wheel: Path) -> set[str]:
    """What a wheel needs in a browser."""
    [metadata] = (text for name, text in contents(wheel).items() if name.endswith(".dist-info/METADATA"))
    lines = re.findall(r"^Requires-Dist: (.+)$", metadata.decode().partition("\n\n")[0], re.MULTILINE)
    needed = (Requirement(line) for line in lines)
    here = {"extra": "", "sys_platform": "emscripten", "python_version": "3.12"}
    return {canonicalize_name(r.name) for r in needed if r.marker is None or r.marker.evaluate(here)}


def test_wheels_have_what_each_other_needs(written: dict[str, Path]) -> None:
    assert written.keys() == {"activeeval-widgets", *wheels.ALONG}
    has = {*written, *jupyterlite.PACKAGES, "traitlets"} | STANDS_IN
    for wheel in written.values():
        assert requirements(wheel) <= has, wheel.name
    needed = set().union(*map(requirements, written.values()))
    assert set(wheels.ALONG) <= needed, "nothing needs the others"


def test_wheels_are_whole_and_of_pure_python(written: dict[str, Path]) -> None:
    for wheel in written.values():
        found = contents(wheel)
        [record] = (name for name in found if name.endswith(".dist-info/RECORD"))
        rows = {row[0]: row[1] for row in csv.reader(found[record].decode().splitlines())}
        assert rows.keys() == found.keys(), wheel.name
        for name, content in found.items():
            assert not name.endswith((".so", ".pyd", ".pyc")), name
            digest = base64.urlsafe_b64encode(sha256(content).digest()).rstrip(b"=").decode()
            assert rows[name] == ("" if name == record else f"sha256={digest}")
    bqplot = distribution("bqplot").version
    assert written["bqplot"].name == f"bqplot-{bqplot}-py3-none-any.whl"
    own = contents(written["activeeval-widgets"])
    assert "activeeval_widgets/lessons/data/digits_sessions.json" in own
    assert "activeeval_widgets/widgets/static/app.js" in own
    assert not [name for name in own if name.startswith("activeeval_widgets/app/")]


IMPORTS = """
import anywidget, bqplot, latex2mathml.converter, markdown_it, platformdirs
for module in sys.modules.copy().values():
    if getattr(module, "__spec__", None) and module.__name__.partition(".")[0] in names:
        assert (module.__file__ or "").startswith(folder), module
print(len(names & sys.modules.keys()))
"""


def test_what_is_in_the_wheels_can_be_imported(written: dict[str, Path], tmp_path: Path) -> None:
    for wheel in written.values():
        with ZipFile(wheel) as opened:
            opened.extractall(tmp_path)
    names = {each.name for each in tmp_path.iterdir() if (each / "__init__.py").is_file()}
    begin = f"import sys; folder = {str(tmp_path)!r}; names = {names!r}; sys.path.insert(0, folder)"
    script = f"{begin}\n{IMPORTS}"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert found.stderr == ""
    assert int(found.stdout) >= 9


def test_notebooks_install_what_they_need_and_link_to_each_other(tmp_path: Path) -> None:
    write_notebooks(tmp_path)
    left_out = {each.path.name for each in NOTEBOOKS} - {each.name for each in tmp_path.iterdir()}
    assert left_out == {"12_your_own_model.ipynb"}
    for path in tmp_path.iterdir():
        notebook = json.loads(path.read_text(encoding="utf-8"))
        sources = ["".join(cell["source"]) for cell in notebook["cells"]]
        assert sources[0].startswith("# ")
        assert "Run All Cells" in sources[1]
        assert sources[2].splitlines()[-1] == "%pip install -q activeeval-widgets"
        linked = re.findall(r"\]\(([^)#:]+)\)", "\n".join(sources))
        assert all((tmp_path / target).is_file() for target in linked if target.endswith(".ipynb"))
        assert not [target for target in linked if target.endswith(".md")]
        assert notebook["metadata"]["kernelspec"]["name"] == "python"


def test_pages_link_to_lessons_and_to_each_other(tmp_path: Path) -> None:
    write_pages(tmp_path, LESSONS)
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert re.findall(rf'href="{re.escape(LESSONS)}([^"]+)"', index) == [
        each.path.name for each in runnable()
    ]
    assert "Needs a terminal: type <code>activeeval-widgets lessons</code>" in index
    assert "stop this server" not in index
    names = {each.path.name for each in runnable()}
    for path in tmp_path.rglob("*.html"):
        for link in re.findall(r'href="([^"]+)"', path.read_text(encoding="utf-8")):
            target, _, query = link.partition("#")[0].partition("?")
            if "://" in link or not target:
                continue
            place = normpath((path.parent / target).relative_to(tmp_path).as_posix())
            if query:
                assert place == LESSONS.partition("?")[0], link
                assert query.removeprefix("path=") in names
            elif not target.endswith("./"):
                assert (tmp_path / place).is_file(), (path, link)


def run(*arguments: str | Path) -> tuple[int, str]:
    found = CliRunner().invoke(main, ["export-page", "lessons", *map(str, arguments)])
    return found.exit_code, found.output


def test_without_its_extra_the_command_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jupyterlite, "find_spec", lambda _: None)
    assert run("--output", tmp_path / "page") == (
        1,
        "Error: The lessons are put on a page by JupyterLite, which is not installed: "
        "pip install 'activeeval-widgets[lite]'\n",
    )
    assert not (tmp_path / "page").exists()


def test_options_of_a_file_are_refused(tmp_path: Path) -> None:
    status, output = run("--output", tmp_path / "page", "--seed", 1, "--goal", "0.1")
    assert status == 2
    assert "--goal, --seed: not for lessons" in output or "--seed, --goal: not for lessons" in output


def test_another_pyodide_is_refused(tmp_path: Path) -> None:
    lock = {"info": {"version": "0.29.3"}, "packages": {}}
    (tmp_path / "pyodide-lock.json").write_text(json.dumps(lock))
    with pytest.raises(ValueError, match=r"is Pyodide 0\.29\.3, and this page needs 0\.27\.7"):
        copy_pyodide(tmp_path, tmp_path / "copy", (), series=jupyterlite.SERIES)
    assert not (tmp_path / "copy").exists()
