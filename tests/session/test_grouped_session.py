"""Sessions on pools so large that instances with nearly the same predictions share a row."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.formats import verify, write_session
from activeeval_widgets.formats.session_file.reopened import open_as_begun
from activeeval_widgets.session import MemoryStore
from activeeval_widgets.session.draws.part import PartOfRows
from activeeval_widgets.session.draws.rows import GroupedRows
from activeeval_widgets.session.pool.parts import PartsInMemory
from activeeval_widgets.session.pool.shared_rows import SharedRows
from activeeval_widgets.stats import (
    BrierScore,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    LogLoss,
    SquaredError,
    ValuePredictions,
    adaptive_q,
    pool_value,
)
from activeeval_widgets.stats.questions.make import target_of

M = 60


class Numbers:
    """Instances that are made when they are asked for."""

    def __init__(self, n_instances: int) -> None:
        self._n_instances = n_instances

    def __len__(self) -> int:
        return self._n_instances

    def __getitem__(self, index: int) -> str:
        return f"text {index}"


@pytest.fixture(autouse=True)
def _small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("activeeval_widgets.session.draws.make_draws.LARGEST_UNGROUPED", 10)


def _pool(n_instances: int = M, **given: Any) -> tuple[Pool, Any]:
    rng = np.random.default_rng(2)
    share = rng.choice([0.03, 0.2, 0.4, 0.77], n_instances) + rng.uniform(0, 1e-4, n_instances)
    model = ClassPredictions(np.column_stack([1 - share, share]))
    labels = (rng.random(n_instances) < share).astype(int)
    return Pool(Numbers(n_instances), predictions=model, kind="custom", **given), labels


def _label(session: Session, labels: Any, n: int = M) -> None:
    for _ in range(n):
        asked = session.next()
        if asked is None:
            return
        session.label(labels[asked.index].item())


def test_rows_are_few_and_stand_for_all() -> None:
    pool, _ = _pool(5000)
    rows = pool.shared_rows()
    assert 4 <= rows.n_rows < 20
    assert rows.counts.sum() == 5000
    assert pool.shared_rows() is rows
    for row in range(rows.n_rows):
        members = [rows.member(row, place) for place in range(rows.counts[row])]
        assert (rows.of(np.array(members)) == row).all()
        assert members == sorted(set(members))
        assert [rows.place(member) for member in members[::50]] == list(range(len(members)))[::50]
        given = pool.models[0].y_proba[members]
        assert rows.models[0].y_proba[row] == pytest.approx(given.mean(axis=0), abs=1e-8)


def test_each_instance_is_drawn_with_its_stored_probability() -> None:
    """The first two draws of many seeds, against the product of what they say."""
    model = ValuePredictions([0.0, 0.0, 5.0, 5.0, 5.0])
    rows = GroupedRows(SharedRows(PartsInMemory([model], None)), [model])
    row_of = rows.of(range(5))
    assert len(set(row_of.tolist())) == 2
    q = np.empty(2)
    q[row_of[0]], q[row_of[2]] = 0.35, 0.1
    n_seeds = 6000
    seen: Counter[tuple[int, int]] = Counter()
    promised: dict[tuple[int, int], float] = {}
    for seed in range(n_seeds):
        draws, probabilities = rows.draw(q, [3], 2, np.random.default_rng(seed))
        pair = int(draws[0]), int(draws[1])
        seen[pair] += 1
        promised[pair] = float(probabilities.prod())
    assert len(promised) == 12
    assert all(3 not in pair for pair in promised)
    assert sum(promised.values()) == pytest.approx(1)
    assert promised[0, 2] == pytest.approx(0.35 / 0.9 * 0.1 / 0.55)
    for pair, probability in promised.items():
        deviation = (probability * (1 - probability) / n_seeds) ** 0.5
        assert abs(seen[pair] / n_seeds - probability) < 4 * deviation


@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure(), LogLoss()], ids=repr)
def test_a_session_ends_at_the_truth(measure: Any) -> None:
    pool, labels = _pool()
    session = Session(pool, measure)
    assert session.storage.identity["q"] == "adaptive by groups 1, defensive=None"
    truth = pool_value(measure, pool.models[0], labels)
    for _ in range(M):
        assert session.q.sum() == pytest.approx(1)
        drawn = session.next()
        assert session.draws.q_at(drawn.draw)[drawn.index] > 0
        session.label(labels[drawn.index].item())
        watched = session.watched()
        assert watched.low <= truth <= watched.high
    found = session.estimate()
    assert (found.value, found.low, found.high) == pytest.approx((truth, truth, truth))
    assert session.n_labels == M
    assert sorted(session.draws.so_far().tolist()) == list(range(M))


def test_draws_are_no_more_expected_than_stored() -> None:
    """What is computed again from the log agrees with what was stored, at every block."""
    pool, labels = _pool(900)
    session = Session(pool, ErrorRate())
    _label(session, labels, 80)
    session.exclude()
    session.defer()
    _label(session, labels, 40)
    assert session.draws.source.n_mismatched_before(session.draws.source.n_draws) == 0
    numbers, q = session.draws.drawn()
    for number, probability in zip(numbers[:60:7].tolist(), q[:60:7].tolist(), strict=True):
        block = session.draws.source.block_of(number)
        before = session.draws.source._draws[session.draws.source._firsts[block] - 1 : number - 1]
        of_block = session.draws.q_at(number)
        of_block[[draw.instance for draw in before]] = 0
        instance = session.draws.source.distinct(number - 1).instance
        assert of_block[instance] / of_block.sum() == pytest.approx(probability)
        least = session.draws.source.least_probabilities([instance])[0]
        of_block[instance] = of_block[instance] or 1
        assert least == pytest.approx(of_block[of_block > 0].min() / of_block.sum())


def test_a_session_goes_on_with_its_rows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    store = MemoryStore()
    pool, labels = _pool(ids=[f"i{at}" for at in range(M)])
    session = Session(pool, ErrorRate(), store=store)
    _label(session, labels, 20)
    again = Session(pool, ErrorRate(), store=store)
    assert again.estimate() == session.estimate()
    assert again.upcoming(8) == session.upcoming(8)
    assert again.watched().low == session.watched().low
    assert verify(write_session(session, tmp_path / "session.json")).findings == ()
    share = Session(pool, ErrorRate(), store=store, name="share", defensive=0.3)
    assert open_as_begun(store, "share", pool).upcoming(8) == share.upcoming(8)
    monkeypatch.setattr("activeeval_widgets.session.draws.make_draws.LARGEST_UNGROUPED", 100)
    assert Session(pool, ErrorRate(), store=store).upcoming(8) == session.upcoming(8)
    alone = Session(pool, ErrorRate(), store=store, name="alone")
    monkeypatch.setattr("activeeval_widgets.session.draws.make_draws.LARGEST_UNGROUPED", 10)
    assert alone.storage.identity["q"] == "adaptive, defensive=None"
    resumed = Session(pool, ErrorRate(), store=store, name="alone")
    assert (resumed.storage.identity, resumed.upcoming(8)) == (alone.storage.identity, alone.upcoming(8))


def test_costs_and_two_models_share_rows_too() -> None:
    rng = np.random.default_rng(5)
    costs = rng.choice([1.0, 4.0], M)
    means = rng.choice([1.0, 2.0, 3.0], (2, M))
    pool = Pool(Numbers(M), predictions=[ValuePredictions(m) for m in means], kind="custom", costs=costs)
    rows = pool.shared_rows()
    assert rows.n_rows <= 18
    assert rows.costs is not None
    assert rows.spread(rows.costs) == pytest.approx(costs, rel=1e-6)
    for model, mean in zip(rows.models, means, strict=True):
        assert rows.spread(model.mean) == pytest.approx(mean, rel=1e-6)
    session = Session(pool, SquaredError(), y_range=(0.0, 4.0))
    y = rng.uniform(0, 4, M)
    _label(session, y, M)
    truth = ((means[0] - y) ** 2 - (means[1] - y) ** 2).mean()
    assert session.estimate().value == pytest.approx(truth)


def test_losses_of_a_row_lie_within_its_bounds() -> None:
    rng = np.random.default_rng(1)
    model = ValuePredictions(rng.normal(size=3000), rng.uniform(0.5, 1, 3000))
    rows = SharedRows(PartsInMemory([model], None))
    least, greatest = rows.models[0].members.loss_bounds(SquaredError(), (-3.0, 3.0), (0,))
    own_least, own_greatest = SquaredError().loss_bounds([model], (-3.0, 3.0))
    assert (rows.spread(least) <= own_least).all()
    assert (rows.spread(greatest) >= own_greatest).all()
    for bounds, own, end in ((least, own_least, np.min), (greatest, own_greatest, np.max)):
        members = rows.of(np.arange(3000)) == 7
        assert bounds[7] == end(own[members])


@pytest.mark.parametrize("chosen", [(0,), (1,), (2,), (0, 1), (2, 1)])
def test_bounds_are_of_the_models_that_are_asked_about(chosen: tuple[int, ...]) -> None:
    """Rows are of all models of a pool, an interval is of one or of the difference of two."""
    rng = np.random.default_rng(2)
    models = [ClassPredictions(rng.dirichlet(np.ones(2), 500)) for _ in range(3)]
    rows = SharedRows(PartsInMemory(models, None))
    assert rows.n_rows < 500
    found = target_of(BrierScore(), [rows.models[at] for at in chosen]).loss_bounds(None)
    own = target_of(BrierScore(), [models[at] for at in chosen]).loss_bounds(None)
    for bounds, each, end in zip(found, own, (np.minimum, np.maximum), strict=True):
        expected = np.full(rows.n_rows, -np.inf if end is np.maximum else np.inf)
        end.at(expected, rows.of(np.arange(500)), each)
        np.testing.assert_allclose(bounds, expected, rtol=1e-12)


def test_labels_correct_rows_by_how_far_off_they_are() -> None:
    """Values of a row differ: what a label says of the variance is by the instance's own value."""
    rng = np.random.default_rng(4)
    model = ValuePredictions(rng.normal(0, 9, 2000), np.full(2000, 0.25))
    pool = Pool(Numbers(2000), predictions=model, kind="custom")
    y = model.mean + rng.choice([-0.5, 0.5], 2000)
    session = Session(pool, SquaredError(), y_range=(-99.0, 99.0))
    _label(session, y, 60)
    draws, labels = session.draws.labeled()
    moved = session.draws.rows.labels(draws, labels)
    [row_model] = session.draws.rows.models
    assert np.abs(moved - row_model.mean[session.draws.rows.of(draws)]) == pytest.approx(0.5)
    found = session.estimate(interval="wald")
    assert found.value == pytest.approx(0.25, abs=0.005)
    assert found.standard_error < 0.03


