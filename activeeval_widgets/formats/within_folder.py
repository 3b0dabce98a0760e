"""Confine the files that cells and uploaded settings name to one folder, links followed."""

import os
from pathlib import Path

from activeeval_widgets.formats.problems import shortened


def is_within(folder: Path, path: str | os.PathLike[str]) -> bool:
    """Return whether a path, links followed, is in a folder or below it."""
    root = os.path.realpath(folder)
    try:
        return os.path.commonpath([root, os.path.realpath(path)]) == root
    except (OSError, ValueError):  # a NUL in the path, or another drive
        return False


def check_within(folder: Path, named: str, path: Path) -> None:
    """Refuse a file that is outside a folder or hidden."""
    remedy = (
        "Settings that are chosen or uploaded on the page can name only files in their own folder: put it "
        "there, or serve them from the command line"
    )
    if not is_within(folder, path):
        raise ValueError(f"{named} is {shortened(str(path))}, which is outside of the folder. {remedy}")
    inside = os.path.relpath(os.path.realpath(path), os.path.realpath(folder))
    if inside != "." and any(part.startswith(".") for part in Path(inside).parts):
        raise ValueError(f"{named} is {shortened(str(path))}, which is hidden. {remedy}")
