"""Find the files of a folder that look like predictions."""

import os
from pathlib import Path

from activeeval_widgets.formats.problems import problem_error
from activeeval_widgets.formats.settings_text import expanded_path

SUFFIXES = (".csv", ".tsv", ".parquet", ".pq", ".jsonl", ".ndjson", ".arrow", ".feather", ".eval")
"""The suffixes of files of predictions; text files may also end in ".gz"."""

_MAX_LOOKED_AT = 10_000


def is_candidate(path: Path) -> bool:
    """Return whether a file's name looks like predictions."""
    name = path.name.lower().removesuffix(".gz")
    return not path.name.startswith(".") and name.endswith(SUFFIXES)


def candidates(folder: str | os.PathLike[str]) -> list[Path]:
    """List the files of a folder that look like predictions, latest first.

    Parameters
    ----------
    folder : str or path-like
        The folder; its subfolders are not searched.

    Returns
    -------
    list of Path

    Raises
    ------
    OSError
        If the folder can't be read.

    See Also
    --------
    examine : Examines one of them.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     for name in ("mails.csv", "notes.txt"):
    ...         Path(folder, name).touch()
    ...     [path.name for path in candidates(folder)]
    ['mails.csv']
    """
    found = []
    with os.scandir(folder) as entries:
        for number, entry in enumerate(entries):
            path = Path(entry.path)
            if is_candidate(path) and entry.is_file():
                found.append((-entry.stat().st_mtime, path))
            if number >= _MAX_LOOKED_AT:
                break
    return [path for _, path in sorted(found)]


def file_beside(path: Path, name: str) -> Path:
    """Return a file named beside another one: in that one's folder, or else where a shell would look."""
    near = path.parent / name
    return near if near.exists() else expanded_path(name)


def file_in(path: Path) -> Path:
    """Return the file itself, or the only file of predictions in a folder (of images, say)."""
    if not path.is_dir():
        return path
    found = candidates(path)
    named = [each for each in found if each.name.lower().startswith("predictions.")]
    if len(found) == 1 or len(named) == 1:
        return (named or found)[0]
    what = "no file of predictions is in the folder"
    remedy = "Put one there, with a column that names the images."
    if found:
        listed = ", ".join(each.name for each in found[:5])
        what = f"{len(found)} files of the folder could be the predictions: {listed}"
        remedy = "Name the one that is meant, or call it predictions.csv."
    raise problem_error(path.name, what, remedy)
