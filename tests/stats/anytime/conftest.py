import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

from activeeval_widgets.stats import ClassPredictions


@pytest.fixture(scope="package")
def digits():
    """A model that learned from a hundred digits, and the labels of the others."""
    x, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(1797)
    train, pool = order[:100], order[100:]
    model = LogisticRegression(C=0.01, max_iter=1000).fit(x[train], y[train])
    return ClassPredictions(model.predict_proba(x[pool])), y[pool]
