"""Whether a judge can be trusted: its own rate against that of people, and how far they agree."""

from dataclasses import replace
from math import ceil, floor
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from activeeval_widgets import Pool, Session, evaluate
from activeeval_widgets.session.findings import judge as judge_finding
from activeeval_widgets.session.findings.judge import bias_of, judge_content
from activeeval_widgets.session.report.report import report
from activeeval_widgets.stats import (
    ClassPredictions,
    CohenKappa,
    ErrorRate,
    LabelShare,
    PredictedClasses,
    Recall,
    Specificity,
    SquaredError,
    ValuePredictions,
    WinRate,
    pool_value,
)
from activeeval_widgets.stats.numbers import formatted
from activeeval_widgets.widgets.evaluation.panels import Panels

from ..labeling import give_labels

CLASSES = ["pass", "fail"]


def judged(size: int = 120, *, kind: float = 0.15, seed: int = 0) -> tuple[ClassPredictions, NDArray[Any]]:
    """Votes of three judges and the verdicts of another, which passes some answers that people fail."""
    rng = np.random.default_rng(seed)
    passes = rng.random(size) < 0.6
    votes = np.where((rng.random((3, size)) < 0.8) == passes, "pass", "fail").T
    verdicts = np.where(passes | (rng.random(size) < kind), "pass", "fail")
    model = ClassPredictions.from_votes(votes, CLASSES, verdicts, "GPT")
    return model, np.where(passes, "pass", "fail")


def labeled(measure: Any = None, n: int = 40, **options: Any) -> tuple[Session, NDArray[Any]]:
    model, y_true = judged()
    pool = Pool([f"answer {i}" for i in range(y_true.size)], predictions=model, **options)
    session = Session(pool, ErrorRate() if measure is None else measure, seed=3)
    give_labels(session, y_true, n)
    return session, y_true


def test_the_bias_is_known_as_well_as_what_people_say() -> None:
    session, _ = labeled()
    found, model = session.judge(), session.models[0]
    assert isinstance(model, ClassPredictions)
    assert repr(found.measure) == "LabelShare('pass')"
    assert found.alone == pytest.approx(np.mean(model.y_pred == "pass"))
    people = session.estimate(LabelShare("pass"))
    assert found.people == people
    assert not people.is_asymptotic
    assert not found.bias.is_asymptotic
    # Nothing was excluded: it is of the same as the difference of the two.
    assert found.bias.value == pytest.approx(found.alone - people.value, abs=0.01)
    assert found.bias.low < found.alone - people.value < found.bias.high
    assert found.error_rate == session.estimate(ErrorRate())
    assert found.kappa == session.estimate(CohenKappa())


def test_sensitivity_and_specificity_are_the_recall_of_what_people_pass_and_fail() -> None:
    session, y_true = labeled(n=120)
    found, model = session.judge(), session.models[0]
    assert found.specificity is not None
    assert found.sensitivity.value == pytest.approx(pool_value(Recall("pass"), model, y_true))
    assert found.specificity.value == pytest.approx(pool_value(Specificity("pass"), model, y_true))
    assert found.sensitivity.value > 0.99 > 0.9 > found.specificity.value
    # What passes is the same where the share of failures is asked for.
    other = session.judge(LabelShare("fail"))
    assert (other.sensitivity, other.specificity) == (found.sensitivity, found.specificity)


def test_which_of_two_answers_is_better_is_neither_passed_nor_failed() -> None:
    for labels in (["1", "2"], [1, 2], ["A", "B"], ["spam", "ham"]):
        pool = Pool(["x"] * 4, predictions=PredictedClasses(labels * 2, classes=labels))
        found = Session(pool, LabelShare(labels[0])).judge()
        assert found.sensitivity is None
        assert [name for name, _ in found.rates()] == [f"TPR, {label}" for label in labels]


def test_of_more_verdicts_each_has_a_rate() -> None:
    verdicts = ["A", "B", "tie", "A", "B", "A"]
    pool = Pool(["x"] * 6, predictions=PredictedClasses(verdicts, classes=["A", "B", "tie"]))
    session = Session(pool, WinRate())
    give_labels(session, lambda i: "B" if i == 0 else verdicts[i])
    found = session.judge()
    assert found.sensitivity is None
    assert found.specificity is None
    assert {name: each.value for name, each in found.rates()} == {
        "TPR, A": 1.0, "TPR, B": pytest.approx(2 / 3), "TPR, tie": 1.0,
    }  # fmt: skip
    names = [row["name"] for row in Panels(session).redraw(shown=["judge"])["panels"]["judge"]["rows"]]
    assert names == [
        "People: win rate of A", "Judge: win rate of A", "Bias",
        "TPR, A", "TPR, B", "TPR, tie", "Kappa", "Error rate",
    ]  # fmt: skip
    many = [str(i) for i in range(7)]
    crowd = Pool(["x"] * 7, predictions=PredictedClasses(many, classes=many))
    assert Session(crowd, LabelShare("0")).judge().rates() == []


