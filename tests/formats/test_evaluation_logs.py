"""Logs that the tools themselves wrote, of a few questions each.

`logs/inspect.eval`, and `epochs.eval` with two epochs: Inspect 0.3.285 with its mock model and scorers.
`logs/promptfoo.json`: promptfoo 0.121.20, two systems, cut down to four results without their token counts.
`logs/deepeval.json`: DeepEval 4.3.1, two metrics without a model. `logs/samples_*.jsonl`:
lm-evaluation-harness 0.4.13, two filters, and a task of multiple choice.
"""

import json
import re
import shlex
import shutil
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner

from activeeval_widgets import Conversation, Pool, Session, Text, Turn
from activeeval_widgets.app.cli import main
from activeeval_widgets.app.file_check import check_file
from activeeval_widgets.app.pages.evaluation import begin, build
from activeeval_widgets.formats import Columns, examine
from activeeval_widgets.formats.evaluation_logs.groupings import _bands
from activeeval_widgets.formats.evaluation_logs.scorers import scorer_of
from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
from activeeval_widgets.formats.examination import examine_columns
from activeeval_widgets.session import open_store
from activeeval_widgets.stats import ClassPredictions, PredictedClasses, RankingPredictions
from activeeval_widgets.widgets.result.session_details import keep_details

from ..labeling import give_labels

LOGS = Path(__file__).with_name("logs")
INSPECT = LOGS / "inspect.eval"
ANSWERS = ["It is **Paris**.", "Six, as an insect has.", "A cherry, or a `strawberry`.", "42"]


def problems(path: Path, **columns: Any) -> list[str]:
    return [str(problem).partition(": ")[2] for problem in examine(path, **columns).problems]


def samples(path: Path) -> list[dict[str, Any]]:
    """The samples of an .eval file, unpacked apart from the reader."""
    found = []
    with zipfile.ZipFile(path) as archive, path.open("rb") as file:
        for entry in archive.infolist():
            if entry.filename.startswith("samples/"):
                file.seek(entry.header_offset + 26)
                file.seek(sum(struct.unpack("<HH", file.read(4))), 1)
                packed = file.read(entry.compress_size)
                found.append(json.loads(pa.decompress(packed, entry.file_size, "zstd", asbytes=True)))
    return found


def deflated(folder: Path, values: list[Any], name: str = "log.eval") -> Path:
    """An .eval file as Inspect wrote them before it took Zstandard."""
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", "{}")
        for number, value in enumerate(values):
            text = value if isinstance(value, str) else json.dumps(value)
            archive.writestr(f"samples/{number}_epoch_1.json", text)
    return folder / name


def test_inspect() -> None:
    pool = Pool.read(INSPECT, score="judge")
    assert list(pool.ids) == ["q0", "q1", "q2", "q3"]
    assert [each.answers[0] for each in pool.instances] == ANSWERS
    assert [turn.role for turn in pool.instances[0].turns] == ["system", "user", "assistant"]
    assert [each.reference.text for each in pool.instances] == ["Paris", "8", "strawberry", "42"]
    assert pool.predictions.y_pred.tolist() == ["correct", "correct", "correct", "incorrect"]  # C, C, C and I
    assert [each["scores"]["judge"]["value"] for each in samples(INSPECT)] == ["C", "C", "C", "I"]


def test_a_score_from_0_to_1_is_a_probability() -> None:
    predictions = Pool.read(INSPECT, score="helpfulness").predictions
    assert isinstance(predictions, ClassPredictions)
    written = [each["scores"]["helpfulness"]["value"] for each in samples(INSPECT)]
    np.testing.assert_allclose(predictions.y_proba[:, 1], written)
    assert predictions.classes.tolist() == ["incorrect", "correct"]
    assert predictions.y_pred.tolist() == ["correct", "correct", "correct", "incorrect"]


def test_other_scorers_may_vote() -> None:
    predictions = Pool.read(INSPECT, votes=["judge", "helpfulness"], predicted="includes").predictions
    assert predictions.y_pred.tolist() == ["correct", "incorrect", "correct", "correct"]
    assert predictions.classes.tolist() == ["incorrect", "correct"]
    np.testing.assert_allclose(predictions.y_proba[:, 1], [0.75, 0.75, 0.75, 0.25])


