"""The measure by group: what is exact, what follows the log, and what a stranger may give as groups."""

import json

import numpy as np
import pandas as pd
import pytest

from activeeval_widgets import Pool, Session, evaluate
from activeeval_widgets.formats import read_session_file, verify, write_session
from activeeval_widgets.session import SessionMismatchError
from activeeval_widgets.session.draws.part import Part
from activeeval_widgets.session.pool.groups import NO_GROUP
from activeeval_widgets.stats import (
    ROCAUC,
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    LabelShare,
    MatthewsCorrelation,
    SquaredError,
    ValuePredictions,
    adaptive_q,
    pool_value,
    serve_groups,
)

from ..labeling import give_labels

M = 120
RNG = np.random.default_rng(5)
P = RNG.beta(0.5, 0.5, M)
MODEL = ClassPredictions(np.column_stack([1 - P, P]))
Y = (RNG.random(M) < P).astype(int)
GROUPS = np.array(["big"] * 80 + ["middle"] * 30 + ["small"] * 9 + ["one"])


def made(protocol: str | None = None, **options) -> Session:
    pool = Pool([f"text {i}" for i in range(M)], predictions=MODEL, groups=GROUPS)
    return Session(pool, options.pop("measure", ErrorRate()), protocol=protocol, **options)


def label(session: Session, n_labels: int) -> Session:
    give_labels(session, Y, n_labels)
    return session


@pytest.mark.parametrize(
    "measure", [ErrorRate(), FMeasure(), MatthewsCorrelation(), ROCAUC(), LabelShare(1)], ids=repr
)
def test_a_group_that_is_labeled_is_exact(measure) -> None:
    session = label(made(measure=measure), M)
    for each in session.group_estimates():
        members = np.flatnonzero(each.group == GROUPS)
        truth = pool_value(measure, MODEL.of_instances(members), Y[members])
        assert each.is_exact is not np.isnan(truth)
        if not np.isnan(truth):
            assert (each.estimate.value, each.estimate.low, each.estimate.high) == (truth, truth, truth)
    table = session.by_group()
    assert table["group"].tolist() == ["big", "middle", "one", "small"]
    assert table["n_labels"].tolist() == table["n_instances"].tolist() == [80, 30, 1, 9]


@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
@pytest.mark.parametrize("for_groups", [False, True])
def test_whatever_happens_it_is_what_a_new_reading_of_the_log_gives(protocol, for_groups) -> None:
    session = made(protocol, for_groups=for_groups, seed=3)
    for step in range(60):
        if step % 17 == 5:
            session.defer()
        elif step % 23 == 7:
            session.exclude()
        elif step % 13 == 9:
            session.undo()
        else:
            label(session, 1)
        if step % 9 == 0:
            session.by_group()
    changed = session.draws.labeled()[0][0]
    session.change(int(changed), 1 - int(Y[changed]))
    again = Session(
        session.pool, ErrorRate(), protocol=protocol, for_groups=for_groups, seed=3, store=session.store
    )
    pd.testing.assert_frame_equal(session.by_group(), again.by_group())
    table = session.by_group()
    assert ((table["low"] <= table["high"]) & (table["n_labels"] + table["n_excluded"] > 0)).any()


def test_an_answer_that_was_taken_back_counts_in_no_group() -> None:
    """Also where its group has got no other one since."""
    session = label(made(seed=4), 25)
    while GROUPS[(last := session.next()).index] == "big":
        session.label(int(Y[last.index]))
    label(session, 1)
    n_labels = session.n_labels
    before = label(made(seed=4), n_labels - 1).by_group()
    assert not session.by_group().equals(before)
    session.undo()
    pd.testing.assert_frame_equal(session.by_group(), before)


def test_draws_of_a_group_have_the_probabilities_of_q_within_it() -> None:
    """By arithmetic of its own: q restricted to what is left of the group, draw by draw."""
    session = label(made(seed=2), M)
    drawn = session.draws.so_far()
    for name in ("middle", "small", "one"):
        members = np.flatnonzero(name == GROUPS)
        part = Part(members, (MODEL.of_instances(members),))
        own = [int(i) for i in drawn if GROUPS[i] == name]
        found, least = session.draws.source._restricted(part, np.array(own))
        for position, index in enumerate(own):
            number = drawn.tolist().index(index) + 1
            q = session.draws.q_at(number)
            left = [i for i in members if i not in drawn[: number - 1].tolist()]
            assert found[position] == pytest.approx(q[index] / q[left].sum(), rel=1e-9)
            assert least[position] == pytest.approx(q[left].min() / q[left].sum(), rel=1e-9)
        assert (found[-1], least[-1]) == (1, 1)


