"""`plan`: how many labels a margin of error takes, from a file alone."""

import csv
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from activeeval_widgets import stats
from activeeval_widgets.app import cli
from activeeval_widgets.formats import Columns
from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
from activeeval_widgets.session import Goal, open_store
from activeeval_widgets.stats import ErrorRate, Planner

N = 1500


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.main, ["plan", *map(str, arguments)])


@pytest.fixture(scope="module")
def tickets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    p = np.random.default_rng(3).dirichlet([0.05, 0.06, 0.04], N).round(4)
    p[:, 2] = 1 - p[:, 0] - p[:, 1]
    path = tmp_path_factory.mktemp("plan") / "tickets.csv"
    with path.open("w", newline="") as file:
        rows = [[f"text {i}", *row] for i, row in enumerate(p.round(4).tolist())]
        csv.writer(file).writerows([["text", "p_bug", "p_billing", "p_howto"], *rows])
    return path


def test_says_how_many_labels_with_the_model_and_without(tickets, monkeypatch):
    monkeypatch.chdir(tickets.parent)
    result = run("tickets.csv", "--half-width", "4%", "--half-width", "0.08")
    assert result.exit_code == 0, result.output
    assert "1,500 texts" in result.stderr
    model = EvaluationSettings(tickets).make_pool().predictions
    for points, width in (("4", 0.04), ("8", 0.08)):
        _, told = result.stdout.split(f"Error rate ±{points} points:\n")
        lines = told.splitlines()[:2]
        for line, name, options in zip(
            lines,
            ("as drawn here", "drawn uniformly, without the model"),
            ({}, {"without_model": True}),
            strict=True,
        ):
            plan = Planner(ErrorRate(), model, **options).plan(width)
            numbers = [int(each.replace(",", "")) for each in re.findall(r"[\d,]*\d", line)]
            wanted = [plan.low, plan.high] if plan.is_vague else [plan.n_labels, plan.low, plan.high]
            assert line.startswith(f"  {name}: ")
            assert numbers[: len(wanted)] == pytest.approx(wanted, rel=0.05)
    # What it says to type is a session with that goal.
    command = result.stdout.splitlines()[-1].split(maxsplit=2)
    assert command[:2] == ["activeeval-widgets", "serve"]
    again = run(*shlex.split(command[2]), "--half-width", "0.2")
    assert again.exit_code == 0, again.output
    assert "--goal 0.04" in result.stdout


def test_keeps_what_else_is_asked(tickets, monkeypatch):
    monkeypatch.chdir(tickets.parent)
    settings = EvaluationSettings(
        tickets, measure="f1", positive="bug", goal=Goal(half_width=0.5, minutes=30)
    )
    settings.write("evaluation.toml")
    result = run("evaluation.toml", "--half-width", "0.1")
    assert "F1 of bug ±0.1:" in result.stdout
    assert "--measure f1 --positive bug --goal 0.1 --goal '30 minutes'" in result.stdout


def test_of_predictions_without_probabilities_the_first_labels_tell(tmp_path):
    path = tmp_path / "hard.csv"
    path.write_text("text,predicted\n" + "".join(f"t{i},{'ab'[i % 2]}\n" for i in range(40)))
    result = run(path, "--half-width", "0.05")
    assert result.exit_code == 0
    assert "Error rate ±5 points: nothing is known yet; the first labels will tell." in result.stdout
    assert "serve" not in result.stdout


def test_of_more_than_two_models_the_page_tells(tmp_path):
    path = tmp_path / "three.csv"
    path.write_text("text,a,b,c\n" + "".join(f"t{i},{'xy'[i % 2]},{'xy'[i % 3 % 2]},x\n" for i in range(20)))
    result = run(path, "--half-width", "0.05", "--compare", "a,b,c")
    assert result.exit_code == 2
    assert (
        "a plan is about one model or two, and predictions hold 3 models: before the first" in result.stderr
    )


def test_a_pool_that_is_too_small_is_told(tmp_path):
    path = tmp_path / "small.csv"
    path.write_text("text,p_a,p_b\n" + "".join(f"t{i},0.5,0.5\n" for i in range(20)))
    result = run(path, "--half-width", "0.01")
    assert "as drawn here: the pool is too small" in result.stdout
    assert "To begin" not in result.stdout


