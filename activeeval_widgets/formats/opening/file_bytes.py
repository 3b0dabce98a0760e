"""Map the bytes of a file, decompressed, and detect its kind."""

import gzip
import mmap
import os
import tempfile
import zlib
from pathlib import Path

from activeeval_widgets.formats.problems import FileProblemsError, problem_error

_MAX_EXPANSION = 200
"""A compressed file that expands by a larger factor, to more bytes than the next, is refused."""

_HARMLESS = 64 << 20
"""Files of at most this many bytes are read into memory."""

_CHUNK = 1 << 20

_FOREIGN = {
    b"PK\x03\x04": (
        "is an Excel or ZIP file",
        "In Excel choose File > Save As > CSV UTF-8; unpack a ZIP file",
    ),
    b"\xd0\xcf\x11\xe0": ("is an Excel file", "In Excel choose File > Save As > CSV UTF-8"),
    b"%PDF": ("is a PDF", "Give the table itself: CSV, Parquet or JSON lines"),
    b"SQLite format 3\x00": ("is an SQLite database", "Export the table as CSV"),
    b"\x89PNG": ("is an image", "Give the file of predictions that names the images, or their folder"),
    b"\xff\xd8\xff": ("is an image", "Give the file of predictions that names the images, or their folder"),
    b"FEA1": ("is a Feather file of version 1", "Write it anew as Parquet"),
    b"BZh": ("is compressed with bzip2", "Unpack it, or compress it with gzip"),
    b"\xfd7zXZ\x00": ("is compressed with xz", "Unpack it, or compress it with gzip"),
    b"\x28\xb5\x2f\xfd": ("is compressed with zstd", "Unpack it, or compress it with gzip"),
    b"\x80\x04\x95": ("is a pickle, which could run code", "Save the table as Parquet or CSV"),
    b"\x80\x05\x95": ("is a pickle, which could run code", "Save the table as Parquet or CSV"),
}


def content_of(path: Path) -> memoryview:
    """Return all bytes of a file, decompressed if gzipped, without reading them into memory."""
    try:
        with path.open("rb") as file:
            small = b"" if path.is_dir() else file.read(_HARMLESS + 1)
            # Small files are copied: truncating a mapped file would crash the process.
            data = memoryview(small) if len(small) <= _HARMLESS else _mapped(file.fileno())
    except FileNotFoundError:
        raise _refused(path, "there is no such file", "Check its name and its folder") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise _refused(path, f"the file can't be read: {reason}", "Check whether you may open it") from error
    if bytes(data[:2]) == b"\x1f\x8b":
        data = _decompressed(path, data)
    if not data.nbytes or not bytes(data[:_CHUNK]).strip(b"\0 \t\r\n\xef\xbb\xbf"):
        raise _refused(path, "the file is empty", "Write the predictions into it, with a row of column names")
    for start, (what, remedy) in _FOREIGN.items():
        if bytes(data[: len(start)]) == start:
            raise _refused(path, f"the file {what}", remedy)
    return data


def _mapped(descriptor: int) -> memoryview:
    if not os.fstat(descriptor).st_size:
        return memoryview(b"")
    return memoryview(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ))


def drop_pages(data: memoryview) -> None:
    """Drop the pages of a mapped file from memory; they are read from the file again on access."""
    mapped = data.obj
    if isinstance(mapped, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        mapped.madvise(mmap.MADV_DONTNEED)


def _decompressed(path: Path, data: memoryview) -> memoryview:
    """Decompress a gzip file into a temporary file."""
    most = max(_HARMLESS, _MAX_EXPANSION * data.nbytes)
    size = 0
    with path.open("rb") as packed, tempfile.TemporaryFile() as unpacked:
        try:
            with gzip.open(packed) as file:
                while chunk := file.read(_CHUNK):
                    size += len(chunk)
                    if size > most:
                        raise _refused(
                            path,
                            f"unpacked, it is more than {_MAX_EXPANSION} times as large as it is now",
                            "That is not a table of predictions; unpack it yourself if you trust it",
                        )
                    unpacked.write(chunk)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise _refused(
                path, "the gzip file is damaged or cut off", "Copy it again, or make it anew"
            ) from error
        unpacked.flush()
        return _mapped(unpacked.fileno())


def _refused(path: Path, message: str, remedy: str) -> FileProblemsError:
    return problem_error(path.name, message, f"{remedy}.")
