"""Simulations that take too long for a lesson, one per module: see `tools/simulate_lessons.py`."""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType


def benchmark(name: str) -> ModuleType:
    """Import a module of `benchmarks`, which import each other by their bare names."""
    folder = str(Path(__file__).parents[2] / "benchmarks")
    sys.path.insert(0, folder)
    try:
        return import_module(name)
    finally:
        sys.path.remove(folder)