def test_one_of_several_scorers_has_to_be_chosen() -> None:
    assert problems(INSPECT) == [
        "it holds the scores of 3 scorers: includes, judge, helpfulness. Choose the one that is evaluated "
        "with score (--score includes); the others may vote (--votes, with --predicted). "
        "Or compare some of them (--compare A,B)."
    ]
    assert problems(INSPECT, score="juge") == ["no scorer is called 'juge'. Did you mean 'judge'?"]
    # What is measured of the labels alone needs none.
    examination, arguments = examine_columns(INSPECT, {})
    assert not examination.problems
    assert arguments["predictions"] is None


def test_scorers_of_a_log_are_compared() -> None:
    pool = Pool.read(INSPECT, compare=["judge", "helpfulness", "includes"])
    assert [model.name for model in pool.models] == ["judge", "helpfulness", "includes"]
    # Not all give probabilities, so all are compared by their verdicts.
    assert [type(model) for model in pool.models] == [PredictedClasses] * 3
    for model in pool.models:
        assert model.classes.tolist() == ["incorrect", "correct"]
        alone = Pool.read(INSPECT, predicted=model.name).predictions
        assert model.y_pred.tolist() == alone.y_pred.tolist()
    found, arguments = examine_columns(INSPECT, {"compare": ("judge", "includes")})
    assert arguments is not None
    assert arguments["question"] == "Is the answer correct?"
    assert "Each scorer is compared as a model is: judge, includes." in found.guessed
    assert problems(INSPECT, compare=("judge", "includs")) == [
        "no scorer is called 'includs', as compare asks for. Did you mean 'includes'? Or give one other log: "
        "--compare with its file."
    ]


def test_scorers_that_all_give_probabilities_are_compared_by_these(tmp_path: Path) -> None:
    values = samples(INSPECT)
    for value, (doubt, number) in zip(values, [(0.25, 3), (0.75, 5), (0.5, 4), (1, 1)], strict=True):
        value["scores"] |= {"doubt": {"value": doubt}, "grade": {"value": number}}
    path = deflated(tmp_path, values)
    first, second = Pool.read(path, compare=["helpfulness", "doubt"]).models
    alone = Pool.read(path, score="helpfulness").predictions
    assert first.y_proba.tolist() == alone.y_proba.tolist()
    assert second.y_proba[:, 1].tolist() == [0.25, 0.75, 0.5, 1]
    assert problems(path, compare=("judge", "grade")) == [
        "the two models do not give the same: one has probabilities or numbers, the other has not. "
        "Give the same columns of all."
    ]


def test_inspect_in_json_and_in_older_archives(tmp_path: Path) -> None:
    with zipfile.ZipFile(INSPECT) as archive:
        assert {entry.compress_type for entry in archive.infolist()} == {93}
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"version": 2, "status": "success", "eval": {}, "samples": samples(INSPECT)}))
    there = Pool.read(INSPECT, score="judge").fingerprints
    assert Pool.read(path, score="judge").fingerprints == there
    assert Pool.read(deflated(tmp_path, samples(INSPECT)), score="judge").fingerprints == there


def test_what_inspect_keeps_aside_and_what_failed(tmp_path: Path) -> None:
    first, second, *rest = samples(INSPECT)
    first["attachments"] = {"abc": "a long text"}
    first["messages"][-1]["content"] = [{"type": "text", "text": "attachment://abc"}]
    second["error"] = {"message": "broken"}
    rest[0]["id"], rest[0]["epoch"] = first["id"], 2
    path = deflated(tmp_path, [first, second, *rest])
    pool = Pool.read(path, score="judge")
    assert list(pool.ids) == ["q0", "q0, epoch 2", "q3"]
    assert pool.instances[0].answers == ("a long text",)
    assert "1 sample ended with an error and is left out: q1." in examine(path, score="judge").guessed


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (["{"], "the sample samples/0_epoch_1.json can't be read"),
        ([], "the log of Inspect holds no sample that was answered"),
        ([{"id": 1, "error": "x"}], "the log of Inspect holds no sample that was answered"),
    ],
)
def test_a_broken_archive_is_reported(tmp_path: Path, content: list[Any], message: str) -> None:
    [problem] = problems(deflated(tmp_path, content))
    assert problem.startswith(message)


