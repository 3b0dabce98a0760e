"""Defer an import that takes half of a server's start-up time and that no page needs."""

from __future__ import annotations

import sys
from importlib.util import find_spec, module_from_spec
from typing import Any

_PUT_OFF = "rfc3987_syntax"


def defer_iri_grammars() -> None:
    """Let jsonschema prepare its IRI grammars on first use: that takes a second, and nothing has an IRI."""
    spec = find_spec(_PUT_OFF)
    if _PUT_OFF in sys.modules or spec is None or spec.loader is None:
        return
    module: Any = module_from_spec(spec)
    loader = spec.loader

    def is_valid_syntax(term: str, value: str) -> bool:
        if module.is_valid_syntax is is_valid_syntax:  # jsonschema replaces the name when it is loaded
            del module.__getattr__
            loader.exec_module(module)
        return bool(module.is_valid_syntax(term, value))

    def load_and_get(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        is_valid_syntax("iri", "")
        return getattr(module, name)

    module.is_valid_syntax = is_valid_syntax
    module.__getattr__ = load_and_get
    sys.modules[_PUT_OFF] = module
