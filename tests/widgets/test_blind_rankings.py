"""Two rankers' lists are merged and shuffled: nothing on the page tells who found a result, or where."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import GradeLabels, MemoryStore, Pool, Ranking, Result, Session
from activeeval_widgets.session.pool.asked_items import blind_order
from activeeval_widgets.stats import DCG, NDCG, RankingPredictions
from activeeval_widgets.widgets import LabelingApp
from activeeval_widgets.widgets.labels.grades import GradesPanel

from ..labeling import give_labels
from .conftest import Page

N = 30
DEPTH = 4


def rankers(seed: int = 0) -> list[RankingPredictions]:
    """Two rankers of 12 items a query; each query of the first five has the same list in both."""
    rng = np.random.default_rng(seed)
    lists: list[list[list[str]]] = [[], []]
    proba = []
    for query in range(N):
        items = [f"{query}-{i}" for i in range(12)]
        proba.append({item: rng.dirichlet(np.ones(3)) for item in items})
        for each in lists:
            each.append([items[i] for i in rng.permutation(12)[:9]])
        if query < 5:
            lists[1][-1] = lists[0][-1]
    return [
        RankingPredictions(each, proba, grades=[0, 1, 2], name=name)
        for each, name in zip(lists, ("old engine", "new engine"), strict=True)
    ]


def pool_of(models: Sequence[RankingPredictions], *, is_turned: bool = False) -> Pool:
    """The lists one after the other, as a careless program would give them; or the other way round."""
    instances = []
    for query in range(N):
        items = [*dict.fromkeys(item for model in models for item in model.rankings[query])]
        items = items[::-1] if is_turned else items
        results = [Result(item, title=f"Title of {item}", text=f"Text of {item}") for item in items]
        instances.append(Ranking(f"query {query}", results))
    return Pool(instances, predictions=list(models), ids=[f"q{query}" for query in range(N)])


def grade(item: str) -> int:
    return sum(map(ord, item)) % 3


def walk(session: Session) -> Iterator[tuple[str, dict[str, Any], list[bytes]]]:
    """Label five queries on a page that asks for all that a page can; each answer with what it is about."""
    page = Page(LabelingApp(session))
    yield "hello", page.ask("hello"), []
    for number in range(5):
        present = session.next()
        assert present is not None
        coming = [each.index for each in session.upcoming(8)]
        yield "instances", page.ask("instances", indices=coming), page.buffers
        for index, content in zip(coming, page.buffers, strict=True):
            assert _items(json.loads(bytes(content))) == [*map(str, session.labels.items[index])]
        yield "prediction", page.ask("prediction", draw=present.draw), []
        value = {str(item): grade(str(item)) for item in session.labels.items[present.index]}
        about = {"draw": present.draw, "seconds": 1.0, "first_key_seconds": None}
        if number == 2:
            yield "label", page.ask("label", value=value, **about), []
            yield "undo", page.ask("undo"), []
        yield (
            "answers",
            page.ask("answers", answers=[{"type": "label", "value": value, **about}], ahead=8),
            [],
        )
        yield "history", page.ask("history", shows_prediction=True), page.buffers
        yield "row", page.ask("row", index=present.index, shows_prediction=True), page.buffers
    yield "plots", page.ask("plots", shown=["estimate", "distribution"]), page.buffers
    yield "result", page.ask("result", shows_results=True), page.buffers


@pytest.fixture(scope="module")
def models() -> list[RankingPredictions]:
    return rankers()


def test_only_what_counts_is_asked_and_identical_documents_once(models: list[RankingPredictions]) -> None:
    session = Session(pool_of(models), NDCG(DEPTH), seed=3)
    for index in range(N):
        asked = session.labels.items[index]
        assert len(asked) == len(set(asked))
        assert set(asked) == {item for model in models for item in model.rankings[index][:DEPTH]}
    # Without a cutoff, lists count to their ends.
    whole = Session(pool_of(models), DCG(), seed=3)
    assert {len(items) for items in whole.labels.items} <= set(range(9, 13))


def test_the_order_is_by_seed_and_query_alone(models: list[RankingPredictions]) -> None:
    store = MemoryStore()
    first = Session(pool_of(models), NDCG(DEPTH), seed=3, store=store)
    again = Session(pool_of(models, is_turned=True), NDCG(DEPTH), seed=3)
    other = Session(pool_of(models), NDCG(DEPTH), seed=4)
    reloaded = Session(pool_of(models), NDCG(DEPTH), seed=3, store=store)
    assert list(first.labels.items) == list(again.labels.items) == list(reloaded.labels.items)
    assert list(first.labels.items) != list(other.labels.items)


def test_each_order_is_as_likely_as_any_other() -> None:
    counts: dict[tuple[Any, ...], int] = {}
    for seed in range(1200):
        order = blind_order("abc", seed, "q")
        counts[order] = counts.get(order, 0) + 1
    # χ² with 5 degrees of freedom: above 20.5 in one of a thousand.
    assert sum((n - 200) ** 2 / 200 for n in counts.values()) < 20.5
    assert len(counts) == 6


def test_places_are_independent_of_ranks(models: list[RankingPredictions]) -> None:
    """What is on top of one ranker's list is anywhere on the screen, of either ranker."""
    places: list[list[float]] = [[], []]
    for seed in range(40):
        items = Session(pool_of(models), NDCG(DEPTH), seed=seed).labels.items
        for index in range(5, N):
            for found, model in zip(places, models, strict=True):
                place = items[index].index(model.rankings[index][0])
                found.append(place / (len(items[index]) - 1))
    for found in places:
        # Uniform on 0 … 1, of mean ½; four standard errors.
        assert abs(np.mean(found) - 0.5) < 4 * np.std(found) / np.sqrt(len(found))


