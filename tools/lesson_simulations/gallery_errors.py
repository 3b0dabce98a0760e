"""The gallery's errors and intervals of one model: `benchmarks/gallery.py`."""

from typing import Any

from lesson_simulations import benchmark


def simulate() -> Any:
    """Run all of it, which takes minutes."""
    return benchmark("gallery").errors()


def first() -> Any:
    """Run the first sessions on a demo."""
    return benchmark("gallery").FIRST["errors"]()