def test_an_archive_that_was_cut_or_changed_is_reported(tmp_path: Path) -> None:
    data = bytearray(INSPECT.read_bytes())
    with zipfile.ZipFile(INSPECT) as archive:
        entry = archive.getinfo("samples/q1_epoch_1.json")
    data[entry.header_offset + 200 : entry.header_offset + 400] = bytes(200)
    (tmp_path / "log.eval").write_bytes(data)
    [problem] = problems(tmp_path / "log.eval")
    assert problem.startswith("the sample samples/q1_epoch_1.json can't be read")
    (tmp_path / "cut.eval").write_bytes(data[:5000])
    [problem] = problems(tmp_path / "cut.eval")
    assert problem.startswith("the file is an Excel or ZIP file")


def test_promptfoo() -> None:
    path = LOGS / "promptfoo.json"
    pool = Pool.read(path, score="promptfoo")
    assert list(pool.groups or ()) == ["copycat", "answers", "answers", "copycat"]
    assert pool.ids[:2] == ["0, copycat", "0, answers"]
    asked = "Answer in one sentence: What is the capital of France?"
    assert pool.instances[1] == Conversation(
        (Turn("prompt", asked), Turn("answer", Text("It is **Paris**.", markdown=True))),
        reference=Text("paris"),
    )
    np.testing.assert_allclose(pool.predictions.y_proba[:, 1], [0.5, 0.66, 0.22, 0.5])
    # Not what is more likely, but what promptfoo says: one assertion that fails is enough.
    assert pool.predictions.y_pred.tolist() == ["fail", "pass", "fail", "fail"]
    assert "promptfoo, icontains, javascript" in problems(path)[0]


def test_deepeval() -> None:
    path = LOGS / "deepeval.json"
    pool = Pool.read(path, score="Exact Match")
    assert list(pool.ids) == ["case 0", "case 1", "case 2"]
    assert pool.predictions.y_pred.tolist() == ["fail", "fail", "pass"]
    assert pool.instances[0].reference == Text("Paris")
    lengthy = Pool.read(path, score="Lengthy").predictions
    np.testing.assert_allclose(lengthy.y_proba[:, 1], [0.64, 0.88, 0.08])


def test_conversations_of_deepeval_by_its_documented_fields(tmp_path: Path) -> None:
    turns = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]
    metric = {"name": "Kind", "score": 0.9, "success": True}
    case = {"turns": turns, "expectedOutcome": "a greeting", "metricsData": [metric]}
    path = tmp_path / "run.json"
    path.write_text(json.dumps({"testRunData": {"testCases": [], "conversationalTestCases": [case, case]}}))
    pool = Pool.read(path)
    assert [turn.text.text for turn in pool.instances[0].turns] == ["Hello", "Hi"]
    assert list(pool.ids) == ["0 (conversation)", "1 (conversation)"]


def test_lm_harness_with_several_filters() -> None:
    path = LOGS / "samples_small_gen.jsonl"
    assert "exact_match (strict), exact_match (lower)" in problems(path)[0]
    pool = Pool.read(path, score="exact_match (lower)")
    assert [each.answers[0] for each in pool.instances] == ["It is Paris.", "6", "42"]
    assert pool.instances[0].turns[0] == Turn("prompt", "Q: What is the capital of France?\nA:")
    assert [each.reference.text for each in pool.instances] == ["Paris", "8", "42"]
    assert pool.n_instances == 3


def test_lm_harness_with_multiple_choice() -> None:
    pool = Pool.read(LOGS / "samples_small_mc.jsonl")
    assert [each.answers[0] for each in pool.instances] == ["Paris", "6", "42"]
    assert [each.reference.text for each in pool.instances] == ["Paris", "8", "42"]
    assert pool.predictions.y_pred.tolist() == ["correct", "incorrect", "correct"]


def test_lm_harness_before_it_listed_metrics(tmp_path: Path) -> None:
    path = tmp_path / "samples_small_mc.jsonl"
    lines = map(json.loads, (LOGS / path.name).read_text().splitlines())
    old = [{name: each for name, each in line.items() if name not in ("metrics", "filter")} for line in lines]
    # The number of the right choice is no score.
    path.write_text("".join(f"{json.dumps({**line, 'target': 0})}\n" for line in old))
    pool = Pool.read(path)
    assert pool.predictions.y_pred.tolist() == ["correct", "incorrect", "correct"]