def test_rankers_that_change_places_give_the_same_messages(models: list[RankingPredictions]) -> None:
    swapped = [models[1], models[0]]
    ways = zip(
        walk(Session(pool_of(models), DCG(DEPTH), seed=3)),
        walk(Session(pool_of(swapped), DCG(DEPTH), seed=3)),
        strict=True,
    )
    n_compared = 0
    for (kind, one, buffers), (_, two, other_buffers) in ways:
        assert buffers == other_buffers, kind
        if kind in ("instances", "prediction", "history", "row", "undo"):
            for each in (one, two):
                each.pop("state", None)
                each.pop("ms_each", None)
            assert _without_times(one) == _without_times(two), kind
            n_compared += 1
        for name in ("queue", "people", "can_undo", "n_labels", "status"):
            if "state" in one:
                assert _without_times(one["state"][name]) == _without_times(two["state"][name]), name
    assert n_compared > 15


def test_ranks_that_change_give_the_same_instances(models: list[RankingPredictions]) -> None:
    """The same results in the opposite order, on top of either list: the same bytes."""
    turned = []
    for model in models:
        lists = [[*ranking[:DEPTH][::-1], *ranking[DEPTH:]] for ranking in model.rankings]
        proba = [
            {item: model.relevance.proba[row] for item, row in known.items()}
            for known in model.relevance.rows
        ]
        turned.append(RankingPredictions(lists, proba, model.grades, model.name))
    shown = []
    for each in (models, turned):
        session = Session(pool_of(each), NDCG(DEPTH), seed=3)
        page = Page(LabelingApp(session))
        page.ask("hello")
        page.app._page.answers.sent.update(range(N))
        page.ask("instances", indices=[*range(N)])
        shown.append(page.buffers)
    assert shown[0] == shown[1]


def test_no_message_about_an_instance_names_a_ranker_or_a_rank(models: list[RankingPredictions]) -> None:
    for kind, answer, buffers in walk(Session(pool_of(models), NDCG(DEPTH), seed=3)):
        about = {key: value for key, value in answer.items() if key != "state"}
        if kind in ("instances", "prediction", "history", "row", "undo", "answers"):
            text = json.dumps(about) + " ".join(bytes(each).decode() for each in buffers)
            assert not re.search(r"engine|\brank|score|\btop\b|expects", text.replace("aew-ranking", "")), (
                text
            )
        if kind == "prediction":
            assert about == {} or not about["prediction"]["text"]
        if kind == "hello":
            actions = [each["name"] for each in about["config"]["actions"]]
            assert "prediction" not in actions
            assert "history" in actions
        if kind == "plots":
            # Of labeled instances, plots say no more than which they are and what was given.
            assert not re.search("expect(s|ed)", json.dumps(about))
            assert "times as often as at random" in json.dumps(about)


def test_the_page_says_how_the_lists_are_shown(models: list[RankingPredictions]) -> None:
    page = Page(LabelingApp(Session(pool_of(models), NDCG(DEPTH), seed=3)))
    reply = page.ask("hello")
    assert reply["config"]["question"] == "How relevant is each result? They are in random order."
    assert "old engine and new engine ranked results for 30 queries." in json.dumps(reply)
    one = Page(LabelingApp(Session(Pool(pool_of(models).instances, predictions=models[0]), NDCG(DEPTH))))
    assert one.ask("hello")["config"]["question"] == "How relevant is each result?"


def test_what_is_saved_is_reported_as_it_was_given() -> None:
    labels = GradeLabels([0, 1, 2], [["b", "a", "c"], ["d"]], {0: {"c": 2, "z": 1}, 1: {"d": 1}})
    panel = GradesPanel(labels)
    assert panel.text_of(labels.check({"a": 0, "b": None}, 0), 0) == "– 0 and 2 more"
    assert panel.text_of(labels.known_labels[1], 1) == "1 judged before"
    plain = GradeLabels([0, 1], [["b", "a"]])
    assert GradesPanel(plain).text_of(plain.check({"a": 0, "b": 1}, 0), 0) == "1 0"


def _items(tree: Any) -> list[str]:
    """The items that a tree of elements shows, from the top."""
    if isinstance(tree, dict):
        return [tree["data-item"]] if "data-item" in tree else []
    return [item for each in tree for item in _items(each)] if isinstance(tree, list) else []


def _without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: _without_times(each)
            for key, each in value.items()
            if key not in ("time", "ms_each", "asked")
        }
    return [_without_times(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("make", [list, tuple])
def test_labels_of_blind_lists_estimate_what_they_should(
    models: list[RankingPredictions], make: Callable[[Any], Any]
) -> None:
    """All queries labeled, the estimate is the pool's difference, whatever the order on the screen."""
    session = Session(pool_of(make(models)), DCG(DEPTH), seed=3)
    give_labels(session, lambda i: {str(item): grade(str(item)) for item in session.labels.items[i]})
    values = []
    for model in models:
        gains = [
            sum((2 ** grade(str(item)) - 1) / np.log2(i + 2) for i, item in enumerate(ranking[:DEPTH]))
            for ranking in model.rankings
        ]
        values.append(np.mean(gains))
    assert session.estimate().value == pytest.approx(values[0] - values[1])
