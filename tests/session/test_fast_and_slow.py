"""Who answers fast must not weigh more, in real sessions: a small part of `benchmarks/fast_and_slow.py`."""

from importlib import import_module

import numpy as np


def test_all_labels_lean_toward_what_is_easy_and_those_that_count_do_not() -> None:
    rows = import_module("fast_and_slow").run(24, seed=7)
    error = rows[:, 0].std() / np.sqrt(len(rows))
    assert rows[:, 0].mean() < -4 * error  # too few mistakes: they are among what is difficult
    assert rows[:, 1].mean() < 0.75  # the usual interval around all labels
    assert rows[:, 3].mean() >= 0.9  # the page's interval, at the first draw that somebody still has
