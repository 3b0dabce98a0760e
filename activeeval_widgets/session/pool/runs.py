"""Pools of queries with the ranked lists of one or several rankers."""

from collections.abc import Hashable, Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.session.pool.instances import Ranking, Result
from activeeval_widgets.stats import RankingPredictions, relevance_by_rank
from activeeval_widgets.stats._validation import is_number
from activeeval_widgets.stats.predictions.base import one_or_all

USUAL_GRADES = (0, 1, 2, 3)
"""The default grades, if there are no judgments."""


def pool_of_runs(
    queries: Mapping[Any, str] | Sequence[Any] | None,
    runs: Mapping[str, Any],
    *,
    documents: Mapping[Any, Any] | None = None,
    grades: ArrayLike | None = None,
    judged: Mapping[Any, Mapping[Any, float | None]] | None = None,
) -> dict[str, Any]:
    """Return the arguments of a `Pool` of queries with the lists of rankers, shown as `documents` say."""
    lists = {
        name: {str(query): _ranked(name, query, given) for query, given in run.items()}
        for name, run in runs.items()
    }
    if queries is None:
        found = dict.fromkeys(query for run in lists.values() for query in run)
        texts = {query: query for query in found}
    elif isinstance(queries, Mapping):
        texts = {str(query): str(text) for query, text in queries.items()}
    elif isinstance(queries, Sequence) and all(isinstance(each, str) for each in queries):
        texts = {query: query for query in queries}
    else:
        raise TypeError(
            "queries must be texts, or a mapping from their ids to texts, if rankers are given by their "
            f"lists, got {queries!r:.80}"
        )
    if not texts:
        raise ValueError("queries must hold at least one query, got none")
    for name, run in lists.items():
        if run and run.keys().isdisjoint(texts):
            raise ValueError(
                f"instances holds the query {next(iter(texts))!r:.60}, but {name!r} has lists for "
                f"{next(iter(run))!r:.60} and others, and for none of the instances: give these as "
                "{id: text, …}, with the ids that models use"
            )
    given: dict[str, dict[Hashable, float | None]] = {
        str(query): {str(item): grade for item, grade in by_item.items()}
        for query, by_item in (judged or {}).items()
    }
    known = _grades(given) if grades is None else np.asarray(grades, dtype=np.float64)
    before: list[Mapping[Hashable, float | None]] = [given.get(query, {}) for query in texts]
    models = []
    for name, run in lists.items():
        ranked = [run.get(query, []) for query in texts]
        proba = relevance_by_rank(ranked, known, before if judged else None)
        models.append(RankingPredictions(ranked, proba, known, name=name))
    shown: dict[Hashable, Any] = {str(item): content for item, content in (documents or {}).items()}
    instances = []
    for index, text in enumerate(texts.values()):
        items = dict.fromkeys(item for model in models for item in model.rankings[index])
        instances.append(Ranking(text, tuple(_result(item, shown.get(item)) for item in items)))
    return {
        "instances": instances,
        "predictions": one_or_all(models),
        "ids": [*texts],
        "kind": "ranking",
        "judged": judged or None,
    }


def is_run(model: Any) -> bool:
    """Return whether a ranker is given by a mapping from queries to items, with or without scores."""
    if not isinstance(model, Mapping) or not model:
        return False
    first = next(iter(model.values()))
    return isinstance(first, Mapping | list | tuple | np.ndarray)


def by_score(scores: Mapping[str, float]) -> list[str]:
    """Return documents as trec_eval ranks them, by the score in single precision, then by name backwards."""
    # By Unicode's code points, the order of UTF-8's bytes, as in trec_eval.
    names = sorted(scores, reverse=True)
    rounded = np.array([scores[name] for name in names], dtype=np.float64).astype(np.float32)
    return [names[at] for at in np.argsort(-rounded, kind="stable")]


def _ranked(name: str, query: Any, given: Any) -> list[str]:
    """Return a ranker's documents for a query, in ranked order."""
    if isinstance(given, Mapping):
        for item, score in given.items():
            if not is_number(score) or not isfinite(score):
                raise ValueError(
                    f"models[{name!r}][{query!r}][{item!r}] is {score!r:.60}, expected the document's "
                    "score, a finite number"
                )
        return by_score({str(item): float(score) for item, score in given.items()})
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        raise TypeError(f"models[{name!r}][{query!r}] must be a list of documents' ids, got {given!r:.60}")
    for item in given:
        if isinstance(item, list | tuple | Mapping) or item is None or item != item:
            raise ValueError(
                f"models[{name!r}][{query!r}] holds {item!r:.60}, expected documents' ids in ranked order; "
                "of pairs of an id and its score, make dict(pairs)"
            )
    return [str(item) for item in given]


def _grades(judged: Mapping[str, Mapping[Any, float | None]]) -> Any:
    most = max(
        (grade for grades in judged.values() for grade in grades.values() if grade is not None), default=None
    )
    return np.array(USUAL_GRADES if most is None else range(max(1, int(most)) + 1), dtype=np.float64)


def _result(item: Any, shown: Any) -> Result:
    if shown is None:
        return Result(item, title=str(item))
    if isinstance(shown, Result):
        return Result(item, shown.title, shown.text, shown.image, shown.link)
    if isinstance(shown, Mapping):
        return Result(
            item, **{name: shown[name] for name in ("title", "text", "image", "link") if name in shown}
        )
    return Result(item, text=str(shown))
