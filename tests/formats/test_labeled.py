"""Files of predictions with true labels: which rows race, and what is said of the others."""

from pathlib import Path

import pytest

from activeeval_widgets.formats import FileProblemsError
from activeeval_widgets.formats.labeled_file import read_labeled


def written(folder: Path, *lines: str, name: str = "mails.csv") -> Path:
    path = folder / name
    path.write_text("\n".join(lines) + "\n")
    return path


def test_rows_without_a_label_are_left_out(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "text,p_ham,p_spam,truth",
        "Hello,0.9,0.1,ham",
        "Who knows,0.5,0.5,",
        "Win now,0.2,0.8,SPAM",
        "Hm,0.5,0.5,  ",
        "Buy,0.4,0.6,ham",
    )
    found = read_labeled(path, "truth")
    assert [found.pool.instances[i] for i in range(3)] == ["Hello", "Win now", "Buy"]
    assert found.y_true == ["ham", "spam", "ham"]
    assert found.pool.models[0].y_proba[:, 1].tolist() == [0.1, 0.8, 0.6]
    assert found.notes[0] == "2 of 5 rows have no label in 'truth' and are left out."


def test_a_label_is_no_prediction(tmp_path: Path) -> None:
    """A column of labels looks like predicted classes: it is never taken for them."""
    path = written(tmp_path, "text,label,prediction", "a,x,x", "b,y,x", "c,y,y")
    found = read_labeled(path, "label")
    assert found.pool.models[0].pred_codes.tolist() == [0, 0, 1]
    assert found.y_true == ["x", "y", "y"]


def test_what_is_wrong_is_reported_with_the_files_rows(tmp_path: Path) -> None:
    path = written(
        tmp_path, "text,p_a,p_b,y", "one,0.5,0.5,", "two,0.5,0.5,c", "three,0.9,0.3,a", "four,2,0,"
    )
    with pytest.raises(FileProblemsError, match=r"row 4: the probabilities sum to 1.2"):
        read_labeled(path, "y")
    path = written(tmp_path, "text,p_a,p_b,y", "one,0.5,0.5,", "two,0.5,0.5,c", "three,0.7,0.3,a")
    with pytest.raises(FileProblemsError, match=r"row 3, column 'y': 'c' is none of the classes. There are"):
        read_labeled(path, "y")
    with pytest.raises(FileProblemsError, match=r"no column 'labels', which label names. There are"):
        read_labeled(path, "labels")
    path = written(tmp_path, "text,p_a,p_b,y", "one,0.5,0.5,", "two,0.5,0.5,")
    with pytest.raises(FileProblemsError, match=r"column 'y': no row has a label.*--label"):
        read_labeled(path, "y")


def test_numbers(tmp_path: Path) -> None:
    path = written(tmp_path, "text,mean,y", "a,1.5,2", "b,2.5,", "c,3.5,3.25", name="values.csv")
    found = read_labeled(path, "y", mean="mean", text="text")
    assert (found.y_true, found.pool.n_instances) == ([2.0, 3.25], 2)
    path = written(tmp_path, "text,mean,y", "a,1.5,2", "b,2.5,two", name="values.csv")
    with pytest.raises(FileProblemsError, match=r"row 3, column 'y': 'two' is not a number"):
        read_labeled(path, "y", mean="mean", text="text")


def test_rankings_by_row_need_the_grade_of_each_item(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "query,doc,p0,p1,rank,grade",
        "cats,c1,0.2,0.8,1,1",
        "cats,c2,0.7,0.3,2,0",
        "dogs,d1,0.5,0.5,1,1",
        "dogs,d2,0.5,0.5,2,",
        name="runs.csv",
    )
    columns = {"query": "query", "items": "doc", "proba": ["p0", "p1"], "classes": ["0", "1"]}
    found = read_labeled(path, "grade", **columns)
    assert found.pool.n_instances == 1
    assert found.y_true == [{"c1": 1.0, "c2": 0.0}]
    assert found.notes[0].startswith("2 of 4 rows have no label")


def test_rankings_as_lists(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '{"query": "cats", "items": ["c1", "c2"], "grades": [1, 0]}',
        '{"query": "dogs", "items": ["d1"], "grades": null}',
        '{"query": "cows", "items": ["w1", "w2"], "grades": {"w1": 0, "w2": 3}}',
        name="runs.jsonl",
    )
    found = read_labeled(path, "grades", query="query", items="items")
    assert found.y_true == [{"c1": 1, "c2": 0}, {"w1": 0, "w2": 3}]
    path = written(tmp_path, '{"query": "cats", "items": ["c1", "c2"], "grades": [1]}', name="runs.jsonl")
    with pytest.raises(FileProblemsError, match=r"is not a list of 2 grades. Write JSON"):
        read_labeled(path, "grades", query="query", items="items")
