"""A search of review sentences: queries for praise of, or complaints about, an aspect of a product."""

import gzip
import json
from dataclasses import dataclass

from activeeval_widgets.demos.demo import DATA, Demo, read_arrays
from activeeval_widgets.demos.reviews import load_reviews
from activeeval_widgets.session.findings.goals import Goal
from activeeval_widgets.session.pool.instances import Ranking, Result
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats import ERR, NDCG, Measure, RankingPredictions
from activeeval_widgets.stats.predictions.base import one_or_all

GRADES = (0, 1, 2, 3)
GRADE_WORDS = ("not relevant", "a little", "relevant", "perfect")
N_SHOWN = 5
"""The number of sentences that a search shows."""

GUIDELINES = """\
Grade each sentence as an answer to the query. It has to be about that aspect, and to praise or complain
as asked.

- **0, not relevant**: not about it, or not what was asked for
- **1, a little**: touches on it
- **2, relevant**: a clear answer
- **3, perfect**: a strong answer

**The data.** 72 queries to sentences of product reviews, each rated from −4 to 4 by 20 people (Hutto and
Gilbert, *VADER*, ICWSM 2014; MIT license). The ratings are people's. The queries were made for this demo,
and so were the grades that a search learned from, by a rule: the mean rating, its sign turned for
complaints, gives grade 0 up to 0.25, 1 below 1, 2 below 2, else 3; and 0 where the words of the aspect
are absent. Your own grades may well differ."""
_ONE = """

**The search** ranks up to 40 sentences of the product by their expected gain and shows the best five.
What it knows of each product it learned from the queries to the four others."""
_TWO = """

**The searches** each chose five of up to 40 sentences of the product. How they work is told in the
documentation of the demos, and not here, where it could sway your grades."""

_QUESTION = "How well does each sentence answer the query?"

BUDGET = 40
"""The largest number of queries that a session asks for."""


@dataclass(frozen=True)
class Query:
    """A query with its graded candidates.

    Attributes
    ----------
    text, product, aspect, polarity : str
        "complaints about the price of the Canon G3 camera" has the aspect "price" and the polarity
        "complaints".
    candidates : list of str
        Ids of sentences.
    grades : list of int
        The grades of the candidates, from 0 to 3.
    """

    text: str
    product: str
    aspect: str
    polarity: str
    candidates: list[str]
    grades: list[int]


def load_queries() -> list[Query]:
    """Read the queries."""
    with (DATA / "reviews/opinion_queries.jsonl.gz").open("rb") as file:
        rows = [json.loads(line) for line in gzip.decompress(file.read()).splitlines()]
    return [
        Query(row["query"], row["product"], row["aspect"], row["polarity"], row["docs"], row["grades"])
        for row in rows
    ]


def ranking() -> Demo:
    """Estimate the difference in nDCG of two searches of review sentences, shown blind."""
    return _of_searches(
        _searches(),
        NDCG(cutoff=N_SHOWN),
        title="Two searches of product reviews",
        intro=f"Each showed {N_SHOWN} sentences for each of 72 queries. You see both lists as one, shuffled. "
        "Your grades tell which search shows the better sentences.",
        question=f"{_QUESTION} They are in random order.",
        about=_TWO,
        goal=Goal(threshold=0.0),
    )


def one_ranker() -> Demo:
    """Estimate the ERR of the new search."""
    return _of_searches(
        _searches()[:1],
        ERR(cutoff=N_SHOWN),
        title="Product review search",
        intro=f"A search engine answered 72 queries with {N_SHOWN} sentences each. Your grades "
        "tell how soon its users find a good one.",
        question=_QUESTION,
        about=_ONE,
        goal=Goal(half_width=0.1),
    )


def _searches() -> list[RankingPredictions]:
    """Return both searches, with the new one's expectation of each sentence that either shows."""
    queries, arrays = load_queries(), read_arrays("predictions/ranking.npz")
    return [
        RankingPredictions(
            [
                [query.candidates[at] for at in found]
                for query, found in zip(queries, arrays[shown], strict=True)
            ],
            list(arrays[proba]),
            grades=GRADES,
            name=name,
        )
        for name, shown, proba in (
            ("new search", "shown", "proba"),
            ("old search", "by_words", "by_words_proba"),
        )
    ]


def _of_searches(
    models: list[RankingPredictions],
    measure: Measure,
    *,
    title: str,
    intro: str,
    question: str,
    about: str,
    goal: Goal,
) -> Demo:
    queries, reviews = load_queries(), load_reviews()
    text_of = dict(zip(reviews.ids, reviews.texts, strict=True))
    listed = [
        [*dict.fromkeys(str(item) for model in models for item in model.rankings[index])]
        for index in range(len(queries))
    ]
    return Demo(
        title=title,
        intro=intro,
        question=question,
        guidelines=GUIDELINES + about,
        pool=Pool(
            [
                Ranking(query.text, tuple(Result(item, text=text_of[item]) for item in items))
                for query, items in zip(queries, listed, strict=True)
            ],
            predictions=one_or_all(models),
            ids=[f"query-{number}" for number in range(1, len(queries) + 1)],
        ),
        measure=measure,
        grade_words=GRADE_WORDS,
        y_true=[
            {item: grade for item, grade in zip(query.candidates, query.grades, strict=True) if item in items}
            for query, items in zip(queries, listed, strict=True)
        ],
        goal=goal,
        budget=BUDGET,
    )
