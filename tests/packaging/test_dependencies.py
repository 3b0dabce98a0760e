"""What the package imports is what it declares, and every place that lists dependencies lists the same."""

import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import activeeval_widgets

ROOT = Path(__file__).parents[2]
PACKAGE = Path(activeeval_widgets.__file__).parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
distributions = cache(packages_distributions)  # by the packages that they bring

OF_THE_LESSONS = ("latex2mathml", "matplotlib")
"""What the extra "lessons" brings; the command line says so where it is missing."""

OF_THE_DATABASE = ("postgresql.py", "postgresql_connection.py", "postgresql_tables.py")
"""The modules that use what the extra "postgresql" brings; opening a store says so where it is missing."""

FOR_CONDA = {"pip", "python", "jupyterlab", "scikit-learn"}
"""What environment.yml lists beyond the dependencies: the place to install from and to work in."""


def requirements(lines: list[str]) -> dict[str, Requirement]:
    return {canonicalize_name(r.name): r for r in map(Requirement, lines)}


DECLARED = requirements(PROJECT["dependencies"])
EXTRAS = {name: requirements(lines) for name, lines in PROJECT["optional-dependencies"].items()}


def imports(source: str) -> Iterator[str]:
    """The top-level packages that a module imports anywhere in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.partition(".")[0]


@pytest.fixture(scope="module")
def imported() -> dict[Path, set[str]]:
    """The top-level packages that each module of the package imports."""
    return {path: set(imports(path.read_text())) for path in sorted(PACKAGE.rglob("*.py"))}


def undeclared(names: set[str], extra: str | None = None) -> set[str]:
    """Those of the imported names that no declared dependency brings."""
    declared = {*DECLARED, *(EXTRAS[extra] if extra else ())}
    foreign = names - sys.stdlib_module_names - {PACKAGE.name}
    return {n for n in foreign if not declared & set(map(canonicalize_name, distributions().get(n, ())))}


def test_every_import_is_declared(imported: dict[Path, set[str]]) -> None:
    for path, names in imported.items():
        missing = undeclared(names)
        is_of_lessons = path.parent.name == "lessons"
        allowed = set(OF_THE_LESSONS) if is_of_lessons else set()
        is_of_database = path.name in OF_THE_DATABASE and path.parent.name == "stores"
        allowed |= {"sqlalchemy"} if is_of_database else set()
        assert missing <= allowed, f"{path} imports {missing - allowed}, which no dependency brings"
        extra = "postgresql" if is_of_database else "lessons" if is_of_lessons else None
        assert not undeclared(names, extra), path


def test_an_undeclared_import_would_be_seen() -> None:
    names = imports("def f():\n    from jupyterlab.labapp import LabApp\n    import numpy, os")
    assert undeclared(set(names)) == {"jupyterlab"}


def test_all_that_is_declared_is_used(imported: dict[Path, set[str]]) -> None:
    used = {name for names in imported.values() for name in names}
    brought = {canonicalize_name(found) for name in used for found in distributions().get(name, ())}
    assert not DECLARED.keys() - brought


def test_conda_installs_the_same() -> None:
    _, text = (ROOT / "environment.yml").read_text().split("dependencies:")
    listed = requirements(re.findall(r"^  - ([\w-]+(?:>=[\d.]+)?)$", text, flags=re.MULTILINE))
    assert listed.keys() == DECLARED.keys() | FOR_CONDA
    for name, requirement in DECLARED.items():
        assert listed[name].specifier == requirement.specifier, name
    assert listed["scikit-learn"].specifier == EXTRAS["lessons"]["scikit-learn"].specifier
    assert listed["jupyterlab"].specifier == EXTRAS["test"]["jupyterlab"].specifier
    assert str(listed["python"].specifier) == PROJECT["requires-python"]


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "tools/make_venv.sh"])
def test_texts_name_the_same_python(name: str) -> None:
    oldest = PROJECT["requires-python"].removeprefix(">=")
    text = (ROOT / name).read_text()
    assert re.findall(r"Python (\d\.\d+) or newer", text)
    assert set(re.findall(r"Python (\d\.\d+) or newer", text)) == {oldest}


def test_extras_that_are_named_exist() -> None:
    texts = [p.read_text() for p in [*ROOT.glob("*.md"), ROOT / "Makefile", *PACKAGE.rglob("*.py")]]
    named = re.findall(r"(?:activeeval-widgets|pip install [^\n`]*'?\.)\[([\w,]+)\]", "\n".join(texts))
    assert named
    assert {extra for names in named for extra in names.split(",")} <= EXTRAS.keys()


def test_the_front_end_is_pinned() -> None:
    """Exact versions, with their hashes, and no host to get them from."""
    folder = ROOT / "frontend"
    lock = json.loads((folder / "package-lock.json").read_text())
    named = json.loads((folder / "package.json").read_text())["devDependencies"]
    assert lock["packages"][""]["devDependencies"] == named
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in named.values())
    locked = {name: package for name, package in lock["packages"].items() if name}
    assert named.items() <= {
        (name.removeprefix("node_modules/"), package["version"]) for name, package in locked.items()
    }
    assert all(package["integrity"].startswith("sha512-") for package in locked.values())
    assert not any("resolved" in package for package in locked.values())
