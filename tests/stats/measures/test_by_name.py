"""Measures by the names that one can type."""

import re

import pytest

from activeeval_widgets.stats.measures.by_name import measure_named, named_measures
from activeeval_widgets.stats.measures.classes import ErrorRate
from activeeval_widgets.stats.measures.family import all_measures

NAMED = named_measures()
VALUES = {"q": "0.9", "costs": "[[0, 1], [5, 0]]"}


def typed(spelling):
    """A spelling with something filled in."""
    return re.sub(r"\{(\w+)\}", lambda option: VALUES.get(option[1], "3"), spelling)


def test_every_measure_has_a_name_and_tells_something():
    assert len(NAMED) == len(all_measures())
    for named in NAMED:
        assert re.fullmatch(r"[a-z0-9-]+(@\{\w+\})?", named.name)
        assert re.fullmatch(r"[A-Z].+\.", named.tells), named.name
    assert len({named.tells for named in NAMED}) == len(NAMED)


@pytest.mark.parametrize("cls", all_measures())
def test_every_spelling_gives_a_measure_of_its_class(cls):
    named = next(n for n in NAMED if type(measure_named(typed(n.name), **positive(n))) is cls)
    assert named.predictions_kind == cls.predictions_kind
    for spelling in named.spellings:
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
    ("name", "options", "told"),
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
        ('dcg@"10"', {}, "cutoff"),
    ],
)
def test_what_is_no_measure_is_told(name, options, told):
    with pytest.raises(ValueError, match=told):
        measure_named(name, **options)


def test_a_measure_of_ones_own_has_a_name_by_itself(monkeypatch):
    class NDCGLike(ErrorRate):
        """A measure that says nothing of names, and has an option."""

        def __init__(self, cutoff=None):
            self.cutoff = cutoff

    monkeypatch.setattr(
        "activeeval_widgets.stats.measures.by_name.all_measures", lambda kind=None: [NDCGLike]
    )
    assert [named.spellings for named in named_measures()] == [("ndcg-like", "ndcg-like@{cutoff}")]
    assert measure_named("ndcg-like@7").cutoff == 7
