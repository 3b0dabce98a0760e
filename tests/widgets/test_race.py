"""A race: its racers are sessions, its messages as the table says, and hands count as the expert does."""

import json
import runpy
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from activeeval_widgets.app.commands.race import DEMOS
from activeeval_widgets.app.pages import race as race_page
from activeeval_widgets.session import Pool, Session
from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    FMeasure,
    Recall,
    SquaredError,
    ValuePredictions,
    uniform_q,
)
from activeeval_widgets.widgets import Race
from activeeval_widgets.widgets.messages import RACE_FROM_PAGE, RaceFromPython
from activeeval_widgets.widgets.race import race_page as page_module
from activeeval_widgets.widgets.race.contest import METHODS
from activeeval_widgets.widgets.race.many_races import (
    DATA,
    ManyRaces,
    compared_counts,
    stored_races,
    summary_of,
)

from ..message_types import mismatches
from .conftest import numbers

N, BUDGET = 80, 12


def data(seed: int = 0) -> tuple[list[str], Any, Any]:
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet([0.6, 0.6], size=N)
    y_true = (rng.random(N) < proba[:, 1]).astype(int)
    return [f"text {i}" for i in range(N)], proba, y_true


def make(**options: Any) -> Race:
    texts, proba, y_true = data()
    return Race(texts, proba, ErrorRate(), y_true, **{"budget": BUDGET, "seed": 3, **options})


class Page:
    """Asks what the browser's side asks, and takes in what it is told."""

    def __init__(self, race: Race, client: str = "tab") -> None:
        self.race, self.client, self.seq = race, client, 0
        self.buffers: list[Any] = []
        self.steps: list[list[Any]] = [[], []]
        self.known = [{"version": -1, "n": 0}, {"version": -1, "n": 0}]
        told = self.ask("hello")
        self.config, self.run = told["config"], told["race"]["run"]

    def ask(self, kind: str, /, **content: Any) -> dict[str, Any]:
        self.seq += 1
        assert [*mismatches(content, RACE_FROM_PAGE[kind])] == []
        message = {**content, "type": kind, "client": self.client, "seq": self.seq}
        before = len(self.race.comm.sent)
        self.race._handle_msg({"content": {"data": {"method": "custom", "content": message}}, "buffers": []})
        sent = self.race.comm.sent[before:]
        for told, _ in sent:
            assert [*mismatches(told["content"], RaceFromPython)] == []
        answer, self.buffers = sent[-1][0]["content"], sent[-1][1]
        assert (answer["client"], answer["seq"]) == (self.client, self.seq)
        return answer

    def follow(self) -> dict[str, Any]:
        """Ask for steps until there are no more without a hand."""
        for _ in range(500):
            told = self.ask("steps", run=self.run, known=self.known)
            for number, racer in enumerate(told["racers"]):
                kept = self.steps[number][: racer["start"]] if self._is_known(number, racer) else []
                assert len(kept) == racer["start"]
                self.steps[number] = [*kept, *racer["steps"]]
                assert len(self.steps[number]) == racer["n"]
                self.known[number] = {"version": racer["version"], "n": racer["n"]}
            held = told["race"]["by_hand"]
            if all(r["is_ready"] and (r["is_done"] or i in held) for i, r in enumerate(told["racers"])):
                return told
        raise AssertionError("the race has no end")

    def _is_known(self, number: int, racer: dict[str, Any]) -> bool:
        return self.known[number]["version"] == racer["version"]

    def give(self, racer: int, n: int, value: Any) -> dict[str, Any]:
        return self.ask("give", run=self.run, racer=racer, n=n, value=value)

    def by_hand(self, n: int, *racers: int) -> dict[str, Any]:
        return self.ask("by_hand", run=self.run, n=n, racers=list(racers))


