"""An evaluation as it is kept in a file, typed as a command, and made a session."""

import shlex
import tomllib
from pathlib import Path

import pytest

from activeeval_widgets import Goal
from activeeval_widgets.formats import Columns
from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
from activeeval_widgets.formats.goal_text import goal_texts, read_goal, read_margin
from activeeval_widgets.formats.session_names import next_name
from activeeval_widgets.session import MemoryStore

ROWS = "body,p_ham,p_spam\nHello,0.9,0.1\nWin now,0.2,0.8\nSee you,0.7,0.3\n"


@pytest.fixture
def mails(tmp_path):
    path = tmp_path / "Über uns" / "mails of may.csv"
    path.parent.mkdir()
    path.write_text(ROWS, encoding="utf-8")
    return path


def everything(file):
    guidelines = file.parent / "how to.md"
    guidelines.write_text("# What is spam?\nAsk Ökonom.", encoding="utf-8")
    return EvaluationSettings(
        file,
        Columns(text="body", proba=["p_ham", "p_spam"], classes=["ham", "spam, or so"]),
        measure="f1",
        positive="spam, or so",
        budget=100,
        goal=Goal(half_width=0.03, minutes=30),
        y_range=(0, 5),
        seed=3,
        protocol="papers",
        name="of 'may'",
        title="Mails",
        question="-- Spam?",
        guidelines=guidelines,
        hide_estimate=True,
        ask_name=True,
        owner="Ada",
        lease_minutes=2.5,
        confidence=0.9,
        n_raters=2,
        second_opinions=0.25,
    )


def test_what_is_written_is_read(mails):
    settings, path = everything(mails), mails.parent / "evaluation.toml"
    settings.write(path)
    assert EvaluationSettings.read(path) == settings
    kept = tomllib.loads(path.read_text(encoding="utf-8"))
    assert (kept["file"], kept["guidelines"]) == ("mails of may.csv", "how to.md")
    assert not list(mails.parent.glob(".*"))


def test_a_folder_that_moved_is_read_as_before(mails):
    everything(mails).write(mails.parent / "evaluation.toml")
    moved = mails.parent.rename(mails.parent.with_name("moved"))
    settings = EvaluationSettings.read(moved / "evaluation.toml")
    assert settings.file == moved / mails.name
    assert settings.read_guidelines() == "# What is spam?\nAsk Ökonom."


def test_json_and_back(mails):
    settings = everything(mails)
    assert EvaluationSettings.from_dict(settings.to_dict()) == settings
    assert EvaluationSettings(mails).to_dict() == {"file": str(mails)}


def test_the_command_is_quoted(mails):
    words = shlex.split(everything(mails).command(folder=mails.parent))
    assert words[:3] == ["activeeval-widgets", "serve", "mails of may.csv"]
    assert words[words.index("--classes") + 1] == 'ham,"spam, or so"'
    assert words.count("--goal") == 2
    assert "--question=-- Spam?" in words
    assert words[-2:] == ["--hide-estimate", "--ask-name"]
    assert shlex.split(everything(mails).command())[2] == str(mails)
    assert EvaluationSettings("-x.csv").command(folder=Path.cwd()).endswith("serve ./-x.csv")


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("mails.csv", "mails"),
        ("mails.v2.jsonl.gz", "mails.v2"),
        ("MAILS.CSV", "MAILS"),
        (".csv", ".csv"),
        ("mails", "mails"),
    ],
)
def test_the_sessions_name_is_the_files(file, name):
    assert EvaluationSettings(file).session_name == name
    assert EvaluationSettings(file, name="mine").session_name == "mine"


def test_a_name_that_is_not_used():
    assert next_name([], "mails") == "mails"
    assert next_name(["mails", "mails-3", "mails-x", "others-7"], "mails") == "mails-4"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("file = mails.csv\n", r"evaluation.toml is not TOML.*line 1"),
        ("measure = 'f1'", "evaluation.toml: the setting 'file' is missing"),
        ("file = 'a.csv'\nmesure = 'f1'", "no setting 'mesure'. Did you mean 'measure'"),
        (
            "file = 'a.csv'\n[columns]\ntxt = 'body'",
            r"no setting 'txt' under \[columns\]. Did you mean 'text'",
        ),
        ("file = 'a.csv'\n[goal]\nwidth = 3", r"no setting 'width' under \[goal\]"),
        ("file = 'a.csv'\ncolumns = 'body'", r"columns is 'body', expected a table"),
        ("file = 'a.csv'\nbudget = '100'", "budget is '100', expected int"),
        ("file = 'a.csv'\nbudget = true", "budget is True, expected int"),
        ("file = 3", "file is 3, expected str"),
        ("file = 'a.csv'\ny_range = [1]", r"y_range is \[1\], expected two numbers"),
        ("file = 'a.csv'\n[goal]\nhalf_width = -1", "half_width is -1"),
        ("file = 'a.csv'\nconfidence = 0.4", "confidence is 0.4, expected more than 50% and less than 100%"),
        ("file = 'a.csv'\nconfidence = true", "confidence is True, expected int or float or str"),
    ],
)
def test_what_is_wrong_with_a_toml_is_reported(tmp_path, text, message):
    path = tmp_path / "evaluation.toml"
    path.write_text(text)
    with pytest.raises((ValueError, TypeError), match=message):
        EvaluationSettings.read(path)


