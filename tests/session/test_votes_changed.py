"""Sessions that go on with the draws of an earlier one, as only votes have changed."""

import json

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.formats import read_session_file, verify, write_session
from activeeval_widgets.session import MemoryStore, SessionMismatchError
from activeeval_widgets.session.draws.vote_history import VoteHistory
from activeeval_widgets.session.findings.confusion_matrix import has_confusion
from activeeval_widgets.session.findings.requirement import require_no_drop
from activeeval_widgets.session.log.events import to_record
from activeeval_widgets.session.pool.earlier_votes import as_record
from activeeval_widgets.session.report.kept_labels import kept_labels
from activeeval_widgets.session.report.method import method_of
from activeeval_widgets.stats import ClassPredictions, ErrorRate, LabelShare, Recall, estimate_adaptive
from activeeval_widgets.widgets.wording.progress import progress_content

M = 80
rng = np.random.default_rng(6)
TRUE = np.where(rng.random(M) < 0.6, "pass", "fail")
CAST = np.where(rng.random(M) < 0.85, TRUE, np.where(TRUE == "pass", "fail", "pass"))
TEXTS = [f"answer {i}" for i in range(M)]


def pool(n_votes=30, changed=None, texts=TEXTS, **options):
    """Votes on the first rows; `changed` has others by row, None where one was removed."""
    votes = [[CAST[i] if i < n_votes else None] for i in range(M)]
    for row, vote in (changed or {}).items():
        votes[row] = [vote]
    predictions = ClassPredictions.from_votes(votes[: len(texts)], classes=["fail", "pass"])
    return Pool(texts, predictions=predictions, **options)


def answer(session, n):
    for _ in range(n):
        session.label(str(TRUE[session.next().index]))
    return session


def first(n=12, **options):
    return answer(Session(pool(), LabelShare("pass"), name="first", seed=3, **options), n)


def second(after, votes=None, **options):
    return Session(
        pool(60) if votes is None else votes,
        LabelShare("pass"),
        **{"name": "second", "seed": 3, "after": after, **options},
    )


def ends(session):
    found = session.estimate()
    return found.value, found.low, found.high, found.standard_error, found.n_labels


def test_labels_go_on_as_draws_and_later_draws_know_the_votes():
    old = first()
    new = second(old)
    assert ends(new) == ends(old)
    assert new.watched().at(np.arange(13))[0].tolist() == old.watched().at(np.arange(13))[0].tolist()
    assert [to_record(event) for event in old.log] == [to_record(event) for event in new.log[: len(old.log)]]
    assert kept_labels(new.findings) == "12 labels go on: only votes have changed"
    assert new.next() == old.next()  # what was drawn already is asked
    n_drawn = sum(len(each.q) for each in old.log if each.kind == "draw")
    twin = second(old, pool(), name="without more votes")
    for each in (new, twin):
        answer(each, n_drawn - 12)
    assert [each.instance for each in new.log if each.kind == "label"] == [
        each.instance for each in twin.log if each.kind == "label"
    ]
    for each in (new, twin):
        answer(each, 20)
    assert new.q.tolist() != twin.q.tolist()
    assert new.estimate().low <= (TRUE == "pass").mean() <= new.estimate().high
    assert old.n_labels == 12
    assert new.draws.n_of_other_version() == twin.draws.n_of_other_version() == 0


def test_a_copy_of_the_labels_as_votes_changes_nothing_of_what_is_known():
    """They are votes of what is drawn, which keeps those of its time: neither q nor expectations see them."""
    old = first()
    labels = {index: str(label) for index, label in old.log.state.labels.items()}
    drawn = [index for each in old.log if each.kind == "draw" for index in each.instances]
    copied, plain = second(old, pool(30, labels)), second(old, pool())
    assert copied.pool.fingerprints["predictions"] != plain.pool.fingerprints["predictions"]
    present, before = (each.draws.rows.models[0].y_proba for each in (copied, plain))
    assert present[drawn].tolist() == before[drawn].tolist()
    assert ends(copied) == ends(old)


