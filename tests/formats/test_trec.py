"""TREC's runs and qrels: read as trec_eval reads them, and written so that they come back."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from activeeval_widgets import Pool, Session, compare
from activeeval_widgets.formats import FileProblemsError, read_qrels, read_run, write_qrels, write_run
from activeeval_widgets.formats.chosen_measure import chosen_measure
from activeeval_widgets.session import Result
from activeeval_widgets.session.pool.runs import pool_of_runs
from activeeval_widgets.stats import (
    DCG,
    ERR,
    NDCG,
    MeanAveragePrecision,
    Measure,
    PrecisionAt,
    ReciprocalRank,
    pool_value,
    relevance_by_rank,
)
from activeeval_widgets.stats.measures.measure_names import measure_named

RUN = "q1 Q0 d1 1 9.5 bm25\nq1\tQ0\td2\t2\t9.5\tbm25\r\n\nq1 Q0 d3 1 11 bm25\n  q2   Q0 d1 1 -3e-2 bm25\n"


def test_a_run_is_ranked_by_score_then_by_name_from_the_end(tmp_path: Path) -> None:
    path = tmp_path / "bm25.run"
    path.write_bytes(b"\xef\xbb\xbf" + RUN.encode())
    found = read_run(path)
    assert [(query, [*scores]) for query, scores in found.items()] == [
        ("q1", ["d3", "d2", "d1"]),
        ("q2", ["d1"]),
    ]
    assert found["q2"]["d1"] == -0.03
    assert [*read_run(path, depth=2)["q1"]] == ["d3", "d2"]


def test_ties_and_nearly_ties_are_ranked_as_trec_eval_ranks_them(tmp_path: Path) -> None:
    """Scores that single precision can't tell apart are equal."""
    ir_measures = pytest.importorskip("ir_measures")
    rng = np.random.default_rng(0)
    names = [f"d{i}" for i in range(30)]
    scores = {name: float(rng.integers(3)) + 1e-9 * float(rng.random()) for name in names}
    path = tmp_path / "ties.run"
    path.write_text("".join(f"q Q0 {name} 1 {score!r} x\n" for name, score in scores.items()))
    found = [*read_run(path)["q"]]
    # Where each document is ranked, by trec_eval: one over the rank of the only relevant one.
    for name in names:
        [result] = ir_measures.iter_calc([ir_measures.RR], {"q": {name: 1}}, {"q": scores})
        assert found.index(name) + 1 == round(1 / result.value)


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_runs_come_back(tmp_path: Path, ending: str) -> None:
    rng = np.random.default_rng(1)
    ranked = {f"q{q}": [f"d{i}" for i in rng.permutation(12)] for q in range(5)}
    path = tmp_path / f"a.run{ending}"
    write_run(path, ranked, tag="mine")
    assert {query: [*scores] for query, scores in read_run(path).items()} == ranked
    text = (gzip.decompress(path.read_bytes()) if ending else path.read_bytes()).decode()
    assert text.splitlines()[0] == f"q0 Q0 {ranked['q0'][0]} 1 12 mine"
    scored = {"q": {"d1": 0.1 + 0.2, "d2": 7.0, "d3": -1e-7}}
    write_run(path, scored)
    assert read_run(path) == {"q": {"d2": 7.0, "d1": 0.1 + 0.2, "d3": -1e-7}}


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_qrels_come_back(tmp_path: Path, ending: str) -> None:
    judged: dict[str, dict[str, Any]] = {"q1": {"d1": 0, "d2": 3}, "q2": {"d9": 1.0, "d4": None}}
    path = tmp_path / f"a.qrels{ending}"
    assert write_qrels(path, judged) == 3
    assert read_qrels(path) == {"q1": {"d1": 0, "d2": 3}, "q2": {"d9": 1}}