def test_a_broken_line_of_lm_harness_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "samples_x.jsonl"
    path.write_text((LOGS / "samples_small_mc.jsonl").read_text() + '{"doc_id": 3, "doc": {}}\n')
    [problem] = examine(path).problems
    assert (problem.row, problem.message) == (
        4,
        "the line is not a sample of lm-evaluation-harness: KeyError",
    )


def test_a_log_in_json_that_was_cut_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "promptfoo.json"
    path.write_text((LOGS / "promptfoo.json").read_text()[:3000])
    [problem] = problems(path)
    assert problem.startswith("the log is damaged or cut off: ")


@pytest.mark.parametrize(
    ("values", "roles"),
    [
        (["C", "P", None], {"predicted": "s", "classes": ("incorrect", "correct", "partially correct")}),
        (["a", "b", "a"], {"predicted": "s", "classes": ("a", "b")}),
        ([True, False, True], {"predicted": "s", "classes": ("fail", "pass")}),
        ([1, 0.5, None], {"score": "s", "predicted": "s verdict", "classes": ("fail", "pass")}),
        ([1, 7, 3.5], {"mean": "s"}),
    ],
)
def test_verdicts_of_a_scorer_show_what_it_is(values: list[Any], roles: dict[str, Any]) -> None:
    scorer = scorer_of("s", values, [None] * 3, ("fail", "pass"))
    assert scorer.roles.named_options() == roles
    assert scorer_of("s", [None, [1], float("nan")], [None] * 3, ("fail", "pass")) is None


def test_a_log_is_served_with_other_columns(tmp_path: Path) -> None:
    assert examine(INSPECT, score="judge", text="conversation").kind == "text"
    assert examine(INSPECT, predicted="judge", classes=["incorrect", "correct", "unclear"]).classes == (
        "incorrect", "correct", "unclear",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("value", "columns", "remedy"),
    [
        (None, {"score": "judge"}, "--votes judge"),
        (None, {"compare": ["includes", "judge"]}, "--votes judge"),
        (float("nan"), {"score": "helpfulness"}, "--votes helpfulness"),
        (7.5, {"score": "helpfulness"}, ""),  # another number, so all are predicted numbers
    ],
)
def test_a_scorer_that_left_samples_out_is_named_once(
    tmp_path: Path, value: Any, columns: dict[str, Any], remedy: str
) -> None:
    found = samples(INSPECT)
    name = columns.get("score", "judge")
    found[1]["scores"][name]["value"] = value
    if value == 7.5:
        del found[2]["scores"][name]
    path = deflated(tmp_path, found)
    what = f"the scorer {name!r} has no score for 1 sample: {'q2' if value == 7.5 else 'q1'}. "
    [problem] = problems(path, **columns)
    assert problem.startswith(f"{what}Score them with the tool, or name another scorer.")
    assert (remedy in problem) if remedy else problem.endswith("scorer.")
    if remedy:
        assert not problems(path, votes=[name], predicted="includes")


# -- what may group samples


def test_metadata_and_the_length_of_answers_group_samples(tmp_path: Path) -> None:
    assert list(Pool.read(INSPECT, score="judge", group="topic").groups or ()) == [
        "place", "number", "food", "number",
    ]  # fmt: skip
    # Three, five, four and one words.
    assert list(Pool.read(INSPECT, score="judge", group="length").groups or ()) == [
        "2 to 3 words", "more than 3 words", "more than 3 words", "up to 1 word",
    ]  # fmt: skip
    assert Pool.read(INSPECT, score="judge").groups is None
    assert "Samples may be grouped (--group) by: topic, length." in examine(INSPECT, score="judge").guessed
    assert problems(INSPECT, score="judge", group="subject") == [
        "group names 'subject', by which the log's samples can't be grouped. There are 'topic', 'length'."
    ]
    values = samples(INSPECT)
    for at, value in enumerate(values):
        value["metadata"] = {"id": "x", "same": 1, "own": at, "list": [at], "judge": at % 2, "cost": at % 2}
        value["metadata"]["part"] = at % 2 or None
    path = deflated(tmp_path, values)
    found = examine(path, score="judge")
    assert "Samples may be grouped (--group) by: judge, cost, part, length." in found.guessed
    assert found.columns.cost is None
    assert list(Pool.read(path, score="judge", group="part").groups or ()) == ["(none)", "1", "(none)", "1"]


