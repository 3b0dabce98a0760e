"""What is said of a file is said in its own terms and those of the command line."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from activeeval_widgets import LabelingApp, Pool, Session
from activeeval_widgets.app.evaluation_options import given_settings, goals_given
from activeeval_widgets.app.file_check import check_file
from activeeval_widgets.app.user_code import described
from activeeval_widgets.formats.page_question import predicted_thing
from activeeval_widgets.stats import SquaredError
from activeeval_widgets.widgets.evaluation.panels import Panels
from activeeval_widgets.widgets.result.content import result_content
from activeeval_widgets.widgets.wording.questions import words_of
from activeeval_widgets.widgets.wording.sessions import about, introduction

Write = Callable[..., Path]
LOGS = Path(__file__).parent / "logs"

HOUSES = "text,predicted_price\n" + "".join(
    f"A house with {n} rooms by the sea,{n}0000.5\n" for n in range(1, 40)
)
MAILS = "text,predicted\n" + "".join(f"Mail {n} of many,{['ham', 'spam'][n % 2]}\n" for n in range(20))


def page(file: Path, **options: Any) -> LabelingApp:
    pool = given_settings(file, options).make_pool()
    session = given_settings(file, options).make_session(pool=pool)
    return LabelingApp(session)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (MAILS, {"measure": "roc-auc"}),
        (MAILS, {"measure": "calibration-error"}),
        (MAILS, {"measure": "log-loss"}),
        (MAILS, {"measure": "squared-error"}),
        (MAILS, {"y_range": (0, 1)}),
        (MAILS, {"cost_by": "results"}),
        (HOUSES, {"measure": "f1"}),
        (HOUSES, {"y_range": (5, 1)}),
        (HOUSES, {"positive": "ham"}),
    ],
)
def test_no_python_where_a_file_is_checked(write: Write, text: str, options: dict[str, Any]) -> None:
    found = check_file(given_settings(write(text), options))
    assert len(found.problems) == 1
    assert not re.search(r"\w\(|y_range|cost_by|y_proba|Predictions|Classes\b", found.problems[0])


@pytest.mark.parametrize(
    ("option", "given"), [("--goal", "10%"), ("--goal", "> 5 %"), ("--margin", "1%"), ("--margin", "1 point")]
)
def test_a_percentage_needs_a_measure_between_0_and_1(write: Write, option: str, given: str) -> None:
    options = {"goal": (given,)} if option == "--goal" else {"margin": given}
    for text, measure, is_read in ((HOUSES, "squared-error", False), (MAILS, "error-rate", True)):
        settings = given_settings(write(text), {**options, "measure": measure} if is_read else options)
        # `margin` is for two models: only whether the percentage is refused is asked here.
        [problem] = check_file(settings, goals=goals_given(options)).problems or [""]
        assert (f"{option} is {given}, but a percentage needs" in problem) != is_read


@pytest.mark.parametrize(("column", "limit"), [("mean", "1e+30"), ("variance", "1e+60"), ("std", "1e+30")])
def test_a_number_that_is_too_large_is_reported_with_its_row(write: Write, column: str, limit: str) -> None:
    text = f"text,mean,{column}\na,1,1\nb,2,1e100\n" if column != "mean" else "text,mean\na,1\nb,1e100\n"
    [problem] = check_file(given_settings(write(text), {"mean": "mean"})).problems
    assert f".csv, row 3, column '{column}': 1e+100 is too large" in problem
    assert f"at most {limit}." in problem


def test_a_page_made_from_a_file_names_options(write: Write) -> None:
    app = page(write(HOUSES))
    assert app._page._question == "What is the price?"
    for value in range(10):
        app.session.label(value * 10_000.0)
    content = str(Panels(app.session).content()["estimate"])
    assert "--y-range" in content
    assert "Give y_range" not in content
    in_python = Session(Pool.read(write(HOUSES)), SquaredError())
    in_python.label(10_000.0)
    assert "Give y_range" in str(Panels(in_python).content()["estimate"])


@pytest.mark.parametrize(
    ("column", "thing"),
    [
        ("predicted_price", "price"),
        ("price_pred", "price"),
        ("y_pred", None),
        ("mean", None),
        ("Predicted temperature", "temperature"),
        ("predicted_value", None),
        ("pred_1", None),
        ("price_in_usd_hat", "price in usd"),
    ],
)
def test_the_question_names_what_is_predicted(column: str, thing: str | None) -> None:
    assert predicted_thing(column) == thing


@pytest.mark.parametrize(
    ("log", "scorer", "question"),
    [
        ("inspect.eval", "judge", "Is the answer correct?"),
        ("inspect.eval", "helpfulness", "Is the answer correct?"),
        ("promptfoo.json", "icontains", "Does the answer pass?"),
    ],
)
def test_a_log_is_about_its_scorer(log: str, scorer: str, question: str) -> None:
    settings = given_settings(LOGS / log, {"score": scorer})
    app = page(LOGS / log, score=scorer)
    assert app._page._question == question
    assert words_of(app.session).marked == "scorer wrong"
    assert about(app.session).startswith(f"pass rate by people · the scorer {scorer} · ")
    assert introduction(app.session) == (
        f"Your labels estimate the pass rate among 4 conversations, and how far the scorer {scorer} agrees "
        "with them."
    )
    of_errors = page(LOGS / log, score=scorer, measure="error-rate").session
    assert about(of_errors).startswith(f"error rate of the scorer {scorer} · ")
    assert introduction(of_errors).startswith(f"The scorer {scorer} judged 4 conversations. ")
    for each in (settings, settings.with_(measure="error-rate")):
        assert "model" not in check_file(each).notes[-1]
        assert "the scorer" in check_file(each).notes[-1]


def strings_of(content: Any) -> Iterator[str]:
    """All texts of a message."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict):
        for each in content.values():
            yield from strings_of(each)
    elif isinstance(content, list | tuple):
        for each in content:
            yield from strings_of(each)


@pytest.mark.parametrize(
    "options",
    [
        {"score": "judge"},
        {"score": "helpfulness"},
        {"score": "judge", "measure": "label-share", "positive": "correct"},
        {"votes": ("includes", "judge"), "predicted": "judge"},
    ],
)
def test_a_scorer_is_nowhere_called_the_model(options: dict[str, Any]) -> None:
    app = page(LOGS / "inspect.eval", **options)
    panels = Panels(app.session)
    result = [about(app.session), app._page._question]
    for answer in ("correct", "incorrect", "correct", "correct"):
        app.session.label(answer)
        result += strings_of(panels.redraw(shown=["confusion"]))
    session = app.session
    result += [session.report("markdown"), words_of(session).filtered]
    result += strings_of(result_content(session, session.watched()))
    assert any("Verdict of" in text for text in result)
    assert not [text for text in result if re.search(r"\bmodel\b", text, re.IGNORECASE)]


def test_blank_texts_among_texts_stay_texts(write: Write) -> None:
    rows = ("The quick brown fox jumps,0.9,0.1", ",0.2,0.8", "  ,0.5,0.5", "Over lazy dogs again,0.5,0.5")
    pool = given_settings(write("\n".join(["A title,p_a,p_b", *rows, ""])), {}).make_pool()
    assert (pool.kind, pool.instances[1]) == ("text", "")


def test_what_a_program_makes_is_stated_in_words(write: Write) -> None:
    assert described(page(write(MAILS))) == "a page with 20 texts: error rate"