def test_qrels_of_the_real_world(tmp_path: Path) -> None:
    path = tmp_path / "a.qrels"
    path.write_text("301\t0\tFBIS3-10082\t1\r\n301 Q0 FBIS3-10169 -1\n302 0 x 2.0\n\n")
    assert read_qrels(path) == {"301": {"FBIS3-10082": 1}, "302": {"x": 2}}


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (read_run, RUN + "q1 Q0 d2 7 1 bm25\n",
         "a.run, row 6: the document 'd2' of the query 'q1' is in row 2 already. Remove one of the two."),
        (read_run, "q1 Q0 d1 1 9.5\n",
         "a.run, row 1: it has 5 parts, expected 6: query Q0 document rank score tag."),
        (read_run, "q1 Q0 d1 1 nan x\n", "a.run, row 1: the score 'nan' is not a number. Write one."),
        (read_run, "\n \n", "a.run: it holds no lines."),
        (read_run, b"q1 Q0 \xff 1 1 x\n", "a.run, row 1: it is not UTF-8 text. Save it as UTF-8."),
        (read_qrels, "q 0 d 1\nq 0 e 1\nq 0 d 1\n",
         "a.run, row 3: the document 'd' of the query 'q' is in row 1 already. Remove one of the two."),
        (read_qrels, "q 0 d high\n", "a.run, row 1: the grade 'high' is not a whole number. Write one,"),
        (read_qrels, "q 0 d 1.5\n", "a.run, row 1: the grade '1.5' is not a whole number."),
        (read_qrels, "q d 1\n", "a.run, row 1: it has 3 parts, expected 4: query iteration document grade."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_reported_with_its_line(
    tmp_path: Path, read: Callable[[Path], Any], text: str | bytes, message: str
) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(FileProblemsError) as raised:
        read(path)
    assert str(raised.value).startswith(message)


def test_what_can_not_be_written(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with pytest.raises(ValueError, match=r"^document 'two words' has a blank in it, or is empty"):
        write_run(path, {"q": ["two words"]})
    with pytest.raises(ValueError, match=r"^run\['q'\] ranks a document twice"):
        write_run(path, {"q": ["d", "d"]})
    with pytest.raises(ValueError, match=r"^judged\['q'\]\['d'\] is 0\.5: qrels hold only whole numbers"):
        write_qrels(path, {"q": {"d": 0.5}})
    assert not path.exists()


# -- measures by the names of ir_measures ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("nDCG@10", NDCG(10)),
        ("nDCG", NDCG()),
        ("nDCG(dcg='exp-log2')@10", NDCG(10, gain="exponential")),
        ("ERR@20", ERR(20)),
        ("P@5", PrecisionAt(5)),
        ("P(rel=2)@5", PrecisionAt(5, relevant_from=2)),
        ("RR", ReciprocalRank()),
        ("RR@10", ReciprocalRank(10)),
        ("RR(rel=2)@10", ReciprocalRank(10, relevant_from=2)),
        ("AP(rel=1)", MeanAveragePrecision()),
        ("AP(rel=2)@100", MeanAveragePrecision(100, relevant_from=2)),
        ("DCG@10", DCG(10)),
    ],
)
def test_names_of_ir_measures(name: str, measure: Measure) -> None:
    assert repr(measure_named(name)) == repr(measure)


def test_options_of_ir_measures_that_are_not_known() -> None:
    with pytest.raises(
        ValueError, match=r"^measure 'P\(judged_only=True\)@5' has the option 'judged_only=True'"
    ):
        measure_named("P(judged_only=True)@5")
    # Names in lower case are ours, as they were.
    assert repr(measure_named("dcg@3")) == "DCG(cutoff=3)"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of ir_measures
def test_values_are_those_of_ir_measures_with_documents_that_only_qrels_know() -> None:
    """Each query's label is what its qrels say; documents below the cutoff and of no list are among them."""
    ir_measures = pytest.importorskip("ir_measures")
    rng = np.random.default_rng(3)
    run = {f"{q}": {f"d{i}": float(s) for i, s in enumerate(rng.random(15))} for q in range(12)}
    qrels = {f"{q}": {f"d{i}": int(g) for i, g in enumerate(rng.integers(0, 4, 22))} for q in range(12)}
    ranked = {query: sorted(scores, key=lambda d: -scores[d]) for query, scores in run.items()}
    pool = Pool(**pool_of_runs(None, {"it": ranked}, grades=range(4)))
    for name in ("nDCG@5", "nDCG(dcg='exp-log2')@5", "ERR@5", "P@5", "P(rel=2)@5", "RR@5", "AP", "AP@5"):
        ours = pool_value(
            chosen_measure(pool, name).measure, pool.predictions, [qrels[query] for query in pool.ids]
        )
        theirs = ir_measures.parse_measure(name)
        [(_, value)] = ir_measures.calc_aggregate([theirs], qrels, run).items()
        # ir_measures asks gdeval for these, which rounds, and takes 4 as the largest grade of ERR.
        is_rounded = "ERR" in name or "exp" in name
        if "ERR" in name:
            ours = pool_value(ERR(5, max_grade=4), pool.predictions, [*qrels.values()])
        assert ours == pytest.approx(value, abs=1e-5 if is_rounded else 1e-9), name


