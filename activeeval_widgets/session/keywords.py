"""Errors about unknown keywords that name the likely one."""

import inspect
from collections.abc import Callable
from difflib import get_close_matches
from functools import wraps
from typing import Any, ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")

_KEYWORDS = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def knows_keywords(
    name: str | None = None, *, options_of: Callable[..., Any] | None = None
) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Reject keywords that a function does not have, and suggest the likely one."""

    def decorate(function: Callable[_P, _R]) -> Callable[_P, _R]:
        signature = inspect.signature(function)
        if options_of is not None:
            signature = _with_options(signature, inspect.signature(options_of))
        known = [each.name for each in signature.parameters.values() if each.kind in _KEYWORDS]
        called = name or function.__name__

        @wraps(function)
        def checked(*args: _P.args, **options: _P.kwargs) -> _R:
            for keyword in options:
                if keyword not in known:
                    raise TypeError(f"{called}() got {unexpected_keyword(keyword, known)}")
            return function(*args, **options)

        checked.__signature__ = signature  # type: ignore[attr-defined]
        return checked

    return decorate


def unexpected_keyword(keyword: str, known: list[str]) -> str:
    """Return the error message about an unknown keyword."""
    near = get_close_matches(keyword.lower(), known, n=1)
    if near:
        return f"an unexpected keyword {keyword!r}: did you mean {near[0]!r}?"
    return (
        f"an unexpected keyword {keyword!r}; it takes {', '.join(each for each in known if each != 'self')}"
    )


def _with_options(own: inspect.Signature, other: inspect.Signature) -> inspect.Signature:
    """Replace the `**options` of a signature by the keywords of another one."""
    kept = [each for each in own.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    names = {each.name for each in kept}
    further = [
        each
        for each in other.parameters.values()
        if each.kind is inspect.Parameter.KEYWORD_ONLY and each.name not in names
    ]
    return own.replace(parameters=[*kept, *further])