def test_bands_of_length_are_thirds() -> None:
    assert _bands([1, 2, 3, 4, 5, 6]) == [
        *["up to 2 words"] * 2, *["3 to 4 words"] * 2, *["more than 4 words"] * 2,
    ]  # fmt: skip
    assert _bands([1, 1, 2, 2, 3, 3]) == [*["up to 1 word"] * 2, *["2 words"] * 2, *["more than 2 words"] * 2]
    assert set(_bands([7] * 9)) == {"up to 7 words"}
    assert _bands([]) == []


# -- files that are not the log, and what to give instead


def test_promptfoo_in_json_lines(tmp_path: Path) -> None:
    results = json.loads((LOGS / "promptfoo.json").read_text())["results"]["results"]
    path = tmp_path / "results.jsonl"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in results) + "\n")
    pool = Pool.read(path, score="promptfoo")
    assert pool.fingerprints == Pool.read(LOGS / "promptfoo.json", score="promptfoo").fingerprints
    assert pool.costs is None or len(set(pool.costs)) == 1  # what an answer cost is not the cost of its label
    assert Pool.read(path, compare_by="provider").models[1].name == "answers"
    # A long prompt comes before what tells the tool.
    long = {"prompt": {"raw": "x" * 5000, "label": "x"}}
    path.write_text("".join(f"{json.dumps(long | each | long)}\n" for each in results))
    assert Pool.read(path, score="promptfoo").n_instances == 4
    path.write_text(path.read_text() + "{broken\n")
    assert problems(path) == [
        "the line is not a result of promptfoo: JSONDecodeError. Write the results anew: promptfoo export, "
        "or --output results.json."
    ]


def test_promptfoo_s_csv_of_several_systems_names_its_json(tmp_path: Path) -> None:
    of_one = ["Status", "Score", "Named Scores", "Grader Reason", "Comment"]
    path = tmp_path / "results.csv"
    path.write_text(",".join(["question", "[a] Say", *of_one, "[b] Say", *of_one]) + "\n" + "x," * 12 + "x\n")
    assert problems(path) == [
        "it is a CSV of promptfoo, in which the columns of several systems have the same names. Give its "
        "results in JSON: promptfoo eval --output results.json."
    ]


def test_the_totals_of_lm_harness_name_the_samples(tmp_path: Path) -> None:
    totals = {"results": {"small": {"exact_match,none": 0.5}}, "group_subtasks": {}, "configs": {}}
    path = tmp_path / "results_2026-11-22T20-59-38.796012.json"
    path.write_text(json.dumps({**totals, "versions": {"small": 1}, "n-shot": {"small": 0}}, indent=2))
    what = "it holds what lm-evaluation-harness found for whole tasks, and not their samples. "
    assert problems(path) == [f"{what}Give samples_*.jsonl, which it writes with --log_samples."]
    for name in ("samples_small_2026-11-22T20-59-38.796012.jsonl", "samples_small_2025-11-22T20-59-38.jsonl"):
        (tmp_path / name).write_text("{}")
    [problem] = problems(path)
    assert problem == f"{what}Give the samples beside it: samples_small_2026-11-22T20-59-38.796012.jsonl."


def test_a_scorer_of_several_scores_has_to_be_narrowed(tmp_path: Path) -> None:
    values = samples(INSPECT)
    for value in values:
        value["scores"]["judge"] = {"value": {"true": "C", "polite": 0.5}}
    path = deflated(tmp_path, values)
    problem = "the scorer 'judge' has several scores: judge.true, judge.polite. Name one of them "
    assert problems(path, score="judge") == [f"{problem}(--score judge.true)."]
    assert problems(path, predicted="judge") == [f"{problem}(--predicted judge.true)."]
    assert problems(path, predicted="includes", votes="judge") == [f"{problem}(--votes judge.true)."]
    assert problems(path, score="judge.true") == []
    assert problems(LOGS / "samples_small_gen.jsonl", score="exact_match") == [
        "the scorer 'exact_match' has several scores: exact_match (strict), exact_match (lower). Name one of "
        'them (--score "exact_match (strict)").'
    ]
    with pytest.raises(
        ValueError, match=r"name the scorer of a log that is evaluated \(--predicted X --votes Y\)"
    ):
        Columns(score="judge", votes="includes")


