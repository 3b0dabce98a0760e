"""A column with labels for some rows: what is said of it, and what is wrong with it."""

import csv

import pandas as pd
import pytest

from activeeval_widgets import Pool
from activeeval_widgets.app.file_check import check_file
from activeeval_widgets.formats import FileProblemsError, examine
from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.evaluation_settings import EvaluationSettings

LABELS = {1: "spam", 4: " Ham ", 7: "ham"}


def a_file(folder, labels=LABELS, *, name="label", n=12, head=("p_ham", "p_spam"), row=("0.25", "0.75")):
    path = folder / "mails.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["text", *head, name])
        rows.writerows([f"This is mail {i}", *row, labels.get(i, "")] for i in range(n))
    return path


def sentences(path, **columns):
    found = check_file(EvaluationSettings(path, Columns(**columns)))
    return [*found.problems, *found.notes]


def test_a_partly_filled_column_is_told_and_not_used_unless_named(tmp_path):
    path = a_file(tmp_path)
    assert Pool.read(path).known is None
    assert examine(path).labels == ("label", 3)
    rows = "label holds labels for 3 of 12 rows"
    options = (
        "--labels label --drawn uniformly (a uniform random sample), --labels label --drawn-by COL (by the "
        "probabilities in COL) or --labels label --drawn unknown"
    )
    assert f"{rows}: to use them, {options}" in sentences(path)
    assert not any("not used" in line for line in sentences(path))
    uniformly = sentences(path, labels="label", drawn="uniformly")
    assert f"{rows}, a uniform random sample, which begins the session" in uniformly
    assert f"{rows}, which only guide the draws" in sentences(path, labels="label")


@pytest.mark.parametrize("name", ["True Label", "y-true", "Ground truth", "gold_label"])
def test_it_is_not_shown_to_the_person_who_labels(tmp_path, name):
    path = tmp_path / "mails.csv"
    path.write_text(f"Instance ID,size,color,P spam,{name}\na,3,red,0.2,ham\nb,4,green,0.9,spam\n")
    assert Pool.read(path).instances[0] == {"size": "3", "color": "red"}
    assert examine(path).columns.id == "Instance ID"
    assert examine(path).labels == (name, 2)


@pytest.mark.parametrize("predicted", ["forecast", "yhat", "y_mean"])
def test_numbers_near_the_predicted_ones_are_not_shown(tmp_path, predicted):
    """Nearer than half of their variance: sales are to a forecast, what is only related to it is not."""
    path = tmp_path / "sales.csv"
    rows = [
        f"{day},{day + (13 if day % 2 else -13)},{day + (10 if day % 2 else -10)},{10 * day}"
        for day in range(40)
    ]
    path.write_text("\n".join([f"{predicted},visits,sales,budget", *rows]))
    found = examine(path).columns
    assert (found.mean, found.record) == (predicted, ("visits", "budget"))


@pytest.mark.parametrize("predicted", ["Predicted price", "price_pred", "prediction.price", "y-pred price"])
def test_what_is_predicted_is_the_label(tmp_path, predicted):
    path = tmp_path / "houses.csv"
    path.write_text(f"rooms,price,{predicted}\n2,100,110.5\n3,200,190\n")
    found = examine(path)
    assert (found.columns.mean, found.columns.record, found.labels) == (predicted, ("rooms",), ("price", 2))


@pytest.mark.parametrize("head", [["p_ham", "p_spam"], ["predicted"]], ids=len)
def test_what_may_be_the_labels_in_a_column_of_another_name_is_not_shown(tmp_path, head):
    path = tmp_path / "mails.csv"
    table = {
        "size": range(6),
        "p_ham": [0.8, 0.3] * 3,
        "p_spam": [0.2, 0.7] * 3,
        "predicted": ["ham", "spam"] * 3,
    }
    # `member` is of the classes, too, but agrees with the predictions no more often than by chance.
    table |= {"member": ["ham"] * 3 + ["spam"] * 3, "outcome": ["ham", "Spam", "ham", "eggs", "", "spam"]}
    pd.DataFrame(table)[["size", "member", *head, "outcome"]].to_csv(path, index=False)
    assert examine(path).columns.record == ("size", "member")
    assert examine(path, record=["size", "outcome"]).columns.record == ("size", "outcome")


def a_sample(folder, probabilities):
    """A file with a column of probabilities to be in the sample."""
    path = a_file(folder)
    table = pd.read_csv(path).assign(chance=probabilities)
    table.to_csv(path, index=False)
    return path


def test_a_column_has_the_probabilities_with_which_labels_were_drawn(tmp_path):
    path = a_sample(tmp_path, [0.25] * 11 + [0.5])
    by = {"labels": "label", "drawn_by": "chance"}
    labels, probabilities = Pool.read(path, **by).known
    assert labels == {1: "spam", 4: "ham", 7: "ham"}
    assert probabilities.tolist() == [0.25] * 11 + [0.5]
    assert (
        "label holds labels for 3 of 12 rows, a random sample by the probabilities in chance, which begins "
        "the session"
    ) in sentences(path, **by)


WRONG_PROBABILITIES = [
    ([0.25] * 11 + [None], {}, "chance"),
    ([0.25] * 11 + [0.0], {}, "drawn is 0 for id '11', expected the probability with which it got into"),
    ([0.25] * 12, {"drawn": "uniformly"}, "drawn and drawn_by can't go together"),
    ([0.25] * 12, {"labels": None}, "drawn is given, but there are no labels: name them with labels"),
    ([0.25] * 12, {"drawn_by": "chances"}, "there is no column 'chances', which drawn_by names"),
]


