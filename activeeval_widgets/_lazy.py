"""Public names that are imported when asked for."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any


def attribute(package: str, modules: Mapping[str, str], name: str) -> Any:
    """Return a package's public name, given the module of each; the module itself where that is empty."""
    if name not in modules:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    if not modules[name]:
        return import_module(f"{package}.{name}")
    return getattr(import_module(f"{package}.{modules[name]}"), name)
