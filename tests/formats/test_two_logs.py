"""Two logs of the same samples, by two systems: each sample once, both answers side by side, blind."""

import ast
import copy
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from activeeval_widgets import Pool, Session, Text
from activeeval_widgets.app.cli import main
from activeeval_widgets.app.evaluation_options import given_settings
from activeeval_widgets.app.file_check import check_file
from activeeval_widgets.app.stored_sessions.export import write_export
from activeeval_widgets.formats import Columns, examine
from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
from activeeval_widgets.formats.tasks import read_answers
from activeeval_widgets.stats import PassRate, WinRate
from activeeval_widgets.widgets import LabelingApp
from tests.formats.test_evaluation_logs import INSPECT, LOGS, deflated, samples

ANSWERS = ["Paris, of course.", "Eight.", "Which fruit?", "42"]
VERDICTS = ["C", "C", "I", "C"]  # of the judge; in the first log C, C, C, I


@pytest.fixture
def logs(tmp_path: Path) -> tuple[Path, Path]:
    """The log of Inspect, and one of another system, its samples in another order."""
    old = samples(INSPECT)
    new = copy.deepcopy(old)
    for sample, answer, verdict in zip(new, ANSWERS, VERDICTS, strict=True):
        sample["messages"][-1]["content"] = answer
        sample["scores"]["judge"]["value"] = verdict
    return deflated(tmp_path, old, "old.eval"), deflated(tmp_path, new[::-1], "new.eval")


def problems(path: Path, **columns: Any) -> list[str]:
    return [str(problem).partition(": ")[2] for problem in examine(path, **columns).problems]


def test_samples_are_matched_by_id_and_both_answers_shown(logs: tuple[Path, Path]) -> None:
    old, new = logs
    pool = Pool.read(old, compare=str(new), score="judge")
    assert list(pool.ids) == ["q0", "q1", "q2", "q3"]
    shown = pool.instances[2]
    assert shown.answers == ("A cherry, or a `strawberry`.", "Which fruit?")
    assert [model.name for model in pool.models] == ["old", "new"]
    # One judge: its vote, and one for each label. Both pass q0 and q1, only A passes q2, only B q3.
    voted = [dict(zip(pool.models[0].classes, row, strict=True)) for row in pool.models[0].y_proba]
    assert [max(row, key=row.get) for row in voted] == ["both", "both", "A", "B"]
    assert voted[2]["A"] == pytest.approx(2 / 5)
    assert not pool.models[0].assists
    assert "A is old, B is new: samples are matched by their ids." in examine(old, compare=[str(new)]).guessed


def test_verdicts_in_other_words_vote_too(tmp_path: Path) -> None:
    paths = []
    for name, words in (("old", ["yes", "yes", "yes", "no"]), ("new", ["no", "yes", "no", "no"])):
        values = samples(INSPECT)
        for value, word in zip(values, words, strict=True):
            value["scores"]["says"] = {"value": word}
        paths.append(deflated(tmp_path, values, f"{name}.eval"))
    pool = Pool.read(paths[0], compare=str(paths[1]), score="says")
    voted = [dict(zip(pool.models[0].classes, row, strict=True)) for row in pool.models[0].y_proba]
    assert [max(row, key=row.get) for row in voted] == ["A", "both", "A", "neither"]


def test_all_scorers_of_both_logs_vote_unless_some_are_named(logs: tuple[Path, Path]) -> None:
    old, new = logs
    of_all = Pool.read(old, compare=str(new)).models[0].y_proba
    # includes, judge and helpfulness at 0.5: more votes than one.
    assert of_all.max() > 2 / 5
    assert problems(old, compare=str(new), score="judg")[0].startswith(
        "no scorer called 'judg' is in both logs"
    )


def test_how_one_is_shown_does_not_tell_whose_it_is(logs: tuple[Path, Path]) -> None:
    """Markdown is guessed by the answers of the first alone; the other is shown like it."""
    found = examine(logs[0], compare=str(logs[1])).columns
    assert found.conversation is not None
    assert set(found.markdown or ()) == set(found.conversation)


