"""Reads an SQLite database without locks, or if SQLite can't open it, as on a full or read-only disk.

The layout is part of SQLite's file format (sqlite.org/fileformat2.html, sections 1.3 and 4). Opening and
closing the file drops this process's locks on it, so use this only for files that it has not open.
"""

import sqlite3
import time
from pathlib import Path
from struct import Struct, unpack, unpack_from

_MAGIC = b"SQLite format 3\0"
_HEADER_SIZE = 100
_WAL_HEADER = Struct(">8I")
_FRAME_HEADER = Struct(">6I")
_WAL_MAGIC = 0x377F0682  # its last bit is the byte order of the checksums

_ATTEMPTS = 20
_PAUSE = 0.05


def load_into_memory(path: Path) -> sqlite3.Connection:
    """Load a database with its write-ahead log into an in-memory connection."""
    for _ in range(_ATTEMPTS):
        content, log = bytearray(path.read_bytes()), _log_of(path)
        # Another process may have been writing meanwhile. What slips through breaks the chain of hashes.
        if path.read_bytes() == content and not path.with_name(path.name + "-journal").exists():
            break
        time.sleep(_PAUSE)
    _apply(content, log)
    content[18:20] = b"\1\1"  # an in-memory database has no write-ahead log
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    try:
        connection.deserialize(bytes(content))
    except BaseException:
        connection.close()
        raise
    return connection


def _log_of(path: Path) -> bytes:
    try:
        return path.with_name(path.name + "-wal").read_bytes()
    except FileNotFoundError:
        return b""


def size_in_header(path: Path) -> int | None:
    """Return the least size of a database file according to its header; None if it is not one."""
    with path.open("rb") as file:
        header = file.read(_HEADER_SIZE)
    if not header.startswith(_MAGIC):
        return None
    if len(header) < _HEADER_SIZE:
        return _HEADER_SIZE
    size, n_pages = unpack_from(">H", header, 16)[0], unpack_from(">I", header, 28)[0]
    return int(n_pages) * (65_536 if size == 1 else int(size))


def _apply(content: bytearray, log: bytes) -> None:
    """Apply the committed pages of a write-ahead log to a database."""
    if len(log) < _WAL_HEADER.size:
        return
    magic, _, size, _, *salt, first, second = _WAL_HEADER.unpack_from(log)
    order = ">" if magic & 1 else "<"
    if magic & ~1 != _WAL_MAGIC or _checksum(log[:24], (0, 0), order) != (first, second):
        return
    sums = (first, second)
    waiting: dict[int, bytes] = {}
    for start in range(_WAL_HEADER.size, len(log) - _FRAME_HEADER.size - size + 1, _FRAME_HEADER.size + size):
        number, n_pages, *found_salt, first, second = _FRAME_HEADER.unpack_from(log, start)
        page = log[start + _FRAME_HEADER.size : start + _FRAME_HEADER.size + size]
        sums = _checksum(log[start : start + 8] + page, sums, order)
        if found_salt != salt or sums != (first, second):
            return
        waiting[number] = page
        if n_pages:  # the last of a transaction
            content.extend(bytes(max(0, n_pages * size - len(content))))
            for each, what in waiting.items():
                content[(each - 1) * size : each * size] = what
            del content[n_pages * size :]
            waiting.clear()


def _checksum(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    first, second = sums
    words = unpack(f"{order}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second
