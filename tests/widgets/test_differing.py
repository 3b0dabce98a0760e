"""Where two models differ, as the page shows it: what is sent, how much of it, and to whom."""

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

from activeeval_widgets import Pool, Session, compare
from activeeval_widgets.session.findings import confusion_matrices, standings
from activeeval_widgets.session.findings.group_estimates import SHOWN as GROUPS
from activeeval_widgets.session.findings.shown import Shown
from activeeval_widgets.stats import Accuracy, ErrorRate, PredictedClasses, SquaredError, ValuePredictions
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.quantities import Quantity
from activeeval_widgets.widgets import LabelingApp
from activeeval_widgets.widgets.evaluation.differing import DifferingPanel
from activeeval_widgets.widgets.evaluation.panels import Panels
from activeeval_widgets.widgets.evaluation.snapshot import Snapshots

from ..labeling import give_labels

N = 80
HOSTILE = "<img src=x onerror=alert(1)>"


def begun(n_models: int, n_labels: int, n: int = N, **options) -> Session:
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 2, n)
    models = {}
    for name, error in zip(("A", HOSTILE, "C"), (0.05, 0.3, 0.6), strict=False):
        right = np.where(rng.random(n) < error, 1 - y_true, y_true)
        sure = rng.uniform(0.5, 1, n)
        models[name] = np.where(right[:, None] == [0, 1], sure[:, None], 1 - sure[:, None])
    models = dict(list(models.items())[:n_models])
    pool = Pool(
        [f"{HOSTILE} {i}" for i in range(n)], predictions=models if n_models > 1 else models["A"], **options
    )
    session = Session(pool, ErrorRate(), seed=1)
    give_labels(session, y_true, n_labels)
    return session


def told(session: Session, panel: type, **options) -> dict[str, Any]:
    made = panel.of(session)
    return made.content(Snapshots(session).current(), options)


def found_of(session: Session, finding: Shown, **options) -> dict[str, Any]:
    assert finding.is_there(session.findings)
    return finding.content(session.findings, options)


def ask(session: Session, *, shows_estimate: bool = True, **question) -> dict[str, Any]:
    app = LabelingApp(session, shows_estimate=shows_estimate)
    whole = {"query": "", "only": [], "answer": None, "offset": 0, "asked": 1, "shows_prediction": True}
    content, _ = app._front_end._handlers["history"]({**whole, **question})
    return content["history"]


def test_sentences_tell_labels_from_shares_of_the_pool() -> None:
    session = begun(2, 15)
    found = session.who_was_right()
    differing, labeled, shares = told(session, DifferingPanel)["sentences"]
    one, two = found.shares
    assert f" {found.n_differing} of {N} texts." in differing
    assert f"{found.n_labels} of these" in labeled
    assert f"A was right on {found.n_first}, {HOSTILE} on {found.n_second}." in labeled
    assert f"Of all {found.n_differing}, A " in shares
    low, high = Numbers.of(Quantity(Accuracy()), one).ends(one.low, one.high)
    assert f" {one.value:.0%} ({low} to {high})" in shares
    assert (one.value + two.value, one.low + two.high, one.high + two.low) == pytest.approx((1, 1, 1))
    assert "estimated" not in told(begun(2, N), DifferingPanel)["sentences"][2]


def test_each_instance_is_in_one_cell_and_each_label_is_marked() -> None:
    session = begun(2, 30)
    content = told(session, DifferingPanel)
    plot = content["plot"]
    n_differing = session.who_was_right().n_differing
    cells = {
        kind: [s for s in plot["stops"] if s["name"] == f"Where they {kind}"]
        for kind in ("differ", "predict the same")
    }
    counts = {
        kind: sum(int(text.split()[0].replace(",", "")) for stop in stops for text in stop["text"])
        for kind, stops in cells.items()
    }
    assert counts == {"differ": n_differing, "predict the same": N - n_differing}
    marked = Counter()
    for points in plot["points"]:
        if points["kind"].endswith("-right"):
            marked[points["kind"]] += len(points["x"])
    found = session.who_was_right()
    assert marked == Counter({"first-right": found.n_first, "second-right": found.n_second})
    [labels] = [stop for stop in plot["stops"] if "index" in stop]
    assert set(labels["index"]) == set(session.findings.judged_disagreements()[0].tolist())
    # What is asked now is not among the marks: it would tell whether models differ on it.
    assert session.next().index not in labels["index"]
    assert sum(int(row[3]) for row in plot["rows"]) == n_differing


