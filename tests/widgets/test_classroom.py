"""A class: sessions of students, and a wall that tells the truth when it is asked for it, and no earlier."""

import io
import json
from itertools import count
from math import isnan
from typing import Any

import comm
import numpy as np
import pandas as pd
import pytest
from comm import DummyComm

from activeeval_widgets import Pool
from activeeval_widgets.session.report.spreadsheet import without_apostrophe
from activeeval_widgets.stats import ClassPredictions, ErrorRate
from activeeval_widgets.widgets.classroom.classroom import MAX_STUDENTS, N_TRIES, Classroom
from activeeval_widgets.widgets.classroom.content import FIRST_LOOK, _missed
from activeeval_widgets.widgets.messages import (
    ANSWERS,
    FOR_STUDENTS,
    FROM_PAGE,
    STUDENT_FROM_PAGE,
    WALL_FROM_PAGE,
    FromPython,
    StudentFromPython,
    WallFromPython,
)
from activeeval_widgets.widgets.messages.matching import mismatches
from activeeval_widgets.widgets.page_channel import PageChannel
from activeeval_widgets.widgets.race.contest import Contest
from activeeval_widgets.widgets.session_page import PageOptions

N, BUDGET = 300, 24
KINDS = ("guaranteed", "approximate", "wald")
MESSAGES = (FromPython, StudentFromPython, WallFromPython)
TITLE = "Mails"
ASKED = {"is_revealed": False, "kind": "wald", "stop": "fixed", "n": BUDGET}

numbers = count(1)


@pytest.fixture(autouse=True)
def _comms(monkeypatch: pytest.MonkeyPatch) -> None:
    """No kernel."""
    monkeypatch.setattr(comm, "create_comm", DummyComm)


def contest() -> Contest:
    rng = np.random.default_rng(3)
    p = rng.beta(0.5, 0.5, N)
    y_true = (rng.random(N) < p).astype(int)
    texts = [f"mail {i}" for i in range(N)]
    pool = Pool(texts, predictions=ClassPredictions(np.column_stack([1 - p, p])), kind="text")
    return Contest(pool, ErrorRate(), y_true.tolist(), budget=BUDGET)


def classroom(**options: Any) -> Classroom:
    return Classroom(contest(), PageOptions(title=TITLE), **options)


class Browser:
    """A page without a kernel: what it sends, and what it is told."""

    def __init__(self, front_end: PageChannel) -> None:
        self.front_end = front_end
        self.told: list[dict[str, Any]] = []
        front_end.join(self._take)

    def _take(self, content: Any, _buffers: Any) -> None:
        assert any(not [*mismatches(content, hint)] for hint in MESSAGES)
        self.told.append(json.loads(json.dumps(content, allow_nan=False)))

    def ask(self, type_: str, /, **content: Any) -> dict[str, Any]:
        seq = next(numbers)
        self.front_end.receive({"type": type_, "client": "browser", "seq": seq, **content})
        return next(each for each in reversed(self.told) if each.get("seq") == seq)

    def leave(self) -> None:
        self.front_end.leave(self._take)

    def wall(self, **asked: Any) -> dict[str, Any]:
        reply = self.ask("wall", **{**ASKED, **asked})
        assert [*mismatches(reply, WallFromPython)] == []
        return dict(reply["wall"])


class Sitting(Browser):
    """A student who labels truly, or always the same."""

    def __init__(self, room: Classroom, key: str, name: str | None = None) -> None:
        super().__init__(room.admit(key))
        self.room = room
        self.state = self.ask("hello")["state"]
        self.name = None if name is None else self.ask("join", name=name)["student"]["name"]

    def label(self, n: int, always: int | None = None) -> None:
        for _ in range(n):
            drawn = self.state["queue"][0]
            value = self.room.contest.y_true[drawn["index"]] if always is None else always
            answer = {"type": "label", "draw": drawn["draw"], "value": value, "seconds": 1.0}
            reply = self.ask("answers", answers=[{**answer, "first_key_seconds": None}], ahead=4)
            assert "error" not in reply
            self.state = reply["state"]

    def undo(self) -> None:
        self.state = self.ask("answers", answers=[{"type": "undo"}], ahead=4)["state"]


