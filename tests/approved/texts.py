"""Texts that one function makes of its arguments, in each of its cases."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf, nan
from typing import Any

import numpy as np
from labeling import give_labels

from activeeval_widgets import Goal, Pool, Session
from activeeval_widgets.session.findings.goal_plan import GoalProgress
from activeeval_widgets.session.report.result import result_of
from activeeval_widgets.stats import (
    DCG,
    ERR,
    NDCG,
    AbsoluteError,
    Accuracy,
    BalancedAccuracy,
    BrierScore,
    ClassPredictions,
    CohenKappa,
    CostMatrix,
    ErrorRate,
    Estimate,
    FMeasure,
    LogLoss,
    MacroF,
    MatthewsCorrelation,
    MeanAveragePrecision,
    Plan,
    Precision,
    PrecisionAt,
    RankingPredictions,
    Recall,
    RecallAt,
    ReciprocalRank,
    RootMeanSquaredError,
    RSquared,
    Specificity,
    SquaredError,
    UnpredictedClasses,
    ValuePredictions,
    WithinTolerance,
)
from activeeval_widgets.stats.quantities import Differences, Quantity
from activeeval_widgets.widgets.evaluation.goal import goal_content

SIZE = 60


def goals() -> Iterator[str]:
    """A page's goal: how far it is, and what is reached."""
    nothing = GoalProgress((), None, None, None, None, 0.0, 0.0)
    narrow, decided = Goal(half_width=0.02), Goal(threshold=0.05)
    plans = [
        *((143, 91, 207, 150), (1, 1, 1, 1), (inf, 5, inf, inf), (nan, 0, inf, nan), (143, 41, 407, 150)),
        *((1, 1, 312, 1), (143, 1, inf, 150)),
    ]
    cases = [
        *((narrow, {"to_half_width": Plan(*each), "seconds_per_label": 5}) for each in plans),
        (narrow, {"to_half_width": Plan(143, 91, 207, 150)}),
        (decided, {"to_decision": Plan(inf, 9, inf, inf)}),
        (decided, {"to_decision": Plan(30, 30, inf, 30)}),
        (decided, {"decision": "below"}),
        (decided, {"reached": ("threshold",), "decision": "above"}),
        (Goal(minutes=30, cost=500), {"minutes": 12.4, "cost": 80}),
        (Goal(half_width=0.02, minutes=3), {"reached": ("half_width", "minutes"), "minutes": 3.0}),
        (Goal(), {}),
    ]
    session = Session(Pool(["a", "b"], predictions=[[0.9, 0.1], [0.2, 0.8]]), ErrorRate())
    for goal, changes in cases:
        content = goal_content(session, goal, nothing._replace(**changes))
        yield " | ".join(filter(None, [*content["lines"], content["advice"]])) or "nothing"


def estimates() -> Iterator[str]:
    """An estimate, with as many digits as its interval carries."""
    numbers = (0.12437, 0.02, 0.0852, 0.1706, 130, 120, 110.0, 0.95)
    found = Estimate(*numbers, "difference", "confidence_sequence")
    yield from (str(found), found._repr_html_(), replace(found, is_asymptotic=False)._repr_html_())
    width_0 = {"quantity": Quantity(ErrorRate()), "low": found.value, "high": found.value}
    cases: list[dict[str, Any]] = [
        {},
        {"low": 0.0, "high": 1.0},
        {"value": 1234.5, "low": 1100.2, "high": 1300.7},
        {"value": nan, "low": 0.0, "high": 1.0},
        {"low": -inf, "high": inf},
        {"low": 0.12437, "high": 0.12437},
        {"n_labels": 1},
        {"n_labels": 12_000},
        {"value": nan, "n_draws": 0, "n_labels": 0},
        {"quantity": Quantity(ErrorRate())},
        {"quantity": Quantity(FMeasure(positive="spam")), "is_asymptotic": False},
        {"quantity": Differences(ErrorRate()), "low": -0.0123, "is_asymptotic": False},
        {"quantity": Quantity(NDCG()), "withheld": True},
        *({**width_0, "is_asymptotic": each} for each in (False, True)),
    ]
    for changes in cases:
        yield repr(replace(found, **changes))


def predictions() -> Iterator[str]:
    """Predictions of each kind."""
    yield repr(ClassPredictions(np.full((1234, 2), 0.5), name="old"))
    yield repr(ValuePredictions([1.0]))
    yield repr(ValuePredictions([1.0, 2.0], [1.0, 1.0]))
    yield repr(RankingPredictions([["a"]], [{"a": [0.5, 0.5]}], [0, 1]))
    yield repr(UnpredictedClasses(["a", "b"], 7))


def results() -> Iterator[str]:
    """The result in each measure, with some labels and with all."""
    p = np.where(np.arange(SIZE) < 10, 0.8, 0.2)
    classes = Pool(["text"] * SIZE, predictions=ClassPredictions(np.column_stack([1 - p, p])))
    means = ValuePredictions(np.full(SIZE, 2.0), np.ones(SIZE))
    values = Pool([{"x": i} for i in range(SIZE)], predictions=means)
    rankings = Pool(
        ["query"] * SIZE,
        predictions=RankingPredictions(
            [[0, 1]] * SIZE, [{0: [0.5, 0.5], 1: [0.9, 0.1]} for _ in range(SIZE)], grades=[0, 1]
        ),
        kind="custom",
    )
    zero, thirds = [0] * SIZE, [int(i % 3 == 0) for i in range(SIZE)]
    numbers = [3.0 if i % 2 else -1.0 for i in range(SIZE)]
    of_classes = (ErrorRate(), Accuracy(), CostMatrix([[0, 1], [3, 0]]), LogLoss(), BrierScore())
    of_one = (FMeasure(positive=0), Precision(positive=0), Recall(positive=0), Specificity(positive=1))
    of_all = (BalancedAccuracy(), MacroF(), MatthewsCorrelation(), CohenKappa())
    of_errors = (SquaredError(), RootMeanSquaredError(), RSquared(), WithinTolerance(1), AbsoluteError())
    of_lists = (NDCG(), ReciprocalRank(), PrecisionAt(2), RecallAt(2), MeanAveragePrecision())
    for measures, pool, labels in (
        ((*of_classes, *of_one), classes, zero),
        (of_all, classes, thirds),
        (of_errors, values, numbers),
        (of_lists, rankings, {"0": 0, "1": 1}),
        ((DCG(), ERR()), rankings, {"0": 1, "1": 0}),
    ):
        for measure in measures:
            session = Session(pool, measure)
            for n in (45, SIZE - 45):
                give_labels(session, labels, n, seconds=6.0)
                unit = "kg" if pool is values else None
                yield result_of(session.findings, session.watched(), unit=unit).answer


TEXTS: dict[str, Callable[[], Iterator[str]]] = {
    each.__name__: each for each in (goals, estimates, predictions, results)
}