def test_what_is_sent_does_not_grow_with_the_pool() -> None:
    plot = told(begun(2, 5, n=20_000), DifferingPanel)["plot"]
    assert sum(len(points["x"]) for points in plot["points"]) <= 2 * 20**2 + 5


def test_classes_alone_have_no_plot_and_numbers_are_plotted_against_each_other() -> None:
    classes = {
        "A": PredictedClasses(["a", "b"], classes=["a", "b"]),
        "B": PredictedClasses(["a", "a"], classes=["a", "b"]),
    }
    content = told(Session(Pool(["x", "y"], predictions=classes), ErrorRate()), DifferingPanel)
    assert content["plot"] is None
    values = {"A": ValuePredictions([1.0, 2.0, 3.0]), "B": ValuePredictions([1.0, 2.0, 5.0])}
    session = Session(Pool(["x", "y", "z"], predictions=values), SquaredError(), y_range=(0, 9))
    give_labels(session, 4.5, 3)
    content = told(session, DifferingPanel)
    differing, labeled, *guidance = content["sentences"]
    assert "1 of 3 texts." in differing
    assert "A was better on 0, B on 1." in labeled
    assert "variances of A and B" in guidance[0]
    x, y = content["plot"]["x"], content["plot"]["y"]
    assert (x["title"], y["title"]) == ("prediction of A", "prediction of B")
    assert (x["low"], x["high"]) == (y["low"], y["high"])
    assert not confusion_matrices.SHOWN.is_there(session.findings)


def test_matrices_are_marked_where_they_differ_beyond_chance() -> None:
    content = found_of(begun(2, N), confusion_matrices.SHOWN)
    session = begun(2, N)
    pair = session.confusions()
    for which, (matrix, shown) in enumerate(zip((pair.first, pair.second), content["matrices"], strict=True)):
        for j, row in enumerate(shown["cells"]):
            for i, cell in enumerate(row):
                assert cell["share"] == pytest.approx(matrix.shares[i, j], abs=1e-4)
                difference = pair.differences[i, j] * (1 - 2 * which)
                assert cell["mark"] == ("more" if difference > 0 else "less" if difference < 0 else "")
    assert content["summary"].startswith("Exact")
    few = found_of(begun(2, 3), confusion_matrices.SHOWN)
    assert not any(cell["mark"] for each in few["matrices"] for row in each["cells"] for cell in row)
    assert "▲" not in few["summary"]
    assert (
        confusion_matrices.matrices_content(begun(2, 0).confusions(), ("A", "B"))["summary"]
        == "No labels yet."
    )


