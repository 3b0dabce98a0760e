"""CSV and TSV as people have them become pools, or are refused by row."""

import numpy as np
import pytest

from activeeval_widgets import Pool
from activeeval_widgets.formats import FileProblemsError, candidates, examine
from activeeval_widgets.formats.guessed_columns import class_names
from activeeval_widgets.formats.labeled_file import read_labeled
from activeeval_widgets.stats import PredictedClasses

from .conftest import Write

MAILS = "id,text,p_ham,p_spam\na1,Hello there,0.9,0.1\na2,Win now,0.25,0.75\n"


def problems(path: object, **columns: object) -> list[tuple[int | None, str | None, str]]:
    """Of each problem its row, its column and what is wrong."""
    return [(each.row, each.column, each.message) for each in examine(path, **columns).problems]


def test_a_file_becomes_a_pool(write: Write) -> None:
    pool = Pool.read(write(MAILS))
    assert pool.kind == "text"
    assert list(pool.instances) == ["Hello there", "Win now"]
    assert list(pool.ids) == ["a1", "a2"]
    assert pool.predictions.classes.tolist() == ["ham", "spam"]
    np.testing.assert_array_equal(pool.predictions.y_proba, [[0.9, 0.1], [0.25, 0.75]])


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_encodings_and_separators_are_found_out(write: Write, encoding: str, delimiter: str) -> None:
    text = MAILS.replace("Hello", "Grüß dich").replace(",", delimiter)
    pool = Pool.read(write(text, encoding=encoding))
    assert list(pool.instances) == ["Grüß dich there", "Win now"]
    assert pool.predictions.y_proba[1].tolist() == [0.25, 0.75]


def test_decimal_commas_and_what_excel_adds(write: Write) -> None:
    text = 'sep=;\r\nid;text;p_ham;p_spam;;\r\na1;"a; ""b""\r\nc";0,9;0,1;;\r\n\r\na2;d;25%;75%;;\r\n'
    found = examine(write(text))
    assert problems(write(text)) == [
        (5, "p_ham", "'25%' is not a probability, a number from 0 to 1"),
        (5, "p_spam", "'75%' is not a probability, a number from 0 to 1"),
    ]
    assert found.columns.text == "text"
    pool = Pool.read(write(text.replace("25%", "0,25").replace("75%", "0,75")))
    assert list(pool.instances) == ['a; "b"\r\nc', "d"]
    assert pool.predictions.y_proba.tolist() == [[0.9, 0.1], [0.25, 0.75]]


@pytest.mark.parametrize("unit", ["%", " %", ""])
def test_percentages(write: Write, unit: str) -> None:
    pool = Pool.read(write(f"text,p_ham,p_spam\na,90{unit},10{unit}\nb,25{unit},75{unit}\n"))
    np.testing.assert_allclose(pool.predictions.y_proba, [[0.9, 0.1], [0.25, 0.75]])


@pytest.mark.parametrize(
    ("columns", "classes"),
    [
        (["p_bug", "p_billing"], ["bug", "billing"]),
        (["proba_0", "proba_1", "proba_10"], ["0", "1", "10"]),
        (["bug", "billing"], ["bug", "billing"]),
        (["P(ham)", "P(spam)"], ["ham", "spam"]),
        (["prob.ham.v2", "prob.spam.v2"], ["ham.v2", "spam.v2"]),
        (["ham_prob", "spam_prob"], ["ham", "spam"]),
        (["p_not_ham", "p_not"], ["not_ham", "not"]),
        (["p_topic 000", "p_topic 001"], ["topic 000", "topic 001"]),
        (["p_new_york", "p_new_jersey"], ["new_york", "new_jersey"]),
        (["proba_class_a", "proba_class_b"], ["a", "b"]),
        (["old_p_ham", "old_p_spam"], ["ham", "spam"]),
        (["p0", "p1"], ["0", "1"]),
        (["pa", "pb"], ["a", "b"]),
        (["positive", "possible"], ["positive", "possible"]),
        (["class0", "class1"], ["0", "1"]),
    ],
)
def test_classes_are_what_is_left_of_the_columns(columns: list[str], classes: list[str]) -> None:
    assert list(class_names(columns)) == classes


