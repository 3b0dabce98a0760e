"""Classes stay small, and are made of parts, not of layers."""

import ast
import importlib
import inspect
import pkgutil
from pathlib import Path

import activeeval_widgets
from activeeval_widgets import Session

ROOT = Path(activeeval_widgets.__file__).parent

MAX_LINES, MAX_ANCESTORS, MAX_NAMES = 350, 3, 40


def test_no_class_is_long() -> None:
    texts = (path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py"))
    found = {
        node.name
        for text in texts
        if text.count("\n") > MAX_LINES
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ClassDef) and (node.end_lineno or 0) - node.lineno + 1 > MAX_LINES
    }
    assert not found


def test_no_class_is_a_stack_of_layers() -> None:
    names = [info.name for info in pkgutil.walk_packages(activeeval_widgets.__path__, "activeeval_widgets.")]
    for module in map(importlib.import_module, names):
        for cls in (each for each in vars(module).values() if inspect.isclass(each)):
            if cls.__module__ == module.__name__:
                own = [each for each in cls.__mro__[1:] if each.__module__.startswith("activeeval_widgets")]
                assert len(own) <= MAX_ANCESTORS, cls


def test_a_session_has_few_names_and_no_ancestor() -> None:
    assert len([name for name in dir(Session) if not name.startswith("_")]) <= MAX_NAMES
    assert Session.__mro__ == (Session, object)
