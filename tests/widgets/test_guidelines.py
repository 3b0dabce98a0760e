import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from activeeval_widgets.demos import DEMOS
from activeeval_widgets.widgets.elements.allowlist import TAGS
from activeeval_widgets.widgets.elements.markdown import guidelines_tree


def tags(tree: Any) -> set[str]:
    if isinstance(tree, str):
        return set()
    tag, _, children = tree
    return {tag}.union(*map(tags, children))


def words(tree: Any) -> str:
    return tree if isinstance(tree, str) else "".join(map(words, tree[2]))


def test_markdown_becomes_elements() -> None:
    tree = guidelines_tree("# How\n\nBe *kind*.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    assert {"h3", "p", "em", "ul", "li", "table", "td"} <= tags(tree)
    assert "Be kind." in words(tree)


def test_html_is_text() -> None:
    tree = guidelines_tree("<script>alert(1)</script> and <b onclick='x()'>bold</b>")
    assert tags(tree) == {"div", "p"}
    assert "<script>alert(1)</script> and <b onclick='x()'>bold</b>" in words(tree)


@pytest.mark.parametrize(
    "markdown",
    [
        "[a](javascript:alert(1))",
        "![x](http://example.org/x.png)",
        "[a](data:text/html,x)",
        "<http://x onload=y>",
    ],
)
def test_nothing_is_loaded_or_run(markdown: str) -> None:
    content = json.dumps(guidelines_tree(markdown))
    assert '"img"' not in content
    assert '"href": "javascript' not in content
    assert '"href": "data' not in content


@given(st.text(min_size=1).filter(str.strip))
def test_any_text_gives_allowed_elements(markdown: str) -> None:
    assert tags(guidelines_tree(markdown)) <= TAGS


@pytest.mark.parametrize("name", sorted(DEMOS))
def test_the_demos_have_guidelines(name: str) -> None:
    tree = guidelines_tree(DEMOS[name]().guidelines)
    assert "p" in tags(tree)


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (3, TypeError, "guidelines must be a string of Markdown, got 3"),
        (" \n", ValueError, "guidelines must not be blank, got ' \\n'"),
    ],
)
def test_guidelines_that_can_not_be(value: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        guidelines_tree(value)
