"""Combinations of pool, measure, protocol and seed, and how to run them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from activeeval_widgets import Goal
from activeeval_widgets.stats import (
    DCG,
    ERR,
    NDCG,
    ROCAUC,
    AbsoluteError,
    AbsoluteErrorQuantile,
    Accuracy,
    AveragePrecision,
    BalancedAccuracy,
    BestF,
    BrierScore,
    CalibrationError,
    CohenKappa,
    CostMatrix,
    ErrorRate,
    FMeasure,
    LabelShare,
    LogLoss,
    MacroF,
    MatthewsCorrelation,
    MeanValue,
    PassRate,
    Precision,
    PrecisionAt,
    Recall,
    RootMeanSquaredError,
    RSquared,
    RubricPassRate,
    Specificity,
    SquaredError,
    WinRate,
    WithinTolerance,
    uniform_q,
)
from golden_parts import tasks
from golden_parts.tasks import Task

PAPERS = {"protocol": "papers"}


@dataclass(frozen=True)
class Case:
    """A session to run.

    Attributes
    ----------
    task : callable
        Makes pool and labels.
    measure : Measure
        The measure to estimate.
    options : dict
        The session's options, in addition to the task's.
    n_labels : int
        Number of answers.
    excludes, defers, changes, undoes : int
        At every so many answers, exclude or defer the instance, or change or undo an earlier answer. 0:
        never.
    people : tuple of str
        Those who answer, in turns.
    """

    task: Callable[[], Task]
    measure: Any
    options: dict[str, Any] = field(default_factory=dict)
    n_labels: int = 80
    excludes: int = 0
    defers: int = 0
    changes: int = 0
    undoes: int = 0
    people: tuple[str, ...] = ()


def _groups(m: int, n_rare: int) -> list[str]:
    return ["rare" if i % (m // n_rare) == 0 else "usual" if i % 3 else "other" for i in range(m)]


def _given_q(m: int) -> Any:
    weights = 1 + np.arange(m) % 7
    return weights / weights.sum()


_CLASSES, _TWO, _THREE = (
    tasks.classes,
    partial(tasks.classes, n_models=2),
    partial(tasks.classes, n_classes=3),
)
_SEVERAL = partial(tasks.classes, n_models=4, seed=2)
_VALUES, _RANKINGS = tasks.values, tasks.rankings
_UNSURE = {"excludes": 9, "defers": 7, "changes": 11, "undoes": 13}

CASES: dict[str, Case] = {
    "error-rate": Case(_CLASSES, ErrorRate()),
    "error-rate, papers": Case(_CLASSES, ErrorRate(), PAPERS),
    "error-rate, unsure": Case(_CLASSES, ErrorRate(), {"seed": 1}, **_UNSURE),
    "error-rate, papers, unsure": Case(_CLASSES, ErrorRate(), {**PAPERS, "seed": 1}, **_UNSURE),
    "error-rate, all labeled": Case(partial(_CLASSES, m=45), ErrorRate(), {"seed": 2}, n_labels=45),
    "error-rate, 5 classes": Case(partial(_CLASSES, n_classes=5), ErrorRate(), {"budget": 60}, n_labels=60),
    "error-rate, costs": Case(
        partial(_CLASSES, pool={"costs": [1.0 + i % 4 for i in range(240)]}), ErrorRate(), {"seed": 3}
    ),
    "accuracy, groups": Case(
        partial(_CLASSES, pool={"groups": _groups(240, 20)}), Accuracy(), {"for_groups": True, "seed": 4}
    ),
    "accuracy, groups, papers": Case(
        partial(_CLASSES, pool={"groups": _groups(240, 20)}), Accuracy(), {**PAPERS, "for_groups": True}
    ),
    "error-rate, uniform": Case(_CLASSES, ErrorRate(), {"q": uniform_q(240)}),
    "recall, given q": Case(_CLASSES, Recall("yes"), {"q": _given_q(240), "seed": 2}),
    "error-rate, predicted classes": Case(partial(tasks.predicted, n_models=1), ErrorRate()),
    "f1": Case(_CLASSES, FMeasure(positive="yes"), {"seed": 5}),
    "f1, papers": Case(_CLASSES, FMeasure(positive="yes"), {**PAPERS, "seed": 5}),
    "precision, exclusions": Case(_CLASSES, Precision("yes"), {"seed": 6}, excludes=5),
    "recall": Case(partial(_CLASSES, seed=1), Recall("yes"), {"defensive": 0.3}),
    "specificity, scores": Case(tasks.scored, Specificity("yes")),
    "roc-auc": Case(_CLASSES, ROCAUC("yes"), {"seed": 7}),
    "average-precision": Case(_CLASSES, AveragePrecision("yes"), {"seed": 8}),
    "best-f": Case(_CLASSES, BestF(positive="yes"), {"seed": 9}, n_labels=60),
    "calibration-error": Case(_CLASSES, CalibrationError(), n_labels=60),
    "log-loss": Case(_THREE, LogLoss(), {"seed": 10}),
    "brier-score": Case(_THREE, BrierScore()),
    "cost-matrix": Case(_THREE, CostMatrix([[0, 1, 4], [2, 0, 1], [1, 3, 0]]), PAPERS),
    "balanced-accuracy": Case(_THREE, BalancedAccuracy(), {"seed": 11}),
    "macro-f, papers": Case(_THREE, MacroF(), PAPERS),
    "matthews": Case(_CLASSES, MatthewsCorrelation()),
    "kappa": Case(_THREE, CohenKappa(), {"seed": 12}),
    "difference, error-rate": Case(_TWO, ErrorRate(), {"margin": 0.05}, excludes=8),
    "difference, papers": Case(_TWO, ErrorRate(), PAPERS),
    "difference, f1": Case(_TWO, FMeasure(positive="yes"), {"seed": 13}),
    "difference, log-loss": Case(partial(_THREE, n_models=2), LogLoss(), {"seed": 14}),
    "difference, predicted classes": Case(tasks.predicted, ErrorRate(), {"seed": 15}),
    "difference, predicted classes, papers": Case(tasks.predicted, ErrorRate(), PAPERS),
    "best of 4": Case(_SEVERAL, ErrorRate(), n_labels=60),
    "best of 4, papers": Case(_SEVERAL, ErrorRate(), PAPERS, n_labels=60),
    "best of 3, f1, unsure": Case(
        partial(_SEVERAL, n_models=3), FMeasure(positive="yes"), {"seed": 16}, n_labels=50, **_UNSURE
    ),
    "squared-error": Case(_VALUES, SquaredError(), excludes=9),
    "squared-error, papers": Case(_VALUES, SquaredError(), PAPERS),
    "absolute-error, no variance": Case(partial(_VALUES, has_variance=False), AbsoluteError(), {"seed": 17}),
    "root-mean-squared": Case(_VALUES, RootMeanSquaredError(), {"seed": 18}),
    "r-squared": Case(_VALUES, RSquared()),
    "within-tolerance": Case(_VALUES, WithinTolerance(1.0), {"goal": Goal(half_width=0.1)}),
    "quantile of errors": Case(_VALUES, AbsoluteErrorQuantile(0.9), {"seed": 19}, n_labels=50),
    "difference, absolute-error": Case(partial(_VALUES, n_models=2), AbsoluteError()),
    "mean of labels": Case(_VALUES, MeanValue(), {"seed": 20}),
    "dcg": Case(_RANKINGS, DCG(3), excludes=9),
    "err, papers": Case(_RANKINGS, ERR(), PAPERS),
    "difference, ndcg": Case(partial(_RANKINGS, n_models=2), NDCG(4), {"seed": 21}, n_labels=50),
    "precision at 3": Case(_RANKINGS, PrecisionAt(3), {"seed": 22}),
    "rubric": Case(tasks.rubric, RubricPassRate()),
    "pass-rate, side by side": Case(tasks.pairs, PassRate(), {"seed": 23}),
    "label-share, no model": Case(
        partial(tasks.without_model, labels=("not spam", "spam")), LabelShare("spam"), excludes=6
    ),
    "label-share, model": Case(partial(_CLASSES, seed=4), LabelShare("yes"), {"seed": 24}),
    "win-rate, no model": Case(partial(tasks.without_model, labels=("A", "tie", "B")), WinRate()),
    "mean, no model, papers": Case(
        partial(tasks.without_model, labels=(1.0, 3.0, 4.5), y_range=(1.0, 5.0)), MeanValue(), PAPERS
    ),
    "streamed": Case(tasks.streamed, ErrorRate(), excludes=9),
    "streamed, f1": Case(tasks.streamed, FMeasure(positive="yes"), {"seed": 25}),
    "streamed, difference": Case(partial(tasks.streamed, n_models=2), ErrorRate()),
    "two raters": Case(_CLASSES, ErrorRate(), {"n_raters": 2}, people=("Ada", "Bob")),
    "second opinions": Case(_CLASSES, Recall("yes"), {"second_opinions": 0.4}, people=("Ada", "Bob", "Cy")),
    "two people": Case(_TWO, ErrorRate(), {"seed": 26}, people=("Ada", "Bob"), **_UNSURE),
}
"""All cases, by name."""
