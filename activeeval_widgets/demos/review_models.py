"""Five classifiers of the review sentences of `text`, to find the best one."""

from typing import NamedTuple

import numpy as np

from activeeval_widgets.demos.demo import Demo, read_arrays
from activeeval_widgets.demos.reviews import CLASSES, LABEL_GUIDELINES, Reviews, load_reviews
from activeeval_widgets.session.findings.goals import Goal
from activeeval_widgets.session.pool.instances import Text
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats import ClassPredictions, ErrorRate
from activeeval_widgets.stats._typing import IntArray

MODELS = {
    "naive_bayes": "naive Bayes",
    "word_pairs": "word pairs",
    "same_products": "same products",
    "word_list": "word list",
    "frequent_words": "100 words",
}
"""The models' names, by the names of their predictions; the order does not reveal how good they are."""

GUIDELINES = (
    LABEL_GUIDELINES
    + """\
**The models.** Four learned from {n_train:,} sentences about a music player: *word pairs* and *100 words* are
logistic regressions, one on words and word pairs, one on the 100 most frequent words; *word list* counts
words of praise and of blame. *Same products* learned from {n_more:,} sentences more, about the same products
as those that you label, and from each person's rating, by words, letters and the word list.

**The data.** {n_pool:,} sentences of reviews of two cameras, a phone and a DVD player, each rated from −4
to 4 by 20 people (Hutto and Gilbert, *VADER*, ICWSM 2014; MIT license)."""
)


class Halves(NamedTuple):
    """The sentences of the pool of `text` in two parts, without a sentence that occurs in both.

    Attributes
    ----------
    learned : ndarray of int
        Indices of the sentences in one model's training set.
    pool : ndarray of int
        Indices of the sentences to label.
    """

    learned: IntArray
    pool: IntArray


def halves(reviews: Reviews) -> Halves:
    """Divide the sentences of the pool of `text` into two random halves."""
    everything = reviews.pool
    order = np.random.default_rng(0).permutation(everything)
    learned = np.sort(order[: len(order) // 2])
    seen = {reviews.texts[i] for i in learned}
    return Halves(
        learned, np.array([i for i in np.sort(order[len(learned) :]) if reviews.texts[i] not in seen])
    )


def leaderboard() -> Demo:
    """Find the best of five classifiers of review sentences as negative, neutral or positive.

    Four were trained only on the reviews of another product, one also on some of the same products.
    """
    reviews = load_reviews()
    learned, pool = halves(reviews)
    proba = read_arrays("predictions/leaderboard.npz")
    return Demo(
        title="Product reviews: five models",
        intro=f"Five models sorted {len(pool):,} review sentences. Your labels tell which is wrong least "
        "often.",
        question="What does this sentence say about the product?",
        guidelines=GUIDELINES.format(
            n_train=int(reviews.is_training.sum()), n_more=len(learned), n_pool=len(pool)
        ),
        pool=Pool(
            [Text(reviews.texts[i], title=reviews.products[i]) for i in pool],
            predictions=[
                ClassPredictions(proba[key], classes=CLASSES, name=name) for key, name in MODELS.items()
            ],
            ids=[f"review-{reviews.ids[i]}" for i in pool],
        ),
        measure=ErrorRate(),
        y_true=reviews.classes[pool],
        goal=Goal(threshold=0.0),
        budget=250,
    )
