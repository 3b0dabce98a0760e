"""The gallery's pairs of models: `benchmarks/gallery_comparisons.py`."""

from typing import Any

from lesson_simulations import benchmark


def simulate() -> Any:
    """Run all of it, which takes minutes."""
    return benchmark("gallery_comparisons").comparisons()


def first() -> Any:
    """Run the first sessions on the demo."""
    return benchmark("gallery_comparisons").first()
