"""Text from files and stores, as it may stand in a terminal."""

from __future__ import annotations


def printable(text: object) -> str:
    """Text in one line, without control characters."""
    line = " ".join(str(text).split())
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in line)


def printable_lines(text: object) -> str:
    """The same of text that keeps its lines."""
    return "\n".join(map(printable, str(text).splitlines()))
