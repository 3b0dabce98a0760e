"""`serve`: what it says of a file, what it refuses, and what it has the page made of."""

import csv
import inspect
import json
import shlex
import signal
from pathlib import Path

import pytest
from click.testing import CliRunner

from activeeval_widgets import Goal, Pool
from activeeval_widgets.app import cli, file_check, options
from activeeval_widgets.app.commands import serve
from activeeval_widgets.app.pages import evaluation
from activeeval_widgets.formats import Columns
from activeeval_widgets.formats.columns import COLUMN_OPTIONS
from activeeval_widgets.formats.evaluation_settings import SETTING_OPTIONS, EvaluationSettings
from activeeval_widgets.session import open_store
from activeeval_widgets.session.pool import readers
from activeeval_widgets.stats.measures.measure_names import named_measures
from activeeval_widgets.widgets.start.roles import columns_of, roles_of

HEADER = ["id", "body", "p_ham", "p_spam"]
ROWS = [
    [f"m{i}", f"mail {i}", f"{0.9 - 0.04 * (i % 20):.2f}", f"{0.1 + 0.04 * (i % 20):.2f}"] for i in range(50)
]


def write(path, rows=ROWS, header=HEADER):
    path.parent.mkdir(exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


@pytest.fixture
def mails(tmp_path):
    return write(tmp_path / "Über uns" / "mails of may.csv")


@pytest.fixture
def served(monkeypatch, tmp_path):
    """What was handed to the server; files are looked through in this process, which is sooner."""
    specs = []
    monkeypatch.setattr(serve, "serve_page", lambda spec, **server: specs.append((spec, server)))
    monkeypatch.setattr(serve, "check_file_apart", file_check.check_file)
    monkeypatch.setattr(options, "data_folder", lambda: tmp_path / "data")
    return specs


def run(*arguments):
    return CliRunner().invoke(cli.main, ["serve", *map(str, arguments)])


@pytest.mark.usefixtures("served")
def test_columns_that_are_not_used_are_told_and_command_no_terminal(tmp_path):
    header = [*HEADER, "remark", "\x1b[31mred"]
    path = write(tmp_path / "mails.csv", [[*row, "ham", "x"] for row in ROWS], header)
    result = CliRunner().invoke(cli.main, ["serve", str(path), "--check"], color=True)
    assert result.exit_code == 0, result.output
    assert "not used: remark, \N{REPLACEMENT CHARACTER}[31mred" in result.stdout
    assert "\x1b" not in result.stdout


def test_a_file_alone_suffices(mails, served, tmp_path):
    result = run(mails)
    assert result.exit_code == 0, result.output
    assert result.stdout == "", "the standard output is for the address"
    assert "mails of may.csv: 50 texts" in result.stderr
    assert "p_ham, p_spam" in result.stderr
    assert "measure: error-rate" in result.stderr
    assert "session: mails of may, a new one" in result.stderr
    ((spec, _),) = served
    store = str(tmp_path / "data" / "sessions.sqlite")
    assert spec == {"kind": "evaluation", "settings": {"file": str(mails)}, "store": store}
    assert open_store(store).names() == [], "a session begins with its page"


def test_every_option_is_in_the_settings(mails, served, tmp_path):
    guidelines = tmp_path / "how.md"
    guidelines.write_text("# How")
    given = EvaluationSettings(
        mails,
        Columns(text="body", proba=["p_ham", "p_spam"], classes=["ham", "spam, too"], id="id"),
        measure="f0.5",
        positive="spam, too",
        budget=30,
        goal=Goal(half_width=0.03, minutes=20),
        y_range=None,
        seed=4,
        protocol="papers",
        name="may",
        title="Mails",
        question="Spam?",
        guidelines=guidelines,
        hide_estimate=True,
        ask_name=True,
        owner="Ada",
        lease_minutes=2.5,
        confidence=0.9,
        n_raters=2,
        second_opinions=0.25,
    )
    result = CliRunner().invoke(cli.main, [*_words(given.command()), "--port", "0", "--no-browser"])
    assert result.exit_code == 0, result.output
    ((spec, server),) = served
    assert EvaluationSettings.from_dict(json.loads(json.dumps(spec["settings"]))) == given
    assert server["no_browser"] is True


def _words(command):
    return shlex.split(command)[1:]


_POOL = {"instances": ["a"], "predictions": [[0.5, 0.5]]}


def a_column(name):
    """Names that an option of columns takes."""
    option = COLUMN_OPTIONS[name]
    if not option.is_list:
        return {"cost_by": "length", "drawn": "unknown"}.get(name, "a, or b")
    return ("a", "b, or c")[: 2 if name == "compare" else option.min_names]


def a_setting(name, folder):
    """A value that a setting takes."""
    option = SETTING_OPTIONS[name]
    special = {"goal": Goal(half_width=0.03, minutes=20), "y_range": (0.0, 5.0), "confidence": 0.9}
    of_type = {bool: True, int: 1, float: 0.25, str: "-- it's", Path: folder / "how to.md"}
    return special[name] if name in special else [*option.choices, of_type[option.types[0]]][0]


@pytest.mark.parametrize("name", [*COLUMN_OPTIONS, *SETTING_OPTIONS])
def test_each_option_is_taken_wherever_it_applies(name, mails, served, monkeypatch):
    monkeypatch.setattr(serve, "check_file_apart", lambda *_, **__: file_check.FileReport())
    if name in COLUMN_OPTIONS:
        value = a_column(name)
        given = EvaluationSettings(mails, Columns(**{name: value}))
    else:
        given = EvaluationSettings(mails, **{name: a_setting(name, mails.parent)})
    # the command line
    result = CliRunner().invoke(cli.main, _words(given.command()))
    assert result.exit_code == 0, result.output
    ((spec, _),) = served
    assert (
        EvaluationSettings.from_dict(json.loads(json.dumps(spec["settings"])))
        == given
        != EvaluationSettings(mails)
    )
    # the settings file
    given.write(mails.parent / "evaluation.toml")
    assert EvaluationSettings.read(mails.parent / "evaluation.toml") == given
    if name not in COLUMN_OPTIONS:
        return
    # Pool.read
    taken = {}
    monkeypatch.setitem(readers._readers, ".taken", lambda _, names: taken.update(names) or _POOL)
    Pool.read("a.taken", **{name: value})
    assert taken == {name: value}
    # the start page: each is a chip of its columns, or kept
    columns = [value] if isinstance(value, str) else list(value)
    page = roles_of(given.columns, columns)
    is_chip = COLUMN_OPTIONS[name].role != ""
    assert set(page.values()) == ({name} if is_chip else {""})
    kept = columns_of(page, given.columns, columns if name == "ignore" else ())
    assert kept == given.columns


def test_pool_read_takes_the_options_of_columns():
    parameters = inspect.signature(Pool.read).parameters
    assert list(parameters) == ["file", *COLUMN_OPTIONS, "folder"]
    assert all(parameters[name].default is None for name in COLUMN_OPTIONS)


def test_a_toml_is_served_and_options_count_more(mails, served):
    toml = mails.parent / "evaluation.toml"
    EvaluationSettings(mails, Columns(id="id"), measure="f1", budget=10).write(toml)
    for file in (toml, mails.parent):  # a folder with one is the same
        assert run(file, "--budget", "20", "--text", "body").exit_code == 0
        settings = EvaluationSettings.from_dict(served.pop()[0]["settings"])
        assert settings == EvaluationSettings(mails, Columns(id="id", text="body"), measure="f1", budget=20)


def test_a_folder_with_one_table_is_served(mails, served):
    assert run(mails.parent).exit_code == 0
    settings = EvaluationSettings.from_dict(served[0][0]["settings"])
    assert (settings.session_name, settings.make_pool().n_instances) == ("Über uns", 50)
    write(mails.with_name("others.csv"))
    result = run(mails.parent)
    assert result.exit_code == 1
    assert "others.csv" in result.stderr
    assert len(served) == 1


def test_a_session_goes_on_though_its_folder_has_got_a_store_since(mails, served, tmp_path):
    data, own = tmp_path / "data" / "sessions.sqlite", mails.with_name("evaluations.sqlite")

    def serve_and_label(*arguments):
        assert run(mails, *arguments).exit_code == 0
        spec = served.pop()[0]
        evaluation.build(spec, {"session": None, "who": None}).session.label("ham")
        return Path(spec["store"])

    assert serve_and_label() == data
    open_store(own).close()  # the start page, opened in the folder, has made it
    assert serve_and_label() == data
    assert open_store(data).details("mails of may")["summary"]["n_labels"] == 1
    assert "goes on after 2 labels" in run(mails).stderr
    assert serve_and_label("--name", "new") == own
    assert serve_and_label("--name", "new") == own
    elsewhere = write(tmp_path / "other" / mails.name)
    open_store(elsewhere.with_name("evaluations.sqlite")).close()
    assert run(elsewhere).exit_code == 0, "another file of that name is no reason to go on elsewhere"
    assert Path(served[-1][0]["store"]).parent == elsewhere.parent


def test_a_relative_path_and_home(mails, served, monkeypatch):
    monkeypatch.chdir(mails.parent)
    assert run(mails.name, "--store", "here.sqlite").exit_code == 0
    assert served[0][0]["settings"]["file"] == str(mails)
    assert served[0][0]["store"] == str(mails.parent / "here.sqlite")
    monkeypatch.setenv("HOME", str(mails.parent))
    assert run(f"~/{mails.name}").exit_code == 0
    assert served[1][0]["settings"]["file"] == str(mails)


def broken(kind):
    rows = [list(row) for row in ROWS]
    if kind == "sum":
        rows[3][2] = "0.99"
    if kind == "id":
        rows[8][0] = "m2"
    return rows


@pytest.mark.parametrize(
    ("kind", "arguments", "told"),
    [
        ("sum", [], ["row 5", "sum to"]),
        ("id", ["--id", "id"], ["row 10", "'m2'"]),
        (None, ["--text", "boddy"], ["no column 'boddy'", "Did you mean 'body'"]),
        (None, ["--measure", "f-one"], ["there is no measure 'f-one'"]),
        (None, ["--measure", "f1", "--positive", "spm"], ["positive is 'spm'", "ham, spam"]),
        (None, ["--measure", "squared-error"], ["does not fit these predictions"]),
        (
            None,
            ["--goal", "3"],
            ["--goal 3 asks for a margin", "the error rate goes from 0 to 1", "such as 0.05"],
        ),
        (None, ["--for-groups"], ["no groups: name their column with --group"]),
        (None, ["--margin", "0.1"], ["about two models", "compare two (--compare A,B), or leave it out"]),
        (None, ["--classes", "ham"], ["classes names 1 class, but proba 2 columns"]),
        (None, ["--guidelines", "nowhere.md"], ["guidelines", "nowhere.md", "can't be read"]),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_served(tmp_path, served, kind, arguments, told):
    mails = write(tmp_path / "mails.csv", broken(kind))
    result = run(mails, *arguments)
    assert (result.exit_code, result.stdout, served) == (1, "", [])
    assert "mails.csv" in result.stderr
    for part in told:
        assert part in result.stderr
    assert "Traceback" not in result.output
    checked = run(mails, *arguments, "--check")
    assert checked.exit_code == 1
    assert checked.stdout == result.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--goal", "soon"], "goal is 'soon'"),
        (["--budget", "0"], "--budget"),
        (["--pair", "a"], "pair"),
        (["--y-range", "1"], "--y-range"),
        (["--store", "nonesuch://x"], "nonesuch://x"),
    ],
)
def test_an_option_that_cannot_be_is_told_before_the_file_is_read(mails, served, arguments, told):
    result = run(mails, *arguments)
    assert (result.exit_code, result.stdout, served) == (2, "", [])
    assert told in result.stderr


@pytest.mark.parametrize("given", [["--compare", "a,b,c"], ["--compare", "a", "--compare", "b,c"]])
def test_names_are_in_one_list_or_in_several(tmp_path, served, given):
    path = tmp_path / "models.csv"
    path.write_text("text,a,b,c\n" + "".join(f"Mail {n} has come,x,y,x\nNo mail,y,x,x\n" for n in range(9)))
    result = run(path, *given)
    assert result.exit_code == 0, result.output
    assert served[0][0]["settings"]["columns"]["compare"] == ["a", "b", "c"]


@pytest.mark.parametrize("name", ["none.csv", "none.toml", "none.py", "none.ipynb"])
def test_a_file_that_is_not_there_is_told(tmp_path, served, name):
    result = run(tmp_path / name)
    assert result.exit_code != 0
    assert name in result.stderr
    assert "Check its name" in result.stderr
    assert served == []


def test_a_store_that_cannot_be_used_is_told(mails, served, tmp_path):
    result = run(mails, "--store", tmp_path)
    assert (result.exit_code, served) == (1, [])
    assert result.stderr.startswith(f"the store '{tmp_path}' can't be read")


def test_check_says_what_it_found_and_leaves_nothing(mails, served, tmp_path):
    result = run(mails, "--check", "--store", tmp_path / "none" / "s.sqlite")
    assert result.exit_code == 0
    assert "mails of may.csv: 50 texts" in result.stdout
    assert result.stdout.endswith("No problems.\n")
    assert served == []
    assert not (tmp_path / "none").exists()


def test_the_same_command_again_says_how_far_it_is(mails, served, tmp_path):
    store = tmp_path / "s.sqlite"
    session = EvaluationSettings(mails).make_session(store)
    session.label("ham")
    result = run(mails, "--store", store)
    assert "mails of may, which goes on after 1 label in" in result.stderr
    assert len(served) == 1


def test_another_file_under_the_same_name_is_one_message_with_the_remedy(mails, served, tmp_path):
    store = tmp_path / "s.sqlite"
    EvaluationSettings(mails).make_session(store).label("ham")
    write(mails, ROWS[:-1])
    result = run(mails, "--store", store)
    assert (result.exit_code, served) == (1, [])
    assert "--name 'mails of may-2'" in result.stderr
    assert open_store(store).names() == ["mails of may"]
    assert run(mails, "--store", store, "--name", "mails of may-2").exit_code == 0


def test_list_of_measures():
    result = run("--measure", "list")
    assert result.exit_code == 0
    for named in named_measures():
        assert f"  {named.name} " in result.stdout
        assert named.summary in result.stdout


def test_a_process_of_its_own_finds_the_same(mails):
    settings = EvaluationSettings(mails, measure="f1")
    assert file_check.check_file_apart(settings, None) == file_check.check_file(settings, None)


def test_a_process_of_its_own_is_started_with_interrupts_blocked(mails):
    """Ctrl-C is the parent's, from the first moment on: else the child prints a traceback."""
    assert signal.SIGINT in file_check.apart(signal.pthread_sigmask, signal.SIG_BLOCK, (), is_served=False)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_an_owner_whom_no_proxy_tells_is_noted(mails, served):
    owner = ["--hide-estimate", "--owner", "Ada"]
    assert "owner: nobody sees the estimate, as Ada is a login" in run(mails, *owner).stderr
    proxy = ["--trust-header", "X-Remote-User", "--trusted-proxy", "10.0.0.7"]
    assert "owner:" not in run(mails, *owner, *proxy).stderr
    assert len(served) == 2


def test_the_confidence_level_is_handed_on_or_refused(mails, served):
    assert run(mails, "--confidence", "90%").exit_code == 0
    ((spec, _),) = served
    assert spec["settings"]["confidence"] == 0.9
    result = run(mails, "--confidence", "40%")
    assert result.exit_code == 2
    assert "confidence is '40%', expected more than 50% and less than 100%, such as 0.9" in result.stderr
    assert len(served) == 1