def test_what_does_not_match_is_one_error(logs: tuple[Path, Path], tmp_path: Path) -> None:
    old, _ = logs
    values = samples(INSPECT)
    values[0]["id"] = "other"
    [problem] = problems(old, compare=str(deflated(tmp_path, values[:3], "short.eval")))
    assert problem == (
        "the two logs are not of the same samples: 2 only in old.eval (q0, q3), 1 only in short.eval "
        "(other). Give logs of the same task and data, with the same limit and epochs: samples are matched "
        "by their ids."
    )
    values = samples(INSPECT)
    values[1]["target"] = "7"
    [problem] = problems(old, compare=str(deflated(tmp_path, values, "wrong.eval")))
    assert problem.startswith(
        "1 samples of wrong.eval have another reference answer than those of the same id"
    )
    gen = LOGS / "samples_small_gen.jsonl"
    [problem] = problems(gen, compare=str(old))
    assert "not of the same samples" in problem
    table = tmp_path / "table.csv"
    table.write_text("text,p\na,0.5\n")
    for first, second in ((table, old), (old, table)):
        assert problems(first, compare=str(second))[0].startswith("compare names one file,")
    [problem] = problems(old, compare="nowhere.eval")
    assert problem.startswith("there is no such file")


def test_what_ended_with_an_error_in_one_log_is_left_out(logs: tuple[Path, Path], tmp_path: Path) -> None:
    values = samples(INSPECT)
    values[2]["error"] = {"message": "timeout"}
    other = deflated(tmp_path, values, "timeout.eval")
    for first, second in ((logs[0], other), (other, logs[0])):
        found = examine(first, compare=str(second))
        assert not found.problems
        assert found.n_rows == 3
        assert "1 sample ended with an error for one of the two and is left out." in found.guessed


def test_the_page_of_two_logs_is_blind_and_compares_pass_rates(logs: tuple[Path, Path]) -> None:
    settings = given_settings(logs[0], {"compare": (str(logs[1]),), "score": "judge"})
    assert EvaluationSettings.from_dict(settings.to_dict()) == settings
    assert check_file(settings, None).problems == ()
    session = settings.make_session()
    assert isinstance(session.measure, PassRate)
    app = LabelingApp(session)
    page = b"".join(app._page.renderer.render(index).content for index in range(4)).decode()
    assert "First" in page
    for name in ("old", "new", "of A", "of B"):
        assert f">{name}" not in page
    labels = {"q0": "both", "q1": "both", "q2": "A", "q3": "A"}
    while (asked := session.next()) is not None:
        session.label(labels[asked.instance_id])
    assert session.estimate().value == pytest.approx(0.5)
    assert [session.of(name).estimate().value for name in ("old", "new")] == pytest.approx([1.0, 0.5])


