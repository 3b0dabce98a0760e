"""The catalog of messages has what errors say."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "messages.md"


def load(path: str) -> Any:
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(Path(path).stem + "_of_messages", ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def told(module: Any) -> Iterator[str]:
    """The messages that tests of bad arguments state, word by word."""
    for test in vars(module).values():
        for mark in getattr(test, "pytestmark", []):
            if mark.name == "parametrize" and "message" in (names := names_of(mark)):
                yield from (row[names.index("message")] for row in mark.args[1])


def names_of(mark: Any) -> list[str]:
    given = mark.args[0]
    return given.split(",") if isinstance(given, str) else list(given)


@cache
def patterns_of(catalog: Any) -> list[re.Pattern[str]]:
    return [re.compile(each.pattern, re.DOTALL) for each in catalog.messages()]


def unknown(catalog: Any, messages: list[str]) -> list[str]:
    patterns = patterns_of(catalog)
    return [message for message in messages if not any(p.fullmatch(message) for p in patterns)]


@pytest.mark.slow
def test_what_bad_arguments_raise_is_in_it(catalog: Any) -> None:
    raised = []
    for call, error, _ in load("tests/stats/test_bad_input.py").CASES.values():
        with pytest.raises(error) as info:
            call()
        raised.append(str(info.value))
    assert len(raised) > 100
    assert unknown(catalog, raised) == []
    stated = list(told(load("tests/session/test_bad_input.py")))
    assert len(stated) > 30
    assert unknown(catalog, stated) == []
    assert unknown(catalog, ["there is no such message"])


@pytest.mark.slow
def test_a_message_says_something(catalog: Any) -> None:
    found = catalog.messages()
    assert len(found) > 500
    for each in found:
        assert each.template.strip() == each.template, each
        assert re.search(r"[a-z]{2,}", each.template.replace(catalog.FILLED_IN, "")), each


def test_the_page_has_every_area(catalog: Any) -> None:
    shown = re.findall(r"^```\{messages\} (.+)$", PAGE.read_text(), re.MULTILINE)
    assert sorted(shown) == sorted({each.area for each in catalog.messages()})
