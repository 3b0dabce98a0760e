"""What `session.estimate` gives: the interval that the page shows, unless another one is named."""

from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import Pool, Session, WatchedInterval
from activeeval_widgets.session.report.result import result_of
from activeeval_widgets.stats import (
    Accuracy,
    ClassPredictions,
    ErrorRate,
    LogLoss,
    MatthewsCorrelation,
    Measure,
    Precision,
    Recall,
    confidence_sequence,
    estimate_adaptive,
    optimal_q,
    pool_value,
    sequential_test,
    uniform_q,
)

from ..labeling import give_labels

M = 40
PROTOCOLS = ["papers", "adaptive"]


def make_models(n_models: int = 1, *, alike: bool = False) -> tuple[list[ClassPredictions], Any]:
    """Models that are right nine times in ten, the second six times, and the labels."""
    rng = np.random.default_rng(3)
    y_true = rng.integers(2, size=M)
    models = []
    for share in (0.9, 0.9 if alike else 0.6)[:n_models]:
        right = rng.random((M, 1)) < share
        models.append(ClassPredictions(np.where(right, np.eye(2)[y_true], np.eye(2)[1 - y_true]) * 0.8 + 0.1))
    return models, y_true


def begin(n_models: int = 1, measure: Measure | None = None, **options: Any) -> tuple[Session, Any]:
    models, y_true = make_models(n_models, alike=options.pop("alike", False))
    pool = Pool(["text"] * M, predictions=models if n_models == 2 else models[0])
    return Session(pool, measure or ErrorRate(), **options), y_true


def label(session: Session, y_true: Any, n: int = M) -> None:
    for _ in range(n):
        if (present := session.next()) is None:
            return
        session.label(int(y_true[present.index]))


@pytest.mark.slow
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("n_models", [1, 2])
def test_the_estimate_is_what_may_be_watched(protocol: str, n_models: int) -> None:
    session, y_true = begin(n_models, protocol=protocol)
    for step in range(30):
        if step % 9 == 5:
            session.defer()
        elif step % 9 == 7:
            session.exclude()
        else:
            label(session, y_true, 1)
        found = session.estimate()
        assert found.interval == "confidence_sequence"
        if step % 3:
            continue
        watched = WatchedInterval(session.findings)
        assert (found.low, found.high) == (watched.low, watched.high)
        assert repr(found.pvalue) == repr(watched.pvalue)
    assert found == session.estimate(interval="confidence_sequence")
    numbers = result_of(session.findings, session.watched()).numbers
    result = numbers.interval(found.low, found.high).replace("\N{NO-BREAK SPACE}", " ")
    assert f"{result}; guaranteed" in session.report().replace("\\", "")


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("measure", [Recall(), Accuracy(), MatthewsCorrelation(), LogLoss()], ids=repr)
def test_another_measure_has_its_own_interval_that_may_be_watched(protocol: str, measure: Measure) -> None:
    session, y_true = begin(protocol=protocol)
    for n in range(30):
        label(session, y_true, 1)
        if n % 7 == 3:
            session.defer()
    found, watched = session.estimate(measure), WatchedInterval(session.findings, measure)
    assert (found.low, found.high, found.is_asymptotic) == (watched.low, watched.high, watched.is_asymptotic)
    wald = session.estimate(measure, interval="wald")
    assert (found.value, found.standard_error) == (wald.value, wald.standard_error)
    assert (found.low, found.high) != (wald.low, wald.high)
    if protocol == "papers":
        sample = session.draws.watched()
        low, high = confidence_sequence(measure, session.models[0], session.q, sample.draws, sample.y_true)
        assert (found.low, found.high) == (low[-1], high[-1])
    # The session's own is not touched by it.
    assert session.estimate().low == WatchedInterval(session.findings).low


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_level_is_the_intervals(protocol: str) -> None:
    session, y_true = begin(protocol=protocol)
    label(session, y_true, 25)
    wide, narrow = session.estimate(confidence_level=0.99), session.estimate(confidence_level=0.8)
    assert wide.low <= narrow.low < narrow.high <= wide.high
    assert wide.high - wide.low > narrow.high - narrow.low
    assert (wide.confidence_level, narrow.confidence_level) == (0.99, 0.8)
    with pytest.raises(ValueError, match=r"^confidence_level must be .* between 0 and 1, got 1.0$"):
        session.estimate(confidence_level=1.0)


def test_names_that_hold_for_adaptive_draws() -> None:
    session, y_true = begin(protocol="adaptive")
    label(session, y_true, 20)
    assert session.findings.intervals() == ("confidence_sequence", "approximate", "wald")
    wald = session.estimate(interval="wald")
    draws, labels = session.draws.labeled()
    assert wald == estimate_adaptive(ErrorRate(), session.models[0], draws, session.draws.q_draws(), labels)
    for name in ("t", "wilson", "clopper_pearson", "walt"):
        for ask in (session.estimate, session.trajectory):
            with pytest.raises(
                ValueError,
                match=rf"^interval is '{name}', which does not hold for the error rate from draws by the "
                r"protocol 'adaptive'; those that do: 'confidence_sequence', 'approximate', 'wald'$",
            ):
                ask(interval=name)
    with pytest.raises(ValueError, match=r"^estimator is 'difference', but draws by the adaptive protocol"):
        session.estimate(estimator="difference")