def test_a_session_goes_on_where_it_was(mails, tmp_path):
    settings = EvaluationSettings(mails, measure="f1", budget=2)
    store = tmp_path / "s.sqlite"
    session = settings.make_session(store, who="Ada")
    assert session.name == "mails of may"
    assert session.measure.positive == "spam"
    session.label("spam")
    again = settings.make_session(store)
    assert (again.n_labels, again.budget, again.seed) == (1, 2, session.seed)
    assert again.log[-1].who == "Ada"
    other = settings.with_(name="other").make_session(store)
    assert other.seed != session.seed
    mails.write_text(ROWS.replace("0.9,0.1", "0.1,0.9"), encoding="utf-8")
    assert settings.make_session().seed not in (session.seed, other.seed)


def test_guidelines_that_cannot_be_read_are_reported(mails):
    settings = EvaluationSettings(mails, guidelines=mails.with_name("none.md"))
    with pytest.raises(ValueError, match=r"guidelines: .*none.md can't be read"):
        settings.read_guidelines()
    settings.guidelines.write_bytes(b"caf\xe9")
    with pytest.raises(ValueError, match=r"none.md is not in UTF-8"):
        settings.read_guidelines()


@pytest.mark.parametrize(
    ("texts", "goal"),
    [
        ("0.03", Goal(half_width=0.03)),
        ("±3 %", Goal(half_width=0.03)),
        (".5", Goal(half_width=0.5)),
        ("0,03", Goal(half_width=0.03)),
        ("±3 points", Goal(half_width=0.03)),
        ("1.234", Goal(half_width=1.234)),
        ("> 1 000,5", Goal(threshold=1000.5)),
        ("30min", Goal(minutes=30)),
        ("1.5 hours", Goal(minutes=90)),
        ("> 0.9", Goal(threshold=0.9)),
        ("<=10%", Goal(threshold=0.1)),
        ("> -1", Goal(threshold=-1)),
        ("cost 100", Goal(cost=100)),
        (["3%", "30 minutes"], Goal(half_width=0.03, minutes=30)),
        ([], None),
    ],
)
def test_goals_as_typed(texts, goal):
    assert read_goal(texts) == goal
    assert read_goal(goal_texts(goal)) == goal


@pytest.mark.parametrize(
    "texts",
    [
        "soon",
        "",
        "1,234",
        "> 3 points",
        "± 3 min",
        "30% minutes",
        "0",
        "-0.03",
        "nan",
        "1e999",
        ["0.1", "0.2"],
        ["30min", "1 h"],
    ],
)
def test_what_is_no_goal_is_reported(texts):
    with pytest.raises(ValueError, match=r"goal is|half_width is"):
        read_goal(texts)


@pytest.mark.parametrize(
    ("text", "margin"),
    [
        ("0.01", 0.01),
        ("0,01", 0.01),
        ("1%", 0.01),
        ("1 point", 0.01),
        (" ±0.7 points", 0.007),
        ("+-2 pp", 0.02),
    ],
)
def test_margins_as_typed(text, margin):
    assert read_margin(text) == margin


@pytest.mark.parametrize("text", ["", "some", "0", "-1%", "1,234", "2 min", "> 1%"])
def test_what_is_no_margin_is_reported(text):
    with pytest.raises(ValueError, match=r"margin is .*, expected the difference that is too small"):
        read_margin(text)


@pytest.mark.parametrize(
    ("typed", "level"),
    [
        *(("0.9", 0.9), ("90%", 0.9), (" 90 % ", 0.9), ("90", 0.9), (90, 0.9), (0.9, 0.9)),
        *(("97.5%", 0.975), ("99", 0.99), (".8", 0.8), ("55%", 0.55)),
    ],
)
def test_a_confidence_level_as_it_is_typed(tmp_path, typed, level):
    settings = EvaluationSettings("mails.csv", confidence=typed)
    assert settings.confidence == level
    assert f"--confidence {level}" in settings.command()
    assert EvaluationSettings.from_dict(settings.to_dict()) == settings
    settings.write(tmp_path / "evaluation.toml")
    assert tomllib.loads((tmp_path / "evaluation.toml").read_text())["confidence"] == level


@pytest.mark.parametrize("typed", ["50", "0.5", "100%", "1", "0", "-90%", "110", "nan", "inf", "high", ""])
def test_a_confidence_level_that_is_none(typed):
    with pytest.raises(ValueError, match=r"confidence is '.*', expected more than 50% and less than 100%"):
        EvaluationSettings("mails.csv", confidence=typed)


def test_the_session_has_the_level_and_keeps_it(mails):
    store = MemoryStore()
    assert EvaluationSettings(mails, confidence="90%").make_session(store).confidence_level == 0.9
    assert EvaluationSettings(mails).make_session(store).confidence_level == 0.9
    assert EvaluationSettings(mails).make_session(MemoryStore()).confidence_level == 0.95


@pytest.mark.parametrize(("hides", "asks"), [(False, "prediction"), (True, "positive")])
def test_sheets_of_a_blind_page_show_no_predictions(mails, hides, asks):
    settings = EvaluationSettings(mails, measure="f1", sheets=True, hide_estimate=hides)
    assert settings.make_session().sheets.asks == asks


def test_a_blind_page_has_no_sheets_of_predictions(mails):
    settings = EvaluationSettings(mails, sheets=True, hide_estimate=True)
    with pytest.raises(
        ValueError, match="show the model's predictions, which hide_estimate keeps off the page"
    ):
        settings.make_session()
