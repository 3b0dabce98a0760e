"""Two models in one file."""

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.formats import examine
from activeeval_widgets.stats import ErrorRate, SquaredError

from .conftest import Write


@pytest.mark.parametrize(
    "header", ["old_p_ham,old_p_spam,new_p_spam,new_p_ham", "ham.old,spam.old,spam.new,ham.new"]
)
def test_columns_begin_or_end_with_a_model(write: Write, header: str) -> None:
    text = f"text,{header}\nHello there you,0.9,0.1,0.2,0.8\nWin now please,0.2,0.8,0.7,0.3\n"
    pool = Pool.read(write(text), compare="old,new")
    first, second = pool.models
    assert (first.name, second.name) == ("old", "new")
    assert first.classes.tolist() == second.classes.tolist() == ["ham", "spam"]
    np.testing.assert_allclose(second.y_proba, [[0.8, 0.2], [0.3, 0.7]])
    assert Session(pool, ErrorRate()).next() is not None


def test_columns_of_predictions(write: Write) -> None:
    pool = Pool.read(write("text,old,new\nHello there,ham,spam\nWin now,ham,eggs\n"), compare=["old", "new"])
    assert [model.y_pred.tolist() for model in pool.models] == [["ham", "ham"], ["spam", "eggs"]]
    assert pool.models[0].classes.tolist() == ["eggs", "ham", "spam"]


def test_more_than_two_models(write: Write) -> None:
    header = "a_ham,a_spam,b_spam,b_ham,c_ham,c_spam"
    text = f"text,{header}\nHello there you,0.9,0.1,0.2,0.8,0.5,0.5\nWin now please,0.2,0.8,0.7,0.3,0.4,0.6\n"
    pool = Pool.read(write(text), compare="a,b,c")
    assert [model.name for model in pool.models] == ["a", "b", "c"]
    np.testing.assert_allclose(pool.models[1].y_proba, [[0.8, 0.2], [0.3, 0.7]])
    assert len(Session(pool, ErrorRate()).leaderboard().models) == 3
    labels = Pool.read(write("text,a,b,c\nHello there,ham,spam,ham\nWin now,ham,eggs,ham\n"), compare="a,b,c")
    assert [model.classes.tolist() for model in labels.models] == [["eggs", "ham", "spam"]] * 3
    for names in ("a", "a,a", "a,b,a"):
        with pytest.raises(ValueError, match="two or more different names"):
            Pool.read(write(text), compare=names)


def test_numbers(write: Write) -> None:
    text = "id,text,mean_a,variance_a,mean_b,variance_b\n1,Hello there,1,2,3,4\n2,Win now,3,4,5,6\n"
    pool = Pool.read(write(text), compare="a,b")
    assert [model.mean.tolist() for model in pool.models] == [[1, 3], [3, 5]]
    assert Session(pool, SquaredError(), y_range=(0, 9)).next() is not None


@pytest.mark.parametrize(
    ("text", "compare", "message", "remedy"),
    [
        ("text,old,new\nx,a,b\ny,b,b\n", "old,neu", "no column is named 'neu'", "Did you mean 'new'?"),
        (
            "text,old_a,old_b,new_a,new_c\nx,1,0,1,0\n",
            "old,new",
            "one model predicts the classes a, b, the",
            "",
        ),
        ("text,old_a,old_b,new\nx,1,0,a\ny,1,0,b\n", "old,new", "the two models do not give the same", ""),
        (
            "text,old_a,old_b,new_a,new_b\nx,1,0,1,1\ny,1,0,1,0\n",
            "old,new",
            "the probabilities sum to 2, not to 1",
            "",
        ),
    ],
)
def test_mistakes_are_reported(write: Write, text: str, compare: str, message: str, remedy: str) -> None:
    [found] = examine(write(text), compare=compare).problems
    assert found.message.startswith(message)
    assert found.remedy.startswith(remedy)


def test_a_column_is_called_as_in_the_file(write: Write) -> None:
    rows = "".join(f"x,1,{number}\n" for number in (1, 2, 3, "two", 5, 6))
    [found] = examine(write("text,mean_a,mean_b\n" + rows), compare="a,b").problems
    assert (found.row, found.column) == (5, "mean_b")
