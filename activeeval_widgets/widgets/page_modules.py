"""JavaScript for the page that belongs to a panel or view from outside this package."""

from pathlib import Path
from typing import TypeAlias

ModuleSource: TypeAlias = str | Path
"""An ES module: its text, or the file that holds it."""


def module_text(source: ModuleSource) -> str:
    """Return the text of an ES module that the page imports.

    It comes from Python code that registers a panel or a view, and never from a pool: the content of
    instances, labels and predictions is data.
    """
    if not isinstance(source, str | Path):
        raise TypeError(f"front_end must be the text of an ES module, or a Path, got {source!r}")
    text = source.read_text(encoding="utf-8") if isinstance(source, Path) else source
    if "export default" not in text:
        raise ValueError(
            f"front_end must be an ES module with a default export, or a Path to one, got {source!r:.200}"
        )
    return text
