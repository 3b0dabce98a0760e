"""Where two models differ: by brute force on small pools, and intervals that keep their promise."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from sklearn.metrics import confusion_matrix

from activeeval_widgets import Pool, Session
from activeeval_widgets.session import Ranking, Result
from activeeval_widgets.session.findings.models import is_wrong_by
from activeeval_widgets.session.findings.one_minus import one_minus
from activeeval_widgets.session.findings.who_was_right import InPart, as_share_right
from activeeval_widgets.stats import (
    DCG,
    Accuracy,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    LogLoss,
    PredictedClasses,
    RankingPredictions,
    RSquared,
    SquaredError,
    TopKAccuracy,
    ValuePredictions,
)

from ..labeling import give_labels

M = 90
CLASSES = ["bee", "cat", "dog"]


def three_classes(seed: int, m: int = M) -> tuple[dict[str, ClassPredictions], np.ndarray]:
    """Three models that see the classes' logits with more and more noise, and labels."""
    rng = np.random.default_rng(seed)
    logits = 2 * rng.normal(size=(m, 3))
    truth = np.array([rng.choice(3, p=np.exp(row) / np.exp(row).sum()) for row in logits])
    models = {}
    for name, noise in (("A", 0.5), ("B", 2.0), ("C", 3.0)):
        seen = np.exp(logits + noise * rng.normal(size=(m, 3)))
        models[name] = ClassPredictions(seen / seen.sum(axis=1, keepdims=True), classes=CLASSES)
    return models, np.array(CLASSES)[truth]


def begun(names: str, measure: Any, protocol: str, seed: int = 0, **options) -> tuple[Session, np.ndarray]:
    models, y_true = three_classes(seed)
    pool = Pool([f"text {i}" for i in range(M)], predictions={name: models[name] for name in names})
    return Session(pool, measure, protocol=protocol, seed=seed, **options), y_true


