"""Uploads from a browser, in parts, into a folder in which nothing is overwritten."""

import filecmp
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

from activeeval_widgets.formats.table_files import SUFFIXES
from activeeval_widgets.formats.trec import RUN_ENDINGS

LARGEST = 1024**3
"""The largest upload in bytes; larger files have to be copied into the folder."""

PART_SIZE = 2 * 1024**2
"""The size of a part in bytes: servers limit messages, and each part costs a round trip."""

_LONGEST_NAME = 120
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069<>:"/\\|?*]')
_ENDINGS = (
    *SUFFIXES,
    ".txt",
    ".tab",
    ".dat",
    ".psv",
    ".jsonlines",
    ".ipc",
    ".arrows",
    ".toml",
    *RUN_ENDINGS,
    ".xlsx",
    ".xls",
    ".ods",
)
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def size_text(n_bytes: int) -> str:
    """Return a size in words."""
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if n_bytes >= factor:
            return (
                f"{n_bytes / factor:.2g} {unit}"
                if n_bytes < 10 * factor
                else f"{n_bytes / factor:.0f} {unit}"
            )
    return f"{n_bytes} bytes"


def clean_name(name: str) -> str:
    r"""Return a file's name without folders and characters with a meaning in file systems or terminals."""
    last = re.split(r"[/\\]", name)[-1]
    clean = _NOT_IN_NAMES.sub("", last).strip(". ")
    stem, dot, suffix = clean.partition(".")
    return f"{stem[:_LONGEST_NAME]}{dot}{suffix[:20]}".strip(". ") or "file"


def safe_name(name: str) -> str:
    """Return the name for a file in the folder: a clean one with a suffix of tables or settings.

    With another suffix, a file could be one that a program looks for in the folder: a Python module, a
    configuration of Jupyter, the store's journal.
    """
    clean = clean_name(name)
    if not clean.lower().removesuffix(".gz").endswith(_ENDINGS):
        clean += "l" if clean.lower().endswith(".json") else ".txt"
    return f"_{clean}" if _DEVICES.fullmatch(clean) else clean


def unused_path(path: Path) -> Path:
    """Return the path if it is free, else with the first free number: mails-2.csv."""
    n = 1
    found = path
    while found.exists() or found.is_symlink():
        n += 1
        stem, dot, suffix = path.name.partition(".")
        found = path.with_name(f"{stem}-{n}{dot}{suffix}")
    return found


class Uploaded(NamedTuple):
    """A complete upload.

    Attributes
    ----------
    path : Path
        The file.
    is_new : bool
        Whether it did not exist before.
    """

    path: Path
    is_new: bool


class Uploads:
    """Receives the parts of a file; one file at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._id: str | None = None
        self._file: IO[bytes] | None = None
        self._n_bytes = 0

    def take(self, message: Mapping[str, Any]) -> tuple[int, Uploaded | None]:
        """Add a part, and return the bytes so far and the file if it is complete."""
        name, size, offset = clean_name(str(message["name"])), int(message["size"]), int(message["offset"])
        if size > LARGEST:
            raise ValueError(
                f"{name} is larger than {size_text(LARGEST)}. Put it into {self._folder} and choose it there."
            )
        if size == 0:
            raise ValueError(f"{name} is empty.")
        part = b"".join(bytes(buffer) for buffer in message.get("buffers", ()))
        try:
            if message["upload"] != self._id:
                if offset != 0:
                    raise ValueError(f"{name} did not arrive whole. Try it again.")
                self._begin(message["upload"])
            if self._file is None:
                raise ValueError(f"{name} did not arrive whole. Try it again.")
            if offset == self._n_bytes:  # otherwise the part was sent twice
                self._file.write(part[: size - offset])
                self._n_bytes = self._file.tell()
            if self._n_bytes < size:
                return self._n_bytes, None
            return self._n_bytes, self._keep(safe_name(name))
        except OSError as error:
            self.close()
            raise ValueError(f"{name} can't be kept in {self._folder}: {error.strerror}.") from error

    def close(self) -> None:
        """Discard an incomplete upload."""
        if self._file is not None:
            self._file.close()
        self._file, self._id, self._n_bytes = None, None, 0

    def _begin(self, upload: str) -> None:
        self.close()
        self._folder.mkdir(parents=True, exist_ok=True)
        # The file has no name yet, so that nothing remains if the page is closed.
        self._file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 - stays open between parts
        self._id = upload

    def _keep(self, name: str) -> Uploaded:
        """Give the file its name, or a free one; an identical existing file is used instead."""
        assert self._file is not None  # noqa: S101 - for the type checker
        there = self._folder / name
        while True:
            path = unused_path(there)
            self._file.seek(0)
            try:
                with path.open("xb") as kept:
                    shutil.copyfileobj(self._file, kept, 2**20)
            except FileExistsError:
                continue  # another program took the name
            break
        self.close()
        if path != there and there.is_file() and filecmp.cmp(path, there, shallow=False):
            path.unlink()
            return Uploaded(there, is_new=False)
        return Uploaded(path, is_new=True)
