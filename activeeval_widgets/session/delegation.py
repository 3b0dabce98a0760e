"""Methods that a facade delegates to its parts."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

_Options = ParamSpec("_Options")
_Result = TypeVar("_Result")


def from_part(
    part: str,
    method: Callable[Concatenate[Any, _Options], _Result],
    *,
    then: Callable[[Any], None] | None = None,
) -> Callable[Concatenate[Any, _Options], _Result]:
    """Return a method that calls the part's; after a call without arguments, `then` gets the facade."""
    name = method.__name__

    @wraps(method)
    def call(self: Any, /, *args: _Options.args, **options: _Options.kwargs) -> _Result:
        found: _Result = getattr(getattr(self, part), name)(*args, **options)
        if then is not None and not args and not options:
            then(self)
        return found

    return call


def documented_as(
    other: Callable[..., Any],
) -> Callable[[Callable[_Options, _Result]], Callable[_Options, _Result]]:
    """Give a method the docstring of the function that it calls."""

    def document(method: Callable[_Options, _Result]) -> Callable[_Options, _Result]:
        method.__doc__ = other.__doc__
        return method

    return document
