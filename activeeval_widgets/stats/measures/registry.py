"""All measures of the package, found by where they are defined, so that there is no list to update."""

import inspect
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from activeeval_widgets.stats import measures
from activeeval_widgets.stats.measures.base import Measure


def all_measures(predictions_kind: str | None = None) -> list[type[Measure]]:
    """Return the public and concrete measures that are defined in this folder, sorted by name."""
    _import_all()
    found = {
        cls
        for cls in _subclasses(Measure)  # type: ignore[type-abstract]
        if cls.__module__.startswith(measures.__name__)
        and not inspect.isabstract(cls)
        and not cls.__name__.startswith("_")
        and predictions_kind in (None, cls.predictions_kind)
    }
    return sorted(found, key=lambda cls: cls.__name__)


@cache
def _import_all() -> None:
    """Import every module of this folder, once: it takes longer to look for them than all else."""
    for module in iter_modules(measures.__path__, f"{measures.__name__}."):
        import_module(module.name)


def _subclasses(cls: type[Measure]) -> Iterator[type[Measure]]:
    for each in cls.__subclasses__():
        yield each
        yield from _subclasses(each)