def test_with_all_labels_all_is_exact() -> None:
    session, y_true = labeled(n=120)
    found, model = session.judge(), session.models[0]
    bias = np.mean(model.y_pred == "pass") - np.mean(y_true == "pass")
    assert bias > 0.03
    assert (found.bias.low, found.bias.high) == pytest.approx((bias, bias))
    assert found.is_biased
    assert found.kappa.value == pytest.approx(pool_value(CohenKappa(), model, y_true))
    alone, people = (f" {100 * share:.1f}%" for share in (found.alone, np.mean(y_true == "pass")))
    assert all(part in found.sentence() for part in (alone, people, f" {100 * bias:.1f} points too much."))


@pytest.mark.slow
def test_the_interval_of_the_bias_holds_at_every_number_of_labels() -> None:
    n_sessions, missed = 10, 0
    for seed in range(n_sessions):
        model, y_true = judged(80, seed=seed)
        session = Session(Pool(["x"] * 80, predictions=model), ErrorRate(), seed=seed)
        # In every other session half of what is labeled "pass" wrongly can't be labeled.
        passes, wrong = model.y_pred == "pass", (model.y_pred == "pass") & (y_true == "fail")
        kept = ~(wrong & (np.arange(80) % 2 == 0)) | (seed % 2 == 0)
        truth = float(np.mean(passes[kept]) - np.mean(y_true[kept] == "pass"))
        while session.n_labels < 40:
            asked = session.next()
            session.label(y_true[asked.index]) if kept[asked.index] else session.exclude()
        low, high = session.watched(bias_of(LabelShare("pass"), model)).at(np.arange(41))
        if seed < 2:
            found = session.judge().bias
            assert (found.low, found.high) == (low[-1], high[-1])
        missed += not ((low - 1e-9 <= truth) & (truth <= high + 1e-9)).all()
    assert missed <= binom.ppf(0.999, n_sessions, 0.05)


@pytest.mark.parametrize("rate", [LabelShare("pass"), WinRate("pass", "fail"), LabelShare("fail")], ids=repr)
def test_who_agrees_with_people_on_all_that_can_be_labeled_is_not_biased(rate) -> None:
    """What can't be labeled is all said to "fail": without it, the judge's share is that of people."""
    verdicts = np.array(["pass"] * 10 + ["fail"] * 15 + ["none"])
    model = PredictedClasses(verdicts.tolist(), name="GPT")
    session = Session(Pool(["x"] * verdicts.size, predictions=model), ErrorRate())
    while (asked := session.next()) is not None:
        if len(session.log) % 3 == 0:  # what was excluded once stays so
            found = session.judge(rate)
            assert found.bias.low <= 0 <= found.bias.high
        session.exclude() if asked.index >= 20 else session.label(verdicts[asked.index])
    found = session.judge(rate)
    assert (found.bias.value, found.bias.low, found.bias.high) == (0, 0, 0)
    assert not found.is_biased
    people = f"{formatted(rate, found.people.value)}%"
    assert found.sentence() == (
        f"GPT by itself says {formatted(rate, found.alone)}%; of what can be labeled, "
        f"people say {people}: there they agree on the whole."
    )
    # One verdict that people turn around: what is said is of what can be labeled, too.
    session.change(0, "fail")
    found = session.judge(LabelShare("pass"))
    assert found.bias.low == found.bias.high == pytest.approx(1 / 20)
    assert found.sentence().endswith("there GPT says 5.0 points too much.")


