"""Sessions about measures that a user wrote: which are the same, and what a file can tell of them."""

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.formats import read_session_file, verify, write_session
from activeeval_widgets.session import SessionMismatchError
from activeeval_widgets.stats import ClassPredictions, Risk, ValuePredictions

P = np.random.default_rng(0).beta(1, 1, 30)
CLASSES = Pool(["x"] * 30, predictions=ClassPredictions(np.column_stack([1 - P, P])))
VALUES = Pool(["x"] * 30, predictions=ValuePredictions(P, np.full(30, 0.1)))


def label(session: Session, n_labels: int = 12) -> Session:
    for _ in range(n_labels):
        session.label(1 if session.next().index % 2 else 0)
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
