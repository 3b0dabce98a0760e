import re
from typing import Any

import pytest

from activeeval_widgets import Conversation, Pool, Text, Turn
from activeeval_widgets.session.pool.conversations import turn_of
from activeeval_widgets.session.pool.kinds import KINDS

DATA = "data:image/png;base64,iVBORw0KGgo="
ASKED = {"role": "user", "content": "What is 1 + 1?"}
TWO = [[0.1, 0.9], [0.7, 0.3]]


@pytest.mark.parametrize(
    ("message", "turn"),
    [
        ({"role": "user", "content": "a"}, Turn("user", "a")),
        ({"from": "gpt", "value": "a"}, Turn("assistant", "a")),
        ({"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
         Turn("user", "a\n\nb")),
        ({"role": "user", "content": [{"type": "image_url", "image_url": {"url": DATA}}]},
         Turn("user", images=(DATA,))),
        ({"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://a.example/b.png"}}]},
         Turn("user", notes=("An image that is kept elsewhere is not loaded.",))),
        ({"role": "user", "content": [{"type": "image", "image": "data:image/svg+xml;base64,AAAA"}]},
         Turn("user", notes=("An image that is kept elsewhere is not loaded.",))),
        ({"role": "assistant", "content": None, "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "f", "arguments": '{"x": 1}'}}]},
         Turn("assistant", calls=[("f", '{"x": 1}')])),
        ({"role": "assistant", "content": "", "tool_calls": [{"function": "f", "arguments": {"x": 1}}]},
         Turn("assistant", calls=[("f", '{"x": 1}')])),
        ({"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": {"x": 1}}]},
         Turn("assistant", calls=[("f", '{"x": 1}')])),
        ({"role": "tool", "function": "f", "content": "3", "error": {"message": "late"}},
         Turn("tool", "3\n\nError: late", name="f")),
        ({"role": "assistant", "content": [{"type": "reasoning", "reasoning": "hm"}, {"text": "a"}]},
         Turn("assistant", "a", notes=("What the model thought before it answered is not shown.",))),
        ({"role": "user", "content": [{"type": "audio"}]},
         Turn("user", notes=("A part of the kind “audio” is not shown.",))),
    ],
)  # fmt: skip
def test_messages_as_chat_models_have_them(message: dict[str, Any], turn: Turn) -> None:
    assert turn_of(message) == turn


@pytest.mark.parametrize(
    ("turns", "error", "message"),
    [
        ("hello", TypeError, "turns must be a sequence of turns or messages, got 'hello'"),
        ([], ValueError, "turns must hold at least one turn, got none"),
        ([ASKED, 3], TypeError, "turns: message 2 is 3, expected a mapping with role and content"),
        (
            [{"content": "a"}],
            ValueError,
            "turns: message 1 has the role None, expected a name such as 'user'",
        ),
        ([{"role": "a", "content": 3}], TypeError, "turns: message 1 has the content 3, expected a string"),
        ([{"role": "a", "tool_calls": [3]}], TypeError, "turns: message 1 has the tool call 3"),
    ],
)
def test_what_is_no_conversation_is_refused(turns: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        Conversation(turns)


def test_what_two_conversations_begin_with_is_shared() -> None:
    system = Turn("system", "Be kind.")
    asked = turn_of(ASKED)
    both = Conversation([system, asked, Turn("assistant", "2")], [system, asked, Turn("assistant", "11")])
    assert (both.n_shared, both.answers) == (2, ("2", "11"))
    longer = Conversation((system, asked), (system, asked, Turn("assistant", "2")))
    assert longer.n_shared == 2
    assert Conversation((system, asked)).n_shared == 2


def test_lists_of_messages_are_guessed_as_conversations() -> None:
    pool = Pool([[ASKED, {"role": "assistant", "content": "2"}], [ASKED]], predictions=TWO)
    assert pool.kind == "conversation"
    assert pool.instances[0] == Conversation((Turn("user", "What is 1 + 1?"), Turn("assistant", "2")))
    assert pool.excerpt(0) == "What is 1 + 1? 2"
    with pytest.raises(ValueError, match=re.escape("instances[1]: turns: message 1 has the role 3")):
        Pool([[ASKED], [{"role": 3}]], predictions=TWO)
    with pytest.raises(
        TypeError, match=re.escape("instances[1] must be a Conversation or a list of messages")
    ):
        Pool([[ASKED], "text"], predictions=TWO, kind="conversation")


def test_everything_comes_back_from_json() -> None:
    result = Turn("tool", Text("*b*", markdown=True), (("f", "{}"),), "f", (DATA,), ("a note",))
    there = [
        Conversation((Turn("user", "a"), result), (Turn("user", "a"),), Text("r", markdown=True)),
        Conversation((result,)),
    ]
    kind = KINDS["conversation"]
    assert kind.from_json(kind.to_json(there)) == there


def test_what_other_programs_are_given() -> None:
    kind = KINDS["conversation"]
    asked = Turn("user", "q")
    one = Conversation((Turn("system", "s"), asked, Turn("assistant", "a")), reference=Text("r"))
    assert kind.fields([one], 0) == {"prompt": "system: s\n\nuser: q", "answer": "a", "reference": "r"}
    two = Conversation(
        (asked, Turn("assistant", "a")), (asked, Turn("assistant", "", (("f", "1"),)), Turn("tool", "3"))
    )
    assert kind.fields([two], 0) == {"prompt": "q", "answer_a": "a", "answer_b": "assistant: f(1)\n\ntool: 3"}


def test_markdown_does_not_go_with_spans() -> None:
    with pytest.raises(ValueError, match="markdown can't be combined with spans"):
        Text("a", spans=((0, 1),), markdown=True)
    with pytest.raises(TypeError, match="markdown must be True or False, got 'yes'"):
        Text("a", markdown="yes")
