"""Write JSON that people can read, one entry a line, and parse JSON strictly."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

_SURROGATE = re.compile("[\ud800-\udfff]")
_SHORT = 100
"""Values up to this length stay on one line."""


def to_text(value: Any) -> str:
    """Format a JSON value, one entry a line at the outer levels; numbers are restored bit for bit."""
    return escaped("".join(_pieces(value, 3))) + "\n"


def escaped(text: str) -> str:
    r"""Escape lone surrogates in JSON, which no file can hold."""
    return text if text.isascii() else _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def without_surrogates(text: str) -> str:
    """Replace lone surrogates, which no encoding has, by "?"."""
    return text.encode("utf-8", "replace").decode()


def _pieces(value: Any, n_levels: int) -> Iterator[str]:
    is_open = isinstance(value, dict | list) and len(value) > 0 and n_levels > 0
    text = "" if is_open and isinstance(value, list) and len(value) > _SHORT else _line(value)
    # An outer value has one entry a line; a short or deep one is a single line.
    if not is_open or (text and len(text) <= _SHORT and n_levels < 3):
        yield text
        return
    if isinstance(value, dict):
        yield "{\n"
        for position, (name, entry) in enumerate(value.items()):
            yield (",\n" if position else "") + json.dumps(name, ensure_ascii=False) + ": "
            yield from _pieces(entry, n_levels - 1)
        yield "\n}"
        return
    yield "[\n"
    for start in range(0, len(value), 1000):
        yield (",\n" if start else "") + ",\n".join(map(_line, value[start : start + 1000]))
    yield "\n]"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def from_text(text: str) -> Any:
    """Parse a JSON text strictly."""
    try:
        return json.loads(text, parse_constant=_refuse, object_pairs_hook=_once)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def objects_of_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a file that holds one a line, each with the number of its line."""
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").split("\n"), 1):
        if not line.strip():
            continue
        try:
            found = from_text(line)
        except ValueError as error:
            raise ValueError(f"{path.name}, line {number} is not JSON: {error}") from error
        if not isinstance(found, dict):
            raise ValueError(f"{path.name}, line {number} is not an object")
        yield number, found


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number in JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {twice!r} occurs twice in one object")
    return made
