"""Handwritten digits, for one classifier or for comparing two."""

from typing import NamedTuple

import numpy as np

from activeeval_widgets.demos.demo import Demo, read_arrays
from activeeval_widgets.session.findings.goals import Goal
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats import ClassPredictions, ErrorRate
from activeeval_widgets.stats._typing import AnyArray, IntArray

N_TRAIN = 100

GUIDELINES = """\
Press the digit that the writer meant. Some are hard to read: make your best guess, or exclude what nobody
could read.

**The data.** 1,797 digits of 8×8 pixels by 13 writers (Alpaydin and Kaynak, *Optical Recognition of
Handwritten Digits*, UCI Machine Learning Repository, 1998; CC BY 4.0). {models} learned from 100 of them, and
you label the others."""


class Digits(NamedTuple):
    """All digits, and the indices of those in the training set and in the pool."""

    images: AnyArray
    y_true: AnyArray
    train: IntArray
    pool: IntArray


def load_digit_images() -> Digits:
    """Read the digits."""
    arrays = read_arrays("digits/digits.npz")
    order = np.random.default_rng(0).permutation(len(arrays["y"]))
    return Digits(
        arrays["X"].astype(float),
        arrays["y"].astype(np.int64),
        train=order[:N_TRAIN],
        pool=np.sort(order[N_TRAIN:]),
    )


def digits() -> Demo:
    """Estimate the error rate of a logistic regression trained on 100 digits; the other 1,697 are the pool.

    References
    ----------
    Alpaydin and Kaynak, Optical Recognition of Handwritten Digits, UCI Machine Learning Repository, 1998.
    """
    return _demo(
        ["logistic regression"],
        title="Handwritten digits",
        intro="A model sorted {n:,} digits. Your labels tell how often it is wrong.",
        guidelines=GUIDELINES.format(models="A logistic regression"),
        goal=Goal(half_width=0.06),
    )


def compare() -> Demo:
    """Return the pool of `digits` with a second model, ten nearest neighbors of the same 100 digits."""
    return _demo(
        ["logistic regression", "nearest neighbors"],
        title="Handwritten digits: two models",
        intro="Two models sorted {n:,} digits. Your labels tell which is wrong less often.",
        guidelines=GUIDELINES.format(
            models="A logistic regression and a classifier by ten nearest neighbors"
        ),
        goal=Goal(threshold=0.0),
    )


def _demo(models: list[str], *, title: str, intro: str, guidelines: str, goal: Goal) -> Demo:
    images, y_true, _, rest = load_digit_images()
    proba = read_arrays("predictions/digits.npz")
    predictions = [ClassPredictions(proba[name], classes=np.arange(10), name=name) for name in models]
    pool = Pool(
        images[rest],
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
