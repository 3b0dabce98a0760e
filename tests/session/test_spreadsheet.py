import csv
from collections.abc import Callable
from io import StringIO

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from activeeval_widgets.session import Pool, Session
from activeeval_widgets.session.report.spreadsheet import as_text, to_csv, without_apostrophe
from activeeval_widgets.stats import ErrorRate

STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "'=1", "-", "+-1", "=", "-1a"]
)
def test_what_could_be_a_formula_is_text(text: str) -> None:
    assert as_text(text) == f"'{text}"
    assert without_apostrophe(f"'{text}") == text


@pytest.mark.parametrize(
    "value", ["", "fine", "a=1", "-1", "+2.5", "-1e-05", "1'", None, -1, 2.5, True, " =1"]
)
def test_numbers_and_other_texts_stay(value: object) -> None:
    assert as_text(value) == value


@pytest.mark.slow
@given(st.text())
def test_every_text_comes_back(text: str) -> None:
    written = as_text(text)
    assert isinstance(written, str)
    assert without_apostrophe(written) == text
    if written.startswith(STARTS):
        float(written)


def test_columns_of_numbers_stay_numbers() -> None:
    table = pd.DataFrame({"=x": [-1.5, 2.0], "y": ["=1", None], "z": [-1, "-1"]})
    assert to_csv(table) == "'=x,y,z\n-1.5,'=1,-1\n2.0,,-1\n"


def test_nothing_of_a_session_is_a_formula(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(4, 3, classes=["=1+1", "@b", "-c"], ids=["=id", "+1+1", "-3+4", "@x"])
    session = Session(pool, ErrorRate())
    session.note("=NOTE()")
    session.label("@b")
    session.exclude(reason="+reason")
    session.label("-c")
    rows = list(csv.reader(StringIO(to_csv(session.history()))))
    assert len(rows) >= 5
    for cell in (cell for row in rows for cell in row):
        assert not cell.startswith(STARTS), cell
    read = [without_apostrophe(cell) for row in rows for cell in row]
    assert {"=NOTE()", "@b", "+reason", "-c"} <= set(read)


def test_notes_and_reasons_have_a_limit(make_pool: Callable[..., Pool]) -> None:
    session = Session(make_pool(), ErrorRate())
    session.note("x" * 10_000)
    with pytest.raises(ValueError, match=r"^text must have at most 10,000 characters, got 10,001: short"):
        session.note("x" * 10_001)
    with pytest.raises(ValueError, match=r"^reason must have at most 10,000 characters, got 20,000"):
        session.exclude(reason="x" * 20_000)
    with pytest.raises(ValueError, match=r"^text must be text that can be written as UTF-8, got '\\ud800'$"):
        session.note("\ud800")
    assert [event.kind for event in session.log if event.kind != "draw"] == ["note"]