@pytest.mark.parametrize("width", ["0", "-0.1", "nan", "wide", "30 minutes", "> 0.9", "inf"])
def test_what_is_no_margin_is_refused(tickets, width):
    result = run(tickets, "--half-width", width)
    assert result.exit_code == 2
    assert repr(width) in result.stderr
    assert "such as 0.03 or 3%" in result.stderr


@pytest.mark.parametrize(
    ("measure", "is_read"), [("mape@1", True), ("r-squared", True), ("squared-error", False)]
)
def test_a_percentage_is_refused_where_a_measure_is_not_between_0_and_1(tmp_path, measure, is_read):
    path = tmp_path / "prices.csv"
    path.write_text("text,price\na,1\nb,2\nc,3\n")
    result = run(path, "--text", "text", "--mean", "price", "--measure", measure, "--half-width", "10%")
    assert (result.exit_code == 0) == is_read
    assert ("a percentage needs a measure between 0 and 1" in result.stderr) != is_read


def test_a_file_with_problems_has_no_plan(tmp_path):
    path = tmp_path / "wrong.csv"
    path.write_text("text,p_a,p_b\nx,0.5,0.9\n")
    result = run(path, "--half-width", "0.05")
    assert result.exit_code == 1
    assert "1 problem." in result.stderr
    assert not result.stdout
    assert "table of predictions" in run("page.ipynb", "--half-width", "0.05").stderr


def test_a_lower_confidence_level_takes_fewer_labels(tickets):
    pool = EvaluationSettings(tickets).make_pool()
    plans = []
    for level in (0.8, 0.95):
        result = run(tickets, "--half-width", "4%", "--confidence", f"{level:.0%}")
        assert result.exit_code == 0, result.output
        assert f"--confidence {level}" in result.stdout.splitlines()[-1]
        line = next(each for each in result.stdout.splitlines() if "as drawn here" in each)
        plan = Planner(ErrorRate(), pool.predictions, confidence_level=level).plan(0.04)
        wanted = [plan.low, plan.high] if plan.is_vague else [plan.n_labels, plan.low, plan.high]
        numbers = [int(each.replace(",", "")) for each in re.findall(r"[\d,]*\d", line)]
        assert numbers[: len(wanted)] == pytest.approx(wanted, rel=0.05)
        plans.append(plan.n_labels)
    assert plans[0] < plans[1]


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """300 answers; every third has two judges' votes, and half of these have labels."""
    rng = np.random.default_rng(6)
    path = tmp_path_factory.mktemp("judged") / "judged.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["answer", "judge_a", "judge_b", "human"])
        for i in range(300):
            label, other = ("fail", "pass") if rng.random() < 0.6 else ("pass", "fail")
            judges = [label if rng.random() < 0.9 else other for _ in "ab"] if i % 3 == 0 else ["", ""]
            rows.writerow([f"answer {i}", *judges, label if i % 6 == 0 else ""])
    return path


def plan_votes(judged: Path, *more: object) -> Result:
    options = ["--text", "answer", "--votes", "judge_*", "--positive", "pass", "--half-width", "12%"]
    measure = [] if "--measure" in more else ["--measure", "label-share"]
    return run(judged, *options, *measure, *more)


def test_with_two_prices_says_how_many_votes_and_labels_are_cheapest(judged):
    prices = ["--price-of-vote", "0.01", "--price-of-label", "1"]
    result = plan_votes(judged, *prices, "--labels", "human")
    assert result.exit_code == 0, result.output
    assert "200 of 300 rows have no vote" in result.stderr
    heading, *lines, cheapest = result.stdout.strip().splitlines()
    assert heading == "Pass rate ±12 points:"
    assert lines[0].startswith("  no more votes: ")
    assert lines[-1].startswith("  votes for 200 more texts, all that are left: ")
    pool = EvaluationSettings(
        judged, columns=Columns(text="answer", votes=("judge_a", "judge_b"), labels="human")
    ).make_pool()
    plan = stats.plan_votes(
        stats.LabelShare("pass"), pool.predictions, 0.12, price_of_vote=0.01, price_of_label=1,
        draws=[*pool.known.values], y_true=[*pool.known.values.values()],
    )  # fmt: skip
    assert plan.all.price == pytest.approx(plan.all.labels.n_labels + 2)
    for line, bought in ((lines[0], plan.none), (lines[-1], plan.all)):
        wanted = [bought.labels.low, bought.labels.high, bought.price]
        numbers = [int(each) for each in re.findall(r"\d+", line.split(": ")[1])]
        assert numbers[-3:] == pytest.approx(wanted, rel=0.05)
    assert cheapest == "Cheapest: votes for 200 more texts. Keep rows without votes in the file."
    dear = plan_votes(judged, "--price-of-vote", "1", "--price-of-label", "1", "--labels", "human").stdout
    assert "Cheapest: no more votes." in dear
    assert "Nobody knows yet how good the votes are" in plan_votes(judged, *prices).stdout


