"""Handwritten digits: one classifier, or two that are compared."""

from typing import Any

import numpy as np

from activeeval_widgets.demos.demo import Demo
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.session.reading.goals import Goal
from activeeval_widgets.stats import ClassPredictions, ErrorRate
from activeeval_widgets.stats._typing import AnyArray

N_TRAIN = 100

GUIDELINES = """\
Press the digit that the writer meant. Some are hard to read: make your best guess, or exclude what nobody
could read.

**The data.** 1,797 digits of 8×8 pixels by 43 writers (Alpaydin and Kaynak, *Optical Recognition of
Handwritten Digits*, UCI Machine Learning Repository, 1998). {models} learned from 100 of them, and you
label the others."""


def digits() -> Demo:
    """Handwritten digits of 8×8 pixels: a logistic regression learned from 100, the other 1,697 are the pool.

    Raises
    ------
    ModuleNotFoundError
        If scikit-learn, which holds the data, is not installed.

    References
    ----------
    Alpaydin and Kaynak, Optical Recognition of Handwritten Digits, UCI Machine Learning Repository, 1998.
    """
    return _demo(
        [_logistic_regression],
        title="Handwritten digits",
        intro="A model sorted {n:,} digits. Your labels tell how often it is wrong.",
        guidelines=GUIDELINES.format(models="A logistic regression"),
        goal=Goal(half_width=0.06),
    )


def compare() -> Demo:
    """The pool of `digits`, with a second model learned from the same 100: their ten nearest neighbors.

    Raises
    ------
    ModuleNotFoundError
        If scikit-learn, which holds the data, is not installed.
    """
    return _demo(
        [_logistic_regression, _nearest_neighbors],
        title="Handwritten digits: two models",
        intro="Two models sorted {n:,} digits. Your labels tell which is wrong less often.",
        guidelines=GUIDELINES.format(
            models="A logistic regression and a classifier by ten nearest neighbors"
        ),
        goal=Goal(threshold=0.0),
    )


def _demo(fits: list[Any], *, title: str, intro: str, guidelines: str, goal: Goal) -> Demo:
    from sklearn.datasets import load_digits

    images, y_true = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y_true))
    train, rest = order[:N_TRAIN], np.sort(order[N_TRAIN:])
    predictions = [fit(images[train], y_true[train], images[rest]) for fit in fits]
    pool = Pool(
        images[rest].reshape(-1, 8, 8),
        predictions=predictions[0] if len(predictions) == 1 else predictions,
        ids=[f"digit-{i}" for i in rest],
    )
    return Demo(
        title=title,
        intro=intro.format(n=len(rest)),
        reasons=("unreadable", "not a digit", "more than one digit"),
        question="Which digit is this?",
        guidelines=guidelines,
        pool=pool,
        measure=ErrorRate(),
        y_true=y_true[rest],
        goal=goal,
    )


def _logistic_regression(images: AnyArray, y_true: AnyArray, pool: AnyArray) -> ClassPredictions:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=0.1, max_iter=1000).fit(images, y_true)
    return _predictions(model, pool, "logistic regression")


def _nearest_neighbors(images: AnyArray, y_true: AnyArray, pool: AnyArray) -> ClassPredictions:
    from sklearn.neighbors import KNeighborsClassifier

    model = KNeighborsClassifier(10, weights="distance").fit(images, y_true)
    return _predictions(model, pool, "nearest neighbors")


def _predictions(model: Any, pool: AnyArray, name: str) -> ClassPredictions:
    # Rounded: the last bits depend on the number of threads and the processor.
    return ClassPredictions(np.round(model.predict_proba(pool), 6), classes=model.classes_, name=name)
