"""Rankings from files: lists in cells, or one item a row."""

import json

import numpy as np
import pytest

from activeeval_widgets import Pool
from activeeval_widgets.formats import examine

from .conftest import Write

ROWS = (
    "query,doc_id,text,rank,p_0,p_1,p_2\n"
    "jaguar,d1,The car,2,0.7,0.2,0.1\n"
    "python,d1,Snake,1,0.3,0.3,0.4\n"
    "jaguar,d2,The animal,1,0.2,0.3,0.5\n"
)


def test_one_item_a_row(write: Write) -> None:
    pool = Pool.read(write(ROWS))
    assert pool.kind == "ranking"
    assert [ranking.query for ranking in pool.instances] == ["jaguar", "python"]
    assert pool.instances[0].items == ("d2", "d1")
    assert pool.instances[0].results[0].text == "The animal"
    model = pool.predictions
    assert model.grades.tolist() == [0, 1, 2]
    np.testing.assert_allclose(model.relevance.proba, [[0.2, 0.3, 0.5], [0.7, 0.2, 0.1], [0.3, 0.3, 0.4]])
    assert "Items are ranked by 'rank'." in examine(write(ROWS)).guessed


def test_queries_may_have_ids(write: Write) -> None:
    text = (
        ROWS.replace("query,", "query_id,query,")
        .replace("jaguar", "q1,jaguar")
        .replace("python", "q2,jaguar")
    )
    pool = Pool.read(write(text))
    assert list(pool.ids) == ["q1", "q2"]
    assert [ranking.query for ranking in pool.instances] == ["jaguar", "jaguar"]


def test_lists_in_cells(write: Write) -> None:
    rows = [
        {
            "query": "jaguar",
            "items": [{"id": "d1", "proba": [0.9, 0.1]}, {"id": "d2", "p": 0.3}],
        },
        {"query": "python", "items": [{"id": "d3", "text": "Snake", "url": "https://example.org", "p": 1}]},
        {"query": "nothing", "items": []},
    ]
    pool = Pool.read(write("\n".join(map(json.dumps, rows)), "a.jsonl"))
    assert [ranking.items for ranking in pool.instances] == [("d1", "d2"), ("d3",), ()]
    assert pool.instances[1].results[0].link == "https://example.org"
    np.testing.assert_allclose(pool.predictions.relevance.proba, [[0.9, 0.1], [0.7, 0.3], [0, 1]])
    names = Pool.read(write('query,items\nx,"[""a"", ""b""]"\n'), classes="0,1,3")
    assert names.instances[0].items == ("a", "b")
    assert names.predictions.grades.tolist() == [0, 1, 3]
    np.testing.assert_allclose(names.predictions.relevance.proba, 1 / 3)


@pytest.mark.parametrize(
    ("text", "row", "message"),
    [
        (ROWS + "python,d1,Again,2,0.3,0.3,0.4\n", 5, "the item 'd1' of this query is in row 3 already"),
        (ROWS + "python,d4,Sum,2,0.3,0.3,0.3\n", 5, "the probabilities sum to 0.9, not to 1"),
        (ROWS + "python,,Sum,2,0.3,0.3,0.4\n", 5, "the item is missing"),
        (ROWS + "python,d4,Sum,,0.3,0.3,0.4\n", 5, "the rank is missing"),
        (ROWS.replace("p_", "p_x"), None, "the grades are called x0, x1, x2, but they have to be"),
        ('query,items\nx,"[""a""]"\ny,"[""a"", ""a""]"\n', 3, "the item 'a' is twice in the list"),
        ('query,items\nx,"[""a""]"\ny,"[3"\n', 3, "'[3' is not a list"),
        ('query,items\nx,"[""a""]"\ny,"[{}]"\n', 3, "'{}' is not an item"),
        ('query,items\nx,"[{""id"": 1, ""p"": [0.5, 0.4]}]"\n', 2, "'[0.5, 0.4]' is not a distribution"),
        ('query,items\nx,"[{""id"": 1, ""image"": ""../a.png""}]"\n', 2, "the image '../a.png' is outside"),
    ],
)
def test_mistakes_are_reported_by_row(write: Write, text: str, row: int | None, message: str) -> None:
    [found] = examine(write(text)).problems
    assert found.row == row
    assert found.message.startswith(message)
