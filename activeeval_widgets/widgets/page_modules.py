"""Code for the page that comes with a panel or a view from outside this package."""

from pathlib import Path
from typing import TypeAlias

ModuleSource: TypeAlias = str | Path
"""An ES module: its text, or the file that holds it."""


def module_text(source: ModuleSource) -> str:
    """The text of an ES module that the page imports.

    It comes from whoever registers a panel or a view, in Python, and never from a pool: what instances,
    labels and models say is data.
    """
    if not isinstance(source, str | Path):
        raise TypeError(f"front_end must be the text of an ES module, or a Path, got {source!r}")
    text = source.read_text(encoding="utf-8") if isinstance(source, Path) else source
    if "export default" not in text:
        raise ValueError(
            f"front_end must be an ES module with a default export, or a Path to one, got {source!r:.200}"
        )
    return text
