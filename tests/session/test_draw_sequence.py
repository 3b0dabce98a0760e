import numpy as np
import pytest

from activeeval_widgets.session.draws.sequence import DrawSequence
from activeeval_widgets.stats import draw, uniform_q
from activeeval_widgets.stats._typing import FloatArray


def some_q(n_instances: int, seed: int = 0) -> FloatArray:
    return np.random.default_rng(seed).dirichlet(np.ones(n_instances))


@pytest.mark.parametrize("pieces", [(5000,), (1, 5000), (1024, 1025, 5000), (2048, 5000), (0, 3, 3000, 5000)])
def test_pieces_of_any_size_equal_one_draw(pieces: tuple[int, ...]) -> None:
    q = some_q(300)
    sequence = DrawSequence(q, 7)
    for n_draws in pieces:
        assert sequence.first(n_draws).size == n_draws
    at_once = draw(q, 5000, np.random.Generator(np.random.PCG64(7)))
    assert sequence.first(5000).tobytes() == at_once.tobytes()


def test_asking_for_distinct_ones_first_changes_nothing() -> None:
    q = some_q(2000, 1)
    asked, fresh = DrawSequence(q, 3), DrawSequence(q, 3)
    assert asked.distinct(1500) is not None
    assert asked.first(4000).tobytes() == fresh.first(4000).tobytes()


def test_same_bytes_after_a_restart() -> None:
    q = some_q(50)
    assert DrawSequence(q, 11).first(3000).tobytes() == DrawSequence(q.copy(), 11).first(3000).tobytes()


def test_seeds_differ() -> None:
    q = some_q(50)
    assert DrawSequence(q, 1).first(100).tolist() != DrawSequence(q, 2).first(100).tolist()


@pytest.mark.parametrize("n_instances", [1, 2, 40, 3000])
def test_distinct_are_the_first_occurrences(n_instances: int) -> None:
    sequence = DrawSequence(uniform_q(n_instances), 5)
    found = [sequence.distinct(position) for position in range(n_instances)]
    expected: dict[int, int] = {}
    last = found[-1]
    for number, index in enumerate(sequence.first(last[0]).tolist(), start=1):
        expected.setdefault(index, number)
    assert found == [(number, index, 1 / n_instances) for index, number in expected.items()]


def test_an_exhausted_pool_has_no_more() -> None:
    sequence = DrawSequence(uniform_q(6), 0)
    assert sequence.distinct(5) is not None
    assert sequence.distinct(6) is None
    assert sequence.distinct(600) is None


def test_where_q_is_zero_nothing_is_drawn_or_waited_for() -> None:
    q = np.array([0.5, 0, 0.25, 0, 0.25])
    sequence = DrawSequence(q, 0)
    found = [sequence.distinct(position) for position in range(4)]
    assert found[3] is None
    assert {asked[1] for asked in found[:3] if asked} == {0, 2, 4}
    assert set(sequence.first(2000).tolist()) == {0, 2, 4}


def test_what_is_out_of_reach_ends_the_sequence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("activeeval_widgets.session.draws.sequence.MAX_REPEATS", 10_000)
    sequence = DrawSequence(np.array([0.5, 0.5 - 1e-15, 1e-15]), 0)
    assert sequence.distinct(1) is not None
    assert sequence.distinct(2) is None
    assert sequence.distinct(2) is None
