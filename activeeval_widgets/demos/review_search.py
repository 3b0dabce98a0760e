"""A search of review sentences: queries for praise of, or complaints about, an aspect of a product."""

import gzip
import json
from dataclasses import dataclass

from activeeval_widgets.demos.demo import DATA, Demo, read_arrays
from activeeval_widgets.demos.reviews import load_reviews
from activeeval_widgets.session.pool.instances import Ranking, Result
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.session.reading.goals import Goal
from activeeval_widgets.stats import ERR, RankingPredictions

GRADES = (0, 1, 2, 3)
GRADE_WORDS = ("not relevant", "a little", "relevant", "perfect")
N_SHOWN = 5
"""How many sentences the search shows."""

GUIDELINES = """\
Grade each sentence as an answer to the query. It has to be about that aspect, and to praise or complain
as asked.

- **0, not relevant**: not about it, or not what was asked for
- **1, a little**: touches on it
- **2, relevant**: a clear answer
- **3, perfect**: a strong answer

**The data.** 72 queries to sentences of product reviews, each rated from −4 to 4 by 20 people (Hutto and
Gilbert, *VADER*, ICWSM 2014; MIT license). The ratings are people's. The queries were made for this demo,
and so were the grades that the search learned from, by a rule: the mean rating, its sign turned for
complaints, gives grade 0 up to 0.25, 1 below 1, 2 below 2, else 3; and 0 where the words of the aspect
are absent. Your own grades may well differ.

**The search** ranks up to 40 sentences of the product by their expected gain and shows the best five.
What it knows of each product it learned from the queries to the four others."""


@dataclass(frozen=True)
class Query:
    """A query with its graded candidates.

    Attributes
    ----------
    text, product, aspect, polarity : str
        "complaints about the price of the Canon G3 camera" is of the aspect "price" and the polarity
        "complaints".
    candidates : list of str
        Ids of sentences.
    grades : list of int
        Theirs, from 0 to 3.
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
    """A search of review sentences, five for each of 72 queries, graded from 0 to 3; its ERR is estimated."""
    queries = load_queries()
    reviews = load_reviews()
    text_of = dict(zip(reviews.ids, reviews.texts, strict=True))
    arrays = read_arrays("predictions/ranking.npz")
    rankings = [
        [query.candidates[at] for at in shown] for query, shown in zip(queries, arrays["shown"], strict=True)
    ]
    return Demo(
        title="Product review search",
        intro=f"A search engine answered {len(queries)} queries with {N_SHOWN} sentences each. Your grades "
        "tell how soon its users find a good one.",
        question="How well does each sentence answer the query?",
        guidelines=GUIDELINES,
        pool=Pool(
            [
                Ranking(query.text, tuple(Result(item, text=text_of[item]) for item in ranked))
                for query, ranked in zip(queries, rankings, strict=True)
            ],
            predictions=RankingPredictions(
                rankings, list(arrays["proba"]), grades=GRADES, name="search of reviews"
            ),
            ids=[f"query-{number}" for number in range(1, len(queries) + 1)],
        ),
        measure=ERR(cutoff=N_SHOWN),
        grade_words=GRADE_WORDS,
        y_true=[
            {
                item: grade
                for item, grade in zip(query.candidates, query.grades, strict=True)
                if item in ranked
            }
            for query, ranked in zip(queries, rankings, strict=True)
        ],
        goal=Goal(half_width=0.1),
        budget=40,
    )
