"""Files with the verdicts of judges."""

import numpy as np
import pytest

from activeeval_widgets import Pool
from activeeval_widgets.formats import FileProblemsError, examine
from activeeval_widgets.stats import ClassPredictions

from .conftest import Write

TEXT = "text,gpt,palm,llama\nHello there,1,1,2\nWin now,2,,2\nAs you like,1, 1 ,\n"


def test_votes_are_probabilities_and_one_judge_is_evaluated(write: Write) -> None:
    pool = Pool.read(write(TEXT), votes="gpt,palm,llama", predicted="gpt")
    judged = pool.predictions
    assert judged.y_pred.tolist() == ["1", "2", "1"]
    assert judged.name == "gpt"
    np.testing.assert_allclose(judged.y_proba, [[1 / 2, 1 / 2], [1 / 3, 2 / 3], [2 / 3, 1 / 3]])
    majority = Pool.read(write(TEXT), votes=["gpt", "palm", "llama"]).predictions
    by_hand = ClassPredictions.from_votes(
        [["1", "1", "2"], ["2", None, "2"], ["1", "1", None]], name=majority.name
    )
    assert majority.to_dict() == by_hand.to_dict()
    assert pool.instances[0] == "Hello there"


def test_a_star_stands_for_all_that_begin_so(write: Write) -> None:
    path = write("text,by_gpt,by_palm\nHello there,a,b\nWin now,b,b\n")
    found = examine(path, votes="by_*", predicted="by_gpt")
    assert found.columns.votes == ("by_gpt", "by_palm")
    assert found.classes == ("a", "b")
    assert not found.problems
    assert "by_gpt is evaluated, so it has no vote itself." in found.guessed
    [problem] = examine(path, votes="judge_*").problems
    assert problem.message == "no column begins with 'judge_'"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"votes": "gpt", "predicted": "gpt"}, "votes names no other column than 'gpt', which is evaluated"),
        ({"votes": "gpt,palm", "classes": "1,3"}, "row 3, column 'gpt': '2' is none of the classes"),
        ({"votes": "gpt,pam"}, "there is no column 'pam', which votes names. Did you mean 'palm'?"),
        ({"votes": "palm"}, "'1' is the only class that anyone votes for. Name all classes"),
    ],
)
def test_what_is_wrong_is_reported_with_a_remedy(write: Write, given: dict[str, str], message: str) -> None:
    with pytest.raises(FileProblemsError) as caught:
        Pool.read(write(TEXT), **given)
    assert message in str(caught.value)


def test_votes_stand_for_probabilities(write: Write) -> None:
    with pytest.raises(ValueError, match="votes and proba can't go together"):
        Pool.read(write(TEXT), votes="gpt,palm", proba="gpt,palm")


def test_rows_without_a_vote_are_reported(write: Write) -> None:
    found = examine(write("text,x,y\nHello there,a,\nWin now,,\nOh well,b,b\n"), votes="x,y")
    assert any("1 of 3 rows have no vote" in each for each in found.guessed)