def run(room: Classroom) -> None:
    room.run_simulated()
    while room.step():
        pass


def student(room: Classroom, name: str) -> Any:
    return next(each for each in room.students if each.name == name)


# -- sessions ---------------------------------------------------------------------------------------------


def test_a_course_is_what_the_session_says_after_each_label() -> None:
    room = classroom()
    ada, bob = Sitting(room, "a", "Ada"), Sitting(room, "b", "Bob")
    ada.label(6)
    bob.label(9)
    for name, n in (("Ada", 6), ("Bob", 9)):
        found = student(room, name)
        assert [moment.n_labels for moment in found.course] == list(range(1, n + 1))
        session, last = found.session, found.course[-1]
        assert last.value == session.estimate().value
        assert last.intervals["guaranteed"] == (session.estimate().low, session.estimate().high)
        wald = session.estimate(interval="wald")
        assert last.intervals["wald"] == (wald.low, wald.high)
    assert student(room, "Ada").method != student(room, "Bob").method


def test_the_approximate_interval_is_the_narrower_one_that_pages_show() -> None:
    room = classroom(n_simulated=2)
    run(room)
    for each in room.students:
        for moment in each.course:
            guaranteed, approximate = moment.width("guaranteed"), moment.width("approximate")
            assert isnan(guaranteed) or approximate <= guaranteed


def test_half_of_the_class_draws_actively_by_seed() -> None:
    room = classroom(n_simulated=5, seed=8)
    for i in range(5):
        Sitting(room, str(i), f"name {i}")
    assert [each.seed for each in room.students] == list(range(8, 18))
    assert [each.method for each in room.students] == ["active", "uniform"] * 5
    names = {each.session.name for each in room.students}
    assert len(names) == 10


def test_undone_labels_leave_the_course_and_the_place_to_stop() -> None:
    room = classroom()
    ada = Sitting(room, "a", "Ada")
    ada.label(5)
    assert ada.ask("stop_here", stops=True)["student"]["stopped"] == 5
    before, n_told = list(student(room, "Ada").course), len(ada.told)
    ada.undo()
    assert student(room, "Ada").course == before[:4]
    assert student(room, "Ada").stopped is None
    assert any(result["student"]["stopped"] is None for result in ada.told[n_told:] if "student" in result)
    ada.label(1)
    assert student(room, "Ada").course == before


def test_where_a_student_would_stop_can_be_taken_back() -> None:
    room = classroom()
    ada = Sitting(room, "a", "Ada")
    assert ada.ask("stop_here", stops=True)["error"] == "Label an instance first."
    ada.label(3)
    assert ada.ask("stop_here", stops=True)["student"]["stopped"] == 3
    ada.label(2)
    assert ada.ask("student")["student"]["stopped"] == 3
    assert ada.ask("stop_here", stops=False)["student"]["stopped"] is None


def test_who_comes_again_goes_on_with_the_same_session() -> None:
    room = classroom()
    first = Sitting(room, "a", "Ada")
    first.label(4)
    first.front_end.leave(first._take)  # the lid is closed
    again = Sitting(room, "a")
    assert again.front_end is first.front_end
    assert again.state["n_labels"] == 4
    assert again.ask("student")["student"]["name"] == "Ada"
    again.label(1)
    assert student(room, "Ada").n_labels == 5


def test_late_comers_disturb_nobody() -> None:
    room = classroom(n_simulated=2)
    early = Sitting(room, "a", "Early")
    early.label(8)
    before = list(student(room, "Early").course)
    Sitting(room, "b", "Late").label(2)
    assert student(room, "Early").course == before
    assert len(student(room, "Late").course) == 2