def test_plans_further_votes_and_labels_after_a_session(judged):
    columns = Columns(text="answer", votes=("judge_a", "judge_b"))
    settings = EvaluationSettings(judged, columns=columns, measure="label-share", positive="pass", name="one")
    session = settings.make_session(judged.with_name("s.sqlite"))
    for _ in range(20):
        session.label("fail" if session.next().index % 3 else "pass")
    session.store.close()
    details = open_store(judged.with_name("s.sqlite"))
    details.keep_details("one", {"source": {"settings": settings.to_dict()}})
    details.close()
    given = ["--price-of-vote", "0.01", "--price-of-label", "1", "--after", "one"]
    result = plan_votes(judged, *given, "--store", str(judged.with_name("s.sqlite")))
    assert result.exit_code == 0, result.output
    n = 200 - sum(index % 3 > 0 for index in session.draws.labeled()[0].tolist())
    assert f"votes for {n} more texts, all that are left" in result.stdout
    assert "Nobody knows" not in result.stdout
    missing = plan_votes(judged, *given[:-1], "two", "--store", str(judged.with_name("s.sqlite")))
    assert "there is no session 'two' here, but 'one'" in missing.output
    nowhere = judged.with_name("none") / "n.sqlite"
    assert "'one' here, nor any other" in plan_votes(judged, *given, "--store", str(nowhere)).output
    assert not nowhere.parent.exists(), "nothing is stored"


WRONG_PRICES = [
    (["--price-of-vote", "1"], "--price-of-vote needs --price-of-label"),
    (["--price-of-label", "1"], "--price-of-label needs --price-of-vote"),
    (["--price-of-vote", "-1", "--price-of-label", "1"], "-1.0 is not in the range x>=0"),
    (["--price-of-vote", "1", "--price-of-label", "0"], "0.0 is not in the range x>0"),
    (
        ["--price-of-vote", "1", "--price-of-label", "1", "--measure", "recall"],
        "which evaluates a verdict for each instance, and without a vote there is none",
    ),
    (
        ["--price-of-vote", "1", "--price-of-label", "1", "--protocol", "papers"],
        "prices are for adaptive draws: leave the prices, or protocol, out",
    ),
    (
        ["--price-of-vote", "1", "--price-of-label", "1", "--cost-by", "length"],
        "prices are for labels that all cost the same: leave the prices, or cost, out",
    ),
]


@pytest.mark.parametrize(("options", "message"), WRONG_PRICES, ids=range(len(WRONG_PRICES)))
def test_prices_that_do_not_fit_are_refused(judged, options, message):
    result = plan_votes(judged, *options)
    assert result.exit_code == 2
    assert message in result.stderr


def test_without_a_margin_it_plans_those_around_the_pages(tickets):
    options = ("--measure", "error-rate")
    result = run(tickets, *options)
    assert [line for line in result.stdout.splitlines() if line.startswith("Error rate")] == [
        "Error rate ±10 points:",
        "Error rate ±5 points:",
        "Error rate ±2 points:",
    ]
    assert result.stdout.rstrip().endswith("--goal 0.05")
    of_goal = run(tickets, *options, "--goal", "7%").stdout
    assert of_goal == run(tickets, *options, "--half-width", "7%").stdout
    prices = tickets.with_name("prices.csv")
    prices.write_text("\n".join(["text,predicted_price", *(f"house {i},{100 + i}.5" for i in range(60))]))
    unknown = run(prices)
    assert (unknown.exit_code, unknown.stdout) == (2, "")
    assert "name a margin of error with --half-width" in unknown.stderr