def test_a_run_that_failed_as_a_whole_is_reported(tmp_path: Path) -> None:
    values = [{**each, "error": {"message": "no key"}} for each in samples(INSPECT)]
    problem = "holds no sample that was answered: 4 ended with an error. "
    problem += "Run the evaluation again, and give its log."
    assert problems(deflated(tmp_path, values)) == [f"the log of Inspect {problem}"]
    content = json.loads((LOGS / "promptfoo.json").read_text())
    for each in content["results"]["results"]:
        each["failureReason"] = 2
    path = tmp_path / "promptfoo.json"
    path.write_text(json.dumps(content))
    assert problems(path) == [f"the log of promptfoo {problem}"]


# -- what a log is about


def test_the_title_is_the_task_and_the_model(tmp_path: Path) -> None:
    assert Pool.read(INSPECT, score="judge").heading == "small · mockllm/model"
    assert examine(INSPECT, score="judge").title == "small · mockllm/model"
    assert Pool.read(LOGS / "promptfoo.json", score="promptfoo").heading == "small"
    assert Pool.read(LOGS / "deepeval.json", score="Lengthy").heading is None
    assert Pool.read(LOGS / "samples_small_mc.jsonl").heading == "small_mc"
    # In the folder of the model, as lm-evaluation-harness writes it; the results know its whole name.
    path = tmp_path / "EleutherAI__pythia-14m" / "samples_small_mc_2026-11-22T20-59-38.796012.jsonl"
    path.parent.mkdir()
    shutil.copy(LOGS / "samples_small_mc.jsonl", path)
    assert Pool.read(path).heading == "small_mc · EleutherAI/pythia-14m"
    results = path.with_name("results_2026-11-22T20-59-38.796012.json")
    results.write_text('{"model_name": "EleutherAI/pythia-14m__v2", "results": {}}')
    assert Pool.read(path).heading == "small_mc · EleutherAI/pythia-14m__v2"
    results.write_text("[broken")
    assert Pool.read(path).heading == "small_mc · EleutherAI/pythia-14m"


@pytest.mark.parametrize(
    ("about", "title"),
    [
        ({"task": "a\n  b", "model": "\ud800"}, "a b · ?"),
        ({"task": ["x"], "model": None}, None),
        ("nothing", None),
        ({"task": "x" * 200}, "x" * 80),
    ],
)
def test_a_title_is_one_short_line_whatever_the_log_says(tmp_path: Path, about: Any, title: str) -> None:
    path = tmp_path / "log.json"
    path.write_text(
        json.dumps({"version": 2, "status": "success", "eval": about, "samples": samples(INSPECT)})
    )
    assert Pool.read(path, score="judge").heading == title


def test_a_log_is_about_the_pass_rate_by_people_and_its_scorer() -> None:
    settings = EvaluationSettings(INSPECT, Columns(score="judge"))
    session = settings.make_session()
    assert repr(session.measure) == "LabelShare('correct')"
    assert session.measure.name == "pass rate"
    assert repr(settings.with_(measure="pass-rate").make_session().measure) == "LabelShare('correct')"
    assert repr(settings.with_(measure="error-rate").make_session().measure) == "ErrorRate()"
    assert repr(settings.with_(positive="incorrect").make_session().measure) == "LabelShare('incorrect')"
    give_labels(session, lambda i: "incorrect" if session.pool.ids[i] == "q1" else "correct", 4)
    found = session.judge()
    assert found.judge == "The scorer judge"
    assert (found.alone, found.people.value, found.bias.value) == (0.75, 0.75, 0.0)
    assert (found.sensitivity.value, found.specificity.value) == (pytest.approx(2 / 3), 0.0)
    assert "Sensitivity (TPR): 66.7%, exact" in session.report()


def test_a_log_whose_scores_don_t_say_what_passes_is_about_the_scorer(tmp_path: Path) -> None:
    values = samples(INSPECT)
    for value, score in zip(values, ("good", "bad", "dreadful", "good"), strict=True):
        value["scores"] = {"judge": {"value": score}}
    path = deflated(tmp_path, values)
    assert repr(EvaluationSettings(path).make_session().measure) == "LabelShare('good')"
    values[0]["scores"]["judge"]["value"] = "excellent"
    values[3]["scores"]["judge"]["value"] = "excellent"
    assert repr(EvaluationSettings(deflated(tmp_path, values)).make_session().measure) == "ErrorRate()"
    with pytest.raises(ValueError, match="of one system: label-share"):
        EvaluationSettings(deflated(tmp_path, values), measure="pass-rate").make_session()