@pytest.fixture(autouse=True)
def _unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comm of the other tests holds messages against the labeling page's table; `Page` has the race's."""
    from . import conftest

    monkeypatch.setattr(conftest, "check_from_python", lambda _: None)


def by_hand_session(method: str, y_true: Any, seed: int = 3, budget: int = BUDGET) -> tuple[Any, Any]:
    """The same as a racer, made with nothing but `Session`."""
    texts, proba, _ = data()
    pool = Pool(texts, predictions=ClassPredictions(proba))
    how = {"active": {}, "papers": {"protocol": "papers"}, "uniform": {"q": uniform_q(N)}}[method]
    session = Session(pool, ErrorRate(), budget=budget, seed=seed, **how)
    picked, estimates = [], []
    while (asked := session.next()) is not None:
        session.label(int(y_true[asked.index]))
        picked.append((asked.draw, asked.index))
        estimates.append(session.estimate())
    return picked, estimates


@pytest.mark.parametrize("methods", [("active", "uniform"), ("papers", "active")])
def test_racers_are_sessions(methods: tuple[str, str]) -> None:
    page = Page(make(methods=methods))
    page.follow()
    _, _, y_true = data()
    assert page.config["truth"] == pytest.approx(np.mean(data()[1].argmax(axis=1) != y_true), abs=1e-15)
    for method, steps in zip(methods, page.steps, strict=True):
        picked, estimates = by_hand_session(method, y_true)
        assert [(step["draw"], step["index"]) for step in steps] == picked
        assert len(steps) == BUDGET
        for step, estimate in zip(steps, estimates, strict=True):
            assert step["value"] == estimate.value  # to the last bit
            assert (step["guaranteed"]["low"], step["guaranteed"]["high"]) == (estimate.low, estimate.high)
            assert step["off"] == abs(estimate.value - page.config["truth"])
            wrong = data()[1][step["index"]].argmax() != y_true[step["index"]]
            assert step["is_wrong"] == wrong
            assert step["label"] == str(y_true[step["index"]])
    of_uniform = page.steps[methods.index("uniform")] if "uniform" in methods else []
    assert all(step["weight"] == pytest.approx(1) for step in of_uniform)


def test_the_same_seed_is_the_same_race() -> None:
    pages = [Page(make(seed=seed)) for seed in (5, 5, 6)]
    for page in pages:
        page.follow()
    first, again, other = (json.dumps(page.steps) for page in pages)
    assert first == again
    assert first != other
    # As on the page, so in code; and a second page of the same race sees the same.
    race = make(seed=5)
    race.run()
    assert [e.value for e in race.estimates["active"]] == [step["value"] for step in pages[0].steps[0]]
    second = Page(pages[0].race, "another tab")
    second.follow()
    assert second.steps == pages[0].steps


def test_every_message_is_handled() -> None:
    assert make()._page.handlers.keys() == RACE_FROM_PAGE.keys()


def test_messages_keep_none_where_the_kernel_drops_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """As JupyterLite's does, where the browser would miss the field."""
    race = make()
    race.send({"race": {"by_hand": None}})
    monkeypatch.setattr(sys, "platform", "emscripten")
    race.send({"race": {"by_hand": None}})
    plain, text = (data["content"] for data, _ in race.comm.sent[-2:])
    assert plain == {"race": {"by_hand": None}}
    assert list(text) == ["json"]
    assert json.loads(text["json"]) == plain


def test_a_new_race_takes_the_place_of_the_one_before() -> None:
    page = Page(make())
    page.follow()
    before = page.steps
    old = page.run
    told = page.ask("new_race", seed=4, methods=["papers", "uniform"])
    assert (told["race"]["seed"], told["race"]["methods"]) == (4, ["papers", "uniform"])
    page.run = told["race"]["run"]
    page.known = [{"version": -1, "n": 0}] * 2
    page.steps = [[], []]
    page.follow()
    assert page.steps[1] != before[1]
    assert "Another race" in page.ask("undo", run=old)["error"]
    # Whoever asks for steps of the old one hears of the new one.
    assert page.ask("steps", run=old, known=page.known)["race"]["run"] == page.run
    for wrong in (["active", "active"], ["active"], ["active", "random"]):
        assert "methods" in page.ask("new_race", seed=4, methods=wrong)["error"]
    assert "seed" in page.ask("new_race", seed=-1, methods=["active", "uniform"])["error"]


# -- labels by hand ----------------------------------------------------------------------------------------


