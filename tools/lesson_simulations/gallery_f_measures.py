"""The gallery's F, recall and precision: `benchmarks/gallery.py`."""

from typing import Any

from lesson_simulations import benchmark


def simulate() -> Any:
    """All of it: minutes."""
    return benchmark("gallery").f_measures()


def first() -> Any:
    """The first sessions on a demo."""
    return benchmark("gallery").FIRST["f_measures"]()
