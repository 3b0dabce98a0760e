"""Whether a message is as the table of messages says."""

from collections.abc import Iterator, Mapping, Sequence
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

from activeeval_widgets.widgets.messages import FROM_PAGE, FromPython
from activeeval_widgets.widgets.messages.from_page import ANSWERS

ENVELOPE = {"type": str, "client": str, "seq": int}


def mismatches(value: Any, hint: Any, place: str = "message") -> Iterator[str]:
    """What of a value is not of a type: fields too many or missing, and others than were expected."""
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


def _fields(value: Any, definition: Any, place: str) -> Iterator[str]:
    if not isinstance(value, Mapping):
        yield f"{place} is {value!r:.80}, expected {definition.__name__}"
        return
    hints = get_type_hints(definition, include_extras=True)
    yield from (f"{place}.{name} is in no table" for name in value.keys() - hints.keys())
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


def check_from_python(message: Any) -> None:
    """Fail where Python sends something else than the table says."""
    assert [*mismatches(message, FromPython)] == []


def check_from_page(message: Mapping[str, Any]) -> None:
    """Fail where the page sends something else than the table says."""
    content = {name: part for name, part in message.items() if name not in (*ENVELOPE, "is_repeated")}
    for name, hint in ENVELOPE.items():
        assert [*mismatches(message.get(name), hint, name)] == []
    assert message.get("is_repeated", True) is True
    assert [*mismatches(content, FROM_PAGE[message["type"]])] == []
    for answer in content.get("answers", []):
        about = {name: part for name, part in answer.items() if name != "type"}
        assert [*mismatches(about, ANSWERS[answer["type"]])] == []
