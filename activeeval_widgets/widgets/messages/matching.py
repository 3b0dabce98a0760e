"""Validation of messages against their tables."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import UnionType
from typing import (
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

ENVELOPE: Mapping[str, Any] = {"type": str, "client": str, "seq": int}
"""The fields of every message from a page."""

_BESIDE = (*ENVELOPE, "is_repeated", "buffers")


def refusal(message: Any, table: Mapping[str, type], answers: Mapping[str, type]) -> str | None:
    """Return in one sentence why a message from a page is malformed, or None if it is valid."""
    if not isinstance(message, Mapping):
        return "The page sent something that is no message."
    content = {name: part for name, part in message.items() if name not in _BESIDE}
    found = _first_mismatch(message.get("type"), content, table)
    for answer in content.get("answers", ()) if found is None and "answers" in content else ():
        about = answer if isinstance(answer, Mapping) else {}
        rest = {name: part for name, part in about.items() if name != "type"}
        found = found or _first_mismatch(about.get("type"), rest, answers)
    return None if found is None else f"The page sent what is no message: {found}. Reload it."


def _first_mismatch(kind: Any, content: Mapping[str, Any], table: Mapping[str, type]) -> str | None:
    if not isinstance(kind, str) or kind not in table:
        return f"there is no type {kind!r:.60}"
    found = next(mismatches(content, table[kind], kind), None)
    return None if found is None else found.partition(", expected")[0]


def mismatches(value: Any, hint: Any, place: str = "message") -> Iterator[str]:
    """Yield how a value differs from a type: unknown or missing fields, and unexpected values."""
    origin, args = get_origin(hint), get_args(hint)
    if hint is Any:
        return
    if origin in (Required, NotRequired):
        yield from mismatches(value, args[0], place)
    elif is_typeddict(hint):
        yield from _fields(value, hint, place)
    elif origin in (Union, UnionType):
        if all(any(mismatches(value, arg, place)) for arg in args):
            yield f"{place} is {value!r:.80}, expected {hint}"
    elif origin is Literal:
        if value not in args:
            yield f"{place} is {value!r:.80}, expected one of {args}"
    elif origin is dict:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            yield f"{place} is {value!r:.80}, expected {hint}"
        else:
            for key, item in value.items():
                yield from mismatches(item, args[1], f"{place}[{key!r}]")
    elif origin in (list, tuple):
        yield from _items(value, origin, args, place)
    elif not _is_plain(value, getattr(hint, "__supertype__", hint)):
        yield f"{place} is {value!r:.80}, expected {hint}"


def _is_plain(value: Any, hint: Any) -> bool:
    if hint is Any or get_origin(hint) is list:
        return hint is Any or isinstance(value, list)
    if hint is type(None) or hint is None:
        return value is None
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, hint) and (hint is bool or not isinstance(value, bool))


@cache
def _hints(definition: Any) -> dict[str, Any]:
    return get_type_hints(definition, include_extras=True)


def _fields(value: Any, definition: Any, place: str) -> Iterator[str]:
    if not isinstance(value, Mapping):
        yield f"{place} is {value!r:.80}, expected {definition.__name__}"
        return
    hints = _hints(definition)
    yield from (f"{place}.{name!s:.60} is in no table" for name in value.keys() - hints.keys())
    yield from (f"{place}.{name} is missing" for name in definition.__required_keys__ - value.keys())
    for name in value.keys() & hints.keys():
        yield from mismatches(value[name], hints[name], f"{place}.{name}")


def _items(value: Any, origin: Any, args: tuple[Any, ...], place: str) -> Iterator[str]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        yield f"{place} is {value!r:.80}, expected a {origin.__name__}"
        return
    is_any_length = origin is list or args[-1] is Ellipsis
    if not is_any_length and len(value) != len(args):
        yield f"{place} has {len(value)} items, expected {len(args)}"
        return
    for i, item in enumerate(value):
        yield from mismatches(item, args[0] if is_any_length else args[i], f"{place}[{i}]")
