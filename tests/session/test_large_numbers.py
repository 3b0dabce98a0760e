"""Numbers in the thousands and millions, such as prices, are written in full wherever people read them."""

import re

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.formats.tasks.answer_text import Ids, plain_words
from activeeval_widgets.session.findings.heavy_tail import before_labels, better_measures, beyond_clip
from activeeval_widgets.session.pool.label_kinds import NumberLabels
from activeeval_widgets.stats import ClippedSquaredError, SquaredError, ValuePredictions
from activeeval_widgets.widgets.wording.measures import format_width

EXPONENT = re.compile(r"(?<![\d.])(?<!p = )[\d.]+[eE][+-]\d")


@pytest.fixture(scope="module")
def session():
    """Prices of houses, some of which the model gets wrong by far."""
    rng = np.random.default_rng(3)
    prices = rng.lognormal(12.5, 0.5, 300).round(2)
    model = ValuePredictions(prices, (0.2 * prices) ** 2)
    session = Session(Pool([f"house {i}" for i in range(300)], predictions=model), SquaredError(), seed=1)
    for _ in range(60):
        index = session.next().index
        session.label(float(prices[index] * np.exp(rng.normal(0, 0.3))))
    return session


def test_texts_have_no_exponents(session):
    estimate = session.estimate()
    advice = before_labels(session), better_measures(session, estimate)
    assert all(advice)
    prediction = session.pool.models[0].describe(0)
    texts = [*advice, session.report(), prediction.text, prediction.in_short]
    assert not [text for text in texts if EXPONENT.search(text)]
    # What is typed has no separators.
    assert re.search(r"off by at most \d\d,000, WithinTolerance\(\d\d000\)", advice[1])
    assert "is typically off by about 1" in session.report()


def test_what_a_clip_leaves_out(session):
    pool, answers = session.pool, session.log.state.labels
    clipped = Session(pool, ClippedSquaredError(150_000), seed=1, y_range=(0, 3_000_000))
    for _ in range(20):
        clipped.label(answers.get(clipped.next().index, 250_000.0))
    text = beyond_clip(clipped, clipped.estimate())
    assert text.startswith("Errors beyond 150,000 count as 150,000, so")
    assert not EXPONENT.search(text)
    assert "Range of labels: from 0 to 3,000,000" in clipped.report()


def test_widths_and_ranges():
    assert format_width(SquaredError(), 12_345.0) == "±12,300"
    labels = NumberLabels(0.0, 1_234_567.0)
    with pytest.raises(ValueError, match="expected a number from 0 to 1,234,567"):
        labels.check(2e6, 0)


def test_ids_and_labels_that_programs_store_as_floats():
    assert plain_words(1_234_567.0) == "1234567"
    assert plain_words(float("nan")) == "nan"
    assert Ids(["1234567", "1234568"]).find(1_234_568.0) == "1234568"