# -- the page that tells of them

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "evaluation-logs.md").read_text()
COMMANDS = [
    line
    for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]
NAMED = {
    "samples_task.jsonl": "samples_small_gen.jsonl",
    "test_run.json": "deepeval.json",
    "old.eval": "inspect.eval",
    "new.eval": "inspect.eval",
}


def test_every_command_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("activeeval_widgets.app.commands.serve.check_file_apart", check_file)
    for name in ("inspect.eval", "epochs.eval", "promptfoo.json", *NAMED):
        shutil.copy(LOGS / NAMED.get(name, name), tmp_path / name)
    settings = EvaluationSettings(tmp_path / "inspect.eval", Columns(score="judge"))
    session = begin(settings, open_store(tmp_path / "evaluations.sqlite"))
    session.label("correct")
    source = {"source": {"kind": "evaluation", "settings": settings.to_dict()}}
    keep_details(session, source)
    for command in COMMANDS:
        _, *arguments = shlex.split(command)
        result = CliRunner().invoke(main, [*arguments, *(["--check"] if arguments[0] == "serve" else [])])
        assert result.exit_code == 0, (command, result.output)
    assert "def people() -> Scorer" in (tmp_path / "labels.py").read_text()
    assert (tmp_path / "labels.csv").read_text().startswith("id,label,")
    assert {shlex.split(command)[1] for command in COMMANDS} == {"serve", "plan", "sessions"}


# -- epochs -------------------------------------------------------------------------------------------------


def with_epochs(n: int = 3) -> list[dict[str, Any]]:
    """Samples with n epochs: by the judge, the last one is always wrong; answers differ."""
    found = []
    for epoch in range(1, n + 1):
        for sample in samples(INSPECT):
            sample["epoch"] = epoch
            if epoch > 1:
                sample["messages"][-1]["content"] = f"Answer {epoch}."
            if epoch == n:
                sample["scores"]["judge"]["value"] = "I"
            found.append(sample)
    return found


def test_the_epochs_of_a_sample_are_read_once(tmp_path: Path) -> None:
    path = deflated(tmp_path, with_epochs())
    assert "Samples have 3 epochs: --rubric epochs shows those of a sample together." in examine(path).guessed
    assert Pool.read(path, score="judge").n_instances == 12
    examined = examine(path, rubric="epochs", votes="judge", group="topic")
    assert examined.problems == ()
    assert "Each sample is read once, with the answers of 3 epochs." in examined.guessed
    pool = Pool.read(path, rubric="epoch", votes="judge", group="topic")
    assert list(pool.ids) == ["q0", "q1", "q2", "q3"]
    output = [(turn.role, turn.text.text) for turn in pool.instances[0].turns]
    assert output == [
        ("system", "Answer in one sentence."),
        ("user", "What is the capital of France?"),
        ("epoch 1", ANSWERS[0]),
        ("epoch 2", "Answer 2."),
        ("epoch 3", "Answer 3."),
    ]
    assert [each.reference.text for each in pool.instances] == ["Paris", "8", "strawberry", "42"]
    assert list(pool.groups or ()) == [each["metadata"]["topic"] for each in samples(INSPECT)]
    [model] = pool.models
    assert isinstance(model, RankingPredictions)
    assert model.rankings[0] == ("epoch 1", "epoch 2", "epoch 3")
    # One judge's vote beside one for each grade: correct, correct, incorrect; of q3, incorrect throughout.
    correct = model.relevance.proba[:, 1].reshape(4, 3)
    np.testing.assert_allclose(correct, [[2 / 3, 2 / 3, 1 / 3]] * 3 + [[1 / 3] * 3])
    session = Session(pool, "rubric-score")
    for grades in ([1, 1, 1], [1, 0, 0], [0, 0, 0], [1, 1, 0]):
        asked = session.next()
        assert asked is not None
        session.label(dict(zip(model.rankings[0], grades, strict=True)))
    # Each sample counts as one.
    assert session.estimate().value == pytest.approx((3 + 1 + 0 + 2) / 3 / 4)
    assert session.estimate("rubric-pass-rate").value == pytest.approx(1 / 4)