@pytest.mark.parametrize("changed", [{3: None, 7: None}, {3: "pass", 7: "fail", 50: "pass"}])
def test_votes_that_were_removed_or_changed_leave_labels_valid(changed):
    old = first()
    new = second(old, pool(30, changed))
    assert ends(new) == ends(old)
    answer(new, 15)
    assert new.n_labels == 27
    assert new.draws.n_of_other_version() == 0


def test_votes_may_change_several_times_and_one_after_the_other():
    old = first()
    new = answer(second(old), 9)
    third = answer(second(new, pool(75), name="third"), 12)
    assert [(each.session, each.n_labels) for each in third.log.state.went_on] == [
        ("first", 12),
        ("second", 21),
    ]
    assert third.log.state.after == "second"
    assert kept_labels(third.findings) == "21 labels go on: only votes have changed"
    assert "21 before votes changed" in progress_content(third, third.n_draws)["text"]
    said = method_of(third.findings, third.watched())[-1]
    assert "after 12 labels (as the session first) and 21 labels (as the session second)." in said
    models = [third.draws.source.votes.at(number) for number in (1, 28, 40)]
    assert len({each.y_proba.tobytes() for each in models}) == 3
    history = third.draws.source.votes
    for n_drawn, then in history.replaced:  # the last draw before a change is by the votes before it
        assert history.at(n_drawn) is then is not history.at(n_drawn + 1)
    ends_of = [each.n_draws for each in history.replaced]
    assert [each.n_draws for each in history.of_draws(np.arange(1, 41))] == ends_of
    same = second(new, pool(60), name="the same file twice")
    assert ends(same) == ends(new)
    assert same.next() == new.next()
    numbers = third.draws.source.numbers_of(third.draws.labeled()[0])
    found = estimate_adaptive(
        LabelShare("pass"), third.draws.rows.models[0], third.draws.labeled()[0], third.draws.q_draws(),
        third.draws.labeled()[1], earlier=third.draws.source.votes.of_draws(numbers),
        least_q=third.draws.source.least_probabilities(third.draws.labeled()[0].tolist()),
    )  # fmt: skip
    assert found.value == third.estimate().value


def test_what_was_done_before_can_be_undone_and_excluded_afterwards():
    old = first(0)
    old.exclude()
    old.defer()
    answer(old, 10)
    old.note("odd", old.log.actions[-1].instance)
    new = second(old)
    new.undo()
    assert (new.n_labels, old.n_labels) == (9, 10)
    index = new.log.actions[-1].instance
    new.change(index, "fail")
    new.exclude()
    answer(new, 20)
    assert new.log.n_excluded == 2
    assert not new.log.state.deferred
    alone = second(old, name="alone")
    assert alone.log.state.notes == old.log.state.notes
    found = new.estimate()
    assert 0 < found.low <= found.value <= found.high < 1
    again = Session(new.pool, LabelShare("pass"), name="second", seed=3, store=_copy(new))
    assert ends(again) == ends(new)


def _copy(session):
    store = MemoryStore()
    store.begin_with(session.name, session.storage.identity, [to_record(event) for event in session.log])
    return store


def test_it_goes_on_from_its_store_without_the_earlier_session(tmp_path):
    old = first()
    new = answer(second(old, store=tmp_path / "a.sqlite"), 20)
    known, drawn = ends(new), new.q.tolist()
    new.store.close()
    again = second(None, store=tmp_path / "a.sqlite")
    assert ends(again) == known
    assert again.q.tolist() == drawn
    assert again.draws.n_of_other_version() == 0
    ada, bob = (second(None, store=again.store, who=who) for who in ("ada", "bob"))
    ada.next()
    answer(bob, 3)
    answer(ada, 3)
    assert ada.refresh() >= 0
    assert ada.n_labels == 38
    again.store.close()


def test_the_draws_after_it_are_others_than_those_of_the_earlier_session_and_of_siblings():
    """Who could know what comes next could buy votes so that it is what he likes."""
    old = first()
    found = [second(old, pool(), name=name) for name in ("a", "b")]
    for each in (old, *found):
        answer(each, 30)
    drawn = {
        tuple(index for e in each.log if e.kind == "draw" for index in e.instances) for each in (old, *found)
    }
    assert len(drawn) == 3


