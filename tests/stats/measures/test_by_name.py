"""Measures by the names that one can type."""

import re

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import get_scorer, median_absolute_error

from activeeval_widgets.stats import ClassPredictions, ValuePredictions, pool_value
from activeeval_widgets.stats.measures.classes import ErrorRate
from activeeval_widgets.stats.measures.measure_names import measure_named, named_measures
from activeeval_widgets.stats.measures.registry import all_measures

NAMED = named_measures()
VALUES = {"q": "0.9", "costs": "[[0, 1], [5, 0]]"}


def typed(spelling):
    """A spelling with something filled in."""
    return re.sub(r"\{(\w+)\}", lambda option: VALUES.get(option[1], "3"), spelling)


def test_every_measure_has_a_name_and_a_summary():
    assert len(NAMED) == len(all_measures())
    for named in NAMED:
        assert re.fullmatch(r"[a-z0-9-]+(@\{\w+\})?", named.name)
        assert re.fullmatch(r"[A-Z].+\.", named.summary), named.name
    assert len({named.summary for named in NAMED}) == len(NAMED)


@pytest.mark.parametrize("cls", all_measures())
def test_every_spelling_gives_a_measure_of_its_class(cls):
    named = next(n for n in NAMED if type(measure_named(typed(n.name), **positive(n))) is cls)
    assert named.predictions_kind == cls.predictions_kind
    for spelling in named.aliases:
        assert type(measure_named(typed(spelling), **positive(named))) is cls
        stem, at, option = typed(spelling).partition("@")
        shouted = stem.upper().replace("-", "_") + at + option
        assert type(measure_named(shouted, **positive(named))) is cls


def positive(named):
    return {"positive": "spam"} if named.has_positive else {}


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("error-rate", {}, "ErrorRate()"),
        ("Error rate", {"positive": None}, "ErrorRate()"),
        ("f1", {"positive": "spam"}, "FMeasure.from_eta(0.5, positive='spam')"),
        ("f2", {}, "FMeasure.from_eta(0.2, positive=1)"),
        ("f0.5", {}, "FMeasure.from_eta(0.8, positive=1)"),
        ("f-measure", {}, "FMeasure.from_eta(0.5, positive=1)"),
        ("precision", {"positive": 3}, "Precision(positive=3)"),
        ("recall", {}, "Recall(positive=1)"),
        ("specificity", {}, "Specificity(positive=1)"),
        ("macro-f", {}, "MacroF(beta=1.0)"),
        ("macro-f2", {}, "MacroF(beta=2.0)"),
        ("balanced-accuracy", {}, "BalancedAccuracy()"),
        ("mcc", {}, "MatthewsCorrelation()"),
        ("matthews-correlation", {}, "MatthewsCorrelation()"),
        ("cohen-kappa", {}, "CohenKappa()"),
        ("log-loss", {}, "LogLoss()"),
        ("brier-score", {}, "BrierScore()"),
        ("squared-error", {}, "SquaredError()"),
        ("absolute-error", {}, "AbsoluteError()"),
        ("dcg", {}, "DCG(cutoff=None)"),
        ("dcg@10", {}, "DCG(cutoff=10)"),
        ("ndcg", {}, "NDCG(cutoff=None)"),
        ("nDCG@10", {}, "NDCG(cutoff=10)"),
        ("ndcg@5", {"gain": "exponential"}, "NDCG(cutoff=5, gain='exponential')"),
        ("reciprocal-rank", {}, "ReciprocalRank(cutoff=None, relevant_from=1)"),
        ("mrr", {"relevant_from": 2}, "ReciprocalRank(cutoff=None, relevant_from=2)"),
        ("reciprocal-rank@10", {}, "ReciprocalRank(cutoff=10, relevant_from=1)"),
        ("precision@5", {}, "PrecisionAt(5, relevant_from=1)"),
        ("recall@10", {}, "RecallAt(10, relevant_from=1)"),
        ("map", {}, "MeanAveragePrecision(cutoff=None, relevant_from=1)"),
        ("r2", {}, "RSquared()"),
        ("rmse", {}, "RootMeanSquaredError()"),
        ("within-tolerance@0.5", {}, "WithinTolerance(0.5)"),
        ("err@5", {"max_grade": 4}, "ERR(cutoff=5, max_grade=4.0)"),
        ("cost-matrix@[[0, 1], [5, 0]]", {}, "CostMatrix([[0.0, 1.0], [5.0, 0.0]])"),
    ],
)
def test_name(name, options, expected):
    assert repr(measure_named(name, **options)) == expected


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("eror-rate", {}, "'eror-rate'.*Did you mean 'error-rate'"),
        ("f-one", {}, "'f-one'.*There are: .*f1"),
        ("", {}, "''"),
        ("error-rate", {"positive": 1}, "'error-rate' has no option 'positive'"),
        ("error-rate@5", {}, "'error-rate@5'"),
        ("dcg@0", {}, "cutoff"),
        ("dcg@ten", {}, "'dcg@ten'.*Did you mean"),
        ("cost-matrix", {}, r"Did you mean 'cost-matrix@\{costs\}'"),
        ("f0", {}, "beta"),
        (
            "neg_brier_score",
            {},
            "'neg-brier-score': scikit-learn halves the Brier score of two classes. Ask for 'brier-score'",
        ),
        ("brier_score_loss", {}, "halves the Brier score of two classes. Ask for 'brier-score'"),
        ("f1_weighted", {}, "'f1_weighted'.*Did you mean 'f1'"),
        ("neg_accuracy", {}, "'neg_accuracy'.*Did you mean 'accuracy'"),
        (
            "neg_mean_absolute_percentage_error",
            {},
            r"Did you mean 'mean-absolute-percentage-error@\{smallest\}'",
        ),
        ('dcg@"10"', {}, "cutoff"),
    ],
)
def test_what_is_no_measure_is_reported(name, options, message):
    with pytest.raises(ValueError, match=message):
        measure_named(name, **options)