def test_epochs_of_agents_keep_their_turns(tmp_path: Path) -> None:
    values = with_epochs(2)
    at = next(position for position, each in enumerate(values) if each["epoch"] == 2)
    turns = values[at]["messages"]
    turns[-1:] = [{"role": "assistant", "content": "I look."}, {"role": "user", "content": "And?"}, turns[-1]]
    pool = Pool.read(deflated(tmp_path, values), rubric="epochs")
    output = [(turn.role, turn.text.text) for turn in pool.instances[0].turns[2:]]
    assert output == [
        ("epoch 1", ANSWERS[0]),
        ("epoch 2: assistant", "I look."),
        ("epoch 2: user", "And?"),
        ("epoch 2: assistant", "Answer 2."),
    ]


def test_epochs_without_messages_begin_with_the_prompt(tmp_path: Path) -> None:
    values = with_epochs(2)
    for value in values:
        value["messages"], value["input"] = [], "How many?"
        value["output"] = {"completion": f"By epoch {value['epoch']}"}
    pool = Pool.read(deflated(tmp_path, values), rubric="epochs")
    line = [(turn.role, turn.text.text) for turn in pool.instances[3].turns]
    assert line == [("user", "How many?"), ("epoch 1", "By epoch 1"), ("epoch 2", "By epoch 2")]


def test_the_same_answer_in_all_epochs_is_still_an_answer_of_each(tmp_path: Path) -> None:
    values = with_epochs(2)
    for value in values:
        value["messages"][-1]["content"] = "Always this."
    pool = Pool.read(deflated(tmp_path, values), rubric="epochs")
    assert [turn.role for turn in pool.instances[0].turns[-2:]] == ["epoch 1", "epoch 2"]


def test_what_stands_against_epochs(tmp_path: Path) -> None:
    path = deflated(tmp_path, with_epochs())
    assert problems(path, rubric="epochs", votes="jury") == [
        "no scorer with verdicts is called 'jury'. There are 'includes', 'judge', 'helpfulness'."
    ]
    assert problems(path, rubric="epochs", group="length") == [
        "no metadata are called 'length'. There are 'topic'."
    ]
    assert problems(INSPECT, rubric="epochs") == [
        "rubric names epochs, but samples have one each: that is for logs of Inspect with several. Leave it "
        "out, or name criteria."
    ]
    broken = with_epochs(2)
    broken[5]["error"] = {"message": "broken"}
    some = deflated(tmp_path, broken, "some.eval")
    assert list(Pool.read(some, rubric="epochs").ids) == ["q0", "q2", "q3"]
    notes = examine(some, rubric="epochs").guessed
    assert "1 sample without an answer in some epoch is left out: q1." in notes
    for value in broken[4:]:
        value["error"] = {"message": "broken"}
    broken[0]["epoch"], broken[0]["id"] = 2, "another"
    assert problems(deflated(tmp_path, broken, "none.eval"), rubric="epochs") == [
        "no sample was answered in all epochs. Run the evaluation again, and give its log."
    ]


def test_a_log_that_inspect_wrote_of_two_epochs(tmp_path: Path) -> None:
    pool = Pool.read(LOGS / "epochs.eval", rubric="epochs")
    assert list(pool.ids) == ["q0", "q1", "q2"]
    assert [(turn.role, turn.text.text) for turn in pool.instances[2].turns] == [
        ("user", "Red, with seeds outside?"),
        ("epoch 1", "Eight legs."),
        ("epoch 2", "The strawberry, of course."),
    ]
    settings = EvaluationSettings.from_dict(
        {"file": str(LOGS / "epochs.eval"), "columns": {"rubric": ["epochs"]}}
    )
    spec = {"settings": settings.to_dict(), "store": str(tmp_path / "s.sqlite")}
    app = build(spec, {"session": None, "who": None})
    assert app.title == "epochs · mockllm/model"
    config = app._front_end._handlers["hello"]({"type": "hello"})[0]["config"]
    assert config["labels"]["words"] == ["incorrect", "correct"]
    assert app.session.measure.name == "pass rate"
    app.session.store.close()