def test_every_number_is_recomputed_from_the_file(tmp_path):
    new = answer(second(answer(second(first(), seed=8), 9), pool(75), name="third"), 12)
    path = write_session(new, tmp_path / "session.json")
    assert verify(path).follows
    assert ends(read_session_file(path).open()) == ends(new)
    document = json.loads(path.read_text())
    at = [i for i, each in enumerate(document["log"]) if each["kind"] == "votes"]
    before = document["log"][at[0]]["before"]
    shifted = {**before, "rows": before["rows"][1:] + before["rows"][:1]}
    changes = [
        (at[0], {"before": shifted}),
        (at[0], {"before": {**before, "rows": before["rows"][1:]}}),
        (at[0], {"before": {**before, "y_proba": [[0.4, 0.4], *before["y_proba"][1:]]}}),
        (at[0], {"before": {**before, "predicted": [2, *before["predicted"][1:]]}}),
        (at[0], {"before": {**before, "rows": [-1, *before["rows"][1:]]}}),
        (at[0], {"before": {"rows": before["rows"]}}),
        (at[0], {"before": []}),
        (at[0], {"session": None}),
        (at[0], {"stream": -1}),
        (at[0], {"seed": 4}),
        (at[0], {"seed": "3"}),
        (at[1], {"stream": 5}),
    ]
    for position, change in changes:
        log = [dict(each) for each in document["log"]]
        log[position] |= change
        (tmp_path / "changed.json").write_text(json.dumps({**document, "log": log}))
        texts = [str(each) for each in verify(tmp_path / "changed.json").findings]
        assert any("does not follow" in each or "would give" in each for each in texts), change
    missing = [each for i, each in enumerate(document["log"]) if i != at[0]]
    renumbered = [{**each, "seq": number} for number, each in enumerate(missing, 1)]
    (tmp_path / "changed.json").write_text(json.dumps({**document, "log": renumbered}))
    assert any("would give" in str(each) for each in verify(tmp_path / "changed.json").findings)


def test_a_log_may_not_change_votes_where_they_are_what_is_evaluated():
    new = second(first())
    log = [to_record(event) for event in new.log]
    store = MemoryStore()
    errors = Session(pool(60), ErrorRate(), name="second", seed=3)
    store.begin_with("second", errors.storage.identity, log)
    with pytest.raises(SessionMismatchError, match=f"event {len(log)} .* does not follow"):
        Session(pool(60), ErrorRate(), name="second", seed=3, store=store)


def test_what_depends_on_the_votes_is_not_estimated_from_draws_before_they_changed():
    old = first()
    new = answer(second(old), 10)
    assert [has_confusion(each.findings) for each in (old, new)] == [True, False]
    with pytest.raises(ValueError, match=r"Recall\(.*\) depends on the votes, which have changed"):
        new.estimate(Recall("pass"))
    with pytest.raises(ValueError, match=r"ErrorRate\(\) depends on the votes"):
        new.watched(ErrorRate())
    with pytest.raises(ValueError, match="a confusion matrix depends on the votes"):
        new.confusion()
    with pytest.raises(TypeError, match="the same for all draws"):
        new.judge()
    with pytest.raises(TypeError, match="calibration"):
        new.calibration()
    other = new.estimate(LabelShare("fail"))
    assert other.value == pytest.approx(1 - new.estimate().value)
    [trial] = new.findings.trials()
    assert trial.n_labels == 22
    text = new.report()
    assert "Votes have changed after 12 labels (as the session first)." in text
    assert "sensitivity" not in text.lower()
    assert "12 before votes changed" in progress_content(new, new.n_draws)["text"]
    assert method_of(new.findings, new.watched())[-1].endswith("How good the votes are is not estimated.")
    assert new.history()["kind"].tolist().count("votes") == 1


def test_a_damaged_record_is_refused_though_a_later_one_is_sound():
    model, costs = pool().models[0], np.arange(1.0, M + 1)
    history = VoteHistory(pool(60).models[0], costs, may_change=True)
    history.foresee([({}, 3), (as_record(model), 3)])
    assert not history.can_replace
    history.foresee([(as_record(model), 3)])
    assert history.rows.costs is costs
    history.replace(np.arange(4))
    assert history.rows.costs is costs
    assert not history.can_replace