def test_names_that_hold_for_the_papers_draws() -> None:
    session, y_true = begin(q=np.arange(1, M + 1) / np.arange(1, M + 1).sum())
    label(session, y_true, 20)
    assert session.findings.intervals() == ("confidence_sequence", "approximate", "wald", "t")
    with pytest.raises(
        ValueError, match=r"'wilson', which .* do: 'confidence_sequence', 'approximate', 'wald', 't'$"
    ):
        session.estimate(interval="wilson")
    uniform, _ = begin(q=uniform_q(M))
    label(uniform, y_true, 20)
    assert uniform.findings.intervals() == (
        "confidence_sequence",
        "approximate",
        "wald",
        "t",
        "wilson",
        "clopper_pearson",
    )
    assert (
        uniform.findings.intervals(Recall())
        == uniform.findings.intervals(LogLoss())
        == session.findings.intervals()
    )
    for name in uniform.findings.intervals():
        assert uniform.estimate(interval=name).interval == name
    two, _ = begin(2, q=uniform_q(M))
    assert two.findings.intervals() == session.findings.intervals()


def test_what_is_no_measure_is_refused() -> None:
    session, _ = begin()
    with pytest.raises(TypeError, match=r"^measure must be a Measure.*, or its name, .*got 3$"):
        session.estimate(3)


# -- the p-value ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("measure", [ErrorRate(), MatthewsCorrelation()], ids=repr)
def test_the_pvalue_belongs_to_the_interval(protocol: str, measure: Measure) -> None:
    """It is at most 0.05 just when the interval of 95 % leaves out 0; a guaranteed one never rises."""
    rng = np.random.default_rng(0)
    # An approximate interval is withheld until enough labels carry the uncertainty.
    m = 600 if isinstance(measure, ErrorRate) else 2500
    y_true = rng.integers(2, size=m)
    models = []
    for share in (0.9, 0.72):
        right = rng.random((m, 1)) < share
        models.append(ClassPredictions(np.where(right, np.eye(2)[y_true], np.eye(2)[1 - y_true]) * 0.8 + 0.1))
    session = Session(Pool(["x"] * m, predictions=models), measure, protocol=protocol, defensive=0.9)
    # An approximate interval follows the estimate, and may take in again what it has left out.
    is_guaranteed = isinstance(measure, ErrorRate)
    crossed = 0
    last = 1.0
    for _ in range(65):
        label(session, y_true, 4)
        found = session.estimate()
        assert (found.pvalue > 0.05) == (found.low <= 0 <= found.high)
        assert found.pvalue <= last or not is_guaranteed
        crossed += last > 0.05 >= found.pvalue
        last = found.pvalue
    assert crossed == 1 if is_guaranteed else crossed >= 1
    wald = session.estimate(interval="wald")
    assert wald.pvalue != found.pvalue
    assert np.isnan(found.statistic)
    assert np.isfinite(wald.statistic)
    past = session.trajectory(at=[0, 100, 200])
    if is_guaranteed:
        assert [each.pvalue for each in past] == sorted((each.pvalue for each in past), reverse=True)
    assert past[0].pvalue == 1


@pytest.mark.slow
def test_the_adaptive_pvalue_may_be_watched() -> None:
    """Models that don't differ: it ever falls to 0.2 in at most a fifth of sessions, but for luck."""
    rng = np.random.default_rng(5)
    m = 30
    y_true = rng.integers(2, size=m)
    right = rng.permutation(np.repeat([0, 1], [9, m - 9]))
    models = [
        ClassPredictions(np.eye(2)[np.where(each == 1, y_true, 1 - y_true)] * 0.8 + 0.1)
        for each in (right, rng.permutation(right))
    ]
    pool = Pool(["x"] * m, predictions=models)
    rejected = 0
    for seed in range(24):
        session = Session(pool, ErrorRate(), protocol="adaptive", seed=seed)
        label(session, y_true, 20)
        rejected += session.estimate().pvalue <= 0.2
    # P(X > 10) < 0.01 for X ~ Binomial(24, 0.2).
    assert rejected <= 10


def test_one_model_has_no_pvalue() -> None:
    for protocol in PROTOCOLS:
        session, y_true = begin(protocol=protocol)
        label(session, y_true, 10)
        assert np.isnan(session.estimate().pvalue)


