"""Serializes calls: cells, widget messages and timers of one kernel may run in different threads."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, TypeVar


class _Lockable(Protocol):
    lock: Any


_Class = TypeVar("_Class", bound=type)


def one_thread_at_a_time(cls: _Class) -> _Class:
    """Make a class's public methods and properties hold its re-entrant `lock`, made by `__init__`.

    Its objects can't be copied or pickled: their log goes on in one place.
    """
    cls.__reduce_ex__ = _refuse_copy  # type: ignore[assignment, method-assign]
    for name in {name for base in cls.__mro__[:-1] for name in vars(base) if not name.startswith("_")}:
        member = next(vars(base)[name] for base in cls.__mro__ if name in vars(base))
        get = member.fget if isinstance(member, property) else member
        if getattr(get, "is_locked", False):
            continue
        if isinstance(member, property):
            get, put = member.fget, member.fset
            setattr(cls, name, property(get and _locked(get), put and _locked(put), None, member.__doc__))
        elif callable(member) and not isinstance(member, type):
            setattr(cls, name, _locked(member))
    return cls


def _refuse_copy(self: object, protocol: int) -> Any:  # noqa: ARG001
    raise TypeError(
        f"{type(self).__name__} objects can't be copied or pickled: a session has one log. Open it a second "
        "time, by Session(…, store=session.store), or write it to a file, by formats.write_session"
    )


def _locked(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def call(self: _Lockable, *args: Any, **options: Any) -> Any:
        with self.lock:
            return method(self, *args, **options)

    call.is_locked = True  # type: ignore[attr-defined]
    return call
