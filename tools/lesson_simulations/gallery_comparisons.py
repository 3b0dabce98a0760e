"""The gallery's pairs of models: `benchmarks/gallery_comparisons.py`."""

from typing import Any

from lesson_simulations import benchmark


def simulate() -> Any:
    """All of it: minutes."""
    return benchmark("gallery_comparisons").comparisons()


def first() -> Any:
    """The first sessions on the demo."""
    return benchmark("gallery_comparisons").first()
