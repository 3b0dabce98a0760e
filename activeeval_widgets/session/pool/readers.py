"""Which reader makes a pool of a file: one place where readers are registered, ours and others'."""

import os
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

Reader: TypeAlias = Callable[[Path, Mapping[str, Any]], Mapping[str, Any]]

ANY = "*"
"""In place of how a file's name ends: any other file."""

_OURS = "activeeval_widgets.formats.readers"
"""What reads what no reader is registered for: by name, since a session knows no format."""

_readers: dict[str, Reader] = {}


def register_reader(suffix: str, reader: Reader) -> None:
    r"""Have `Pool.read` read files by `reader`, where their names end in a suffix.

    Parameters
    ----------
    suffix : str
        How the names end, such as ".csv" (".csv.gz" then, too); or "*" for all other files. It takes the
        place of one that was registered before.
    reader : callable
        Takes the path and the arguments of `Pool.read` that are not None, and gives the arguments for `Pool`:
        instances, predictions, and what else there is.

    Raises
    ------
    ValueError
        If that is no suffix.

    See Also
    --------
    Pool.read : Reads a file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> def read_lines(path, columns):
    ...     texts = path.read_text().splitlines()
    ...     return {"instances": texts, "predictions": [[0.5, 0.5] for _ in texts]}
    >>> register_reader(".lines", read_lines)
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "two.lines")
    ...     size = path.write_text("one text\nanother\n")
    ...     Pool.read(path)
    <Pool of 2 texts, predicted by 1 model>
    """
    if not isinstance(suffix, str) or not (suffix == ANY or (suffix.startswith(".") and len(suffix) > 1)):
        raise ValueError(f"suffix must be the end of names, as '.csv', or '*', got {suffix!r}")
    _readers[suffix.lower()] = reader


def read(file: Any, columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments for the pool that a file makes."""
    ours = import_module(_OURS)
    given = {name: value for name, value in columns.items() if value is not None}
    if not isinstance(file, str | os.PathLike):
        made: Mapping[str, Any] = ours.read_value(file, given)
        return made
    check_local(os.fspath(file))
    path = Path(os.fspath(file))
    name = path.name.lower().removesuffix(".gz")
    readers: dict[str, Reader] = {**ours.READERS, **_readers}
    suffix = max((each for each in readers if name.endswith(each)), key=len, default=ANY)
    return readers[suffix](path, given)


def check_local(file: str) -> None:
    """Refuse an address, such as "s3://bucket/reviews/", also with the slashes that paths leave it."""
    found = re.match(r"([A-Za-z][A-Za-z0-9+.-]+):/(.*)", file)
    if found and not Path(file).exists():
        address = f"{found[1]}://{found[2].lstrip('/')}"
        raise ValueError(
            f"{address} is an address, and only files on this machine are read: copy them here, or read them "
            f"with Dask, Pool.read(dask.dataframe.read_parquet({address!r}), …)"
        )