def test_rounded_rows_are_normalized_and_it_is_stated(write: Write) -> None:
    path = write("text,p_a,p_b,p_c\nx,0.33,0.33,0.33\ny,0.2,0.3,0.5\n")
    pool = Pool.read(path)
    np.testing.assert_allclose(pool.predictions.y_proba[0], 1 / 3)
    assert any("1 of 2 rows sum to 1 only within 0.01" in each for each in examine(path).guessed)


def test_a_score_is_the_probability_of_the_positive_class(write: Write) -> None:
    path = write("text,score,predicted\nx,0.9,spam\ny,0.2,ham\n")
    pool = Pool.read(path)
    assert pool.predictions.classes.tolist() == ["ham", "spam"]
    np.testing.assert_allclose(pool.predictions.y_proba, [[0.1, 0.9], [0.8, 0.2]])
    path = write("text,score\nx,0.9\ny,0.2\n")
    assert Pool.read(path, classes="no,yes").predictions.classes.tolist() == ["no", "yes"]
    assert Pool.read(path).predictions.classes.tolist() == ["negative", "positive"]
    for name, other in (("1", "0"), ("yes", "no"), ("spam", "not spam")):
        path = write(f"text,p_{name}\nx,0.9\ny,0.2\n")
        assert Pool.read(path).predictions.classes.tolist() == [other, name]


def test_predicted_classes_alone(write: Write) -> None:
    path = write("text,predicted\nx,spam\ny,ham\nz, ham \n")
    pool = Pool.read(path)
    assert isinstance(pool.predictions, PredictedClasses)
    assert (pool.predictions.classes.tolist(), pool.predictions.y_pred.tolist()) == (
        ["ham", "spam"],
        ["spam", "ham", "ham"],
    )
    assert any("draws begin uniform" in each for each in examine(path).guessed)
    assert Pool.read(path, classes="spam,eggs,ham").predictions.classes.tolist() == ["spam", "eggs", "ham"]
    assert problems(path, classes="spam,eggs") == [
        (3, "predicted", "'ham' is none of the classes"),
        (4, "predicted", "'ham' is none of the classes"),
    ]
    assert problems(write("text,predicted\nx,spam\n")) == [
        (None, "predicted", "'spam' is the only class that is predicted")
    ]


def test_rows_are_reported_as_a_spreadsheet_numbers_them(write: Write) -> None:
    text = 'id,text,p_a,p_b\n1,"two\nlines",0.5,0.5\n\n1,x,0.4,0.4\n2,y,-0.5,1.5\n3,z,abc,0.5\n4,,,\n'
    assert problems(write(text)) == [
        (4, None, "the probabilities sum to 0.8, not to 1"),
        (4, "id", "the id '1' is in row 2 already"),
        (5, "p_a", "-0.5 is not a probability"),
        (6, "p_a", "'abc' is not a probability, a number from 0 to 1"),
        (7, "p_a", "a probability, a number from 0 to 1, is missing"),
        (7, "p_b", "a probability, a number from 0 to 1, is missing"),
    ]


def test_classes_named_in_several_ways_are_one_table(write: Write) -> None:
    """The columns of most of them sum nearly to 1, too."""
    names = ["spam", "none", *[f"class {n}" for n in range(38)]]
    shares = np.random.default_rng(0).dirichlet(np.full(len(names), 0.05), 60).round(6)
    rows = [",".join([f"text number {n}", *map(str, row)]) for n, row in enumerate(shares)]
    assert Pool.read(write("\n".join(["text," + ",".join(names), *rows]))).models[0].n_classes == 40
    # Without a column that is needed, three rows are enough to see it.
    some = [",".join([f"text number {n}", *map(str, row[8:])]) for n, row in enumerate(shares)]
    found = problems(write("\n".join(["text," + ",".join(names[8:]), *some])))
    assert len(found) == 4
    assert found[0][2].endswith("of 60 rows do not sum to 1")


@pytest.mark.parametrize(("rest", "columns"), [(0.011, ("p_a", "p_b", "none")), (0.009, ("p_a", "p_b"))])
def test_a_class_named_otherwise_brings_sums_twice_as_near_to_1(
    write: Write, rest: float, columns: tuple[str, ...]
) -> None:
    rows = [f"text number {n},0.33,0.65,{rest}" for n in range(20)]
    assert examine(write("\n".join(["text,p_a,p_b,none", *rows]))).columns.proba == columns


