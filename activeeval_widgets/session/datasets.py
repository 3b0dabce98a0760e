"""The demos: a trained model, a pool for it, and the true labels to check against."""

from dataclasses import dataclass

import numpy as np

from activeeval_widgets.session.pool import Pool
from activeeval_widgets.stats import ClassPredictions, ErrorRate, Measure
from activeeval_widgets.stats._typing import AnyArray


@dataclass(frozen=True)
class Demo:
    """A labeling task to try the package on.

    Attributes
    ----------
    title : str
        What the page is headed with.
    question : str
        What the labeler is asked about each instance.
    pool : Pool
        The instances with the model's predictions.
    measure : Measure
        What is estimated.
    y_true : ndarray of shape (n_instances,)
        The true labels. The session never sees them.
    """

    title: str
    question: str
    pool: Pool
    measure: Measure
    y_true: AnyArray


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
    from sklearn.datasets import load_digits
    from sklearn.linear_model import LogisticRegression

    n_train = 100
    images, y_true = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y_true))
    train, rest = order[:n_train], np.sort(order[n_train:])
    model = LogisticRegression(C=0.1, max_iter=1000).fit(images[train], y_true[train])
    predictions = ClassPredictions(
        # Rounded: the last bits depend on the number of threads and the processor.
        np.round(model.predict_proba(images[rest]), 6),
        classes=model.classes_,
        name="logistic regression",
    )
    pool = Pool(images[rest].reshape(-1, 8, 8), predictions=predictions, ids=[f"digit-{i}" for i in rest])
    return Demo(
        title="Handwritten digits",
        question="Which digit is this?",
        pool=pool,
        measure=ErrorRate(),
        y_true=y_true[rest],
    )


DEMOS = {"digits": digits}