def test_groups_of_shared_rows_are_pools_of_their_own() -> None:
    """Within a group: draws by what was stored, the truth always inside, and exact once all is labeled."""
    groups = np.array(["a"] * 40 + ["b"] * 15 + ["c"] * 5)
    pool, labels = _pool(groups=groups)
    session = Session(pool, FMeasure())
    truth = {
        name: pool_value(FMeasure(), pool.models[0].of_instances(at), labels[at])
        for name in "abc"
        for at in (np.flatnonzero(groups == name),)
    }
    for n_labels in range(M):
        if n_labels % 9 == 0:
            for each in session.group_estimates(confidence_level=0.999):
                is_inside = each.estimate.low <= truth[each.group] <= each.estimate.high
                assert is_inside or np.isnan(truth[each.group])
        session.label(labels[session.next().index].item())
    for each in session.group_estimates():
        assert each.n_labels == each.n_instances == np.count_nonzero(groups == each.group)
        assert each.estimate.value == pytest.approx(truth[each.group], nan_ok=True)
    # The probability of each draw within its group, by enumeration of what was left of it.
    draws = session.draws.source
    rows = draws.shared_rows(FMeasure())
    codes = (groups == "b").astype(int)
    part = PartOfRows(rows, codes, 1, rows.counts_by(codes, 2)[1])
    numbers = [n for n in range(1, M + 1) if groups[draws.distinct(n - 1).instance] == "b"]
    inside = np.array([draws.distinct(n - 1).instance for n in numbers])
    found, least = draws._restricted(part, inside)
    for number, probability, smallest in zip(numbers, found, least, strict=True):
        q = session.draws.q_at(number) * (groups == "b")
        q[[draws.distinct(n - 1).instance for n in range(1, number)]] = 0
        q /= q.sum()
        assert probability == pytest.approx(q[draws.distinct(number - 1).instance])
        assert smallest == pytest.approx(q[q > 0].min())


