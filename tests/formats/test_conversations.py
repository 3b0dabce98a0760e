import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from activeeval_widgets import Conversation, Pool, Session, Text, Turn
from activeeval_widgets.formats import Columns, examine, read_session_file, verify, write_session
from activeeval_widgets.stats import ErrorRate

MESSAGES = [{"role": "user", "content": "Hello?"}, {"role": "assistant", "content": "**Hi**"}]


def written(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_prompt_answer_and_reference_are_guessed(tmp_path: Path) -> None:
    row = {"prompt": "How?", "response": "- so\n- *and* so", "target": "so", "p_fail": 0.2, "p_pass": 0.8}
    path = written(tmp_path, [row, {**row, "target": ""}])
    assert examine(path).columns == Columns(
        prompt="prompt", answer=("response",), reference="target", markdown=("response",),
        proba=("p_fail", "p_pass"),
    )  # fmt: skip
    result = Turn("prompt", "How?"), Turn("answer", Text("- so\n- *and* so", markdown=True))
    assert list(Pool.read(path).instances) == [
        Conversation(result, reference=Text("so")),
        Conversation(result),
    ]
    plain = Pool.read(path, plain="response").instances[0]
    assert plain.turns[1].text == Text("- so\n- *and* so")


@pytest.mark.parametrize("own", ["model_answer", "Response", "output"])
@pytest.mark.parametrize("values", [("4", "5"), ("It is four.", "It is five.")])
def test_an_answer_beside_the_models_is_the_reference(
    tmp_path: Path, own: str, values: tuple[str, str]
) -> None:
    """Also if answers are numbers, except in a column whose name says nothing of answers."""
    gold, of_model = values
    row = {"question": "2 + 2?", "answer": gold, own: of_model, "judge_score": 0.7}
    found = examine(written(tmp_path, [row, {**row, "judge_score": 0.4}]))
    is_known = own == "model_answer" or not gold.isdigit()
    assert found.columns.answer == ((own,) if is_known else ("answer",))
    assert found.columns.reference == ("answer" if is_known else None)
    # Of a judge's score, the name does not say what it is the probability of.
    assert any("'negative' and 'positive'" in sentence for sentence in found.guessed)


def test_two_answers_are_two_conversations(tmp_path: Path) -> None:
    row = {"prompt": "How?", "answer_a": "so or so", "answer_b": "not at all", "p_a": 0.2, "p_b": 0.8}
    path = written(tmp_path, [row, {**row, "answer_a": "this way", "answer_b": "that way"}])
    assert examine(path).columns.answer == ("answer_a", "answer_b")
    [first, _] = Pool.read(path).instances
    assert (first.n_shared, first.answers) == (1, ("so or so", "not at all"))


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_conversations_in_every_format(tmp_path: Path, ending: str) -> None:
    rows = [{"messages": MESSAGES, "score": 0.25}, {"messages": MESSAGES[:1], "score": 0.5}]
    path = tmp_path / f"rows.{ending}"
    if ending == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    elif ending == "csv":
        cell = ['"' + json.dumps(row["messages"]).replace('"', '""') + '"' for row in rows]
        path.write_text(
            "messages,score\n" + "".join(f"{c},{r['score']}\n" for c, r in zip(cell, rows, strict=True))
        )
    else:
        path.write_text("\n".join(map(json.dumps, rows)))
    pool = Pool.read(path)
    assert [turn.role for turn in pool.instances[0].turns] == ["user", "assistant"]
    assert pool.instances[0].turns[1].text == Text("**Hi**", markdown=True)


def test_answers_go_on_from_a_conversation(tmp_path: Path) -> None:
    row = {"messages": MESSAGES[:1], "answer_1": "Hi there", "answer_2": "Go away", "score": 0.5}
    pool = Pool.read(written(tmp_path, [row, {**row, "answer_1": "Good morning"}]))
    assert pool.instances[0] == Conversation(
        (Turn("user", "Hello?"), Turn("assistant", "Hi there")),
        (Turn("user", "Hello?"), Turn("assistant", "Go away")),
    )


def test_a_prompt_may_be_messages(tmp_path: Path) -> None:
    row = {"prompt": MESSAGES, "answer": "Bye", "score": 0.5}
    pool = Pool.read(
        written(tmp_path, [row, {**row, "prompt": "[{ is how it begins"}]), prompt="prompt", answer="answer"
    )
    assert [len(each.turns) for each in pool.instances] == [3, 2]


def test_a_text_can_be_markdown(tmp_path: Path) -> None:
    path = written(tmp_path, [{"text": "**a** b", "score": 0.5}, {"text": "c", "score": 0.1}])
    assert Pool.read(path).instances[0] == "**a** b"
    pool = Pool.read(path, text="text", markdown="text")
    assert pool.instances[0] == Text("**a** b", markdown=True)
    assert pool.fingerprints["instances"] != Pool.read(path).fingerprints["instances"]


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("hello", "row 2, column 'messages': 'hello' is no list of messages. Write [{\"role\""),
        ("", "row 2, column 'messages': the conversation is missing"),
        (
            [{"role": "user", "content": 3}],
            "message 1 has the content 3, expected a string or a list of parts",
        ),
    ],
)
def test_a_cell_that_is_no_conversation_is_reported(tmp_path: Path, cell: Any, message: str) -> None:
    path = written(tmp_path, [{"messages": MESSAGES, "score": 0.5}, {"messages": cell, "score": 0.5}])
    problems = examine(path, conversation="messages").problems
    assert len(problems) == 1
    assert message in str(problems[0])


def test_what_can_not_go_together_is_refused() -> None:
    with pytest.raises(ValueError, match="conversation and prompt can't go together"):
        Columns(conversation=("a",), prompt="b")
    with pytest.raises(ValueError, match=re.escape("answer must be one name or two, got ['a', 'b', 'c']")):
        Columns(answer=("a", "b", "c"))


def test_conversations_are_streamed_and_kept_in_a_session_file(tmp_path: Path) -> None:
    rows = [{"messages": MESSAGES, "id": f"m{i}", "score": i / 10, "target": "Hello!"} for i in range(10)]
    folder = tmp_path / "rows"
    folder.mkdir()
    for at in (0, 5):
        pq.write_table(pa.Table.from_pylist(rows[at : at + 5]), folder / f"{at}.parquet")
    streamed, whole = Pool.read(folder), Pool.read(written(tmp_path, rows))
    assert streamed.is_streamed
    assert streamed.instances[7] == whole.instances[7]
    assert whole.instances[7].reference == Text("Hello!")
    session = Session(whole, ErrorRate(), seed=1)
    shown = session.next()
    assert shown is not None
    session.label("positive")
    write_session(session, tmp_path / "s.json", with_contents=True)
    assert read_session_file(tmp_path / "s.json").pool.instances == list(whole.instances)
    assert not verify(tmp_path / "s.json").findings