def test_rows_that_instances_share_do_not_go_on(monkeypatch):
    """What shares a row now may not have shared it when it was drawn."""
    monkeypatch.setattr("activeeval_widgets.session.draws.make_draws.LARGEST_UNGROUPED", 10)
    old = first(5)
    assert old.draws.source.is_grouped
    assert second(old).log[0].kind == "carry_over"


def test_groups_go_on_as_well():
    groups = ["a", "b"] * (M // 2)
    old = answer(Session(pool(groups=groups), LabelShare("pass"), name="first"), 20)
    new = Session(pool(60, groups=groups), LabelShare("pass"), name="second", after=old)
    assert new.by_group().equals(old.by_group())
    answer(new, 30)
    for each, truth in zip(new.group_estimates(), (TRUE[::2], TRUE[1::2]), strict=True):
        assert each.estimate.low <= (truth == "pass").mean() <= each.estimate.high
    again = Session(new.pool, LabelShare("pass"), name="second", store=_copy(new))
    assert new.by_group().equals(again.by_group())


def test_it_is_the_same_session_in_a_course():
    april = first(20)
    may = answer(Session(pool(texts=[*TEXTS[:40], *(f"new {i}" for i in range(40))]), LabelShare("pass"),
                         name="may", seed=3, after=april), 20)  # fmt: skip
    votes = pool(60, texts=[*TEXTS[:40], *(f"new {i}" for i in range(40))])
    more = second(may, votes, name="may, more votes")
    assert [each.session for each in more.log.state.course] == ["first"]
    assert more.findings.course().sessions == ("first", "may, more votes")
    assert more.findings.course().drop("first") == may.findings.course().drop("first")
    assert more.log.state.carried == may.log.state.carried
    answer(more, 10)
    with pytest.raises(ValueError, match=r"'may, more votes' goes on with the labels of 'may'"):
        require_no_drop(more.findings, "may")
    assert require_no_drop(more.findings, "first").contrary


def test_other_rows_another_measure_or_setting():
    old = first()
    rows = second(old, pool(60, texts=[*TEXTS[1:], "new"]), name="rows")
    assert kept_labels(rows.findings).endswith("labels carried over")
    assert rows.log[0].kind == "carry_over"
    errors = Session(pool(), ErrorRate(), name="errors")
    answer(errors, 5)
    assert Session(pool(60), ErrorRate(), name="e", after=errors).log[0].kind == "carry_over"
    share = Session(pool(60), LabelShare("fail"), name="f", seed=3, after=old)
    assert share.log[0].kind == "carry_over"
    alone = Session(Pool(TEXTS, classes=["fail", "pass"]), LabelShare("pass"), name="alone")
    again = Session(alone.pool, LabelShare("pass"), name="again", after=answer(alone, 5))
    assert again.log[0].kind == "carry_over"  # there are no votes that could change
    proba = np.full((M, 2), 0.5)
    for name, model in {
        "a model's": ClassPredictions(proba, ["fail", "pass"]),
        "another class": ClassPredictions.from_votes(
            np.where(CAST == "pass", "pass", "odd")[:, None], ["fail", "pass", "odd"]
        ),
    }.items():
        new = second(old, Pool(TEXTS, predictions=model), name=name, seed=0)
        assert new.log[0].kind == "carry_over"
    papers = answer(Session(pool(), LabelShare("pass"), name="papers", protocol="papers"), 5)
    assert second(papers, seed=0, protocol="papers").log[0].kind == "carry_over"
    for options, name in (
        ({"confidence_level": 0.9}, "confidence_level"),
        ({"n_raters": 2}, "opinions"),
        ({"protocol": "papers"}, "protocol"),
    ):
        store = MemoryStore()
        with pytest.raises(ValueError, match=rf"^{name} is .* in the session 'first', whose labels go on"):
            second(old, store=store, **options)
        assert store.names() == []
    level = second(first(confidence_level=0.9))
    assert level.confidence_level == 0.9
    assert level.estimate().confidence_level == 0.9
