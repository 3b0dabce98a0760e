"""Numbers as they are written: thousands apart, decimal commas, and what can be read in two ways."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from activeeval_widgets import Pool, Session
from activeeval_widgets.formats import examine
from activeeval_widgets.formats.opening.open_table import open_table
from activeeval_widgets.formats.parsed_numbers import is_ambiguous, number_in, numbers_of, readings
from activeeval_widgets.formats.tasks.answer_text import label_of
from activeeval_widgets.session import NumberLabels
from activeeval_widgets.stats import AbsoluteError
from activeeval_widgets.widgets import LabelingApp

Write = Callable[..., Path]

STYLES = [
    (mark, group)
    for mark in ".,"
    for group in (
        "",
        " ",
        "\N{NO-BREAK SPACE}",
        "\N{NARROW NO-BREAK SPACE}",
        "'",
        "’",
        ",.".replace(mark, ""),
    )
]


def written(number: float, mark: str, group: str, places: int, minus: str) -> str:
    text = f"{abs(number):,.{places}f}".replace(",", "g").replace(".", mark).replace("g", group)
    return (minus if number < 0 else "") + text


@given(
    number=st.integers(-(10**12), 10**12),
    places=st.integers(0, 6),
    style=st.sampled_from(STYLES),
    minus=st.sampled_from("-\N{MINUS SIGN}"),
    currency=st.sampled_from(["", "€", " EUR", "\N{NARROW NO-BREAK SPACE}$"]),
)
def test_round_trip_in_each_style(
    number: int, places: int, style: tuple[str, str], minus: str, currency: str
) -> None:
    mark, group = style
    value = number / 10**places
    text = written(value, mark, group, places, minus) + currency
    assert number_in(text, mark) == value
    # Without the style it is that number, or nobody says which.
    assert number_in(text) == (None if is_ambiguous(text) else value)


@given(st.text("0123456789.,-+ eE'\N{MINUS SIGN}\N{NO-BREAK SPACE}x€", max_size=12))
def test_a_column_is_read_as_each_of_its_texts(text: str) -> None:
    import pyarrow as pa

    column = pa.chunked_array([pa.array([text.strip()], pa.string())])
    for mark in (None, ".", ","):
        meant = number_in(text, mark)
        [found] = numbers_of(column, mark)
        assert np.isnan(found) if meant is None else found == meant


@pytest.mark.parametrize(
    "text",
    ["", "1,2,3", "1.2.3", "1 23", "12,34,567.8", "nan", "inf", "1e999", "1_000", "0x10", "€", "5€3", "5 kg"],
)
def test_no_numbers(text: str) -> None:
    assert readings(text) == {}


PRICES = "item{d}predicted{d}confidence\nchair{d}{a}{d}{c}\ntable{d}{b}{d}{c}\n"


@pytest.mark.parametrize(
    ("delimiter", "a", "b", "c", "mark", "means"),
    [
        (",", '"200,000"', '"1,500,000"', "1", ".", [200_000, 1_500_000]),  # the column tells
        (",", '"200,000"', '"150,000"', "0.9", ".", [200_000, 150_000]),  # the file tells
        (";", "200.000", "150.000", "0,9", ",", [200_000, 150_000]),
        (";", "200.000,00", "150.000,50", "1", ",", [200_000, 150_000.5]),
        (";", "200,5", "1.250", "1", ",", [200.5, 1_250]),
        (",", "200.125", "150.250", "1", ".", [200.125, 150.25]),
        ("\t", "1 200,5", "−3", "1", ",", [1_200.5, -3]),
        (",", "200000", "150000", "1", None, [200_000, 150_000]),
    ],
)
def test_a_file_shows_how_its_numbers_are_written(
    write: Write, delimiter: str, a: str, b: str, c: str, mark: str | None, means: list[float]
) -> None:
    path = write(PRICES.format(d=delimiter, a=a, b=b, c=c))
    pool = Pool.read(path, text="item", mean="predicted")
    assert pool.predictions.mean.tolist() == means
    assert pool.decimal_mark == mark
    config = LabelingApp(Session(pool, AbsoluteError(), y_range=(0, 1e7)))._page.panel.config()
    assert config["decimal_mark"] == mark
    expected = {".": 300_000, ",": 300}.get(str(mark), "300,000")
    assert label_of(Session(pool, AbsoluteError(), y_range=(0, 1e7)).labels, 0, "300,000") == expected


def test_columns_that_are_read_alike_are_named_in_one_note(write: Write) -> None:
    names = [f"p_{letter}" for letter in "abcdefgh"]
    path = write(f"text;{';'.join(names)};share\none;{';'.join(['0,125'] * 8)};5%\n")
    guessed = examine(path, proba=names).guessed
    assert "Decimals follow a comma in 'p_a', 'p_b', 'p_c', 'p_d', 'p_e', 'p_f', …." in guessed
    path = write("text;p_a;p_b\none;5%;95%\n")
    assert "Numbers are in percent in 'p_a', 'p_b'." in examine(path).guessed
    table = open_table(path)
    for name in ("p_a", "p_b", "p_a"):
        table.numbers(name, is_share=True)
    assert [note for note in table.notes if "percent" in note] == ["Numbers are in percent in 'p_a', 'p_b'."]


@pytest.mark.parametrize(
    ("delimiter", "a", "b"), [(",", '"200,000"', '"150,000"'), (";", "200.000", "150.000")]
)
def test_nothing_tells(write: Write, delimiter: str, a: str, b: str) -> None:
    path = write(PRICES.format(d=delimiter, a=a, b=b, c="1"))
    [found] = examine(path, text="item", mean="predicted").problems  # its remedy is for both
    meant = "200000 or 200" if "," in a else "200 or 200000"
    assert (found.row, found.column) == (2, "predicted")
    assert found.message == f"{a.strip(chr(34))!r} can be read as {meant}"
    rows = f"table{delimiter}{b}{delimiter}1\n" * 30
    [found] = examine(
        write(PRICES.format(d=delimiter, a=a, b=b, c="1") + rows), text="item", mean="predicted"
    ).problems
    assert found.row == 2


@pytest.mark.parametrize(
    ("a", "b", "means", "currency"),
    [
        ("406 685 €", "1.234,50 €", [406_685, 1_234.5], "€"),
        ("-$406,685", "$ 1,234.5", [-406_685, 1_234.5], "$"),
        ("1.234,50 EUR", "EUR 7", [1_234.5, 7], "EUR"),
        ("£12.5", "3", [12.5, 3], "£"),
    ],
)
def test_amounts_of_money_are_numbers(
    write: Write, a: str, b: str, means: list[float], currency: str
) -> None:
    path = write(f"item|predicted\nchair|{a}\ntable|{b}\n")
    found = examine(path, text="item")
    assert (found.columns.mean, found.problems) == ("predicted", ())
    assert f"'predicted' is in {currency}." in found.guessed
    assert Pool.read(path, text="item", mean="predicted").predictions.mean.tolist() == means


def test_money_of_two_currencies_is_refused(write: Write) -> None:
    [found] = examine(write("item|predicted\nchair|5.50 €\ntable|$7\n"), text="item").problems
    assert (found.column, found.message) == ("predicted", "it holds amounts in $, €")
    assert found.remedy == "Convert them to one currency."


def test_ambiguous_money_is_refused(write: Write) -> None:
    path = write("item|predicted\nchair|$406,685\ntable|$386,867\n")
    [first] = examine(path, text="item", mean="predicted").problems
    assert (first.row, first.message) == (2, "'$406,685' can be read as 406685 or 406.685")


def test_numbers_with_units_are_noted_among_classes(write: Write) -> None:
    rows = "".join(f"item {i},{i} kg\n" for i in range(30))
    note = "'predicted' holds 30 different values ('0 kg', …), read as classes. If they are numbers, write"
    assert f"{note} them without units." in examine(write(f"text,predicted\n{rows}")).guessed
    rows = "".join(f"item {i},{i % 10} kg\n" for i in range(30))
    assert not any("units" in each for each in examine(write(f"text,predicted\n{rows}")).guessed)


def test_bad_marks_are_refused() -> None:
    with pytest.raises(ValueError, match=r"decimal_mark must be '\.' or ',', got ';'"):
        Pool(["a"], predictions=[[0.5, 0.5]], decimal_mark=";")
    assert NumberLabels(decimal_mark=",").decimal_mark == ","


@pytest.mark.parametrize("column", ["std", "sigma", "pred_std"])
def test_standard_deviations_are_read(write: Write, column: str) -> None:
    file = write(f"text,pred,{column}\nHello there,1.5,0.5\nWin now,3,0\n")
    assert f"their standard deviations: {column}" in examine(file).guessed
    assert Pool.read(file).predictions.variance.tolist() == [0.25, 0.0]
    assert Pool.read(file, ignore=column).predictions.variance is None
    with pytest.raises(ValueError, match="std and variance can't go together"):
        Pool.read(file, std=column, variance=column)
    negative = write(f"text,pred,{column}\nHello there,1.5,0.5\nWin now,3,-2\n")
    message = f"row 3, column '{column}': the standard deviation -2 is negative. Give standard deviations,"
    with pytest.raises(ValueError, match=re.escape(message)):
        Pool.read(negative)


def test_standard_deviations_of_two_models_are_read(write: Write) -> None:
    text = "text,mean_a,std_a,mean_b,variance_b\nHello there,1,2,3,4\nWin now,3,4,5,6\n"
    first, second = Pool.read(write(text), compare="a,b").models
    assert (first.variance.tolist(), second.variance.tolist()) == ([4, 16], [4, 6])


def test_whole_numbers_beside_their_spread_are_numbers(write: Write) -> None:
    rows = [f"text {at},{at % 5 + 1},{at % 3 + 0.5}" for at in range(40)]
    file = write("\n".join(["text,prediction,std", *rows]))
    assert Pool.read(file).predictions.variance[:3].tolist() == [0.25, 2.25, 6.25]
    with pytest.raises(ValueError, match=r"std and predicted can't go together.* with mean \(--mean\)"):
        Pool.read(file, predicted="prediction", std="std")
    # Two classes, and a spread below 0, are features beside predicted classes.
    for rows in (
        [f"text {at},{at % 2},{at % 3 + 0.5}" for at in range(40)],
        [f"text {at},{at % 5},{at % 3 - 0.5}" for at in range(40)],
    ):
        assert Pool.read(write("\n".join(["text,prediction,std", *rows]))).predictions.kind == "class"
