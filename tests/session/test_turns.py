"""Leaderboards of large pools, in which models and pairs take turns; and intervals that go back."""

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.session.draws import adaptive
from activeeval_widgets.session.findings.round_robin import PERIOD, RoundRobin, turn
from activeeval_widgets.session.pool.parts import PartsInMemory
from activeeval_widgets.session.pool.shared_rows import SharedRows
from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    MacroF,
    MatthewsCorrelation,
    Measure,
    PredictedClasses,
    SquaredError,
    ValuePredictions,
    adaptive_q,
    draw_without_replacement,
)

from ..labeling import give_labels

N, NAMES = 200, "ABC"
OF_ONE, OF_TWO = 1 - 0.05 / len(NAMES), 1 - 0.05 / (len(NAMES) - 1)


def setting(seed: int = 0) -> tuple[Pool, Any]:
    rng = np.random.default_rng(seed)
    p = rng.beta(0.3, 0.5, N).clip(0.01, 0.99)
    scores = [np.log(p / (1 - p)) + noise * rng.normal(size=N) for noise in (0.2, 1.5, 6.0)]
    shares = [1 / (1 + np.exp(-each)) for each in scores]
    models = {name: np.column_stack([1 - each, each]) for name, each in zip(NAMES, shares, strict=True)}
    return Pool([f"t{i}" for i in range(N)], predictions=models), (rng.random(N) < p).astype(int)


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pools of any size count as large."""
    monkeypatch.setattr(adaptive, "_ROWS_AT_ONCE", 0)


def test_each_has_its_turn_once_in_a_period():
    for number in (0, 3, PERIOD - 1, PERIOD + 5):
        turns = [turn(n, number) for n in range(4 * PERIOD)]
        assert len({each for each in turns if each}) == 4 - (number % PERIOD == 0)
        assert all(0 <= n - each < PERIOD or each == 0 for n, each in enumerate(turns))
        assert sorted(turns) == turns


def test_only_large_pools_take_turns():
    pool, _ = setting()
    assert not Session(pool, ErrorRate()).draws.source.needs_round_robin(4)
    assert not Session(pool, ErrorRate(), protocol="papers").draws.source.needs_round_robin(10**6)
    assert Session(pool, ErrorRate()).draws.source.needs_round_robin(100)


@pytest.mark.slow
@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("measure", [ErrorRate(), MacroF()], ids=repr)
def test_whose_turn_it_was_is_as_it_was_then(measure: Measure):
    """The best so far is up to date, whatever is of others is what the same draws said at their turn."""
    pool, y_true = setting()
    session, plain = Session(pool, measure, seed=5), Session(pool, measure, seed=5)
    for _ in range(5):
        give_labels(session, y_true, 9)
        give_labels(plain, y_true, 9)
        board, n = session.leaderboard(), session.n_labels
        assert session.estimate() == board.leader.estimate
        for each in board.models:
            alone = plain.of(each.name)
            estimate = alone.estimate(confidence_level=OF_ONE)
            then = n if each == board.leader else turn(n, each.position)
            [low], [high] = alone.watched(confidence_level=OF_ONE).at([then])
            if measure.is_risk:
                assert (each.estimate.low, each.estimate.high) == (low, high)
            assert (each.estimate.value, each.estimate.n_draws) == (estimate.value, n)
            assert each.estimate.standard_error == estimate.standard_error
            assert each.estimate.confidence_level == 0.95
        result = {each.name: each.beaten_by for each in board.models}
        for number, (i, j) in enumerate(combinations(range(len(NAMES)), 2)):
            is_leaders = board.leader.position in (i, j) and n >= PERIOD
            then = n if is_leaders else turn(n, number)
            [low], [high] = plain.of(i, j).watched(confidence_level=OF_TWO).at([then])
            is_first_better = (low > 0) if measure.greater_is_better else (high < 0)
            is_second_better = (high < 0) if measure.greater_is_better else (low > 0)
            assert (NAMES[i] in result[NAMES[j]]) >= (then > 0 and is_first_better)
            if is_leaders:
                assert (NAMES[j] in result[NAMES[i]]) == is_second_better


@pytest.mark.slow
@pytest.mark.usefixtures("large")
def test_the_log_alone_shows_the_leaderboard(tmp_path: Path):
    """However often it was looked at, whatever was taken back, and in a session opened again."""
    pool, y_true = setting(1)
    often = Session(pool, ErrorRate(), seed=2, store=tmp_path / "s.sqlite")
    for n in range(28):
        give_labels(often, y_true, 1)
        often.leaderboard()
        if n % 14 == 13:
            for _ in range(n // 8):
                often.undo()
                often.leaderboard()
            give_labels(often, y_true, n // 8)
        if n == 20:
            often.exclude()
    [first, second] = list(often.draws.so_far()[:2])
    often.change(int(first), int(1 - y_true[first]))
    often.leaderboard()
    often.change(int(first), int(y_true[first]))
    assert second != first
    once = Session(pool, ErrorRate(), seed=2, store=tmp_path / "s.sqlite")
    assert often.leaderboard() == once.leaderboard()
    assert often.estimate() == once.estimate()


def test_which_of_two_is_better_follows_the_labels_after_an_undo():
    """At the same number of labels: nothing that was known of others is kept."""
    predicted = {"A": [0] * 12, "B": [1] * 12, "C": [0, 1] * 6}
    pool = Pool([f"t{i}" for i in range(12)], predictions=predicted, classes=[0, 1])
    session = Session(pool, ErrorRate())
    give_labels(session, 0)
    board = RoundRobin(session.findings, ErrorRate(), 0.95)
    assert board._side((0, 1), 12) == -1
    for n_undone, side in ((5, -1), (6, 0), (12, 1)):
        for _ in range(n_undone):
            session.undo()
        give_labels(session, 1)
        assert board._side((0, 1), 12) == side


@pytest.mark.slow
@pytest.mark.usefixtures("large")
@pytest.mark.parametrize(("measure", "values"), [(FMeasure(), False), (SquaredError(), True)], ids=str)
def test_what_is_done_ahead_changes_nothing_but_when(measure: Measure, values: bool):
    """Also where it is not done to its end, and where an answer is taken back after it."""
    pool, y_true = setting(3)
    if values:
        rng = np.random.default_rng(0)
        own = {name: ValuePredictions(rng.normal(size=N), np.ones(N)) for name in NAMES}
        pool, y_true = Pool([f"t{i}" for i in range(N)], predictions=own), rng.normal(size=N)
    ahead, plain = Session(pool, measure, seed=5), Session(pool, measure, seed=5)
    n_steps = n_ready = 0
    for n in range(27):
        for session in (ahead, plain):
            session.label(y_true[session.next().index].item())
            if n % 9 == 8:
                session.undo()
            if n % 13 == 12:
                session.exclude()
        assert repr(ahead.leaderboard()) == repr(plain.leaderboard())
        for step, _ in enumerate(ahead.findings._precompute_leaderboards()):
            n_steps += 1
            if n % 5 == 4 and step == n % 4:
                break
        if n % 5 == 2:
            leader = ahead.of(ahead.leaderboard().leader.position)
            streams = leader._interval(measure, OF_ONE)._sequence.now.sequence._streams
            n_ready += streams.n_draws == streams._refreshed_at
    assert n_steps > 70
    assert n_ready > 0
    assert repr(ahead.pairs()) == repr(plain.pairs())


@pytest.mark.slow
@pytest.mark.usefixtures("large")
def test_what_is_out_in_turns_is_out_at_once(monkeypatch: pytest.MonkeyPatch):
    pool, y_true = setting(2)
    session = Session(pool, ErrorRate(), seed=2)
    for _ in range(6):
        give_labels(session, y_true, 11)
        in_turns = session.leaderboard()
        session.findings._boards.clear()
        with monkeypatch.context() as patch:
            patch.setattr(adaptive, "_ROWS_AT_ONCE", 10**9)
            at_once = session.leaderboard()
        session.findings._boards.clear()
        out = {each.name: set(each.beaten_by) for each in at_once.models}
        for each in in_turns.models:
            assert set(each.beaten_by) <= out[each.name]
    give_labels(session, y_true, N - session.n_labels)
    assert session.leaderboard().best is not None


def test_ten_models_share_rows_with_their_own_predicted_classes():
    """Told apart as finely as two models, there would be more kinds than numbers of 64 bits."""
    rng = np.random.default_rng(0)
    p = rng.random((10, 3_000))
    models = [ClassPredictions(np.column_stack([1 - each, each])) for each in p]
    shared = SharedRows(PartsInMemory(models, None))
    rows = shared.of(np.arange(3_000))
    for model, of_rows in zip(models, shared.models, strict=True):
        assert (of_rows.pred_codes[rows] == model.pred_codes).all()
    many = [PredictedClasses(list(range(500)), classes=list(range(500))) for _ in range(8)]
    with pytest.raises(ValueError, match="too many classes together"):
        SharedRows(PartsInMemory(many, None))


@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure(), MacroF(), MatthewsCorrelation()], ids=repr)
def test_a_sequence_that_is_made_ready_says_the_same(measure: Measure):
    """And takes less for the draw: what is expected of the pool is not made again."""
    rng = np.random.default_rng(4)
    p = rng.beta(0.4, 0.6, 150)
    model, y_true = ClassPredictions(np.column_stack([1 - p, p])), (rng.random(150) < 0.4).astype(int)
    plain, ready = (AdaptiveConfidenceSequence(measure, model) for _ in range(2))
    drawn: list[int] = []
    for _ in range(5):
        q = adaptive_q(measure, model, drawn, y_true[drawn])
        for draw in draw_without_replacement(q, 6, rng)[0].tolist():
            before = ready.low, ready.high
            ready.prepare(q)
            ready.prepare(q)
            assert (ready.low, ready.high) == before
            control = ready._streams._control
            label = None if draw % 11 == 0 else int(y_true[draw])
            assert ready.update(draw, q, label) == plain.update(draw, q, label)
            assert ready._streams._control is control
            drawn.append(draw)


def test_intervals_go_on_from_copies_to_the_bit():
    rng = np.random.default_rng(3)
    models = [ClassPredictions(np.column_stack([1 - p, p])) for p in rng.beta(0.4, 0.6, (2, 150))]
    y_true = (rng.random(150) < 0.4).astype(int)
    for measure, of in ((ErrorRate(), models), (FMeasure(), models[:1])):
        sequence, copies, result = AdaptiveConfidenceSequence(measure, of), [], []
        drawn: list[int] = []
        steps = []
        for _ in range(6):
            q = adaptive_q(measure, of, drawn, y_true[drawn])
            draws, _ = draw_without_replacement(q, 7, rng)
            steps += [(int(draw), q) for draw in draws]
            drawn += draws.tolist()
        for draw, q in steps:
            copies.append(sequence.copy())
            result.append(sequence.update(draw, q, None if draw % 11 == 0 else int(y_true[draw])))
        for start in (0, 3, 8, 9, 20, 40):
            again = copies[start].copy()
            for (draw, q), before in zip(steps[start:], result[start:], strict=True):
                assert again.update(draw, q, None if draw % 11 == 0 else int(y_true[draw])) == before
            assert copies[start]._streams._q is None, "what is as large as the pool is not kept"