def test_the_class_is_full_at_sixty() -> None:
    room = classroom(n_simulated=MAX_STUDENTS - 2)
    Sitting(room, "a", "Ada")
    b = room.admit("b")
    Browser(b)
    with pytest.raises(ValueError, match="The class is full: it has 60 students"):
        room.admit("c")
    assert room.admit("b") is b
    with pytest.raises(ValueError, match=f"n_simulated must be at least 0 and below {MAX_STUDENTS}.*got 60"):
        classroom(n_simulated=MAX_STUDENTS)


def test_a_page_that_was_never_used_leaves_its_place() -> None:
    room = classroom(n_simulated=MAX_STUDENTS - 4)
    labeling = Sitting(room, "labeling")
    labeling.label(1)
    visits = [Sitting(room, "named", "Ada"), labeling, Sitting(room, "open")]
    room.admit("left")
    for each in visits[:2]:
        each.leave()
    Sitting(room, "new")  # takes the place of "left"
    with pytest.raises(ValueError, match="full"):
        room.admit("newer")
    visits[2].leave()
    room.admit("newer")


def test_simulated_students_keep_up_with_the_fastest() -> None:
    room = classroom(n_simulated=3)
    assert not room.step()
    ada, bob = Sitting(room, "a", "Ada"), Sitting(room, "b", "Bob")
    ada.label(2)
    bob.label(4)
    while room.step():
        pass
    assert [each.n_labels for each in room.students if each.is_simulated] == [4, 4, 4]
    assert all(each.n_mistakes == 0 for each in room.students)
    run(room)
    assert [each.n_labels for each in room.students] == [BUDGET] * 3 + [2, 4]


# -- names ------------------------------------------------------------------------------------------------


def test_names_are_short_printable_and_of_one_student_each() -> None:
    room = classroom()
    assert Sitting(room, "a").ask("student")["student"] == {
        "name": "",
        "suggested": "Student 1",
        "stopped": None,
    }
    assert room.students == []  # no row before there is a name
    assert Sitting(room, "a", "  Ada \t\n Lovelace ").name == "Ada Lovelace"
    assert Sitting(room, "b", "Ada Lovelace").name == "Ada Lovelace (2)"
    assert Sitting(room, "c", "x" * 500).name == "x" * 30
    assert Sitting(room, "d", "   ").name == "Student 4"
    assert Sitting(room, "e", "<script>alert(1)</script>").name == "<script>alert(1)</script>"
    odd = Sitting(room, "f")
    for name in ("a\u202eb", "\ud800", "a\x00"):
        assert "who must be a name" in odd.ask("join", name=name)["error"]
    assert "no message" in odd.ask("join", name=3)["error"]
    assert Sitting(room, "a", "Grace").name == "Grace"
    assert next(each.name for each in room.students) == "Grace"


# -- what students may do ---------------------------------------------------------------------------------


def test_a_student_labels_and_does_nothing_else() -> None:
    assert {*FOR_STUDENTS} == {*FROM_PAGE, *ANSWERS, *STUDENT_FROM_PAGE}
    room = classroom()
    ada = Sitting(room, "a", "Ada")
    ada.label(2)
    state = ada.state
    for kind, is_allowed in FOR_STUDENTS.items():
        if is_allowed:
            continue
        reply = ada.ask("answers", answers=[{"type": kind}], ahead=1) if kind in ANSWERS else ada.ask(kind)
        assert "error" in reply, kind
    exclude = {"type": "exclude", "draw": 3, "seconds": 1.0, "first_key_seconds": None}
    assert "for the owner" in ada.ask("answers", answers=[exclude], ahead=1)["error"]
    for kind in ("wall", "run", "table"):
        assert "there is no type" in ada.ask(kind, **ASKED)["error"]
    assert student(room, "Ada").n_labels == state["n_labels"] == 2


# -- the truth --------------------------------------------------------------------------------------------


