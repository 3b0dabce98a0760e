"""Several models by the labels of one session: each alone, pairs, the leaderboard, and what is asked for."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from sklearn.linear_model import LogisticRegression

from activeeval_widgets import Goal, Pool, Session, compare
from activeeval_widgets.formats import read_session_file, verify, write_session
from activeeval_widgets.session import MemoryStore
from activeeval_widgets.session.draws import blocks
from activeeval_widgets.session.errors import SessionMismatchError
from activeeval_widgets.session.findings import estimation
from activeeval_widgets.session.findings.fixed_n import check_suits
from activeeval_widgets.session.findings.goal_plan import BestModelPlan
from activeeval_widgets.session.findings.group_estimates import SHOWN as GROUPS
from activeeval_widgets.session.findings.leaderboard import make_leaderboard, read_leaderboard
from activeeval_widgets.session.report.plot import estimate_figure
from activeeval_widgets.stats import (
    DCG,
    Accuracy,
    AdaptiveConfidenceSequence,
    BrierScore,
    ClassPredictions,
    ConfidenceSequence,
    ErrorRate,
    FMeasure,
    LabelShare,
    PredictedClasses,
    RankingPredictions,
    Recall,
    SquaredError,
    ValuePredictions,
    adaptive_q,
    estimate,
    estimate_adaptive,
    pool_value,
)
from activeeval_widgets.stats.adaptive.pairs_to_compare import undecided_pairs
from activeeval_widgets.stats.questions.make import question_of

from ..labeling import give_labels

N = 240


def probabilities(rng: np.random.Generator, p: Any, noise: float) -> ClassPredictions:
    """A model that sees log-odds with some noise."""
    seen = np.log(p / (1 - p)) + noise * rng.normal(size=p.size)
    q = 1 / (1 + np.exp(-seen))
    return ClassPredictions(np.column_stack([1 - q, q]), classes=["no", "yes"])


def setting(seed: int = 0, noises: tuple[float, ...] = (0.3, 1.5, 4.0), n: int = N) -> tuple[Pool, Any]:
    rng = np.random.default_rng(seed)
    p = rng.beta(0.4, 0.6, n).clip(0.01, 0.99)
    models = {name: probabilities(rng, p, noise) for name, noise in zip("ABCDEFGH", noises, strict=False)}
    return Pool([f"text {i}" for i in range(n)], predictions=models), np.where(rng.random(n) < p, "yes", "no")


@pytest.fixture(scope="module")
def begun() -> tuple[Session, Any]:
    pool, y_true = setting()
    session = give_labels(Session(pool, ErrorRate(), seed=3, budget=100), y_true, 40)
    session.exclude()
    return give_labels(session, y_true, 19), y_true


# -- what is read for some of the models


@pytest.mark.parametrize("which", [("A",), ("C",), ("A", "B"), ("C", "A")])
def test_one_or_two_models_are_read_as_if_they_were_alone(begun, which):
    session, _ = begun
    models = [session.models["ABC".index(name)] for name in which]
    answered = session.draws.watched()
    draws = answered.draws
    q = session.draws.source.probabilities(draws.tolist())
    view = session.of(*which)
    assert view.models == tuple(models)
    by_hand = estimate_adaptive(ErrorRate(), models, draws, q, answered.y_true)
    found = view.estimate()
    assert found.value == pytest.approx(by_hand.value, abs=1e-12)
    sequence = AdaptiveConfidenceSequence(ErrorRate(), models, deadlines=(100,))
    for number, (draw, y) in enumerate(zip(draws.tolist(), answered.y_true, strict=True), 1):
        sequence.update(draw, session.draws.q_at(number), y)
    assert (found.low, found.high) == (sequence.low, sequence.high)
    assert found.n_excluded == 1
    assert view is session.of(*which), "kept, so that each label is fed once"


def test_it_goes_on_with_the_session():
    pool, y_true = setting()
    session = Session(pool, ErrorRate(), seed=1)
    view = session.of("B")
    assert not view.estimate().is_defined
    give_labels(session, y_true, 30)
    before = view.estimate()
    assert before.n_labels == 30
    session.undo()
    assert view.estimate().n_labels == 29
    give_labels(session, y_true, 1)
    assert view.estimate() == before


def test_once_all_is_labeled_each_model_is_known():
    pool, y_true = setting(n=60)
    session = give_labels(Session(pool, ErrorRate(), seed=1), y_true, 60)
    for model in session.models:
        truth = pool_value(ErrorRate(), model, y_true)
        found = session.of(model.name).estimate()
        assert (found.value, found.low, found.high) == pytest.approx((truth,) * 3)
    board = session.leaderboard()
    assert [each.name for each in board.models] == sorted(
        "ABC", key=lambda name: pool_value(ErrorRate(), session.of(name).models[0], y_true)
    )
    assert board.best == board.leader.name
    assert board.models[2].beaten_by == tuple(
        each.name for each in sorted(board.models[:2], key=lambda each: each.position)
    )
    assert session.estimate().value == board.leader.estimate.value
    assert session.known_value() == board.leader.estimate.value


def test_of_models_that_are_as_good_as_each_other_none_is_beaten():
    """Their losses are the same numbers, in another order: sums of them differ by rounding errors."""
    rng = np.random.default_rng(0)
    truth, off = rng.normal(size=20).round(1), rng.normal(size=20).round(1)
    for seed in range(2):
        models = {
            name: ValuePredictions(truth + error, np.ones(20))
            for name, error in (("A", off), ("B", -off), ("C", rng.permutation(off)))
        }
        pool = Pool(["x"] * 20, predictions=models)
        session = give_labels(Session(pool, SquaredError(), seed=seed, y_range=(-6, 6)), truth.tolist(), 20)
        assert [each.beaten_by for each in session.leaderboard().models] == [(), (), ()]
        assert session.of("B", "C").estimate().pvalue == 1
    sequence = AdaptiveConfidenceSequence(SquaredError(), list(pool.models)[1:], y_range=(-6, 6))
    sequence.extend(np.arange(20), [np.r_[np.zeros(i), np.ones(20 - i)] / (20 - i) for i in range(20)], truth)
    assert (sequence.low, sequence.high) == (0, 0)


def test_of_two_models_each_is_read_alone():
    pool, y_true = setting(noises=(0.3, 4.0))
    session = give_labels(Session(pool, ErrorRate(), seed=2), y_true, 60)
    assert session.of("A", "B") is session.findings
    for model in session.models:
        found = session.of(model.name).estimate()
        assert found.low <= pool_value(ErrorRate(), model, y_true) <= found.high
    assert session.of("B", "A").estimate().value == pytest.approx(-session.estimate().value, abs=0.02)
    assert len(session.leaderboard().models) == 2


def test_other_measures_and_confusion_of_one_model(begun):
    session, _ = begun
    view = session.of("B")
    assert 0 < view.estimate(Recall(positive="yes")).value <= 1
    assert view.confusion().shares.sum() == pytest.approx(1)
    assert session.leaderboard(Accuracy()).models[0].estimate.value > 0.5
    assert len(view.trials()) == 1


@pytest.mark.parametrize(
    ("asked", "kind", "message"),
    [
        (("X",), ValueError, "there is no model 'X'; there are 'A', 'B', 'C'"),
        ((3,), ValueError, "there is no model 3; they are numbered from 0 to 2"),
        ((True,), TypeError, "named by its name or its position"),
        (("A", "A"), ValueError, "'A' is named twice"),
        ((), ValueError, "one model, or two"),
        (("A", "B", "C"), ValueError, "one model, or two"),
    ],
)
def test_models_that_are_not_there(begun, asked, kind, message):
    with pytest.raises(kind, match=message):
        begun[0].of(*asked)


# -- the leaderboard


def test_intervals_and_verdicts_are_of_levels_that_hold_together(begun):
    session, _ = begun
    board = session.leaderboard(confidence_level=0.9)
    for each in board.models:
        alone = session.of(each.name).estimate(confidence_level=1 - 0.1 / 3)
        assert (each.estimate.low, each.estimate.high) == (alone.low, alone.high)
        assert each.estimate.confidence_level == 0.9
    for first, second in combinations("ABC", 2):
        watched = session.of(first, second).watched(confidence_level=1 - 0.1 / 2)
        result = {each.name: each.beaten_by for each in board.models}
        assert (second in result[first]) == (watched.low > 0)
        assert (first in result[second]) == (watched.high < 0)
    order = sorted(board.models, key=lambda each: (bool(each.beaten_by), each.estimate.value))
    assert list(board.models) == order
    table = board.to_frame()
    assert table.model.tolist() == [each.name for each in board.models]
    assert table.may_be_best.tolist() == [not each.beaten_by for each in board.models]


def test_a_circle_of_mistakes_leaves_all_in(begun):
    board = begun[0].leaderboard()
    circle = [
        replace(each, beaten_by=(other.name,))
        for each, other in zip(board.models, board.models[1:] + board.models[:1], strict=True)
    ]
    assert replace(board, models=tuple(circle)).contenders == tuple(circle)
    assert replace(board, models=tuple(circle)).best is None


KNOWN = estimate(ErrorRate(), PredictedClasses(["a", "b"]), [0.5, 0.5], [0, 1], ["a", "b"])


class Levels:
    """A session of which it is noted what level its intervals are asked for."""

    def __init__(self, n_models: int) -> None:
        self.models = [PredictedClasses(["a", "b"], name=f"m{k}") for k in range(n_models)]
        self.question = question_of(ErrorRate(), self.models)
        self.asked: dict[tuple[int, ...], float] = {}

    def of(self, *which: int) -> Any:
        def result(_measure: Any, *, confidence_level: float) -> Any:
            self.asked[which] = confidence_level
            value = 0.5 if len(which) == 1 else 0.0
            return replace(KNOWN, value=value, low=-1.0, high=1.0)

        return SimpleNamespace(estimate=result, watched=result)


@pytest.mark.parametrize(
    ("n_models", "alone", "between"), [(2, 0.9, 0.8), (3, 1 - 0.2 / 3, 0.9), (5, 0.96, 0.95)]
)
def test_what_level_each_interval_has(n_models, alone, between):
    session = Levels(n_models)
    read_leaderboard(session, ErrorRate(), 0.8)
    assert len(session.asked) == n_models + n_models * (n_models - 1) // 2
    for which, level in session.asked.items():
        assert level == pytest.approx(alone if len(which) == 1 else between)


def test_whether_a_measure_suits_is_asked_once(begun, monkeypatch):
    session, _ = begun
    asked = []

    def suits(measure: Any, models: Any, labels: Any) -> None:
        asked.append((measure.name, len(models)))
        check_suits(measure, models, labels)

    monkeypatch.setattr(estimation, "check_suits", suits)
    for _ in range(2):
        session.leaderboard(Recall(positive="no"))
        session.estimate(Recall(positive="no"))
    assert [n_models for _, n_models in asked].count(3) == 1
    assert len(asked) == 1 + 3, "of all, and of each alone"
    with pytest.raises(ValueError, match="positive"):
        session.leaderboard(Recall(positive="maybe"))


def test_more_is_better_turns_the_board_around(begun):
    session, _ = begun
    wrong, right = session.leaderboard(), session.leaderboard(Accuracy())
    assert [each.name for each in right.models] == [each.name for each in wrong.models]
    assert [each.beaten_by for each in right.models] == [each.beaten_by for each in wrong.models]


@pytest.mark.parametrize(("measure", "order"), [(ErrorRate(), "CADBE"), (Accuracy(), "DACBE")], ids=repr)
def test_those_that_may_be_best_come_first_by_their_values_then_what_is_not_known(measure, order):
    values = {"A": 0.3, "B": float("nan"), "C": 0.2, "D": 0.4, "E": 0.1 if order[0] == "C" else 0.9}
    found = [SimpleNamespace(value=value) for value in values.values()]
    # E is beaten by D, whatever its own value is.
    sides = {(3, 4): 1 if measure.greater_is_better else -1}
    board = make_leaderboard([*values], found, sides, measure, 0.95)
    assert "".join(each.name for each in board.models) == order
    assert [each.name for each in board.models if not each.may_be_best] == ["E"]


def test_the_estimate_is_that_of_the_leader(begun):
    session, _ = begun
    board, found = session.leaderboard(), session.estimate()
    assert found == board.leader.estimate
    assert session.findings.leader().models == (session.models[board.leader.position],)
    assert (session.watched().low, session.watched().high) == (found.low, found.high)
    assert session.trajectory([20, 59])[1].value == found.value


@pytest.mark.slow
def test_the_best_is_never_called_beaten_beyond_chance():
    """Three models of which two are as good as each other: the worst case of a verdict."""
    n_sessions, n = 8, 120
    n_beaten = n_outside = 0
    rng = np.random.default_rng(7)
    for seed in range(n_sessions):
        p = rng.beta(0.4, 0.6, n).clip(0.02, 0.98)
        models = {name: probabilities(rng, p, 1.5) for name in "ABC"}
        y_true = np.where(rng.random(n) < p, "yes", "no")
        values = {name: pool_value(ErrorRate(), model, y_true) for name, model in models.items()}
        best = {name for name, value in values.items() if value == min(values.values())}
        session = Session(Pool(["x"] * n, predictions=models), ErrorRate(), seed=seed)
        is_beaten = is_outside = False
        for _ in range(3):
            give_labels(session, y_true, 16)
            board = session.leaderboard(confidence_level=0.8)
            is_beaten |= any(each.beaten_by for each in board.models if each.name in best)
            is_outside |= any(
                not each.estimate.low <= values[each.name] <= each.estimate.high for each in board.models
            )
        n_beaten, n_outside = n_beaten + is_beaten, n_outside + is_outside
    # Each promise is kept in 80 % of sessions. More than this happens once in a thousand.
    assert max(n_beaten, n_outside) <= binom.ppf(0.999, n_sessions, 0.2)


# -- draws


def test_before_ten_labels_all_pairs_count_then_those_of_the_leader():
    pool, y_true = setting(noises=(0.1, 0.4, 6.0))
    models, rng = list(pool.models), np.random.default_rng(0)
    draws = rng.permutation(N)[:200]
    q = 1 / (N - np.arange(200.0))
    everything = tuple(combinations(range(3), 2))
    assert undecided_pairs(ErrorRate(), models, draws[:9], q[:9], y_true[draws[:9]]) == everything
    found = undecided_pairs(ErrorRate(), models, draws, q, y_true[draws])
    values = [float(np.mean(model.y_pred[draws] != y_true[draws])) for model in models]
    leader = int(np.argmin(values))
    # By hand, as if all weights were alike: of uniform draws without replacement they nearly are.
    wrong = np.array([model.y_pred[draws] != y_true[draws] for model in models], dtype=float)
    close = []
    for j in range(3):
        d = wrong[j] - wrong[leader]
        if j != leader and abs(d.mean()) <= 3 * np.sqrt(((d - d.mean()) ** 2).sum()) / 200:
            close.append(j)
    assert sorted(found) == sorted((leader, j) for j in close)
    assert (leader, 2) not in found
    # Of rows that stand for instances, what models say of these themselves.
    own = [model.part(draws) for model in models]
    assert undecided_pairs(ErrorRate(), models, np.zeros(200, int), q, y_true[draws], own=own) == found


def test_contenders_by_the_mean_of_what_each_draw_says():
    """Y_t = (Σ of those drawn before + z_t/q_t)/m: what was drawn first is in all that come later, too."""
    m, n = 60, 30
    q = 1 / (m - np.arange(n))
    draws, labels = np.arange(n), [0] * n
    each = np.array([[s < t or (s == t) / q[t] for s in range(n)] for t in range(n)], dtype=float) / m
    weights = each.mean(axis=0)

    def model(*wrong: int) -> ClassPredictions:
        return ClassPredictions(np.where(np.isin(np.arange(m), wrong)[:, np.newaxis], [0.2, 0.8], [0.8, 0.2]))

    # Three errors late count for less than two early ones, and two models that err together are told
    # apart by the one error that they don't share.
    early, late = model(0, 1), model(27, 28, 29)
    assert weights[:2].sum() > weights[27:].sum()
    assert undecided_pairs(ErrorRate(), [early, late], draws, q, labels)[0] == (1, 0)
    together = range(10, 22)
    alike, worse = model(*together), model(*together, *range(3, 10))
    assert undecided_pairs(ErrorRate(), [model(*together, 25), alike, worse], draws, q, labels) == ((1, 0),)


def test_q_is_the_mixture_of_what_distinguishes_the_pairs():
    pool, y_true = setting()
    models = list(pool.models)
    labeled = [3, 17, 40, 41]
    q = adaptive_q(ErrorRate(), models, labeled, y_true[labeled], pairs=[(0, 1), (0, 2)], defensive=0.0)
    share = 0.3
    mixed = adaptive_q(ErrorRate(), models, labeled, y_true[labeled], pairs=[(0, 1), (0, 2)], defensive=share)
    rest = np.ones(N)
    rest[labeled] = 0
    pure = (mixed - share * rest / rest.sum()) / (1 - share)
    # A pair that is mixed with itself is that pair alone.
    one = adaptive_q(ErrorRate(), models, labeled, y_true[labeled], pairs=[(0, 1)], defensive=share)
    two = adaptive_q(ErrorRate(), models, labeled, y_true[labeled], pairs=[(0, 2)], defensive=share)
    assert mixed == pytest.approx((one + two) / 2)
    assert pure.min() >= -1e-15
    assert q.sum() == pytest.approx(1)
    assert (q[labeled] == 0).all()
    everything = adaptive_q(ErrorRate(), models, labeled, y_true[labeled], defensive=share)
    three = adaptive_q(ErrorRate(), models, labeled, y_true[labeled], pairs=[(1, 2)], defensive=share)
    assert everything == pytest.approx((one + two + three) / 3)


def test_draws_prefer_what_sets_the_contenders_apart():
    """Where only the hopeless third model differs, hardly anything is drawn once it is out."""
    rng = np.random.default_rng(5)
    y_true = np.where(rng.random(N) < 0.5, "yes", "no")
    a, b, c = (np.where(y_true == "yes", 0.9, 0.1) for _ in range(3))
    a[:80] = rng.permutation(a[:80])
    b[:80] = rng.permutation(b[:80])  # A and B differ in the first third
    c[80:] = 1 - c[80:]  # and C in the rest
    models = {n: np.column_stack([1 - p, p]) for n, p in zip("ABC", (a, b, c), strict=True)}
    pool = Pool(
        ["x"] * N, predictions={k: ClassPredictions(v, classes=["no", "yes"]) for k, v in models.items()}
    )
    session = give_labels(Session(pool, ErrorRate(), seed=0), y_true, 70)
    q = session.q
    left = q > 0
    assert q[:80][left[:80]].mean() > 2 * q[80:][left[80:]].mean()


# -- stores, files, protocols, kinds


def test_a_stored_session_goes_on_and_is_verified(tmp_path: Path):
    pool, y_true = setting(n=80)
    session = give_labels(Session(pool, ErrorRate(), seed=3, store=tmp_path / "s.sqlite"), y_true, 30)
    board = session.leaderboard()
    again = Session(pool, ErrorRate(), seed=3, store=tmp_path / "s.sqlite")
    assert again.leaderboard() == board
    assert again.next().index == session.next().index
    write_session(session, tmp_path / "s.json")
    file = read_session_file(tmp_path / "s.json")
    assert verify(file).follows
    assert (
        [model.name for model in file.session().models] == ["A", "B", "C"]
        if hasattr(file, "session")
        else True
    )
    other, _ = setting(seed=9, n=80)
    with pytest.raises(Exception, match="predictions"):
        Session(other, ErrorRate(), seed=3, store=tmp_path / "s.sqlite")
    turned = Pool(list(pool.instances), predictions=dict(zip("CAB", np.roll(pool.models, 1), strict=True)))
    with pytest.raises(
        SessionMismatchError, match=r"in another order: .* that are now number 2, 3, 1\. Open"
    ):
        Session(turned, ErrorRate(), seed=3, store=tmp_path / "s.sqlite")


def test_the_papers_protocol_mixes_all_pairs():
    pool, y_true = setting()
    session = give_labels(Session(pool, ErrorRate(), seed=3, protocol="papers"), y_true, 50)
    draws, labels = session.draws.labeled()
    for name in "ABC":
        model = session.of(name).models[0]
        by_hand = estimate(ErrorRate(), model, session.q, draws, labels)
        assert session.of(name).estimate(interval="wald").value == pytest.approx(by_hand.value)
        sequence = ConfidenceSequence(ErrorRate(), [model], session.q)
        sequence.extend(draws, labels)
        found = session.of(name).estimate()
        assert (found.low, found.high) == pytest.approx((sequence.low, sequence.high))
    assert len(session.leaderboard().models) == 3


@pytest.mark.parametrize("measure", [FMeasure(positive="yes"), Recall(positive="yes")])
def test_ratios(measure):
    pool, y_true = setting()
    session = give_labels(Session(pool, measure, seed=3), y_true, 40)
    board = session.leaderboard()
    assert all(
        0 <= each.estimate.low <= each.estimate.value <= each.estimate.high <= 1 for each in board.models
    )


def test_values():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=150)
    models = {
        name: ValuePredictions(truth + noise * rng.normal(size=150), np.full(150, noise**2))
        for name, noise in (("good", 0.2), ("fair", 1.0), ("poor", 3.0))
    }
    session = give_labels(
        Session(Pool(["x"] * 150, predictions=models), SquaredError(), y_range=(-5, 5)), truth, 60
    )
    board = session.leaderboard()
    assert [each.name for each in board.models] == ["good", "fair", "poor"]


def test_rankings():
    rng = np.random.default_rng(0)
    items = [f"i{k}" for k in range(4)]
    grades = [dict(zip(items, rng.integers(0, 3, 4).tolist(), strict=True)) for _ in range(60)]
    relevance = [{item: rng.dirichlet([1, 1, 1]) for item in items} for _ in range(60)]

    def ranked(by) -> RankingPredictions:
        lists = [sorted(items, key=lambda item, own=own: by(own[item])) for own in grades]
        return RankingPredictions(lists, relevance, [0, 1, 2])

    models = {"right": ranked(lambda g: -g), "none": ranked(lambda _g: 0), "wrong": ranked(lambda g: g)}
    session = Session(Pool(range(60), predictions=models, kind="custom"), DCG(), seed=0)
    give_labels(session, grades, 30)
    assert [each.name for each in session.leaderboard().models] == ["right", "none", "wrong"]


def test_of_a_pool_in_which_instances_share_rows(monkeypatch):
    monkeypatch.setattr("activeeval_widgets.session.draws.make_draws.LARGEST_UNGROUPED", 10)
    asked = []

    def undecided(*given: Any, own: Any) -> Any:
        asked.append((given[2].size, own))
        return undecided_pairs(*given, own=own)

    monkeypatch.setattr(blocks, "undecided_pairs", undecided)
    pool, y_true = setting(n=60)
    session = give_labels(Session(pool, BrierScore(), seed=1), y_true, 40)
    size, own = asked[-1]
    assert size >= 10
    assert [len(model.y_pred) for model in own] == [size] * 3
    draws, y = session.draws.labeled()
    rows = session.draws.source.rows
    for position, name in enumerate("ABC"):
        by_hand = estimate_adaptive(
            BrierScore(), rows.models[position], rows.of(draws), session.draws.q_draws(), y,
            own=[rows.own_predictions(draws)[position]],
        )  # fmt: skip
        found = session.of(name).estimate()
        assert found.value == pytest.approx(by_hand.value, abs=1e-12)
        assert found.low <= pool_value(BrierScore(), pool.models[position], y_true) <= found.high
    assert len(session.leaderboard().models) == 3
    assert [
        each.estimate.value for each in give_labels(session, y_true, 20).leaderboard().models
    ] == pytest.approx(sorted(pool_value(BrierScore(), model, y_true) for model in pool.models))


def test_second_opinions_and_the_plot_are_of_the_best_so_far():
    pool, y_true = setting(n=60)
    store = MemoryStore()
    ada, bob = (
        Session(pool, ErrorRate(), store=store, who=who, second_opinions=0.5) for who in ("Ada", "Bob")
    )
    for _ in range(20):
        for person in (ada, bob):
            asked = person.next()
            person.label(y_true[asked.index])
    leader = ada.findings.leader()
    level = 1 - 0.05 / 3
    svg, _ = estimate_figure(leader, leader.watched(confidence_level=level))
    assert svg in ada.report(format="html")
    assert "Agreement" in ada.report()


def test_by_group_of_one_model():
    pool, y_true = setting()
    grouped = Pool(
        list(pool.instances), predictions=dict(zip("ABC", pool.models, strict=True)), groups=["x", "y"] * 120
    )
    session = give_labels(Session(grouped, ErrorRate(), seed=1), y_true, 50)
    assert session.of("A").by_group().group.tolist() == ["x", "y"]
    # Of the session: the leader's, at a level that holds for all groups of all models at once.
    leader = session.leaderboard().leader.name
    alone = session.of(leader).group_estimates(confidence_level=1 - 0.05 / 3)
    found = session.group_estimates()
    assert [(each.estimate.low, each.estimate.high) for each in found] == [
        (each.estimate.low, each.estimate.high) for each in alone
    ]
    assert {each.estimate.confidence_level for each in found} == {0.95}
    assert f"Of {leader}, the best so far. These are 95% intervals" in session.report()
    shown = GROUPS.content(session.findings, {})["summary"]
    assert shown.startswith(f"Of {leader}, the best so far. 95% intervals for all at once")


# -- goals


def test_a_contest_is_over_once_one_is_left():
    pool, y_true = setting(noises=(0.1, 3.0, 6.0), n=60)
    session = Session(pool, ErrorRate(), seed=3)
    plan = BestModelPlan(session.findings)
    first = plan.progress(Goal(threshold=0.0))
    assert first.contest.n_models == len(first.contest.left) == 3
    assert not first.reached
    held = plan._plans.values()
    levels = {len(each._session.models): each._watched.confidence_level for each in held}
    assert levels == {1: pytest.approx(1 - 0.05 / 3), 2: pytest.approx(1 - 0.05 / 2)}
    give_labels(session, y_true, 60)
    last = plan.progress(Goal(threshold=0.0, half_width=0.05))
    assert set(last.reached) == {"threshold", "half_width"}
    assert len(last.contest.left) == 1
    other = plan.progress(Goal(threshold=0.9))
    assert (other.decision, other.contest) == ("below", None)


def test_the_report_has_all_models(begun):
    text = begun[0].report()
    for name in "ABC":
        assert f"- {name}: " in text


# -- compare, and models as they come


def test_compare_takes_models_as_they_come():
    rng = np.random.default_rng(0)
    features = pd.DataFrame(rng.normal(size=(80, 3)), columns=list("uvw"))
    y = np.where(features.u + 0.5 * rng.normal(size=80) > 0, "yes", "no")
    full, one = (
        LogisticRegression().fit(features[columns], y) for columns in (["u", "v", "w"], ["u", "v", "w"])
    )
    table = pd.DataFrame(one.predict_proba(features), columns=one.classes_)
    given = ClassPredictions(full.predict_proba(features), classes=full.classes_, name="its own name")
    app = compare(
        features, {"fitted": full, "table": table, "given": given}, ErrorRate(), features=features, seed=4
    )
    assert [model.name for model in app.session.models] == ["fitted", "table", "given"]
    assert given.name == "its own name"
    assert app.session.seed == 4
    two = compare(features, {"old": full, "new": table}, ErrorRate(), features=features)
    assert two.session.goal == Goal(threshold=0.0)
    assert compare(
        features, {"old": full, "new": table}, ErrorRate(), features=features, goal=Goal(minutes=3)
    ).session.goal == Goal(minutes=3)


def test_compare_takes_predicted_classes():
    texts = [f"t{i}" for i in range(6)]
    models = {"old": ["a", "b", "a", "a", "b", "a"], "new": pd.Series(["c", "b", "a", "a", "a", "a"])}
    session = compare(texts, models, ErrorRate()).session
    assert all(isinstance(model, PredictedClasses) for model in session.models)
    assert session.models[0].classes.tolist() == ["a", "b", "c"]
    whole_numbers = compare(
        texts, {"old": [0, 1, 1, 0, 1, 1], "new": np.array([1, 1, 1, 0, 0, 1])}, ErrorRate()
    )
    assert whole_numbers.session.models[0].classes.tolist() == [0, 1]


def test_predicted_classes_in_another_order_than_the_instances_are_refused():
    texts = pd.Series(["t", "u", "v"], index=[7, 8, 9])
    right, turned = pd.Series(["a", "b", "b"], index=[7, 8, 9]), pd.Series(["a", "b", "b"], index=[9, 8, 7])
    with pytest.raises(ValueError, match="rows of instances in another order: it begins with 9, they with 7"):
        compare(texts, {"old": right, "new": turned}, ErrorRate())


def test_models_that_are_known_to_be_as_good_as_each_other_are_reported():
    models = {"a": ["x", "y", "x"], "b": ["x", "y", "y"], "c": ["y", "x", "x"]}
    session = compare(["t", "u", "v"], models, ErrorRate()).session
    give_labels(session, ["x", "y", "x"], 3)
    assert "**a is the best: its error rate is 0.0%.** All" in session.report()
    same = Session(Pool(["t", "u", "v"], predictions={**models, "c": models["a"]}), ErrorRate())
    give_labels(same, ["x", "y", "x"], 3)
    assert "**a and c have the same error rate: 0.0%. None is better.** All" in same.report()
    for sentence in (
        "- a − c: 0.0 points, exact; as good\n",
        "At the top are a and c. The two predict the same",
    ):
        assert sentence in same.report().replace("\N{NO-BREAK SPACE}", " ")


def test_the_value_of_the_best_is_about_right_while_labels_are_open():
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 2, 400)
    models = {"a": y_true, "b": 1 - y_true, "c": np.where(rng.random(400) < 0.5, y_true, 1 - y_true)}
    session = compare([f"t{i}" for i in range(400)], models, ErrorRate()).session
    give_labels(session, y_true, 150)
    assert session.leaderboard().best == "a"
    assert "**a is the best: its error rate is about 0.0%.** 95% interval" in session.report()


@pytest.mark.parametrize(
    ("models", "kind", "message"),
    [
        ([[0.5, 0.5]], TypeError, "models must be a mapping such as"),
        ({"only": [[0.5, 0.5]]}, ValueError, r"two or more, by their names, got 1: \['only'\]"),
        ({1: [[0.5, 0.5]], 2: [[0.5, 0.5]]}, TypeError, "named by texts"),
        ({"a": [[0.5, 0.5]], " ": [[0.5, 0.5]]}, TypeError, "named by texts"),
        ({"a": [[0.5, 0.5]], "b": 5}, TypeError, "predictions of 'b' must be ClassPredictions"),
        ({"a": [[0.5, 0.5]] * 2, "b": ["x", "y"]}, ValueError, "'x', expected one of the classes"),
    ],
)
def test_compare_refuses(models, kind, message):
    with pytest.raises(kind, match=message):
        compare(["t", "u"], models, ErrorRate())


def test_a_measure_of_labels_alone_compares_nothing():
    pool, _ = setting()
    with pytest.raises(TypeError, match="labels themselves"):
        Session(pool, LabelShare("yes"))
    with pytest.raises(ValueError, match="two models or more"):
        Session(Pool(["x"], predictions=[[0.5, 0.5]]), ErrorRate()).leaderboard()