def test_what_is_asked_for() -> None:
    votes = [["A", "tie"], ["B", "B"], ["tie", "A"], ["A", "A"]]
    pool = Pool(["x"] * 4, predictions=ClassPredictions.from_votes(votes))
    assert repr(Session(pool, ErrorRate()).judge().measure) == "WinRate(positive='A', tie='tie')"
    assert repr(Session(pool, LabelShare("tie")).judge().measure) == "LabelShare('tie')"
    assert repr(Session(pool, ErrorRate()).judge(LabelShare("B")).measure) == "LabelShare('B')"
    # One label that sounds good, or else the first.
    for labels, result in (
        (["bad", "good"], "good"),
        (["bad", "ok", "pass"], "bad"),
        (["cat", "dog"], "cat"),
    ):
        words = Pool(["x"] * 2, predictions=PredictedClasses([labels[0], labels[-1]], classes=labels))
        assert repr(Session(words, ErrorRate()).judge().measure) == f"LabelShare({result!r})"
    session = Session(pool, WinRate())
    assert session.judge().alone == pytest.approx(np.mean([1, 0, 1, 1]))  # of several classes the first
    assert session.judge().judge == "The judge"
    assert session.judge().sentence().endswith("People have not labeled anything yet.")
    with pytest.raises(ValueError, match="there is no measure 'pass'"):
        session.judge("pass")
    with pytest.raises(ValueError, match="of must be a measure of the labels themselves"):
        session.judge(Recall(positive="A"))
    numbers = Pool([{"a": 1}] * 2, predictions=ValuePredictions([1.0, 2.0]))
    values = Session(numbers, SquaredError(), y_range=(0, 9))
    with pytest.raises(TypeError, match="a judge is one model with predicted classes"):
        values.judge()


def test_the_judge_that_is_too_strict_says_too_little() -> None:
    y_true = np.array(["pass"] * 80 + ["fail"] * 20)
    verdicts = np.array(["pass"] * 20 + ["fail"] * 80)
    model = ClassPredictions.from_votes(verdicts[:, np.newaxis], CLASSES, verdicts, "GPT")
    session = Session(Pool(["x"] * 100, predictions=model), ErrorRate())
    while session.n_labels < 60:
        asked = session.next()
        session.label(y_true[asked.index])
    found = session.judge()
    assert found.bias.high < 0
    low, high = floor(-1000 * found.bias.high) / 10, ceil(-1000 * found.bias.low) / 10  # rounded outward
    assert found.sentence().endswith(f"GPT says {low} to {high} points too little.")


def test_the_page_and_the_report_tell_the_same() -> None:
    session, _ = labeled(groups=["en"] * 100 + ["de"] * 20)
    panels = Panels(session)
    assert "judge" in panels.names
    result = panels.redraw(shown=["judge"])["panels"]["judge"]
    found = session.judge()
    assert result["summary"].startswith(f"Pass rate: {found.sentence()}")
    assert [row["has_line"] for row in result["rows"]] == [True, True] + [False] * 7
    names = [row["name"] for row in result["rows"]]
    assert names[:4] == [
        "People: pass rate",
        "Judge: pass rate",
        "Bias",
        "Sensitivity (TPR)",
    ]
    assert names[4:7] == ["Specificity (TNR)", "Kappa", "Error rate"]
    assert sorted(names[7:]) == ["Error rate, de", "Error rate, en"]
    assert result["columns"] == ["Measure", "Interval", "Value"]  # there is a kappa, too
    without_bar = [row for row in result["rows"] if not row["has_interval"]]
    assert [(row["name"], bool(row["note"])) for row in without_bar] == [
        ("Bias", True), ("Kappa", True),
    ]  # fmt: skip
    people, alone = result["rows"][:2]
    assert people["low"] < people["at"] < people["high"]
    assert alone["low"] == alone["at"] == alone["high"] == result["whole"]
    text = report(session.findings)
    assert found.sentence() in text.replace("\\", "")
    assert "Error rate, de" in text
    assert "points to" not in text
    assert "model is" not in text


def test_where_the_judge_is_wrong_more_often() -> None:
    """It passes half of what people fail in "long", and is right in "short" and in "mixed"."""
    size = 120
    groups = np.array(["short", "long", "mixed"])[np.arange(size) % 3]
    y_true = np.where(np.arange(size) % 2 == 0, "pass", "fail")
    verdicts = np.where((groups == "long") & (np.arange(size) % 4 < 2), "pass", y_true)
    verdicts = np.where((groups == "long") & (np.arange(size) % 4 >= 2), "fail", verdicts)
    pool = Pool(["x"] * size, predictions=PredictedClasses(verdicts, name="GPT"), groups=groups.tolist())
    session = Session(pool, LabelShare("pass"), seed=1)

    def result() -> str:
        return str(Panels(session).redraw(shown=["judge"])["panels"]["judge"]["summary"])

    give_labels(session, y_true, 3)
    assert "Those of groups hold for all at once, and no two are known to differ." in result()
    give_labels(session, y_true)
    # Two groups without an error: the first of them is named.
    outcome = "the judge is wrong more often in long (exact) than in "
    assert outcome in result()
    assert outcome in session.report()
    ungrouped, _ = labeled()
    assert "Those of groups" not in Panels(ungrouped).redraw(shown=["judge"])["panels"]["judge"]["summary"]


