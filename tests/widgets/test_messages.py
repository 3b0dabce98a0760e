"""The messages between page and Python: both sides have the same table, and what is sent is as it says."""

import importlib.util
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NotRequired, TypedDict, get_args, get_type_hints, is_typeddict

import pytest

from activeeval_widgets.session import Session
from activeeval_widgets.widgets import LabelingApp
from activeeval_widgets.widgets.labels.keys import ACTIONS
from activeeval_widgets.widgets.messages import ANSWERS, FROM_PAGE, ActionName, FromPython

from ..message_types import check_from_page, check_from_python, mismatches

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "frontend" / "src"


@pytest.fixture(scope="module")
def writer() -> Any:
    """The script that writes what the page knows from Python."""
    path = ROOT / "tools" / "write_frontend_types.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_has_the_same_table(writer: Any) -> None:
    for name, text in writer.written().items():
        assert (writer.FOLDER / name).read_text(encoding="utf-8") == text, f"make bundle writes {name} anew"


def test_every_message_is_handled(make_session: Callable[..., Session]) -> None:
    for shows_estimate in (True, False):
        app = LabelingApp(make_session(), shows_estimate=shows_estimate)
        assert app._front_end._handlers.keys() == FROM_PAGE.keys() | ANSWERS.keys()


def test_the_table_names_every_action() -> None:
    """The page has an entry for each, or it would not compile."""
    assert {action.name for action in ACTIONS} == set(get_args(ActionName))


def names(definition: Any) -> Iterator[str]:
    for name, hint in get_type_hints(definition).items():
        yield name
        yield from names_in(hint)


def names_in(hint: Any) -> Iterator[str]:
    if is_typeddict(hint):
        yield from names(hint)
    for argument in get_args(hint):
        yield from names_in(argument)


def test_the_page_shows_all_that_it_is_sent() -> None:
    sources = [path for path in SOURCES.rglob("*.ts") if path.parent.name != "from_python"]
    used = set(re.findall(r"\w+", "\n".join(path.read_text(encoding="utf-8") for path in sources)))
    result = set(names(FromPython))
    assert len(result) > 100
    assert result - used == {"n_events"}  # which the browser only remembers, with what else is saved


class Sample(TypedDict):
    n: int
    share: float | None
    pairs: list[tuple[str, int]]
    note: NotRequired[str]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"n": 1, "share": 0.5, "pairs": [["a", 1]]}, []),
        ({"n": 1, "share": None, "pairs": [], "note": ""}, []),
        ({"n": 1.5, "share": 1, "pairs": []}, ["message.n is 1.5"]),
        ({"n": True, "share": 1, "pairs": []}, ["message.n is True"]),
        ({"n": 1, "share": "x", "pairs": []}, ["message.share is 'x'"]),
        ({"n": 1, "share": 1}, ["message.pairs is missing"]),
        ({"n": 1, "share": 1, "pairs": [], "more": 0}, ["message.more is in no table"]),
        ({"n": 1, "share": 1, "pairs": [["a"]]}, ["message.pairs[0] has 1 items"]),
        ({"n": 1, "share": 1, "pairs": [["a", "b"]]}, ["message.pairs[0][1] is 'b'"]),
    ],
)
def test_a_message_that_is_not_as_the_table_says_is_found(value: Any, expected: list[str]) -> None:
    found = list(mismatches(value, Sample))
    assert len(found) == len(expected)
    assert all(text.startswith(begin) for text, begin in zip(found, expected, strict=True))


def test_checks_of_messages_can_fail() -> None:
    check_from_python({"client": "a", "seq": 1})
    with pytest.raises(AssertionError):
        check_from_python({"client": "a", "seq": 1, "extra": 1})
    address = {"client": "a", "seq": 1}
    check_from_page({**address, "type": "row", "index": 3, "shows_prediction": True})
    with pytest.raises(AssertionError):
        check_from_page({**address, "type": "row", "index": 3})
    with pytest.raises(AssertionError):
        check_from_page({**address, "type": "answers", "ahead": 9, "answers": [{"type": "flag", "index": 1}]})