def test_labels_by_hand_are_those_of_a_session_with_these_labels() -> None:
    page = Page(make())
    page.follow()
    kept = [list(steps) for steps in page.steps]
    told = page.by_hand(4, 0)
    assert told["race"]["by_hand"] == [0]
    told = page.follow()
    assert [len(steps) for steps in page.steps] == [4, BUDGET]
    assert page.steps[0] == kept[0][:4]
    present, weight = (told["racers"][0][name] for name in ("next_index", "next_weight"))
    assert (present, weight) == (kept[0][4]["index"], pytest.approx(kept[0][4]["weight"]))
    _, _, y_true = data()
    said = y_true.copy()
    for n in (5, 6, 7):
        index = page.follow()["racers"][0]["next_index"]
        said[index] = 1 - y_true[index]
        page.give(0, n, int(said[index]))
    page.by_hand(7)
    told = page.follow()
    assert told["race"]["n_by_hand"] == 3
    assert [step["is_by_hand"] for step in page.steps[0][4:7]] == [True] * 3
    picked, estimates = by_hand_session("active", said)
    assert [(step["draw"], step["index"]) for step in page.steps[0]] == picked
    assert [step["value"] for step in page.steps[0]] == [estimate.value for estimate in estimates]
    # The other racer was told what a hand said of the same instances, from then on.
    given = {step["index"] for step in page.steps[0][4:7]}
    for n, step in enumerate(page.steps[1], 1):
        if not (step["index"] in given and n < 8):
            expected = said if step["index"] in given else y_true
            assert step["label"] == str(expected[step["index"]])


def test_a_hand_counts_for_the_other_racer_too() -> None:
    """The expert's racer is run again from where it meets an instance that a hand has labeled."""
    texts, proba, y_true = data()
    small = slice(0, 12)  # so that both meet the same instances
    race = Race(texts[small], proba[small], ErrorRate(), y_true[small], budget=12, seed=1)
    page = Page(race)
    page.follow()
    told = page.by_hand(0, 0)
    index = page.follow()["racers"][0]["next_index"]
    page.give(0, 1, int(1 - y_true[index]))
    page.follow()
    [step] = [step for step in page.steps[1] if step["index"] == index]
    assert (step["label"], step["is_by_hand"]) == (str(1 - y_true[index]), True)
    page.ask("undo", run=page.run)
    told = page.follow()
    [step] = [step for step in page.steps[1] if step["index"] == index]
    assert (step["label"], step["is_by_hand"]) == (str(y_true[index]), False)
    assert told["racers"][0]["next_index"] == index
    assert told["race"]["n_by_hand"] == 0


def test_undo_and_the_expert_for_one() -> None:
    page = Page(make())
    page.follow()
    kept = [list(steps) for steps in page.steps]
    page.by_hand(2, 0, 1)
    for racer in (0, 1):
        page.follow()
        page.give(racer, 3, None)  # what the expert says
    page.follow()
    assert [steps[:3] for steps in page.steps] == [steps[:3] for steps in kept]
    first = page.follow()["racers"][0]["next_index"]
    page.give(0, 4, 0)
    page.give(0, 5, 0)
    page.ask("undo", run=page.run)
    page.ask("undo", run=page.run)
    told = page.follow()
    assert [len(steps) for steps in page.steps] == [3, 3]
    assert told["racers"][0]["next_index"] == first
    page.by_hand(3)
    page.follow()
    assert page.steps == kept, "what was taken back left something behind"
    assert "no label by hand" in page.ask("undo", run=page.run)["error"]


def test_a_label_that_is_not_asked_for_is_refused() -> None:
    page = Page(make())
    page.follow()
    assert "no longer asked for" in page.give(0, 5, 1)["error"]
    page.by_hand(4, 0)
    page.follow()
    for racer, n, value in ((0, 4, 1), (0, 6, 1), (1, 5, 1)):
        assert "no longer asked for" in page.give(racer, n, value)["error"]
    assert "value must be" in page.give(0, 5, 7)["error"]
    assert "racers must be" in page.by_hand(4, 2)["error"]
    page.follow()
    assert len(page.steps[0]) == 4


# -- many races and what lies beyond -----------------------------------------------------------------------


