"""Another confidence level: one for a whole session, which every finding follows."""

import math
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets import Pool, Session
from activeeval_widgets.formats import read_session_file, verify, write_session
from activeeval_widgets.session import MemoryStore, SessionMismatchError, SQLiteStore, WatchedInterval
from activeeval_widgets.session.findings.goal_plan import plan_of
from activeeval_widgets.session.findings.goals import Goal
from activeeval_widgets.stats import BestF, ErrorRate, PredictedClasses

from ..labeling import give_labels

N = 120
Maker = Callable[..., Session]


def pool_of(n_models: int, *, seed: int = 0, n: int = N, **options: Any) -> tuple[Pool, Any]:
    """Models that err more and more, and the true labels."""
    rng = np.random.default_rng(seed)
    y_true = rng.integers(0, 2, n)
    models = {}
    for name, error in list(zip("ABC", (0.1, 0.3, 0.5), strict=True))[:n_models]:
        right = np.where(rng.random(n) < error, 1 - y_true, y_true)
        sure = rng.uniform(0.5, 1, n)
        models[name] = np.where(right[:, None] == [0, 1], sure[:, None], 1 - sure[:, None])
    predictions = models if n_models > 1 else models["A"]
    return Pool([f"text {i}" for i in range(n)], predictions=predictions, **options), y_true