def told_of(value: Any) -> Any:
    """All numbers in a message."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from told_of(each)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


def test_the_truth_does_not_leave_before_it_is_revealed() -> None:
    room = classroom(n_simulated=4)
    truth, wall = room.contest.truth, Browser(room.wall)
    ada = Sitting(room, "a", "Ada")
    ada.label(10)
    run(room)
    ada.ask("plots", shows_wald=True, shown=["estimate", "interval"])
    ada.ask("result", shows_results=True)
    wall.ask("hello")
    for kind in KINDS:
        for stop in ("fixed", "own", "best"):
            content = wall.wall(kind=kind, stop=stop)
            assert content["truth"] is None
            assert content["truth_text"] == ""
            assert not any(row["is_miss"] or row["is_cheater"] for row in content["rows"])
            assert "miss" not in content["headline"] + "".join(content["details"])
    assert "truth" not in wall.ask("table", is_revealed=False)["file"]["text"]
    for browser in (ada, wall):
        assert browser.told
        assert not any(number == truth for outcome in browser.told for number in told_of(outcome))
    revealed = wall.wall(is_revealed=True)
    assert revealed["truth"] == truth


# -- the wall ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def full() -> tuple[Classroom, Browser]:
    room = classroom(n_simulated=20)
    run(room)
    ada, bob = Sitting(room, "a", "Ada"), Sitting(room, "b", "=Bob")
    ada.label(15, always=1)
    ada.ask("stop_here", stops=True)
    ada.label(3, always=1)
    bob.label(2)
    return room, Browser(room.wall)


def table_of(wall: Browser, is_revealed: bool = True) -> pd.DataFrame:
    file = wall.ask("table", is_revealed=is_revealed)["file"]
    assert (file["name"], file["type"]) == ("class.csv", "text/csv")
    return pd.read_csv(io.StringIO(file["text"]))


def test_a_share_of_misses_is_written_in_plain_digits() -> None:
    result = [_missed(*counts) for counts in ((0, 30), (1, 60), (2, 30), (4, 31), (1, 1))]
    shares = [each.partition(" miss")[2] for each in result]
    assert shares == [": 0%", ": 1.7%", ": 6.7%", ": 13%", ": 100%"]


def test_where_nobody_has_come_no_misses_are_counted() -> None:
    room = classroom()
    assert Browser(room.wall).wall()["headline"] == "Nobody has joined yet"
    Sitting(room, "a", "Ada").label(2)
    revealed = Browser(room.wall).wall(kind="guaranteed", n=14, is_revealed=True)
    assert revealed["headline"] == "0 of 1 at 14 labels"
    assert not any("0 of" in text for text in revealed["details"])


@pytest.mark.parametrize("kind", KINDS)
def test_misses_are_counted_as_the_table_has_them(full: tuple[Classroom, Browser], kind: str) -> None:
    _, wall = full
    table = table_of(wall)
    table["is_miss"] = (table[f"{kind}_low"] > table["truth"]) | (table[f"{kind}_high"] < table["truth"])
    table["width"] = table[f"{kind}_high"] - table[f"{kind}_low"]
    has = table["width"].notna()
    looks = {
        "fixed": table[has & (table["n_labels"] == 14)],
        "own": table[has & table["stops_here"]],
        "best": table.loc[
            table[has & (table["n_labels"] >= FIRST_LOOK)].groupby("student")["width"].idxmin()
        ],
    }
    for stop, rows in looks.items():
        content = wall.wall(kind=kind, stop=stop, n=14, is_revealed=True)
        counted = [row for row in content["rows"] if row["is_counted"] and not row["is_cheater"]]
        names = {without_apostrophe(name) for name in rows["student"]}
        assert {row["name"] for row in counted} == names
        missed = {without_apostrophe(name) for name in rows.loc[rows["is_miss"], "student"]}
        assert {row["name"] for row in counted if row["is_miss"]} == missed
        assert content["headline"].startswith(f"{len(missed)} of {len(rows)} miss: ")
        share = float(content["headline"].partition(": ")[2].rstrip("%"))
        assert share == pytest.approx(100 * len(missed) / len(rows), rel=0.05)
        for half in content["halves"]:
            widths = rows.loc[rows["draws"] == half["method"], "width"]
            beginning = (
                "1 interval, ±" if len(widths) == 1 else f"{len(widths)} intervals, half of them within"
            )
            assert half["text"].startswith(beginning)
            assert f"±{100 * widths.median() / 2:.3g} points" in half["text"]


def test_a_row_that_has_not_come_there_is_shown_but_not_counted(full: tuple[Classroom, Browser]) -> None:
    _, wall = full
    content = wall.wall(kind="guaranteed")
    rows = {row["name"]: row for row in content["rows"]}
    assert not rows["Ada"]["is_counted"]
    assert rows["Ada"]["n"] == 18
    assert rows["=Bob"]["n"] == 2
    assert content["headline"] == f"20 of 22 at {BUDGET} labels"
    assert content["details"] == ["22 students (20 simulated), 500 labels."]
    assert wall.wall(stop="own")["headline"] == "1 of 22 would have stopped"
    for n in (0, BUDGET + 1):
        assert f"n must be from 1 to {BUDGET}" in wall.ask("wall", **{**ASKED, "n": n})["error"]


def test_labels_that_differ_from_the_truth_are_reported_with_it(full: tuple[Classroom, Browser]) -> None:
    room, wall = full
    text = f"{student(room, 'Ada').n_mistakes} labels differ from the true ones, which moves the estimates."
    assert student(room, "Ada").n_mistakes > 1
    assert text in wall.wall(is_revealed=True)["details"]
    assert text not in wall.wall()["details"]


def test_the_table_is_safe_in_a_spreadsheet_and_has_the_truth_only_if_revealed(
    full: tuple[Classroom, Browser],
) -> None:
    room, wall = full
    table = table_of(wall)
    assert "'=Bob" in set(table["student"])
    assert table["truth"].to_list() == pytest.approx([room.contest.truth] * len(table))
    assert "truth" not in table_of(wall, is_revealed=False)
    assert len(table) == sum(each.n_labels for each in room.students)
    assert list(table.columns) == [
        *("student", "is_simulated", "draws", "seed", "n_labels", "estimate"),
        *(f"{kind}_{end}" for kind in KINDS for end in ("low", "high")),
        *("stops_here", "truth"),
    ]


def test_the_cheater_stops_at_the_first_moment_that_misses() -> None:
    room = classroom()
    wall = Browser(room.wall)
    wall.wall(is_revealed=True)
    while room.step():
        pass
    truth = room.contest.truth
    n_found = 0
    for kind in KINDS:
        [row] = [row for row in wall.wall(kind=kind, is_revealed=True)["rows"] if row["is_cheater"]]
        moments = [
            (number, moment)
            for number, session in enumerate(room.tries, 1)
            for moment in session.course
            if moment.n_labels >= FIRST_LOOK and moment.misses(kind, truth)
        ]
        if not moments:
            assert not row["is_miss"]
            assert row["text"].startswith(f"finds no interval that misses, in {N_TRIES} sessions")
            continue
        n_found += 1
        number, first = moments[0]
        assert row["is_miss"]
        assert (row["low"], row["high"]) == first.intervals[kind]
        assert row["text"].startswith(f"stops in try {number} of {N_TRIES}: ")
        assert not row["low"] <= truth <= row["high"]
    assert n_found  # by Wald, at the least


def test_news_are_reported_once_until_they_are_asked_for() -> None:
    room = classroom()
    wall = Browser(room.wall)
    ada = Sitting(room, "a", "Ada")
    ada.label(3)
    assert [result for result in wall.told if "news" in result] == [{"news": True}]
    wall.wall()
    ada.label(2)
    assert len([result for result in wall.told if "news" in result]) == 2
    assert wall.wall(stop="own")["rows"][0]["n"] == 5


def test_messages_are_as_the_tables_say(full: tuple[Classroom, Browser]) -> None:
    room, wall = full
    config = wall.ask("hello")
    assert [*mismatches(config, WallFromPython)] == []
    assert config["config"]["n_labels"] == BUDGET
    assert config["config"]["title"] == TITLE
    reply = Sitting(room, "a").ask("student")
    assert [*mismatches(reply, StudentFromPython)] == []
    for kind in WALL_FROM_PAGE:
        assert kind in room.wall._handlers
    assert "there is no type" in wall.ask("answers", answers=[])["error"]