@pytest.mark.parametrize(("given", "changed", "message"), WRONG_PROBABILITIES, ids=range(5))
def test_probabilities_that_can_not_be_are_refused(tmp_path, given, changed, message):
    path = a_sample(tmp_path, given)
    columns = {"labels": "label", "drawn_by": "chance", **changed}
    with pytest.raises((ValueError, FileProblemsError), match=message):
        Pool.read(path, **columns)


def test_an_empty_column_is_as_any_other(tmp_path):
    path = a_file(tmp_path, {})
    assert examine(path).labels is None
    assert "not used: label" in sentences(path)


def test_a_full_column_can_guide_the_draws(tmp_path):
    path = a_file(tmp_path, dict.fromkeys(range(12), "ham"))
    assert Pool.read(path).known is None
    notes = "label holds a label for each row: to let them guide the draws, --labels label --drawn unknown"
    assert notes in sentences(path)
    assert not any("not used" in line for line in sentences(path))
    assert "label holds labels for 12 of 12 rows, which only guide the draws" in sentences(
        path, labels="label"
    )


def test_labels_are_read_as_the_classes_or_numbers_that_they_are(tmp_path):
    pool = Pool.read(a_file(tmp_path), labels="label", drawn="uniformly")
    assert pool.known == ({1: "spam", 4: "ham", 7: "ham"}, "uniformly")
    numbers = a_file(tmp_path, {0: "1.5", 3: "2"}, head=("predicted_mean",), row=("2.5",))
    assert Pool.read(numbers, labels="label").known == ({0: 1.5, 3: 2.0}, "unknown")
    without = a_file(tmp_path, {0: "1.5", 3: "2"}, head=(), row=())
    assert Pool.read(without, labels="label").known == ({0: 1.5, 3: 2.0}, "unknown")
    texts = a_file(tmp_path, {0: "good", 3: "7"}, head=(), row=())
    assert Pool.read(texts, labels="label").known == ({0: "good", 3: "7"}, "unknown")
    named = Pool.read(texts, labels="label", classes="bad,good,7")
    assert named.known == ({0: "good", 3: "7"}, "unknown")


def test_two_models_share_their_labels(tmp_path):
    head, row = ("old_p_ham", "old_p_spam", "new_p_ham", "new_p_spam"), ("0.2", "0.8", "0.6", "0.4")
    pool = Pool.read(a_file(tmp_path, head=head, row=row), compare="old,new", labels="label")
    assert len(pool.models) == 2
    assert pool.known == ({1: "spam", 4: "ham", 7: "ham"}, "unknown")


WRONG = [
    (
        {5: "spm"},
        {"labels": "label"},
        r"row 7, column 'label': 'spm' is none of the classes.*Did you mean 'spam'",
    ),
    (LABELS, {"labels": "lable"}, "there is no column 'lable', which labels names. Did you mean 'label'"),
    ({}, {"labels": "label"}, "labels has no label for any of 12 instances"),
    (dict.fromkeys(range(12), "ham"), {"labels": "label", "drawn": "uniformly"}, "nothing is left to ask"),
    (LABELS, {"labels": "label", "drawn": "by p"}, "drawn must be one of 'uniformly', 'unknown', got 'by p'"),
    (LABELS, {"drawn": "uniformly"}, "there are no labels: name them with labels"),
]


@pytest.mark.parametrize(("labels", "columns", "message"), WRONG, ids=range(len(WRONG)))
def test_what_is_wrong_is_told_with_its_row(tmp_path, labels, columns, message):
    path = a_file(tmp_path, labels)
    with pytest.raises(ValueError, match=message):
        Pool.read(path, **columns)
    assert any("mails.csv" in line for line in sentences(path, **columns))


def test_a_label_that_is_no_number_is_reported(tmp_path):
    path = a_file(tmp_path, {2: "many"}, head=("predicted_mean",), row=("2.5",))
    with pytest.raises(FileProblemsError, match="row 4, column 'label': 'many' is not a number"):
        Pool.read(path, labels="label")


def test_data_that_is_streamed_has_no_such_labels(tmp_path):
    columns = {"text": ["a", "b"], "p_ham": [0.2, 0.4], "p_spam": [0.8, 0.6], "label": ["ham", None]}
    (tmp_path / "mails").mkdir()
    for part in "ab":
        pd.DataFrame(columns).to_parquet(tmp_path / "mails" / f"{part}.parquet")
    assert Pool.read(tmp_path / "mails").is_streamed
    with pytest.raises(ValueError, match="labels need all rows in memory, and these are streamed"):
        Pool.read(tmp_path / "mails", labels="label")


def test_rankings_and_runs_have_no_such_labels(tmp_path):
    path = tmp_path / "found.jsonl"
    path.write_text('{"query": "a", "items": ["x", "y"], "label": 1}\n')
    with pytest.raises(ValueError, match="labels are classes or numbers, but here they are grades"):
        Pool.read(path, labels="label")
    run = tmp_path / "old.run"
    run.write_text("q1 Q0 d1 1 2.5 old\n")
    with pytest.raises(ValueError, match="labels names a column, and a TREC run has none"):
        Pool.read(run, labels="label")
