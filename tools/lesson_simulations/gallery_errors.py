"""The gallery's errors and intervals of one model: `benchmarks/gallery.py`."""

from typing import Any

from lesson_simulations import benchmark


def simulate() -> Any:
    """All of it: minutes."""
    return benchmark("gallery").errors()


def first() -> Any:
    """The first sessions on a demo."""
    return benchmark("gallery").FIRST["errors"]()