def test_a_share_beside_probabilities_is_not_one_of_them(write: Write) -> None:
    """Though their sums, which are rounded, are a little nearer to 1 with it."""
    rows = [f"text number {n},0.33,0.66,{0.005 * (n % 2)}" for n in range(20)]
    found = examine(write("\n".join(["text,p_a,p_b,rate", *rows])))
    assert found.columns.proba == ("p_a", "p_b")


def test_blank_rows_are_left_out(write: Write) -> None:
    path = write(MAILS.replace("a2,", ",,,\na2,") + ",,,\n,,,\na3,Last,0.5,0.6\n,,,\n")
    assert problems(path) == [(7, None, "the probabilities sum to 1.1, not to 1")]
    found = examine(write(f"{MAILS},,,\n"))
    assert (found.n_rows, found.problems) == (2, ())
    assert "1 blank row left out." in found.guessed
    assert not any("blank" in each for each in examine(write(MAILS)).guessed)
    [found] = examine(write("id,text,p_ham,p_spam\n,,,\n")).problems
    assert found.message == "there are column names, but no rows"
    [found] = examine(write(",,\n,,\n,,\n")).problems
    assert found.message == "the file has no columns"


def test_a_row_with_too_many_cells_hides_no_other_problem(write: Write) -> None:
    path = write("id,text,p_a,p_b\n1,x,0.5,0.4\n2,y,0.5,0.5,\n\n3,z\n1,w,0.5,0.5\n4,v,0.5,0.5\n")
    expected = [
        (2, None, "the probabilities sum to 0.9, not to 1"),
        (3, None, "the row has 5 cells, but there are 4 columns"),
        (5, None, "the row has 2 cells, but there are 4 columns"),
        (6, "id", "the id '1' is in row 2 already"),
    ]
    assert problems(path) == expected
    with pytest.raises(FileProblemsError) as raised:
        Pool.read(path)
    assert [(p.row, p.column, p.message) for p in raised.value.problems] == expected
    only = write("text,p_a,p_b\nx,0.5,0.5\ny,0.5,0.5,\n")
    assert problems(only) == [(3, None, "the row has 4 cells, but there are 3 columns")]
    with pytest.raises(FileProblemsError, match="row 3: the row has 5 cells"):  # none is left out silently
        read_labeled(write("text,p_a,p_b,y\nx,0.5,0.5,a\ny,0.5,0.5,b,\n"), "y")


@pytest.mark.parametrize(
    ("text", "row", "message"),
    [
        ("t,p_a,p_b\nx,1,0\ny,1,0,0\n", 3, "the row has 4 cells, but there are 3 columns"),
        ('a,b\n"1,2\n1,2\n', 2, "the row has 1 cell, but there are 2 columns"),
        ('a,b\n1,"2\n1,2\n', 2, "a quotation mark in this row is not closed"),
        ("1,2\n3,4\n", 1, "the first row holds numbers"),
        ("a,b\n", None, "there are column names, but no rows"),
        ("a,b", None, "there are column names, but no rows"),
        ("", None, "the file is empty"),
        (" \n\n", None, "the file is empty"),
        ("a,a\n1,2\n", 1, "two columns have this name"),
        (b"a,b\n1,\xc3\xa4\n2,\xff\n", 3, "the row holds bytes that are not UTF-8"),
        (b"PK\x03\x04....", None, "the file is an Excel or ZIP file"),
    ],
)
def test_broken_files_are_refused_by_row(
    write: Write, text: str | bytes, row: int | None, message: str
) -> None:
    path = write(text)
    [found] = examine(path).problems
    assert (found.row, found.message[: len(message)]) == (row, message)
    with pytest.raises(FileProblemsError, match=r"^mails\.csv") as raised:
        Pool.read(path)
    assert raised.value.problems == (found,)


def test_a_column_that_is_not_there(write: Write) -> None:
    [found] = examine(write(MAILS), text="texd").problems
    assert found.remedy == "Did you mean 'text'?"
    with pytest.raises(TypeError, match="text must be the name of a column, got 3"):
        Pool.read(write(MAILS), text=3)
    with pytest.raises(TypeError, match="unexpected keyword argument 'texts'"):
        examine(write(MAILS), texts="text")


def test_candidates_are_files_of_predictions(write: Write) -> None:
    folder = write(MAILS).parent
    for name in ("a.parquet", "b.jsonl.gz", "c.txt", ".d.csv"):
        write(b"", name)
    assert {path.name for path in candidates(folder)} == {"mails.csv", "a.parquet", "b.jsonl.gz"}
