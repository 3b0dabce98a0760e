"""Make text from files and stores safe for a terminal."""

from __future__ import annotations


def printable(text: object) -> str:
    """Return text in one line, without control characters."""
    line = " ".join(str(text).split())
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in line)


def printable_lines(text: object) -> str:
    """Return text with its lines, without control characters."""
    return "\n".join(map(printable, str(text).splitlines()))