class Scripted:
    """What is asked of a random generator, as it was written down before."""

    def __init__(self, share: float, place: int) -> None:
        self._share, self._place = share, place

    def random(self) -> float:
        return self._share

    def integers(self, n: int) -> int:
        self.n = n
        return self._place


def test_draws_of_rows_are_those_of_instances_by_enumeration() -> None:
    """Where rows hold equal predictions: the same q as without rows, and each way to a draw counted."""
    share = np.array([0.1, 0.6, 0.1, 0.35, 0.6, 0.1, 0.35, 0.1])
    model = ClassPredictions(np.column_stack([1 - share, share]))
    rows = GroupedRows(SharedRows(PartsInMemory([model], None)), [model])
    labels = np.array([0, 1, 0, 1, 1, 1, 0, 0])
    rng = np.random.default_rng(3)
    for measure in (ErrorRate(), FMeasure(), LogLoss()):
        for n_drawn in range(7):
            drawn = rng.permutation(8)[:n_drawn]
            known, pending = drawn[: n_drawn // 2], drawn[n_drawn // 2 :]
            alone = adaptive_q(measure, model, known, labels[known], drawn=pending)
            q = adaptive_q(measure, rows.models, rows.of(known), labels[known], drawn=rows.of(pending))
            left = np.setdiff1d(np.arange(8), drawn)
            if known.size:  # of a row, labels don't tell which of its instances they are of
                alone = np.where(np.isin(np.arange(8), left), rows.spread(q), 0)
            assert q[rows.of(left)] == pytest.approx(alone[left])
            # Every row and every place in it, once: each instance that is left is met in one way alone.
            in_row = rows.left(drawn)
            ends = (in_row * q).cumsum()
            met: Counter[int] = Counter()
            for row in np.flatnonzero(in_row).tolist():
                for place in range(int(in_row[row])):
                    script = Scripted((ends[row] - in_row[row] * q[row] / 2) / ends[-1], place)
                    [instance], [probability] = rows.draw(q, drawn.tolist(), 1, script)
                    met[int(instance)] += 1
                    assert script.n == in_row[row]
                    assert probability == pytest.approx(alone[instance] / alone[left].sum())
            assert met == Counter(left.tolist())