def test_a_measure_of_ones_own_has_a_name_by_itself(monkeypatch):
    class NDCGLike(ErrorRate):
        """A measure that says nothing of names, and has an option."""

        def __init__(self, cutoff=None):
            self.cutoff = cutoff

    monkeypatch.setattr(
        "activeeval_widgets.stats.measures.measure_names.all_measures", lambda kind=None: [NDCGLike]
    )
    assert [named.aliases for named in named_measures()] == [("ndcg-like", "ndcg-like@{cutoff}")]
    assert measure_named("ndcg-like@7").cutoff == 7


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("accuracy", "Accuracy()"),
        ("balanced_accuracy", "BalancedAccuracy()"),
        ("top_k_accuracy", "TopKAccuracy(2)"),
        ("average_precision", "AveragePrecision(positive=1)"),
        ("f1", "FMeasure.from_eta(0.5, positive=1)"),
        ("f1_macro", "MacroF(beta=1.0)"),
        ("f1_micro", "Accuracy()"),
        ("neg_log_loss", "LogLoss()"),
        ("precision", "Precision(positive=1)"),
        ("recall", "Recall(positive=1)"),
        ("recall_macro", "BalancedAccuracy()"),
        ("roc_auc", "ROCAUC(positive=1)"),
        ("matthews_corrcoef", "MatthewsCorrelation()"),
        ("neg_mean_absolute_error", "AbsoluteError()"),
        ("neg_mean_squared_error", "SquaredError()"),
        ("neg_root_mean_squared_error", "RootMeanSquaredError()"),
        ("r2", "RSquared()"),
        ("accuracy_score", "Accuracy()"),
        ("cohen_kappa_score", "CohenKappa()"),
    ],
)
def test_names_of_scikit_learn(name, expected):
    assert repr(measure_named(name)) == expected


@pytest.mark.parametrize("name", ["neg_median_absolute_error", "median absolute error"])
def test_the_median_of_scikit_learn_is_another_one(name):
    model, y = ValuePredictions([0.0] * 4), [1.0, 2.0, 4.0, 9.0]
    assert median_absolute_error(y, model.mean) == 3
    with pytest.raises(ValueError, match=r"the lower of the two") as error:
        measure_named(name)
    instead = re.search("'(absolute.*)'", str(error.value))[1]
    assert pool_value(measure_named(instead), model, y) == 2


@pytest.mark.parametrize(
    "name",
    [
        *(
            "accuracy",
            "balanced_accuracy",
            "average_precision",
            "f1",
            "f1_macro",
            "f1_micro",
        ),
        *("neg_log_loss", "precision", "recall", "recall_macro", "roc_auc", "matthews_corrcoef"),
        *("neg_mean_absolute_error", "neg_mean_squared_error", "neg_root_mean_squared_error", "r2"),
    ],
)
def test_the_value_is_what_scikit_learn_scores(name):
    """Up to the sign of `neg_…`, which is dropped."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(101, 2))
    measure = measure_named(name)
    if measure.predictions_kind == "class":
        y = rng.integers(2, size=101)
        fitted = LogisticRegression().fit(features, y)
        model = ClassPredictions(fitted.predict_proba(features), classes=fitted.classes_)
    else:
        y = rng.normal(size=101)
        fitted = LinearRegression().fit(features, y)
        model = ValuePredictions(fitted.predict(features))
    scored = get_scorer(name)(fitted, features, y)
    assert pool_value(measure, model, y) == pytest.approx(-scored if name.startswith("neg_") else scored)
