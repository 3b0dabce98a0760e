"""Each bad argument has one clear error that names the argument, the value and what was expected."""

from functools import partial

import numpy as np
import pytest

from activeeval_widgets.stats import (
    DCG,
    ERR,
    AbsoluteError,
    ClassPredictions,
    CohenKappa,
    CostMatrix,
    ErrorRate,
    FMeasure,
    MacroF,
    Precision,
    RankingPredictions,
    Recall,
    Specificity,
    SquaredError,
    ValuePredictions,
    absolute_difference_q,
    asymptotic_variance,
    compare_all,
    cost_q,
    disagreement_q,
    draw,
    draws_for_power,
    estimate,
    estimate_trajectory,
    expected_draws,
    importance_weights,
    optimal_q,
    pool_value,
    recipe_q,
    relevance_by_rank,
    replicate,
    squared_difference_q,
    uniform_q,
    wald_power,
)

GOOD = [[0.9, 0.1], [0.4, 0.6]]
MODEL = ClassPredictions(GOOD)
MEASURE = ErrorRate()
RNG = np.random.default_rng(0)

classes = partial(ClassPredictions, GOOD)
make_q = partial(optimal_q, MEASURE, MODEL)
make_estimate = partial(estimate, MEASURE, MODEL, [0.5, 0.5], [0, 1], [0, 1])

