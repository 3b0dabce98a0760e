"""Sentences of page and report are those in `sentences.txt`, in many situations.

After a change that is meant to change sentences, `python tests/approved/test_sentences.py` writes them anew.
"""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FOLDERS = [str(HERE.parents[1] / "tools"), str(HERE.parent), str(HERE)]
sys.path[:0] = FOLDERS
try:
    from situations import SITUATIONS, new_sentences
    from texts import TEXTS
finally:
    del sys.path[: len(FOLDERS)]

KEPT = Path(__file__).with_name("sentences.txt")


HOW = "python tests/approved/test_sentences.py writes them anew"


@pytest.fixture(scope="module")
def found() -> dict[str, list[str]]:
    return new_sentences()


def kept() -> dict[str, list[str]]:
    """Return the approved sentences of each situation."""
    parts = KEPT.read_text(encoding="utf-8").split("\n\n")
    return {name.removeprefix("# "): result for name, *result in (part.splitlines() for part in parts)}


@pytest.mark.parametrize("name", SITUATIONS)
def test_sentences_are_the_approved_ones(found: dict[str, list[str]], name: str) -> None:
    assert found[name] == kept()[name], HOW


@pytest.mark.parametrize("name", TEXTS)
def test_texts_are_the_approved_ones(name: str) -> None:
    assert [*TEXTS[name]()] == kept()[name], HOW


def test_every_situation_is_approved() -> None:
    assert [*kept()] == [*TEXTS, *SITUATIONS]


if __name__ == "__main__":
    written = {**{name: [*texts()] for name, texts in TEXTS.items()}, **new_sentences()}
    parts = ["\n".join([f"# {name}", *said]) for name, said in written.items()]
    KEPT.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
