"""The registry of readers that make a pool from a file."""

import os
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    from activeeval_widgets.session.pool.pool import Pool

PoolKind = TypeVar("PoolKind", bound="Pool")

Reader: TypeAlias = Callable[[Path, Mapping[str, Any]], Mapping[str, Any]]

ANY = "*"
"""The suffix that stands for all other files."""

_OURS = "activeeval_widgets.formats.readers"
"""The module of built-in readers, imported by name, as `session` must not import `formats`."""

_readers: dict[str, Reader] = {}


def register_reader(suffix: str, reader: Reader) -> None:
    r"""Register a reader for files whose names end with a suffix; `Pool.read` uses it.

    Parameters
    ----------
    suffix : str
        The suffix, such as ".csv" (which includes ".csv.gz"), or "*" for all other files. It replaces an
        earlier reader.
    reader : callable
        Takes the path and the arguments of `Pool.read` that are not None, and returns the arguments of
        `Pool`: instances, predictions, and so on; and perhaps a "heading" of pages.

    Raises
    ------
    ValueError
        If `suffix` is invalid.

    See Also
    --------
    Pool.read : Read a file.

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
        raise ValueError(f"suffix must be the end of names, such as '.csv', or '*', got {suffix!r}")
    _readers[suffix.lower()] = reader


def read(file: Any, columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the arguments of the pool for a file."""
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


def pool_of(kind: type[PoolKind], arguments: Mapping[str, Any]) -> PoolKind:
    """Return the pool that a reader's arguments make."""
    given = dict(arguments)
    heading = given.pop("heading", None)
    pool = kind(**given)
    pool.heading = heading
    return pool


def check_local(file: str) -> None:
    """Reject an address, such as "s3://bucket/reviews/", also after a path has merged its slashes."""
    found = re.match(r"([A-Za-z][A-Za-z0-9+.-]+):/(.*)", file)
    if found and not Path(file).exists():
        address = f"{found[1]}://{found[2].lstrip('/')}"
        raise ValueError(
            f"{address} is an address, and only files on this machine are read: copy them here, or read them "
            f"with Dask, Pool.read(dask.dataframe.read_parquet({address!r}), …)"
        )
