import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from activeeval_widgets import Conversation, Text, Turn
from activeeval_widgets.widgets import ConversationView, TextView
from activeeval_widgets.widgets.elements.allowlist import TAGS
from activeeval_widgets.widgets.elements.markdown_text import LONGEST, markdown_element
from activeeval_widgets.widgets.elements.tree import Node, passages, to_json, words


def shown(text: str) -> Any:
    return to_json(markdown_element(Text(text)))[2]


def tags(tree: Any) -> set[str]:
    return set() if isinstance(tree, str) else {tree[0]}.union(*map(tags, tree[2]))


def texts(tree: Any) -> str:
    return tree if isinstance(tree, str) else "".join(map(texts, tree[2]))


def classes(node: Node, name: str) -> list[Any]:
    found: list[Any] = []

    def look(tree: Any) -> None:
        if isinstance(tree, str):
            return
        if name in tree[1].get("class", "").split():
            found.append(tree)
        for child in tree[2]:
            look(child)

    look(to_json(node))
    return found


def test_markdown_has_emphasis_lists_tables_and_code() -> None:
    strong, em, s, code = (["strong", {}, ["b"]], ["em", {}, ["c"]], ["s", {}, ["d"]], ["code", {}, ["e"]])
    assert shown("a **b** _c_ ~~d~~ `e`") == [["p", {}, ["a ", strong, " ", em, " ", s, " ", code]]]
    assert shown("3. a\n   - b") == [
        ["ol", {"start": "3"}, [["li", {}, ["a", ["ul", {}, [["li", {}, ["b"]]]]]]]]
    ]
    assert shown("```python\nif a < b:\n    c()\n```") == [
        ["pre", {"class": "aew-pre", "title": "python"}, [["code", {}, ["if a < b:\n    c()"]]]]
    ]
    [[tag, attributes, [table]]] = shown("|a|b|\n|-|-|\n|1|2|")
    assert (tag, attributes, tags(table)) == (
        "div",
        {"class": "aew-wide"},
        {"table", "thead", "tbody", "tr", "th", "td"},
    )
    assert shown("# a\n### b") == [["h4", {}, ["a"]], ["h5", {}, ["b"]]]  # the page has three levels above
    assert shown("a\nb") == [["p", {}, ["a", ["br", {}, []], "b"]]]


def test_links_and_images_are_named_and_lead_nowhere() -> None:
    tree = shown(
        "[here](https://a.example/b) <https://c.example> ![cat](https://d.example/e.png)\n\n[f]: https://g.example"
    )
    assert tags(["div", {}, tree]) == {"div", "p"}
    result = texts(["div", {}, tree])
    assert "here (https://a.example/b) https://c.example [image: cat https://d.example/e.png]" in result
    assert "[f]: https://g.example" in result  # Markdown itself would leave that line out


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=https://evil.example/x.png onerror=alert(1)>",
        "[a](javascript:alert(1))",
        "[a](data:text/html;base64,AAAA)",
        "![a](https://evil.example/x.png)",
        "<https://evil.example onload=y>",
        "[x]\n\n[x]: https://evil.example 'onclick=1'",
        "<div style='position:fixed'>\n\n**b**\n\n</div>",
        '```"><script>\nx\n```',
    ],
)
def test_hostile_markdown_is_text(hostile: str) -> None:
    tree = ["div", {}, shown(hostile)]
    assert not tags(tree) & {"a", "img", "script", "style"}
    content = json.dumps(tree)
    assert '"href"' not in content
    assert '"src"' not in content
    for word in ("script", "evil", "alert"):
        assert (word in hostile) == (word in content)


@pytest.mark.parametrize("piece", ["[", "![", "> ", "*a ", "- ", "`a ``b ", "[](("])
def test_markdown_that_is_made_to_take_long_is_shown_as_written(piece: str) -> None:
    text = piece * (LONGEST // len(piece) + 1)
    found = markdown_element(Text(text))
    assert [each.text.text for each in passages(found)] == [text]


@given(st.text())
def test_any_text_gives_allowed_elements_and_loses_no_word(text: str) -> None:
    tree = to_json(markdown_element(Text(text)))
    assert tags(tree) <= TAGS
    letters = "".join(filter(str.isalpha, texts(tree)))
    assert all(each in letters for each in filter(str.isalpha, text) if each.isascii())


def test_nesting_beyond_all_reason_loses_nothing() -> None:
    text = "".join(f"{'> ' * depth}level {depth}\n" for depth in range(1, 200))
    assert "level 199" in texts(to_json(markdown_element(Text(text))))


def test_turns_stand_one_below_the_other() -> None:
    view = ConversationView()
    turns = (
        Turn("system", "Be kind."),
        Turn("user", "Hello?"),
        Turn("assistant", calls=(("f", "{}"),)),
        Turn("tool", "3", name="f"),
        Turn("assistant", notes=("An image.",)),
    )
    shown = view(Conversation(turns))
    headings = [each[2][0][2] for each in classes(shown, "aew-turn")]
    assert headings == [["System"], ["User"], ["Assistant"], ["Result of f"], ["Assistant"]]
    assert [each[2][0][2] for each in classes(shown, "aew-aside")] == [["System"], ["Result of f"]]
    assert texts(classes(shown, "aew-call")[0]) == "→ f {}"
    assert texts(classes(shown, "aew-unseen")[0]) == "An image."


def test_what_two_begin_with_is_shown_once() -> None:
    asked = Turn("user", "Which?")
    one, other = (asked, Turn("assistant", "this")), (asked, Turn("assistant", "that"))
    shown = ConversationView()(Conversation(one, other, Text("the reference")))
    assert texts(to_json(shown)).count("Which?") == 1
    assert [texts(half) for half in classes(shown, "aew-half")] == ["Answer Athis", "Answer Bthat"]
    nothing = ConversationView()(Conversation(one, one[:1]))
    assert texts(classes(nothing, "aew-half")[1]) == "Answer Bnothing more"


def test_long_turns_are_folded_and_the_reference_is_no_word_of_it() -> None:
    turns = (Turn("user", "long " * 200), Turn("assistant", "long " * 200))
    shown = ConversationView()(Conversation(turns, reference=Text("the secret")))
    assert len(classes(shown, "aew-long")) == 1  # of answers, more is shown
    lines = ConversationView()(Conversation((Turn("assistant", "a\n" * 50),)))
    assert len(classes(lines, "aew-long")) == 1
    assert "the secret" in texts(classes(shown, "aew-reference")[0])
    assert "the secret" not in words(shown, 100_000)


def test_a_text_of_its_own_can_be_markdown() -> None:
    assert texts(to_json(TextView()(Text("**a**", markdown=True)))) == "a"