def do_anything(session: Session, y_true: np.ndarray, n: int, seed: int = 1) -> None:
    """Labels, and now and then something else."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        present, chance = session.next(), rng.random()
        if present is None:
            return
        if chance < 0.06:
            session.exclude()
        elif chance < 0.12 and session.log.n_deferred < 3:
            session.defer()
        elif chance < 0.17:
            session.undo()
        else:
            session.label(y_true[present.index])


@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
def test_disagreements_are_those_of_brute_force_whatever_is_done(protocol: str) -> None:
    session, y_true = begun("AB", ErrorRate(), protocol)
    one, two = (np.array(CLASSES)[model.pred_codes] for model in session.pool.models)
    for _ in range(4):
        do_anything(session, y_true, 20)
        labeled = [a.instance for a in session.log.actions if a.kind == "label"]
        apart = {i for i in labeled if one[i] != two[i]}
        table = session.findings.model_disagreements().set_index("instance_id")
        assert set(table.index) == {session.pool.ids[i] for i in apart}
        for i in apart:
            expected = "A" if one[i] == y_true[i] else "B" if two[i] == y_true[i] else "neither"
            row = table.loc[session.pool.ids[i]]
            result = row["label"], row["prediction: A"], row["prediction: B"], row["right"], row["content"]
            assert result == (y_true[i], one[i], two[i], expected, f"text {i}")
        found = session.who_was_right()
        counts = table["right"].value_counts() if len(table) else {}
        assert (found.models, found.n_instances, found.n_differing) == (("A", "B"), M, (one != two).sum())
        assert found.n_labels == len(apart)
        assert [found.n_first, found.n_second, found.n_both, found.n_neither] == [
            counts.get(name, 0) for name in ("A", "B", "both", "neither")
        ]


@pytest.mark.parametrize(
    ("measure", "protocol"),
    [
        (ErrorRate(), "adaptive"),
        (Accuracy(), "adaptive"),
        (FMeasure(positive="cat"), "adaptive"),
        (LogLoss(), "adaptive"),
        pytest.param(ErrorRate(), "papers", marks=pytest.mark.slow),
    ],
    ids=repr,
)
def test_all_labels_give_the_shares_and_the_matrices_of_the_pool(measure: Any, protocol: str) -> None:
    options = {"q": np.full(M, 1 / M)} if protocol == "papers" else {}
    session, y_true = begun("AB", measure, protocol, **options)
    give_labels(session, y_true)
    one, two = (np.array(CLASSES)[model.pred_codes] for model in session.pool.models)
    apart = one != two
    found = session.who_was_right().shares
    for share, result in zip(found, (one, two), strict=True):
        truth = (result == y_true)[apart].mean()
        assert (share.value, share.low, share.high) == pytest.approx((truth, truth, truth))
    pair = session.confusions()
    for matrix, result in ((pair.first, one), (pair.second, two)):
        assert matrix.shares == pytest.approx(confusion_matrix(y_true, result, labels=CLASSES).T / M)
    assert not pair.errors_of_difference.any()


@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
def test_the_matrices_differ_by_the_estimate_and_only_where_models_do(protocol: str) -> None:
    session, y_true = begun("AB", ErrorRate(), protocol)
    do_anything(session, y_true, 40)
    pair = session.confusions()
    errors = [1 - np.trace(matrix.shares) for matrix in (pair.first, pair.second)]
    assert errors[0] - errors[1] == pytest.approx(session.estimate().value, abs=1e-9)
    assert pair.differences.sum() == pytest.approx(0, abs=1e-9)
    assert (pair.errors_of_difference >= 0).all()
    assert pair.errors_of_difference.any()
    same = Session(
        Pool(list("abcd"), predictions={"A": [[0.9, 0.1]] * 4, "B": [[0.8, 0.2]] * 4}),
        ErrorRate(),
        protocol=protocol,
    )
    for label in (0, 1):
        same.label(label)
    assert not same.confusions().errors_of_difference.any()
    assert not same.confusions().differences.any()
    assert same.who_was_right().shares is None
    assert same.findings.model_disagreements().empty


def test_a_pair_of_three_is_read_as_the_session_of_two_that_has_its_draws() -> None:
    """And the session itself says how to name two."""
    session, y_true = begun("ABC", ErrorRate(), "adaptive")
    do_anything(session, y_true, 40)
    pair = session.of("A", "C")
    one, two = (np.array(CLASSES)[model.pred_codes] for model in pair.models)
    labeled = [a.instance for a in session.log.actions if a.kind == "label"]
    assert len(pair.model_disagreements()) == pair.who_was_right().n_labels == (one != two)[labeled].sum()
    matrices = pair.confusions()
    errors = [1 - np.trace(matrix.shares) for matrix in (matrices.first, matrices.second)]
    assert errors[0] - errors[1] == pytest.approx(pair.estimate().value, abs=1e-9)
    for name in ("model_disagreements", "who_was_right", "confusions", "judged_disagreements"):
        with pytest.raises(ValueError, match=rf"about 3: name two, as in session.of\('A', 'B'\).{name}\(\)"):
            getattr(session.findings, name)()
        with pytest.raises(ValueError, match="this session is about one"):
            getattr(session.of("A"), name)()


@pytest.mark.slow
def test_intervals_of_pairs_hold_all_at_once() -> None:
    """Each is that of its pair at 1 − α/3; a table of all has them, signs included."""
    session, y_true = begun("ABC", ErrorRate(), "adaptive")
    do_anything(session, y_true, 40)
    table = session.pairs(confidence_level=0.9)
    assert list(zip(table["first"], table["second"], strict=True)) == list(combinations("ABC", 2))
    for _, row in table.iterrows():
        own = session.of(row["first"], row["second"]).estimate(confidence_level=1 - 0.1 / 3)
        result = session.pair_estimate(row["first"], row["second"], confidence_level=0.9)
        turned = session.pair_estimate(row["second"], row["first"], confidence_level=0.9)
        assert (row["difference"], row["low"], row["high"]) == (own.value, own.low, own.high)
        assert (result.low, result.high, result.confidence_level) == (own.low, own.high, 0.9)
        assert (turned.value, turned.low, turned.high) == pytest.approx((-own.value, -own.high, -own.low))
        # Of errors, the lower is better.
        assert row["better"] == (row["first"] if own.high < 0 else row["second"] if own.low > 0 else "")
    two, _ = begun("AB", ErrorRate(), "adaptive")
    assert two.pair_estimate("A", "B").low == two.estimate().low
    with pytest.raises(ValueError, match="two models or more, and predictions hold one"):
        session.of("A").pairs()


def test_who_was_better_of_numbers_and_lists() -> None:
    values = {"near": ValuePredictions([1.0, 2.0, 3.0, 4.0]), "far": ValuePredictions([1.0, 5.0, 2.5, 3.0])}
    for measure in (SquaredError(), RSquared()):
        session = Session(Pool(list("abcd"), predictions=values), measure, y_range=(0, 9))
        truth = [1.0, 2.5, 2.75, 3.0]
        give_labels(session, truth)
        table = session.findings.model_disagreements().set_index("content")
        assert table["better"].to_dict() == {"b": "near", "c": "as good", "d": "far"}
        found = session.who_was_right()
        assert (found.n_differing, found.n_first, found.n_second, found.n_neither) == (3, 1, 1, 1)
        assert found.shares is None
        with pytest.raises(TypeError, match="confusion matrices are for ClassPredictions"):
            session.confusions()
    lists = [["x", "y"], ["x", "y"]]
    proba = [{"x": [0.5, 0.5], "y": [0.5, 0.5]}] * 2
    rankers = {
        "one": RankingPredictions(lists, proba, grades=[0, 1]),
        "two": RankingPredictions([["y", "x"], ["x", "y"]], proba, grades=[0, 1]),
    }
    shown = [Ranking(query, [Result("x"), Result("y")]) for query in ("q", "r")]
    queries = Session(Pool(shown, predictions=rankers), DCG())
    give_labels(queries, {"x": 0, "y": 1})
    assert queries.findings.model_disagreements()["better"].tolist() == ["two"]


def test_of_the_top_classes_both_may_be_right() -> None:
    models = {"A": [[0.5, 0.4, 0.1]], "B": [[0.4, 0.5, 0.1]], "C": [[0.1, 0.4, 0.5]]}
    session = Session(Pool(["a"], predictions=models), TopKAccuracy(2))
    session.label(0)
    assert session.of("A", "B").model_disagreements()["right"].tolist() == ["both"]
    assert session.of("A", "C").model_disagreements()["right"].tolist() == ["A"]
    codes = np.array([0])
    assert is_wrong_by(TopKAccuracy(2), session.models[2], codes, [0]).tolist() == [True]
    assert session.of("A", "B").who_was_right().shares[1].value == 1.0


def test_both_shares_hold_at_once_where_neither_may_be_right() -> None:
    session, y_true = begun("AB", ErrorRate(), "adaptive")
    give_labels(session, y_true, 15)
    findings = session.findings
    answered = findings.draws.answers.answered()
    shares = session.who_was_right(confidence_level=0.8).shares
    for share, model in zip(shares, findings.models, strict=True):
        part = InPart(findings, ErrorRate(), 0.9, 0.8, findings._differs, model)
        alone = as_share_right(part.read(answered)[0].estimate, ErrorRate())
        assert (share.low, share.high, share.confidence_level) == (alone.low, alone.high, 0.8)
        assert 0 < share.low < share.high < 1


def test_classes_alone_will_do() -> None:
    models = {"A": PredictedClasses(["a", "b", "a"], classes=["a", "b"]), "B": ["a", "a", "b"]}
    models["B"] = PredictedClasses(models["B"], classes=["a", "b"])
    session = Session(Pool(["x", "y", "z"], predictions=models), ErrorRate())
    give_labels(session, "a")
    assert sorted(session.findings.model_disagreements()["right"]) == ["A", "B"]
    shares = session.who_was_right().shares
    assert [share.value for share in shares] == [0.5, 0.5]
    assert all(str(share).startswith("Accuracy: 50.0%") for share in shares)


@pytest.mark.slow
def test_shares_and_errors_keep_what_they_promise() -> None:
    """Of both shares, watched, no more than 20 % of sessions miss one at 80 %; and errors of cells are
    those that are seen."""
    n, watched, missed, differences, errors = 20, range(5, 21, 5), 0, [], []
    models, y_true = three_classes(3)
    outcome = [np.array(CLASSES)[models[name].pred_codes] for name in "AB"]
    apart = outcome[0] != outcome[1]
    truth = [(each == y_true)[apart].mean() for each in outcome]
    pool = Pool([f"text {i}" for i in range(M)], predictions={name: models[name] for name in "AB"})
    for seed in range(n):
        session = Session(pool, ErrorRate(), seed=seed)
        is_wrong = False
        for number in range(1, 21):  # some of the 28 where they differ
            session.label(y_true[session.next().index])
            if number in watched:
                shares = session.who_was_right(confidence_level=0.8).shares
                is_wrong |= any(
                    not s.low - 1e-9 <= t <= s.high + 1e-9 for s, t in zip(shares, truth, strict=True)
                )
        missed += is_wrong
        pair = session.confusions()
        differences.append(pair.differences)
        errors.append(pair.errors_of_difference)
    assert binom.sf(missed - 1, n, 0.2) > 1e-3
    exact = sum(
        sign * confusion_matrix(y_true, each, labels=CLASSES).T / M
        for sign, each in zip((1, -1), outcome, strict=True)
    )
    spread = np.sqrt(np.mean((np.array(differences) - exact) ** 2, axis=0))
    result = np.sqrt(np.mean(np.array(errors) ** 2, axis=0))
    assert 0.6 < np.linalg.norm(spread) / np.linalg.norm(result) < 1.4


def test_the_order_is_that_of_the_draws_and_the_log_alone_says_it() -> None:
    session, y_true = begun("AB", ErrorRate(), "adaptive")
    do_anything(session, y_true, 50)
    again = Session(session.pool, ErrorRate(), seed=0, store=session.store, protocol="adaptive")
    pd.testing.assert_frame_equal(
        session.findings.model_disagreements(), again.findings.model_disagreements()
    )
    drawn = [session.pool.ids[i] for i in session.draws.so_far().tolist()]
    places = [drawn.index(each) for each in session.findings.model_disagreements()["instance_id"]]
    assert places == sorted(places)
    assert session.who_was_right() == again.who_was_right()


def test_of_one_interval_the_other_s_is_turned_around_with_all_its_ends() -> None:
    session, y_true = begun("AB", ErrorRate(), "adaptive")
    do_anything(session, y_true, 10)
    found = replace(
        session.estimate(), value=0.3, low=0.1, high=0.6, approximate_low=0.2, approximate_high=0.4
    )
    other = one_minus(found)
    ends = (other.low, other.approximate_low, other.value, other.approximate_high, other.high)
    assert ends == pytest.approx((0.4, 0.6, 0.7, 0.8, 0.9))
