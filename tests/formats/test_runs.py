"""TREC runs on the command line: queries, documents and judgments in files of their own."""

import gzip
import json
import shlex
from pathlib import Path
from typing import Any

import click
import pytest

from activeeval_widgets.app.evaluation_options import given_settings
from activeeval_widgets.app.file_check import check_file
from activeeval_widgets.formats import read_qrels, read_run
from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
from activeeval_widgets.session import Pool
from activeeval_widgets.session.pool.asked_items import judged_pool
from activeeval_widgets.session.pool.runs import pool_of_runs
from activeeval_widgets.stats import NDCG

FILES = {
    "old.run": "q1 Q0 d1 1 9 old\nq1 Q0 d2 2 8 old\nq2 Q0 d3 1 5 old\n",
    "new.run": "q1 Q0 d2 1 9 new\nq1 Q0 d4 2 8 new\nq3 Q0 d1 1 7 new\n",
    "queries.tsv": "q1\tjaguar speed\nq2\tpython\nq3\tmercury\nq9\tnot asked\n",
    "docs.jsonl": '{"_id": "d1", "title": "The cat", "text": "It runs", "url": "https://example.org/1"}\n'
    '{"_id": "d2", "title": "", "text": "A car", "year": 3}\n'
    '{"_id": "d3", "text": "A snake"}\n{"_id": "d7"}\n',
    "judged.qrels": "q1 0 d1 2\nq1 0 d9 1\nq5 0 d1 3\n",
}
GIVEN = {
    "compare": ("new.run",),
    "queries": "queries.tsv",
    "documents": "docs.jsonl",
    "qrels": "judged.qrels",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def problems(folder: Path, **given: Any) -> list[str]:
    return list(check_file(given_settings(folder / "old.run", given), None).problems)


def test_the_pool_is_that_of_the_lists_in_python(folder: Path) -> None:
    settings = given_settings(folder / "old.run", {**GIVEN, "cost_by": "results"})
    assert EvaluationSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings
    assert settings.session_name == "old"
    session = settings.make_session()
    expected = Pool(
        **pool_of_runs(
            {"q1": "jaguar speed", "q2": "python", "q3": "mercury"},
            {"old": read_run(folder / "old.run"), "new": read_run(folder / "new.run")},
            documents={
                "d1": {"title": "The cat", "text": "It runs", "link": "https://example.org/1"},
                "d2": "A car",
                "d3": "A snake",
            },
            judged=read_qrels(folder / "judged.qrels"),
        ),
        costs="results",
    )
    assert session.pool.fingerprints == judged_pool(expected, NDCG(10)).fingerprints
    assert [model.name for model in session.models] == ["old", "new"]
    assert repr(session.measure) == repr(NDCG(10))
    assert session.pool.costs.tolist() == [2, 1, 1]
    assert sorted(session.labels.items[0]) == ["d2", "d4"]
    found = check_file(settings, None)
    assert found.problems == ()
    for note in (
        "runs: old, new",
        "old has no list for 1 of 3 queries: it found nothing",
        "1 of 4 documents have no text and are shown by their ids",
        "2 earlier judgments of these queries, which are not asked again",
    ):
        assert note in found.notes
    words = shlex.split(settings.command(folder=folder))
    assert words[words.index("--cost-by") + 1] == "results"
    kept = folder / "evaluation.toml"
    settings.write(kept)
    assert EvaluationSettings.read(kept).make_pool().fingerprints == expected.fingerprints


def test_one_run_alone_and_other_ways_to_write_texts(folder: Path) -> None:
    (folder / "old.run.gz").write_bytes(gzip.compress(FILES["old.run"].encode()))
    (folder / "queries.tsv").write_text("qid\tlang\tquery\nq1\ten\tjaguar\nq2\ten\tpython\n")
    (folder / "docs.tsv.gz").write_bytes(gzip.compress(b"d1\tThe cat\tIt runs\nd2\tThe car\tIt drives\n"))
    pool = Pool.read(folder / "old.run.gz", queries="queries.tsv", documents="docs.tsv.gz")
    assert [each.query for each in pool.instances] == ["jaguar", "python"]
    assert (pool.instances[0].results[0].title, pool.instances[0].results[0].text) == ("The cat", "It runs")
    assert [model.name for model in pool.models] == ["old"]
    plain = Pool.read(folder / "old.run", compare=["new.run"], classes=["0", "1"])
    assert plain.ids == ["q1", "q2", "q3"]
    assert list(plain.models[0].grades) == [0.0, 1.0]


@pytest.mark.parametrize(
    ("given", "changed", "message"),
    [
        ({"compare": ("nowhere.run",)}, {}, "nowhere.run: there is no such file"),
        ({"documents": "nowhere.jsonl"}, {}, "nowhere.jsonl: there is no such file"),
        (
            {"queries": "docs.jsonl"},
            {},
            "docs.jsonl: it has no text for 3 of 3 queries of old.run and what it is",
        ),
        ({}, {"queries.tsv": "q1\tx\nq3\ty\n"}, "Missing are 'q2': add a line for each"),
        (
            {},
            {"queries.tsv": "q1 x\n"},
            "queries.tsv, row 1: it has 1 cell between tabs, expected id and text",
        ),
        (
            {},
            {"queries.tsv": "id\ttext\nq1\n"},
            "queries.tsv, row 2: it has 1 cell between tabs, expected 2.",
        ),
        ({}, {"queries.tsv": "q1\tx\nq1\ty\n"}, "queries.tsv, row 2: the id 'q1' is there already"),
        ({}, {"queries.tsv": ""}, "queries.tsv: it holds no lines"),
        ({"documents": "queries.tsv"}, {}, "queries.tsv: it has none of the 4 documents of the runs"),
        ({}, {"docs.jsonl": '{"_id": "d1"}\nnothing\n'}, "docs.jsonl, row 2: the line is not a JSON object"),
        ({}, {"docs.jsonl": '{"text": "x"}\n'}, "docs.jsonl, row 1: it has no id"),
        ({"qrels": "new.run"}, {}, "new.run: it is a run, where judgments are expected"),
        ({}, {"judged.qrels": "q1 0 d1 x\n"}, "judged.qrels, row 1: the grade 'x' is not a whole number"),
        ({"classes": ("0", "1")}, {}, "a document was judged 3 before, and the largest grade is 1"),
        (
            {"classes": ("bad", "good")},
            {},
            "the grades are called bad, good, but they have to be two",
        ),
        ({"classes": ("0", "3", "nan")}, {}, "the grades are called 0, 3, nan, but they have to be two"),
        ({"compare": ("old.run",)}, {}, "two runs are called"),
        ({"text": "body"}, {}, "text names a column, and a TREC run has none: leave it out"),
        ({}, {"new.run": "q1 Q0 d2 1 9 new\nq1 Q0 d2 2 8 new\n"}, "new.run, row 2: the document 'd2' of the"),
    ],
)
def test_each_bad_input_is_one_clear_line(
    folder: Path, given: dict[str, Any], changed: dict[str, str], message: str
) -> None:
    for name, text in changed.items():
        (folder / name).write_text(text)
    [problem] = problems(folder, **{**GIVEN, **given})
    assert message in problem


def test_what_is_for_runs_alone(folder: Path) -> None:
    table = folder / "mails.csv"
    table.write_text("text,p_a,p_b\nHello,0.5,0.5\nBye,0.5,0.5\n")
    found = check_file(given_settings(table, {"qrels": "judged.qrels"}), None)
    assert found.problems == ("mails.csv: qrels is for TREC run files, and this is none: leave it out",)
    pool = given_settings(table, {"cost_by": "length"}).make_pool()
    assert pool.costs.tolist() == [1, 1]
    with pytest.raises(click.UsageError, match="cost_by is 'price', expected 'results' or 'length'"):
        given_settings(table, {"cost_by": "price"})
    with pytest.raises(click.UsageError, match="cost and cost_by can't go together"):
        given_settings(table, {"cost_by": "length", "cost": "p_a"})