# -- from two runs to a session ----------------------------------------------------------------------------


def test_two_indexes_are_compared_and_their_grades_are_kept(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    old = {f"q{q}": [f"d{q}-{i}" for i in rng.permutation(8)] for q in range(30)}
    # An update that changes the lists of every third query.
    new = {
        query: [f"d{q}-{i}" for i in rng.permutation(11)] if q % 3 == 0 else old[query]
        for q, query in enumerate(old)
    }
    write_run(tmp_path / "old.run", old)
    write_run(tmp_path / "new.run.gz", new)
    runs = {"old": read_run(tmp_path / "old.run"), "new": read_run(tmp_path / "new.run.gz")}
    texts = {f"q{q}": f"query {q}" for q in range(30)}
    documents = {"d0-0": "A text", "d0-1": {"title": "A title", "text": "Another"}, "d0-2": Result("", "T")}
    app = compare(texts, runs, NDCG(5), documents=documents, seed=1)
    session = app.session
    assert [model.name for model in session.models] == ["old", "new"]
    assert (session.measure.same_statistics(*session.models)).sum() >= 20
    for _ in range(8):
        asked = session.next()
        # Where both lists are the same nothing can be learned, and after the first draws nobody is asked.
        session.label({str(item): int(str(item)[-1]) % 4 for item in session.labels.items[asked.index]})
    n = write_qrels(tmp_path / "judged.qrels", session.log.judgments())
    assert n == sum(len(grades) for grades in session.log.judgments().values())
    # The next index: what was judged is known, by query and document.
    judged = read_qrels(tmp_path / "judged.qrels")
    newer = {query: [*reversed(ranked)] for query, ranked in new.items()}
    again = compare(texts, {"new": new, "newer": newer}, NDCG(5), judged=judged, grades=range(4)).session
    for index, query in enumerate(again.pool.ids):
        asked_about = set(map(str, again.labels.items[index]))
        assert asked_about.isdisjoint(judged.get(query, {}))
        assert asked_about | judged.get(query, {}).keys() >= {*new[query][:5], *newer[query][:5]}


def test_by_rank_the_top_is_likelier_to_be_relevant_and_judgments_correct_that() -> None:
    [plain] = relevance_by_rank([[*"abcdefgh"]], [0, 1, 2])
    np.testing.assert_allclose(plain.sum(axis=1), 1)
    assert (np.diff(plain[:, 0]) > 0).all()
    np.testing.assert_allclose(1 - plain[:, 0], 0.5 / np.log2(np.arange(2, 10)))
    lists = [[f"{q}{i}" for i in range(8)] for q in range(200)]
    judged = [{item: 2 if i < 1 else 0 for i, item in enumerate(each)} for each in lists]
    learned = relevance_by_rank(lists, [0, 1, 2], judged)[0]
    assert learned[0, 2] > 0.95
    assert (learned[1:, 0] > 0.95).all()


def test_grades_are_those_that_were_given_before_and_results_are_shown_as_they_come() -> None:
    runs = {"old": {"q": ["a", "b"]}, "new": {"q": ["b", "c"]}}
    documents = {"a": "A text", "b": {"title": "A title", "link": "l"}, "c": Result("other", "T", "U")}
    given = pool_of_runs(None, runs, documents=documents, judged={"q": {"a": 1, "b": 4, "c": None}})
    assert given["predictions"][0].grades.tolist() == [0, 1, 2, 3, 4]
    assert given["instances"][0].results == (
        Result("a", text="A text"), Result("b", title="A title", link="l"), Result("c", "T", "U"),
    )  # fmt: skip
    for judged, grades in ({"q": {"a": 0}}, [0, 1]), (None, [0, 1, 2, 3]):
        assert pool_of_runs(None, runs, judged=judged)["predictions"][0].grades.tolist() == grades


def test_scores_rank_documents_in_whatever_order_they_come() -> None:
    scores = {"q": {"a": 0.1, "c": 0.5, "d": 0.5, "b": 0.9}}
    given = pool_of_runs(None, {"old": scores, "new": {"q": np.array(["a", "b"])}, "none": {}})
    rankings = [model.rankings for model in given["predictions"]]
    assert rankings == [(("b", "d", "c", "a"),), (("a", "b"),), ((),)]
    arrays = compare(["q"], {"old": {"q": np.array(["a"])}, "new": {"q": np.array(["b"])}}, NDCG())
    assert [model.rankings for model in arrays.session.models] == [(("a",),), (("b",),)]


def test_documents_with_numbers_for_ids_are_found_by_their_digits() -> None:
    given = pool_of_runs(None, {"it": {1: [7, 8]}}, documents={7: "T", "8": "U"}, judged={1: {7: 2, "8": 0}})
    assert [result.text for result in given["instances"][0].results] == ["T", "U"]
    assert list(Session(Pool(**given), DCG()).labels.known_labels) == [0]
    proba = given["predictions"].relevance.proba
    assert proba[0, 2] > proba[0, 1]


def test_what_is_no_comparison_of_runs() -> None:
    with pytest.raises(
        ValueError, match=r"^documents and grades are for rankers that are given by their lists"
    ):
        compare(["a"], {"x": [[0.5, 0.5]], "y": [[0.4, 0.6]]}, NDCG(), documents={})
    with pytest.raises(TypeError, match=r"^queries must be texts, or a mapping from their ids to texts"):
        compare([1, 2], {"x": {"1": ["a"]}, "y": {"1": ["b"]}}, NDCG())
    with pytest.raises(TypeError, match=r"^instances is a mapping.* a ranker's lists.* 'x' is a DataFrame$"):
        compare({"q": "jaguar"}, {"x": pd.DataFrame({"query": ["q"]}), "y": {"q": ["a"]}}, NDCG())
    with pytest.raises(ValueError, match=r"^instances holds the query 'jaguar', but 'x' has lists for 'q'"):
        compare(["jaguar"], {"x": {"q": ["a"]}, "y": {"q": ["b"]}}, NDCG())
    with pytest.raises(ValueError, match=r"^models\['x'\]\['q'\] holds \('a', 0.5\), .* make dict\(pairs\)$"):
        compare(["q"], {"x": {"q": [("a", 0.5)]}, "y": {"q": [("b", 0.5)]}}, NDCG())
    with pytest.raises(TypeError, match=r"^models\['x'\]\['r'\] must be a list of documents' ids, got 'ab'$"):
        compare(["q", "r"], {"x": {"q": ["a"], "r": "ab"}, "y": {"q": ["b"]}}, NDCG())
    for item in (None, np.nan):
        with pytest.raises(ValueError, match=rf"^models\['x'\]\['q'\] holds {item}, expected documents' ids"):
            compare(["q"], {"x": {"q": [item]}, "y": {"q": ["b"]}}, NDCG())
    for score in (np.nan, True):
        with pytest.raises(
            ValueError, match=rf"^models\['x'\]\['q'\]\['a'\] is {score}, expected .* number$"
        ):
            compare(["q"], {"x": {"q": {"a": score}}, "y": {"q": {"b": 0.5}}}, NDCG())
    with pytest.raises(ValueError, match=r"^queries must hold at least one query, got none"):
        pool_of_runs([], {"x": {"1": ["a"]}})


def test_one_run_is_evaluated_in_the_order_of_its_ranks() -> None:
    session = Session(Pool(**pool_of_runs(None, {"it": {"q": ["b", "a", "c"]}})), DCG(2))
    assert list(session.labels.items) == [("b", "a")]