def test_many_races_are_single_ones_with_other_seeds() -> None:
    race = make()
    many, methods = ManyRaces(race._page.contest, n_races=3), ("active", "uniform")
    while many.n_done(methods) < 3:
        many.advance(methods)
    assert many.at[-1] == BUDGET  # noqa: PD008 - no table
    told = race._page.content.many(many, methods)
    off = []
    for method, curve in zip(methods, told["curves"], strict=True):
        sessions = [by_hand_session(method, data()[2], seed=seed)[1] for seed in range(3)]
        at = [[estimates[n - 1] for n in many.at] for estimates in sessions]
        off.append(np.array([[abs(each.value - race.truth) for each in row] for row in at]))
        assert curve["rmse"] == pytest.approx(np.sqrt((off[-1] ** 2).mean(axis=0)).tolist())
        assert curve["median"] == pytest.approx(np.median(off[-1], axis=0).tolist())
        assert curve["widths"]["guaranteed"] == pytest.approx(
            np.median([[each.high - each.low for each in row] for row in at], axis=0).tolist()
        )
        assert curve["coverage"]["guaranteed"] == pytest.approx(
            np.mean([[each.low <= race.truth <= each.high for each in row] for row in at], axis=0).tolist()
        )
    closer = [a < b or (a == b) / 2 for a, b in zip(off[0][:, -1], off[1][:, -1], strict=True)]
    assert told["share_closer"] == pytest.approx(np.mean(closer))
    # The other way round, and with a third method, only what is new is run.
    assert race._page.content.many(many, methods[::-1])["share_closer"] == pytest.approx(1 - np.mean(closer))
    assert many.n_done(("active", "papers")) == 0


def test_a_race_is_right_where_its_interval_includes_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    contest = make()._page.contest
    last = by_hand_session("active", data()[2], seed=0)[1][BUDGET - 1]
    ends = (last.low, last.high)
    truths = {each: True for end in ends for each in (end - 1e-10, end + 1e-10)}
    truths |= {last.low - 1e-6: False, last.high + 1e-6: False}
    for truth, is_right in truths.items():
        monkeypatch.setattr(contest, "truth", truth)
        rows: list[list[float]] = []
        for _ in ManyRaces(contest).race("active", 0, rows):
            pass
        assert rows[-1][:2] == pytest.approx([last.value - truth, last.high - last.low])
        assert rows[-1][2] == is_right


def test_an_interval_that_is_not_there_has_no_width_and_misses_nothing() -> None:
    nan, inf = float("nan"), float("inf")
    found = np.array([[[nan, inf, nan, inf, nan]], [[0.1, inf, nan, 0.5, 0]], [[-0.3, 0.8, 1, 0.4, 1]]])
    told = summary_of(found)
    assert told["rmse"] == pytest.approx([np.sqrt(0.05)])
    assert told["widths"] == {"guaranteed": [None], "approximate": [0.5]}
    assert told["coverage"] == {"guaranteed": [1.0], "approximate": [0.5]}
    assert told["last"] == [None, 0.1, 0.3]


