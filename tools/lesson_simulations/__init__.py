"""What takes longer than a lesson may, one simulation a module: see `tools/simulate_lessons.py`."""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType


def benchmark(name: str) -> ModuleType:
    """A module of `benchmarks`: these import each other by their names alone."""
    folder = str(Path(__file__).parents[2] / "benchmarks")
    sys.path.insert(0, folder)
    try:
        return import_module(name)
    finally:
        sys.path.remove(folder)