def test_a_groups_interval_is_that_of_its_draws_alone_at_its_share_of_the_level() -> None:
    session = label(made(seed=4), 50)
    table = session.by_group().set_index("group")
    for name in ("big", "middle"):
        members = np.flatnonzero(name == GROUPS)
        sequence = AdaptiveConfidenceSequence(
            ErrorRate(), MODEL.of_instances(members), confidence_level=1 - 0.05 / 4
        )
        for number, index in enumerate(session.draws.so_far().tolist(), start=1):
            if GROUPS[index] == name:
                q = session.draws.q_at(number)[members]
                low, high = sequence.update(int(np.flatnonzero(members == index)[0]), q, int(Y[index]))
        assert (table["low"][name], table["high"][name]) == pytest.approx((low, high), abs=1e-9)


def test_half_of_the_draws_serve_the_groups() -> None:
    q = np.array([0.4, 0.2, 0.3, 0.1, 0.0])
    found = serve_groups(q, [0, 0, 1, 1, 2])
    np.testing.assert_allclose(
        found, 0.5 * q + np.array([0.5 / 3, 0.25 / 3, 0.1875, 0.0625, 0.0]), rtol=1e-12
    )
    counts = np.array([2, 1, 1, 3, 1])
    weighted = serve_groups(q / (counts @ q), [0, 0, 1, 1, 2], counts=counts)
    assert counts @ weighted == pytest.approx(1)
    assert counts[:2] @ weighted[:2] == pytest.approx(0.5 * (1.0 / 1.6) + 0.25)
    assert serve_groups(np.zeros(2), [0, 1]).tolist() == [0, 0]
    session = made(for_groups=True)
    expected = serve_groups(adaptive_q(ErrorRate(), MODEL), np.unique(GROUPS, return_inverse=True)[1])
    np.testing.assert_array_equal(session.q, expected)
    counts = label(made(for_groups=True, seed=1), 60).by_group().set_index("group")["n_labels"]
    assert counts["small"] >= 6
    assert counts["middle"] >= 12
    for bad, error in (([0, 1], ValueError), ([0.0] * 5, TypeError), ([0, 0, -1, 1, 1], ValueError)):
        with pytest.raises(error, match="groups must"):
            serve_groups(q, bad)


def test_what_draws_were_made_for_is_part_of_a_session(tmp_path) -> None:
    store = tmp_path / "labels.sqlite"
    session = label(made(for_groups=True, store=store), 20)
    with pytest.raises(SessionMismatchError, match="groups"):
        made(store=store)
    assert made(for_groups=True, store=store).by_group().equals(session.by_group())
    path = write_session(session, tmp_path / "session.json")
    assert verify(path).follows
    assert read_session_file(path).open().next() == session.next()
    document = json.loads(path.read_text())
    document["pool"]["groups"] = document["pool"]["groups"][::-1]
    path.write_text(json.dumps(document))
    assert any("groups" in str(finding) for finding in verify(path).findings)


@pytest.mark.parametrize(
    ("groups", "names"),
    [
        (pd.Series(["en", None, "de"], index=[7, 8, 9]), [NO_GROUP, "de", "en"]),
        (pd.Categorical(["b", "a", None], categories=["c", "b", "a"]), [NO_GROUP, "a", "b"]),
        (pd.array([1, 2, None], dtype="Int64"), [NO_GROUP, "1", "2"]),
        (np.array([1.0, np.nan, 2.5]), [NO_GROUP, "1", "2.5"]),
        (np.array([3, 3, 10]), ["10", "3"]),
        ([1.0, np.inf, np.inf], ["1", "inf"]),
        ([True, False, True], ["False", "True"]),
        (["", " en ", "en"], [NO_GROUP, "en"]),
        (iter("aab"), ["a", "b"]),
    ],
    ids=lambda value: str(value) if isinstance(value, list) else type(value).__name__,
)
def test_groups_as_strangers_have_them(groups, names) -> None:
    session = Session(Pool(["x", "y", "z"], predictions=[[0.9, 0.1]] * 3, groups=groups), ErrorRate())
    assert session.by_group()["group"].tolist() == names


