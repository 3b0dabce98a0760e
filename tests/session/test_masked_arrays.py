"""Masked values are refused by pools and sessions, as are labels that are times."""

import re
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from activeeval_widgets.session import Pool, Session
from activeeval_widgets.stats import ErrorRate, SquaredError, ValuePredictions

TEXTS = ["so good", "so bad"]
PROBA = [[0.9, 0.1], [0.4, 0.6]]


def masked(values: Any) -> Any:
    """Return a masked array whose last value is missing."""
    found = np.ma.masked_array(values)
    found[(-1,) * found.ndim] = np.ma.masked
    return found


CASES: dict[str, dict[str, Any]] = {
    "instances[1]": {"instances": masked(TEXTS)},
    "ids[1]": {"ids": masked(["a", "b"])},
    "groups[1]": {"groups": masked(["a", "b"])},
    "costs[1]": {"costs": masked([1.0, 2.0])},
    "labels[1]": {"labels": masked([0, 1])},
    "drawn[1]": {"labels": [0, None], "drawn": masked([0.5, 0.5])},
    "predictions[1]": {"predictions": masked(["a", "b"])},
    "predictions[1, 1]": {"predictions": masked(PROBA)},
    "predictions of 'new': predictions[1]": {"predictions": {"old": ["a", "b"], "new": masked(["a", "b"])}},
    "classes[1]": {"predictions": None, "classes": masked(["a", "b"])},
    "features[1, 1]": {"predictions": LogisticRegression().fit(PROBA, [0, 1]), "features": masked(PROBA)},
}


@pytest.mark.parametrize("where", CASES)
def test_pools_refuse_masked_values(where: str) -> None:
    given = {"instances": TEXTS, "predictions": PROBA} | CASES[where]
    with pytest.raises(ValueError, match=f"^{re.escape(where)} is masked, expected a value"):
        Pool(given.pop("instances"), **given)


def test_pools_take_masked_arrays_without_masked_values() -> None:
    whole = np.ma.masked_array
    pool = Pool(TEXTS, predictions=whole(PROBA), ids=whole(["a", "b"]), costs=whole([1.0, 2.0]))
    assert pool.ids == ["a", "b"]


@pytest.mark.parametrize("given", [np.ma.masked, np.ma.masked_array(1.0, True)])
def test_a_masked_label_is_refused(given: Any) -> None:
    number = Session(Pool(TEXTS, predictions=ValuePredictions([1.0, 2.0])), SquaredError())
    label = Session(Pool(TEXTS, predictions=PROBA), ErrorRate())
    for session in (number, label):
        with pytest.raises(ValueError, match=r"^label is masked, expected a value"):
            session.label(given)
        assert not session.n_labels


@pytest.mark.parametrize(
    "given", [np.timedelta64(5, "s"), np.array(np.timedelta64(5, "ns")), np.array(np.datetime64(5, "ns"))]
)
def test_a_time_is_no_number(given: Any) -> None:
    session = Session(Pool(TEXTS, predictions=ValuePredictions([1.0, 2.0])), SquaredError())
    with pytest.raises(TypeError, match=r"^label must be a finite number, got"):
        session.label(given)
    with pytest.raises(TypeError, match="labels, id '0': label must be a finite number"):
        Session(Pool(TEXTS, predictions=ValuePredictions([1.0, 2.0]), labels=[given, None]), SquaredError())
