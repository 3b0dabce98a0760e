"""What the examples of docstrings may use without an import, and how they are run."""

import doctest
import importlib
from typing import Any

import numpy as np
import pandas as pd

from activeeval_widgets import Pool, Session, compare, evaluate, stats
from activeeval_widgets import session as session_layer


def namespace() -> dict[str, Any]:
    """Return the names that docs/reference/index.md lists, with a new pool and session."""
    model = stats.ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    pool = Pool(["a", "b", "c"], predictions=model)
    return {
        **{name: getattr(layer, name) for layer in (session_layer, stats) for name in layer.__all__},
        **{"np": np, "pd": pd, "compare": compare, "evaluate": evaluate},
        **{"model": model, "pool": pool, "session": Session(pool, stats.ErrorRate())},
    }


def docstrings_of(module: str) -> list[doctest.DocTest]:
    """Return a module's docstrings, with the examples that each has."""
    return doctest.DocTestFinder().find(importlib.import_module(module))


def run_examples(module: str) -> doctest.TestResults:
    """Run each docstring of a module in a namespace of its own."""
    runner = doctest.DocTestRunner()
    for docstring in docstrings_of(module):
        if docstring.examples:
            docstring.globs.update(namespace())
            runner.run(docstring)
    return runner.summarize(verbose=False)
