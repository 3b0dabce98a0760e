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

_PROVIDERS = ["activeeval_widgets.formats"]
"""What registers its readers when it is imported: by name, since a session knows no format."""

_readers: dict[str, Reader] = {}
_of_values: list[tuple[Callable[[Any], bool], Callable[[Any, Mapping[str, Any]], Mapping[str, Any]]]] = []


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
    >>> from activeeval_widgets import Pool
    >>> from activeeval_widgets.session import register_reader
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
    for provider in _PROVIDERS:
        import_module(provider)
    given = {name: value for name, value in columns.items() if value is not None}
    if not isinstance(file, str | os.PathLike):
        for is_meant, read_value in _of_values:
            if is_meant(file):
                return read_value(file, given)
        raise TypeError(f"file must be a path, or a Dask DataFrame, got {file!r:.200}")
    check_local(os.fspath(file))
    path = Path(os.fspath(file))
    name = path.name.lower().removesuffix(".gz")
    suffixes = sorted((each for each in _readers if name.endswith(each)), key=len)
    reader = _readers.get(suffixes[-1] if suffixes else ANY)
    if reader is None:
        raise ValueError(f"file is {str(file)!r}, expected a name that ends in {', '.join(sorted(_readers))}")
    return reader(path, given)


def check_local(file: str) -> None:
    """Refuse an address, such as "s3://bucket/reviews/", also with the slashes that paths leave it."""
    found = re.match(r"([A-Za-z][A-Za-z0-9+.-]+):/(.*)", file)
    if found and not Path(file).exists():
        address = f"{found[1]}://{found[2].lstrip('/')}"
        raise ValueError(
            f"{address} is an address, and only files on this machine are read: copy them here, or read them "
            f"with Dask, Pool.read(dask.dataframe.read_parquet({address!r}), …)"
        )


def register_value_reader(
    is_meant: Callable[[Any], bool], reader: Callable[[Any, Mapping[str, Any]], Mapping[str, Any]]
) -> None:
    """Have `Pool.read` read other things than files."""
    _of_values.append((is_meant, reader))
