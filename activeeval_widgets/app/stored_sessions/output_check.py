"""Refuse to overwrite the files that a session is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from activeeval_widgets.session.stores.protocol import store_member

if TYPE_CHECKING:
    from activeeval_widgets.session import Store


def check_output(output: Path, store: Store, name: str, source: str | None) -> None:
    """Refuse to write to the store, or to a file the session is made of: predictions, guidelines, Python."""
    own = {
        "the session is made of it": (*_strings(store_member(store, "details")(name).get("source")), source),
        "the sessions are kept in it": (getattr(store, "path", None),),
    }
    for reason, files in own.items():
        if any(_is_same(output, file) for file in files if file is not None):
            raise ValueError(f"{output} can't be written: {reason}. Name another file")


def _strings(value: Any) -> Iterator[str]:
    """Yield all strings in a session's source, paths or not."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _strings(each)


def _is_same(output: Path, file: str | Path) -> bool:
    try:
        return output.samefile(file)
    except (OSError, ValueError):  # missing, or an address
        return False
