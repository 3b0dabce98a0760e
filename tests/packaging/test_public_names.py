"""What the package offers, where a person looks for it: `dir()`, Tab, and a type checker."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell

import activeeval_widgets

PUBLIC = [
    "Conversation",
    "EstimateView",
    "Goal",
    "HistoryView",
    "InstanceView",
    "LabelButtons",
    "LabelingApp",
    "Pool",
    "ProgressView",
    "Ranking",
    "Result",
    "Session",
    "Text",
    "Turn",
    "__version__",
    "compare",
    "evaluate",
    "explorers",
    "plots",
    "serve",
    "session",
    "stats",
    "widgets",
]


def test_what_is_public() -> None:
    assert activeeval_widgets.__all__ == PUBLIC
    assert dir(activeeval_widgets) == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_every_name_is_there(name: str) -> None:
    assert getattr(activeeval_widgets, name) is getattr(activeeval_widgets, name)
    with pytest.raises(AttributeError, match=r"^module 'activeeval_widgets' has no attribute 'evaluat'"):
        activeeval_widgets.evaluat  # noqa: B018


def test_a_type_checker_sees_every_name() -> None:
    tree = ast.parse(Path(activeeval_widgets.__file__).read_text(encoding="utf-8"))
    [checked] = [node for node in tree.body if isinstance(node, ast.If)]
    named = {
        alias.asname for node in checked.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert named | {"__version__"} == set(PUBLIC)


def test_to_look_imports_nothing() -> None:
    code = "import sys, activeeval_widgets; before = set(sys.modules); dir(activeeval_widgets); "
    code += "print(sys.modules.keys() & {'numpy', 'pandas', 'ipywidgets', 'scipy'}, "
    code += "set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set() set()"


def test_tab_offers_the_names_and_their_keywords() -> None:
    shell = InteractiveShell.instance()
    shell.user_ns["activeeval_widgets"] = activeeval_widgets
    shell.user_ns["compare"] = activeeval_widgets.compare

    def offered(text: str) -> set[str]:
        with provisionalcompleter():
            return {each.text for each in shell.Completer.completions(text, len(text))}

    for use_jedi in (False, True):
        shell.Completer.use_jedi = use_jedi
        assert any(each.endswith("evaluate") for each in offered("activeeval_widgets.ev"))
        assert "budget=" in offered("compare(texts, models, 'f1', bud")
