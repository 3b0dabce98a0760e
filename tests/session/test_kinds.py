"""A kind of instances is one class, registered in one place: all that a pool does follows from it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import InstanceKind, Pool, Session, Text, register_kind
from activeeval_widgets.session.pool.kinds import KINDS
from activeeval_widgets.session.pool.kinds.base import check_each
from activeeval_widgets.stats import DCG, ErrorRate, RankingPredictions

PROBA = [[0.1, 0.9], [0.7, 0.3]]


class Recording(InstanceKind):
    """Paths of WAV files."""

    name = "recording"
    noun = "recordings"

    def fits(self, instance: Any) -> bool:
        return isinstance(instance, str | Path) and str(instance).endswith(".wav")

    def check(self, instances: Any) -> list[Path]:
        return [Path(each) for each in check_each(instances, self.fits, "the path of a WAV file")]


@pytest.fixture(autouse=True)
def own_registry() -> Iterator[None]:
    """Let each test register kinds of its own."""
    before = dict(KINDS)
    yield
    KINDS.clear()
    KINDS.update(before)


def test_what_nobody_has_registered_is_a_text() -> None:
    assert Pool(["a.wav", "b.wav"], predictions=PROBA).kind == "text"
    with pytest.raises(ValueError, match=r"^kind must be one of .*'text', got 'recording'$"):
        Pool(["a.wav", "b.wav"], predictions=PROBA, kind="recording")


def test_a_kind_of_ones_own() -> None:
    """It is guessed, named, checked, told apart, put in words, and counted in a report."""
    register_kind(Recording())
    pool = Pool(["a.wav", "b.wav"], predictions=PROBA)
    assert (pool.kind, pool.noun, pool.instances) == (
        "recording",
        "recordings",
        [Path("a.wav"), Path("b.wav")],
    )
    assert [pool.excerpt(0), pool.excerpt(1)] == ["a.wav", "b.wav"]
    assert pool.fingerprints != Pool(["a.wav", "c.wav"], predictions=PROBA).fingerprints
    assert pool.fingerprints == Pool([Path("a.wav"), Path("b.wav")], predictions=PROBA).fingerprints
    assert Pool(["a.wav", "b.wav"], predictions=PROBA, kind="text").kind == "text"
    assert Pool(["a", "b"], predictions=PROBA).kind == "text"
    with pytest.raises(TypeError, match=r"^instances\[1\] must be the path of a WAV file, got 'b.txt'$"):
        Pool(["a.wav", "b.txt"], predictions=PROBA)
    session = Session(pool, ErrorRate())
    session.label(1)
    assert "What is the error rate of the model on 2 recordings?" in session.report()
    assert session.labels_table()["content"].item() in ("a.wav", "b.wav")


def test_what_has_no_items_can_not_be_ranked() -> None:
    register_kind(Recording())
    ranker = RankingPredictions([["a"], ["b"]], [{"a": [0.5, 0.5]}, {"b": [0.5, 0.5]}], grades=[0, 1])
    with pytest.raises(TypeError, match=r"^instances are recordings, but RankingPredictions need Rankings"):
        Pool(["a.wav", "b.wav"], predictions=ranker)
    pool = Pool(["a.wav", "b.wav"], predictions=ranker, kind="custom")
    assert pool.items(1) == ("b",)
    Session(pool, DCG()).label({"a": 1} if Session(pool, DCG()).next().index == 0 else {"b": 1})


@pytest.mark.parametrize("kind", [Recording, None, "text", InstanceKind()])
def test_what_is_no_kind(kind: Any) -> None:
    with pytest.raises(TypeError, match=r"^kind must be an InstanceKind with a name and a noun, got "):
        register_kind(kind)


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_kind_says_what_it_is(name: str) -> None:
    kind = KINDS[name]
    assert kind.name == name
    assert kind.noun.endswith("s")
    assert not kind.fits(object())
    made = type("Made", (type(kind),), {})()
    register_kind(made)
    assert KINDS[name] is made
    assert list(KINDS)[-1] == name


EXAMPLES: dict[str, list[Any]] = {
    "custom": [5, 6],
    "image": [np.zeros((2, 2)), b"x"],
    "pair": [("a", "b"), ("a", "c")],
    "text": ["a", Text("b")],
    "record": [{"a": 1}, {"a": 2}],
    "conversation": [[{"role": "user", "content": "a"}], [{"role": "user", "content": "b"}]],
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_digest_distinguishes_instances(name: str) -> None:
    first, second = EXAMPLES[name]
    pools = [Pool(each, predictions=PROBA, kind=name) for each in ([first, second], [second, first])]
    here, there = (pool.fingerprints["instances"] for pool in pools)
    assert (here != there) == (name != "custom")  # those count by their ids
    assert here == Pool([first, second], predictions=PROBA, kind=name).fingerprints["instances"]