@pytest.mark.parametrize(
    ("groups", "error", "message"),
    [
        (["a", "b"], ValueError, "groups has 2 entries, expected one for each of 3"),
        ("abc", TypeError, "groups must have one entry for each of 3 instances, got 'abc'"),
        (5, TypeError, "groups must have one entry"),
        ({"0": "a", "1": "a", "2": "b"}, TypeError, r"got a mapping: .* pass \[groups\[each\]"),
    ],
)
def test_other_groups_are_refused(groups, error, message) -> None:
    with pytest.raises(error, match=message):
        Pool(["x", "y", "z"], predictions=[[0.9, 0.1]] * 3, groups=groups)


def test_without_groups_or_with_one_for_each_instance_there_is_one_clear_error() -> None:
    with pytest.raises(
        ValueError, match=r"the pool has no groups: pass one for each instance, Pool\(…, groups="
    ):
        Session(Pool(["x"], predictions=[[0.9, 0.1]]), ErrorRate()).by_group()
    with pytest.raises(ValueError, match="the pool has no groups"):
        Session(Pool(["x"], predictions=[[0.9, 0.1]]), ErrorRate(), for_groups=True)
    many = Pool(["x"] * 1001, predictions=[[0.9, 0.1]] * 1001, groups=range(1001))
    with pytest.raises(ValueError, match="groups holds 1,001 different values, expected at most 1,000"):
        Session(many, ErrorRate()).by_group()
    with pytest.raises(ValueError, match="q is given: leave one out"):
        made(q=np.full(M, 1 / M), for_groups=True)
    with pytest.raises(TypeError, match="for_groups must be True or False, got 'language'"):
        made(for_groups="language")


def test_two_hundred_groups_are_read_in_a_moment() -> None:
    m = 2_000
    rng = np.random.default_rng(0)
    p = rng.beta(1, 1, m)
    pool = Pool(["x"] * m, predictions=np.column_stack([1 - p, p]), groups=np.arange(m) % 200)
    session = Session(pool, ErrorRate(), for_groups=True)
    for _ in range(30):
        session.label(int(rng.random() < p[session.next().index]))
    table = session.by_group()
    assert len(table) == 200
    assert table["n_labels"].sum() == 30
    assert table.loc[table["n_labels"] == 0, ["low", "high"]].drop_duplicates().to_numpy().tolist() == [
        [0, 1]
    ]


def test_values_and_two_models_have_groups() -> None:
    mean = np.linspace(0, 1, 40)
    pool = Pool(["x"] * 40, predictions=ValuePredictions(mean, np.full(40, 0.1)), groups=["a", "b"] * 20)
    session = Session(pool, SquaredError(), y_range=(0, 1))
    give_labels(session, 0.5, 20)
    table = session.by_group()
    assert (table["low"] <= table["value"]).all()
    both = Pool(["x"] * M, predictions=[MODEL, ClassPredictions(MODEL.y_proba[::-1])], groups=GROUPS)
    compared = label(Session(both, ErrorRate()), 50).by_group()
    assert (compared["low"] >= -1).all()
    assert compared.loc[compared["group"] == "big", "high"].item() < 1


def test_tables_and_report_have_groups() -> None:
    session = label(made(for_groups=True), 40)
    assert set(session.labels_table()["group"]) <= set(GROUPS)
    text = session.report()
    assert "## By group" in text
    assert text.count(" of 80 labeled") == 1
    assert "By group" not in label(Session(Pool(["x"], predictions=[[0.9, 0.1]]), ErrorRate()), 1).report()


def test_the_page_shows_groups_on_one_scale() -> None:
    app = evaluate(["x"] * M, MODEL, ErrorRate(), groups=GROUPS, for_groups=True)
    label(app.session, 40)
    result = app._page.view._panels.redraw(shown=["groups"])["panels"]["groups"]
    assert [row["name"] for row in result["rows"]] == ["big", "middle", "one", "small"]
    for row, each in zip(result["rows"], app.session.group_estimates(), strict=True):
        assert row["note"] == f"{each.n_labels} of {each.n_instances}"
        if each.n_labels:
            assert (row["low"], row["at"]) == (each.estimate.low, each.estimate.value)
            assert result["scale"]["low"] <= row["low"] <= row["high"] <= result["scale"]["high"]
    without = evaluate(["x"], [[0.9, 0.1]], ErrorRate())
    names = [[panel["name"] for panel in each._page.view.config()["panels"]] for each in (app, without)]
    assert ["groups" in each for each in names] == [True, False]