def test_the_best_of_groups_is_the_one_with_the_lowest_upper_end() -> None:
    found, _ = labeled()
    of_rate = found.judge().error_rate
    ends = {"worst": (0.6, 0.8), "vague": (0.0, 0.7), "best": (0.1, 0.2), "bad": (0.5, 0.9)}
    groups = [
        (name, replace(of_rate, low=low, value=(low + high) / 2, high=high, is_asymptotic=False))
        for name, (low, high) in ends.items()
    ]
    text = str(judge_content(found.judge(), groups)["summary"])
    assert "more often in worst (60% to 80%) than in best (10.0% to 20.0%)." in text


def pairs_judged(labels: list[str], n: int = 120) -> Session:
    """A judge that favors its own answers: A in "own A", B in "own B", neither in "others"."""
    rng = np.random.default_rng(2)
    groups = np.array(["own A", "own B", "others"])[np.arange(n) % 3]
    y_true = np.array(labels)[rng.integers(len(labels), size=n)]
    own = np.where(groups == "own A", labels[0], labels[1])
    verdicts = np.where((groups != "others") & (rng.random(n) < 0.6), own, y_true)
    model = ClassPredictions.from_votes(verdicts[:, np.newaxis], labels, verdicts, "GPT")
    session = Session(
        Pool([("a", "b")] * n, predictions=model, groups=groups.tolist(), kind="pair"), ErrorRate()
    )
    give_labels(session, y_true, n - 30)
    return session


@pytest.mark.parametrize("labels", [["A", "B"], ["A", "B", "tie"], ["1", "2"]])
def test_whom_a_judge_of_pairs_favors_in_each_group(labels: list[str]) -> None:
    session = pairs_judged(labels)
    found = session.judge()
    shown = judge_finding.SHOWN.content(session.findings, {})
    names = [row["name"] for row in shown["rows"]]
    assert sorted(names[-3:]) == ["Bias, others", "Bias, own A", "Bias, own B"]
    biases = session.group_estimates(bias_of(found.measure, session.models[0]))
    by_group = {each.group: each.estimate for each in biases}
    rows = {row["name"]: row for row in shown["rows"]}
    for name, each in by_group.items():
        row = rows[f"Bias, {name}"]
        assert not row["has_interval"]
        assert float(row["value"].split()[0].replace("−", "-")) == pytest.approx(100 * each.value, abs=0.5)
        assert each.low < each.value < each.high
    assert by_group["own A"].low > 0 > by_group["own B"].high
    result = f"Compared with people, it favors {labels[0]} more in own A ("
    assert result in shown["summary"]
    assert f"than in own B ({rows['Bias, own B']['note']})." in shown["summary"]
    assert result in session.report()
    value = rows["Bias, own A"]["value"].split()[0]
    assert f"Bias, own A: {value}" in session.report().replace("\\", "")


def test_no_side_is_favored_before_it_is_known_or_where_verdicts_name_no_side() -> None:
    session = pairs_judged(["A", "B"])
    for _ in range(80):
        session.undo()
    shown = judge_finding.SHOWN.content(session.findings, {})
    assert "Bias, own A" in [row["name"] for row in shown["rows"]]
    assert "favors" not in shown["summary"]
    # Pass and fail are no sides.
    session, _ = labeled(groups=["en"] * 100 + ["de"] * 20)
    names = [row["name"] for row in judge_finding.SHOWN.content(session.findings, {})["rows"]]
    assert not [name for name in names if name.startswith("Bias,")]
    assert "Bias, en" not in session.report()


def test_a_classifier_is_no_judge_and_without_labels_nothing_is_reported() -> None:
    model, _ = judged()
    plain = ClassPredictions(model.y_proba, model.classes, model.y_pred)
    app = evaluate(["x"] * 120, plain, ErrorRate())
    assert "judge" not in [panel["name"] for panel in app._page.view.config()["panels"]]
    session = Session(Pool(["x"] * 120, predictions=model), ErrorRate())
    result = Panels(session).redraw(shown=["judge"])["panels"]["judge"]
    assert [row["has_interval"] for row in result["rows"]] == [False, True, False, False, False]
    assert (result["scale"]["low"], result["scale"]["high"]) == (
        pytest.approx(max(result["whole"] - 0.5, 0)),
        pytest.approx(min(result["whole"] + 0.5, 1)),
    )
    assert "Can the judge be trusted?" not in report(session.findings)