def test_many_races_come_a_little_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer takes as long as a race."""
    monkeypatch.setattr(page_module, "_MANY_AT_A_STRETCH", 1e-4)
    page = Page(make(budget=3))
    page.race._page.many = ManyRaces(page.race._page.contest, n_races=9)
    methods = ["papers", "uniform"]
    counts = []
    for _ in range(2000):
        many = page.ask("races", methods=methods)["many"]
        counts.append(many["n_done"])
        if many["n_done"] == many["n_races"]:
            break
    assert many["methods"] == methods
    assert counts[-1] == many["n_races"] == 9
    assert len(counts) > 9
    assert len(set(counts)) > 3
    assert counts == sorted(counts)
    assert "methods" in page.ask("races", methods=["papers"])["error"]


@pytest.mark.parametrize("method", METHODS)
def test_stored_races_are_those_that_would_be_run(method: str) -> None:
    """One race of the digits; tools/simulate_races.py writes the files anew."""
    tool = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "simulate_races.py"))
    stored = stored_races("digits")
    assert stored is not None
    found = tool["rounded"](tool["first_race"](tool["contest_of"]("digits"), method))
    assert np.array(found) == pytest.approx(
        np.array(stored["first"][method]), rel=1e-4, abs=1e-6, nan_ok=True
    )


def test_races_are_stored_for_demos_only() -> None:
    assert {path.stem for path in DATA.glob("*.json")} <= set(DEMOS)
    assert stored_races("mails") is None


@pytest.mark.parametrize("demo", sorted(path.stem for path in DATA.glob("*.json")))
def test_the_demos_have_their_races_at_once(demo: str) -> None:
    spec = {"kind": "race", "demo": demo, "methods": ["active", "uniform"], "budget": None, "seed": 5}
    page = Page(race_page.build(spec, {}))
    told = page.ask("races", methods=["papers", "active"])["many"]
    assert told["n_done"] == told["n_races"] == 200
    assert told["at"][-1] == page.config["budget"]
    least = binom.ppf(1e-3, 200, 0.95) / 200
    shares = [share for curve in told["curves"] for share in curve["coverage"]["guaranteed"] if share]
    assert min(shares) >= least
    # Of other numbers of labels they say nothing.
    page = Page(race_page.build({**spec, "budget": 7}, {}))
    assert page.ask("races", methods=["papers", "active"])["many"]["n_done"] < 200


@pytest.mark.parametrize("budget", [1, 2, 7, 10, 11, 40, 199, 200, 205, 1000])
def test_looks_end_at_the_budget(budget: int) -> None:
    found = compared_counts(budget)
    assert found[-1] == budget
    assert found[0] >= 1
    assert len(set(np.diff(found).tolist())) <= 1
    assert len(found) <= 10


def test_how_many_labels_a_width_takes() -> None:
    page = Page(make())
    page.follow()
    _, estimates = by_hand_session("uniform", data()[2])
    texts, proba, y_true = data()
    pool = Pool(texts, predictions=ClassPredictions(proba))
    session = Session(pool, ErrorRate(), budget=BUDGET, seed=3, q=uniform_q(N))
    widths = []
    while (asked := session.next()) is not None:
        session.label(int(y_true[asked.index]))
        estimate = session.estimate()
        widths.append(estimate.high - estimate.low)
        if len(widths) == BUDGET:
            session.revisions.lift_budget()
    wanted = widths[BUDGET + 20]
    expected = next(n for n, width in enumerate(widths, 1) if n > BUDGET and width <= wanted)
    for _ in range(500):
        asked_for = {"racer": 1, "width": wanted, "kind": "guaranteed"}
        beyond = page.ask("beyond", run=page.run, **asked_for)["beyond"]
        if beyond["is_complete"]:
            break
    assert (beyond["n"], beyond["is_reached"]) == (expected, True)
    for _ in range(500):
        beyond = page.ask("beyond", run=page.run, racer=1, width=1e-9, kind="guaranteed")["beyond"]
        if beyond["is_complete"]:
            break
    assert not beyond["is_reached"] or beyond["n"] == N  # all labels are known then
    del estimates


def test_the_script_is_held_against_what_python_computes() -> None:
    tool = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "write_race_fixtures.py"))
    written = json.loads(tool["PATH"].read_text())
    assert numbers(written) == pytest.approx(numbers(tool["fixtures"]()), rel=1e-12, abs=1e-12)


# -- what it is about --------------------------------------------------------------------------------------


def test_instances_and_axes() -> None:
    page = Page(make())
    told = page.follow()
    index = page.steps[0][0]["index"]
    [info] = page.ask("instances", indices=[index, 10**6])["instances"]
    assert info["index"] == index
    assert f"text {index}" in bytes(page.buffers[0]).decode()
    picks = page.config["picks"]
    assert sum(picks["pool"]) == pytest.approx(1)
    assert all(picks["low"] <= step["x"] <= picks["high"] for step in page.steps[0])
    assert told["y"]["low"] <= page.config["truth"] <= told["y"]["high"]


def test_two_models_and_numbers() -> None:
    texts, proba, y_true = data()
    other = np.column_stack([proba[:, 1], proba[:, 0]])
    page = Page(
        Race(texts, [ClassPredictions(proba), ClassPredictions(other)], ErrorRate(), y_true, budget=6)
    )
    page.follow()
    assert page.config["truth"] == pytest.approx(
        np.mean(proba.argmax(1) != y_true) - np.mean(other.argmax(1) != y_true)
    )
    assert page.config["sides"] == ["↑ model B better", "↓ model A better"]
    values = ValuePredictions(np.arange(N) / N, np.full(N, 0.04))
    page = Page(Race(texts, values, SquaredError(), y_true.astype(float), budget=6, y_range=(0, 1)))
    page.follow()
    assert page.config["labels"] == {
        "kind": "number",
        "low": 0.0,
        "high": 1.0,
        "unit": None,
        "decimal_mark": None,
    }
    assert page.steps[0][0]["is_wrong"] is None
    page.by_hand(6, 0)  # at the end there is nothing to label
    assert page.follow()["racers"][0]["next_index"] is None


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"y_true": [0] * (N - 1)}, rf"y_true has {N - 1} labels, but there are {N} instances"),
        (
            {"y_true": [0] * (N - 1) + [None]},
            rf"y_true\[{N - 1}\] \(instance {N - 1}\) is missing.*Leave out",
        ),
        ({"y_true": [0.0] * (N - 1) + [float("nan")]}, r"is missing: a race needs the label of every"),
        (
            {"y_true": [0] * (N - 1) + [2]},
            rf"y_true\[{N - 1}\].*label is 2, expected one of the classes \[0, 1\]",
        ),
        ({"methods": ("active", "active")}, r"methods must be two distinct ones of 'active', 'papers'"),
        ({"methods": ("active", "best")}, r"methods names 'best', expected two of"),
        ({"methods": ("active",)}, r"methods must be two distinct ones"),
        ({"budget": 0}, r"budget must be"),
        ({"seed": -1}, r"seed must be"),
        ({"seed": 2**60}, r"seed must be below 2\*\*52"),
        (
            {"measure": Recall(positive=1), "y_true": [0] * N},
            r"recall is not defined on this pool.*Choose another",
        ),
    ],
)
def test_bad_input_is_one_clear_error(changes: dict[str, Any], told: str) -> None:
    texts, proba, y_true = data()
    given = {"measure": ErrorRate(), "y_true": y_true, **changes}
    measure, labels = given.pop("measure"), given.pop("y_true")
    with pytest.raises(ValueError, match=told):
        Race(texts, proba, measure, labels, **given)


def test_labels_in_another_order_than_ids_are_refused() -> None:
    labels = pd.Series([0, 0, 1, 1], index=list("dcba"))
    with pytest.raises(ValueError, match=r"^y_true has the rows of ids in another order"):
        Race(["w", "x", "y", "z"], [[0.9, 0.1]] * 4, ErrorRate(), labels, ids=list("abcd"))


def test_other_types_are_refused() -> None:
    texts, proba, y_true = data()
    with pytest.raises(TypeError, match="methods must be two names"):
        Race(texts, proba, ErrorRate(), y_true, methods="active")
    with pytest.raises(TypeError, match="y_true must be a sequence"):
        Race(texts, proba, ErrorRate(), "0" * N)
    with pytest.raises(TypeError, match="y_true must be a sequence"):
        Race(texts, proba, ErrorRate(), None)


def test_a_race_of_the_whole_pool_ends_at_the_truth() -> None:
    texts, proba, y_true = data()
    some = slice(0, 9)
    race = Race(texts[some], proba[some], FMeasure(positive=1), y_true[some])
    race.run()
    assert race.seed == 0
    assert race.methods == ("active", "uniform")
    assert len(race.estimates["active"]) == 9
    for estimates in race.estimates.values():
        assert estimates[-1].value == pytest.approx(race.truth)


def test_methods_are_named_where_they_are_chosen() -> None:
    from activeeval_widgets.app.commands.race import METHODS as NAMED

    assert tuple(METHODS) == NAMED


def test_a_racer_is_run_again_without_a_trace() -> None:
    from activeeval_widgets.widgets.race.racer import Racer

    contest = make()._page.contest
    plain, rewound = (Racer(contest, "active", 2) for _ in range(2))
    for racer in (plain, rewound):
        while racer.next_index is not None:
            racer.step(contest.y_true[racer.next_index])
    rewound.rewind(5)
    assert (rewound.is_ready, rewound.version, len(rewound.steps)) == (False, 1, 5)
    assert (rewound.next_index, rewound.next_weight) == (plain.steps[5].index, plain.steps[5].weight)
    while not rewound.is_ready:
        rewound.rerun_step()
    while rewound.next_index is not None:
        rewound.step(contest.y_true[rewound.next_index])
    assert rewound.steps == plain.steps
