"""Another confidence level: all that the page says follows it."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.session import MemoryStore
from activeeval_widgets.session.findings import plot_axes
from activeeval_widgets.session.report.summary import session_summary
from activeeval_widgets.stats import ErrorRate, ModelTrial, PredictedClasses
from activeeval_widgets.widgets.evaluation.panels import Panels
from activeeval_widgets.widgets.evaluation.trial_warning import trial_sentence

from ..labeling import give_labels

N = 120


def begun(n_models: int, n_labels: int = 40, *, is_judge: bool = False, **options: Any) -> Session:
    """The first model errs least; the probabilities of all are right."""
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 2, N)
    models = {}
    for name, error in list(zip("ABC", (0.1, 0.3, 0.4), strict=True))[:n_models]:
        right = np.where(rng.random(N) < error, 1 - y_true, y_true)
        models[name] = np.where(right[:, None] == [0, 1], 1 - error, error)
    predictions: Any = models if n_models > 1 else models["A"]
    if is_judge:
        predictions = PredictedClasses(models["A"].argmax(axis=1))
    pool = Pool([f"text {i}" for i in range(N)], predictions=predictions, groups=["a", "b"] * (N // 2))
    session = Session(pool, ErrorRate(), seed=1, **options)
    give_labels(session, y_true, n_labels)
    return session


def texts_of(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict | list | tuple):
        for each in content.values() if isinstance(content, dict) else content:
            yield from texts_of(each)


def shown(session: Session) -> list[str]:
    """Return every text of every panel."""
    panels = Panels(session)
    options = {"pair": [0, 1]} if session.question.is_of_leader else {}
    found = [panels.content(), panels.redraw(shown=panels.names, **options)]
    return list(texts_of(found))


@pytest.mark.parametrize(
    ("n_models", "is_judge"),
    [(1, False), (1, True), (2, False), (3, False)],
    ids=["one", "judge", "two", "three"],
)
def test_every_panel_says_the_sessions_level(
    n_models: int, is_judge: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plot_axes, "MAX_POINTS", 8)  # no text depends on the points of a curve
    result = r"{0}% (interval|confidence|for )|\({0}%( for all cells at once)?\)"
    usual = shown(begun(n_models, 24, is_judge=is_judge))
    other = shown(begun(n_models, 24, is_judge=is_judge, confidence_level=0.88))
    n_usual = sum(len(re.findall(result.format(95), text)) for text in usual)
    n_other = sum(len(re.findall(result.format(88), text)) for text in other)
    assert n_usual >= 5
    assert n_other == n_usual
    assert not [text for text in other if re.search(result.format(95), text)]


def test_evidence_is_enough_at_one_over_alpha() -> None:
    for level, enough in ((0.95, "20"), (0.9, "10"), (0.8, "5")):
        one, two = (begun(n, 12, confidence_level=level) for n in (1, 2))
        of_values = Panels(one).one("evidence")
        assert re.fullmatch(rf"{enough}: .* \({level:.0%}\)", dict(of_values["legend"])["goal"])
        result = f"The {level:.0%} interval is where the evidence stays below {enough}: "
        assert of_values["summary"].startswith(result)
        of_difference = Panels(two).redraw()["plots"]["wealth"]
        assert of_difference["lines"] == [{"kind": "goal", "y": float(enough)}]
        assert f"{enough} is enough for {level:.0%} confidence." in of_difference["summary"]


def test_the_numbers_are_those_of_the_session() -> None:
    session = begun(1, confidence_level=0.8)
    found, at_95 = session.estimate(), session.estimate(confidence_level=0.95)
    estimate = Panels(session).content()["estimate"]
    assert (estimate["low"], estimate["high"]) == (found.low, found.high) != (at_95.low, at_95.high)
    assert estimate["sentence"].startswith("80% interval: ")
    result = session_summary(session.findings, goal=None, is_done=False)
    assert result["interval_text"] == f"80%: {estimate['interval']}"
    content = Panels(session).redraw(shown=["confusion"])
    [cell] = [each for each in texts_of(content) if each.startswith("True 0, predicted 1: ")]
    [half_width] = re.findall(r"± ([0-9.]+)%", cell)
    assert float(half_width) == pytest.approx(128.155 * session.confusion().standard_errors[1, 0], abs=0.0501)


def test_the_warning_of_overconfidence_has_the_sessions_level() -> None:
    session = begun(1, 0)
    trial = ModelTrial(session.models[0])
    for index, predicted in enumerate(session.models[0].y_pred.tolist()):
        if trial.verdict(0.8) is None:
            trial.update(index, 1 - predicted if index % 4 == 0 else predicted)
    assert trial.verdict(0.8) == "over_confident"
    assert trial.verdict(0.95) is None
    assert trial.n_labels >= 20
    assert trial_sentence(trial, "A") == ""
    assert trial_sentence(trial, "A", level=0.8).startswith("A is overconfident: ")


def test_agreement_has_the_sessions_level() -> None:
    def ends(**options: Any) -> tuple[int, int]:
        store, pool = MemoryStore(), begun(1, 0).pool
        ada, bob = (
            Session(pool, ErrorRate(), store=store, who=who, n_raters=2, **options) for who in ("Ada", "Bob")
        )
        for number in range(60):
            ada.label(0)
            bob.label(int(number % 5 == 0))
        [found] = re.findall(r"Two people agree on \d+% of the pool \((\d+) to (\d+)%\)", ada.report())
        return int(found[0]), int(found[1])

    (low, high), (usual_low, usual_high) = ends(confidence_level=0.8), ends()
    assert usual_low < low < high < usual_high