# -- with all labels --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("n_models", [1, 2])
@pytest.mark.parametrize("measure", [ErrorRate(), Recall(), MatthewsCorrelation(), LogLoss()], ids=repr)
def test_who_has_labeled_all_knows_the_truth(protocol: str, n_models: int, measure: Measure) -> None:
    session, y_true = begin(n_models, measure, protocol=protocol)
    label(session, y_true)
    assert session.is_done
    values = [pool_value(measure, model, y_true) for model in session.models]
    truth = values[0] - (values[1] if n_models == 2 else 0)
    found = session.estimate()
    assert (found.value, found.low, found.high) == pytest.approx((truth, truth, truth), abs=1e-12)
    assert (found.standard_error, found.is_asymptotic) == (0, False)
    for name in session.findings.intervals():
        named = session.estimate(interval=name)
        assert (named.low, named.high, named.standard_error) == pytest.approx((truth, truth, 0), abs=1e-12)
    watched = session.watched()
    assert (watched.low, watched.high) == (found.low, found.high)
    assert watched.at([session.n_draws])[0] == found.low
    assert watched.at([10])[0] < watched.at([10])[1]
    if n_models == 2:
        assert found.pvalue == 0
    session.undo()
    before = session.estimate()
    assert before.low < before.high
    assert (watched.low, watched.high) == (before.low, before.high)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_truth_is_of_what_can_be_labeled(protocol: str) -> None:
    session, y_true = begin(protocol=protocol, seed=4)
    kept = np.arange(M) % 4 != 1
    while (present := session.next()) is not None:
        session.label(int(y_true[present.index])) if kept[present.index] else session.exclude()
    truth = float((session.models[0].y_pred != y_true)[kept].mean())
    for name in session.findings.intervals():
        found = session.estimate(interval=name)
        assert (found.value, found.low, found.high) == pytest.approx((truth, truth, truth), abs=1e-12)
    session.change(int(np.flatnonzero(kept)[0]), 1 - int(y_true[0]))
    assert abs(session.estimate().value - truth) == pytest.approx(1 / kept.sum())


def test_the_truth_is_known_without_what_is_never_drawn() -> None:
    session, y_true = begin(1, Precision(), protocol="papers", defensive=0)
    assert (session.q == 0).any()
    label(session, y_true)
    truth = pool_value(Precision(), session.models[0], y_true)
    assert session.n_labels == np.count_nonzero(session.q)
    assert (session.estimate().low, session.estimate().high) == pytest.approx((truth, truth), abs=1e-12)
    models, _ = make_models(2)
    q = optimal_q(ErrorRate(), models, defensive=0)
    pair, _ = begin(2, protocol="papers", q=q)
    label(pair, y_true)
    values = [pool_value(ErrorRate(), model, y_true) for model in models]
    assert pair.estimate().low == pytest.approx(values[0] - values[1], abs=1e-12)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_models_that_turn_out_alike(protocol: str) -> None:
    y_true = np.array([0, 1] * 10)
    proba = np.eye(2)[y_true] * 0.6 + 0.2
    first, second = proba.copy(), proba.copy()
    first[0], second[1] = first[0, ::-1], second[1, ::-1]
    pool = Pool(["x"] * 20, predictions=[ClassPredictions(first), ClassPredictions(second)])
    session = Session(pool, ErrorRate(), protocol=protocol)
    label(session, y_true, 20)
    found = session.estimate()
    assert (found.value, found.low, found.high, found.pvalue) == (0, 0, 0, 1)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_measure_that_is_never_defined_has_no_value(protocol: str) -> None:
    session, _ = begin(1, Recall(), protocol=protocol)
    give_labels(session, 0)
    assert not session.estimate().is_defined


# -- cost -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_each_label_is_fed_once(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often an estimate is asked for, and by whom."""
    session, y_true = begin(protocol=protocol)
    fed = []
    begun = session.findings._begin_interval

    def counted(*args: Any) -> Any:
        sequence = begun(*args)
        kind = type(sequence)
        extend = kind.extend
        monkeypatch.setattr(
            kind, "extend", lambda self, draws, y: fed.append(len(draws)) or extend(self, draws, y)
        )
        return sequence

    monkeypatch.setattr(session.findings, "_begin_interval", counted)
    while session.n_labels < 20:
        label(session, y_true, 1)
        session.estimate()
        session.report()
        session.estimate()
    assert sum(fed) == session.draws.watched().draws.size


def test_many_measures_do_not_pile_up() -> None:
    session, y_true = begin(protocol="papers")
    label(session, y_true, 20)
    first = session.watched()
    for percent in range(70, 99):
        session.estimate(confidence_level=percent / 100)
    assert len(session.findings._watched) <= 16
    assert session.watched() is first
    label(session, y_true, 1)
    assert (
        session.estimate(confidence_level=0.5).low
        == WatchedInterval(session.findings, confidence_level=0.5).low
    )


def test_the_watched_test_is_the_one_of_the_statistics() -> None:
    """Two one-sided tests at half the level each say about the same as the p-value does."""
    session, y_true = begin(2, protocol="papers")
    label(session, y_true, 15)
    sample = session.draws.watched()
    sides = [
        sequential_test(
            ErrorRate(), list(session.models), session.q, sample.draws, sample.y_true, alternative=side
        ).pvalue[-1]
        for side in ("less", "greater")
    ]
    assert 0.5 < session.estimate().pvalue / min(1, 2 * min(sides)) < 2