def begun(n_models: int = 1, n_labels: int = 24, measure: Any = None, **options: Any) -> Session:
    pool, y_true = pool_of(n_models, groups=["even", "odd"] * (N // 2))
    session = Session(pool, ErrorRate() if measure is None else measure, seed=1, **options)
    for number in range(n_labels):
        asked = session.next()
        assert asked is not None
        if number % 13 == 5 and n_models == 1:
            session.exclude()
        else:
            session.label(int(y_true[asked.index]))
    return session


def of_judge(**options: Any) -> Session:
    pool, y_true = pool_of(1)
    judged = Pool(pool.instances, predictions=PredictedClasses(pool.models[0].y_pred))
    session = Session(judged, ErrorRate(), seed=1, **options)
    give_labels(session, y_true, 24)
    return session


def exact(found: Any) -> Any:
    """Return all digits of a finding."""
    if isinstance(found, list | tuple):
        return [exact(each) for each in found]
    if is_dataclass(found):
        return {each.name: exact(getattr(found, each.name)) for each in fields(found) if each.compare}
    return repr(found.tolist()) if isinstance(found, np.ndarray) else repr(found)


def ends_of(watched: WatchedInterval) -> tuple[float, ...]:
    return watched.low, watched.high, watched.confidence_level


MAKERS: dict[str, Maker] = {
    "one": begun,
    "papers": lambda **options: begun(protocol="papers", **options),
    "best F": lambda **options: begun(measure=BestF(n_thresholds=4), **options),
    "two": lambda **options: begun(2, **options),
    "three": lambda **options: begun(3, **options),
    "judge": of_judge,
}


@cache
def session_of(maker: str, level: float | None) -> Session:
    return MAKERS[maker](**({} if level is None else {"confidence_level": level}))


FINDINGS: dict[tuple[str, str], Callable[..., Any]] = {
    ("estimate", "one papers two three"): lambda s, **level: s.estimate(**level),
    ("Wald", "one papers two three"): lambda s, **level: s.estimate(interval="wald", **level),
    ("trajectory", "one papers two three"): lambda s, **level: s.trajectory(at=[10, 20], **level),
    ("watched", "one papers two three"): lambda s, **level: ends_of(s.watched(**level)),
    ("by group", "one two three"): lambda s, **level: s.by_group(**level).to_csv(),
    ("group estimates", "one two three"): lambda s, **level: s.group_estimates(**level),
    ("calibration", "one"): lambda s, **level: s.calibration(n_bins=3, **level),
    ("excluded", "one"): lambda s, **level: s.findings.excluded_counted(**level),
    ("threshold", "best F"): lambda s, **level: s.best_threshold(**level),
    ("judge", "judge"): lambda s, **level: s.judge(**level),
    ("verdict", "two"): lambda s, **level: s.verdict(0.1, **level),
    ("leaderboard", "two three"): lambda s, **level: s.leaderboard(**level).to_frame().to_csv(),
    ("who was right", "two"): lambda s, **level: s.who_was_right(**level),
    ("pairs", "three"): lambda s, **level: s.pairs(**level).to_csv(),
    ("pair", "three"): lambda s, **level: s.pair_estimate("A", "C", **level),
    ("two of three", "three"): lambda s, **level: s.of("A", "B").estimate(**level),
}

EACH = [(finding, maker) for finding, makers in FINDINGS for maker in re.findall("best F|[a-z]+", makers)]


@pytest.mark.parametrize(("finding", "maker"), EACH)
def test_every_finding_follows_the_sessions_level(finding: str, maker: str) -> None:
    found = next(each for (name, _), each in FINDINGS.items() if name == finding)
    usual, other = session_of(maker, None), session_of(maker, 0.8)
    assert exact(found(other)) == exact(found(usual, confidence_level=0.8))
    assert exact(found(other, confidence_level=0.95)) == exact(found(usual))
    assert exact(found(other)) != exact(found(usual))


@pytest.mark.parametrize("maker", MAKERS)
def test_no_draw_depends_on_the_level(maker: str) -> None:
    usual, other = session_of(maker, None), session_of(maker, 0.8)
    assert (usual.confidence_level, other.confidence_level) == (0.95, 0.8)
    assert usual.upcoming(20) == other.upcoming(20)
    assert usual.draws.weights().tolist() == other.draws.weights().tolist()
    assert usual.q.tolist() == other.q.tolist()


def test_a_goal_is_reached_by_the_sessions_interval() -> None:
    usual, other = session_of("one", None), session_of("one", 0.8)
    widths = [(each.estimate().high - each.estimate().low) / 2 for each in (usual, other)]
    assert widths[1] < widths[0]
    goal = Goal(half_width=sum(widths) / 2)
    reached = [bool(plan_of(each.findings).progress(goal).reached) for each in (usual, other)]
    assert reached == [False, True]


@pytest.mark.parametrize("maker", MAKERS)
def test_the_report_names_no_other_level(maker: str) -> None:
    text = session_of(maker, 0.8).report()
    result = r"(interval|confidence|of the time|for|bar|the true value)"
    assert re.search(rf"80% {result}", text)
    assert not re.search(rf"95% {result}", text)
    assert re.search(rf"95% {result}", session_of(maker, None).report())


@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
def test_the_interval_covers_as_often_as_it_says(protocol: str) -> None:
    n_sessions, n_labels, level = 20, 25, 0.8
    n_wrong, n_wider = 0, 0
    for seed in range(n_sessions):
        pool, y_true = pool_of(1, seed=seed, n=100)
        session = Session(pool, ErrorRate(), seed=seed, protocol=protocol, confidence_level=level)
        truth = float(np.mean(pool.models[0].y_pred != y_true))
        while session.n_labels < n_labels:
            session.label(int(y_true[session.next().index]))
        low, high = session.watched().at(np.arange(session.n_draws + 1))
        n_wrong += bool(((truth < low) | (truth > high)).any())
        if seed < 4:
            at_95 = session.estimate(confidence_level=0.95)
            n_wider += at_95.high - at_95.low > high[-1] - low[-1]
    assert n_wrong <= binom.ppf(0.999, n_sessions, 1 - level)
    assert n_wider == 4


def test_it_is_stored_with_the_session(tmp_path: Any) -> None:
    path = tmp_path / "labels.sqlite"
    pool, y_true = pool_of(1)
    session = Session(pool, ErrorRate(), store=path, confidence_level=0.9)
    give_labels(session, y_true, 20)
    found = session.estimate()
    session.store.close()
    again = Session(pool, ErrorRate(), store=SQLiteStore(path))
    assert again.confidence_level == again.findings.confidence_level == 0.9
    assert exact(again.estimate()) == exact(found)
    result = r"confidence_level \(0\.9 then, 0\.95 now\).*Open it with the settings .* or pass another name"
    with pytest.raises(SessionMismatchError, match=result):
        Session(pool, ErrorRate(), store=again.store, confidence_level=0.95)
    again.store.close()


def test_a_sessions_file_keeps_it(tmp_path: Any) -> None:
    session = session_of("one", 0.8)
    path = write_session(session, tmp_path / "session.json")
    file = read_session_file(path)
    assert file.document["settings"]["confidence_level"] == 0.8
    assert file.document["summary"]["estimate"]["confidence_level"] == 0.8
    assert verify(file).findings == ()
    opened = file.open()
    assert opened.confidence_level == 0.8
    assert exact(opened.estimate()) == exact(session.estimate())
    path.write_text(path.read_text().replace('"confidence_level": 0.8', '"confidence_level": 0.7', 1))
    assert verify(read_session_file(path)).findings


@pytest.mark.parametrize("level", [0, 0.5, 1, 90, -0.9, math.nan, math.inf])
def test_a_level_that_is_none_is_refused(level: float) -> None:
    store = MemoryStore()
    with pytest.raises(ValueError, match=rf"confidence_level is {level!r}, expected more than 0\.5 and less"):
        Session(pool_of(1)[0], ErrorRate(), store=store, confidence_level=level)
    assert store.names() == []


@pytest.mark.parametrize("level", ["0.9", True, [0.9]])
def test_a_level_that_is_no_number_is_refused(level: Any) -> None:
    with pytest.raises(TypeError, match=r"confidence_level must be a number such as 0\.95"):
        Session(pool_of(1)[0], ErrorRate(), confidence_level=level)