def test_where_only_differing_instances_are_drawn_no_panel_is_of_one_model() -> None:
    """By the papers' protocol and classes alone, draws show neither model's own value, nor its matrix."""
    first = np.arange(N) % 2
    second = np.where(np.arange(N) < N // 3, 1 - first, first)
    pool = Pool(
        ["x"] * N, predictions=[PredictedClasses(each.tolist(), classes=[0, 1]) for each in (first, second)]
    )
    of_one = {"each", "matrices"}
    assert of_one <= {*Panels(Session(pool, ErrorRate())).names}
    session = Session(pool, ErrorRate(), protocol="papers")
    give_labels(session, first, 9)
    panels = Panels(session)
    assert not of_one & {*panels.names}
    assert {"differing", "evidence"} <= panels.redraw(shown=panels.names)["panels"].keys()
    assert "they don't show each model's own value" in session.report()


def test_a_pair_is_chosen_among_three_and_all_panels_tell_of_it() -> None:
    session = begun(3, 40)
    assert found_of(session, standings.SHOWN)["pair"] == {
        "names": ["A", HOSTILE, "C"],
        "chosen": None,
        "difference": None,
    }
    content = found_of(session, standings.SHOWN, pair=[2, 0])["pair"]
    found = session.pair_estimate("C", "A")
    [row] = content["difference"]["rows"]
    assert row["value"] == f"{100 * found.value:+.0f}\N{NO-BREAK SPACE}points".replace("-", "−")
    assert row["note"] == ("A" if found.low > 0 else "C" if found.high < 0 else "not known")
    assert "all 3 pairs" in content["difference"]["summary"]
    assert 0 <= content["difference"]["zero"] <= 1
    assert told(session, DifferingPanel, pair=[2, 0])["heading"] == "Where C and A differ"
    best, second = (each.name for each in session.leaderboard().models[:2])
    assert told(session, DifferingPanel)["heading"] == f"Where {best} and {second} differ"
    assert "all 3 pairs" in told(session, DifferingPanel, pair=[2, 0])["sentences"][2]
    assert found_of(session, confusion_matrices.SHOWN, pair=[2, 0])["columns"][2:4] == ["C", "A"]
    app = LabelingApp(session)
    for wrong in ([0, 0], [0, 3], [0], "AB", [0, True]):
        with pytest.raises(ValueError, match="pair must be two different models, from 0 to 2"):
            app._front_end._handlers["plots"]({"shown": ["differing"], "pair": wrong})
    for name in ("differing", "matrices"):
        assert name in Panels(session).names
        assert name not in Panels(begun(1, 1)).names


@pytest.mark.parametrize("n_models", [2, 3])
def test_the_history_has_those_where_two_differ_and_who_was_right(n_models: int) -> None:
    session = begun(n_models, 40)
    of_two = session.of(0, 1)
    indices, who = of_two.judged_disagreements()
    for name, code in (("any", None), ("first", 0), ("second", 1), ("neither", 3)):
        content = ask(session, differing=name, pair=[0, 1])
        expected = indices if code is None else indices[who == code]
        assert {row["index"] for row in content["rows"]} == set(expected.tolist())
    content = ask(session, differing="any", pair=[0, 1])
    names, choices = content["differing"]["names"], content["differing"]["choices"]
    assert names == ["A", HOSTILE]
    assert choices[0] == ["any", f"A and {HOSTILE} differ", len(indices)]
    assert sum(n for _, _, n in choices[1:]) == len(indices)
    for row in content["rows"]:
        marks = [each["mark"] for each in row["predictions"]]
        label = session.log.label_of(row["index"])
        assert marks == [
            "right" if int(model.pred_codes[row["index"]]) == label else "wrong" for model in of_two.models
        ]
        assert row["content"].startswith(HOSTILE)
    assert (ask(session)["differing"] is None) == (n_models == 3)
    with pytest.raises(ValueError, match="differing must be any, first, second, both, neither or None"):
        ask(session, differing="third")


@pytest.mark.parametrize("n_models", [2, 3])
def test_the_history_says_of_each_model_whether_it_was_right(n_models: int) -> None:
    """Of all labels, also of those that both had right, or none: "right" is never said of several at once."""
    session = begun(n_models, 40)
    content = ask(session)
    assert len(content["rows"]) == 40
    for row in content["rows"]:
        label = session.log.label_of(row["index"])
        assert [each["mark"] for each in row["predictions"]] == [
            "right" if int(model.pred_codes[row["index"]]) == label else "wrong" for model in session.models
        ]
        assert [each["name"] for each in row["predictions"]] == ["A", HOSTILE, "C"][:n_models]
        assert "is_wrong" not in row
    assert content["wrong_text"] == ("Only one was right" if n_models == 2 else "Some were wrong")
    some = ask(session, only=["wrong"])["rows"]
    assert 0 < len(some) < 40
    for row in some:
        assert {each["mark"] for each in row["predictions"]} == {"right", "wrong"}


def test_whoever_labels_without_the_estimate_sees_nothing_of_it() -> None:
    """Not where models differ, nor by a filter that leaves them out."""
    session = begun(2, 30)
    hidden = {"shows_estimate": False}, {"shows_prediction": False}
    for options in hidden:
        content = ask(session, differing="first", pair=[0, 1], **options)
        assert content["differing"] is None
        assert content["n_found"] == 30
        assert not any("predictions" in row or "prediction" in row for row in content["rows"])
    app = LabelingApp(session, shows_estimate=False)
    asked = {"shown": ["differing", "matrices", "models"], "pair": [0, 1]}
    assert app._front_end._handlers["plots"](asked) == ({}, [])
    assert "mistakes" not in app._front_end._handlers["result"]({"shows_results": True})[0]["result"]


def test_groups_of_a_difference_have_a_line_at_zero() -> None:
    groups = ["en", "de"] * (N // 2)
    content = GROUPS.content(begun(2, 30, groups=groups).findings, {})
    assert content["zero"] == 0
    assert content["scale"]["low"] <= 0 <= content["scale"]["high"]
    assert (0.0, "0") in content["scale"]["ticks"]
    assert "The line is at 0" in content["summary"]
    assert content["columns"][2] == "Difference"
    three = begun(3, 30, groups=groups)
    found = three.of("C", "A").group_estimates(confidence_level=1 - 0.05 / 3)
    content = GROUPS.content(three.findings, {"pair": [2, 0]})
    assert content["summary"].startswith("C minus A. ")
    assert "all 3 pairs" in content["summary"]
    for row, each in zip(content["rows"], found, strict=True):
        assert row["value"] == f"{100 * each.estimate.value:+.0f}\N{NO-BREAK SPACE}points".replace("-", "−")
    assert three.leaderboard().best == "A"
    assert GROUPS.content(three.findings, {})["summary"].startswith("Of A, the best. ")
    single = GROUPS.content(begun(1, 30, groups=groups).findings, {})
    assert single["zero"] is None


def test_groups_of_a_difference_are_those_of_the_pool_once_all_is_labeled() -> None:
    groups = np.array(["en", "de"] * (N // 2))
    session = begun(2, N, groups=groups)
    one, two = (model.pred_codes for model in session.models)
    truth = np.array([session.log.label_of(i) for i in range(N)])
    for _, row in session.by_group().iterrows():
        at = groups == row["group"]
        difference = (one != truth)[at].mean() - (two != truth)[at].mean()
        assert (row["value"], row["low"], row["high"]) == pytest.approx((difference,) * 3)


def test_the_report_and_the_result_tell_it() -> None:
    session = begun(2, 30)
    text = session.report()
    assert "## Where the models differ" in text
    page = session.report("html")
    assert "<img" not in page
    ticks = re.findall(r'text-anchor="end">([^<]*)<', page)
    assert len(ticks) > 3
    assert all(re.fullmatch(r"0|[+−][\d.]+", tick) for tick in ticks), "what is longer is cut off"
    assert "minus &lt;img" in page
    assert "Where the models differ" not in begun(1, 30).report()
    app = compare(["a", "b"], {"A": [[0.9, 0.1]] * 2, "B": [[0.1, 0.9]] * 2}, ErrorRate())
    app.session.label(0)
    result = app._front_end._handlers["result"]({"shows_results": True})[0]["result"]
    assert "1 of these has a label: A was right on 1, B on 0." in result["mistakes"]["about"][0]
    assert result["mistakes"]["pair"] == [0, 1]


def test_of_three_the_report_has_all_pairs_and_the_result_the_best_two() -> None:
    session = begun(3, 40)
    text = session.report()
    found = session.pair_estimate("A", "C")
    assert found.high < 0
    row = next(line for line in text.splitlines() if line.startswith("- A − C: "))
    assert row.endswith("; A is better")
    assert f"{100 * found.value:.0f}".replace("-", "−") in row
    assert "Pairs of models" not in begun(2, 30).report()
    reply = LabelingApp(session)._front_end._handlers["result"]({"shows_results": True})[0]["result"][
        "mistakes"
    ]
    best, second, _ = session.leaderboard().models
    assert reply["pair"] == [best.position, second.position]
    assert reply["about"][0].startswith(f"At the top are {best.name} and {second.name}. ")