CASES = {
    "negative probability": (lambda: ClassPredictions([[1.1, -0.1]]), ValueError, r"y_proba\[0, 1\] is -0.1"),
    "NaN probability": (lambda: ClassPredictions([[0.5, np.nan]]), ValueError, r"y_proba\[0, 1\] is nan"),
    "infinite probability": (
        lambda: ClassPredictions([[0.5, np.inf]]),
        ValueError,
        r"y_proba\[0, 1\] is inf",
    ),
    "row sum": (
        lambda: ClassPredictions([[0.5, 0.5], [0.5, 0.4]]),
        ValueError,
        r"y_proba\[1\] sums to 0.9, expected each row to sum to 1 \(within 0.01",
    ),
    "one-dimensional": (
        lambda: ClassPredictions([0.5, 0.5]),
        ValueError,
        r"shape \(n_instances, n_classes\)",
    ),
    "empty pool": (lambda: ClassPredictions(np.empty((0, 2))), ValueError, "at least one row"),
    "one class": (lambda: ClassPredictions([[1.0]]), ValueError, "at least two columns"),
    "text as probability": (
        lambda: ClassPredictions([["a", "b"]]),
        TypeError,
        "y_proba must be an array of numbers",
    ),
    "ragged": (
        lambda: ClassPredictions([[0.5, 0.5], [1.0]]),
        TypeError,
        "y_proba must be an array of numbers",
    ),
    "classes, number": (lambda: classes(classes=[0, 1, 2]), ValueError, r"per column of y_proba \(2\)"),
    "classes, twice": (lambda: classes(classes=["a", "a"]), ValueError, "'a' occurs twice"),
    "classes, kind": (lambda: classes(classes=[None, "a"]), TypeError, "classes must be numbers or strings"),
    "y_pred, no class": (
        lambda: classes(y_pred=[0, 2]),
        ValueError,
        r"y_pred\[1\] is 2, expected one of .*\[0, 1\]",
    ),
    "y_pred, number": (
        lambda: classes(y_pred=[0]),
        ValueError,
        r"y_pred must have one entry per row .*\(2\), got 1",
    ),
    "y_pred, shape": (lambda: classes(y_pred=[[0, 1]]), ValueError, r"y_pred must have shape \(n,\)"),
    "unknown label": (lambda: make_estimate_of([0, 7]), ValueError, r"y_true\[1\] is 7, expected one of"),
    "label of another kind": (lambda: make_estimate_of(["0", "1"]), ValueError, r"y_true\[0\] is '0'"),
    "label NaN": (lambda: make_estimate_of([0, np.nan]), ValueError, r"y_true\[1\] is nan"),
    "labels of another length": (
        lambda: make_estimate_of([0, 1, 0]),
        ValueError,
        "one label for each of 2 draws",
    ),
    "pool labels of another length": (
        lambda: pool_value(MEASURE, MODEL, [0]),
        ValueError,
        r"one label for each of 2 instances, got shape \(1,\)",
    ),
    "level 0": (
        lambda: make_estimate(confidence_level=0),
        ValueError,
        "confidence_level .* between 0 and 1, got 0",
    ),
    "level 1": (lambda: make_estimate(confidence_level=1.0), ValueError, "confidence_level .* got 1.0"),
    "level 95": (lambda: make_estimate(confidence_level=95), ValueError, "confidence_level .* got 95"),
    "level NaN": (lambda: make_estimate(confidence_level=np.nan), ValueError, "confidence_level .* got nan"),
    "level text": (
        lambda: make_estimate(confidence_level="high"),
        TypeError,
        "confidence_level .* got 'high'",
    ),
    "level bool": (lambda: make_estimate(confidence_level=True), TypeError, "confidence_level .* got True"),
    "estimator": (
        lambda: make_estimate(estimator="self"),
        ValueError,
        "estimator must be one of .*, got 'self'",
    ),
    "interval": (
        lambda: make_estimate(interval="Wald"),
        ValueError,
        "interval must be one of .*, got 'Wald'",
    ),
    "q, negative": (lambda: importance_weights([1.5, -0.5], [0]), ValueError, r"q\[1\] is -0.5"),
    "q, NaN": (lambda: importance_weights([np.nan, 1], [0]), ValueError, r"q\[0\] is nan"),
    "q, sum": (lambda: importance_weights([0.5, 0.6], [0]), ValueError, "q sums to 1.1, expected 1"),
    "q, empty": (lambda: importance_weights([], []), ValueError, "q must have at least one entry"),
    "q, shape": (lambda: importance_weights([[1.0]], [0]), ValueError, r"q must have shape \(n_instances,\)"),
    "q, another pool": (
        lambda: estimate(MEASURE, MODEL, [0.5, 0.3, 0.2], [0], [0]),
        ValueError,
        "q has 3 entries, but the predictions are for 2",
    ),
    "draw outside": (
        lambda: importance_weights([0.5, 0.5], [0, 2]),
        ValueError,
        r"draws\[1\] is 2.* from 0 to 1",
    ),
    "draw negative": (lambda: importance_weights([0.5, 0.5], [-1]), ValueError, r"draws\[0\] is -1"),
    "draw with q = 0": (
        lambda: importance_weights([1.0, 0.0], [0, 1]),
        ValueError,
        r"draws\[1\] is 1, but q\[1\] is 0",
    ),
    "draw fractional": (lambda: importance_weights([0.5, 0.5], [0.5]), TypeError, "draws must be integers"),
    "draws, shape": (
        lambda: importance_weights([0.5, 0.5], [[0]]),
        ValueError,
        r"draws must have shape \(n_draws,\)",
    ),
    "n_draws negative": (lambda: draw([1.0], -1, RNG), ValueError, "n_draws must be an integer >= 0, got -1"),
    "n_draws fractional": (
        lambda: draw([1.0], 2.0, RNG),
        TypeError,
        "n_draws must be an integer >= 0, got 2.0",
    ),
    "seed for rng": (lambda: draw([1.0], 1, 42), TypeError, "rng must be a numpy.random.Generator, got 42"),
    "legacy rng": (
        lambda: draw([1.0], 1, np.random.RandomState(0)),
        TypeError,
        "rng must be a numpy.random.Generator",
    ),
    "n_instances": (lambda: uniform_q(0), ValueError, "n_instances must be an integer >= 1, got 0"),
    "costs, zero": (lambda: make_q(costs=[1, 0]), ValueError, r"costs\[1\] is 0.0, expected a cost > 0"),
    "costs, negative": (
        lambda: make_q(costs=[-1, 1]),
        ValueError,
        r"costs\[0\] is -1.0, expected a cost > 0",
    ),
    "costs, NaN": (lambda: make_q(costs=[1, np.nan]), ValueError, r"costs\[1\] is nan"),
    "costs, number": (lambda: make_q(costs=[1]), ValueError, "costs has 1 entries"),
    "defensive": (
        lambda: make_q(defensive=1.5),
        ValueError,
        "defensive must be a number from 0 to 1, got 1.5",
    ),
    "no model": (lambda: optimal_q(MEASURE, []), ValueError, "at least one model"),
    "not a model": (lambda: optimal_q(MEASURE, [GOOD, GOOD]), TypeError, "predictions"),
    "models of other pools": (
        lambda: optimal_q(MEASURE, [MODEL, ClassPredictions([[0.5, 0.5]])]),
        ValueError,
        r"predictions\[1\] is for 1 instances, but predictions\[0\] is for 2",
    ),
    "models of other classes": (
        lambda: optimal_q(MEASURE, [MODEL, ClassPredictions(GOOD, classes=["a", "b"])]),
        ValueError,
        r"predictions\[1\] has the classes \['a', 'b'\]",
    ),
    "prefix beyond the draws": (
        lambda: estimate_trajectory(MEASURE, MODEL, [0.5, 0.5], [0], [0], at=[2]),
        ValueError,
        "at holds 2, expected at most the number of draws, 1",
    ),
    "prefix negative": (
        lambda: estimate_trajectory(MEASURE, MODEL, [0.5, 0.5], [0], [0], at=[-1]),
        ValueError,
        "at must be an integer >= 0, got -1",
    ),
}

