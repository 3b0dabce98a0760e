"""What public results say when a notebook shows them: a sentence, and no array."""

import re
from typing import Any

import numpy as np

from activeeval_widgets import Pool, Session
from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    FMeasure,
    estimate,
    replicate,
    sequential_selection,
    uniform_q,
)

from ..labeling import give_labels

N = 60


def labeled(n_models: int = 1, measure: Any = None, n_labels: int = 40) -> Session:
    """A session whose labels are drawn from what the first model says."""
    rng = np.random.default_rng(3)
    models = [
        ClassPredictions(rng.dirichlet([1, 1], N), classes=["ham", "spam"], name=f"model {k}")
        for k in range(n_models)
    ]
    y_true = (rng.random(N) < models[0].y_proba[:, 1]).astype(int)
    pool = Pool([f"text {i}" for i in range(N)], predictions=models if n_models > 1 else models[0])
    session = Session(pool, measure or ErrorRate(), seed=1)
    give_labels(session, lambda i: ["ham", "spam"][y_true[i]], n_labels)
    return session


def test_an_estimate_says_what_it_is_of() -> None:
    session = labeled(measure=FMeasure(positive="spam"))
    found = session.estimate()
    assert repr(found) == f"<{str(session).replace('of 60 ', '')}>"
    assert repr(found).startswith("<F1 of spam: 0.")
    assert repr(found).endswith(") after 40 labels>")
    assert "–" in repr(found)


def test_a_difference_has_a_sign_and_points() -> None:
    text = repr(labeled(2).estimate()).replace("\N{NO-BREAK SPACE}", " ")
    assert text.startswith("<Difference in error rate: ")
    assert re.search(r": [+−][0-9.]+ points \([+−][0-9.]+ to [+−][0-9.]+ points\) after 40 labels>$", text)


def test_an_interval_for_a_fixed_number_of_draws_is_called_approximate() -> None:
    model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    found = estimate(ErrorRate(), model, uniform_q(3), [0, 1, 2], [0, 0, 1], interval="clopper_pearson")
    assert repr(found) == "<Error rate: 33% (0%–91%) after 3 labels>"
    wald = estimate(ErrorRate(), model, uniform_q(3), [0, 1, 2], [0, 0, 1])
    assert "(approximately 0%–" in repr(wald)
    assert (
        repr(estimate(ErrorRate(), model, uniform_q(3), [], []))
        == "<Error rate: not known yet, after 0 labels>"
    )


def results() -> dict[str, Any]:
    """A result of each kind that holds arrays or estimates."""
    one, two = labeled(measure=FMeasure(positive="spam")), labeled(2)
    models, draws = list(two.models), np.arange(N)
    y_true = np.where(np.arange(N) % 3 == 0, "spam", "ham")
    replicated = replicate(
        ErrorRate(),
        models[0],
        y_true,
        methods=("passive",),
        budgets=[10],
        n_replications=2,
        rng=np.random.default_rng(0),
    )
    return {
        "calibration": one.calibration(),
        "confusion": one.confusion(),
        "confusions": two.confusions(),
        "threshold": one.best_threshold(),
        "judge": one.judge(),
        "judge's bias": one.judge().bias,
        "verdict": two.verdict(),
        "who was right": two.who_was_right(),
        "leaderboard": labeled(3).leaderboard(),
        "selection": sequential_selection(ErrorRate(), models, uniform_q(N), draws, y_true),
        "replications": replicated,
    }


BEGINNINGS = {
    "calibration": "<Calibration error: 0.",
    "confusion": "<Confusion matrix of 2 classes after 40 labels, ",
    "confusions": "<Two confusion matrices: <Confusion matrix of 2 classes after 40 labels, ",
    "threshold": "<Best of ",
    "judge": "<model 0 by itself says ",
    "judge's bias": "<Difference in share of ham: ",
    "verdict": "<model 0 is better by at least ",
    "who was right": "<model 0 and model 1 differ on ",
    "leaderboard": "<Leaderboard of 3 models: model ",
    "selection": "<Selection among 2 models after 60 draws: ",
    "replications": "<Replications of passive: 1 rows with method, ",
}


def test_results_are_sentences() -> None:
    found = {name: repr(result) for name, result in results().items()}
    for name, text in found.items():
        assert text.startswith(BEGINNINGS[name]), text
        assert len(text) < 320, text
        assert "array(" not in text
        assert "Estimate(" not in text
