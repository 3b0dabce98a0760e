"""Who answers fast must not weigh more, in real sessions: a small part of `benchmarks/fast_and_slow.py`."""

import importlib.util
from pathlib import Path

import numpy as np


def test_all_labels_lean_toward_what_is_easy_and_those_that_count_do_not() -> None:
    path = Path(__file__).parents[2] / "benchmarks" / "fast_and_slow.py"
    spec = importlib.util.spec_from_file_location("fast_and_slow_benchmark", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    rows = module.run(24, seed=7)
    error = rows[:, 0].std() / np.sqrt(len(rows))
    assert rows[:, 0].mean() < -4 * error  # too few mistakes: they are among what is difficult
    assert rows[:, 1].mean() < 0.75  # the usual interval around all labels
    assert rows[:, 3].mean() >= 0.9  # the page's interval, at the first draw that somebody still has