PROBA = {"a": [0.5, 0.5], "b": [0.2, 0.8]}
RANKING = RankingPredictions([["a", "b"], ["b"]], [PROBA, PROBA], grades=[0, 1])
VALUES = ValuePredictions([1.0, 2.0], variance=[0.1, 0.2])
rank = partial(RankingPredictions, [["a", "b"]])
grade = partial(estimate, DCG(), RANKING, [0.5, 0.5], [0, 1])
repeat = partial(replicate, MEASURE, MODEL, [0, 1])
options = {"methods": ["passive"], "budgets": [5], "n_replications": 3, "rng": RNG}

CASES |= {
    "beta 0": (lambda: FMeasure(beta=0), ValueError, "beta must be a number > 0, got 0"),
    "beta NaN": (lambda: MacroF(beta=np.nan), ValueError, "beta must be a number > 0, got nan"),
    "beta text": (lambda: FMeasure(beta="1"), TypeError, "beta must be a number > 0, got '1'"),
    "eta": (lambda: FMeasure.from_eta(1.2), ValueError, "eta must be a number from 0 to 1, got 1.2"),
    "positive class of q": (
        lambda: optimal_q(FMeasure(positive=2), MODEL),
        ValueError,
        r"positive is 2, .*\[0, 1\]",
    ),
    "positive class of a pool": (
        lambda: pool_value(Recall("spam"), MODEL, [0, 1]),
        ValueError,
        "positive is 'spam'",
    ),
    "positive class of an estimate": (
        lambda: estimate(Specificity(7), MODEL, [0.5, 0.5], [0], [0]),
        ValueError,
        "positive is 7, expected one of the classes",
    ),
    "cost matrix, shape": (lambda: CostMatrix([[0, 1, 2], [1, 0, 2]]), ValueError, "square matrix"),
    "cost matrix, NaN": (lambda: CostMatrix([[0, np.nan], [1, 0]]), ValueError, r"costs\[0, 1\] is nan"),
    "cost matrix, vector": (
        lambda: CostMatrix([0, 1]),
        ValueError,
        r"costs must have shape \(n_classes, n_classes\)",
    ),
    "cost matrix, classes": (
        lambda: optimal_q(CostMatrix(np.eye(3)), MODEL),
        ValueError,
        "predictions have 2 classes",
    ),
    "kind of predictions": (
        lambda: optimal_q(MEASURE, VALUES),
        TypeError,
        "takes ClassPredictions, got ValueP",
    ),
    "kind for values": (
        lambda: optimal_q(SquaredError(), MODEL),
        TypeError,
        "takes ValuePredictions, got ClassP",
    ),
    "kind for rankings": (lambda: optimal_q(ERR(), MODEL), TypeError, "ERR.* takes RankingPredictions, got"),
    "kind in an estimate": (
        lambda: estimate(CohenKappa(), VALUES, [0.5, 0.5], [0], [0]),
        TypeError,
        "takes ClassPredictions, got ValuePredictions",
    ),
    "mixed kinds": (
        lambda: optimal_q(MEASURE, [MODEL, VALUES]),
        TypeError,
        r"predictions\[1\] is ValuePredictions",
    ),
    "three models": (
        lambda: estimate(MEASURE, [MODEL] * 3, [0.5, 0.5], [0], [0]),
        ValueError,
        "about one model or two, and predictions hold 3 models: see compare_all",
    ),
    "q 0 where models differ": (
        lambda: estimate(MEASURE, [MODEL, ClassPredictions(GOOD[::-1])], [1.0, 0.0], [0], [0]),
        ValueError,
        r"q\[1\] is 0, but the models differ there",
    ),
    "belief of another pool": (
        lambda: make_q(belief=ClassPredictions([[0.5, 0.5]])),
        ValueError,
        r"predictions\[1\] is for 1 instances",
    ),
    "mean NaN": (lambda: ValuePredictions([1.0, np.nan]), ValueError, r"mean\[1\] is nan"),
    "mean of durations": (
        lambda: ValuePredictions(np.array([1, 2], dtype="timedelta64[s]")),
        TypeError,
        r"mean must be .*: it holds times: convert them, say to days",
    ),
    "mean too large": (
        lambda: ValuePredictions([1.0, -1e60]),
        ValueError,
        r"mean\[1\] is -1e\+60, .* 1e\+30",
    ),
    "variance too large": (lambda: ValuePredictions([1.0], [1e100]), ValueError, r"variance\[0\] is 1e\+100"),
    "value too large": (
        lambda: pool_value(SquaredError(), VALUES, [1.0, 1e33]),
        ValueError,
        r"y_true\[1\] is 1e\+33",
    ),
    "mean empty": (lambda: ValuePredictions([]), ValueError, "mean must have at least one entry"),
    "variance negative": (lambda: ValuePredictions([1.0], [-1.0]), ValueError, r"variance\[0\] is -1.0"),
    "variance, number": (lambda: ValuePredictions([1.0], [1.0, 2.0]), ValueError, "variance has 2 entries"),
    "value label NaN": (
        lambda: estimate(SquaredError(), VALUES, [0.5, 0.5], [0, 1], [1.0, np.inf]),
        ValueError,
        r"y_true\[1\] is inf",
    ),
    "value label text": (
        lambda: pool_value(AbsoluteError(), VALUES, ["a", "b"]),
        TypeError,
        "y_true must be an array",
    ),
    "variance unknown": (
        lambda: asymptotic_variance(SquaredError(), ValuePredictions([1.0, 2.0]), [0.5, 0.5]),
        ValueError,
        "no variances",
    ),
    "grade below 0": (
        lambda: rank([PROBA], [-1, 0]),
        ValueError,
        r"grades\[0\] is -1.0, expected a grade >= 0",
    ),
    "no grade 0": (lambda: rank([PROBA], [1, 2]), ValueError, "grades must have the minimum 0"),
    "grade twice": (lambda: rank([PROBA], [0, 0]), ValueError, "grades must be distinct"),
    "one grade": (lambda: rank([PROBA], [0]), ValueError, "at least two grades"),
    "grade too great": (lambda: rank([PROBA], [0, 501]), ValueError, "at most 500"),
    "item without probabilities": (
        lambda: rank([{"a": [0.5, 0.5]}], [0, 1]),
        ValueError,
        r"rankings\[0\] names the item 'b', which has no probabilities",
    ),
    "item ranked twice": (
        lambda: RankingPredictions([["a", "b", "a"]], [PROBA], [0, 1]),
        ValueError,
        r"rankings\[0\] ranks the item 'a' twice",
    ),
    "relevance, sum": (
        lambda: rank([{"a": [0.5, 0.5], "b": [0.5, 0.4]}], [0, 1]),
        ValueError,
        r"relevance_proba\[0\]\['b'\] sums to 0.9",
    ),
    "relevance, negative": (
        lambda: rank([{"a": [0.5, 0.5], "b": [1.5, -0.5]}], [0, 1]),
        ValueError,
        r"relevance_proba\[0\]\['b', 1\] is -0.5",
    ),
    "relevance, NaN": (
        lambda: rank([{"a": [0.5, np.nan], "b": [0.5, 0.5]}], [0, 1]),
        ValueError,
        r"relevance_proba\[0\]\['a'\] is \[0.5, nan\]",
    ),
    "relevance, shape": (lambda: rank([PROBA], [0, 1, 2]), ValueError, r"shape \(2, 2\), expected \(2, 3\)"),
    "relevance, text": (
        lambda: rank([{"a": "x", "b": "y"}], [0, 1]),
        TypeError,
        r"relevance_proba\[0\] must hold",
    ),
    "relevance, queries": (
        lambda: rank([PROBA] * 2, [0, 1]),
        ValueError,
        "for 2 queries, but rankings is for 1",
    ),
    "no queries": (lambda: RankingPredictions([], [], [0, 1]), ValueError, "at least one query"),
    "queries with their ids": (
        lambda: RankingPredictions({"q1": ["a", "b"]}, [PROBA], [0, 1]),
        TypeError,
        r"rankings must be a list of lists of items, got {'q1': \['a', 'b'\]}: list\(run.values\(\)\)",
    ),
    "ranks of queries with their ids": (
        lambda: relevance_by_rank({"q1": ["a", "b"]}, [0, 1]),
        TypeError,
        "rankings must be a list of lists",
    ),
    "a number for items": (
        lambda: RankingPredictions([7], [PROBA], [0, 1]),
        TypeError,
        r"rankings\[0\] must be a list of items in ranked order, got 7",
    ),
    "items with their scores": (
        lambda: RankingPredictions([{"a": 0.9, "b": 0.1}], [PROBA], [0, 1]),
        TypeError,
        r"rankings\[0\] must be a list of items in ranked order, got {'a': 0.9, 'b': 0.1}",
    ),
    "an item that is not a number": (
        lambda: RankingPredictions([["a", np.nan]], [PROBA], [0, 1]),
        TypeError,
        r"rankings\[0\]\[1\] is nan, expected an item's id",
    ),
    "no item": (
        lambda: RankingPredictions([["a", None]], [[[1, 0], [1, 0]]], [0, 1]),
        TypeError,
        r"rankings\[0\]\[1\] is None, expected an item's id",
    ),
    "a list for an item": (
        lambda: relevance_by_rank([["a", ["b"]]], [0, 1]),
        TypeError,
        r"rankings\[0\]\[1\] is \['b'\], expected an item's id",
    ),
    "other grades": (
        lambda: optimal_q(DCG(), [RANKING, RankingPredictions([["a"]] * 2, [PROBA] * 2, [0, 2])]),
        ValueError,
        r"predictions\[1\] has the grades \[0.0, 2.0\], but predictions\[0\] has the grades \[0.0, 1.0\]",
    ),
    "item unknown to the belief": (
        lambda: optimal_q(
            DCG(), RANKING, belief=RankingPredictions([["b"]] * 2, [{"b": [1, 0]}] * 2, [0, 1])
        ),
        ValueError,
        "relevance of item 'a' of query 0 is not known",
    ),
    "cutoff": (lambda: DCG(cutoff=0), ValueError, "cutoff must be an integer >= 1, got 0"),
    "max_grade": (lambda: optimal_q(ERR(max_grade=0.5), RANKING), ValueError, "max_grade is 0.5, .* grade 1"),
    "max_grade 0": (lambda: ERR(max_grade=0), ValueError, "max_grade must be a number > 0, got 0"),
    "max_grade too great": (lambda: ERR(max_grade=1e4), ValueError, "max_grade must be at most 500"),
    "item without a grade": (
        lambda: grade([{"a": 1}, {"b": 0}]),
        ValueError,
        r"y_true\[0\] has no grade for .* 'b'",
    ),
    "unknown grade": (
        lambda: grade([{"a": 1, "b": 1}, {"b": 3}]),
        ValueError,
        r"y_true\[1\] has the grade 3",
    ),
    "grade in words": (
        lambda: grade([{"a": 1, "b": "bad"}, {"b": 0}]),
        TypeError,
        r"y_true must hold grades of \[0.0, 1.0\]: could not convert string to float: 'bad'",
    ),
    "grades of another length": (
        lambda: grade([[1, 0], [1, 1]]),
        ValueError,
        r"y_true\[1\] is \[1, 1\], expected",
    ),
    "a grade alone": (lambda: grade([1, 0]), ValueError, r"y_true\[0\] is 1, expected a mapping"),
    "grades in the order of two rankings": (
        lambda: estimate(DCG(), [RANKING, RANKING], [0.5, 0.5], [1], [[1]]),
        ValueError,
        r"y_true\[0\] is \[1\], expected a mapping from item to grade: two rankings have no common order",
    ),
    "replicated grades in order": (
        lambda: replicate(DCG(), [RANKING, RANKING], [[1, 0], [1]], **options),
        ValueError,
        "two rankings have no common order",
    ),
    "ranking labels": (lambda: grade([{"a": 1, "b": 1}]), ValueError, "one label for each of 2 draws, got 1"),
    "recipe": (
        lambda: recipe_q("activ", MEASURE, MODEL),
        ValueError,
        "recipe must be one of .*, got 'activ'",
    ),
    "recipe without costs": (lambda: recipe_q("active_lambda", MEASURE, MODEL), ValueError, "needs costs"),
    "recipe for two": (
        lambda: recipe_q("active_inf", SquaredError(), VALUES),
        ValueError,
        "is about two models, and predictions hold one model",
    ),
    "recipe for rankings": (
        lambda: recipe_q("active_uniD", MEASURE, MODEL),
        TypeError,
        "takes RankingPredictions",
    ),
    "disagreement of pools": (lambda: disagreement_q([0, 1], [0]), ValueError, "same pool, got 2 and 1"),
    "disagreement of values": (
        lambda: disagreement_q(VALUES, MODEL),
        TypeError,
        "a must be ClassPredictions",
    ),
    "disagreement, shape": (
        lambda: disagreement_q([[0]], [[1]]),
        ValueError,
        r"a must have shape \(n_instances,\)",
    ),
    "difference of classes": (
        lambda: absolute_difference_q(VALUES, MODEL),
        TypeError,
        "b must be ValuePredictions",
    ),
    "difference of pools": (
        lambda: squared_difference_q([1.0], [1.0, 2.0]),
        ValueError,
        "same pool, got 1 and 2",
    ),
    "difference NaN": (lambda: squared_difference_q([np.nan], [1.0]), ValueError, r"a\[0\] is nan"),
    "cost_q, zero": (lambda: cost_q([1.0, 0.0]), ValueError, r"costs\[1\] is 0.0, expected a cost > 0"),
    "cost_q, empty": (lambda: cost_q([]), ValueError, "number of costs must be an integer >= 1"),
    "budget": (lambda: expected_draws([1.0], [1.0], 0), ValueError, "budget must be a number > 0, got 0"),
    "power, deviation": (
        lambda: wald_power(0.1, 0, 5),
        ValueError,
        "standard_deviation must be a number > 0",
    ),
    "power, draws": (lambda: wald_power(0.1, 1, 0), ValueError, "n_draws must be an integer >= 1, got 0"),
    "power of no difference": (
        lambda: draws_for_power(0, 1),
        ValueError,
        r"abs\(difference\) must be a number > 0",
    ),
    "power 1": (
        lambda: draws_for_power(1, 1, power=1),
        ValueError,
        "power must be a number strictly between",
    ),
    "compare one": (
        lambda: compare_all(MEASURE, [MODEL], [0.5, 0.5], [0, 1], [0, 1]),
        ValueError,
        "about two models or more, and predictions hold one model",
    ),
    "compare after one draw": (
        lambda: compare_all(MEASURE, [MODEL] * 2, [0.5, 0.5], [0], [0]),
        ValueError,
        "at least two draws, got 1",
    ),
    "correction": (
        lambda: compare_all(MEASURE, [MODEL] * 2, [0.5, 0.5], [0, 1], [0, 1], correction="none"),
        ValueError,
        "correction must be one of .*, got 'none'",
    ),
    "method": (
        lambda: repeat(**options | {"methods": ["pasive"]}),
        ValueError,
        "methods must be one of .*'pasive'",
    ),
    "method, a name alone": (
        lambda: repeat(**options | {"methods": "passive"}),
        TypeError,
        "sequence of names",
    ),
    "no method": (lambda: repeat(**options | {"methods": []}), ValueError, "at least one method"),
    "method's q": (lambda: repeat(**options | {"methods": {"q": [1.0]}}), ValueError, "q has 1 entries"),
    "stratified F": (
        lambda: replicate(Precision(), MODEL, [0, 1], **options | {"methods": ["stratified"]}),
        ValueError,
        "'stratified' is for risks, got precision",
    ),
    "budgets, order": (lambda: repeat(**options | {"budgets": [5, 2]}), ValueError, "ascending"),
    "budgets, none": (
        lambda: repeat(**options | {"budgets": []}),
        ValueError,
        "ascending positive numbers, at least",
    ),
    "budgets, zero": (
        lambda: repeat(**options | {"budgets": [0]}),
        ValueError,
        "budgets must be a number > 0",
    ),
    "budgets, fraction": (
        lambda: repeat(**options | {"budgets": [2.5]}),
        ValueError,
        "whole numbers of draws",
    ),
    "replications": (
        lambda: repeat(**options | {"n_replications": 0}),
        ValueError,
        "n_replications must be an int",
    ),
    "replicate, seed": (
        lambda: repeat(**options | {"rng": 3}),
        TypeError,
        "rng must be a numpy.random.Generator",
    ),
    "replicate, interval": (
        lambda: repeat(**options, interval="wilson"),
        ValueError,
        "interval must be one of",
    ),
    "processes": (
        lambda: repeat(**options, n_processes=0),
        ValueError,
        "n_processes must be an integer >= 1",
    ),
    "replicate, labels": (
        lambda: replicate(MEASURE, MODEL, [0], **options),
        ValueError,
        "each of 2 instances",
    ),
    "replicate, undefined": (
        lambda: replicate(Recall(), MODEL, [0, 0], **options),
        ValueError,
        r"recall is not defined on this pool: \[nan\]",
    ),
}


def make_estimate_of(labels):
    return estimate(MEASURE, MODEL, [0.5, 0.5], [0, 1], labels)


@pytest.mark.parametrize("case", CASES)
def test_bad_input_has_one_clear_error(case):
    call, error, message = CASES[case]
    with pytest.raises(error, match=message):
        call()
