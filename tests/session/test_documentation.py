"""What is public is documented in full, and every example runs."""

import dataclasses
import doctest
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any

import pytest

import activeeval_widgets
import activeeval_widgets.stats
from activeeval_widgets import session
from activeeval_widgets.session import Session
from activeeval_widgets.session.pool.kinds import KINDS
from activeeval_widgets.session.stores import registry

from ..doctest_namespace import run_examples

MODULES = [
    info.name for info in pkgutil.walk_packages(session.__path__, f"{session.__name__}.") if not info.ispkg
]

PUBLIC = {
    **{name: getattr(session, name) for name in session.__all__},
    **{
        name: getattr(activeeval_widgets, name)
        for name in activeeval_widgets.__all__
        if name in session.__all__
    },
}

PARTS = (
    "Answers",
    "Findings",
    "OfflineLabels",
    "Opinions",
    "Sheets",
    "People",
    "Revisions",
    "SessionDraws",
    "SessionLog",
    "Storage",
)
"""What a session is made of: nobody else makes them."""

MEMBERS = {name: member for name, member in inspect.getmembers(Session) if not name.startswith("_")}
PROPERTIES = sorted(
    name for name, member in MEMBERS.items() if isinstance(member, property | cached_property)
)
METHODS = sorted(MEMBERS.keys() - PROPERTIES)


@pytest.fixture(autouse=True)
def own_registries(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the examples register stores and kinds of their own."""
    monkeypatch.setattr(registry, "_openers", dict(registry._openers))
    before = dict(KINDS)
    yield
    KINDS.clear()
    KINDS.update(before)


def sections(thing: Any) -> set[str]:
    lines = (inspect.getdoc(thing) or "").splitlines()
    return {title for title, under in pairwise(lines) if under and set(under) == {"-"}}


def related(thing: Any) -> list[str]:
    listed = (inspect.getdoc(thing) or "").split("See Also\n--------\n")[1].split("\n\n")[0]
    lines = [line for line in listed.splitlines() if not line.startswith(" ")]
    return [name for line in lines for name in line.split(" : ")[0].split(", ")]


def is_there(name: str, *where: Any) -> bool:
    found: list[Any] = [each for each in where if hasattr(each, name.split(".")[0])]
    return bool(found) and all(hasattr(getattr(found[0], name.split(".")[0]), n) for n in name.split(".")[1:])


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_run(module: str) -> None:
    assert run_examples(module).failed == 0


def test_examples_are_found_in_every_wing() -> None:
    wings = {module.split(".")[2] for module in MODULES if module.count(".") > 2}
    finder = doctest.DocTestFinder(exclude_empty=True)
    tried = {
        module.split(".")[2]
        for module in MODULES
        if any(each.examples for each in finder.find(importlib.import_module(module)))
    }
    assert wings >= {
        "pool",
        "log",
        "draws",
        "findings",
        "report",
        "stores",
    }
    assert tried >= {"pool", "findings", "stores"}


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_documented_in_full(name: str) -> None:
    thing = PUBLIC[name]
    found = sections(thing)
    assert {"See Also", "Examples"} <= found
    is_result = inspect.isclass(thing) and (dataclasses.is_dataclass(thing) or issubclass(thing, tuple))
    is_error = inspect.isclass(thing) and issubclass(thing, Exception)
    if is_result:
        assert "Attributes" in found
    elif (
        name not in PARTS
        and not is_error
        and inspect.signature(thing).parameters
        and not getattr(thing, "_is_protocol", False)
    ):
        assert {"Parameters", "Raises"} <= found
    if inspect.isclass(thing) and "Parameters" in found:
        rest = (inspect.getdoc(thing) or "").split("Parameters\n----------\n")[1]
        listed = re.split(r"\n\n[A-Z][A-Za-z ]+\n-+\n", rest)[0]
        for parameter in inspect.signature(thing).parameters:
            assert re.search(rf"^(\w+, )*{parameter}(, \w+)* :", listed, re.MULTILINE), parameter
    for other in related(thing):
        assert is_there(other, session, thing), other


@pytest.mark.parametrize("name", METHODS)
def test_every_method_of_a_session_is_documented_in_full(name: str) -> None:
    method = getattr(Session, name)
    found = sections(method)
    assert {"See Also", "Examples"} <= found
    assert "Parameters" in found or len(inspect.signature(method).parameters) == 1
    for other in related(method):
        assert is_there(other, Session, session), other


@pytest.mark.parametrize(
    "name",
    [
        n
        for n, m in inspect.getmembers(Session)
        if isinstance(m, property | cached_property) and not n.startswith("_")
    ],
)
def test_every_property_of_a_session_has_a_sentence(name: str) -> None:
    text = inspect.getdoc(inspect.getattr_static(Session, name)) or ""
    assert re.match(r"[A-Z].*[.;:?]", text)


@pytest.mark.parametrize(
    ("part", "name"),
    [(part, name) for part in PARTS for name in dir(getattr(session, part)) if not name.startswith("_")],
)
def test_every_name_of_a_part_has_a_sentence(part: str, name: str) -> None:
    cls = getattr(session, part)
    member = inspect.getattr_static(cls, name)
    assert re.match(r"[A-Z].*[.;:?]", inspect.getdoc(member) or "")
    if "See Also" in sections(member):
        for other in related(member):
            assert is_there(other, cls, session), other