def test_a_win_rate_has_its_own_labels(logs: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("activeeval_widgets.app.commands.serve.check_file_apart", check_file)
    settings = given_settings(logs[0], {"compare": (str(logs[1]),), "measure": "win-rate"})
    session = settings.make_session()
    assert isinstance(session.measure, WinRate)
    assert session.models[0].classes.tolist() == ["A", "B", "tie"]
    done = CliRunner().invoke(main, ["serve", str(logs[0]), "--compare", str(logs[1]), "--check"])
    assert done.exit_code == 0, done.output
    assert "pass rate: how often each of two systems passes" in done.output


@pytest.mark.parametrize("name", ["promptfoo.json", "deepeval.json", "samples_small_gen.jsonl"])
def test_logs_of_other_tools_are_matched_alike(name: str, tmp_path: Path) -> None:
    other = tmp_path / f"other.{name.rpartition('.')[2]}"
    other.write_text((LOGS / name).read_text())
    pool = Pool.read(LOGS / name, compare=str(other))
    # The same twice: nobody can tell them apart, and no judge does.
    apart = pool.models[0].y_proba[:, :2]
    assert (apart <= pool.models[0].y_proba[:, 2:].max(axis=1, keepdims=True)).all()


def test_a_table_with_votes_on_which_pass(tmp_path: Path) -> None:
    table = tmp_path / "answers.csv"
    rows = [("a", "b", "both", "B"), ("c", "d", "neither", "neither"), ("e", "f", "A", "")]
    lines = ["new,old,judge_1,judge_2", *(",".join(row) for row in rows)]
    table.write_text("\n".join(lines))
    given = {"pair": ("new", "old"), "votes": ("judge_*",), "classes": ("A", "B", "both", "neither")}
    session = given_settings(table, given).make_session()
    assert [model.name for model in session.models] == ["new", "old"]
    assert session.models[1].y_proba[0].tolist() == pytest.approx([1 / 6, 2 / 6, 2 / 6, 1 / 6])
    alone = given_settings(table, {"pair": ("new", "old"), "classes": given["classes"]}).make_session()
    assert alone.models[0].y_proba[0].tolist() == [0.25] * 4
    assert json.loads(json.dumps(given_settings(table, given).to_dict()))["columns"]["classes"][2] == "both"


def test_mistakes_are_reported_with_what_helps(logs: tuple[Path, Path], tmp_path: Path) -> None:
    old, new = logs
    [problem] = problems(old, compare=str(old))
    assert problem == "compare names old.eval, the log itself. Name the log of another system."
    [problem] = problems(old, compare=str(new), predicted="judge")
    assert problem.startswith(
        "predicted names 'judge', but of two logs the systems are evaluated, and no judge"
    )
    [problem] = problems(old, compare=f"{new.name},third.eval")
    assert problem.endswith("Or give one other log: --compare with its file.")
    table = tmp_path / "answers.csv"
    table.write_text("new,old,judge\na,b,A\nc,d,B\n")
    pair, classes = {"pair": ("new", "old")}, {"classes": ("A", "B", "both", "neither")}
    [problem] = problems(table, **pair, **classes, predicted="judge")
    assert problem.startswith("predicted names 'judge', but here two systems are evaluated, and no judge")
    for given, message in (
        ({"votes": ("judge",), "measure": "pass-rate"}, "is of two systems whose answers stand side by side"),
        ({**classes, "measure": "win-rate"}, "Which one is better is asked with --classes A,B,tie"),
    ):
        settings = given_settings(table, {**pair, **given})
        [problem] = check_file(settings, None).problems
        assert message in problem


def test_systems_with_labels_of_their_own_are_shown_blind_too(tmp_path: Path) -> None:
    """The first label is of the first column; what says itself which answer it means is put in order."""
    table = tmp_path / "answers.csv"
    table.write_text("x,y\n" + "".join(f"x says {i},y says {i}\n" for i in range(40)))
    for given, of_first in ((("gpt", "llama"), "gpt"), (("B", "A"), "A")):
        settings = given_settings(table, {"pair": ("x", "y"), "classes": (*given, "both", "neither")})
        session = settings.make_session()
        assert [model.name for model in session.models] == ["x", "y"]
        assert session.models[0].y_pred[0] == of_first
        app = LabelingApp(session)
        texts = [each["text"] for each in app._page.panel.config()["choices"]]
        assert texts == ["First only", "Second only", "both", "neither"]
        for index in range(40):
            shown = app._page.renderer.render(index).content.decode()
            is_x_first = shown.index("x says") < shown.index("y says")
            assert (app._page.panel.given(0, index) == of_first) == is_x_first


# -- two systems in one log

PROMPTFOO = LOGS / "promptfoo.json"


def promptfoo(folder: Path, **changes: Any) -> Path:
    """The results with each test answered by two providers and two prompts."""
    content = json.loads(PROMPTFOO.read_text())
    [row, *_] = content["results"]["results"]
    rows = []
    for test in range(3):
        for provider in ("old", "new"):
            for prompt in ("short", "long"):
                made = copy.deepcopy(row) | {
                    "testIdx": test,
                    "promptId": prompt,
                    "vars": {"question": f"Q{test}"},
                }
                made["provider"] = {"id": "echo", "label": provider}
                made["prompt"]["raw"] = f"Be {prompt}: Q{test}"
                made["response"]["output"] = f"{provider} {prompt} {test}"
                made["success"] = provider == "new"
                rows.append(made | changes.get(f"{test} {provider} {prompt}", {}))
    content["results"]["results"] = rows
    path = folder / "promptfoo.json"
    path.write_text(json.dumps(content))
    return path


def test_two_providers_of_one_log_are_shown_side_by_side() -> None:
    pool = Pool.read(PROMPTFOO, compare_by="provider")
    assert [model.name for model in pool.models] == ["copycat", "answers"]
    assert list(pool.ids) == ["0", "1"]
    shown = pool.instances[0]
    asked = "Answer in one sentence: What is the capital of France?"
    assert shown.answers == (asked, "It is **Paris**.")
    assert shown.turns[0].text == Text(asked)
    assert pool.groups is None
    assert pool.heading == "small · copycat vs. answers"
    # The other way round by name, with the votes of one scorer.
    pool = Pool.read(PROMPTFOO, compare_by="provider", compare="answers,copycat", votes="promptfoo")
    assert [model.name for model in pool.models] == ["answers", "copycat"]
    result = [dict(zip(pool.models[0].classes, row, strict=True)) for row in pool.models[0].y_proba]
    assert [max(row, key=row.get) for row in result] == ["A", "neither"]
    assert isinstance(
        EvaluationSettings(PROMPTFOO, Columns(compare_by="provider")).make_session().measure, PassRate
    )


def test_by_prompt_what_was_asked_does_not_tell_which(tmp_path: Path) -> None:
    path = promptfoo(tmp_path)
    by_prompt = Pool.read(path, compare_by="prompt")
    assert [model.name for model in by_prompt.models] == ["prompt 1", "prompt 2"]
    assert list(by_prompt.ids)[:2] == ["0, old", "0, new"]
    assert by_prompt.instances[1].answers == ("new short 0", "new long 0")
    assert by_prompt.instances[1].turns[0].text == Text("question: Q0")
    by_provider = Pool.read(path, compare_by="provider")
    assert list(by_provider.ids)[:2] == ["0, prompt 1", "0, prompt 2"]
    assert by_provider.instances[1].answers == ("old long 0", "new long 0")
    notes = examine(path, score="promptfoo").guessed
    for each in ("provider", "prompt"):
        note = f"It holds answers of 2 {each}s: --compare-by {each} shows two of them side by side."
        assert note in notes
        assert note not in examine(path, compare_by="prompt").guessed


def test_a_test_that_one_of_the_two_failed_is_left_out(tmp_path: Path) -> None:
    path = promptfoo(tmp_path, **{"1 old long": {"failureReason": 2}})
    found = examine(path, compare_by="provider")
    assert "1 sample ended with an error for one of the two and is left out." in found.guessed
    assert found.n_rows == 5
    # The same test again is another sample, and not a second answer to the first.
    again = promptfoo(tmp_path, **{"2 old short": {"testIdx": 1}, "2 new short": {"testIdx": 1}})
    ids = list(Pool.read(again, compare_by="provider").ids)
    assert len(ids) == 6
    assert "1, prompt 1, repeat 2" in ids


def test_what_can_t_be_compared_in_one_log_is_one_error(tmp_path: Path) -> None:
    assert problems(PROMPTFOO, compare_by="judge") == [
        "compare_by is 'judge'. Say what tells the systems apart: provider or prompt."
    ]
    assert problems(PROMPTFOO, compare_by="prompt")[0].startswith(
        "compare_by is 'prompt', but there are not several prompts"
    )
    assert problems(INSPECT, compare_by="provider")[0].startswith(
        "compare_by is 'provider', but there are not several providers"
    )
    assert problems(PROMPTFOO, compare_by="provider", compare="copycat,answer") == [
        "no provider is called 'answer'. Did you mean 'answers'?"
    ]
    third = {f"{test} new long": {"provider": {"label": "third one"}} for test in range(3)}
    assert problems(promptfoo(tmp_path, **third), compare_by="provider") == [
        "it holds answers of 3 providers: old, new, third one. Name the two to compare "
        "(--compare-by provider --compare old,new)."
    ]
    assert problems(PROMPTFOO, compare_by="provider", predicted="promptfoo")[0].startswith("predicted names")


def test_chats_keep_their_answers_side_by_side(tmp_path: Path) -> None:
    chat = json.dumps([{"role": "user", "content": "Hello"}])
    asked = {
        f"{t} {p} {w}": {"prompt": {"raw": chat}}
        for t in range(3)
        for p in ("old", "new")
        for w in ("short", "long")
    }
    pool = Pool.read(promptfoo(tmp_path, **asked), compare_by="provider")
    assert pool.instances[0].answers == ("old short 0", "new short 0")
    assert pool.instances[0].turns[0].text == Text("Hello")


def test_a_scorer_with_the_labels_names_the_systems(logs: tuple[Path, Path], tmp_path: Path) -> None:
    def begun() -> Session:
        return Session(Pool.read(logs[0], compare=str(logs[1]), score="judge"), "pass-rate")

    session, path = begun(), tmp_path / "people.py"
    given = dict(zip(session.pool.ids, ["A", "B", "both", "neither"], strict=True))
    while (asked := session.next()) is not None:
        session.label(given[asked.instance_id])
    write_export(session, path, "inspect", "labels", with_contents=False)
    [text] = [
        ast.literal_eval(node.value)
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "LABELS"
    ]
    assert [json.loads(text)[name]["value"] for name in given] == ["old", "new", "both", "neither"]
    assert {each.id: each.label for each in read_answers(begun(), path)} == given
