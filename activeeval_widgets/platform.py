"""What this Python has: where it runs in a browser, it lacks threads, and some libraries."""

import sys
from importlib.util import find_spec
from pathlib import Path


def has_threads() -> bool:
    """Return whether threads can be started."""
    return sys.platform not in ("emscripten", "wasi")


def passes_none() -> bool:
    """Return whether None arrives in widgets' messages: JupyterLite's kernel drops fields that are None."""
    return sys.platform != "emscripten"


def has_html_sanitizer() -> bool:
    """Return whether there is the compiled library that sanitizes HTML; not built for every platform."""
    return find_spec("nh3") is not None


def can_hold_sqlite(path: Path) -> bool:
    """Return whether SQLite can have a file there: on JupyterLite's drive, it finds every file damaged."""
    return sys.platform != "emscripten" or not path.resolve().is_relative_to("/drive")
