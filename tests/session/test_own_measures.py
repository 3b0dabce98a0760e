"""Sessions about measures that a user wrote: which are the same, and what a file can tell of them."""

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.formats import read_session_file, verify, write_session
from activeeval_widgets.session import SessionMismatchError
from activeeval_widgets.stats import (
    ClassPredictions,
    Risk,
    RootMeanSquaredError,
    RSquared,
    SquaredError,
    ValuePredictions,
)

from ..labeling import give_labels

P = np.random.default_rng(0).beta(1, 1, 30)
CLASSES = Pool(["x"] * 30, predictions=ClassPredictions(np.column_stack([1 - P, P])))
VALUES = Pool(["x"] * 30, predictions=ValuePredictions(P, np.full(30, 0.1)))


def label(session: Session, n_labels: int = 12) -> Session:
    give_labels(session, lambda i: 1 if i % 2 else 0, n_labels)
    return session


def test_a_loss_of_classes_is_known_by_its_table(tmp_path) -> None:
    store = tmp_path / "labels.sqlite"
    session = label(Session(CLASSES, Risk.from_loss(lambda f, y: 5 * (f < y), "misses"), store=store))
    same = Session(CLASSES, Risk.from_loss(lambda f, y: 5 if (f, y) == (0, 1) else 0, "misses"), store=store)
    assert same.estimate() == session.estimate()
    with pytest.raises(SessionMismatchError, match="measure"):
        Session(CLASSES, Risk.from_loss(lambda f, y: 4 * (f < y), "misses"), store=store)
    path = write_session(session, tmp_path / "session.json")
    assert verify(path).follows
    assert read_session_file(path).open().estimate() == session.estimate()
    assert "Misses" in session.report()


def test_of_a_loss_of_numbers_a_file_says_what_it_can_not_tell(tmp_path) -> None:
    store = tmp_path / "labels.sqlite"

    def made(power: int) -> Risk:
        return Risk.from_loss(lambda f, y: abs(f - y) ** power, "off", kind="value", bounds=(0, 1))

    session = label(Session(VALUES, made(2), store=store))
    assert Session(VALUES, made(2), store=store).estimate() == session.estimate()
    with pytest.raises(SessionMismatchError, match="measure"):
        Session(VALUES, made(3), store=store)
    path = write_session(session, tmp_path / "session.json")
    [finding] = verify(path).findings
    assert "draws, estimate and interval were not computed again" in str(finding)
    assert verify(path, measure=made(2)).follows
    with pytest.raises(ValueError, match="was given"):
        verify(path, measure=made(3))
    path.write_text(path.read_text().replace('"value":1.0', '"value":0.5', 1))
    assert len(verify(path).findings) > 1


def test_a_range_of_labels_is_refused_where_no_bounds_follow_from_it() -> None:
    capped = Risk.from_loss(lambda f, y: abs(f - y).clip(max=2), "capped", kind="value")
    with pytest.raises(ValueError, match=r"y_range is \(0, 9\), but how large the capped .* bounds=\(low"):
        Session(VALUES, capped, y_range=(0, 9))
    assert Session(VALUES, capped).estimate().n_labels == 0
    bounded = Risk.from_loss(lambda f, y: abs(f - y).clip(max=2), "capped", kind="value", bounds=(0, 2))
    assert label(Session(VALUES, bounded, y_range=(0, 9))).estimate().high <= 2


@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
def test_a_label_whose_loss_is_out_of_bounds_is_refused_and_not_kept(tmp_path, protocol) -> None:
    """It would be in the log for good, and every estimate an error."""
    off = Risk.from_loss(lambda f, y: abs(f - y), "off", kind="value", bounds=(0, 2))
    store = tmp_path / "labels.sqlite"
    session = Session(VALUES, off, store=store, who="Ada", protocol=protocol)
    label(session, 3)
    known = session.estimate()
    asked = session.next()
    wrong = r"the off of the prediction .* and the label 9 is .*, expected from 0 to 2, its bounds"
    for answer in (
        lambda: session.label(9.0),
        lambda: session.change(session.log.actions[0].instance, 9.0),
        lambda: session.offline.import_labels({asked.instance_id: 9.0}),
    ):
        with pytest.raises(ValueError, match=wrong):
            answer()
        assert session.estimate() == known
    session.label(1.5)
    assert Session(VALUES, off, store=store, who="Ada").estimate() == session.estimate()


def test_of_two_models_both_losses_are_in_bounds() -> None:
    off = Risk.from_loss(lambda f, y: abs(f - y), "off", kind="value", bounds=(0, 2))
    models = [ValuePredictions(np.full(9, each), np.ones(9)) for each in (1.0, 3.0)]
    session = Session(Pool(["x"] * 9, predictions=models), off)
    with pytest.raises(ValueError, match=r"prediction 3 and the label 0\.5 is 2\.5"):
        session.label(0.5)
    assert session.label(1.5).value == 1.5


@pytest.mark.parametrize("measure", [SquaredError(), RSquared(), RootMeanSquaredError()])
def test_a_number_too_large_to_be_squared_is_refused(measure) -> None:
    session = label(Session(VALUES, measure), 2)
    with pytest.raises(ValueError, match=r"label is 1e\+200, expected a size of at most 1e\+30"):
        session.label(1e200)
    assert session.n_labels == 2


@pytest.mark.parametrize("variance", [None, 1e60, 1.0])
@pytest.mark.parametrize("measure", ["squared-error", "absolute-error", "rmse", "r2", "mean-value"])
def test_the_largest_numbers_have_estimates_and_intervals(measure: str, variance: float | None) -> None:
    model = ValuePredictions(np.linspace(-1e30, 1e30, 9), None if variance is None else np.full(9, variance))
    session = Session(Pool(["x"] * 9, predictions=model), measure)
    while (asked := session.next()) is not None:
        session.label(1e30 * (-1) ** asked.index)
        session.estimate()
    assert session.estimate().low == session.estimate().high
