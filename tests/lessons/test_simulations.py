"""What was simulated for the lessons: a part of each file, made anew."""

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression

from activeeval_widgets.lessons import simulated
from activeeval_widgets.lessons.simulated import FOLDER

TOOLS = Path(__file__).parents[2] / "tools"
NAMES = sorted(path.stem for path in (TOOLS / "lesson_simulations").glob("*.py") if path.stem != "__init__")


def plain(value: Any) -> Any:
    """As it is in the file."""
    return json.loads(json.dumps(value))


def assert_alike(made: Any, kept: Any) -> None:
    if isinstance(kept, dict):
        assert made.keys() == kept.keys()
        for key, value in kept.items():
            assert_alike(made[key], value)
    elif isinstance(kept, list):
        assert len(made) == len(kept)
        for one, other in zip(made, kept, strict=True):
            assert_alike(one, other)
    elif isinstance(kept, float):
        assert made == pytest.approx(kept, rel=1e-6, abs=1e-9)
    else:
        assert made == kept


def test_every_file_has_its_simulation() -> None:
    assert [path.stem for path in sorted(FOLDER.glob("*.json"))] == NAMES


def test_an_unknown_one_is_one_clear_message() -> None:
    with pytest.raises(ValueError, match="name must be that of a simulation, got 'nothing'; there are: "):
        simulated("nothing")


def no_fit(estimator: BaseEstimator) -> None:
    """Take the place of what each fit begins with."""
    raise AssertionError(f"{estimator} is fitted")


def test_a_fit_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BaseEstimator, "_validate_params", no_fit)
    with pytest.raises(AssertionError, match="is fitted"):
        LogisticRegression().fit([[0], [1]], [0, 1])


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_is_found_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(TOOLS)
    # The last bits of a fit differ between processors: all follows from predictions that are kept.
    monkeypatch.setattr(BaseEstimator, "_validate_params", no_fit)
    try:
        made = import_module(f"lesson_simulations.{name}").first()
    finally:
        for module in [m for m in sys.modules if m.startswith("lesson_simulations")]:
            del sys.modules[module]
    kept = simulated(name)
    assert kept["first"]
    assert {"seed", "n_sessions", "script", "version"} <= kept.keys()
    assert_alike(plain(made), kept["first"])
