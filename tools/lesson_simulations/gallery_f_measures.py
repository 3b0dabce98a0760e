"""The gallery's F, recall and precision: `benchmarks/gallery.py`."""

from typing import Any

from lesson_simulations import benchmark


def simulate() -> Any:
    """Run all of it, which takes minutes."""
    return benchmark("gallery").f_measures()


def first() -> Any:
    """Run the first sessions on a demo."""
    return benchmark("gallery").FIRST["f_measures"]()
